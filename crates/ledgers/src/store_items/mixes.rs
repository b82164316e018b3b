//! Mixes: how a counted item is split over recipes in a store.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Change, ChangeAction, Db, DbError, FromRow, Json, Query, Tx};
use larder_domain::mix::Split;
use larder_domain::{Qty, StoreScope, Timestamp};
use serde_json::{Value, json};

use super::versions;
use larder_platform::audit::Editor;
use larder_platform::http::ApiError;
use larder_platform::http::scope;
use larder_platform::http::scope::OfStore;

/// A mix of recipes.
#[derive(Debug, Clone)]
pub struct Mix {
    /// Its head row.
    pub row: MixRow,
    /// Its parts, as entered.
    pub splits: Vec<Split>,
}

/// The head of a mix.
#[derive(Debug, Clone, FromRow)]
pub struct MixRow {
    pub store_id: String,
    pub item_id: String,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

const SELECT: &str =
    "select store_id, item_id, revision, updated_at, updated_by from store_item_mixes where store_id in ";
const SPLITS: &str =
    "select store_id, item_id, recipe_id, percent from store_item_mix_splits where store_id in ";

type SplitRow = (String, String, String, Qty);

/// A mix's id: `storeId_itemId`.
#[must_use]
pub fn mix_id(store_id: &str, item_id: &str) -> String {
    format!("{store_id}_{item_id}")
}

fn gather(rows: Vec<MixRow>, splits: Vec<SplitRow>) -> Vec<Mix> {
    let mut of: BTreeMap<(String, String), Vec<Split>> = BTreeMap::new();
    for (store, item, recipe_id, percent) in splits {
        of.entry((store, item)).or_default().push(Split { recipe_id, percent });
    }
    let mix = |row: MixRow| {
        let splits = of.remove(&(row.store_id.clone(), row.item_id.clone())).unwrap_or_default();
        Mix { row, splits }
    };
    rows.into_iter().map(mix).collect()
}

/// The mixes of some stores, of one item or all.
///
/// # Errors
/// If the database fails.
pub async fn mixes<S: AsRef<str>>(db: &Db, stores: &[S], item: Option<&str>) -> Result<Vec<Mix>, DbError> {
    let (mut rows, mut splits) = (db.sql(SELECT).push_ids(stores), db.sql(SPLITS).push_ids(stores));
    if let Some(item) = item {
        rows = rows.push(" and item_id = ").push_bind(item);
        splits = splits.push(" and item_id = ").push_bind(item);
    }
    let rows = rows.push(" order by store_id, item_id").all().await?;
    Ok(gather(rows, splits.push(" order by store_id, item_id, line_no").all().await?))
}

/// Store and item of a mix.
#[derive(Debug, Clone, FromRow)]
pub struct MixOf {
    pub store_id: String,
    /// The item that is split there.
    pub item_id: String,
}

impl OfStore for MixOf {
    fn store_id(&self) -> Option<&str> {
        Some(&self.store_id)
    }
}

/// Store and item of a mix id; both must exist. Either id may contain an underscore.
///
/// # Errors
/// 404 if one does not exist, 403 for a store the user may not see.
pub async fn read_named(db: &Db, scope: &StoreScope, id: &str) -> Result<MixOf, ApiError> {
    scope::authorize_store(named(db.sql(NAMED), id).optional().await?, "mix", scope)
}

/// As [`read_named`], without authorization; `None` if one does not exist.
///
/// # Errors
/// If the database fails.
pub async fn named_anywhere(db: &Db, id: &str) -> Result<Option<(String, String)>, DbError> {
    named(db.sql(NAMED), id).optional().await
}

/// As [`read_named`], in the transaction that changes it.
///
/// # Errors
/// As [`read_named`].
pub async fn named_in(tx: &mut Tx<'_>, scope: &StoreScope, id: &str) -> Result<MixOf, ApiError> {
    scope::authorize_store(named(tx.sql(NAMED), id).optional().await?, "mix", scope)
}

const NAMED: &str = "select l.id as store_id, i.id as item_id from ";

fn named<'q>(query: Query<'q>, id: &str) -> Query<'q> {
    let pairs = id.match_indices('_').map(|(at, _)| (&id[..at], &id[at + 1..]));
    let pairs: Vec<(&str, &str)> = pairs.filter(|(a, b)| !a.is_empty() && !b.is_empty()).collect();
    query.push_rows(&["store_id", "item_id"], pairs).push(
        " r join locations l on l.id = r.store_id join store_inventory_items i on i.id = r.item_id limit 1",
    )
}

/// Sets an item's mix in some stores; no parts remove it. Stores with the same mix stay unchanged.
///
/// # Errors
/// 409 if `revision` is not the mix's, 422 for an unknown item or recipe.
pub async fn set(
    tx: &mut Tx<'_>,
    stores: &[&str],
    item: &str,
    splits: &[Split],
    revision: Option<i64>,
) -> Result<(), ApiError> {
    refuse_unknown(tx, item, splits).await?;
    let rows = tx.sql(SELECT).push_ids(stores).push(" and item_id = ").push_bind(item).all().await?;
    let query = tx.sql(SPLITS).push_ids(stores).push(" and item_id = ").push_bind(item);
    let parts = query.push(" order by store_id, line_no").all().await?;
    let mut known: BTreeMap<String, Mix> =
        gather(rows, parts).into_iter().map(|mix| (mix.row.store_id.clone(), mix)).collect();
    for &store in stores {
        let before = known.remove(store);
        let now = before.as_ref().map_or(0, |mix| mix.row.revision);
        if revision.is_some_and(|revision| revision != now) {
            let name = before.as_ref().map_or("someone", |mix| mix.row.updated_by.name.as_str());
            let current = before.as_ref().map_or(Value::Null, |mix| wire(&mix.row, &mix.splits));
            return Err(ApiError::stale(name, current));
        }
        if before.as_ref().map_or(&[] as &[Split], |mix| &mix.splits) != splits {
            write(tx, store, item, before.as_ref(), splits).await?;
        }
    }
    Ok(())
}

async fn refuse_unknown(tx: &mut Tx<'_>, item: &str, splits: &[Split]) -> Result<(), ApiError> {
    let found: Option<(String,)> =
        tx.sql("select id from store_inventory_items where id = $1").bind(item).optional().await?;
    if found.is_none() {
        return Err(ApiError::field("itemId", "This item does not exist; choose one from the list."));
    }
    let ids: Vec<&String> = splits.iter().map(|split| &split.recipe_id).collect();
    let known: Vec<(String,)> = tx.sql("select id from recipes where id in ").push_ids(&ids).all().await?;
    let known: BTreeSet<String> = known.into_iter().map(|(id,)| id).collect();
    match ids.iter().position(|id| !known.contains(*id)) {
        None => Ok(()),
        Some(at) => {
            let words = "This recipe does not exist; choose one from the list.";
            Err(ApiError::field(format!("splits.{at}.recipeId"), words))
        }
    }
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    store: &str,
    item: &str,
    before: Option<&Mix>,
    splits: &[Split],
) -> Result<(), DbError> {
    versions::note_mix(tx, (store, item), before.map(|mix| &mix.splits[..]), splits).await?;
    tx.sql("delete from store_item_mix_splits where store_id = $1 and item_id = $2")
        .bind(store)
        .bind(item)
        .execute()
        .await?;
    let after = if splits.is_empty() {
        tx.sql("delete from store_item_mixes where store_id = $1 and item_id = $2")
            .bind(store)
            .bind(item)
            .execute()
            .await?;
        None
    } else {
        let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
        let row: MixRow = tx
            .sql(
                "insert into store_item_mixes (store_id, item_id, revision, updated_at, updated_by) \
                 values ($1, $2, 1, $3, $4) on conflict (store_id, item_id) do update set \
                 revision = store_item_mixes.revision + 1, updated_at = excluded.updated_at, \
                 updated_by = excluded.updated_by returning store_id, item_id, revision, updated_at, updated_by",
            )
            .bind(store)
            .bind(item)
            .bind(at)
            .bind(by)
            .one()
            .await?;
        let lines = (1i64..).zip(splits);
        let lines: Vec<_> =
            lines.map(|(line, split)| (store, item, line, &split.recipe_id, split.percent)).collect();
        let columns = &["store_id", "item_id", "line_no", "recipe_id", "percent"];
        tx.insert_rows("store_item_mix_splits", columns, lines, "").await?;
        Some(row)
    };
    let action = match (before, &after) {
        (None, None) => return Ok(()),
        (None, Some(_)) => ChangeAction::Created,
        (Some(_), Some(_)) => ChangeAction::Updated,
        (Some(_), None) => ChangeAction::Deleted,
    };
    tx.record(Change {
        kind: "storeItemMix",
        id: mix_id(store, item),
        store_id: Some(store.to_owned()),
        action,
        before: before.map(|mix| wire(&mix.row, &mix.splits)),
        after: after.map(|row| wire(&row, splits)),
    })
    .await
}

fn wire(row: &MixRow, splits: &[Split]) -> Value {
    json!({ "storeId": row.store_id, "itemId": row.item_id, "splits": splits, "revision": row.revision })
}
