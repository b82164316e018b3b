//! Bills of materials over time: setting a version, reading them, and reckoning past sales anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{Db, DbError, Json, Tx};
use larder_domain::sales::bom::{BEGINNING, checked_lines};
use larder_domain::sales::{Bom, BomBook, Deltas};
use larder_domain::{BusinessDay, Factor};
use serde_json::json;

use super::rollups;
use super::store::DAY_ITEM_COLUMNS;
use crate::http::{ApiError, FieldError};

/// From when a new version counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BomFrom {
    /// From today; an item's first version from the beginning.
    Now,
    /// From a chosen day.
    Day(BusinessDay),
}

/// Sets what an item is made of. Past sales keep what they were reckoned with; see [`recompute`].
/// Answers the new version's id, or nothing when the lines are what they were.
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
    let id = format!("{pos_item_id}_{seq}");
    let actor = tx.actor();
    let by = json!({ "uid": actor.uid, "name": actor.name, "email": actor.email });
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
    for (root_item_id, multiplier) in &lines {
        tx.sql("insert into bom_lines (bom_id, root_item_id, multiplier) values ($1, $2, $3)")
            .bind(&id)
            .bind(root_item_id)
            .bind(*multiplier)
            .execute()
            .await?;
    }
    Ok(Some(id))
}

async fn lines_of(tx: &mut Tx<'_>, bom_id: &str) -> Result<Vec<(String, Factor)>, DbError> {
    tx.sql("select root_item_id, multiplier from bom_lines where bom_id = $1 order by root_item_id")
        .bind(bom_id)
        .all()
        .await
}

/// What an item is made of by its latest edit.
///
/// # Errors
/// When the database cannot be read.
pub async fn current(db: &Db, pos_item_id: &str) -> Result<Vec<(String, Factor)>, DbError> {
    db.sql(
        "select l.root_item_id, l.multiplier from bom_lines l
         join bom_versions v on v.id = l.bom_id
         where v.pos_item_id = $1
           and v.seq = (select max(w.seq) from bom_versions w where w.pos_item_id = $1)
         order by l.root_item_id",
    )
    .bind(pos_item_id)
    .all()
    .await
}

/// Forgets the versions of an item about to be deleted; `false` when sales refer to it.
///
/// # Errors
/// When the database cannot be used.
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

/// Whether any posted sale is of this item.
///
/// # Errors
/// When the database cannot be read.
pub async fn is_sold(tx: &mut Tx<'_>, pos_item_id: &str) -> Result<bool, DbError> {
    let months: Option<(i64,)> = tx
        .sql("select period from sales_rollup_pos where grain = 30 and pos_item_id = $1 limit 1")
        .bind(pos_item_id)
        .optional()
        .await?;
    Ok(months.is_some())
}

#[derive(larder_db::FromRow)]
struct VersionLine {
    pos_item_id: String,
    id: String,
    seq: i64,
    valid_from: BusinessDay,
    root_item_id: Option<String>,
    multiplier: Option<Factor>,
}

const VERSIONS: &str = "select v.pos_item_id, v.id, v.seq, v.valid_from, l.root_item_id, l.multiplier
    from bom_versions v left join bom_lines l on l.bom_id = v.id";

/// All versions of some items' bills of materials.
///
/// # Errors
/// When the database cannot be read.
pub async fn load<S: AsRef<str>>(tx: &mut Tx<'_>, items: &[S]) -> Result<BomBook, DbError> {
    let rows = tx
        .sql(VERSIONS)
        .push(" where v.pos_item_id in ")
        .push_ids(items)
        .push(" order by v.pos_item_id, v.seq, l.root_item_id")
        .all()
        .await?;
    Ok(book(rows))
}

/// All versions of all items' bills of materials.
///
/// # Errors
/// When the database cannot be read.
pub async fn load_all(db: &Db) -> Result<BomBook, DbError> {
    Ok(book(db.sql(VERSIONS).push(" order by v.pos_item_id, v.seq, l.root_item_id").all().await?))
}

fn book(rows: Vec<VersionLine>) -> BomBook {
    let mut book = BomBook::default();
    let mut open: Option<(String, Bom)> = None;
    for row in rows {
        if open.as_ref().is_none_or(|(_, bom)| *bom.id != *row.id) {
            if let Some((item, bom)) = open.take() {
                book.add(&item, bom);
            }
            let bom =
                Bom { id: row.id.into(), seq: row.seq, valid_from: row.valid_from.0, lines: Vec::new() };
            open = Some((row.pos_item_id, bom));
        }
        if let (Some((_, bom)), Some(root), Some(multiplier)) = (&mut open, row.root_item_id, row.multiplier)
        {
            bom.lines.push((root.into(), multiplier));
        }
    }
    if let Some((item, bom)) = open {
        book.add(&item, bom);
    }
    book
}

#[derive(larder_db::FromRow)]
struct SoldRow {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    bom_id: Option<String>,
    qty: i64,
    gross: i64,
    net: i64,
    lines: i64,
}

/// Reckons an item's sales from a day on with the versions now in force: «recompute from {date}».
/// Answers how many store-days changed.
///
/// # Errors
/// 422 when a quantity grows past what can be kept.
pub fn recompute<'a>(
    tx: &'a mut Tx<'_>,
    pos_item_id: &'a str,
    from: BusinessDay,
) -> BoxFuture<'a, Result<u64, ApiError>> {
    Box::pin(recompute_now(tx, pos_item_id, from))
}

async fn recompute_now(tx: &mut Tx<'_>, pos_item_id: &str, from: BusinessDay) -> Result<u64, ApiError> {
    let book = load(tx, &[pos_item_id]).await?;
    // Through the store-days: every row is then found by its key, without an index that every import
    // pays for. SQLite takes the tables of a cross join in the order written.
    let rows: Vec<SoldRow> = tx
        .sql(
            "select i.store_id, i.business_date, i.source, i.bom_id, i.qty, i.gross, i.net, i.lines
             from sales_days d cross join sales_day_items i
             where i.store_id = d.store_id and i.business_date = d.business_date and i.source = d.source
               and i.pos_item_id = $1 and d.business_date >= $2
             order by i.store_id, i.business_date, i.source",
        )
        .bind(pos_item_id)
        .bind(from)
        .all()
        .await?;
    rollups::lock(tx, rows.iter().map(|row| row.store_id.as_str())).await?;
    let mut deltas = Deltas::default();
    let mut changed = Vec::new();
    for row in &rows {
        let bom = book.at(pos_item_id, row.business_date.0);
        let new = bom.map(|bom| bom.id.to_string());
        if new == row.bom_id {
            continue;
        }
        let store: Arc<str> = row.store_id.as_str().into();
        let mut uses: BTreeMap<Arc<str>, i64> = BTreeMap::new();
        let old = row.bom_id.as_ref().and_then(|id| book.version(id));
        for (bom, sign) in [(old, -1), (bom, 1)] {
            let Some(bom) = bom else { continue };
            for (root, qty) in bom.uses(row.qty).ok_or_else(rollups::too_large)? {
                *uses.entry(root.clone()).or_default() += sign * qty;
            }
        }
        for (root, qty) in uses {
            deltas.add_root(&store, row.business_date.0, &root, qty).map_err(|_| rollups::too_large())?;
        }
        changed.push((row, new));
    }
    let rows: Vec<_> = changed
        .iter()
        .map(|(row, bom_id)| {
            (
                row.store_id.as_str(),
                row.business_date,
                row.source.as_str(),
                pos_item_id,
                bom_id.as_deref(),
                row.qty,
                row.gross,
                row.net,
                row.lines,
            )
        })
        .collect();
    tx.insert_rows(
        "sales_day_items",
        &DAY_ITEM_COLUMNS,
        rows,
        "on conflict (store_id, business_date, source, pos_item_id) do update set bom_id = excluded.bom_id",
    )
    .await?;
    rollups::apply(tx, &deltas).await?;
    Ok(changed.len() as u64)
}
