//! Item numbers in packed data: POS items, root items and unmapped names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use larder_db::{Db, DbError, Tx};
use larder_domain::sales::names::QuickMap;
use larder_domain::sales::{SoldItem, UNMAPPED};

/// Item ids by number.
pub type Ids = QuickMap<u32, Arc<str>>;

fn fits(number: i64) -> Result<u32, DbError> {
    u32::try_from(number).map_err(|_| DbError::Invalid("there are more items than numbers".to_owned()))
}

/// Numbers of some items, assigned if missing.
pub(super) async fn assign<'a>(
    tx: &mut Tx<'_>,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<HashMap<String, u32>, DbError> {
    let ids: BTreeSet<&str> = ids.into_iter().collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut numbers = known(tx, &ids).await?;
    let missing: Vec<(&str,)> =
        ids.into_iter().filter(|id| !numbers.contains_key(*id)).map(|id| (id,)).collect();
    if !missing.is_empty() {
        // Of two concurrent assignments, the second retries and finds the first.
        tx.insert_rows("sales_numbers", &["item_id"], &missing, "on conflict (item_id) do nothing").await?;
        let new: Vec<&str> = missing.iter().map(|(id,)| *id).collect();
        numbers.extend(known(tx, &new).await?);
    }
    Ok(numbers)
}

async fn known(tx: &mut Tx<'_>, ids: &[&str]) -> Result<HashMap<String, u32>, DbError> {
    let rows: Vec<(String, i64)> =
        tx.sql("select item_id, number from sales_numbers where item_id in ").push_ids(ids).all().await?;
    rows.into_iter().map(|(id, number)| Ok((id, fits(number)?))).collect()
}

/// The items with these numbers.
pub(super) async fn ids_of(tx: &mut Tx<'_>, numbers: &BTreeSet<u32>) -> Result<Ids, DbError> {
    let rows: Vec<(i64, String)> = tx
        .sql("select n.number, n.item_id from ")
        .push_rows(&["number"], numbers.iter().map(|number| (i64::from(*number),)))
        // SQLite joins a cross join's tables in the order written: each row is found by its key.
        .push(" k cross join sales_numbers n where n.number = k.number")
        .all()
        .await?;
    rows.into_iter().map(|(number, id)| Ok((fits(number)?, id.into()))).collect()
}

/// All item ids by number.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db) -> Result<Ids, DbError> {
    let rows: Vec<(i64, String)> = db.sql("select number, item_id from sales_numbers").all().await?;
    rows.into_iter().map(|(number, id)| Ok((fits(number)?, id.into()))).collect()
}

/// Keeps how unmapped names are written; the last of several spellings counts.
pub(super) async fn keep_written<'a>(
    tx: &mut Tx<'_>,
    items: impl IntoIterator<Item = &'a SoldItem>,
) -> Result<(), DbError> {
    let unmapped = items.into_iter().filter(|item| item.pos_item_id.starts_with(UNMAPPED));
    let names: BTreeMap<&str, &str> =
        unmapped.map(|item| (item.pos_item_id.as_ref(), item.source_item.as_ref())).collect();
    if names.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = names.keys().copied().collect();
    let kept: Vec<(String, Option<String>)> =
        tx.sql("select item_id, written from sales_numbers where item_id in ").push_ids(&ids).all().await?;
    let kept: HashMap<String, Option<String>> = kept.into_iter().collect();
    for (id, name) in names {
        if kept.get(id).is_some_and(|kept| kept.as_deref() != Some(name)) {
            tx.sql("update sales_numbers set written = $1 where item_id = $2")
                .bind(name)
                .bind(id)
                .execute()
                .await?;
        }
    }
    Ok(())
}

/// Unmapped names as files and tills last wrote them, by item id ([`UNMAPPED`] and the key).
///
/// # Errors
/// If the database fails.
pub async fn written(db: &Db) -> Result<HashMap<String, String>, DbError> {
    let rows: Vec<(String, String)> = db
        .sql(
            "select item_id, written from sales_numbers
             where item_id >= 'unmapped:' and item_id < 'unmapped;' and written is not null",
        )
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// The number of an item, if it has one.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, id: &str) -> Result<Option<u32>, DbError> {
    let row: Option<(i64,)> =
        db.sql("select number from sales_numbers where item_id = $1").bind(id).optional().await?;
    row.map(|(number,)| fits(number)).transpose()
}

/// How many of these items have a number, that is, were sold before.
///
/// # Errors
/// If the database fails.
pub async fn count_of(db: &Db, ids: &[&str]) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from sales_numbers where item_id in ")
        .push_ids(ids)
        .scalar()
        .await
}

/// Numbers of those items that have one.
///
/// # Errors
/// If the database fails.
pub(super) async fn of_all(db: &Db, ids: &[String]) -> Result<BTreeSet<u32>, DbError> {
    let rows: Vec<(i64,)> =
        db.sql("select number from sales_numbers where item_id in ").push_ids(ids).all().await?;
    rows.into_iter().map(|(number,)| fits(number)).collect()
}
