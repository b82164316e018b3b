//! Creates deliveries for many stores in one step.

use std::collections::BTreeMap;

use axum::extract::State;

use super::model::{DeliverOrders, MadeDeliveries, MadeDelivery};
use larder_documents as documents;
use larder_documents::Ctx;
use larder_documents::shipments::{Delivery, DeliveryDraft};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of orders per request.
const MOST: usize = 2_000;

/// Create deliveries from approved orders, one per store. Each is independent: an error in one does not stop
/// the others.
#[utoipa::path(post, path = "/api/commissary/orders/deliveries", tag = "commissary orders",
    request_body = DeliverOrders, responses((status = 200, body = MadeDeliveries)))]
pub(crate) async fn make_commissary_deliveries(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DeliverOrders>,
) -> ApiResult<Json<MadeDeliveries>> {
    if body.order_ids.is_empty() || body.order_ids.len() > MOST {
        return Err(ApiError::field("orderIds", format!("Choose 1 to {MOST} orders.")));
    }
    let found = super::queries::stores_of(&state.db, &body.order_ids).await?;
    let mut of_store: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (order, store) in found {
        of_store.entry(store).or_default().push(order);
    }
    let (ctx, actor) = (Ctx::new(&state, &who), who.actor());
    let mut items = Vec::with_capacity(of_store.len());
    for (store_id, orders) in of_store {
        let draft = &DeliveryDraft::of_orders(orders);
        let made =
            state.db.write(&actor, async |tx| documents::create::<Delivery>(tx, ctx, draft).await).await;
        items.push(match made {
            Ok(delivery) => MadeDelivery {
                store_id,
                delivery_id: Some(delivery.head.id),
                delivery_no: Some(delivery.head.number),
                problem: None,
            },
            Err(refusal) if refusal.status.is_client_error() => {
                MadeDelivery { store_id, delivery_id: None, delivery_no: None, problem: Some(refusal.detail) }
            }
            Err(failure) => return Err(failure),
        });
    }
    Ok(Json(MadeDeliveries { items }))
}
