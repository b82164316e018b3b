//! Shipments in transit: since when, on which delivery, and whether they are late.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use larder_domain::BusinessDay;

use super::model::{InTransit, InTransitItem, InTransitLine, OfStore};
use super::queries;
use larder_documents::shipments::{expected, in_transit};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

/// Shipments with goods in transit, oldest first: still to be received, or missing from a receipt and undecided.
#[utoipa::path(get, path = "/api/stock/in-transit", tag = "stock", params(OfStore),
    responses((status = 200, body = InTransit)))]
pub(crate) async fn list_in_transit(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<OfStore>,
) -> ApiResult<Json<InTransit>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let found = in_transit(&state.db, stores.as_deref()).await?;
    let to_receive: HashSet<String> =
        expected(&state.db, stores.as_deref()).await?.into_iter().map(|shipment| shipment.id).collect();
    let ids: Vec<&str> = found.iter().map(|shipment| shipment.id.as_str()).collect();
    let mut lines: HashMap<String, Vec<InTransitLine>> = HashMap::new();
    for line in queries::lines(&state.db, &ids).await? {
        lines.entry(line.document_id.clone()).or_default().push(line);
    }
    let left: HashMap<String, _> = queries::details(&state.db, &ids)
        .await?
        .into_iter()
        .map(|(id, left)| (id, left.0.dispatched_at))
        .collect();
    let today = BusinessDay::of(who.at);
    let items: Vec<InTransitItem> = found
        .into_iter()
        .map(|shipment| {
            let undecided = !to_receive.contains(&shipment.id);
            let days_late = i64::from(today.0 - shipment.planned_date.0).max(0);
            InTransitItem {
                lines: lines.remove(&shipment.id).unwrap_or_default(),
                dispatched_at: left.get(&shipment.id).copied().flatten(),
                days_late: if undecided { 0 } else { days_late },
                undecided,
                id: shipment.id,
                kind: shipment.kind,
                number: shipment.delivery_no,
                status: shipment.status,
                store_id: shipment.store_id,
                store_name: shipment.store_name,
                source_name: shipment.source_name,
                planned_date: shipment.planned_date,
            }
        })
        .collect();
    let late = items.iter().filter(|item| item.days_late > 0).count();
    Ok(Json(InTransit { items, late }))
}
