//! Lists that can be imported, and their templates.

use axum::extract::State;
use axum::response::Response;
use futures::stream;
use larder_domain::Action;

use super::fields::{self, Destination};
use super::model::{FormatQuery, ImportList};
use larder_lists::catalog;
use larder_lists::engine::ListDef;
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Column, Format};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The lists you may import into, and the fields their columns can map to.
#[utoipa::path(get, path = "/api/tools/import-data/lists", tag = "import data",
    responses((status = 200, body = Vec<ImportList>)))]
pub(crate) async fn list_import_lists(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<Vec<ImportList>>> {
    let mut lists = Vec::new();
    for def in catalog::ALL.iter().copied().filter(|def| may(&who, def)) {
        let targets = fields::targets(&state.db, def).await?;
        lists.push(ImportList {
            slug: fields::slug(def),
            label: def.many,
            one: def.one,
            fields: targets.iter().map(fields::Target::on_wire).collect(),
            can_create: true,
            can_edit: true,
        });
    }
    Ok(Json(lists))
}

/// An empty file with a column for every field.
#[utoipa::path(get, path = "/api/tools/import-data/lists/{slug}/template", tag = "import data",
    params(("slug" = String, Path), FormatQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn get_import_template(
    State(state): State<AppState>,
    who: Who,
    Path(slug): Path<String>,
    Query(query): Query<FormatQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let def = list(&who, &slug)?;
    let targets = fields::targets(&state.db, def).await?;
    // Fields with a simpler alternative are left out, but accepted.
    let shown = targets.iter().filter(|t| {
        !matches!(
            t.destination,
            Destination::Id | Destination::Path | Destination::Not(_) | Destination::Custom
        )
    });
    let columns = shown.map(|target| Column::new(&target.label, 18)).collect();
    export::respond(format, &format!("{}-template", fields::slug(def)), columns, stream::iter([])).await
}

/// Whether the user may import into a list: needs the permission to create and edit its records.
pub fn may(who: &Who, def: &ListDef) -> bool {
    who.can(def.page, Action::Create) && who.can(def.page, Action::Edit)
}

/// A list by slug, if the user may import into it.
pub fn list(who: &Who, slug: &str) -> ApiResult<&'static ListDef> {
    let def = catalog::by_slug(slug).ok_or_else(|| ApiError::not_found("list"))?;
    if may(who, def) {
        Ok(def)
    } else {
        Err(ApiError::may_not(format!("You may not import {}.", def.many.to_lowercase())))
    }
}
