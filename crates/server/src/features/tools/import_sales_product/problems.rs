//! What is wrong with the rows of a file.

use axum::extract::State;
use axum::response::Response;
use futures::stream;
use larder_domain::sales::Field;
use serde::Deserialize;
use utoipa::IntoParams;

use super::batches::find;
use super::model::{Batch, PageQuery, Problems};
use super::queries;
use crate::AppState;
use crate::http::export::{self, Cell, Column, Format};
use crate::http::json::{Path, Query};
use crate::http::{ApiResult, Json, Who};

/// Rows that are no sales lines, and what to do about each.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}/problems", tag = "import sales",
    params(("id" = String, Path), PageQuery), responses((status = 200, body = Problems)))]
pub(crate) async fn list_sales_problems(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Problems>> {
    find(&state, &who, &id).await?;
    let (limit, offset) = query.limits();
    let (items, total) = queries::findings::problems(&state.db, &id, limit, offset).await?;
    Ok(Json(Problems { items, total }))
}

/// csv or xlsx.
#[derive(Debug, Deserialize, IntoParams)]
pub struct FormatQuery {
    /// csv (default) or xlsx.
    pub format: Option<String>,
}

/// The same as a file.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}/problems/export", tag = "import sales",
    params(("id" = String, Path), FormatQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_sales_problems(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<FormatQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let batch = find(&state, &who, &id).await?;
    let called = |field: Option<String>| called_in_file(&batch, field.as_deref()).unwrap_or_default();
    let (items, _) = queries::findings::problems(&state.db, &id, super::jobs::validate::KEPT, 0).await?;
    let columns = vec![
        Column::new("Row", 8),
        Column::new("Column", 16),
        Column::new("Value", 30),
        Column::new("Code", 16),
        Column::new("What to do", 60),
    ];
    let rows = items.into_iter().map(|p| {
        let text = |value: String| Cell::Text(value);
        Ok(vec![Cell::Int(p.row), text(called(p.column)), text(p.value), text(p.code), text(p.message)])
    });
    export::respond(format, "sales-problems", columns, stream::iter(rows.collect::<Vec<_>>())).await
}

/// What the file calls the column of a field; where it has no names, its place.
fn called_in_file(batch: &Batch, field: Option<&str>) -> Option<String> {
    let field: Field = serde_json::from_value(field?.into()).ok()?;
    let mapping = &batch.mapping.as_ref()?.0;
    let Some(at) = mapping.column(field) else { return Some(field.label().to_owned()) };
    let column = batch.layout.as_ref()?.0.columns.iter().find(|column| column.index == at)?;
    let named = mapping.has_header && !column.header.is_empty();
    Some(if named { column.header.clone() } else { format!("Column {}", at + 1) })
}
