//! What differs by list behind function pointers, so that the engine exists once and not once for each list; and
//! operations of any list for the rest of the server: JSON in, JSON out, the same rules.

use std::future::Future;
use std::pin::Pin;

use larder_db::{AnyRow, Db, DbError, Tx};
use larder_domain::Timestamp;
use serde_json::{Map, Value};

use super::define::{List, ListDef};
use super::draft::{Draft, drop_kept, take_options};
use super::fields::Editor;
use super::filter::Filter;
use super::merge::MovedUses;
use super::record::{self, AnyRecord, Record, borrowed};
use super::{queries, write};
use larder_platform::http::error::{ApiError, FieldError};

/// The future of a type-erased operation.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send + 'a>>;

type Body = Map<String, Value>;

/// Creates a record with an id from a body.
pub type Create = for<'a> fn(&'a mut Tx<'_>, &'a str, Body, Option<Made>) -> Pending<'a, Value>;

/// [`List::after_write`].
type AfterWrite =
    for<'a> fn(&'a mut Tx<'_>, Option<&'a dyn Record>, &'a dyn Record, &'a Body) -> Pending<'a, ()>;

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
pub struct UntypedOps {
    /// Parses and validates a body without the database; errors are per field.
    pub read: fn(Body) -> Result<Draft, Vec<FieldError>>,
    /// Every record, including hidden ones.
    pub all: for<'a> fn(&'a Db) -> Pending<'a, Vec<Value>>,
    pub get: for<'a> fn(&'a mut Tx<'_>, &'a str) -> Pending<'a, Option<Value>>,
    /// Creates a record with this id.
    pub create: Create,
    /// Updates a record by a patch with its revision.
    pub update: for<'a> fn(&'a mut Tx<'_>, &'a str, Body) -> Pending<'a, Value>,
    pub delete: for<'a> fn(&'a mut Tx<'_>, &'a str) -> Pending<'a, ()>,
    pub(super) row: fn(&AnyRow) -> Result<AnyRecord, DbError>,
    pub(super) hooks: Hooks,
}

/// The hooks of a [`List`], by their names there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hooks {
    pub check: fn(&Draft, &mut Vec<FieldError>),
    pub missing: fn(&Body) -> Vec<FieldError>,
    pub prepare: for<'a> fn(&'a mut Tx<'_>, &'a mut Draft) -> Pending<'a, ()>,
    pub begin: fn(&mut Body),
    pub open: for<'a> fn(&'a mut Tx<'_>, &'a dyn Record, i64) -> Pending<'a, ()>,
    pub before_write: for<'a> fn(&'a mut Tx<'_>, &'a str, &'a Body) -> Pending<'a, ()>,
    pub after_write: AfterWrite,
    pub in_use: fn(&[(&'static str, i64)]) -> Option<String>,
    pub before_merge: for<'a> fn(&'a mut Tx<'_>, &'a str, &'a str) -> Pending<'a, ()>,
    pub move_uses: for<'a> fn(&'a mut Tx<'_>, &'a str, &'a str) -> Pending<'a, Vec<MovedUses>>,
    pub before_delete: for<'a> fn(&'a mut Tx<'_>, &'a dyn Record) -> Pending<'a, ()>,
}

impl UntypedOps {
    /// The operations of a list type.
    #[must_use]
    pub const fn of<L: List>() -> Self {
        Self {
            read: read_of::<L>,
            all: all_of::<L>,
            get: get_of::<L>,
            create: create_of::<L>,
            update: update_of::<L>,
            delete: delete_of::<L>,
            row: record::read::<L>,
            hooks: Hooks {
                check: L::check,
                missing: L::missing,
                prepare: prepare::<L>,
                begin: L::begin,
                open: open::<L>,
                before_write: before_write::<L>,
                after_write: after_write::<L>,
                in_use: L::in_use,
                before_merge: before_merge::<L>,
                move_uses: move_uses::<L>,
                before_delete: before_delete::<L>,
            },
        }
    }
}

fn prepare<'a, L: List>(tx: &'a mut Tx<'_>, draft: &'a mut Draft) -> Pending<'a, ()> {
    Box::pin(L::prepare(tx, draft))
}

fn open<'a, L: List>(tx: &'a mut Tx<'_>, record: &'a dyn Record, opening: i64) -> Pending<'a, ()> {
    Box::pin(L::open(tx, borrowed(record), opening))
}

fn before_write<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str, body: &'a Body) -> Pending<'a, ()> {
    Box::pin(L::before_write(tx, id, body))
}

fn after_write<'a, L: List>(
    tx: &'a mut Tx<'_>,
    before: Option<&'a dyn Record>,
    after: &'a dyn Record,
    options: &'a Body,
) -> Pending<'a, ()> {
    Box::pin(L::after_write(tx, before.map(borrowed::<L>), borrowed(after), options))
}

fn before_merge<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str, into: &'a str) -> Pending<'a, ()> {
    Box::pin(L::before_merge(tx, id, into))
}

fn move_uses<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str, into: &'a str) -> Pending<'a, Vec<MovedUses>> {
    Box::pin(L::move_uses(tx, id, into))
}

fn before_delete<'a, L: List>(tx: &'a mut Tx<'_>, record: &'a dyn Record) -> Pending<'a, ()> {
    Box::pin(L::before_delete(tx, borrowed(record)))
}

fn read_of<L: List>(body: Body) -> Result<Draft, Vec<FieldError>> {
    read(L::def(), body)
}

fn all_of<'a, L: List>(db: &'a Db) -> Pending<'a, Vec<Value>> {
    all(L::def(), db)
}

fn get_of<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, Option<Value>> {
    get(L::def(), tx, id)
}

fn create_of<'a, L: List>(
    tx: &'a mut Tx<'_>,
    id: &'a str,
    body: Body,
    made: Option<Made>,
) -> Pending<'a, Value> {
    create(L::def(), tx, id, body, made)
}

fn update_of<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str, patch: Body) -> Pending<'a, Value> {
    update(L::def(), tx, id, patch)
}

fn delete_of<'a, L: List>(tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, ()> {
    delete(L::def(), tx, id)
}

fn read(def: &'static ListDef, mut body: Body) -> Result<Draft, Vec<FieldError>> {
    take_options(def.options, &mut body)?;
    drop_kept(def, &mut body);
    write::read(def, body)
}

fn all<'a>(def: &'static ListDef, db: &'a Db) -> Pending<'a, Vec<Value>> {
    Box::pin(async move {
        let mut filter = Filter::everything(def);
        (filter.hidden_too, filter.limit) = (true, i64::MAX);
        let (records, _) = queries::page(db, def, &filter).await?;
        Ok(records.iter().map(|record| record.json()).collect())
    })
}

fn get<'a>(def: &'static ListDef, tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, Option<Value>> {
    Box::pin(async move {
        let record = queries::get_in(tx, def, id).await?;
        Ok(record.map(|record| record.json()))
    })
}

fn create<'a>(
    def: &'static ListDef,
    tx: &'a mut Tx<'_>,
    id: &'a str,
    body: Body,
    made: Option<Made>,
) -> Pending<'a, Value> {
    Box::pin(async move { Ok(write::create(tx, def, id, body, made).await?.json()) })
}

fn update<'a>(def: &'static ListDef, tx: &'a mut Tx<'_>, id: &'a str, patch: Body) -> Pending<'a, Value> {
    Box::pin(async move { Ok(write::update(tx, def, id, patch).await?.json()) })
}

fn delete<'a>(def: &'static ListDef, tx: &'a mut Tx<'_>, id: &'a str) -> Pending<'a, ()> {
    Box::pin(write::delete(tx, def, id))
}

/// The store of a record in its JSON form.
#[must_use]
pub fn store_of<'a>(def: &ListDef, record: &'a Value) -> Option<&'a str> {
    let name = if def.stores { "id" } else { def.store_field()?.name };
    record.get(name).and_then(Value::as_str)
}
