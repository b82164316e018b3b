//! The plans of all stores.

use std::collections::HashMap;

use axum::extract::State;

use super::chosen::chosen;
use super::model::{DayQuery, PlanStore, PlanStoreOrder, PlanStores};
use super::queries;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

/// Summary of a day's plan for every accessible store, and the orders created from it.
#[utoipa::path(get, path = "/api/dashboard/drp-new/stores", tag = "replenishment plan", params(DayQuery),
    responses((status = 200, body = PlanStores)))]
pub(crate) async fn list_plan_stores(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<DayQuery>,
) -> ApiResult<Json<PlanStores>> {
    let chosen = chosen(&state, &who, None, query.date.as_deref(), None).await?;
    let mut orders: HashMap<String, Vec<PlanStoreOrder>> = HashMap::new();
    for (store, id, number, state) in queries::orders_of(&state.db, &chosen.pairs()).await? {
        orders.entry(store).or_default().push(PlanStoreOrder { id, number, state });
    }
    let (plan_run_id, made_at) = (chosen.run_id(), chosen.made_at());
    let items = chosen.stores.into_iter().map(|store| PlanStore {
        orders: orders.remove(&store.store_id).unwrap_or_default(),
        store_id: store.store_id,
        plan_run_id: store.run_id,
        made_at: store.made_at,
        lines: store.lines,
        to_order: store.to_order,
        amount: store.amount,
        at_risk: store.at_risk,
        capped: store.capped,
        note: store.note,
    });
    Ok(Json(PlanStores { plan_run_id, date: chosen.date, made_at, items: items.collect() }))
}
