//! Names of referenced records, so that no screen shows bare ids.

use axum::extract::State;

use larder_lists::catalog;
use larder_lists::engine::{Name, names};
use larder_platform::AppState;
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::guard::Routes;
use larder_platform::http::json::{Json, Path};
use larder_platform::http::routes;
use larder_platform::people::roles;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).any_role("Id, name and code of records other screens refer to.", routes!(list_names))
}

/// Id, name and code of every record of a list (its slug, `stores` or `roles`), including hidden ones.
#[utoipa::path(
    get, path = "/api/names/{kind}", tag = "lists",
    params(("kind" = String, Path, description = "A list's slug, stores or roles.")),
    responses((status = 200, body = Vec<Name>))
)]
async fn list_names(State(state): State<AppState>, Path(kind): Path<String>) -> ApiResult<Json<Vec<Name>>> {
    if kind == "roles" {
        let roles = roles::list(&state.db).await?;
        return Ok(Json(
            roles
                .into_iter()
                .map(|role| Name {
                    id: role.id,
                    name: role.name,
                    code: None,
                    inactive: false,
                    whole_only: None,
                })
                .collect(),
        ));
    }
    let def = catalog::by_slug(&kind).ok_or_else(|| ApiError::not_found("list"))?;
    Ok(Json(names(&state.db, def).await?))
}
