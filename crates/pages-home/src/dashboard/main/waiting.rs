//! All items of a tile, by the tile's own query.

use axum::extract::State;

use super::model::{WaitingList, WaitingQuery};
use crate::tasks;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// All open tasks of a type, as far as the caller may see them: what its tile on Home counts.
#[utoipa::path(get, path = "/api/dashboard/main/waiting", tag = "home", params(WaitingQuery),
    responses((status = 200, body = WaitingList)))]
pub(crate) async fn list_waiting(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<WaitingQuery>,
) -> ApiResult<Json<WaitingList>> {
    let kind = tasks::kind(&query.of).filter(|kind| kind.on_home);
    let kind = kind.ok_or_else(|| ApiError::field("of", "There is no tile of this name."))?;
    if !kind.open_to(&who) {
        return Err(ApiError::forbidden());
    }
    let found = tasks::list(&state, &who, kind).await?;
    Ok(Json(WaitingList { title: kind.title, words: found.words, total: found.count, items: found.items }))
}
