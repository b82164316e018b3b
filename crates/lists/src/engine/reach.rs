//! A record of a list, loaded and judged by its store in one transaction: the way every `{id}` of a list goes.

use larder_db::{Db, Tx};
use larder_domain::StoreScope;
use serde_json::{Map, Value};

use super::define::{List, ListDef};
use super::{ops, queries};
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::question::known_id;
use larder_platform::http::scope;
use larder_platform::http::scope::OfStore;

/// A record with its store.
struct Stored<L> {
    record: L,
    store: Option<String>,
}

impl<L> OfStore for Stored<L> {
    fn store_id(&self) -> Option<&str> {
        self.store.as_deref()
    }
}

fn stored<L: List>(record: L) -> Stored<L> {
    // Most lists belong to no store; making JSON of their records only to look would be waste.
    let belongs = L::def().store.is_some();
    let store = belongs.then(|| ops::store_of(L::def(), &super::write::as_json(&record)).map(str::to_owned));
    Stored { record, store: store.flatten() }
}

/// The record for reading.
///
/// # Errors
/// 404 when there is none, 403 for a store out of reach.
pub async fn read<L: List>(db: &Db, scope: &StoreScope, id: &str) -> ApiResult<L> {
    let one = L::def().one;
    let id = known_id(id, one)?;
    refuse_store(L::def(), scope, id)?;
    let record = queries::get::<L>(db, id).await?;
    Ok(scope::reached(record.map(stored), one, scope)?.record)
}

/// Refuses to change a record of a store out of reach. One that is gone belongs to no store any more: what is done with
/// it says that it is not there, or judges what comes back ([`refuse_body`]).
///
/// # Errors
/// 404 for what can be no id, 403 for a store out of reach.
pub async fn check<'a>(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    scope: &StoreScope,
    id: &'a str,
) -> ApiResult<&'a str> {
    let id = known_id(id, def.one)?;
    refuse_store(def, scope, id)?;
    if let (Some(column), StoreScope::Only(_)) = (def.store, scope) {
        let query = tx.sql("select ").push(column).push(" from ").push(def.table).push(" where id = ");
        let store: Option<(Option<String>,)> = query.push_bind(id).optional().await?;
        scope::check(store.and_then(|(store,)| store).as_deref(), scope)?;
    }
    Ok(id)
}

/// Refuses a body that puts a record into a store out of reach.
///
/// # Errors
/// 403 for a store out of reach.
pub(crate) fn refuse_body(def: &ListDef, scope: &StoreScope, body: &Map<String, Value>) -> ApiResult<()> {
    scope::check(def.store_field().and_then(|field| body.get(field.name)).and_then(Value::as_str), scope)
}

/// Stores are records too: whoever does not reach one is not told whether it exists.
fn refuse_store(def: &ListDef, scope: &StoreScope, id: &str) -> Result<(), ApiError> {
    scope::check(def.stores.then_some(id), scope)
}
