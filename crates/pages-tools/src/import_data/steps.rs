//! The steps of an import: mapping, writing, undoing.

use axum::extract::State;
use larder_domain::Action;
use serde_json::{Map, json};

use super::import::{CHECK, COMMIT, DataImport, UNDO};
use super::model::{ImportBatch, ImportMapping, ImportMatch, ImportMissing};
use super::{fields, lists, queries, uploads};
use larder_lists::catalog;
use larder_lists::engine::ListDef;
use larder_lists::imports;
use larder_lists::imports::batches::find;
use larder_lists::imports::{refuse_state, steps};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Lists whose records only need a name, so that an import may create them implicitly.
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

/// Set the mapping of a file. A job then checks what every row would do; nothing is written yet.
#[utoipa::path(put, path = "/api/tools/import-data/batches/{id}/mapping", tag = "import data",
    params(("id" = String, Path)), request_body = ImportMapping, responses((status = 200, body = ImportBatch)))]
pub(crate) async fn map_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mapping): Json<ImportMapping>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find::<DataImport>(&state, &who, &id).await?;
    CHECK.check(&batch)?;
    if count_in(&state, &id, "done").await? > 0 {
        return Err(refuse_state(batch.state));
    }
    let def = lists::list(&who, &batch.list)?;
    let mut layout = batch.layout.0.clone();
    if mapping.sheet.is_some() && mapping.sheet != layout.sheet {
        layout = uploads::look(&state, def, &batch.file_key, mapping.sheet.clone()).await?;
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
    let makes = Map::from_iter([("makes".to_owned(), json!(makes))]);
    let (batch, mapping, layout, makes) = (&batch, &mapping, &layout, &makes);
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            steps::take::<DataImport>(tx, &state, &who, batch, &CHECK, makes.clone()).await?;
            Ok(imports::set_mapping::<DataImport>(tx, &batch.id, layout, mapping).await?)
        })
        .await?;
    steps::under_way::<DataImport>(&state, &who, &id).await
}

/// Write the rows of a checked file, without the failed ones.
#[utoipa::path(post, path = "/api/tools/import-data/batches/{id}/commit", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn commit_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find::<DataImport>(&state, &who, &id).await?;
    COMMIT.check(&batch)?;
    if batch.summary.is_none() {
        return Err(refuse_state(batch.state));
    }
    lists::list(&who, &batch.list)?;
    if count_in(&state, &id, "planned").await? == 0 {
        // The import may have been deleted meanwhile; report that first.
        find::<DataImport>(&state, &who, &id).await?;
        let words = "No row of this file would make or change a record.";
        return Err(ApiError::unprocessable("nothingToWrite", words));
    }
    steps::go::<DataImport>(&state, &who, &batch, &COMMIT).await
}

/// Undo an import: records it created are deleted unless in use, records it changed are reverted unless
/// changed since. For those left, the row has the reason.
#[utoipa::path(post, path = "/api/tools/import-data/batches/{id}/undo", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn undo_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    let batch = find::<DataImport>(&state, &who, &id).await?;
    UNDO.check(&batch)?;
    if count_in(&state, &id, "done").await? == 0 {
        return Err(refuse_state(batch.state));
    }
    lists::list(&who, &batch.list)?;
    steps::go::<DataImport>(&state, &who, &batch, &UNDO).await
}

/// Number of rows in a state. They only change while a job works on their import, which changes its revision
/// too.
async fn count_in(state: &AppState, id: &str, row_state: &str) -> ApiResult<i64> {
    Ok(queries::rows::count_in(&state.db, id, row_state).await?)
}

/// Entity types the user's imports may create implicitly.
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
