//! Reads stored rows and differences.

use larder_db::{Db, DbError, Tx};
use larder_domain::on_hand::movement::Movement;
use larder_domain::{BusinessDay, Qty, StoreScope, Worth};

use super::weeks::within;

/// A stored root item of a store's week.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub week: BusinessDay,
    pub store_id: String,
    pub root_item_id: String,
    opening: Option<Qty>,
    received: Qty,
    transfers_in: Qty,
    transfers_out: Qty,
    waste: Qty,
    theoretical_use: Qty,
    closing: Option<Qty>,
    actual_use: Option<Qty>,
    variance: Option<Qty>,
    variance_worth: Option<i64>,
    theoretical_worth: Option<i64>,
}

impl Kept {
    /// The variance at the root item's price on the week's last day, as known when the row was made; `None`
    /// without either.
    #[must_use]
    pub fn variance_worth(&self) -> Option<Worth> {
        self.variance_worth.map(Worth::from_stored)
    }

    /// The theoretical use at the root item's price of each day, as known when the row was made; `None` without a
    /// price.
    #[must_use]
    pub fn theoretical_worth(&self) -> Option<Worth> {
        self.theoretical_worth.map(Worth::from_stored)
    }

    /// The figures of the row.
    #[must_use]
    pub fn figures(&self) -> Movement {
        let Self { opening, received, transfers_in, transfers_out, waste, .. } = *self;
        let Self { theoretical_use, closing, actual_use, variance, .. } = *self;
        Movement {
            opening,
            received,
            transfers_in,
            transfers_out,
            waste,
            theoretical_use,
            closing,
            actual_use,
            variance,
        }
    }
}

const SELECT: &str = "select week, store_id, root_item_id, opening, received, transfers_in, transfers_out, waste, \
     theoretical_use, closing, actual_use, variance, variance_worth, theoretical_worth from root_item_snapshots where week";

/// Rows of weeks whose Mondays are in a range, of some stores or all.
///
/// # Errors
/// If the database fails.
pub async fn rows(
    db: &Db,
    (first, last): (BusinessDay, BusinessDay),
    stores: Option<&[String]>,
) -> Result<Vec<Kept>, DbError> {
    let query = db.sql(SELECT).push(" between ").push_bind(first).push(" and ").push_bind(last);
    let query = match stores {
        Some(ids) => query.push(" and store_id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by week, store_id, root_item_id").all().await
}

/// The stores and weeks that have rows, of weeks whose Mondays are in a range: store and Monday.
///
/// # Errors
/// If the database fails.
pub async fn store_weeks(
    db: &Db,
    (first, last): (BusinessDay, BusinessDay),
) -> Result<Vec<(String, BusinessDay)>, DbError> {
    let query = db.sql("select distinct store_id, week from root_item_snapshots where week between ");
    query.push_bind(first).push(" and ").push_bind(last).all().await
}

/// The figures of a store's week by root item.
pub(super) async fn of_store(
    tx: &mut Tx<'_>,
    week: BusinessDay,
    store_id: &str,
) -> Result<Vec<(String, Movement)>, DbError> {
    let rows: Vec<Kept> =
        tx.sql(SELECT).push(" = ").push_bind(week).push(" and store_id = ").push_bind(store_id).all().await?;
    Ok(rows.into_iter().map(|row| (row.root_item_id.clone(), row.figures())).collect())
}

/// A figure that has changed.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Difference {
    pub store_id: String,
    pub store_name: Option<String>,
    pub root_item_id: String,
    pub root_item_name: Option<String>,
    /// Its name in the API.
    pub figure: String,
    /// Before the week was made again; the frozen value.
    pub was: Option<Qty>,
    /// The current value, applied or not.
    pub now: Option<Qty>,
}

/// A page of a week's differences, of stores the user may see, by store and root item; and their total.
///
/// # Errors
/// If the database fails.
pub async fn differences(
    db: &Db,
    week: BusinessDay,
    scope: &StoreScope,
    (limit, offset): (i64, i64),
) -> Result<(Vec<Difference>, i64), DbError> {
    let query =
        db.sql("select cast(count(*) as bigint) from snapshot_differences where week = ").push_bind(week);
    let (total,): (i64,) = within(query, scope).one().await?;
    let query = db
        .sql(
            "select d.store_id, s.name as store_name, d.root_item_id, r.name as root_item_name, d.figure, d.was, d.now \
             from (select * from snapshot_differences where week = ",
        )
        .push_bind(week);
    let query = within(query, scope).push(
        ") d left join locations s on s.id = d.store_id left join root_items r on r.id = d.root_item_id \
         order by s.name_key, d.store_id, r.name_key, d.root_item_id, d.figure limit ",
    );
    let items = query.push_bind(limit).push(" offset ").push_bind(offset).all().await?;
    Ok((items, total))
}
