//! Loads a record of a list and checks its store in one transaction; every `{id}` of a list passes through
//! here.

use larder_db::{Db, Tx};
use larder_domain::StoreScope;
use serde_json::{Map, Value};

use super::define::ListDef;
use super::record::AnyRecord;
use super::{queries, untyped};
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::question::known_id;
use larder_platform::http::scope;
use larder_platform::http::scope::OfStore;

/// A record with its store.
struct Stored {
    record: AnyRecord,
    store: Option<String>,
}

impl OfStore for Stored {
    fn store_id(&self) -> Option<&str> {
        self.store.as_deref()
    }
}

fn stored(def: &ListDef, record: AnyRecord) -> Stored {
    // Most lists have no store; serializing their records just to check would be wasteful.
    let belongs = def.store.is_some();
    let store = belongs.then(|| untyped::store_of(def, &record.json()).map(str::to_owned));
    Stored { record, store: store.flatten() }
}

/// A record for reading.
///
/// # Errors
/// 404 if there is none, 403 for a store the user may not see.
pub async fn read(db: &Db, def: &'static ListDef, scope: &StoreScope, id: &str) -> ApiResult<AnyRecord> {
    let id = known_id(id, def.one)?;
    refuse_store(def, scope, id)?;
    let record = queries::get(db, def, id).await?;
    Ok(scope::authorize_store(record.map(|record| stored(def, record)), def.one, scope)?.record)
}

/// Refuses to change a record of a store the user may not see. A deleted record has no store: the operation
/// itself returns 404, or checks the restored record ([`refuse_body`]).
///
/// # Errors
/// 404 for a malformed id, 403 for a store the user may not see.
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

/// Refuses a body that assigns a record to a store the user may not see.
///
/// # Errors
/// 403 for a store the user may not see.
pub(crate) fn refuse_body(def: &ListDef, scope: &StoreScope, body: &Map<String, Value>) -> ApiResult<()> {
    scope::check(def.store_field().and_then(|field| body.get(field.name)).and_then(Value::as_str), scope)
}

/// Stores are records too: the response does not reveal whether an inaccessible one exists.
fn refuse_store(def: &ListDef, scope: &StoreScope, id: &str) -> Result<(), ApiError> {
    scope::check(def.stores.then_some(id), scope)
}
