//! Versioned bills of materials: setting and reading versions, and recalculating past sales.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{Db, DbError, Json, Tx};
use larder_domain::sales::bom::{BEGINNING, checked_lines};
use larder_domain::sales::day::pack_items;
use larder_domain::sales::{Bom, BomBook, Deltas};
use larder_domain::{BusinessDay, Factor};

use super::store::DAY_ITEM_COLUMNS;
use super::{items, numbers, parts, rollups};
use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, FieldError};

/// When a new version takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BomFrom {
    /// Today; an item's first version from the beginning.
    Now,
    /// On a chosen day.
    Day(BusinessDay),
}

/// Sets an item's bill of materials. Past sales keep their version; see [`recompute`]. Returns the new
/// version's id, or `None` if the lines are unchanged.
///
/// # Errors
/// 422 at `bom.{n}.multiplier` or `bom.{n}.rootProductId`.
pub fn set<'a>(
    tx: &'a mut Tx<'_>,
    pos_item_id: &'a str,
    lines: &'a [(String, Factor)],
    from: BomFrom,
) -> BoxFuture<'a, Result<Option<String>, ApiError>> {
    Box::pin(set_now(tx, pos_item_id, lines, from))
}

async fn set_now(
    tx: &mut Tx<'_>,
    pos_item_id: &str,
    lines: &[(String, Factor)],
    from: BomFrom,
) -> Result<Option<String>, ApiError> {
    let lines = checked_lines(lines).map_err(|(at, message)| {
        let part = if message.starts_with("Choose") { "rootProductId" } else { "multiplier" };
        ApiError::invalid(vec![FieldError::new(format!("bom.{at}.{part}"), message)])
    })?;
    let last: Option<(String, i64)> = tx
        .sql("select id, seq from bom_versions where pos_item_id = $1 order by seq desc limit 1")
        .bind(pos_item_id)
        .optional()
        .await?;
    let valid_from = match (&last, from) {
        (None, _) if lines.is_empty() => return Ok(None),
        (Some((id, _)), BomFrom::Now) if lines_of(tx, id).await? == lines => return Ok(None),
        (None, BomFrom::Now) => BusinessDay(BEGINNING),
        (Some(_), BomFrom::Now) => BusinessDay::of(tx.actor().at),
        (_, BomFrom::Day(day)) => day,
    };
    let seq = last.map_or(1, |(_, seq)| seq + 1);
    Ok(Some(add_version(tx, pos_item_id, (seq, valid_from), &lines).await?))
}

/// Gives an item that never had a bill of materials all versions of another item's, if `lines` are the latest: sales of
/// earlier days use what the other item was made of then. Returns whether it did.
///
/// # Errors
/// If the database fails.
pub async fn inherit(
    tx: &mut Tx<'_>,
    pos_item_id: &str,
    of: &str,
    lines: &[(String, Factor)],
) -> Result<bool, DbError> {
    let theirs = versions(tx, of).await?;
    let Some((latest, ..)) = theirs.last() else { return Ok(false) };
    let mut lines = lines.to_vec();
    lines.sort();
    if lines_of(tx, latest).await? != lines || !versions(tx, pos_item_id).await?.is_empty() {
        return Ok(false);
    }
    for (id, seq, valid_from) in &theirs {
        let lines = lines_of(tx, id).await?;
        add_version(tx, pos_item_id, (*seq, *valid_from), &lines).await?;
    }
    Ok(true)
}

/// Id, place in the item's history and first day of its versions, the first one first.
async fn versions(tx: &mut Tx<'_>, item: &str) -> Result<Vec<(String, i64, BusinessDay)>, DbError> {
    tx.sql("select id, seq, valid_from from bom_versions where pos_item_id = $1 order by seq")
        .bind(item)
        .all()
        .await
}

/// Adds a version with its place in the item's history and its first day. Returns its id.
async fn add_version(
    tx: &mut Tx<'_>,
    pos_item_id: &str,
    (seq, valid_from): (i64, BusinessDay),
    lines: &[(String, Factor)],
) -> Result<String, DbError> {
    let id = format!("{pos_item_id}_{seq}");
    let actor = tx.actor();
    let by = Editor::from(actor);
    tx.sql(
        "insert into bom_versions (id, pos_item_id, seq, valid_from, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&id)
    .bind(pos_item_id)
    .bind(seq)
    .bind(valid_from)
    .bind(actor.at)
    .bind(Json(by))
    .execute()
    .await?;
    // Packed sums refer to items by number.
    numbers::assign(tx, lines.iter().map(|(root, _)| root.as_str()).chain([pos_item_id])).await?;
    for (root_item_id, multiplier) in lines {
        tx.sql("insert into bom_lines (bom_id, root_item_id, multiplier) values ($1, $2, $3)")
            .bind(&id)
            .bind(root_item_id)
            .bind(*multiplier)
            .execute()
            .await?;
    }
    Ok(id)
}

async fn lines_of(tx: &mut Tx<'_>, bom_id: &str) -> Result<Vec<(String, Factor)>, DbError> {
    tx.sql("select root_item_id, multiplier from bom_lines where bom_id = $1 order by root_item_id")
        .bind(bom_id)
        .all()
        .await
}

/// POS item number and bill version → root items with their quantity.
pub type Users = HashMap<(u32, Option<i64>), Vec<(String, Factor)>>;

/// The users of some root items, now or in the past.
///
/// # Errors
/// If the database fails.
pub async fn users(db: &Db, roots: &[&str]) -> Result<Users, DbError> {
    let rows: Vec<(String, i64, i64, Factor)> = db
        .sql(
            "select b.root_item_id, n.number, v.seq, b.multiplier from bom_lines b \
             join bom_versions v on v.id = b.bom_id join sales_numbers n on n.item_id = v.pos_item_id \
             where b.root_item_id in ",
        )
        .push_ids(roots)
        .all()
        .await?;
    let mut users = Users::new();
    for (root, number, seq, multiplier) in rows {
        let Ok(number) = u32::try_from(number) else { continue };
        users.entry((number, Some(seq))).or_default().push((root, multiplier));
    }
    Ok(users)
}

/// Deletes the versions of an item about to be deleted; `false` if sales refer to it.
///
/// # Errors
/// If the database fails.
pub async fn forget(tx: &mut Tx<'_>, pos_item_id: &str) -> Result<bool, DbError> {
    if is_sold(tx, pos_item_id).await? {
        return Ok(false);
    }
    tx.sql("delete from bom_lines where bom_id in (select id from bom_versions where pos_item_id = $1)")
        .bind(pos_item_id)
        .execute()
        .await?;
    tx.sql("delete from bom_versions where pos_item_id = $1").bind(pos_item_id).execute().await?;
    tx.sql("delete from sales_aliases where kind = 'item' and target_id = $1")
        .bind(pos_item_id)
        .execute()
        .await?;
    Ok(true)
}

/// Whether there are posted sales of this item, also in store days, or parts of them, that count nothing now.
///
/// # Errors
/// If the database fails.
pub(crate) async fn is_sold(tx: &mut Tx<'_>, pos_item_id: &str) -> Result<bool, DbError> {
    let months: Option<(i64,)> = tx
        .sql("select period from sales_rollup_pos where grain = 30 and pos_item_id = $1 limit 1")
        .bind(pos_item_id)
        .optional()
        .await?;
    Ok(months.is_some()
        || parts::mention(tx, pos_item_id).await?
        || items::left_out_mention(tx, pos_item_id).await?)
}

#[derive(larder_db::FromRow)]
struct VersionLine {
    item: i64,
    seq: i64,
    valid_from: BusinessDay,
    root: Option<i64>,
    multiplier: Option<Factor>,
}

const VERSIONS: &str = "select p.number as item, v.seq, v.valid_from, r.number as root, l.multiplier from ";

const AND_LINES: &str = " left join bom_lines l on l.bom_id = v.id
    left join sales_numbers r on r.item_id = l.root_item_id";

const IN_ORDER: &str = " order by p.number, v.seq, r.number";

/// All versions of some items' bills of materials.
///
/// # Errors
/// If the database fails.
pub(super) async fn load(tx: &mut Tx<'_>, items: &BTreeSet<u32>) -> Result<BomBook, DbError> {
    let rows = tx
        .sql(VERSIONS)
        .push_rows(&["number"], items.iter().map(|item| (i64::from(*item),)))
        // SQLite joins a cross join's tables in the order written: each row is found by its key.
        .push(" k cross join sales_numbers p cross join bom_versions v")
        .push(AND_LINES)
        .push(" where p.number = k.number and v.pos_item_id = p.item_id")
        .push(IN_ORDER)
        .all()
        .await?;
    book(rows)
}

/// All versions of all items' bills of materials.
///
/// # Errors
/// If the database fails.
pub(super) async fn load_all(db: &Db) -> Result<BomBook, DbError> {
    let rows = db
        .sql(VERSIONS)
        .push("bom_versions v join sales_numbers p on p.item_id = v.pos_item_id")
        .push(AND_LINES)
        .push(IN_ORDER)
        .all()
        .await?;
    book(rows)
}

fn book(rows: Vec<VersionLine>) -> Result<BomBook, DbError> {
    let fits = |number: i64| {
        u32::try_from(number).map_err(|_| DbError::Invalid(format!("{number} is no item's number")))
    };
    let mut book = BomBook::default();
    for version in rows.chunk_by(|a, b| (a.item, a.seq) == (b.item, b.seq)) {
        let mut lines = Vec::with_capacity(version.len());
        for row in version {
            if let (Some(root), Some(multiplier)) = (row.root, row.multiplier) {
                lines.push((fits(root)?, multiplier));
            }
        }
        let first = &version[0];
        book.add(fits(first.item)?, Bom { seq: first.seq, valid_from: first.valid_from.0, lines });
    }
    Ok(book)
}

/// Recalculates an item's sales from a day on with the versions now in force: «recompute from {date}».
/// Returns the number of changed store days.
///
/// # Errors
/// 422 if a quantity overflows.
pub fn recompute<'a>(
    tx: &'a mut Tx<'_>,
    pos_item_id: &'a str,
    from: BusinessDay,
) -> BoxFuture<'a, Result<u64, ApiError>> {
    Box::pin(recompute_now(tx, pos_item_id, from))
}

async fn recompute_now(tx: &mut Tx<'_>, pos_item_id: &str, from: BusinessDay) -> Result<u64, ApiError> {
    let numbers = numbers::assign(tx, [pos_item_id]).await?;
    let Some(&item) = numbers.get(pos_item_id) else { return Ok(0) };
    let book = load(tx, &BTreeSet::from([item])).await?;
    let stores: Vec<(String,)> = tx
        .sql("select distinct store_id from sales_days where business_date >= $1 order by store_id")
        .bind(from)
        .all()
        .await?;
    rollups::lock(tx, stores.iter().map(|row| row.0.as_str())).await?;
    let mut deltas = Deltas::default();
    let mut count = 0;
    // Store by store: a year of one is a megabyte.
    for (store_id,) in &stores {
        let store: Arc<str> = store_id.as_str().into();
        let days = items::since(tx, store_id, from).await?;
        let mut changed = Vec::new();
        for mut day in days {
            let Some(at) = day.items.iter().position(|sum| sum.item == item) else { continue };
            let sum = &mut day.items[at];
            let bom = book.at(item, day.date.0);
            if bom.map(|bom| bom.seq) == sum.bom {
                continue;
            }
            let old = sum.bom.and_then(|seq| book.version(item, seq));
            let mut uses: BTreeMap<u32, i64> = BTreeMap::new();
            for (bom, sign) in [(old, -1), (bom, 1)] {
                let Some(bom) = bom else { continue };
                for (root, qty) in bom.uses(sum.figures[0]).ok_or_else(rollups::too_large)? {
                    *uses.entry(root).or_default() += sign * qty;
                }
            }
            for (root, qty) in uses.into_iter().filter(|_| day.counts) {
                deltas.add_root(&store, day.date.0, root, qty);
            }
            sum.bom = bom.map(|bom| bom.seq);
            changed.push(day);
        }
        count += changed.len() as u64;
        let rows = changed.iter().map(|day| {
            (store_id.as_str(), day.date, day.source.as_str(), day.unmapped, pack_items(&day.items))
        });
        let rows: Vec<_> = rows.collect();
        tx.insert_rows(
            "sales_day_items",
            &DAY_ITEM_COLUMNS,
            rows,
            "on conflict (store_id, business_date, source) do update set packed = excluded.packed",
        )
        .await?;
    }
    rollups::apply(tx, &mut deltas).await?;
    Ok(count)
}
