//! Pages of readings, a till's chain.

use std::collections::BTreeMap;

use larder_db::{Db, DbError, Query, Tx};
use larder_domain::zreading::Link;
use larder_domain::{BusinessDay, Span};

use super::{Reading, store};

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
}

impl Order {
    const fn sql(self) -> &'static str {
        match self {
            Self::Newest => " order by r.business_date desc, r.id desc",
            Self::Oldest => " order by r.business_date, r.id",
            Self::Store => " order by r.store_id, r.terminal_id, r.business_date desc, r.id desc",
            Self::Changed => " order by r.updated_at desc, r.id desc",
            Self::Net => " order by coalesce(r.net, 0) desc, r.id",
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
    let query = filter.push(store::select(db.sql(""), whole), true).push(order.sql());
    query.push(" limit ").push_bind(limit).push(" offset ").push_bind(offset).all().await
}

/// A till's last verified reading before a day.
///
/// # Errors
/// If the database fails.
pub async fn verified_before(
    db: &Db,
    store_id: &str,
    terminal_id: &str,
    day: BusinessDay,
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
    day: BusinessDay,
) -> Result<Option<Reading>, DbError> {
    last_verified(tx.sql(""), store_id, terminal_id, day).optional().await
}

fn last_verified<'q>(query: Query<'q>, store_id: &str, terminal_id: &str, day: BusinessDay) -> Query<'q> {
    store::select(query, false)
        .push(" where r.store_id = ")
        .push_bind(store_id.to_owned())
        .push(" and r.terminal_id = ")
        .push_bind(terminal_id.to_owned())
        .push(" and r.business_date < ")
        .push_bind(day)
        .push(" and r.state in ('verified', 'reconciled') order by r.business_date desc, r.z_counter desc limit 1")
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
    let link = |reading: Reading| {
        let figures = reading.figures();
        (Link { id: reading.id, business_date: reading.business_date, figures }, reading.state)
    };
    Ok(found.into_iter().map(link).collect())
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
