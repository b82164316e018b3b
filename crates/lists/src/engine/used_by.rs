//! «Used by 12 products»: number and kind of references to records.

use std::collections::{BTreeMap, HashMap, HashSet};

use larder_db::{Db, DbError, Json, Query};
use larder_domain::{Action, StoreScope};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::define::{Field, Kind, ListDef, Reads};
use super::uses::{self, Use, quoted};
use larder_platform::http::Who;

/// Records shown per kind of reference.
const SHOWN: i64 = 20;

/// Number of references of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct UseCount {
    /// The referring entity type.
    pub kind: &'static str,
    pub label: &'static str,
    pub count: i64,
}

/// Number of references to a record.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsedBy {
    pub id: String,
    pub total: i64,
    pub uses: Vec<UseCount>,
}

/// A record that refers to another.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
pub struct Referring {
    pub id: String,
    pub name: String,
}

/// References of one kind, the first of them by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsesOfKind {
    /// The referring entity type.
    pub kind: &'static str,
    pub label: &'static str,
    pub count: i64,
    /// The first of them, if they have names and the user may see them.
    pub records: Vec<Referring>,
    /// Number of those the user may not see.
    pub hidden: i64,
}

/// All references to a record.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordUses {
    pub total: i64,
    pub uses: Vec<UsesOfKind>,
}

type Counts = HashMap<String, BTreeMap<&'static str, (&'static str, i64)>>;

/// Number of references to each of some records.
///
/// # Errors
/// If the database fails.
pub(crate) async fn used_by(db: &Db, def: &'static ListDef, ids: &[String]) -> Result<Vec<UsedBy>, DbError> {
    let mut counts = Counts::new();
    for one in uses::of(def) {
        count_column(db, &one, ids, &mut counts).await?;
    }
    let wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
    for (other, fields) in item_fields(def) {
        count_items(db, other, &fields, &wanted, &mut counts).await?;
    }
    Ok(ids
        .iter()
        .map(|id| {
            let uses: Vec<UseCount> = counts
                .remove(id)
                .into_iter()
                .flatten()
                .map(|(kind, (label, count))| UseCount { kind, label, count })
                .collect();
            UsedBy { id: id.clone(), total: uses.iter().map(|one| one.count).sum(), uses }
        })
        .collect())
}

async fn count_column(db: &Db, one: &Use, ids: &[String], counts: &mut Counts) -> Result<(), DbError> {
    let query = db.sql("select ").push(one.column).push(" as id, cast(count(").push(one.counted);
    let query = query.push(") as bigint) as uses from ").push(one.table).push(" where ");
    let query = query.push(one.only.unwrap_or("true")).push(" and ").push(one.column).push(" in ");
    let rows: Vec<(String, i64)> = query.push_ids(ids).push(" group by ").push(one.column).all().await?;
    for (id, count) in rows {
        // A list may refer to another in several fields.
        counts.entry(id).or_default().entry(one.kind).or_insert((one.label, 0)).1 += count;
    }
    Ok(())
}

/// The lists whose items may refer to records of this one. Bills of materials are counted by their versions.
fn item_fields(def: &'static ListDef) -> Vec<(&'static ListDef, Vec<(&'static Field, &'static str)>)> {
    let mut lists: Vec<(&'static ListDef, Vec<_>)> = Vec::new();
    for (other, field, member) in
        uses::items_of(def).into_iter().filter(|(list, ..)| list.table != "pos_items")
    {
        match lists.iter_mut().find(|(known, _)| known.table == other.table) {
            Some((_, fields)) => fields.push((field, member)),
            None => lists.push((other, vec![(field, member)])),
        }
    }
    lists
}

async fn count_items(
    db: &Db,
    other: &'static ListDef,
    fields: &[(&'static Field, &'static str)],
    wanted: &HashSet<&str>,
    counts: &mut Counts,
) -> Result<(), DbError> {
    let mut users: HashMap<String, HashSet<String>> = HashMap::new();
    for (field, member) in fields {
        let rows: Vec<(String, Json<Value>)> = db
            .sql("select id, ")
            .push(field.column)
            .push(" from ")
            .push(other.table)
            .push(" where cast(")
            .push(field.column)
            .push(" as text) <> '[]'")
            .all()
            .await?;
        for (user, items) in rows {
            let used =
                items.0.as_array().into_iter().flatten().filter_map(|item| item.get(*member)?.as_str());
            for id in used.filter(|id| wanted.contains(id)) {
                users.entry(id.to_owned()).or_default().insert(user.clone());
            }
        }
    }
    for (id, users) in users {
        let count = i64::try_from(users.len()).unwrap_or(i64::MAX);
        let known = counts.entry(id).or_default().entry(other.kind).or_insert((other.many, 0));
        known.1 = known.1.max(count);
    }
    Ok(())
}

/// All references to a record: all are counted, and those `who` may see are named.
///
/// # Errors
/// If the database fails.
pub(crate) async fn uses_of_record(
    db: &Db,
    def: &'static ListDef,
    id: &str,
    who: &Who,
) -> Result<RecordUses, DbError> {
    let counted = used_by(db, def, &[id.to_owned()]).await?.pop();
    let mut uses = Vec::new();
    for one in counted.into_iter().flat_map(|one| one.uses) {
        let list = def.catalogue().lists.iter().copied().find(|list| list.kind == one.kind);
        let (records, hidden) = match list.and_then(|list| Some((list, list.field(list.name)?))) {
            None => (Vec::new(), 0),
            Some((list, _)) if list.reads == Reads::Page && !who.can(list.page, Action::View) => {
                (Vec::new(), one.count)
            }
            Some((list, name)) => {
                let query = db.sql("select id, ").push(name.column).push(" as name from ").push(list.table);
                let records = referring(query, def, list, id, &who.scope)
                    .push(" order by ")
                    .push(name.key().unwrap_or("id"))
                    .push(", id limit ")
                    .push_bind(SHOWN)
                    .all()
                    .await?;
                let hidden = match (list.store, &who.scope) {
                    (Some(_), StoreScope::Only(_)) => {
                        let query = db.sql("select cast(count(*) as bigint) from ").push(list.table);
                        let seen: i64 = referring(query, def, list, id, &who.scope).scalar().await?;
                        (one.count - seen).max(0)
                    }
                    _ => 0,
                };
                (records, hidden)
            }
        };
        uses.push(UsesOfKind { kind: one.kind, label: one.label, count: one.count, records, hidden });
    }
    Ok(RecordUses { total: uses.iter().map(|one| one.count).sum(), uses })
}

/// Records of a list the user may see that refer to a record of another.
fn referring<'q>(
    query: Query<'q>,
    def: &'static ListDef,
    list: &'static ListDef,
    id: &str,
    scope: &StoreScope,
) -> Query<'q> {
    let mut query = query.push(" where (false");
    for field in list.fields {
        query = match field.kind {
            Kind::Ref if field.to == def.table => {
                query.push(" or ").push(field.column).push(" = ").push_bind(id.to_owned())
            }
            Kind::Items(items) if items.refs.iter().any(|(_, table)| *table == def.table) => {
                query.push(" or cast(").push(field.column).push(" as text) like ").push_bind(quoted(id))
            }
            _ => query,
        };
    }
    query = query.push(")");
    match (list.store, scope) {
        (Some(column), StoreScope::Only(stores)) => {
            let stores: Vec<&String> = stores.iter().collect();
            query.push(" and ").push(column).push(" in ").push_ids(&stores)
        }
        _ => query,
    }
}
