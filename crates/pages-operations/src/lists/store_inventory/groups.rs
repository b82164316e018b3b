//! Groups of stores that count the same items.

use axum::extract::State;
use axum::http::StatusCode;

use super::model::{PutVisibilityGroup, VisibilityGroup};
use larder_ledgers::store_items as book;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// All groups, by name. Stores the caller may not access are only counted.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/groups", tag = "store inventory items",
    responses((status = 200, body = Vec<VisibilityGroup>)))]
pub(crate) async fn list_visibility_groups(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<Vec<VisibilityGroup>>> {
    let groups = book::groups(&state.db).await?;
    Ok(Json(groups.into_iter().map(|group| VisibilityGroup::of(group, &who.scope)).collect()))
}

/// A group.
#[utoipa::path(get, path = "/api/lists/store-inventory-items/groups/{id}", tag = "store inventory items",
    params(("id" = String, Path)), responses((status = 200, body = VisibilityGroup)))]
pub(crate) async fn get_visibility_group(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<VisibilityGroup>> {
    Ok(Json(shown(&state, &who, known_id(&id, "group")?).await?))
}

async fn shown(state: &AppState, who: &Who, id: &str) -> ApiResult<VisibilityGroup> {
    let group = book::group(&state.db, id).await?.ok_or_else(|| ApiError::not_found("group"))?;
    Ok(VisibilityGroup::of(group, &who.scope))
}

/// Create a group.
#[utoipa::path(post, path = "/api/lists/store-inventory-items/groups", tag = "store inventory items",
    request_body = PutVisibilityGroup, responses((status = 201, body = VisibilityGroup)))]
pub(crate) async fn create_visibility_group(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<PutVisibilityGroup>,
) -> ApiResult<(StatusCode, Json<VisibilityGroup>)> {
    let (id, change, scope) = (state.new_id(), &body.read()?, &who.scope);
    let new = id.as_str();
    state.db.write(&who.actor(), async |tx| book::change_group(tx, scope, new, None, change).await).await?;
    Ok((StatusCode::CREATED, Json(shown(&state, &who, &id).await?)))
}

/// Change a group: name, items, stores. A group with stores the caller may not access cannot be changed.
#[utoipa::path(patch, path = "/api/lists/store-inventory-items/groups/{id}", tag = "store inventory items",
    params(("id" = String, Path)), request_body = PutVisibilityGroup,
    responses((status = 200, body = VisibilityGroup)))]
pub(crate) async fn update_visibility_group(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<PutVisibilityGroup>,
) -> ApiResult<Json<VisibilityGroup>> {
    let id = known_id(&id, "group")?;
    let revision = body
        .revision
        .ok_or_else(|| ApiError::field("revision", "Send the revision of the group you changed."))?;
    let (change, scope) = (&body.read()?, &who.scope);
    state
        .db
        .write(&who.actor(), async |tx| book::change_group(tx, scope, id, Some(revision), change).await)
        .await?;
    Ok(Json(shown(&state, &who, id).await?))
}

/// Delete a group. Its stores then count their own items, or all.
#[utoipa::path(delete, path = "/api/lists/store-inventory-items/groups/{id}", tag = "store inventory items",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_visibility_group(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let (id, scope) = (known_id(&id, "group")?, &who.scope);
    state.db.write(&who.actor(), async |tx| book::delete_group(tx, scope, id).await).await?;
    Ok(StatusCode::NO_CONTENT)
}
