//! Export files within NetSuite's limits.

use std::collections::BTreeSet;
use std::io::Cursor;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_db::{Actor, Change, ChangeAction, Json as Kept, Tx};
use larder_domain::netsuite::{Layout, MOST_BYTES, MOST_RECORDS, split};
use larder_domain::{BusinessDay, Span, StoreScope};
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::days::{self, Day};
use super::list::MOST_DAYS;
use super::model::{ExportNetsuite, ExportsQuery, FileQuery, NetsuiteExport, NetsuiteExports, NetsuiteFile};
use super::queries::{self, Export, Record};
use super::sent::{self, DayRecords};
use super::{mapping, rows};
use larder_engines::reports::ReportQuery;
use larder_ledgers::completeness::Completeness;
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::export::{Cell, csv_line};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::upload::attachment;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The code of an export whose days changed meanwhile.
const CHANGED: &str = "exported";

/// Export the days that are ready. A day exported before keeps its External ID; one exported in another layout is
/// left out until that record is withdrawn.
#[utoipa::path(post, path = "/api/sales/netsuite/export", tag = "netsuite", request_body = ExportNetsuite,
    responses((status = 201, body = NetsuiteExport)))]
pub(crate) async fn export_netsuite(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<ExportNetsuite>,
) -> ApiResult<(StatusCode, Json<NetsuiteExport>)> {
    let range = ReportQuery {
        from: Some(body.from.clone()),
        to: Some(body.to.clone()),
        store_ids: Some(body.store_ids.join(",")),
        area_ids: None,
    };
    let question = range.check(&state, &who).await?;
    question.at_most(MOST_DAYS)?;
    let (stores, span) = (question.stores.as_deref(), question.span);
    let made = export(&state, &who.actor(), (body.layout, stores, span), &body).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// All files of an export as a ZIP archive.
#[utoipa::path(get, path = "/api/sales/netsuite/exports/{id}/zip", tag = "netsuite",
    params(("id" = String, Path)), responses((status = 200, content_type = "application/zip", body = Vec<u8>)))]
pub(crate) async fn get_netsuite_zip(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    let found = authorized_export(&state, &who, &id).await?;
    let mut parts = Vec::new();
    for (at, file) in found.files.iter().enumerate() {
        parts.push((file.name.clone(), state.files.local_copy(&key(&id, at + 1)).await?));
    }
    let zipped = tokio::task::spawn_blocking(move || zipped(parts)).await.map_err(ApiError::internal)?;
    let name = format!("netsuite-{}-{}.zip", found.first_day, found.last_day);
    Ok(download(Body::from(zipped.map_err(ApiError::internal)?), "application/zip", &name))
}

/// Compresses to about a tenth, so that a year of all stores fits into memory.
fn zipped(parts: Vec<(String, std::fs::File)>) -> anyhow::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mut file) in parts {
        zip.start_file(name, SimpleFileOptions::default())?;
        std::io::copy(&mut file, &mut zip)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// An export whose stores the caller may access.
async fn authorized_export(state: &AppState, who: &Who, id: &str) -> ApiResult<Export> {
    let found = queries::export(&state.db, known_id(id, "export")?).await?;
    let found = found.ok_or_else(|| ApiError::not_found("export"))?;
    if within(&found.stores, &who.scope) { Ok(found) } else { Err(ApiError::out_of_scope()) }
}

fn download(body: Body, kind: &'static str, name: &str) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, attachment(name));
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}

/// Exports the days that are ready.
///
/// # Errors
/// 422 if there are none, 409 if another request exported or withdrew one of them meanwhile.
pub(super) async fn export(
    state: &AppState,
    actor: &Actor,
    (layout, stores, span): (Layout, Option<&[String]>, Span),
    body: &ExportNetsuite,
) -> ApiResult<NetsuiteExport> {
    let chosen: Option<BTreeSet<(String, String)>> = body
        .days
        .as_ref()
        .map(|days| days.iter().map(|one| (one.store_id.clone(), one.date.clone())).collect());
    let today = BusinessDay::of(actor.at);
    let found = days::of(&state.db, layout, stores, span, today).await?;
    let wished = |day: &Day| {
        chosen.as_ref().is_none_or(|days| days.contains(&(day.store.id.clone(), day.date.to_string())))
    };
    let goes = |day: &Day| {
        let anew = day.state() == "ready" || day.state() == "failed" || day.changed() || body.again;
        day.reasons.is_empty() && day.made.is_some() && anew
    };
    let (go, left): (Vec<Day>, Vec<Day>) = found.into_iter().filter(wished).partition(goes);
    if go.is_empty() {
        let words = left.iter().flat_map(|day| &day.reasons).next().map_or_else(
            || "Nothing is left to export: all of it went already.".to_owned(),
            |reason| format!("Nothing can be exported. {reason}"),
        );
        return Err(ApiError::unprocessable("nothingToExport", words));
    }
    let (files, texts) = write(state, layout, span, &go).await?;
    let id = state.new_id();
    for (at, text) in texts.into_iter().enumerate() {
        state.files.put(&key(&id, at + 1), text.into()).await?;
    }
    let stores: BTreeSet<String> = go.iter().map(|day| day.store.id.clone()).collect();
    let made = Export {
        id,
        layout: layout.as_str().to_owned(),
        first_day: span.from,
        last_day: span.to,
        stores: Kept(stores.into_iter().collect()),
        records: i64::try_from(go.len()).unwrap_or(i64::MAX),
        files: Kept(files),
        created_at: actor.at,
        created_by: Kept(Editor::from(actor)),
    };
    if let Err(error) = keep(state, actor, &made, &go).await {
        // After any other error the export may have been saved nevertheless.
        if error.code == CHANGED {
            for number in 1..=made.files.len() {
                state.files.delete(&key(&made.id, number)).await?;
            }
        }
        return Err(error);
    }
    let mut answer = wire(made);
    // Days already exported and unchanged were not requested again.
    answer.left = left.iter().filter(|day| !day.reasons.is_empty()).map(Day::wire).collect();
    Ok(answer)
}

/// Names, sizes and contents of the files.
async fn write(
    state: &AppState,
    layout: Layout,
    span: Span,
    go: &[Day],
) -> ApiResult<(Vec<NetsuiteFile>, Vec<String>)> {
    let mapping = mapping::of(&state.db, layout).await?;
    let head = csv_line(mapping.columns.iter().map(|column| Cell::Text(column.title.clone())).collect());
    let records: Vec<(String, usize)> = go
        .iter()
        .filter_map(|day| day.made.as_ref().map(|made| rows::of(day, made, &mapping)))
        .map(|rows| (rows.len(), rows.into_iter().map(csv_line).collect::<String>()))
        .map(|(rows, text)| (text, rows))
        .collect();
    let sizes: Vec<usize> = records.iter().map(|(text, _)| text.len()).collect();
    let parts = split(&sizes, head.len(), MOST_RECORDS, MOST_BYTES);
    let name = match layout {
        Layout::CashSale => "cash-sale",
        Layout::Invoice => "invoice",
        Layout::JournalEntry => "journal-entry",
    };
    let (mut files, mut texts) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let number = if parts.len() > 1 { format!("-{}", at + 1) } else { String::new() };
        let mut text = head.clone();
        records[part.clone()].iter().for_each(|(record, _)| text.push_str(record));
        files.push(NetsuiteFile {
            name: format!("netsuite-{name}-{}-{}{number}.csv", span.from, span.to),
            records: part.len(),
            rows: records[part.clone()].iter().map(|(_, rows)| rows).sum(),
            bytes: text.len(),
        });
        texts.push(text);
    }
    Ok((files, texts))
}

async fn keep(state: &AppState, actor: &Actor, made: &Export, go: &[Day]) -> ApiResult<()> {
    let record = |day: &Day| {
        let (made_of, name) = (day.made.as_ref()?, day.external_id.clone()?);
        Some(Record {
            layout: made.layout.clone(),
            store_id: day.store.id.clone(),
            business_date: day.date,
            external_id: name,
            state: "exported".to_owned(),
            message: String::new(),
            export_id: made.id.clone(),
            total: made_of.net,
            digest: made_of.digest.clone(),
            exported_at: actor.at,
            live_key: queries::live_key(&day.store.id, day.date),
        })
    };
    let records: Vec<Record> = go.iter().filter_map(record).collect();
    let records = &records;
    let written = state.db.write(actor, async |tx| {
        refuse_changed(tx, made, go).await?;
        queries::insert_export(tx, made).await?;
        queries::send(tx, records).await?;
        tx.record(Change {
            kind: "netsuiteExport",
            id: made.id.clone(),
            store_id: None,
            action: ChangeAction::Created,
            before: None,
            after: Some(json!({ "layout": made.layout, "from": made.first_day, "to": made.last_day, "records": made.records })),
        })
        .await?;
        Ok::<_, ApiError>(())
    });
    written.await
}

/// Refuses days whose records or readings changed since they were read: an export at the same time must not send them
/// twice, nor may a day go out that is not complete any more.
async fn refuse_changed(tx: &mut Tx<'_>, made: &Export, go: &[Day]) -> ApiResult<()> {
    let span = Span { from: made.first_day, to: made.last_day };
    let mut now = sent::by_day(queries::sent_in(tx, &made.stores, span).await?);
    let today = BusinessDay::of(tx.actor().at);
    let until = Span { to: span.to.min(today), ..span };
    let known = Completeness::read_in(tx, &made.stores, until, today).await?;
    for day in go {
        let records: DayRecords = now.remove(&(day.store.id.clone(), day.date)).unwrap_or_default();
        let of_day = known.day(&day.store.id, day.date);
        let what = match () {
            () if records != day.records => "was exported, withdrawn or answered by NetSuite",
            () if !of_day.is_complete() || of_day.verified() != day.readings => "had its readings changed",
            () => continue,
        };
        let (store, date) = (&day.store.name, day.date.display());
        let words = format!("{store}, {date} {what} meanwhile, so nothing was exported. Try again.");
        return Err(ApiError::conflict(CHANGED, words));
    }
    Ok(())
}

fn key(id: &str, number: usize) -> String {
    format!("netsuite/{id}/{number}.csv")
}

fn wire(one: Export) -> NetsuiteExport {
    NetsuiteExport {
        id: one.id,
        layout: Layout::parse(&one.layout).unwrap_or_default(),
        from: one.first_day,
        to: one.last_day,
        records: one.records,
        files: one.files.0,
        created_at: one.created_at,
        created_by: one.created_by.0,
        left: Vec::new(),
    }
}

/// Whether all stores of an export are accessible.
fn within(stores: &[String], scope: &StoreScope) -> bool {
    stores.iter().all(|store| scope.includes(Some(store)))
}

/// The exports of accessible stores, newest first.
#[utoipa::path(get, path = "/api/sales/netsuite/exports", tag = "netsuite", params(ExportsQuery),
    responses((status = 200, body = NetsuiteExports)))]
pub(crate) async fn list_netsuite_exports(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ExportsQuery>,
) -> ApiResult<Json<NetsuiteExports>> {
    let (limit, offset) = (query.limit.unwrap_or(20).clamp(1, 10_000), query.offset.unwrap_or(0).max(0));
    let (found, total) = if who.scope == StoreScope::All {
        queries::exports(&state.db, (limit, offset)).await?
    } else {
        let mut ids = Vec::new();
        for (id, stores) in queries::export_stores(&state.db).await? {
            if within(&stores, &who.scope) {
                ids.push(id);
            }
        }
        let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        let at = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let page: Vec<String> = ids.into_iter().skip(at(offset)).take(at(limit)).collect();
        (queries::exports_of(&state.db, &page).await?, total)
    };
    Ok(Json(NetsuiteExports { items: found.into_iter().map(wire).collect(), total }))
}

/// A file of an export.
#[utoipa::path(get, path = "/api/sales/netsuite/exports/{id}/file", tag = "netsuite",
    params(("id" = String, Path), FileQuery), responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn get_netsuite_file(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<FileQuery>,
) -> ApiResult<Response> {
    let number = query.number.unwrap_or(1);
    let found = authorized_export(&state, &who, &id).await?;
    let at = number.checked_sub(1).and_then(|at| found.files.get(at));
    let file = at.ok_or_else(|| ApiError::not_found("file"))?;
    let body = Body::from_stream(state.files.open(&key(&id, number)).await?);
    Ok(download(body, "text/csv; charset=utf-8", &file.name))
}
