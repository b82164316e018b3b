//! Groups of stores that count the same items.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Change, ChangeAction, Db, DbError, FromRow, Json, Tx};
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Value, json};

use super::visibility::{Chosen, known_items, of_in, write};
use larder_platform::audit::Editor;
use larder_platform::http::text::fold;
use larder_platform::http::{ApiError, FieldError};

/// A group of stores.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub id: String,
    pub name: String,
    /// The items its stores count.
    pub item_ids: BTreeSet<String>,
    pub store_ids: BTreeSet<String>,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

/// A partial change of a group.
#[derive(Debug, Clone, Default)]
pub struct GroupChange {
    pub name: Option<String>,
    /// The items its stores count.
    pub item_ids: Option<BTreeSet<String>>,
    pub store_ids: Option<BTreeSet<String>>,
}

#[derive(FromRow)]
struct Row {
    id: String,
    name: String,
    revision: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
    updated_by: Json<Editor>,
}

const SELECT: &str = "select id, name, revision, created_at, updated_at, updated_by from store_item_groups";
const ITEMS: &str = "select group_id, item_id from store_item_group_items";
const STORES: &str = "select group_id, store_id from store_item_visibility where group_id is not null";

fn gather(rows: Vec<Row>, items: Vec<(String, String)>, stores: Vec<(String, String)>) -> Vec<Group> {
    let by_group = |pairs: Vec<(String, String)>| {
        let mut sets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (group, id) in pairs {
            sets.entry(group).or_default().insert(id);
        }
        sets
    };
    let (mut items, mut stores) = (by_group(items), by_group(stores));
    let group = |row: Row| Group {
        item_ids: items.remove(&row.id).unwrap_or_default(),
        store_ids: stores.remove(&row.id).unwrap_or_default(),
        id: row.id,
        name: row.name,
        revision: row.revision,
        created_at: row.created_at,
        updated_at: row.updated_at,
        updated_by: row.updated_by.0,
    };
    rows.into_iter().map(group).collect()
}

/// All groups, by name.
///
/// # Errors
/// If the database fails.
pub async fn groups(db: &Db) -> Result<Vec<Group>, DbError> {
    let rows = db.sql(SELECT).push(" order by name_key, id").all().await?;
    Ok(gather(rows, db.sql(ITEMS).all().await?, db.sql(STORES).all().await?))
}

/// A group by id.
///
/// # Errors
/// If the database fails.
pub async fn group(db: &Db, id: &str) -> Result<Option<Group>, DbError> {
    let rows = db.sql(SELECT).push(" where id = ").push_bind(id).all().await?;
    let items = db.sql(ITEMS).push(" where group_id = ").push_bind(id).all().await?;
    let stores = db.sql(STORES).push(" and group_id = ").push_bind(id).all().await?;
    Ok(gather(rows, items, stores).pop())
}

async fn group_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Group>, DbError> {
    let rows = tx.sql(SELECT).push(" where id = ").push_bind(id).all().await?;
    let items = tx.sql(ITEMS).push(" where group_id = ").push_bind(id).all().await?;
    let stores = tx.sql(STORES).push(" and group_id = ").push_bind(id).all().await?;
    Ok(gather(rows, items, stores).pop())
}

/// Creates or updates a group. Its stores leave their previous group. A group with a store the user may not
/// see is refused.
///
/// # Errors
/// 403, 404 without a name for a new one, 409 if it was changed since or the name is taken, 422.
pub async fn change(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    revision: Option<i64>,
    change: &GroupChange,
) -> Result<(), ApiError> {
    let before = group_in(tx, id).await?;
    if before.is_none() && revision.is_some() {
        return Err(ApiError::not_found("group"));
    }
    if let Some(before) = &before {
        refuse_far(scope, &before.store_ids)?;
        if revision != Some(before.revision) {
            return Err(ApiError::stale(&before.updated_by.name, wire(before)));
        }
    }
    let name = change.name.clone().or_else(|| before.as_ref().map(|group| group.name.clone()));
    let name = name.ok_or_else(|| ApiError::field("name", "Enter a name."))?;
    if let Some(items) = &change.item_ids {
        known_items(tx, items).await?;
    }
    if let Some(stores) = &change.store_ids {
        refuse_far(scope, stores)?;
        known_stores(tx, stores).await?;
    }
    write_group(tx, id, &name, before.is_none()).await?;
    if let Some(items) = &change.item_ids {
        tx.sql("delete from store_item_group_items where group_id = $1").bind(id).execute().await?;
        let rows: Vec<(&str, &String)> = items.iter().map(|item| (id, item)).collect();
        tx.insert_rows("store_item_group_items", &["group_id", "item_id"], rows, "").await?;
    }
    if let Some(wanted) = &change.store_ids {
        let had = before.as_ref().map(|group| group.store_ids.clone()).unwrap_or_default();
        regroup(tx, had.difference(wanted), None).await?;
        regroup(tx, wanted.difference(&had), Some(id)).await?;
    }
    let after = group_in(tx, id).await?;
    record(tx, id, before.as_ref(), after.as_ref()).await?;
    Ok(())
}

async fn write_group(tx: &mut Tx<'_>, id: &str, name: &str, new: bool) -> Result<(), ApiError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let query = if new {
        tx.sql(
            "insert into store_item_groups (id, name, name_key, revision, created_at, updated_at, updated_by) \
             values ($1, $2, $3, 1, $4, $4, $5)",
        )
    } else {
        tx.sql(
            "update store_item_groups set name = $2, name_key = $3, revision = revision + 1, updated_at = $4, \
             updated_by = $5 where id = $1",
        )
    };
    let written = query.bind(id).bind(name).bind(fold(name)).bind(at).bind(by).execute().await;
    written.map_err(|error| match &error {
        DbError::Violation(violation) if violation.fields.iter().any(|field| field == "name_key") => {
            let words = "Another group has this name.";
            let mut refusal = ApiError::conflict("duplicate", words);
            refusal.fields.push(FieldError::new("name", words));
            refusal
        }
        _ => error.into(),
    })?;
    Ok(())
}

async fn known_stores(tx: &mut Tx<'_>, stores: &BTreeSet<String>) -> Result<(), ApiError> {
    let ids: Vec<&String> = stores.iter().collect();
    let known: i64 =
        tx.sql("select cast(count(*) as bigint) from locations where id in ").push_ids(&ids).scalar().await?;
    if usize::try_from(known).is_ok_and(|known| known == stores.len()) {
        return Ok(());
    }
    Err(ApiError::field("storeIds", "One of these stores does not exist; choose stores from the list."))
}

/// Moves stores into or out of a group; their own items stay.
async fn regroup<'a>(
    tx: &mut Tx<'_>,
    stores: impl Iterator<Item = &'a String>,
    group: Option<&str>,
) -> Result<(), DbError> {
    let stores: Vec<&str> = stores.map(String::as_str).collect();
    let mut known = of_in(tx, &stores).await?;
    for store in stores {
        let before = known.remove(store).unwrap_or_default();
        let chosen = Chosen { item_ids: before.chosen.item_ids.clone(), group_id: group.map(str::to_owned) };
        write(tx, store, &before, &chosen).await?;
    }
    Ok(())
}

/// Deletes a group. Its stores count their own items, or all.
///
/// # Errors
/// 403 if the user may not see one of its stores, 404.
pub async fn delete(tx: &mut Tx<'_>, scope: &StoreScope, id: &str) -> Result<(), ApiError> {
    let before = group_in(tx, id).await?.ok_or_else(|| ApiError::not_found("group"))?;
    refuse_far(scope, &before.store_ids)?;
    regroup(tx, before.store_ids.iter(), None).await?;
    tx.sql("delete from store_item_group_items where group_id = $1").bind(id).execute().await?;
    tx.sql("delete from store_item_groups where id = $1").bind(id).execute().await?;
    Ok(record(tx, id, Some(&before), None).await?)
}

fn refuse_far(scope: &StoreScope, stores: &BTreeSet<String>) -> Result<(), ApiError> {
    if stores.iter().all(|store| scope.contains(store)) { Ok(()) } else { Err(ApiError::out_of_scope()) }
}

async fn record(
    tx: &mut Tx<'_>,
    id: &str,
    before: Option<&Group>,
    after: Option<&Group>,
) -> Result<(), DbError> {
    let action = match (before, after) {
        (None, _) => ChangeAction::Created,
        (_, None) => ChangeAction::Deleted,
        _ => ChangeAction::Updated,
    };
    let (before, after) = (before.map(wire), after.map(wire));
    tx.record(Change { kind: "storeItemGroup", id: id.to_owned(), store_id: None, action, before, after })
        .await
}

fn wire(group: &Group) -> Value {
    json!({
        "id": group.id,
        "name": group.name,
        "itemIds": group.item_ids,
        "storeIds": group.store_ids,
        "revision": group.revision,
    })
}
