//! Merges two items: sales and use of one move to the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{DbError, Reader, Tx};
use larder_domain::sales::bom::BEGINNING;
use larder_domain::sales::{BomBook, Deltas};
use larder_domain::{BusinessDay, Factor};

use super::days::{self, DayKey};
use super::grow;
use super::parts::{self, Grown};
use super::prepared::Prepared;
use super::replace;
use super::{bom, items, numbers, rollups};
use larder_platform::http::ApiError;

/// The most store days rewritten at once.
const MOST_DAYS: usize = 20_000;

/// Replaces one root item by another in every bill of materials, including past ones, and moves its use.
///
/// # Errors
/// 422 if a multiplier or a sum overflows.
pub fn replace_root_item<'a>(
    tx: &'a mut Tx<'_>,
    from: &'a str,
    into: &'a str,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let sold: Vec<(String,)> = tx
            .sql(
                "select distinct v.pos_item_id from bom_lines l join bom_versions v on v.id = l.bom_id
                 where l.root_item_id = $1 order by v.pos_item_id",
            )
            .bind(from)
            .all()
            .await?;
        if sold.is_empty() {
            return Ok(());
        }
        let known = numbers::assign(tx, sold.iter().map(|(id,)| id.as_str()).chain([into])).await?;
        let items: BTreeSet<u32> = sold.iter().filter_map(|(id,)| known.get(id).copied()).collect();
        let old = bom::load(tx, &items).await?;
        rewrite_lines(tx, from, into).await?;
        let new = bom::load(tx, &items).await?;
        recalculate(tx, &items, &old, &new).await
    })
}

/// Rewrites the lines of all versions: if both items occur in one, their multipliers are added.
async fn rewrite_lines(tx: &mut Tx<'_>, from: &str, into: &str) -> Result<(), ApiError> {
    let both: Vec<(String, Factor, Factor)> = tx
        .sql(
            "select a.bom_id, a.multiplier, b.multiplier from bom_lines a
             join bom_lines b on b.bom_id = a.bom_id and b.root_item_id = $2 where a.root_item_id = $1",
        )
        .bind(from)
        .bind(into)
        .all()
        .await?;
    for (bom_id, a, b) in both {
        let sum = a.checked_add(b).filter(|sum| *sum <= larder_domain::sales::bom::MAX_MULTIPLIER);
        let sum = sum.ok_or_else(rollups::too_large)?;
        tx.sql("update bom_lines set multiplier = $3 where bom_id = $1 and root_item_id = $2")
            .bind(&bom_id)
            .bind(into)
            .bind(sum)
            .execute()
            .await?;
        tx.sql("delete from bom_lines where bom_id = $1 and root_item_id = $2")
            .bind(&bom_id)
            .bind(from)
            .execute()
            .await?;
    }
    tx.sql("update bom_lines set root_item_id = $2 where root_item_id = $1")
        .bind(from)
        .bind(into)
        .execute()
        .await?;
    Ok(())
}

/// Recalculates what the same sales use by other lines of the same versions.
async fn recalculate(
    tx: &mut Tx<'_>,
    sold: &BTreeSet<u32>,
    old: &BomBook,
    new: &BomBook,
) -> Result<(), ApiError> {
    let stores = stores(tx).await?;
    rollups::lock(tx, stores.iter().map(String::as_str)).await?;
    let mut deltas = Deltas::default();
    for store_id in &stores {
        let store: Arc<str> = store_id.as_str().into();
        let days = items::since(tx, store_id, BusinessDay(BEGINNING)).await?;
        for day in days.into_iter().filter(|day| day.counts) {
            let mut uses: BTreeMap<u32, i64> = BTreeMap::new();
            for sum in day.items.iter().filter(|sum| sold.contains(&sum.item)) {
                let Some(seq) = sum.bom else { continue };
                for (book, sign) in [(old, -1), (new, 1)] {
                    let Some(bom) = book.version(sum.item, seq) else { continue };
                    for (root, qty) in bom.uses(sum.figures[0]).ok_or_else(rollups::too_large)? {
                        *uses.entry(root).or_default() += sign * qty;
                    }
                }
            }
            for (root, qty) in uses.into_iter().filter(|(_, qty)| *qty != 0) {
                deltas.add_root(&store, day.date.0, root, qty);
            }
        }
    }
    rollups::apply(tx, &mut deltas).await
}

async fn stores(tx: &mut Tx<'_>) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> =
        tx.sql("select distinct store_id from sales_days order by store_id").all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Turns every sale of one POS item into a sale of another, using the other's bill of materials.
///
/// # Errors
/// 409 if it was sold on too many store days, 422 if a sum overflows.
pub fn replace_pos_item<'a>(
    tx: &'a mut Tx<'_>,
    from: &'a str,
    into: &'a str,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        tx.sql("update sales_aliases set target_id = $2 where kind = 'item' and target_id = $1")
            .bind(from)
            .bind(into)
            .execute()
            .await?;
        let numbers = numbers::assign(tx, [from]).await?;
        let Some(&number) = numbers.get(from) else { return Ok(()) };
        let mut keys = Vec::new();
        for store_id in stores(tx).await? {
            let days = items::since(tx, &store_id, BusinessDay(BEGINNING)).await?;
            let sold = days.into_iter().filter(|day| day.items.iter().any(|item| item.item == number));
            keys.extend(sold.map(|day| DayKey {
                store_id: day.store_id.into(),
                day: day.date,
                source: day.source.into(),
            }));
            // Parts that count nothing now may come back.
            keys.extend(parts::with_item(tx, &store_id, from).await?);
        }
        keys.sort();
        keys.dedup();
        if keys.len() > MOST_DAYS {
            let words = format!(
                "It was sold on {} store-days; at most {MOST_DAYS} are merged in one go. Keep both items.",
                keys.len()
            );
            return Err(ApiError::conflict("tooMany", words));
        }
        replace_in(tx, &keys, from, into).await
    })
}

async fn replace_in(tx: &mut Tx<'_>, keys: &[DayKey], from: &str, into: &str) -> Result<(), ApiError> {
    rollups::lock(tx, keys.iter().map(|key| key.store_id.as_ref())).await?;
    let into: Arc<str> = into.into();
    let mut of_batch: HashMap<Option<String>, Vec<Prepared>> = HashMap::new();
    let mut grown: Vec<Grown> = Vec::new();
    let target = |id: &str| (id == from).then(|| into.clone());
    let mut stored = parts::of_days(&mut Reader::Tx(tx), keys).await?;
    let plain: Vec<DayKey> = keys.iter().filter(|key| !stored.contains_key(key)).cloned().collect();
    let mut whole = days::read_all(&mut Reader::Tx(tx), &plain).await?;
    for key in keys {
        if let Some(mut parts) = stored.remove(key) {
            parts.iter_mut().for_each(|part| parts::rename(&mut part.day, target));
            grown.push(Grown { key: key.clone(), parts });
            continue;
        }
        let Some(mut found) = whole.remove(key) else { continue };
        parts::rename(&mut found.day, target);
        let day = Prepared { corrected_at: found.corrected_at, ..Prepared::new(found.day) };
        of_batch.entry(found.batch_id).or_default().push(day);
    }
    for (batch_id, days) in of_batch {
        replace::replace(tx, &days, batch_id.as_deref()).await?;
    }
    grow::settle(tx, &grown).await?;
    Ok(())
}
