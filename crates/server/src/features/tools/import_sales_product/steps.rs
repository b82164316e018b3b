//! The steps of a batch: saying how it is read, posting it, taking it back.

use axum::extract::State;
use larder_db::Tx;
use larder_domain::StoreScope;
use larder_domain::sales::Mapping;
use serde_json::json;

use super::batches::{find, fresh, refuse_state};
use super::model::{Batch, BatchState, PostRequest};
use super::{queries, uploads};
use crate::AppState;
use crate::http::json::Path;
use crate::http::{ApiError, ApiResult, FieldError, Json, Who};
use crate::jobs::NewJob;

/// Say how a file is read. Its rows are then checked by a job; nothing is posted yet.
#[utoipa::path(put, path = "/api/tools/import-sales-product/batches/{id}/mapping", tag = "import sales",
    params(("id" = String, Path)), request_body = Mapping, responses((status = 200, body = Batch)))]
pub(crate) async fn map_sales_batch(
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
        let key =
            queries::batches::file_key(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("file"))?;
        layout = uploads::look(&state, &key, mapping.sheet.clone()).await?;
    }
    let mut faults = mapping.faults(layout.columns.len());
    faults.extend(layout.questions(&mapping));
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
                && !queries::directory::store_exists(tx, &store.fixed).await?
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
            queries::steps::set_mapping(tx, &batch.id, layout, mapping).await?;
            queries::findings::clear(tx, &batch.id).await?;
            Ok(())
        })
        .await?;
    state.jobs.wake();
    Ok(Json(find(&state, &who, &id).await?))
}

/// Post a checked file: its store-days are written by a job, each whole.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/post", tag = "import sales",
    params(("id" = String, Path)), request_body = PostRequest, responses((status = 200, body = Batch)))]
pub(crate) async fn post_sales_batch(
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
pub(crate) async fn revert_sales_batch(
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
    tx: &mut Tx<'_>,
    state: &AppState,
    batch: &Batch,
    to: BatchState,
    job_id: &str,
    kind: &'static str,
    args: serde_json::Value,
) -> ApiResult<()> {
    if !queries::steps::step(tx, batch, to, Some(job_id)).await? {
        return Err(ApiError::conflict(
            "state",
            "Somebody else is at work on this file. Reload to see how it stands.",
        ));
    }
    // The batch's state lets one job at it: a key of the job's own would still be held for a moment after the batch
    // says that it is done, and refuse whoever goes on at once.
    let new = NewJob { kind, unique_key: None, args };
    state.jobs.enqueue(tx, job_id.to_owned(), new).await?;
    Ok(())
}

/// The stores of a batch, all within reach of whoever asks.
async fn check_reach(state: &AppState, who: &Who, batch: &Batch) -> ApiResult<Option<Vec<String>>> {
    let StoreScope::Only(within) = &who.scope else { return Ok(None) };
    let names = queries::findings::names(&state.db, &batch.id).await?;
    for name in names.iter().filter(|name| name.kind == "store") {
        match &name.store_id {
            Some(id) if within.contains(id) => {}
            _ => return Err(ApiError::out_of_scope()),
        }
    }
    Ok(Some(within.iter().cloned().collect()))
}
