//! The items each store counts.

use axum::extract::State;

use super::model::{CopyVisibility, PutVisibility, StoreVisibility, StoreVisibilityRow};
use super::queries;
use larder_ledgers::store_items as book;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::{is_id, known_id};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Every accessible open store, with the number of items it counts.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/visibility", tag = "store inventory items",
    responses((status = 200, body = Vec<StoreVisibilityRow>)))]
pub(crate) async fn list_store_visibility(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<Vec<StoreVisibilityRow>>> {
    let stores = book::overview(&state.db, &who.scope).await?;
    Ok(Json(stores.into_iter().map(StoreVisibilityRow::of).collect()))
}

/// The items a store counts: its own if set, else its group's, else all.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/visibility/{storeId}", tag = "store inventory items",
    params(("storeId" = String, Path)), responses((status = 200, body = StoreVisibility)))]
pub(crate) async fn get_store_visibility(
    State(state): State<AppState>,
    Path(store): Path<String>,
) -> ApiResult<Json<StoreVisibility>> {
    known_id(&store, "store")?;
    if !queries::store_exists(&state.db, &store).await? {
        return Err(ApiError::not_found("store"));
    }
    shown(&state, store).await
}

async fn shown(state: &AppState, store: String) -> ApiResult<Json<StoreVisibility>> {
    let shown = book::visibility_of(&state.db, &store).await?;
    Ok(Json(StoreVisibility::of(store, shown)))
}

/// Set the items a store counts.
#[utoipa::path(put, path = "/api/lists/store-inventory-items/visibility/{storeId}", tag = "store inventory items",
    params(("storeId" = String, Path)), request_body = PutVisibility,
    responses((status = 200, body = StoreVisibility)))]
pub(crate) async fn put_store_visibility(
    State(state): State<AppState>,
    who: Who,
    Path(store): Path<String>,
    Json(body): Json<PutVisibility>,
) -> ApiResult<Json<StoreVisibility>> {
    known_id(&store, "store")?;
    let (chosen, revision, id) = (&body.read()?, body.revision, store.as_str());
    state
        .db
        .write(&who.actor(), async |tx| {
            if !queries::stores_exist(tx, &[id]).await? {
                return Err(ApiError::not_found("store"));
            }
            book::set_visibility(tx, &[id], chosen, revision).await
        })
        .await?;
    shown(&state, store).await
}

/// Copy the items a store counts from another store.
#[utoipa::path(post, path = "/api/lists/store-inventory-items/visibility/{storeId}/copy",
    tag = "store inventory items", params(("storeId" = String, Path)), request_body = CopyVisibility,
    responses((status = 200, body = StoreVisibility)))]
pub(crate) async fn copy_store_visibility(
    State(state): State<AppState>,
    who: Who,
    Path(store): Path<String>,
    Json(body): Json<CopyVisibility>,
) -> ApiResult<Json<StoreVisibility>> {
    known_id(&store, "store")?;
    let from = body.from_store_id.as_str();
    if from == store {
        return Err(ApiError::field("fromStoreId", "Choose another store."));
    }
    who.check_store(from)?;
    if !is_id(from) || !queries::store_exists(&state.db, from).await? {
        return Err(ApiError::field("fromStoreId", "This store does not exist; choose one from the list."));
    }
    let chosen = &book::visibility_of(&state.db, from).await?.chosen;
    let mixes = if body.mixes { book::mixes(&state.db, &[from], None).await? } else { Vec::new() };
    let (id, mixes) = (store.as_str(), &mixes);
    state
        .db
        .write(&who.actor(), async |tx| {
            if !queries::stores_exist(tx, &[id]).await? {
                return Err(ApiError::not_found("store"));
            }
            book::set_visibility(tx, &[id], chosen, None).await?;
            for mix in mixes {
                book::set_mixes(tx, &[id], &mix.row.item_id, &mix.splits, None).await?;
            }
            Ok(())
        })
        .await?;
    shown(&state, store).await
}
