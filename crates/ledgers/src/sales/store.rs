//! The rows of a store day.

use std::collections::{HashMap, HashSet};

use larder_db::{DbError, Reader, Tx};
use larder_domain::sales::day::{Till, Totals, pack_items};
use larder_domain::sales::{DayItem, StoreDay, UNMAPPED};
use larder_domain::{BusinessDay, Timestamp};

use super::days::{DayKey, Group, ranges};
use super::facts;
use super::items::{self, DayItems};
use super::prepared::Prepared;

#[derive(larder_db::FromRow)]
struct KnownRow {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    digest: String,
    batch_id: Option<String>,
    posted_at: Timestamp,
    corrected_at: Option<Timestamp>,
    parts: i64,
    left_out: bool,
}

/// A posted store day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub digest: String,
    pub batch_id: Option<String>,
    pub posted_at: Timestamp,
    pub corrected_at: Option<Timestamp>,
    /// Number of its stored parts; 0 for a day of one batch.
    pub parts: i64,
    /// Whether it counts nowhere; see [`duplicates`](super::duplicates).
    pub left_out: bool,
}

/// By store, day and source.
pub(super) type KnownDays = HashMap<(String, BusinessDay, String), Known>;

/// The key of a store day among [`KnownDays`].
pub(super) fn known_key(day: &StoreDay) -> (String, BusinessDay, String) {
    (day.store_id.to_string(), BusinessDay(day.day), day.source.to_string())
}

const KNOWN: &str = "select d.store_id, d.business_date, d.source, d.digest, d.batch_id, d.posted_at,
      d.corrected_at, (select count(*) from sales_day_parts p where p.store_id = d.store_id
         and p.business_date = d.business_date and p.source = d.source) as parts,
      exists (select 1 from sales_left_out l where l.store_id = d.store_id
         and l.business_date = d.business_date and l.source = d.source) as left_out
    from sales_days d where d.business_date between $1 and $2 and d.store_id in ";

/// Stored as the first and last time of a store day without times.
pub(super) const NO_TIMES: i32 = -1;

/// The columns of `sales_day_items`.
pub(super) const DAY_ITEM_COLUMNS: [&str; 5] = ["store_id", "business_date", "source", "unmapped", "packed"];

/// Posted store days within the range of these.
pub(super) async fn known(
    on: &mut Reader<'_, '_>,
    keys: &[(&str, BusinessDay)],
) -> Result<KnownDays, DbError> {
    let mut known = KnownDays::new();
    for (stores, first, last) in ranges(keys.iter().copied()) {
        let rows: Vec<KnownRow> = on.sql(KNOWN).bind(first).bind(last).push_ids(&stores).all().await?;
        known.extend(rows.into_iter().map(KnownRow::read));
    }
    Ok(known)
}

impl KnownRow {
    fn read(self) -> ((String, BusinessDay, String), Known) {
        let Self { store_id, business_date, source, digest, batch_id, posted_at, corrected_at, .. } = self;
        let Self { parts, left_out, .. } = self;
        let known = Known { digest, batch_id, posted_at, corrected_at, parts, left_out };
        ((store_id, business_date, source), known)
    }
}

/// Current items of store days.
pub(super) async fn items_of(tx: &mut Tx<'_>, keys: &[DayKey]) -> Result<Vec<DayItems>, DbError> {
    let wanted: HashSet<(&str, BusinessDay, &str)> =
        keys.iter().map(|key| (&*key.store_id, key.day, &*key.source)).collect();
    let mut old = Vec::new();
    for (stores, first, last) in ranges(keys.iter().map(|key| (&*key.store_id, key.day))) {
        let days = items::within(tx, &stores, first, last).await?;
        old.extend(days.into_iter().filter(|day| wanted.contains(&(&*day.store_id, day.date, &*day.source))));
    }
    Ok(old)
}

/// Deletes the rows of store days, except their heads.
pub(super) async fn remove(tx: &mut Tx<'_>, keys: &[DayKey]) -> Result<(), DbError> {
    let tables = [
        "delete from sales_day_items where source = $1",
        "delete from sales_lines where source = $1",
        "delete from sales_tills where source = $1",
        "delete from sales_tenders where source = $1",
        "delete from sales_day_facts where source = $1",
    ];
    for group in Group::all(keys) {
        for table in tables {
            group.narrow(tx.sql(table)).execute().await?;
        }
    }
    Ok(())
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    days: &[&Prepared],
    items: &[Vec<DayItem>],
) -> Result<(), DbError> {
    let lines: Vec<_> = days
        .iter()
        .map(|d| (d.day.store_id.as_ref(), d.day.day, d.day.source.as_ref(), d.packed.as_slice()))
        .collect();
    tx.insert_rows("sales_lines", &["store_id", "business_date", "source", "packed"], lines, "").await?;
    write_tills(tx, days.iter().map(|d| (&d.day, d.tills.as_slice()))).await?;
    facts::write(tx, days.iter().map(|d| (&d.day, d.facts.as_slice()))).await?;
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
    let items = days.iter().zip(items).map(|(d, items)| {
        let day = &d.day;
        let unmapped = d.items.iter().filter(|(id, _)| id.starts_with(UNMAPPED)).count();
        let unmapped = i64::try_from(unmapped).unwrap_or(i64::MAX);
        (day.store_id.as_ref(), day.day, day.source.as_ref(), unmapped, pack_items(items))
    });
    let items: Vec<_> = items.collect();
    tx.insert_rows("sales_day_items", &DAY_ITEM_COLUMNS, items, "").await?;
    Ok(())
}

/// Writes sales per till of store days.
pub(super) async fn write_tills<'a>(
    tx: &mut Tx<'_>,
    days: impl Iterator<Item = (&'a StoreDay, &'a [Till])>,
) -> Result<(), DbError> {
    let mut rows = Vec::new();
    for (day, tills) in days {
        for till in tills {
            let Totals { lines, qty, gross, discount, net } = till.totals;
            let (store, source) = (day.store_id.as_ref(), day.source.as_ref());
            let (terminal, receipts) = (till.terminal.as_str(), till.receipts);
            let tickets = (till.tickets, till.ticket_net);
            rows.push((
                store, day.day, source, terminal, receipts, lines, qty, gross, discount, net, tickets.0,
                tickets.1,
            ));
        }
    }
    let columns = [
        "store_id",
        "business_date",
        "source",
        "terminal_id",
        "receipts",
        "lines",
        "qty",
        "gross",
        "discount",
        "net",
        "tickets",
        "ticket_net",
    ];
    tx.insert_rows("sales_tills", &columns, rows, "").await?;
    Ok(())
}

/// Writes the heads of all store days, including unchanged ones, which now belong to the newer batch.
pub(super) async fn write_heads(
    tx: &mut Tx<'_>,
    days: &[&Prepared],
    batch_id: Option<&str>,
) -> Result<(), DbError> {
    let now = tx.actor().at;
    let heads: Vec<_> = days
        .iter()
        .map(|d| {
            let (first_sold, last_sold) = d.hours.unwrap_or((NO_TIMES, NO_TIMES));
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
                first_sold,
                last_sold,
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
        "first_sold",
        "last_sold",
    ];
    tx.insert_rows(
        "sales_days",
        &columns,
        heads,
        "on conflict (store_id, business_date, source) do update set
            batch_id = excluded.batch_id, lines = excluded.lines, receipts = excluded.receipts,
            qty = excluded.qty, gross = excluded.gross, discount = excluded.discount, net = excluded.net,
            posted_at = excluded.posted_at, corrected_at = excluded.corrected_at,
            first_sold = excluded.first_sold, last_sold = excluded.last_sold,
            revision = sales_days.revision + case when sales_days.digest = excluded.digest then 0 else 1 end,
            digest = excluded.digest",
    )
    .await?;
    Ok(())
}
