//! The steps of an import: saying how a file is read, writing its rows, taking them back.

use axum::extract::State;
use larder_db::Tx;
use larder_domain::{Action, StoreScope};
use serde_json::{Value, json};

use super::batches::{find, refuse_state};
use super::model::{ImportBatch, ImportMapping, ImportMatch, ImportMissing, ImportState};
use super::{fields, lists, queries, uploads};
use crate::AppState;
use crate::http::json::Path;
use crate::http::{ApiError, ApiResult, FieldError, Json, Who};
use crate::jobs::NewJob;
use crate::lists::catalog;
use crate::lists::engine::ListDef;

/// Lists whose records need no more than a name, so that a file may make them in passing.
const SIMPLE: &[&str] = &[
    "uom",
    "category",
    "foodType",
    "productType",
    "storageRequirement",
    "priceLevel",
    "storeFormat",
    "regionalArea",
    "operationalArea",
    "company",
    "account",
];

/// Say which columns are what. What every row would do is then found out by a job; nothing is written yet.
#[utoipa::path(put, path = "/api/tools/import-data/batches/{id}/mapping", tag = "import data",
    params(("id" = String, Path)), request_body = ImportMapping, responses((status = 200, body = ImportBatch)))]
pub(crate) async fn map_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mapping): Json<ImportMapping>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find(&state, &who, &id).await?;
    let may = matches!(batch.state, ImportState::Uploaded | ImportState::Checked | ImportState::Failed);
    if !may || queries::rows::count_in(&state.db, &id, "done").await? > 0 {
        return Err(refuse_state(&batch));
    }
    let def = lists::list(&who, &batch.list)?;
    let mut layout = batch.layout.0.clone();
    if mapping.sheet.is_some() && mapping.sheet != layout.sheet {
        let key =
            queries::batches::file_key(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("file"))?;
        layout = uploads::look(&state, def, &key, mapping.sheet.clone()).await?;
    }
    let targets = fields::targets(&state.db, def).await?;
    let faults = faults(def, &mapping, &targets, layout.columns.len());
    if !faults.is_empty() {
        return Err(ApiError::invalid(faults));
    }
    let makes: Vec<&str> = match mapping.missing {
        ImportMissing::Create => makeable(&who),
        ImportMissing::Ignore => Vec::new(),
    };
    let args = json!({ "batchId": id, "makes": makes, "stores": reach(&who) });
    let job_id = state.new_id();
    let (batch, mapping, layout, job, args) = (&batch, &mapping, &layout, &job_id, &args);
    state
        .db
        .write(&who.actor(), async |tx| {
            start(tx, &state, batch, ImportState::Checking, job, "importData.check", args.clone()).await?;
            queries::batches::set_mapping(tx, &batch.id, layout, mapping).await?;
            Ok::<_, ApiError>(())
        })
        .await?;
    state.jobs.wake();
    Ok(Json(find(&state, &who, &id).await?))
}

/// Write the rows of a checked file, those left out that cannot be followed.
#[utoipa::path(post, path = "/api/tools/import-data/batches/{id}/commit", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn commit_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find(&state, &who, &id).await?;
    let may = matches!(batch.state, ImportState::Checked | ImportState::Failed);
    if !may || batch.summary.is_none() {
        return Err(refuse_state(&batch));
    }
    lists::list(&who, &batch.list)?;
    if queries::rows::count_in(&state.db, &id, "planned").await? == 0 {
        let words = "No row of this file would make or change a record.";
        return Err(ApiError::unprocessable("nothingToWrite", words));
    }
    go(&state, &who, &batch, ImportState::Committing, "importData.commit").await
}

/// Take an import back: records it made go unless something uses them, records it changed go back unless they
/// were changed since. What stays says why in its row.
#[utoipa::path(post, path = "/api/tools/import-data/batches/{id}/undo", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn undo_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find(&state, &who, &id).await?;
    let may = matches!(batch.state, ImportState::Committed | ImportState::Failed);
    if !may || queries::rows::count_in(&state.db, &id, "done").await? == 0 {
        return Err(refuse_state(&batch));
    }
    lists::list(&who, &batch.list)?;
    go(&state, &who, &batch, ImportState::Undoing, "importData.undo").await
}

async fn go(
    state: &AppState,
    who: &Who,
    batch: &ImportBatch,
    to: ImportState,
    kind: &'static str,
) -> ApiResult<Json<ImportBatch>> {
    let (job_id, args) = (state.new_id(), json!({ "batchId": batch.id, "stores": reach(who) }));
    let (job, args) = (&job_id, &args);
    state
        .db
        .write(&who.actor(), async |tx| start(tx, state, batch, to, job, kind, args.clone()).await)
        .await?;
    state.jobs.wake();
    Ok(Json(find(state, who, &batch.id).await?))
}

/// Moves the batch on and queues the job of the step, or neither.
async fn start(
    tx: &mut Tx<'_>,
    state: &AppState,
    batch: &ImportBatch,
    to: ImportState,
    job_id: &str,
    kind: &'static str,
    args: Value,
) -> ApiResult<()> {
    if !queries::batches::step(tx, batch, to, job_id).await? {
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

/// The stores within reach, for the job; `null` is all.
fn reach(who: &Who) -> Value {
    match &who.scope {
        StoreScope::All => Value::Null,
        StoreScope::Only(stores) => json!(stores),
    }
}

/// Kinds of records that may be made in passing by somebody.
fn makeable(who: &Who) -> Vec<&'static str> {
    let simple = catalog::ALL.iter().filter(|def| SIMPLE.contains(&def.kind));
    simple.filter(|def| who.can(def.page, Action::Create)).map(|def| def.kind).collect()
}

fn faults(
    def: &'static ListDef,
    mapping: &ImportMapping,
    targets: &[fields::Target],
    width: usize,
) -> Vec<FieldError> {
    let mut faults = Vec::new();
    for (name, column) in &mapping.columns {
        if !targets.iter().any(|target| target.name == *name) {
            faults.push(FieldError::new(name, "This list has no such field."));
        } else if *column >= width {
            faults.push(FieldError::new(name, "The file has no such column."));
        }
    }
    let has = |name: &str| mapping.columns.contains_key(name);
    match mapping.by {
        ImportMatch::Id if !has("id") && mapping.columns.is_empty() => {
            faults.push(FieldError::new("columns", "Choose at least one column."));
        }
        ImportMatch::Code if !def.code.is_some_and(has) => {
            let message = match def.code.and_then(|code| def.field(code)) {
                Some(field) => {
                    format!("Choose the column of the {}, or match by another field.", field.in_sentence())
                }
                None => "These records have no code; match by another field.".to_owned(),
            };
            faults.push(FieldError::new("match", message));
        }
        ImportMatch::Name if !(has(def.name) || def.tree.is_some() && has(fields::PATH)) => {
            faults
                .push(FieldError::new("match", "Choose the column of the name, or match by another field."));
        }
        _ => {}
    }
    faults
}
