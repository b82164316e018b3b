//! Pages of readings, a till's chain.

use std::collections::BTreeMap;

use larder_db::{Db, DbError, Query, Tx};
use larder_domain::zreading::{Link, TOLERANCE};
use larder_domain::{BusinessDay, Money, Span};

use super::{Reading, store};
use crate::sales_settings;

/// Filter of readings; empty is everything except discarded ones.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The stores to include; `None` is all.
    pub stores: Option<Vec<String>>,
    pub terminal_id: Option<String>,
    /// In these states; empty: all except discarded ones.
    pub states: Vec<String>,
    pub from: Option<BusinessDay>,
    pub to: Option<BusinessDay>,
    /// A `like` pattern over case-folded text.
    pub like: Option<String>,
}

/// Order of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
    /// By store and till, then newest first.
    Store,
    /// Last changed first.
    Changed,
    /// Largest net sales first.
    Net,
    /// Those that fail first, then those with doubtful fields, then the others; oldest first.
    Review,
}

/// Whether a reading does not continue the previous one of its till.
const BREAKS_CHAIN: &str = "exists (select 1 from z_readings b where b.store_id = r.store_id
    and b.terminal_id = r.terminal_id and b.reset_counter = r.reset_counter and b.z_counter = r.z_counter - 1
    and b.z_counter is not null and b.terminal_id <> '' and b.state <> 'discarded'
    and abs(b.present_total - r.previous_total) > ";

/// The imported sales of a reading's till.
const SALES_OF_TILL: &str = " from sales_day_facts s where s.store_id = r.store_id
    and s.business_date between coalesce(r.covers_from, r.business_date) and r.business_date
    and s.terminal_id = r.terminal_id and r.terminal_id <> ''
    and not exists (select 1 from cmsr_days c where c.store_id = s.store_id and c.business_date = s.business_date
      and c.counted_source <> s.source)";

/// Pushes whether a reading does not continue the previous one.
fn push_breaks(query: Query<'_>) -> Query<'_> {
    query.push(BREAKS_CHAIN).push_bind(TOLERANCE).push(")")
}

/// Pushes whether a reading's net sales differ from the imported ones of its till, whichever source counts. Sources
/// that name no till are left out: they are compared once all readings of the day are in.
fn push_differs(query: Query<'_>, tolerance: Money) -> Query<'_> {
    query
        .push("(r.net is not null and exists (select 1")
        .push(SALES_OF_TILL)
        .push(") and not exists (select s.source")
        .push(SALES_OF_TILL)
        .push(" group by s.source having abs(sum(s.net) - r.net) <= ")
        .push_bind(tolerance)
        .push(
            ") and not exists (select 1 from z_readings t where t.store_id = r.store_id
            and t.business_date >= coalesce(r.covers_from, r.business_date)
            and coalesce(t.covers_from, t.business_date) <= r.business_date
            and t.terminal_id = r.terminal_id and t.id <> r.id and t.state <> 'discarded'))",
        )
}

impl Order {
    fn push(self, query: Query<'_>, tolerance: Money) -> Query<'_> {
        match self {
            Self::Newest => query.push(" order by r.business_date desc, r.id desc"),
            Self::Oldest => query.push(" order by r.business_date, r.id"),
            Self::Store => query.push(" order by r.store_id, r.terminal_id, r.business_date desc, r.id desc"),
            Self::Changed => query.push(" order by r.updated_at desc, r.id desc"),
            Self::Net => query.push(" order by coalesce(r.net, 0) desc, r.id"),
            Self::Review => {
                let query = query.push(" order by case when r.sums_failing > 0 or ");
                let query = push_differs(push_breaks(query).push(" or "), tolerance);
                query.push(
                    " then 0 when r.sums_failing is null or coalesce(r.fields_doubtful, 1) > 0 then 1 else 2 end,
                     r.business_date, r.id",
                )
            }
        }
    }
}

impl Filter {
    fn push<'q>(&self, mut query: Query<'q>, with_states: bool) -> Query<'q> {
        query = query.push(" where 1 = 1");
        if let Some(stores) = &self.stores {
            query = query.push(" and r.store_id in ").push_ids(stores);
        }
        if let Some(terminal) = &self.terminal_id {
            query = query.push(" and r.terminal_id = ").push_bind(terminal.clone());
        }
        if let Some(from) = self.from {
            query = query.push(" and r.business_date >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query = query.push(" and r.business_date <= ").push_bind(to);
        }
        if let Some(like) = &self.like {
            query = query.push(" and r.search_key like ").push_bind(like.clone()).push(" escape '\\'");
        }
        if !with_states {
            return query;
        }
        if self.states.is_empty() {
            query.push(" and r.state <> 'discarded'")
        } else {
            query.push(" and r.state in ").push_in(self.states.iter().cloned())
        }
    }
}

/// Number of readings per state, ignoring the state filter.
///
/// # Errors
/// If the database fails.
pub async fn counts(db: &Db, filter: &Filter) -> Result<BTreeMap<String, i64>, DbError> {
    let query = db.sql("select r.state, cast(count(*) as bigint) from z_readings r");
    let rows: Vec<(String, i64)> = filter.push(query, false).push(" group by r.state").all().await?;
    Ok(rows.into_iter().collect())
}

/// A page of readings; `whole` includes what was read from their pictures.
///
/// # Errors
/// If the database fails.
pub async fn page(
    db: &Db,
    filter: &Filter,
    order: Order,
    (limit, offset): (i64, i64),
    whole: bool,
) -> Result<Vec<Reading>, DbError> {
    let tolerance = sales_settings::read(db).await?.tolerance;
    let query = order.push(filter.push(store::select(db.sql(""), whole), true), tolerance);
    query.push(" limit ").push_bind(limit).push(" offset ").push_bind(offset).all().await
}

/// Which of some readings do not continue the previous one of their till, and which differ from the imported sales of
/// their till, as `(id, breaks, differs)`.
///
/// # Errors
/// If the database fails.
pub async fn apart(db: &Db, ids: &[String]) -> Result<Vec<(String, bool, bool)>, DbError> {
    let tolerance = sales_settings::read(db).await?.tolerance;
    let query = push_breaks(db.sql("select r.id, ")).push(" as breaks, ");
    push_differs(query, tolerance)
        .push(" as differs from z_readings r where r.id in ")
        .push_ids(ids)
        .all()
        .await
}

/// A till's reading with the lowest counter after a link of its chain, whatever its day.
///
/// # Errors
/// If the database fails.
pub async fn link_after(
    db: &Db,
    (store_id, terminal_id): (&str, &str),
    link: &Link,
) -> Result<Option<(Link, String)>, DbError> {
    let found: Option<Reading> = store::select(db.sql(""), false)
        .push(" where r.store_id = ")
        .push_bind(store_id)
        .push(" and r.terminal_id = ")
        .push_bind(terminal_id)
        .push(" and r.reset_counter = ")
        .push_bind(link.figures.reset_counter)
        .push(" and r.z_counter > ")
        .push_bind(link.figures.z_counter.unwrap_or_default())
        .push(" and r.state <> 'discarded' order by r.z_counter limit 1")
        .optional()
        .await?;
    Ok(found.map(linked))
}

/// A reading as a link, with its state.
fn linked(reading: Reading) -> (Link, String) {
    let figures = reading.figures();
    (Link { id: reading.id, business_date: reading.business_date, figures }, reading.state)
}

/// A till's last verified reading before a day; of all, if the day is unknown.
///
/// # Errors
/// If the database fails.
pub async fn verified_before(
    db: &Db,
    store_id: &str,
    terminal_id: &str,
    day: Option<BusinessDay>,
) -> Result<Option<Reading>, DbError> {
    last_verified(db.sql(""), store_id, terminal_id, day).optional().await
}

/// As [`verified_before`], inside a transaction.
///
/// # Errors
/// If the database fails.
pub(super) async fn verified_before_in(
    tx: &mut Tx<'_>,
    store_id: &str,
    terminal_id: &str,
    day: Option<BusinessDay>,
) -> Result<Option<Reading>, DbError> {
    last_verified(tx.sql(""), store_id, terminal_id, day).optional().await
}

fn last_verified<'q>(
    query: Query<'q>,
    store_id: &str,
    terminal_id: &str,
    day: Option<BusinessDay>,
) -> Query<'q> {
    let query = store::select(query, false)
        .push(" where r.store_id = ")
        .push_bind(store_id.to_owned())
        .push(" and r.terminal_id = ")
        .push_bind(terminal_id.to_owned());
    let query = match day {
        Some(day) => query.push(" and r.business_date < ").push_bind(day),
        None => query,
    };
    query.push(
        " and r.state in ('verified', 'reconciled') order by r.business_date desc, r.z_counter desc limit 1",
    )
}

/// A till's readings of some days with a counter, by counter, with their states.
///
/// # Errors
/// If the database fails.
pub async fn chain(
    db: &Db,
    store_id: &str,
    terminal_id: &str,
    span: Span,
) -> Result<Vec<(Link, String)>, DbError> {
    let found: Vec<Reading> = store::select(db.sql(""), false)
        .push(" where r.store_id = ")
        .push_bind(store_id.to_owned())
        .push(" and r.terminal_id = ")
        .push_bind(terminal_id.to_owned())
        .push(" and r.business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" and r.state <> 'discarded' and r.z_counter is not null")
        .push(" order by r.reset_counter, r.z_counter, r.business_date, r.id")
        .all()
        .await?;
    Ok(found.into_iter().map(linked).collect())
}

/// A till's readings without a counter: not read, or used by another reading.
///
/// # Errors
/// If the database fails.
pub async fn uncounted(
    db: &Db,
    store_id: &str,
    terminal_id: &str,
    span: Span,
) -> Result<Vec<Reading>, DbError> {
    store::select(db.sql(""), true)
        .push(" where r.store_id = ")
        .push_bind(store_id.to_owned())
        .push(" and r.terminal_id = ")
        .push_bind(terminal_id.to_owned())
        .push(" and r.business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" and r.state <> 'discarded' and r.z_counter is null order by r.business_date, r.id")
        .all()
        .await
}

/// Stores by name, as `(id, name)`.
///
/// # Errors
/// If the database fails.
pub async fn stores(db: &Db, within: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let mut query = db.sql("select id, name from locations");
    if let Some(within) = within {
        query = query.push(" where id in ").push_ids(within);
    }
    query.push(" order by name_key, id").all().await
}

/// Whether the store exists.
///
/// # Errors
/// If the database fails.
pub async fn store_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let known: i64 =
        tx.sql("select cast(count(*) as bigint) from locations where id = ").push_bind(id).scalar().await?;
    Ok(known > 0)
}
