//! What a product costs by day and price level.

use std::collections::HashSet;

use axum::extract::State;

use super::model::{ProductPrice, ProductPrices};
use super::queries;
use larder_ledgers::prices::{START, products};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json};

/// The prices of a product by day and price level, newest first. A saved price counts from today on; documents keep the
/// price of the day that they were written for.
#[utoipa::path(get, path = "/api/products/{id}/prices", tag = "products", params(("id" = String, Path)),
    responses((status = 200, body = ProductPrices)))]
pub(crate) async fn list_product_prices(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<ProductPrices>> {
    let found = queries::prices(&state.db, &id).await?;
    let (now, created_at) = found.ok_or_else(|| ApiError::not_found("product"))?;
    let kept = products::of_product(&state.db, &id).await?;
    let known: HashSet<String> = kept.iter().map(|price| price.price_level_id.clone()).collect();
    let mut items: Vec<ProductPrice> = kept.into_iter().map(ProductPrice::from).collect();
    // Those that have not changed since prices are kept.
    let unchanged = now.0.into_iter().filter(|line| !known.contains(&line.price_level_id));
    items.extend(unchanged.map(|line| ProductPrice {
        price_level_id: line.price_level_id,
        from: START,
        from_start: true,
        price: Some(line.price),
        source: "start".to_owned(),
        updated_at: created_at,
        updated_by: None,
    }));
    Ok(Json(ProductPrices { items }))
}
