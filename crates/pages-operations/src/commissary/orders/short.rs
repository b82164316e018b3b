//! What kitchens leave short of approved orders.

use axum::extract::State;
use larder_domain::BusinessDay;

use super::model::{ShortLines, ShortOrderLine};
use larder_documents::orders::short;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json, Who};

/// Approved order lines that neither stock nor production of their kitchen covers, of all kitchens and days. What there is
/// goes to deliveries that have not left, then to orders in the order of the days on which they are needed.
#[utoipa::path(get, path = "/api/commissary/orders/short", tag = "commissary orders",
    responses((status = 200, body = ShortLines)))]
pub(crate) async fn list_short_lines(State(state): State<AppState>, who: Who) -> ApiResult<Json<ShortLines>> {
    let (today, stores) = (BusinessDay::of(who.at), who.stores(None)?);
    let lines = short::short_lines(&state.db, today, stores.as_deref()).await?;
    let items = lines.into_iter().map(|line| ShortOrderLine {
        id: line.id,
        order_id: line.order_id,
        order_no: line.order_no,
        store_id: line.store_id,
        store_name: line.store,
        commissary_id: line.commissary_id,
        commissary_name: line.commissary,
        product_id: line.product_id,
        sku: line.sku,
        name: line.name,
        uom_code: line.uom_code,
        needed_date: line.needed_date,
        late: line.needed_date <= today,
        ordered: line.asked,
        approved: line.approved,
        to_send: line.to_send,
        covered: line.covered,
        short: line.short,
    });
    Ok(Json(ShortLines { items: items.collect() }))
}
