//! The page that links every list.

use axum::extract::State;
use larder_domain::Action;
use serde::Serialize;
use utoipa::ToSchema;

use super::catalog;
use super::engine::{Filter, Reads, count};
use larder_platform::AppState;
use larder_platform::http::error::ApiResult;
use larder_platform::http::guard::Routes;
use larder_platform::http::json::Json;
use larder_platform::http::routes;
use larder_platform::http::session::Who;

#[derive(Debug, Serialize, ToSchema)]
struct ListEntry {
    /// The last segment of its address.
    slug: &'static str,
    label: &'static str,
    /// Number of records the caller may see.
    count: i64,
    /// The page whose permissions guard it.
    permission: &'static str,
}

pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).any_role("lists only what the caller may view", routes!(list_lists))
}

/// The lists the caller may view, with their number of records.
#[utoipa::path(get, path = "/api/lists", tag = "lists", responses((status = 200, body = Vec<ListEntry>)))]
async fn list_lists(State(state): State<AppState>, who: Who) -> ApiResult<Json<Vec<ListEntry>>> {
    let mut entries = Vec::new();
    for def in catalog::ALL.iter().copied().filter(|def| def.path.starts_with("/api/lists/")) {
        if def.reads == Reads::SignedIn || who.can(def.page, Action::View) {
            let within = Filter { scope: who.scope.clone(), ..Filter::everything(def) };
            let count = count(&state.db, def, &within).await?;
            entries.push(ListEntry { slug: def.slug(), label: def.many, count, permission: def.page });
        }
    }
    Ok(Json(entries))
}
