//! Acquirers' files and their terminals. They belong to the whole group, not to a store.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction};
use larder_domain::StoreScope;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::file::{self, SettlementMapping, Table};
use super::model::{AssignTerminal, FilesQuery, SettlementFiles};
use super::queries;
use larder_ledgers::backdating::Days;
use larder_ledgers::cash::settlements as book;
use larder_ledgers::cash::settlements::Problem;
use larder_ledgers::paid::Types;
use larder_lists::imports;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::upload::file_name;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who, scope};
use larder_platform::sheets;

/// Maximum file size.
const LIMIT: u64 = 16 << 20;
/// Maximum length of a reason, in characters.
const MOST_REASON: usize = 500;
/// Number of rows in the preview of a file.
const SHOWN: usize = 5;

/// Query parameters: file name and columns.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SettlementUpload {
    file_name: Option<String>,
    /// A `SettlementMapping` as JSON; detected from the file if omitted.
    mapping: Option<String>,
    /// Allows days beyond the backdating limit. Needs the permission and a reason.
    #[serde(default, rename = "override")]
    #[param(rename = "override")]
    overridden: bool,
    /// Reason for backdating.
    reason: Option<String>,
}

/// Preview of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementLook {
    /// Column titles.
    pub columns: Vec<String>,
    /// Its first rows.
    pub rows: Vec<Vec<String>>,
    /// Number of rows.
    pub total: usize,
    pub mapping: SettlementMapping,
}

/// Result of an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementTaken {
    pub id: String,
    /// Number of valid lines.
    pub lines: usize,
    /// Number of new lines.
    pub added: i64,
    /// Number of lines already imported with another file.
    pub known: i64,
    /// Number of lines with an unknown terminal.
    pub unmatched: usize,
    /// Number of rows left out.
    pub left_out: usize,
    /// The first 200 of them.
    pub problems: Vec<Problem>,
}

/// Imported files, newest first, and unknown terminals.
#[utoipa::path(get, path = "/api/sales/tender-report/settlements", tag = "tender report", params(FilesQuery),
    responses((status = 200, body = SettlementFiles)))]
pub(crate) async fn list_settlements(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<FilesQuery>,
) -> ApiResult<Json<SettlementFiles>> {
    of_the_group(&who)?;
    let page = (query.limit.unwrap_or(20).clamp(1, 10_000), query.offset.unwrap_or(0).clamp(0, 1_000_000));
    let (files, total) = book::files(&state.db, page).await?;
    let (unknown, unknown_total) = book::unknown(&state.db).await?;
    Ok(Json(SettlementFiles { files, total, unknown, unknown_total }))
}

/// Preview an acquirer's file: columns, first rows and a suggested mapping. Nothing is saved.
#[utoipa::path(post, path = "/api/sales/tender-report/settlements/look", tag = "tender report",
    params(SettlementUpload), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = SettlementLook)))]
pub(crate) async fn look_at_settlement(
    State(state): State<AppState>,
    who: Who,
    Query(upload): Query<SettlementUpload>,
    body: Body,
) -> ApiResult<Json<SettlementLook>> {
    of_the_group(&who)?;
    file_name(upload.file_name.as_deref())?;
    let (table, _) = read(&state, body).await?;
    Ok(Json(SettlementLook {
        mapping: table.suggest(),
        rows: table.rows.iter().take(SHOWN).map(|(_, cells)| cells.clone()).collect(),
        total: table.rows.len(),
        columns: table.headers,
    }))
}

/// Import an acquirer's file (CSV or XLSX). Lines already imported with another file change nothing. Lines
/// beyond the backdating limit or in a frozen week are left out and listed as problems.
#[utoipa::path(post, path = "/api/sales/tender-report/settlements", tag = "tender report",
    params(SettlementUpload), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = SettlementTaken)))]
pub(crate) async fn import_settlement(
    State(state): State<AppState>,
    who: Who,
    Query(upload): Query<SettlementUpload>,
    body: Body,
) -> ApiResult<(StatusCode, Json<SettlementTaken>)> {
    of_the_group(&who)?;
    let name = file_name(upload.file_name.as_deref())?;
    let (table, sha256) = read(&state, body).await?;
    let mapping = match upload.mapping.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => serde_json::from_str(text)
            .map_err(|_| ApiError::field("mapping", "Say which column is what, as JSON."))?,
        None => table.suggest(),
    };
    let wrong = file::faults(&mapping, table.headers.len());
    if !wrong.is_empty() {
        let wrong =
            wrong.into_iter().map(|(field, words)| FieldError::new(format!("mapping.{field}"), words));
        return Err(ApiError::invalid(wrong.collect()));
    }
    let types = Types::read(&state.db).await?;
    let (id, actor) = (state.new_id(), who.actor());
    let (id, name, sha256, mapping, table, types) = (&id, &name, &sha256, &mapping, &table, &types);
    let (who, overridden, reason) = (&who, upload.overridden, upload.reason.as_deref());
    if reason.is_some_and(|reason| reason.chars().count() > MOST_REASON || has_unseen_in_lines(reason)) {
        let words = format!("Enter at most {MOST_REASON} visible characters.");
        return Err(ApiError::field("reason", words));
    }
    let taken = state.db.write(&actor, async |tx| {
        let known = book::known(tx).await?;
        let days = Days::read(tx, who, super::PAGE, overridden, reason).await?;
        let (lines, left_out, problems) = file::lines(table, mapping, types, id, &known, &days);
        let (count, unmatched) = (lines.len(), lines.iter().filter(|line| line.store_id.is_none()).count());
        if count == 0 {
            let first = problems.first().map(|one| format!(" Line {}: {}", one.line, one.reason));
            let words = format!("No row of this file can be read.{}", first.unwrap_or_default());
            return Err(ApiError::unprocessable("nothingToRead", words));
        }
        let new = book::New {
            id,
            file_name: name,
            sha256,
            mapping: &json!(mapping),
            lines: &lines,
            left_out: i64::try_from(left_out).unwrap_or(i64::MAX),
            problems: &problems,
        };
        let added = book::insert(tx, new).await?;
        tx.record(Change {
            kind: "cashSettlement",
            id: id.clone(),
            store_id: None,
            action: ChangeAction::Created,
            before: None,
            after: Some(json!({
                "fileName": name, "lines": count, "added": added,
                "backdatedReason": reason.filter(|_| overridden),
            })),
        })
        .await?;
        let known = i64::try_from(count).unwrap_or(i64::MAX) - added;
        Ok(SettlementTaken { id: id.clone(), lines: count, added, known, unmatched, left_out, problems })
    });
    Ok((StatusCode::CREATED, Json(taken.await?)))
}

/// Assign a terminal to a store: applies to imported lines without a store and to later files.
#[utoipa::path(put, path = "/api/sales/tender-report/settlements/terminals", tag = "tender report",
    request_body = AssignTerminal, responses((status = 200, body = SettlementFiles)))]
pub(crate) async fn assign_settlement_terminal(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<AssignTerminal>,
) -> ApiResult<Json<SettlementFiles>> {
    of_the_group(&who)?;
    let key = book::key_of(&body.terminal);
    if key.is_empty() || body.terminal.chars().count() > 200 {
        return Err(ApiError::field("terminal", "Say which terminal."));
    }
    let (key, body, actor) = (&key, &body, who.actor());
    let assigned = state.db.write(&actor, async |tx| {
        queries::check_store(tx, &body.store_id).await?;
        let lines = book::assign(tx, (key, body.terminal.trim()), &body.store_id).await?;
        tx.record(Change {
            kind: "cashSettlement",
            id: format!("terminal:{key}"),
            store_id: None,
            action: ChangeAction::Updated,
            before: None,
            after: Some(json!({ "terminal": body.terminal, "storeId": body.store_id, "lines": lines })),
        })
        .await?;
        Ok::<_, ApiError>(())
    });
    assigned.await?;
    list_settlements(State(state), who, Query(FilesQuery::default())).await
}

/// Acquirers' files cover all stores, so they need access to all.
fn of_the_group(who: &Who) -> ApiResult<()> {
    if who.scope == StoreScope::All { Ok(()) } else { scope::check(Some(""), &who.scope) }
}

/// The uploaded file as a table, and its hash.
async fn read(state: &AppState, body: Body) -> ApiResult<(Table, String)> {
    let key = format!("settlements/{}", state.new_id());
    let stored = state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let table = imports::files::read(state, &key, None, |file, source| {
        let mut table = Table::default();
        sheets::read(file, source, None, None, &mut table)?;
        table.settle();
        Ok(table)
    })
    .await;
    state.files.delete(&key).await?;
    let table = table?;
    if table.too_many {
        return Err(ApiError::too_large(
            "This file has more than 200,000 rows. Split it and send the parts.",
        ));
    }
    if table.rows.is_empty() {
        return Err(ApiError::unprocessable("notATable", "There is no row below the names of the columns."));
    }
    Ok((table, stored.sha256))
}
