//! A product's stock by place and its movements.

use axum::extract::State;
use larder_domain::BusinessDay;

use super::model::{MovementsQuery, ProductStock, StockMovements, StockPlace, StoreStock};
use super::queries;
use larder_ledgers::place_stock;
use larder_ledgers::stock as book;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// A product's stock by place. Only accessible stores.
#[utoipa::path(get, path = "/api/products/{id}/stock", tag = "products", params(("id" = String, Path)),
    responses((status = 200, body = ProductStock)))]
pub(crate) async fn get_product_stock(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ProductStock>> {
    let head = queries::head(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let item = book::product(&id);
    let places = book::places_of(&state.db, &item, &who.scope).await?;
    let (ids, names): (Vec<String>, Vec<String>) =
        book::stores_of(&state.db, &item, &who.scope).await?.into_iter().unzip();
    let stores = place_stock::of_product(&state.db, &id, &ids, BusinessDay::of(who.at)).await?;
    let stores = stores.into_iter().zip(names).map(|(stock, store_name)| StoreStock {
        store_id: stock.store_id,
        store_name,
        qty: stock.qty,
        exact: stock.exact,
        shared: stock.shared,
        counted_at: stock.last.map(|last| last.at),
    });
    let stores = stores.collect();
    let default_place = book::usual_commissary(&state.db).await?.map(|(place, place_name)| StockPlace {
        place_kind: place.kind,
        place_id: place.id,
        place_name,
    });
    Ok(Json(ProductStock { quantity: head.quantity, places, stores, default_place }))
}

/// A product's stock movements, latest first. Only accessible stores.
#[utoipa::path(get, path = "/api/products/{id}/movements", tag = "products",
    params(("id" = String, Path), MovementsQuery), responses((status = 200, body = StockMovements)))]
pub(crate) async fn list_product_movements(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<MovementsQuery>,
) -> ApiResult<Json<StockMovements>> {
    let (offset, limit) = page(&query)?;
    queries::head(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let filter = book::Filter {
        item: &book::product(&id),
        place_kind: query.place_kind,
        place_id: query.place_id.as_deref().filter(|id| !id.is_empty()),
        from: query.from,
        to: query.to,
        scope: &who.scope,
    };
    let (items, total) = book::movements(&state.db, &filter, offset, limit).await?;
    Ok(Json(StockMovements { items, total }))
}

/// Offset and limit.
fn page(query: &MovementsQuery) -> ApiResult<(i64, i64)> {
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(50));
    let mut wrong = Vec::new();
    if !(1..=1_000_000).contains(&page) {
        wrong.push(FieldError::new("page", "Pages are counted from 1."));
    }
    if !(1..=1_000).contains(&size) {
        wrong.push(FieldError::new("pageSize", "Ask for 1 to 1,000 movements a page."));
    }
    if wrong.is_empty() { Ok(((page - 1) * size, size)) } else { Err(ApiError::invalid(wrong)) }
}
