//! The rows a store-day consists of.

use std::collections::{BTreeMap, HashMap, HashSet};

use larder_db::{DbError, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::day::DayItem;

use super::days::ranges;
use super::post::Prepared;

#[derive(larder_db::FromRow)]
struct Known {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    digest: String,
}

/// The columns of `sales_day_items`.
pub(super) const DAY_ITEM_COLUMNS: [&str; 9] =
    ["store_id", "business_date", "source", "pos_item_id", "bom_id", "qty", "gross", "net", "lines"];

/// Packed store-days a statement: a few hundred of them are megabytes already.
const PACKED_AT_ONCE: usize = 200;

/// The digests of what is posted within the reach of some store-days.
pub(super) async fn known(
    tx: &mut Tx<'_>,
    days: &[Prepared],
) -> Result<HashMap<(String, BusinessDay, String), String>, DbError> {
    let mut known = HashMap::new();
    for (stores, first, last) in
        ranges(days.iter().map(|d| (d.day.store_id.as_ref(), BusinessDay(d.day.day))))
    {
        let rows: Vec<Known> = tx
            .sql(
                "select store_id, business_date, source, digest from sales_days
                 where business_date between $1 and $2 and store_id in ",
            )
            .bind(first)
            .bind(last)
            .push_ids(&stores)
            .all()
            .await?;
        known.extend(rows.into_iter().map(|row| ((row.store_id, row.business_date, row.source), row.digest)));
    }
    Ok(known)
}

#[derive(larder_db::FromRow)]
struct ItemRow {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    pos_item_id: String,
    bom_id: Option<String>,
    qty: i64,
    gross: i64,
    net: i64,
    lines: i64,
}

pub(super) type OldItems = BTreeMap<(String, BusinessDay, String), Vec<DayItem>>;

/// The sums per item that store-days have now.
pub(super) async fn items_of(
    tx: &mut Tx<'_>,
    keys: &HashSet<(&str, BusinessDay, &str)>,
) -> Result<OldItems, DbError> {
    let mut old = OldItems::new();
    for (stores, first, last) in ranges(keys.iter().map(|(store, day, _)| (*store, *day))) {
        let rows: Vec<ItemRow> = tx
            .sql(
                "select store_id, business_date, source, pos_item_id, bom_id, qty, gross, net, lines
                 from sales_day_items where business_date between $1 and $2 and store_id in ",
            )
            .bind(first)
            .bind(last)
            .push_ids(&stores)
            .all()
            .await?;
        for row in rows {
            if keys.contains(&(row.store_id.as_str(), row.business_date, row.source.as_str())) {
                old.entry((row.store_id, row.business_date, row.source)).or_default().push(DayItem {
                    pos_item_id: row.pos_item_id.into(),
                    bom_id: row.bom_id.map(Into::into),
                    qty: row.qty,
                    gross: row.gross,
                    net: row.net,
                    lines: row.lines,
                });
            }
        }
    }
    Ok(old)
}

/// Removes what store-days consist of, but for their heads. `whole`: nothing else lies between them.
pub(super) async fn remove(
    tx: &mut Tx<'_>,
    keys: &HashSet<(&str, BusinessDay, &str)>,
    whole: bool,
) -> Result<(), DbError> {
    let tables = [
        "delete from sales_day_items",
        "delete from sales_lines",
        "delete from sales_receipts",
        "delete from sales_tenders",
    ];
    for table in tables {
        if whole {
            for (stores, first, last) in ranges(keys.iter().map(|(store, day, _)| (*store, *day))) {
                tx.sql(table)
                    .push(" where business_date between $1 and $2 and store_id in ")
                    .bind(first)
                    .bind(last)
                    .push_ids(&stores)
                    .execute()
                    .await?;
            }
            continue;
        }
        for (store, day, source) in keys {
            tx.sql(table)
                .push(" where store_id = $1 and business_date = $2 and source = $3")
                .bind(*store)
                .bind(*day)
                .bind(*source)
                .execute()
                .await?;
        }
    }
    Ok(())
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    days: &[&Prepared],
    items: &[Vec<DayItem>],
) -> Result<(), DbError> {
    for part in days.chunks(PACKED_AT_ONCE) {
        let rows: Vec<_> = part
            .iter()
            .map(|d| (d.day.store_id.as_ref(), d.day.day, d.day.source.as_ref(), d.packed.as_str()))
            .collect();
        tx.insert_rows("sales_lines", &["store_id", "business_date", "source", "packed"], rows, "").await?;
    }
    let receipts: Vec<_> = days
        .iter()
        .flat_map(|d| {
            let day = &d.day;
            (0i64..).zip(day.receipts.iter().zip(day.receipt_totals())).map(move |(at, (receipt, sums))| {
                (
                    day.store_id.as_ref(),
                    day.day,
                    day.source.as_ref(),
                    at,
                    receipt.terminal.as_str(),
                    receipt.number.as_str(),
                    receipt.service.as_str(),
                    receipt.seconds,
                    sums.lines,
                    sums.qty,
                    sums.gross,
                    sums.discount,
                    sums.net,
                )
            })
        })
        .collect();
    let columns = [
        "store_id",
        "business_date",
        "source",
        "receipt_seq",
        "terminal_id",
        "receipt_no",
        "service_type",
        "seconds",
        "lines",
        "qty",
        "gross",
        "discount",
        "net",
    ];
    tx.insert_rows("sales_receipts", &columns, receipts, "").await?;
    let tenders: Vec<_> = days
        .iter()
        .flat_map(|d| {
            let day = &d.day;
            (0i64..).zip(&day.tenders).map(move |(at, tender)| {
                (
                    day.store_id.as_ref(),
                    day.day,
                    day.source.as_ref(),
                    at,
                    tender.receipt,
                    tender.kind.as_str(),
                    tender.amount,
                    tender.reference.as_str(),
                )
            })
        })
        .collect();
    let columns =
        ["store_id", "business_date", "source", "tender_seq", "receipt_seq", "kind", "amount", "reference"];
    tx.insert_rows("sales_tenders", &columns, tenders, "").await?;
    let items: Vec<_> = days
        .iter()
        .zip(items)
        .flat_map(|(d, items)| {
            let day = &d.day;
            items.iter().map(move |item| {
                (
                    day.store_id.as_ref(),
                    day.day,
                    day.source.as_ref(),
                    item.pos_item_id.as_ref(),
                    item.bom_id.as_deref(),
                    item.qty,
                    item.gross,
                    item.net,
                    item.lines,
                )
            })
        })
        .collect();
    tx.insert_rows("sales_day_items", &DAY_ITEM_COLUMNS, items, "").await?;
    Ok(())
}

/// Writes the heads of all store-days, the unchanged too: they belong to the newer batch now.
pub(super) async fn write_heads(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: Option<&str>,
) -> Result<(), DbError> {
    let now = tx.actor().at;
    let heads: Vec<_> = days
        .iter()
        .map(|d| {
            (
                d.day.store_id.as_ref(),
                d.day.day,
                d.day.source.as_ref(),
                batch_id,
                d.totals.lines,
                i64::try_from(d.day.receipts.len()).unwrap_or(i64::MAX),
                d.totals.qty,
                d.totals.gross,
                d.totals.discount,
                d.totals.net,
                d.digest.as_str(),
                1i64,
                now,
                d.corrected_at,
            )
        })
        .collect();
    let columns = [
        "store_id",
        "business_date",
        "source",
        "batch_id",
        "lines",
        "receipts",
        "qty",
        "gross",
        "discount",
        "net",
        "digest",
        "revision",
        "posted_at",
        "corrected_at",
    ];
    tx.insert_rows(
        "sales_days",
        &columns,
        heads,
        "on conflict (store_id, business_date, source) do update set
            batch_id = excluded.batch_id, lines = excluded.lines, receipts = excluded.receipts,
            qty = excluded.qty, gross = excluded.gross, discount = excluded.discount, net = excluded.net,
            posted_at = excluded.posted_at, corrected_at = excluded.corrected_at,
            revision = sales_days.revision + case when sales_days.digest = excluded.digest then 0 else 1 end,
            digest = excluded.digest",
    )
    .await?;
    Ok(())
}
