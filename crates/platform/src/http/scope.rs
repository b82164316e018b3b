//! Whether whoever asks reaches a record: asked once, of the record as it was loaded, in the transaction that loaded it.
//! Paths with an `{id}` of a store's record go through [`reached`] or [`check`]. Imports and jobs have a rule of their own
//! (who made them), visibility groups are everybody's to read; the authorization walk tries each path with another
//! store's record.

use larder_domain::StoreScope;

use super::error::{ApiError, ApiResult};

/// A record that may belong to a store.
pub trait OfStore {
    /// The store it belongs to; none where it belongs to the whole group.
    fn store_id(&self) -> Option<&str>;
}

/// A loaded record, if there is one and its store is within reach. `one` is what it is called.
///
/// # Errors
/// 404 when there is none, 403 for a store out of reach.
pub fn reached<T: OfStore>(record: Option<T>, one: &str, scope: &StoreScope) -> ApiResult<T> {
    let record = record.ok_or_else(|| ApiError::not_found(one))?;
    check(record.store_id(), scope)?;
    Ok(record)
}

/// Refuses what belongs to a store out of reach.
///
/// # Errors
/// 403 «You don't have access to this store.»
pub fn check(store_id: Option<&str>, scope: &StoreScope) -> ApiResult<()> {
    if scope.reaches(store_id) { Ok(()) } else { Err(ApiError::out_of_scope()) }
}
