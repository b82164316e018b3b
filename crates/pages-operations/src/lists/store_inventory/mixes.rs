//! How items are split over recipes, by store.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::mix::Split;

use super::model::{ItemMix, ItemMixes, MixesQuery, PutMix, SetMixes, read_splits};
use super::queries;
use larder_ledgers::store_items as book;
use larder_ledgers::store_items::MixOf;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::{is_id, known_id};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The mixes of a store, or of an item in all accessible stores.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/mixes", tag = "store inventory items",
    params(MixesQuery), responses((status = 200, body = ItemMixes)))]
pub(crate) async fn list_mixes(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<MixesQuery>,
) -> ApiResult<Json<ItemMixes>> {
    let item = query.item_id.as_deref().filter(|id| !id.is_empty());
    let stores = match query.store_id.filter(|id| !id.is_empty()) {
        Some(store) => {
            who.check_store(&store)?;
            vec![known_id(&store, "store")?.to_owned()]
        }
        None if item.is_some() => queries::stores_within(&state.db, &who.scope).await?,
        None => return Err(ApiError::field("storeId", "Choose a store.")),
    };
    let items: Vec<ItemMix> =
        book::mixes(&state.db, &stores, item).await?.into_iter().map(ItemMix::of).collect();
    Ok(Json(ItemMixes { total: items.len(), items }))
}

/// Whether the text is a valid mix id.
fn known_mix(id: &str) -> ApiResult<&str> {
    if id.len() > 201 || !id.split('_').all(is_id) { Err(ApiError::not_found("mix")) } else { Ok(id) }
}

async fn shown(state: &AppState, of: MixOf) -> ApiResult<ItemMix> {
    let MixOf { store_id: store, item_id: item } = of;
    let found = book::mixes(&state.db, &[&store], Some(&item)).await?.pop();
    Ok(found.map_or_else(|| ItemMix::none(store, item), ItemMix::of))
}

/// How an item is split in a store: `storeId_itemId`.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/mixes/{id}", tag = "store inventory items",
    params(("id" = String, Path)), responses((status = 200, body = ItemMix)))]
pub(crate) async fn get_mix(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ItemMix>> {
    let of = book::read_mix_named(&state.db, &who.scope, known_mix(&id)?).await?;
    Ok(Json(shown(&state, of).await?))
}

/// Split an item over recipes in a store. The shares need not add up to 100 percent; the rest is not
/// assigned.
#[utoipa::path(put, path = "/api/lists/store-inventory-items/mixes/{id}", tag = "store inventory items",
    params(("id" = String, Path)), request_body = PutMix, responses((status = 200, body = ItemMix)))]
pub(crate) async fn put_mix(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<PutMix>,
) -> ApiResult<Json<ItemMix>> {
    let of = write(&state, &who, known_mix(&id)?, &read_splits(&body.splits)?, body.revision).await?;
    Ok(Json(shown(&state, of).await?))
}

async fn write(
    state: &AppState,
    who: &Who,
    id: &str,
    splits: &[Split],
    revision: Option<i64>,
) -> ApiResult<MixOf> {
    let actor = who.actor();
    let written = state.db.write(&actor, async |tx| {
        let of = book::mix_named_in(tx, &who.scope, id).await?;
        book::set_mixes(tx, &[&of.store_id], &of.item_id, splits, revision).await?;
        Ok(of)
    });
    written.await
}

/// Remove an item's split in a store.
#[utoipa::path(delete, path = "/api/lists/store-inventory-items/mixes/{id}", tag = "store inventory items",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_mix(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    write(&state, &who, known_mix(&id)?, &[], None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set the same split of an item in many stores.
#[utoipa::path(post, path = "/api/lists/store-inventory-items/mixes/bulk", tag = "store inventory items",
    request_body = SetMixes, responses((status = 200, body = ItemMixes)))]
pub(crate) async fn set_mixes(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<SetMixes>,
) -> ApiResult<Json<ItemMixes>> {
    let stores = body.stores()?;
    for store in &stores {
        who.check_store(store)?;
    }
    let splits = &read_splits(&body.splits)?;
    let (ids, item): (Vec<&str>, _) = (stores.iter().map(String::as_str).collect(), body.item_id.as_str());
    if !is_id(item) {
        return Err(ApiError::field("itemId", "This item does not exist; choose one from the list."));
    }
    let all = &ids;
    state
        .db
        .write(&who.actor(), async |tx| {
            if !queries::stores_exist(tx, all).await? {
                let words = "One of these stores does not exist; choose stores from the list.";
                return Err(ApiError::field("storeIds", words));
            }
            book::set_mixes(tx, all, item, splits, None).await
        })
        .await?;
    let items: Vec<ItemMix> =
        book::mixes(&state.db, &ids, Some(item)).await?.into_iter().map(ItemMix::of).collect();
    Ok(Json(ItemMixes { total: items.len(), items }))
}
