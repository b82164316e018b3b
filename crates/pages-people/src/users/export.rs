//! The filtered users as a file.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use larder_domain::BusinessDay;

use super::queries;
use super::question::UserQuery;
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Who};
use larder_platform::people::users;
use larder_platform::people::users::UserRow;
use larder_platform::people::visible_people::VisiblePeople;

/// The filtered users as CSV or XLSX. The first columns are those of the import.
#[utoipa::path(get, path = "/api/users/export", tag = "users", params(UserQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_users(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UserQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let mut filter = query.filter()?;
    filter.offset = 0;
    filter.limit = i64::try_from(export::MAX_ROWS).unwrap_or(i64::MAX);
    let (rows, total) = users::list(&state.db, &VisiblePeople::of(&state.db, &who).await?, &filter).await?;
    export::check_rows(total)?;
    let stores: HashMap<String, String> = queries::stores(&state.db)
        .await?
        .into_iter()
        .map(|(id, code, name)| (id, code.filter(|code| !code.is_empty()).unwrap_or(name)))
        .collect();
    let name = format!("users-{}", BusinessDay::of(state.now()));
    let cells: Vec<_> = rows.into_iter().map(|row| Ok(cells(row, &stores))).collect();
    export::respond(format, &name, columns(), futures::stream::iter(cells)).await
}

fn columns() -> Vec<Column> {
    let columns = [
        ("Email", 32),
        ("Name", 28),
        ("Role", 20),
        ("Stores", 32),
        ("Status", 10),
        ("Billable", 8),
        ("Super admin", 8),
        ("Second factor", 8),
        ("Last sign-in (UTC+8)", 20),
        ("Custom fields", 20),
        ("Created at (UTC+8)", 20),
        ("Updated at (UTC+8)", 20),
        ("Id", 18),
    ];
    columns.into_iter().map(|(title, width)| Column::new(title, width)).collect()
}

fn cells(row: UserRow, stores: &HashMap<String, String>) -> Vec<Cell> {
    let text = |text: String| if text.is_empty() { Cell::Empty } else { Cell::Text(text) };
    let reach = match &row.store_ids {
        None => super::sheet::ALL_STORES.to_owned(),
        Some(ids) if ids.0.is_empty() => super::sheet::NO_STORES.to_owned(),
        Some(ids) => {
            let codes: Vec<&str> = ids.0.iter().map(|id| stores.get(id).unwrap_or(id).as_str()).collect();
            codes.join("; ")
        }
    };
    let custom =
        if row.extra.0.is_empty() { String::new() } else { serde_json::json!(row.extra.0).to_string() };
    vec![
        text(row.email),
        text(row.name),
        text(row.role_name.unwrap_or_default()),
        text(reach),
        text(row.status),
        Cell::Bool(row.billable),
        Cell::Bool(row.super_admin),
        Cell::Bool(row.totp),
        row.last_sign_in_at.map_or(Cell::Empty, Cell::Time),
        text(custom),
        Cell::Time(row.created_at),
        Cell::Time(row.updated_at),
        text(row.id),
    ]
}
