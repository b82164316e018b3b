//! The long-running steps: check, commit, undo.

pub mod check;
pub mod commit;
pub mod undo;

use larder_domain::StoreScope;
use serde_json::Value;

use larder_lists::catalog;
use larder_lists::engine::ListDef;
use larder_lists::engine::untyped::store_of;
use larder_platform::http;
use larder_platform::http::ApiError;
use larder_platform::jobs::JobError;

/// A list by slug.
fn list_of_slug(slug: &str) -> Result<&'static ListDef, JobError> {
    catalog::by_slug(slug).ok_or_else(no_such_list)
}

/// A list by entity type.
fn list_of_kind(kind: &str) -> Result<&'static ListDef, JobError> {
    catalog::ALL.iter().copied().find(|def| def.kind == kind).ok_or_else(no_such_list)
}

fn no_such_list() -> JobError {
    JobError::Failed("There is no such list any more.".to_owned())
}

/// Refuses a record of a store the job's user can no longer access.
fn refuse_far(def: &ListDef, scope: &StoreScope, record: &Value) -> Result<(), ApiError> {
    let store = if def.store.is_some() { store_of(def, record) } else { None };
    http::scope::check(store, scope)
}
