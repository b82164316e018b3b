//! Reads the items of store days: sales per POS item, with the bill of materials used.

use futures::TryStreamExt;
use larder_db::{Db, DbError, Query, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::DayItem;
use larder_domain::sales::day::unpack_items;

use crate::sales_count;

/// Sales of one source in a store on a day, by item.
#[derive(Debug, Clone)]
pub struct DayItems {
    pub store_id: String,
    pub date: BusinessDay,
    pub source: String,
    /// Number of items without a POS item.
    pub unmapped: i64,
    /// Whether it is in the sums; see [`duplicates`](super::duplicates).
    pub counts: bool,
    pub items: Vec<DayItem>,
}

#[derive(larder_db::FromRow)]
struct Row {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    unmapped: i64,
    counts: bool,
    packed: Vec<u8>,
}

const ROWS: &str = "select store_id, business_date, source, unmapped,
      not exists (select 1 from sales_left_out l where l.store_id = sales_day_items.store_id
        and l.business_date = sales_day_items.business_date and l.source = sales_day_items.source) as counts,
      packed from sales_day_items";

impl Row {
    fn read(self) -> Result<DayItems, DbError> {
        let items = unpack_items(&self.packed)
            .ok_or_else(|| DbError::Invalid("the items of a store-day cannot be read".to_owned()))?;
        let Self { store_id, business_date: date, source, unmapped, counts, .. } = self;
        Ok(DayItems { store_id, date, source, unmapped, counts, items })
    }
}

async fn read(query: Query<'_>) -> Result<Vec<DayItems>, DbError> {
    let rows: Vec<Row> = query.all().await?;
    rows.into_iter().map(Row::read).collect()
}

/// One store's days, in order.
pub(super) async fn of_store(db: &Db, store_id: &str) -> Result<Vec<DayItems>, DbError> {
    read(db.sql(ROWS).push(" where store_id = $1 order by business_date, source").bind(store_id)).await
}

/// One store's days from a day on.
pub(super) async fn since(
    tx: &mut Tx<'_>,
    store_id: &str,
    from: BusinessDay,
) -> Result<Vec<DayItems>, DbError> {
    let query =
        tx.sql(ROWS).push(" where store_id = $1 and business_date >= $2 order by business_date, source");
    read(query.bind(store_id).bind(from)).await
}

/// The days of some stores within a range.
pub(super) async fn within<S: AsRef<str>>(
    tx: &mut Tx<'_>,
    stores: &[S],
    first: BusinessDay,
    last: BusinessDay,
) -> Result<Vec<DayItems>, DbError> {
    let query = tx.sql(ROWS).push(" where business_date between $1 and $2 and store_id in ");
    read(query.bind(first).bind(last).push_ids(stores)).await
}

/// Daily sales that count, of the items `wanted` accepts, in some stores.
///
/// # Errors
/// If the database fails.
pub async fn sold(
    db: &Db,
    stores: &[String],
    first: BusinessDay,
    last: BusinessDay,
    wanted: impl Fn(&DayItem) -> bool,
) -> Result<Vec<DayItems>, DbError> {
    let query = db.sql(ROWS).push(" where business_date between $1 and $2 and store_id in ");
    let query = query.bind(first).bind(last).push_ids(stores);
    keep(query.push(sales_count!("sales_day_items")), wanted).await
}

/// The store days with unmapped names that `wanted` accepts.
pub(super) async fn unmapped(db: &Db, wanted: impl Fn(&DayItem) -> bool) -> Result<Vec<DayItems>, DbError> {
    keep(db.sql(ROWS).push(" where unmapped > 0 order by store_id, business_date, source"), wanted).await
}

/// Whether a store day left out sold an item.
pub(super) async fn left_out_mention(tx: &mut Tx<'_>, item: &str) -> Result<bool, DbError> {
    let number: Option<(i64,)> =
        tx.sql("select number from sales_numbers where item_id = $1").bind(item).optional().await?;
    let Some((number,)) = number else { return Ok(false) };
    let rows: Vec<(Vec<u8>,)> = tx
        .sql(
            "select i.packed from sales_left_out l join sales_day_items i
               on i.store_id = l.store_id and i.business_date = l.business_date and i.source = l.source",
        )
        .all()
        .await?;
    let names = |packed: &[u8]| {
        unpack_items(packed).is_none_or(|items| items.iter().any(|one| i64::from(one.item) == number))
    };
    Ok(rows.iter().any(|(packed,)| names(packed)))
}

async fn keep(query: Query<'_>, wanted: impl Fn(&DayItem) -> bool) -> Result<Vec<DayItems>, DbError> {
    let mut found = Vec::new();
    let mut rows = std::pin::pin!(query.stream::<Row>());
    while let Some(row) = rows.try_next().await? {
        let mut day = row.read()?;
        day.items.retain(&wanted);
        if !day.items.is_empty() {
            found.push(day);
        }
    }
    Ok(found)
}
