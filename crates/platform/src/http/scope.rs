//! Store authorization, checked on the loaded record in the transaction that loaded it. Paths with the `{id}`
//! of a store's record use [`authorize_store`] or [`check`]. Imports and jobs are authorized by their author instead;
//! visibility groups are readable by everyone. The authorization test tries each path with another store's
//! record.

use larder_domain::StoreScope;

use super::error::{ApiError, ApiResult};

/// A record that may belong to a store.
pub trait OfStore {
    /// Its store; `None` if it belongs to the whole group.
    fn store_id(&self) -> Option<&str>;
}

/// A loaded record, if it exists and the user may see its store. `one` is its noun.
///
/// # Errors
/// 404 if there is none, 403 for another store.
pub fn authorize_store<T: OfStore>(record: Option<T>, one: &str, scope: &StoreScope) -> ApiResult<T> {
    let record = record.ok_or_else(|| ApiError::not_found(one))?;
    check(record.store_id(), scope)?;
    Ok(record)
}

/// Refuses a record of a store the user may not see.
///
/// # Errors
/// 403 «You don't have access to this store.»
pub fn check(store_id: Option<&str>, scope: &StoreScope) -> ApiResult<()> {
    if scope.includes(store_id) { Ok(()) } else { Err(ApiError::out_of_scope()) }
}
