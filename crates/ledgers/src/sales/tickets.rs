//! Tickets by till, store days with receipts, and a store's receipts day by day.
//!
//! A ticket is a receipt with at least one item sold and not voided; its sales are without returns. The average ticket
//! of every report is that of these sums. Sources left out count nowhere. Days posted before they were kept are counted from their lines.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::TryStreamExt;
use larder_db::{Actor, Db, DbError};
use larder_domain::decimal::div_round;
use larder_domain::sales::day::Unpacked;
use larder_domain::sales::ticket;
use larder_domain::{BusinessDay, Money, Span, Timestamp};

use super::days::unpack;
use crate::sales_count;

/// Coverage of a store's days in a span.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct Known {
    pub store_id: String,
    pub days: i64,
    pub with_receipts: i64,
    pub receipts: i64,
    /// When one of these days was last posted or corrected, or another source left out.
    pub posted_at: Timestamp,
}

/// Coverage of some stores; those without sales are missing.
///
/// # Errors
/// If the database fails.
pub async fn known(db: &Db, stores: &[String], span: Span) -> Result<Vec<Known>, DbError> {
    if stores.is_empty() {
        return Ok(Vec::new());
    }
    db.sql(
        "select store_id, cast(count(*) as bigint) as days,
           cast(sum(case when receipts > 0 then 1 else 0 end) as bigint) as with_receipts,
           cast(sum(receipts) as bigint) as receipts, max(posted_at) as posted_at
         from (select store_id, business_date, sum(receipts) as receipts, max(coalesce((
                 select max(l.settled_at) from sales_left_out l where l.store_id = sales_days.store_id
                   and l.business_date = sales_days.business_date and l.settled_at > sales_days.posted_at),
                 posted_at)) as posted_at
               from sales_days where business_date between ",
    )
    .push_bind(span.from)
    .push(" and ")
    .push_bind(span.to)
    .push(" and store_id in ")
    .push_ids(stores)
    .push(sales_count!("sales_days"))
    .push(" group by store_id, business_date) d group by store_id order by store_id")
    .all()
    .await
}

/// Streams a store's days with their content; several sources of a day follow each other.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn each_day(
    db: &Db,
    store: &str,
    span: Span,
    mut seen: impl FnMut(BusinessDay, &Unpacked),
) -> Result<(), DbError> {
    let query = db.sql(concat!(
        "select business_date, packed from sales_lines where store_id = $1 and business_date between $2 and $3",
        sales_count!("sales_lines"),
        " order by business_date, source",
    ));
    let query = query.bind(store).bind(span.from).bind(span.to);
    let mut rows = std::pin::pin!(query.stream::<(BusinessDay, Vec<u8>)>());
    while let Some((day, packed)) = rows.try_next().await? {
        seen(day, &unpack(&packed)?);
        // A day of receipts takes a while to decode, so yield.
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// What a till sold on a day by one source. Sales without a receipt are not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TillDay {
    pub store_id: String,
    pub business_date: BusinessDay,
    /// The till; empty for receipts without one.
    pub terminal_id: String,
    /// Net sales on all receipts.
    pub net: Money,
    pub tickets: Tickets,
}

/// Receipts and the tickets among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tickets {
    /// Number of receipts, tickets or not.
    pub receipts: i64,
    /// Number of tickets.
    pub tickets: i64,
    /// Net sales of the tickets without returns.
    pub net: Money,
}

impl Tickets {
    /// Adds others.
    pub fn add(&mut self, more: Self) {
        self.receipts = self.receipts.saturating_add(more.receipts);
        self.tickets = self.tickets.saturating_add(more.tickets);
        self.net = Money(self.net.0.saturating_add(more.net.0));
    }

    /// The average ticket, to the centavo; `None` without tickets.
    #[must_use]
    pub fn average(&self) -> Option<Money> {
        let tickets = (self.tickets > 0).then_some(self.tickets)?;
        div_round(self.net.0.into(), tickets.into()).map(Money)
    }
}

#[derive(larder_db::FromRow)]
struct TillRow {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    terminal_id: String,
    receipts: i64,
    net: Money,
    tickets: Option<i64>,
    ticket_net: Option<Money>,
}

/// Store days by store, day and source.
type StoreDays = BTreeSet<(String, BusinessDay, String)>;
/// Number of tickets and their net sales, by store, day, source and till.
type Counted = HashMap<(String, BusinessDay, String, String), (i64, Money)>;

/// Sales and tickets by store, day, source and till.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn by_till(db: &Db, stores: &[String], span: Span) -> Result<Vec<TillDay>, DbError> {
    let rows: Vec<TillRow> = db
        .sql(
            "select store_id, business_date, source, terminal_id, receipts, net, tickets, ticket_net from sales_tills
             where business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(sales_count!("sales_tills"))
        .all()
        .await?;
    let uncounted: StoreDays = (rows.iter().filter(|row| row.tickets.is_none()))
        .map(|row| (row.store_id.clone(), row.business_date, row.source.clone()))
        .collect();
    let counted = count(db, &uncounted).await?;
    let till = |row: TillRow| {
        let kept = row.tickets.zip(row.ticket_net);
        let key = (row.store_id, row.business_date, row.source, row.terminal_id);
        let (tickets, net) = kept.or_else(|| counted.get(&key).copied()).unwrap_or_default();
        let (store_id, business_date, _, terminal_id) = key;
        let tickets = Tickets { receipts: row.receipts, tickets, net };
        TillDay { store_id, business_date, terminal_id, net: row.net, tickets }
    };
    Ok(rows.into_iter().map(till).collect())
}

/// The tickets of each store with receipts in a span.
///
/// # Errors
/// As [`by_till`].
pub async fn by_store(db: &Db, stores: &[String], span: Span) -> Result<BTreeMap<String, Tickets>, DbError> {
    let mut sums: BTreeMap<String, Tickets> = BTreeMap::new();
    for till in by_till(db, stores, span).await? {
        sums.entry(till.store_id).or_default().add(till.tickets);
    }
    Ok(sums)
}

/// Counts the tickets of store days from their lines.
async fn count(db: &Db, days: &StoreDays) -> Result<Counted, DbError> {
    let mut counted = Counted::new();
    let mut left = days.iter().peekable();
    while let Some(first) = left.next() {
        // One query reads all days of a store.
        let mut last = first;
        while let Some(next) = left.next_if(|next| next.0 == first.0) {
            last = next;
        }
        let query = db.sql(
            "select business_date, source, packed from sales_lines
             where store_id = $1 and business_date between $2 and $3",
        );
        let query = query.bind(&first.0).bind(first.1).bind(last.1);
        let mut rows = std::pin::pin!(query.stream::<(BusinessDay, String, Vec<u8>)>());
        while let Some((day, source, packed)) = rows.try_next().await? {
            let key = (first.0.clone(), day, source);
            if !days.contains(&key) {
                continue;
            }
            let unpacked = unpack(&packed)?;
            let (store, day, source) = key;
            for (till, (tickets, net)) in ticket::by_till(&unpacked.receipts, &unpacked.lines) {
                let key = (store.clone(), day, source.clone(), till.to_owned());
                counted.insert(key, (tickets, Money(net)));
            }
            tokio::task::yield_now().await;
        }
    }
    Ok(counted)
}

/// Keeps the tickets of up to `most` tills of store days that were posted before tickets were kept. Returns how many
/// these were: 0 if all are counted. Days posted meanwhile stay as they are.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn keep_uncounted(db: &Db, actor: &Actor, most: i64) -> Result<usize, DbError> {
    let tills: Vec<(String, BusinessDay, String, String)> = db
        .sql(
            "select store_id, business_date, source, terminal_id from sales_tills where tickets is null
             order by store_id, business_date limit $1",
        )
        .bind(most)
        .all()
        .await?;
    if tills.is_empty() {
        return Ok(0);
    }
    let days = tills.iter().map(|(store, day, source, _)| (store.clone(), *day, source.clone())).collect();
    let counted = &count(db, &days).await?;
    let tills = &tills;
    db.write(actor, async |tx| -> Result<(), DbError> {
        let rows = tills.iter().map(|key| {
            let (tickets, net) = counted.get(key).copied().unwrap_or_default();
            (key.0.as_str(), key.1, key.2.as_str(), key.3.as_str(), tickets, net.0)
        });
        let columns = ["store_id", "business_date", "source", "terminal_id", "tickets", "ticket_net"];
        tx.sql("update sales_tills set tickets = k.tickets, ticket_net = k.ticket_net from ")
            .push_rows(&columns, rows)
            .push(
                " k where sales_tills.store_id = k.store_id and sales_tills.business_date = k.business_date
                   and sales_tills.source = k.source and sales_tills.terminal_id = k.terminal_id
                   and sales_tills.tickets is null",
            )
            .execute()
            .await?;
        Ok(())
    })
    .await?;
    Ok(tills.len())
}
