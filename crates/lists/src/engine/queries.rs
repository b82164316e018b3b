//! Queries of the engine, composed of literals from the declaration.

use larder_db::Json;
use larder_db::{Db, DbError, Query, Tx};
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Map, Value};

use super::define::{Field, Kind, ListDef, Origin};
use super::draft::{Cell, Draft};
use super::fields::Editor;
use super::filter::{Filter, SortBy};
use super::record::AnyRecord;
use super::text::fold;
use larder_platform::search::{Needle, Words};

/// A page of records and their total.
///
/// # Errors
/// If the database fails.
pub async fn page(db: &Db, def: &'static ListDef, filter: &Filter) -> Result<(Vec<AnyRecord>, i64), DbError> {
    let rows = rows(db, def, filter).all_by(def.ops().row).await?;
    let seen = filter.offset + i64::try_from(rows.len()).unwrap_or(i64::MAX);
    // A partial page is the last one, unless it is past the end.
    let last = (rows.len() as i64) < filter.limit && (!rows.is_empty() || filter.offset == 0);
    let total = if last { seen } else { count(db, def, filter).await? };
    Ok((rows, total))
}

/// If nothing matches the search text exactly: a filter with fuzzy results, as in the global search.
///
/// # Errors
/// If the database fails.
pub async fn forgiving(db: &Db, def: &'static ListDef, filter: &Filter) -> Result<Option<Filter>, DbError> {
    let Some(needle) = filter.typed.as_deref().and_then(Needle::read) else { return Ok(None) };
    let all = Filter { like: None, ..filter.clone() };
    let query = db.sql("select t.id, t.search_key from ").push(def.table).push(" t");
    let query = conditions(query, def, &all).push(" order by t.id limit ").push_bind(FORGIVEN);
    let rows: Vec<(String, String)> = query.all().await?;
    let meant = |(_, text): &(String, String)| needle.score(&Words::of("", None, text)).is_some();
    let ids = rows.into_iter().filter(meant).map(|(id, _)| id).take(MEANT).collect();
    Ok(Some(Filter { ids: Some(ids), ..all }))
}

/// The most records searched for typing errors, and the most shown.
const FORGIVEN: i64 = 50_000;
const MEANT: usize = 500;

/// The query of [`page`].
pub fn rows<'q>(db: &'q Db, def: &'static ListDef, filter: &Filter) -> Query<'q> {
    let query = conditions(select(db.sql("select "), def), def, filter);
    order(query.push(" order by "), filter)
        .push(" limit ")
        .push_bind(filter.limit)
        .push(" offset ")
        .push_bind(filter.offset)
}

/// Number of records matching a filter.
///
/// # Errors
/// If the database fails.
pub async fn count(db: &Db, def: &'static ListDef, filter: &Filter) -> Result<i64, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from ").push(def.table).push(" t");
    conditions(query, def, filter).scalar().await
}

/// A record by id.
///
/// # Errors
/// If the database fails.
pub async fn get(db: &Db, def: &'static ListDef, id: &str) -> Result<Option<AnyRecord>, DbError> {
    by_id(db.sql("select "), def, id).optional_by(def.ops().row).await
}

/// A record, read in the transaction.
pub async fn get_in(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<Option<AnyRecord>, DbError> {
    by_id(tx.sql("select "), def, id).optional_by(def.ops().row).await
}

fn by_id<'q>(query: Query<'q>, def: &'static ListDef, id: &str) -> Query<'q> {
    select(query, def).push(" where t.id = ").push_bind(id)
}

fn select<'q>(query: Query<'q>, def: &'static ListDef) -> Query<'q> {
    columns(query, def).push(" from ").push(def.table).push(" t")
}

fn columns<'q>(query: Query<'q>, def: &'static ListDef) -> Query<'q> {
    let mut query = query.push(def.columns);
    if def.tells_maker {
        query = query.push(", created_by");
    }
    if def.tells_editor { query.push(", updated_by") } else { query }
}

fn conditions<'q>(query: Query<'q>, def: &'static ListDef, filter: &Filter) -> Query<'q> {
    let mut query = query.push(" where true");
    if let Some(ids) = &filter.ids {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        query = query.push(" and t.id in ").push_ids(&ids);
    } else if let Some(like) = &filter.like {
        query = query.push(" and t.search_key like ").push_bind(like.clone()).push(" escape '\\'");
    }
    if let Some(hidden) = def.hidden.filter(|_| !filter.hidden_too) {
        query = query.push(" and t.").push(hidden.column).push(" = ").push_bind(!hidden.when);
    }
    if let (Some(column), StoreScope::Only(ids)) = (def.store, &filter.scope) {
        query = among(query.push(" and t.").push(column), ids.iter().cloned().collect());
    }
    for (field, cells) in &filter.equals {
        query = equals(query, field, cells);
    }
    query
}

/// ` in (…)`; matches nothing for an empty list.
fn among<'q>(query: Query<'q>, ids: Vec<String>) -> Query<'q> {
    if ids.is_empty() { query.push(" is null") } else { query.push(" in ").push_in(ids) }
}

fn equals<'q>(query: Query<'q>, field: &'static Field, cells: &[Cell]) -> Query<'q> {
    let column = field.key().unwrap_or(field.column);
    let mut query = query.push(" and (false");
    for cell in cells {
        query = query.push(" or t.").push(column);
        query = match cell.clone() {
            Cell::Text(Some(text)) => query.push(" = ").push_bind(text),
            Cell::Int(Some(number)) => query.push(" = ").push_bind(number),
            Cell::Bool(yes) => query.push(" = ").push_bind(yes),
            Cell::Text(None) | Cell::Int(None) | Cell::Json(_) => query.push(" is null"),
        };
    }
    query.push(")")
}

fn order<'q>(mut query: Query<'q>, filter: &Filter) -> Query<'q> {
    let mut optional = false;
    query = match filter.sort {
        SortBy::Frame(column) => query.push("t.").push(column),
        SortBy::Field(field) => {
            optional = !field.required;
            match (field.key(), field.kind) {
                (Some(key), _) => query.push("t.").push(key),
                (_, Kind::Ref) => query
                    .push("(select r.name_key from ")
                    .push(field.to)
                    .push(" r where r.id = t.")
                    .push(field.column)
                    .push(")"),
                (_, Kind::Text | Kind::Lines) => query.push("lower(t.").push(field.column).push(")"),
                _ => query.push("t.").push(field.column),
            }
        }
    };
    let turned = if filter.descending { " desc" } else { "" };
    query = query.push(turned);
    if optional {
        query = query.push(" nulls last");
    }
    query.push(", t.id").push(turned)
}

/// Columns written beside the declared fields.
pub struct Frame<'a> {
    pub id: &'a str,
    pub editor: &'a Editor,
    pub created_at: Timestamp,
    pub at: Timestamp,
    /// Number of writes, including this one.
    pub revision: i64,
}

/// Inserts a record.
pub async fn insert(tx: &mut Tx<'_>, draft: &Draft, frame: &Frame<'_>) -> Result<AnyRecord, DbError> {
    let def = draft.def;
    let mut query = tx.sql("insert into ").push(def.table).push(" as t (id");
    for field in written(def) {
        query = query.push(", ").push(field.column);
        if let Some(key) = field.key() {
            query = query.push(", ").push(key);
        }
    }
    if def.tells_maker {
        query = query.push(", created_by");
    }
    query = query
        .push(", search_key, extra, revision, created_at, updated_at, updated_by) values (")
        .push_bind(frame.id);
    for (field, cell) in def.fields.iter().zip(&draft.cells).filter(|(field, _)| is_written(field)) {
        query = bind(query.push(", "), cell);
        if field.key().is_some() {
            query = bind(query.push(", "), &key_of(cell));
        }
    }
    if def.tells_maker {
        query = query.push(", ").push_bind(Json(frame.editor.clone()));
    }
    query = query
        .push(", ")
        .push_bind(draft.search_key())
        .push(", ")
        .push_bind(extra(draft))
        .push(", ")
        .push_bind(frame.revision)
        .push(", ")
        .push_bind(frame.created_at)
        .push(", ")
        .push_bind(frame.at)
        .push(", ")
        .push_bind(Json(frame.editor.clone()));
    let inserted = columns(query.push(") returning "), def).optional_by(def.ops().row).await?;
    inserted.ok_or(DbError::NotFound)
}

fn is_written(field: &Field) -> bool {
    field.origin != Origin::Booked
}

fn written(def: &'static ListDef) -> impl Iterator<Item = &'static Field> {
    def.fields.iter().filter(|field| is_written(field))
}

/// Updates a record at its original revision; `None` if that is no longer current.
pub async fn update(
    tx: &mut Tx<'_>,
    draft: &Draft,
    frame: &Frame<'_>,
    revision: i64,
) -> Result<Option<AnyRecord>, DbError> {
    let def = draft.def;
    let mut query = tx.sql("update ").push(def.table).push(" set ");
    for (field, cell) in def.fields.iter().zip(&draft.cells).filter(|(field, _)| is_written(field)) {
        query = bind(query.push(field.column).push(" = "), cell).push(", ");
        if let Some(key) = field.key() {
            query = bind(query.push(key).push(" = "), &key_of(cell)).push(", ");
        }
    }
    query = query
        .push("search_key = ")
        .push_bind(draft.search_key())
        .push(", extra = ")
        .push_bind(extra(draft))
        .push(", revision = revision + 1, updated_at = ")
        .push_bind(frame.at)
        .push(", updated_by = ")
        .push_bind(Json(frame.editor.clone()))
        .push(" where id = ")
        .push_bind(frame.id)
        .push(" and revision = ")
        .push_bind(revision);
    columns(query.push(" returning "), def).optional_by(def.ops().row).await
}

/// Deletes a record; returns the number of rows.
pub async fn delete(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<u64, DbError> {
    tx.sql("delete from ").push(def.table).push(" where id = ").push_bind(id).execute().await
}

/// Which of these records belong to a store the user may see.
///
/// # Errors
/// If the database fails.
pub(crate) async fn within_scope(
    db: &Db,
    def: &'static ListDef,
    scope: &StoreScope,
    ids: Vec<String>,
) -> Result<Vec<String>, DbError> {
    let (Some(column), StoreScope::Only(stores)) = (def.store, scope) else { return Ok(ids) };
    let query = db.sql("select id from ").push(def.table).push(" where id in ").push_ids(&ids);
    let query = among(query.push(" and ").push(column), stores.iter().cloned().collect());
    let rows: Vec<(String,)> = query.push(" order by id").all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The author of a record's last change.
pub async fn editor(tx: &mut Tx<'_>, def: &'static ListDef, id: &str) -> Result<Option<Editor>, DbError> {
    let query = tx.sql("select updated_by from ").push(def.table).push(" where id = ").push_bind(id);
    Ok(query.scalar::<Option<Json<Editor>>>().await?.map(|editor| editor.0))
}

/// Whether a record is its own ancestor.
pub(crate) async fn is_own_ancestor(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    parent: &'static str,
    id: &str,
) -> Result<bool, DbError> {
    // `union` drops duplicates, so a cycle ends the recursion.
    let query = tx
        .sql("with recursive above (id) as (select ")
        .push(parent)
        .push(" from ")
        .push(def.table)
        .push(" where id = ")
        .push_bind(id)
        .push(" union select t.")
        .push(parent)
        .push(" from ")
        .push(def.table)
        .push(" t join above on t.id = above.id) select cast(count(*) as bigint) from above where id = ")
        .push_bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}

fn bind<'q>(query: Query<'q>, cell: &Cell) -> Query<'q> {
    match cell.clone() {
        Cell::Text(text) => query.push_bind(text),
        Cell::Int(number) => query.push_bind(number),
        Cell::Bool(yes) => query.push_bind(yes),
        Cell::Json(value) => query.push_bind(Json(value)),
    }
}

fn key_of(cell: &Cell) -> Cell {
    match cell {
        Cell::Text(Some(text)) => Cell::Text(Some(fold(text))),
        other => other.clone(),
    }
}

fn extra(draft: &Draft) -> Json<Map<String, Value>> {
    Json(draft.extra.clone())
}
