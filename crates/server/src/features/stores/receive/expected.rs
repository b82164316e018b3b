//! What is on its way to stores.

use axum::extract::State;
use larder_domain::BusinessDay;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::AppState;
use crate::documents::shipments::{ExpectedDelivery, expected};
use crate::http::json::Query;
use crate::http::{ApiResult, Json, Who};

/// Of which store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ExpectedQuery {
    store_id: Option<String>,
}

/// What is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedDeliveries {
    pub items: Vec<ExpectedDelivery>,
    /// How many of them were to arrive before today.
    pub late: usize,
}

/// Deliveries that left and were not wholly taken in, the oldest first.
#[utoipa::path(get, path = "/api/stores/receive/expected", tag = "stores receive", params(ExpectedQuery),
    responses((status = 200, body = ExpectedDeliveries)))]
pub(crate) async fn list_expected_deliveries(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ExpectedQuery>,
) -> ApiResult<Json<ExpectedDeliveries>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let items = expected(&state.db, stores.as_deref()).await?;
    let today = BusinessDay::of(who.at);
    let late = items.iter().filter(|delivery| delivery.planned_date < today).count();
    Ok(Json(ExpectedDeliveries { items, late }))
}
