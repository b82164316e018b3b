//! Type-erased operations of any list: JSON in, JSON out, the same rules.

use std::future::Future;
use std::pin::Pin;

use larder_db::{Db, Tx};
use larder_domain::Timestamp;
use serde_json::{Map, Value};

use super::define::{List, ListDef};
use super::draft::Draft;
use super::fields::Editor;
use super::filter::Filter;
use super::{queries, write};
use larder_platform::http::error::{ApiError, FieldError};

/// The future of a type-erased operation.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send + 'a>>;

/// Creates a record with an id from a body.
pub type Create = for<'a> fn(&'a mut Tx<'_>, &'a str, Map<String, Value>, Option<Made>) -> Pending<'a, Value>;

/// Original times, revision and author of an imported or restored record.
#[derive(Debug, Clone)]
pub struct Made {
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub revision: i64,
    /// The author, if known; otherwise the current one.
    pub editor: Option<Editor>,
}

/// Type-erased operations of a list.
#[derive(Debug, Clone, Copy)]
pub struct Ops {
    /// Parses and validates a body without the database; errors are per field.
    pub read: fn(Map<String, Value>) -> Result<Draft, Vec<FieldError>>,
    /// Every record, including hidden ones.
    pub all: for<'a> fn(&'a Db) -> Pending<'a, Vec<Value>>,
    pub get: for<'a> fn(&'a mut Tx<'_>, &'a str) -> Pending<'a, Option<Value>>,
    /// Creates a record with this id.
    pub create: Create,
    /// Updates a record by a patch with its revision.
    pub update: for<'a> fn(&'a mut Tx<'_>, &'a str, Map<String, Value>) -> Pending<'a, Value>,
    /// Restores a record to an entry of its history.
    pub restore: for<'a> fn(&'a mut Tx<'_>, &'a str, i64, Option<i64>) -> Pending<'a, Value>,
    pub delete: for<'a> fn(&'a mut Tx<'_>, &'a str) -> Pending<'a, ()>,
}

impl Ops {
    /// The operations of a list type.
    #[must_use]
    pub const fn of<L: List>() -> Self {
        Self {
            read: read::<L>,
            all: all::<L>,
            get: get::<L>,
            create: create::<L>,
            update: update::<L>,
            restore: restore::<L>,
            delete: delete::<L>,
        }
    }
}

fn read<L: List>(mut body: Map<String, Value>) -> Result<Draft, Vec<FieldError>> {
    super::draft::take_options(L::def().options, &mut body)?;
    super::draft::drop_kept(L::def(), &mut body);
    let draft = Draft::read(L::def(), body)?;
    let mut findings = Vec::new();
    L::check(&draft, &mut findings);
    if findings.is_empty() { Ok(draft) } else { Err(findings) }
}

fn all<'a, L: List>(db: &'a Db) -> Pending<'a, Vec<Value>> {
    Box::pin(async move {
        let mut filter = Filter::everything(L::def());
        (filter.hidden_too, filter.limit) = (true, i64::MAX);
        let (records, _) = queries::page::<L>(db, &filter).await?;
        Ok(records.iter().map(write::as_json).collect())
    })
}

fn get<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, Option<Value>> {
    Box::pin(async move {
        let record: Option<L> = queries::get_in(tx, id).await?;
        Ok(record.as_ref().map(write::as_json))
    })
}

fn create<'a, L: List>(
    tx: &'a mut Tx<'_>,
    id: &'a str,
    body: Map<String, Value>,
    made: Option<Made>,
) -> Pending<'a, Value> {
    Box::pin(async move {
        let record: L = write::create_as(tx, id, body, made).await?;
        Ok(write::as_json(&record))
    })
}

fn update<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str, patch: Map<String, Value>) -> Pending<'a, Value> {
    Box::pin(async move {
        let record: L = write::update(tx, id, patch).await?;
        Ok(write::as_json(&record))
    })
}

fn restore<'a, L: List>(
    tx: &'a mut Tx<'_>,
    id: &'a str,
    seq: i64,
    revision: Option<i64>,
) -> Pending<'a, Value> {
    Box::pin(async move {
        let record: L = super::past::restore(tx, id, seq, revision).await?;
        Ok(write::as_json(&record))
    })
}

fn delete<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, ()> {
    Box::pin(write::delete::<L>(tx, id))
}

/// The store of a record in its JSON form.
#[must_use]
pub fn store_of<'a>(def: &ListDef, record: &'a Value) -> Option<&'a str> {
    let name = if def.stores { "id" } else { def.store_field()?.name };
    record.get(name).and_then(Value::as_str)
}
