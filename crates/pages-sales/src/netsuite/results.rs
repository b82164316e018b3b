//! NetSuite's import results.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use axum::body::Body;
use axum::extract::State;
use larder_db::{Actor, Change, ChangeAction};
use larder_domain::StoreScope;
use larder_domain::sheet::Row;
use serde_json::json;

use super::model::{NetsuiteFailure, NetsuiteResults, ResultsQuery};
use super::queries;
use larder_lists::imports;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::text::fold;
use larder_platform::http::upload::file_name;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::sheets;
use larder_platform::sheets::Visitor;

/// Maximum file size, the same as for exported files.
const LIMIT: u64 = 64 << 20;
/// Maximum number of records in a file.
const MOST: usize = 100_000;
/// Maximum length of a stored message, in characters.
const MOST_WORDS: usize = 500;
/// Maximum number of unknown External IDs returned.
const MOST_TOLD: usize = 200;
/// Maximum number of rows above the header row.
const MOST_ABOVE: usize = 20;

/// Upload NetSuite's result file (CSV or XLSX): records are marked as confirmed, or as failed with NetSuite's
/// message. Failed ones are exported again with the same External ID.
#[utoipa::path(post, path = "/api/sales/netsuite/results", tag = "netsuite", params(ResultsQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = NetsuiteResults)))]
pub(crate) async fn take_netsuite_results(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ResultsQuery>,
    body: Body,
) -> ApiResult<Json<NetsuiteResults>> {
    let name = file_name(query.file_name.as_deref())?;
    let said = read(&state, body).await?;
    Ok(Json(take(&state, &who.actor(), &who.scope, (&name, &said)).await?))
}

/// Saves NetSuite's results of accessible records.
///
/// # Errors
/// 422 if none of them was exported from here.
pub(super) async fn take(
    state: &AppState,
    actor: &Actor,
    scope: &StoreScope,
    (name, said): (&str, &Said),
) -> ApiResult<NetsuiteResults> {
    let names: Vec<String> = said.keys().cloned().collect();
    let names = &names;
    let written = state.db.write(actor, async |tx| {
        let mut known: Vec<String> = Vec::new();
        let mut withdrawn: Vec<String> = Vec::new();
        for (external, store, withdrawn_at) in queries::named(tx, names).await? {
            if scope.includes(Some(&store)) {
                if withdrawn_at.is_some() {
                    withdrawn.push(external.clone());
                }
                known.push(external);
            }
        }
        known.sort();
        withdrawn.sort();
        let mut results = NetsuiteResults {
            confirmed: 0,
            failed: Vec::new(),
            unknown: Vec::new(),
            unknown_total: names.len() - known.len(),
            withdrawn: Vec::new(),
        };
        let mut rows: Vec<(String, String, String)> = Vec::new();
        for external in &known {
            let Some(words) = said.get(external) else { continue };
            if withdrawn.binary_search(external).is_ok() {
                if words.is_none() {
                    results.withdrawn.push(external.clone());
                }
                continue;
            }
            let state = if words.is_some() { "failed" } else { "confirmed" };
            rows.push((external.clone(), state.to_owned(), words.clone().unwrap_or_default()));
            match words {
                Some(message) => results
                    .failed
                    .push(NetsuiteFailure { external_id: external.clone(), message: message.clone() }),
                None => results.confirmed += 1,
            }
        }
        results.unknown =
            names.iter().filter(|name| known.binary_search(name).is_err()).take(MOST_TOLD).cloned().collect();
        if known.is_empty() {
            let words =
                "None of these External IDs was exported from here. Choose the file with NetSuite's results.";
            return Err(ApiError::unprocessable("nothingKnown", words));
        }
        queries::answer(tx, rows).await?;
        tx.record(Change {
            kind: "netsuiteExport",
            id: format!("results:{name}"),
            store_id: None,
            action: ChangeAction::Updated,
            before: None,
            after: Some(
                json!({ "fileName": name, "confirmed": results.confirmed, "failed": results.failed.len() }),
            ),
        })
        .await?;
        Ok(results)
    });
    written.await
}

/// Result by External ID: `None` on success, else the error message.
pub(super) type Said = BTreeMap<String, Option<String>>;

async fn read(state: &AppState, body: Body) -> ApiResult<Said> {
    let key = format!("netsuite/results/{}", state.new_id());
    state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let read = imports::files::read(state, &key, None, |file, source| {
        let mut results = Results::default();
        sheets::read(file, source, None, None, &mut results)?;
        Ok(results)
    });
    let read = read.await;
    state.files.delete(&key).await?;
    let results = read?;
    if results.columns.is_none() {
        let words = "The file has no column «External ID». Choose the file with NetSuite's results.";
        return Err(ApiError::unprocessable("noExternalId", words));
    }
    if results.too_many {
        return Err(ApiError::too_large(
            "This file has more than 100,000 records. Split it and send the parts.",
        ));
    }
    Ok(results.said)
}

/// Indexes of the columns.
#[derive(Debug, Clone, Copy)]
struct Columns {
    external: usize,
    status: Option<usize>,
    message: Option<usize>,
}

#[derive(Default)]
struct Results {
    columns: Option<Columns>,
    above: usize,
    said: Said,
    too_many: bool,
}

fn columns_of(cells: &[String]) -> Option<Columns> {
    let plain = |cell: &String| fold(cell).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let names: Vec<String> = cells.iter().map(plain).collect();
    let find = |known: &[&str]| known.iter().find_map(|word| names.iter().position(|name| name == word));
    Some(Columns {
        external: find(&["externalid", "externalidentifier"])?,
        status: find(&["status", "result", "importstatus"]),
        message: find(&["errormessage", "error", "errors", "errordetails", "message", "reason", "details"]),
    })
}

const GOOD: &[&str] = &[
    "",
    "success",
    "successful",
    "ok",
    "imported",
    "complete",
    "completed",
    "confirmed",
    "added",
    "updated",
    "created",
];

impl Visitor for Results {
    fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
        let cell = |at: usize| String::from_utf8_lossy(row.cell(at).text).trim().to_owned();
        let Some(columns) = self.columns else {
            let cells: Vec<String> = (0..row.width()).map(cell).collect();
            self.columns = columns_of(&cells);
            self.above += 1;
            let stop = self.columns.is_none() && self.above > MOST_ABOVE;
            return if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        };
        // A spreadsheet may have prefixed an apostrophe.
        let external = cell(columns.external).trim_start_matches('\'').to_owned();
        if external.is_empty() {
            return ControlFlow::Continue(());
        }
        let status = columns.status.map(cell).unwrap_or_default();
        let message: String =
            columns.message.map(cell).unwrap_or_default().chars().take(MOST_WORDS).collect();
        let good = GOOD.contains(&fold(&status).as_str());
        let failed = match (columns.status.is_some() && !status.is_empty(), good) {
            (true, true) => false,
            (true, false) => true,
            (false, _) => !message.is_empty(),
        };
        let words = match (failed, message.is_empty()) {
            (false, _) => None,
            (true, false) => Some(message),
            (true, true) => Some(status),
        };
        if self.said.len() >= MOST && !self.said.contains_key(&external) {
            self.too_many = true;
            return ControlFlow::Break(());
        }
        // A record fails if any of its lines does.
        let one = self.said.entry(external).or_default();
        if one.is_none() {
            *one = words;
        }
        ControlFlow::Continue(())
    }
}
