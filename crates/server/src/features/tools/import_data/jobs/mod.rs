//! The long steps: finding out what every row would do, doing it, taking it back.

pub mod check;
pub mod commit;
pub mod undo;

use std::collections::BTreeSet;

use larder_db::Actor;
use larder_domain::StoreScope;
use serde::Deserialize;
use serde_json::Value;

use super::model::{ImportBatch, ImportState};
use super::queries;
use crate::AppState;
use crate::http::ApiError;
use crate::jobs::JobError;
use crate::lists::catalog;
use crate::lists::engine::ListDef;
use crate::lists::engine::ops::store_of;

/// Which batch a job is about, and what whoever started it may do.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    /// The batch.
    pub batch_id: String,
    /// Kinds of records that may be made in passing.
    #[serde(default)]
    pub makes: Vec<String>,
    /// The only stores within reach; absent: all.
    #[serde(default)]
    pub stores: Option<BTreeSet<String>>,
}

impl Args {
    /// The stores within reach.
    pub fn scope(&self) -> StoreScope {
        self.stores.clone().map_or(StoreScope::All, StoreScope::Only)
    }
}

/// The batch of a job and its list.
pub(crate) async fn batch(state: &AppState, id: &str) -> Result<(ImportBatch, &'static ListDef), JobError> {
    let batch = queries::batches::find(&state.db, id).await?;
    let batch = batch.ok_or_else(|| JobError::Failed("The file was removed meanwhile.".to_owned()))?;
    let def = catalog::by_slug(&batch.list);
    let def = def.ok_or_else(|| JobError::Failed("There is no such list any more.".to_owned()))?;
    Ok((batch, def))
}

/// The list of a kind.
pub fn list_of_kind(kind: &str) -> Result<&'static ListDef, JobError> {
    let def = catalog::ALL.iter().copied().find(|def| def.kind == kind);
    def.ok_or_else(|| JobError::Failed("There is no such list any more.".to_owned()))
}

/// Refuses a record of a store that whoever started the job does not reach any more.
pub fn refuse_far(def: &ListDef, scope: &StoreScope, record: &Value) -> Result<(), ApiError> {
    let far = def.store.is_some() && store_of(def, record).is_some_and(|store| !scope.contains(store));
    if far { Err(ApiError::out_of_scope()) } else { Ok(()) }
}

/// Writes into the batch how a step ended badly; what is to be taken up again stays as it is.
pub(crate) async fn note_failure(
    state: &AppState,
    actor: &Actor,
    id: &str,
    error: &JobError,
    stopped: (ImportState, &str),
) -> Result<(), ApiError> {
    let (to, words) = match error {
        JobError::Interrupted | JobError::Again { .. } => return Ok(()),
        JobError::Cancelled => (stopped.0, stopped.1.to_owned()),
        JobError::Failed(words) => (ImportState::Failed, words.clone()),
        JobError::Broken(_) => {
            (ImportState::Failed, "Something went wrong on our side. Try again.".to_owned())
        }
    };
    let words = &words;
    state.db.write(actor, async |tx| queries::batches::end(tx, id, to, None, Some(words)).await).await?;
    Ok(())
}
