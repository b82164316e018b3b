//! Which items a store counts: its own, or those of its group.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Value, json};

use super::counted::how_many;
use larder_platform::audit::Editor;
use larder_platform::http::ApiError;

/// The choice for a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Its own items; `None` uses the group's.
    pub item_ids: Option<BTreeSet<String>>,
    pub group_id: Option<String>,
}

/// The choice for a store, with its history.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    pub chosen: Chosen,
    /// Number of changes; zero for the default.
    pub revision: i64,
    /// Time and author of the last change.
    pub updated: Option<(Timestamp, Editor)>,
}

#[derive(sqlx::FromRow)]
struct Row {
    store_id: String,
    group_id: Option<String>,
    own: bool,
    revision: i64,
    updated_at: Timestamp,
    updated_by: Json<Editor>,
}

const SELECT: &str = "select store_id, group_id, own, revision, updated_at, updated_by from store_item_visibility \
     where store_id in ";

const CHOICES: &str = "select store_id, item_id from store_item_choices where store_id in ";

fn gather(rows: Vec<Row>, choices: Vec<(String, String)>) -> BTreeMap<String, Shown> {
    let mut own: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (store, item) in choices {
        own.entry(store).or_default().insert(item);
    }
    let shown = |row: Row| {
        let items = own.remove(&row.store_id).unwrap_or_default();
        let chosen = Chosen { item_ids: row.own.then_some(items), group_id: row.group_id };
        let updated = Some((row.updated_at, row.updated_by.0));
        (row.store_id, Shown { chosen, revision: row.revision, updated })
    };
    rows.into_iter().map(shown).collect()
}

/// The choice for a store.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, store_id: &str) -> Result<Shown, DbError> {
    let rows = db.sql(SELECT).push_ids(&[store_id]).all().await?;
    let choices = db.sql(CHOICES).push_ids(&[store_id]).all().await?;
    Ok(gather(rows, choices).remove(store_id).unwrap_or_default())
}

pub(super) async fn of_in(tx: &mut Tx<'_>, stores: &[&str]) -> Result<BTreeMap<String, Shown>, DbError> {
    let rows = tx.sql(SELECT).push_ids(stores).all().await?;
    let choices = tx.sql(CHOICES).push_ids(stores).all().await?;
    Ok(gather(rows, choices))
}

/// Every open store the user may see: id, name, choice, number of items counted.
///
/// # Errors
/// If the database fails.
pub async fn overview(db: &Db, scope: &StoreScope) -> Result<Vec<(String, String, Shown, i64)>, DbError> {
    let query = db.sql("select id, name from locations where not inactive");
    let query = match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => query.push(" and id in ").push_ids(&ids.iter().collect::<Vec<_>>()),
    };
    let stores: Vec<(String, String)> = query.push(" order by name_key, id").all().await?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let mut shown =
        gather(db.sql(SELECT).push_ids(&ids).all().await?, db.sql(CHOICES).push_ids(&ids).all().await?);
    let counted = how_many(db, &ids).await?;
    let of = |(id, name): (String, String)| {
        let many = counted.get(&id).copied().unwrap_or_default();
        let shown = shown.remove(&id).unwrap_or_default();
        (id, name, shown, many)
    };
    Ok(stores.into_iter().map(of).collect())
}

/// Sets the items some stores count. Stores with the same choice stay unchanged.
///
/// # Errors
/// 409 if `revision` is not the store's, 422 for an unknown item or group.
pub async fn set(
    tx: &mut Tx<'_>,
    stores: &[&str],
    chosen: &Chosen,
    revision: Option<i64>,
) -> Result<(), ApiError> {
    if let Some(items) = &chosen.item_ids {
        known_items(tx, items).await?;
    }
    if let Some(group) = &chosen.group_id {
        let found: Option<(String,)> =
            tx.sql("select id from store_item_groups where id = $1").bind(group).optional().await?;
        if found.is_none() {
            return Err(ApiError::field("groupId", "This group does not exist; choose one from the list."));
        }
    }
    let mut known = of_in(tx, stores).await?;
    for &store in stores {
        let before = known.remove(store).unwrap_or_default();
        if revision.is_some_and(|revision| revision != before.revision) {
            let name = before.updated.as_ref().map_or("someone", |(_, by)| by.name.as_str());
            return Err(ApiError::stale(name, wire(store, &before)));
        }
        if before.chosen != *chosen {
            write(tx, store, &before, chosen).await?;
        }
    }
    Ok(())
}

/// Refuses unknown items.
pub(super) async fn known_items(tx: &mut Tx<'_>, items: &BTreeSet<String>) -> Result<(), ApiError> {
    let ids: Vec<&String> = items.iter().collect();
    let known: Vec<(String,)> =
        tx.sql("select id from store_inventory_items where id in ").push_ids(&ids).all().await?;
    if known.len() < items.len() {
        let known: BTreeSet<String> = known.into_iter().map(|(id,)| id).collect();
        let missing = items.iter().find(|id| !known.contains(*id)).map_or("", String::as_str);
        let words = format!("The item «{missing}» does not exist; choose items from the list.");
        return Err(ApiError::field("itemIds", words));
    }
    Ok(())
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    store: &str,
    before: &Shown,
    chosen: &Chosen,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = Editor::from(tx.actor());
    tx.sql(
        "insert into store_item_visibility (store_id, group_id, own, revision, updated_at, updated_by) \
         values ($1, $2, $3, 1, $4, $5) on conflict (store_id) do update set group_id = excluded.group_id, \
         own = excluded.own, revision = store_item_visibility.revision + 1, updated_at = excluded.updated_at, \
         updated_by = excluded.updated_by",
    )
    .bind(store)
    .bind(chosen.group_id.as_deref())
    .bind(chosen.item_ids.is_some())
    .bind(at)
    .bind(Json(by.clone()))
    .execute()
    .await?;
    if before.chosen.item_ids != chosen.item_ids {
        tx.sql("delete from store_item_choices where store_id = $1").bind(store).execute().await?;
        let rows: Vec<(&str, &String)> = chosen.item_ids.iter().flatten().map(|item| (store, item)).collect();
        tx.insert_rows("store_item_choices", &["store_id", "item_id"], rows, "").await?;
    }
    let after = Shown { chosen: chosen.clone(), revision: before.revision + 1, updated: Some((at, by)) };
    let created = before.revision == 0;
    tx.record(Change {
        kind: "storeItemVisibility",
        id: store.to_owned(),
        store_id: Some(store.to_owned()),
        action: if created { ChangeAction::Created } else { ChangeAction::Updated },
        before: (!created).then(|| wire(store, before)),
        after: Some(wire(store, &after)),
    })
    .await
}

fn wire(store: &str, shown: &Shown) -> Value {
    json!({
        "storeId": store,
        "itemIds": shown.chosen.item_ids,
        "groupId": shown.chosen.group_id,
        "revision": shown.revision,
    })
}
