//! The overview, with proposals.

use axum::extract::State;
use larder_domain::BusinessDay;

use super::model::{OpeningDaysChange, OpeningDaysOfStores, OpeningDaysQuery, StoreOpeningDays, listed};
use super::queries;
use larder_db::{Db, DbError};
use larder_ledgers::opening_days as book;
use larder_ledgers::opening_days::OfStores;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

/// The opening days of every accessible store.
#[utoipa::path(get, path = "/api/stores/opening-days", tag = "opening days", params(OpeningDaysQuery),
    responses((status = 200, body = OpeningDaysOfStores)))]
pub(crate) async fn list_opening_days(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<OpeningDaysQuery>,
) -> ApiResult<Json<OpeningDaysOfStores>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let stores = queries::active(&state.db, stores.as_deref()).await?;
    let items = of_stores(&state.db, &stores, BusinessDay::of(who.at)).await?;
    Ok(Json(OpeningDaysOfStores { items }))
}

/// The opening days of some stores, in this order.
pub(super) async fn of_stores(
    db: &Db,
    stores: &[String],
    today: BusinessDay,
) -> Result<Vec<StoreOpeningDays>, DbError> {
    let kept = book::all(db, Some(stores)).await?;
    let set = OfStores::read(db, Some(stores)).await?;
    let mut proposed = book::proposals(db, stores, &set, today).await?;
    let store = |id: &String| StoreOpeningDays {
        weekdays: listed(set.of(id).weekdays(today)),
        changes: kept.iter().filter(|it| it.store_id == *id).map(OpeningDaysChange::from).collect(),
        proposed: proposed.remove(id).map(listed),
        store_id: id.clone(),
    };
    Ok(stores.iter().map(store).collect())
}
