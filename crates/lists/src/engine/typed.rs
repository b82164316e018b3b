//! Operations on a list in its own type, for the parts of the server that know it.

use larder_db::{Db, DbError, Tx};
use serde_json::{Map, Value};

use super::define::List;
use super::record::owned;
use super::{queries, write};
use larder_platform::http::error::ApiError;

/// A record by id.
///
/// # Errors
/// If the database fails.
pub async fn get<L: List>(db: &Db, id: &str) -> Result<Option<L>, DbError> {
    Ok(queries::get(db, L::def(), id).await?.map(owned))
}

/// As [`get`], in a transaction.
///
/// # Errors
/// If the database fails.
pub async fn get_in<L: List>(tx: &mut Tx<'_>, id: &str) -> Result<Option<L>, DbError> {
    Ok(queries::get_in(tx, L::def(), id).await?.map(owned))
}

/// Creates a record from `body` with a new id.
///
/// # Errors
/// Invalid or taken fields.
pub async fn create<L: List>(tx: &mut Tx<'_>, id: &str, body: Map<String, Value>) -> Result<L, ApiError> {
    write::create(tx, L::def(), id, body, None).await.map(owned)
}

/// As [`create`], for other parts of the server that create list records (imports, demo data).
///
/// # Errors
/// As [`create`].
pub async fn insert<L: List>(tx: &mut Tx<'_>, id: &str, body: Value) -> Result<L, ApiError> {
    match body {
        Value::Object(body) => create(tx, id, body).await,
        _ => Err(ApiError::bad_request("A record is a JSON object.")),
    }
}

/// Changes the fields in `patch`; `null` clears one.
///
/// # Errors
/// Invalid fields, 404, or 409 if the revision is not the latest.
pub async fn update<L: List>(tx: &mut Tx<'_>, id: &str, patch: Map<String, Value>) -> Result<L, ApiError> {
    write::update(tx, L::def(), id, patch).await.map(owned)
}
