//! Which product, and which unit of it, a scanned code stands for.

use axum::extract::State;

use super::model::{ProductBarcode, ProductBarcodes};
use larder_ledgers::barcodes;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json};

/// The barcodes of all active products, for screens that are scanned into. Devices keep them, to scan without a network.
#[utoipa::path(get, path = "/api/products/barcodes", tag = "products",
    responses((status = 200, body = ProductBarcodes)))]
pub(crate) async fn list_product_barcodes(State(state): State<AppState>) -> ApiResult<Json<ProductBarcodes>> {
    let all = barcodes::all(&state.db).await?;
    Ok(Json(ProductBarcodes { items: all.into_iter().map(ProductBarcode::from).collect() }))
}
