//! Expected deliveries to stores.

use axum::extract::State;
use larder_domain::BusinessDay;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_documents::shipments::{ExpectedDelivery, ExpectedLine, expected, expected_lines};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

/// Query parameters of expected deliveries.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ExpectedQuery {
    store_id: Option<String>,
    /// Whether to include lines.
    #[serde(default)]
    lines: bool,
}

/// A delivery or transfer that can be received.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedReceipt {
    #[serde(flatten)]
    pub shipment: ExpectedDelivery,
    /// What can still be received, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<ExpectedLine>>,
}

/// Expected deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedDeliveries {
    pub items: Vec<ExpectedReceipt>,
    /// Number of overdue ones.
    pub late: usize,
}

/// Deliveries dispatched and not fully received, oldest first.
#[utoipa::path(get, path = "/api/stores/receive/expected", tag = "stores receive", params(ExpectedQuery),
    responses((status = 200, body = ExpectedDeliveries)))]
pub(crate) async fn list_expected_deliveries(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ExpectedQuery>,
) -> ApiResult<Json<ExpectedDeliveries>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let found = expected(&state.db, stores.as_deref()).await?;
    let ids: Vec<&str> = found.iter().map(|delivery| delivery.id.as_str()).collect();
    let mut lines = if query.lines { Some(expected_lines(&state.db, &ids).await?) } else { None };
    let items: Vec<ExpectedReceipt> = found
        .into_iter()
        .map(|shipment| ExpectedReceipt {
            lines: lines.as_mut().map(|lines| lines.remove(&shipment.id).unwrap_or_default()),
            shipment,
        })
        .collect();
    let today = BusinessDay::of(who.at);
    let late = items.iter().filter(|item| item.shipment.planned_date < today).count();
    Ok(Json(ExpectedDeliveries { items, late }))
}
