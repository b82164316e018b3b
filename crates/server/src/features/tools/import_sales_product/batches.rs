//! Batches: seeing them, saying how they are read, posting and taking them back.

use std::collections::{BTreeMap, HashSet};

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::DbError;
use larder_domain::sales::Mapping;
use larder_domain::{BusinessDay, StoreScope};
use serde_json::json;

use super::directory::Directory;
use super::model::{Batch, BatchState, Batches, PageQuery, PostRequest, Summary};
use super::{jobs, queries, uploads};
use crate::AppState;
use crate::http::json::{Path, Query};
use crate::http::{ApiError, ApiResult, FieldError, Json, Who};
use crate::jobs::NewJob;

/// The files uploaded so far, newest first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches", tag = "import sales", params(PageQuery),
    responses((status = 200, body = Batches)))]
pub async fn list_sales_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Batches>> {
    let (limit, offset) = query.limits();
    let (items, total) = queries::list(&state.db, &who, limit, offset).await?;
    Ok(Json(Batches { items, total }))
}

/// One uploaded file and what became of it.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Batch)))]
pub async fn get_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Batch>> {
    Ok(Json(fresh(&state, &who, &id).await?))
}

/// Remove a file that was not posted.
#[utoipa::path(delete, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 204)))]
pub async fn delete_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let batch = find(&state, &who, &id).await?;
    if batch.posted_at.is_some() || matches!(batch.state, BatchState::Validating | BatchState::Posting) {
        return Err(refuse_state(&batch));
    }
    let key = queries::file_key(&state.db, &id).await?;
    let batch = &batch;
    state
        .db
        .write(&who.actor(), async |tx| {
            if has_store_days(tx, &batch.id).await? {
                return Err(ApiError::conflict("state", "Some of this file was posted. Revert it first."));
            }
            queries::delete(tx, batch).await?;
            Ok(())
        })
        .await?;
    if let Some(key) = key {
        state.files.delete(&jobs::lines_key(&key)).await?;
        state.files.delete(&key).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn has_store_days(tx: &mut larder_db::Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> =
        tx.sql("select store_id from sales_days where batch_id = $1 limit 1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// Say how a file is read. Its rows are then checked by a job; nothing is posted yet.
#[utoipa::path(put, path = "/api/tools/import-sales-product/batches/{id}/mapping", tag = "import sales",
    params(("id" = String, Path)), request_body = Mapping, responses((status = 200, body = Batch)))]
pub async fn map_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mapping): Json<Mapping>,
) -> ApiResult<Json<Batch>> {
    let batch = find(&state, &who, &id).await?;
    let may = matches!(batch.state, BatchState::Uploaded | BatchState::Validated | BatchState::Failed);
    if !may || batch.posted_at.is_some() {
        return Err(refuse_state(&batch));
    }
    let mut layout = batch.layout.clone().map(|l| l.0).ok_or_else(|| refuse_state(&batch))?;
    if mapping.sheet.is_some() && mapping.sheet != layout.sheet {
        let key = queries::file_key(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("file"))?;
        layout = uploads::look(&state, &key, mapping.sheet.clone()).await?;
    }
    let faults = mapping.faults(layout.columns.len());
    if !faults.is_empty() {
        let fields = faults.into_iter().map(|(field, message)| FieldError::new(field, message));
        return Err(ApiError::invalid(fields.collect()));
    }
    if let Some(store) = &mapping.store {
        who.check_store(&store.fixed)?;
    }
    let job_id = state.new_id();
    let (batch, mapping, layout, job) = (&batch, &mapping, &layout, &job_id);
    state
        .db
        .write(&who.actor(), async |tx| {
            if let Some(store) = &mapping.store
                && !queries::exists(tx, "store", &store.fixed).await?
            {
                return Err(ApiError::field("store", "This store does not exist; choose one from the list."));
            }
            start(
                tx,
                &state,
                batch,
                BatchState::Validating,
                job,
                "sales.validate",
                json!({ "batchId": batch.id }),
            )
            .await?;
            queries::set_mapping(tx, &batch.id, layout, mapping).await?;
            queries::clear_findings(tx, &batch.id).await?;
            Ok(())
        })
        .await?;
    state.jobs.wake();
    Ok(Json(find(&state, &who, &id).await?))
}

/// Post a checked file: its store-days are written by a job, each whole.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/post", tag = "import sales",
    params(("id" = String, Path)), request_body = PostRequest, responses((status = 200, body = Batch)))]
pub async fn post_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(request): Json<PostRequest>,
) -> ApiResult<Json<Batch>> {
    let batch = fresh(&state, &who, &id).await?;
    let may = [BatchState::Validated, BatchState::Superseded, BatchState::Reverted, BatchState::Failed];
    let Some(summary) = batch.summary.as_ref().filter(|_| may.contains(&batch.state)) else {
        return Err(refuse_state(&batch));
    };
    if summary.good_lines == 0 {
        return Err(ApiError::unprocessable(
            "noLines",
            "No row of this file is a sales line. Correct the mapping.",
        ));
    }
    if summary.unmapped_stores > 0 {
        let words = format!(
            "{} store names are not known. Say which stores they are first.",
            summary.unmapped_stores
        );
        return Err(ApiError::conflict("unknownStores", words));
    }
    let allowed = check_reach(&state, &who, &batch).await?;
    if summary.replaces > 0 && !request.replace {
        return Err(ApiError::conflict("alreadyImported", "Already imported; replace?")
            .with("storeDays", json!(summary.replaces)));
    }
    let job_id = state.new_id();
    let (batch, job) = (&batch, &job_id);
    let args = &json!({ "batchId": id, "stores": allowed });
    state
        .db
        .write(&who.actor(), async |tx| {
            start(tx, &state, batch, BatchState::Posting, job, "sales.post", args.clone()).await
        })
        .await?;
    state.jobs.wake();
    Ok(Json(find(&state, &who, &id).await?))
}

/// Take a posted file back: store-days that still stand as it posted them go.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/revert", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Batch)))]
pub async fn revert_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Batch>> {
    let batch = find(&state, &who, &id).await?;
    if !matches!(batch.state, BatchState::Posted | BatchState::Failed) {
        return Err(refuse_state(&batch));
    }
    check_reach(&state, &who, &batch).await?;
    let job_id = state.new_id();
    let (batch, job) = (&batch, &job_id);
    state
        .db
        .write(&who.actor(), async |tx| {
            start(tx, &state, batch, BatchState::Posting, job, "sales.revert", json!({ "batchId": batch.id }))
                .await
        })
        .await?;
    state.jobs.wake();
    Ok(Json(find(&state, &who, &id).await?))
}

/// Moves the batch on and queues the job of the step, or neither.
async fn start(
    tx: &mut larder_db::Tx<'_>,
    state: &AppState,
    batch: &Batch,
    to: BatchState,
    job_id: &str,
    kind: &'static str,
    args: serde_json::Value,
) -> ApiResult<()> {
    if !queries::step(tx, batch, to, Some(job_id)).await? {
        return Err(ApiError::conflict(
            "state",
            "Somebody else is at work on this file. Reload to see how it stands.",
        ));
    }
    let new = NewJob { kind, unique_key: Some(format!("sales.batch.{}", batch.id)), args };
    state.jobs.enqueue(tx, job_id.to_owned(), new).await?;
    Ok(())
}

/// The stores of a batch, all within reach of whoever asks.
async fn check_reach(state: &AppState, who: &Who, batch: &Batch) -> ApiResult<Option<Vec<String>>> {
    let StoreScope::Only(within) = &who.scope else { return Ok(None) };
    let names = queries::names(&state.db, &batch.id).await?;
    for name in names.iter().filter(|name| name.kind == "store") {
        match &name.store_id {
            Some(id) if within.contains(id) => {}
            _ => return Err(ApiError::out_of_scope()),
        }
    }
    Ok(Some(within.iter().cloned().collect()))
}

/// A batch `who` may see.
pub async fn find(state: &AppState, who: &Who, id: &str) -> ApiResult<Batch> {
    queries::find(&state.db, who, id).await?.ok_or_else(|| ApiError::not_found("batch"))
}

/// A batch whose summary knows what was decided and posted since it was checked.
pub async fn fresh(state: &AppState, who: &Who, id: &str) -> ApiResult<Batch> {
    let mut batch = find(state, who, id).await?;
    let open = [BatchState::Validated, BatchState::Failed, BatchState::Superseded, BatchState::Reverted];
    if open.contains(&batch.state)
        && let (Some(summary), Some(mapping)) = (&mut batch.summary, &batch.mapping)
    {
        let directory = Directory::load(&state.db).await?;
        refresh(state, id, &mut summary.0, &mapping.0.source, &directory).await?;
    }
    Ok(batch)
}

/// Counts again what depends on decisions and on other batches.
pub async fn refresh(
    state: &AppState,
    id: &str,
    summary: &mut Summary,
    source: &str,
    directory: &Directory,
) -> ApiResult<()> {
    let names = queries::names(&state.db, id).await?;
    let mut of_store: BTreeMap<String, HashSet<BusinessDay>> = BTreeMap::new();
    (summary.unmapped_items, summary.unmapped_stores, summary.replaces) = (0, 0, 0);
    for name in &names {
        match name.kind.as_str() {
            "item" if directory.item_by(&name.name_key, &name.name).is_none() => summary.unmapped_items += 1,
            "store" => {
                let store = match &name.store_id {
                    Some(fixed) if name.name_key.is_empty() => Some(fixed.clone()),
                    _ => directory.store(&name.name).map(|id| id.to_string()),
                };
                match store {
                    None => summary.unmapped_stores += 1,
                    Some(store) => {
                        let days = name.days.iter().flat_map(|d| &d.0).map(|day| BusinessDay(*day));
                        of_store.entry(store).or_default().extend(days);
                    }
                }
            }
            _ => {}
        }
    }
    for (store, days) in &of_store {
        let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { continue };
        let known = queries::imported_days(&state.db, id, store, source, *first, *last).await?;
        summary.replaces += i64::try_from(known.iter().filter(|day| days.contains(day)).count()).unwrap_or(0);
    }
    summary.warnings.clear();
    match summary.unmapped_items {
        0 => {}
        1 => summary.warnings.push("1 item is not mapped.".to_owned()),
        n => summary.warnings.push(format!("{n} items are not mapped.")),
    }
    let unknown = summary.terminals.iter().filter(|terminal| !terminal.known);
    summary.warnings.extend(unknown.map(|terminal| format!("Unknown terminal {}.", terminal.id)));
    Ok(())
}

/// The step does not fit the state the batch is in.
fn refuse_state(batch: &Batch) -> ApiError {
    let words = match batch.state {
        BatchState::Uploaded => "Say how the file is read first.",
        BatchState::Validating => "The file is being checked. Wait until that is done, or stop it.",
        BatchState::Validated => "The file was checked but not posted.",
        BatchState::Posting => "The file is being posted. Wait until that is done, or stop it.",
        BatchState::Posted => "The file is posted. Revert it first.",
        BatchState::Superseded => "Later files have replaced all of this one.",
        BatchState::Reverted => "The file was reverted.",
        BatchState::Failed => "The last step failed. Confirm the mapping to check the file again.",
    };
    ApiError::conflict("state", words)
}
