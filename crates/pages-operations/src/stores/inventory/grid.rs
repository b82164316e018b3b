//! A store's counts by day.

use std::collections::BTreeMap;

use axum::extract::State;
use larder_domain::Span;
use larder_domain::count::Session;

use super::model::{CountGrid, GridCount, GridItem, GridQuery};
use super::{queries, store};
use larder_ledgers::{counts, store_items};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of days: one quarter.
const MAX_DAYS: i32 = 92;

/// A store's counts, days by items. Empty without both dates, or if the first day is after the last.
#[utoipa::path(get, path = "/api/stores/inventory/grid", tag = "store inventory", params(GridQuery),
    responses((status = 200, body = CountGrid)))]
pub(crate) async fn get_count_grid(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<GridQuery>,
) -> ApiResult<Json<CountGrid>> {
    let store = store(&state, &who, query.store_id.as_deref()).await?;
    let span = match (date("start", query.start.as_deref()), date("end", query.end.as_deref())) {
        (Ok(Some(from)), Ok(Some(to))) if from <= to => Span { from, to },
        (Ok(_), Ok(_)) => {
            return Ok(Json(CountGrid { store_id: store.id, days: Vec::new(), items: Vec::new() }));
        }
        (start, end) => {
            return Err(ApiError::invalid([start.err(), end.err()].into_iter().flatten().collect()));
        }
    };
    if span.days() > MAX_DAYS {
        return Err(ApiError::field("end", format!("Choose a range of at most {MAX_DAYS} days.")));
    }
    let mut counted: BTreeMap<String, Vec<GridCount>> = BTreeMap::new();
    for value in counts::range(&state.db, &store.id, span.from, span.to).await? {
        let Some(qty) = value.content.qty else { continue };
        let count = GridCount {
            date: value.date,
            session: Session::parse(&value.session).unwrap_or_default(),
            qty,
            at: value.stands_at,
            by: value.counted_by.0.name,
            late: value.late,
        };
        counted.entry(value.item_id).or_default().push(count);
    }
    for counts in counted.values_mut() {
        counts.sort_by_key(|count| (count.date, count.session));
    }
    let visible = store_items::visible(&state.db, &store.id).await?;
    let mut items: Vec<GridItem> = visible
        .into_iter()
        .map(|item| GridItem {
            counts: counted.remove(&item.id).unwrap_or_default(),
            id: item.id,
            name: item.name,
            uom_code: item.uom_code,
            storage_area: item.storage_area,
            counted_here: true,
        })
        .collect();
    let gone: Vec<&str> = counted.keys().map(String::as_str).collect();
    for (id, name, uom_code) in queries::item_names(&state.db, &gone).await? {
        let counts = counted.remove(&id).unwrap_or_default();
        items.push(GridItem { id, name, uom_code, storage_area: None, counted_here: false, counts });
    }
    let days = (0..span.days()).map(|day| span.from.plus(day)).collect();
    Ok(Json(CountGrid { store_id: store.id, days, items }))
}
