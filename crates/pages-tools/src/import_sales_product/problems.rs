//! Errors in the rows of a file, and rows that are left out.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use larder_domain::sales::Field;
use serde::Deserialize;
use utoipa::IntoParams;

use super::import::SalesImport;
use super::layout::told_apart;
use super::model::{Batch, LeftOutQuery, LeftOutRows, PageQuery, Problems, RowProblem};
use super::queries;
use larder_lists::imports::batches::find;
use larder_lists::imports::export::pages;
use larder_lists::imports::limits;
use larder_platform::AppState;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};

/// Rows that could not be read as sales lines, and how to fix each.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}/problems", tag = "import sales",
    params(("id" = String, Path), PageQuery), responses((status = 200, body = Problems)))]
pub(crate) async fn list_sales_problems(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Problems>> {
    find::<SalesImport>(&state, &who, &id).await?;
    let (limit, offset) = query.limits();
    let (items, total) = queries::findings::problems(&state.db, &id, limit, offset).await?;
    Ok(Json(Problems { items, total }))
}

/// Rows that are not posted, or not as they are written, and why. The quantities and amounts left out of all rows and those
/// posted come to what is in the file.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}/left-out", tag = "import sales",
    params(("id" = String, Path), LeftOutQuery), responses((status = 200, body = LeftOutRows)))]
pub(crate) async fn list_sales_left_out(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<LeftOutQuery>,
) -> ApiResult<Json<LeftOutRows>> {
    find::<SalesImport>(&state, &who, &id).await?;
    let (limit, offset) = limits(query.page, query.page_size);
    let (items, total) =
        queries::findings::left_out(&state.db, &id, query.reason.as_deref(), limit, offset).await?;
    Ok(Json(LeftOutRows { items, total }))
}

/// Number of errors an export reads at once.
const AT_ONCE: i64 = 1_000;

/// Query parameters: file format.
#[derive(Debug, Deserialize, IntoParams)]
pub struct FormatQuery {
    /// `csv` (default) or `xlsx`.
    pub format: Option<String>,
}

/// The errors as a file.
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
    let batch = find::<SalesImport>(&state, &who, &id).await?;
    let columns = vec![
        Column::new("Row", 8),
        Column::new("Column", 16),
        Column::new("Value", 30),
        Column::new("Code", 16),
        Column::new("What to do", 60),
    ];
    let (db, batch) = (state.db.clone(), Arc::new(batch));
    pages(format, "sales-problems", columns, move |after| {
        let (db, batch) = (db.clone(), batch.clone());
        async move {
            let (items, _) = queries::findings::problems(&db, &batch.id, AT_ONCE, after).await?;
            let next = (!items.is_empty()).then_some(after + AT_ONCE);
            Ok((items.into_iter().map(|problem| cells(&batch, problem)).collect(), next))
        }
    })
    .await
}

fn cells(batch: &Batch, problem: RowProblem) -> Vec<Cell> {
    let RowProblem { row, column, value, code, message } = problem;
    let called = called_in_file(batch, column.as_deref()).unwrap_or_default();
    vec![Cell::Int(row), Cell::Text(called), Cell::Text(value), Cell::Text(code), Cell::Text(message)]
}

/// The file's title of a field's column, or its position without titles.
fn called_in_file(batch: &Batch, field: Option<&str>) -> Option<String> {
    let field: Field = serde_json::from_value(field?.into()).ok()?;
    let mapping = &batch.mapping.as_ref()?.0;
    let Some(at) = mapping.column(field) else { return Some(field.label().to_owned()) };
    let columns = &batch.layout.as_ref()?.0.columns;
    let titles: Vec<String> = columns.iter().map(|column| column.header.clone()).collect();
    let named = mapping.has_header && titles.get(at).is_some_and(|title| !title.is_empty());
    Some(if named { told_apart(&titles, at) } else { format!("Column {}", at + 1) })
}
