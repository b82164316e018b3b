//! The rows of a file, and failed ones as a file to correct.

use axum::extract::State;
use axum::response::Response;

use super::import::DataImport;
use super::model::{FormatQuery, ImportRows, PageQuery};
use super::queries::{self, rows::FailedRow};
use larder_lists::imports::batches::find;
use larder_lists::imports::export::pages;
use larder_platform::AppState;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};

/// The rows of a checked file, in file order.
#[utoipa::path(get, path = "/api/tools/import-data/batches/{id}/rows", tag = "import data",
    params(("id" = String, Path), PageQuery), responses((status = 200, body = ImportRows)))]
pub(crate) async fn list_import_rows(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<ImportRows>> {
    find::<DataImport>(&state, &who, &id).await?;
    let (limit, offset) = query.limits();
    let (items, total) = queries::rows::page(&state.db, &id, query.outcome, limit, offset).await?;
    Ok(Json(ImportRows { items, total }))
}

/// Number of rows read at once.
const AT_ONCE: i64 = 1_000;
/// Title of the error column; a corrected file may keep it.
const WRONG: &str = "What is wrong";

/// The failed rows as uploaded, with their errors, to be corrected and uploaded again.
#[utoipa::path(get, path = "/api/tools/import-data/batches/{id}/errors", tag = "import data",
    params(("id" = String, Path), FormatQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_import_errors(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<FormatQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let batch = find::<DataImport>(&state, &who, &id).await?;
    let headers: Vec<String> = batch.layout.columns.iter().map(|column| column.header.clone()).collect();
    let mut columns: Vec<Column> = headers.iter().map(|header| Column::new(header, 18)).collect();
    columns.push(Column::new(WRONG, 60));
    let (db, width, name) = (state.db.clone(), headers.len(), format!("{}-errors", batch.list));
    pages(format, &name, columns, move |after| {
        let (db, id) = (db.clone(), id.clone());
        async move {
            let failed = queries::rows::failed(&db, &id, after, AT_ONCE).await?;
            let next = failed.last().map(|last| last.row_no);
            Ok((failed.into_iter().map(|row| cells(row, width)).collect(), next))
        }
    })
    .await
}

/// A row as uploaded, and its errors.
fn cells(row: FailedRow, width: usize) -> Vec<Cell> {
    let mut cells = row.cells.map(|cells| cells.0).unwrap_or_default();
    cells.resize(width, String::new());
    let mut cells: Vec<Cell> = cells.into_iter().map(text).collect();
    let words: Vec<String> = row.problems.iter().map(|p| sentence(&p.field, &p.message)).collect();
    cells.push(Cell::Text(words.join(" ")));
    cells
}

fn text(cell: String) -> Cell {
    if cell.is_empty() { Cell::Empty } else { Cell::Text(cell) }
}

fn sentence(field: &str, message: &str) -> String {
    if field.is_empty() { message.to_owned() } else { format!("{field}: {message}") }
}
