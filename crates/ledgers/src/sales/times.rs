//! Sales of store days by time, for the few days that a count divides.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::sales::day::{Unpacked, unpack_items};
use larder_domain::sales::times::{parts, uses};
use larder_domain::{BusinessDay, Span};

use super::days::unpack;
use super::{bom, numbers};
use crate::sales_count;

/// The times of the first and last sale of a store day of one source, in seconds since midnight of its business date.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Hours {
    pub store_id: String,
    pub business_date: BusinessDay,
    /// -1 if no sale has a time, `None` if not known yet.
    pub first_sold: Option<i64>,
    /// As `first_sold`.
    pub last_sold: Option<i64>,
}

/// The hours of sale of some stores' days.
///
/// # Errors
/// If the database fails.
pub async fn hours(db: &Db, stores: &[String], span: Span) -> Result<Vec<Hours>, DbError> {
    db.sql(
        "select store_id, business_date, first_sold, last_sold from sales_days where business_date between ",
    )
    .push_bind(span.from)
    .push(" and ")
    .push_bind(span.to)
    .push(" and store_id in ")
    .push_ids(stores)
    .push(sales_count!("sales_days"))
    .all()
    .await
}

/// Usage of a root item within a part of a store day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedPart {
    pub store_id: String,
    pub date: BusinessDay,
    /// The time of the part's last sale, in seconds since midnight of the business date; `None` for sales without times.
    pub at: Option<i32>,
    /// The root item's number.
    pub root: u32,
    /// Millionths.
    pub qty: i64,
}

/// Store days, each with the times that divide it.
pub type Divided = BTreeMap<(String, BusinessDay), BTreeSet<i32>>;

/// Usage of root items on some store days, divided at some times, with the bills of materials they were posted with. The
/// parts of a day add up to its stored sums.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn used(db: &Db, days: &Divided) -> Result<Vec<UsedPart>, DbError> {
    if days.is_empty() {
        return Ok(Vec::new());
    }
    let boms = bom::load_all(db).await?;
    let ids = numbers::all(db).await?;
    let numbers: HashMap<&str, u32> = ids.iter().map(|(number, id)| (id.as_ref(), *number)).collect();
    let keys = days.keys().map(|(store, day)| (store.as_str(), *day));
    let query = db
        .sql("select l.store_id, l.business_date, l.packed, i.packed from ")
        .push_rows(&["store_id", "business_date"], keys)
        // SQLite joins a cross join's tables in the order written: each row is found by its key.
        .push(concat!(
            " k cross join sales_lines l cross join sales_day_items i",
            " where l.store_id = k.store_id and l.business_date = k.business_date",
            " and i.store_id = l.store_id and i.business_date = l.business_date and i.source = l.source",
            sales_count!("l"),
        ));
    let mut found = Vec::new();
    let mut rows = std::pin::pin!(query.stream::<(String, BusinessDay, Vec<u8>, Vec<u8>)>());
    while let Some((store, date, lines, items)) = rows.try_next().await? {
        let day = unpack(&lines)?;
        let items = unpack_items(&items)
            .ok_or_else(|| DbError::Invalid("the items of a store-day cannot be read".to_owned()))?;
        let cuts: Vec<i32> = days.get(&(store.clone(), date)).into_iter().flatten().copied().collect();
        let sold = sold(&day, &numbers, &cuts);
        for item in items {
            let Some(bom) = item.bom.and_then(|seq| boms.version(item.item, seq)) else { continue };
            let quantities: Vec<i64> =
                sold.iter().map(|(_, sold)| sold.get(&item.item).copied().unwrap_or_default()).collect();
            let used = uses(bom, &quantities)
                .ok_or_else(|| DbError::Invalid("more was sold than can be stored".to_owned()))?;
            for ((at, _), used) in sold.iter().zip(used) {
                let part =
                    |(root, qty): (u32, i64)| UsedPart { store_id: store.clone(), date, at: *at, root, qty };
                found.extend(used.into_iter().filter(|(_, qty)| *qty != 0).map(part));
            }
        }
        tokio::task::yield_now().await;
    }
    Ok(found)
}

/// What was sold in each part of a day, by the numbers of the POS items. Several names may be one POS item.
fn sold(
    day: &Unpacked,
    numbers: &HashMap<&str, u32>,
    cuts: &[i32],
) -> Vec<(Option<i32>, BTreeMap<u32, i64>)> {
    let number = |item: u32| numbers.get(day.items.get(item as usize)?.pos_item_id.as_ref()).copied();
    let of_part = |part: larder_domain::sales::times::Part| {
        let mut sold: BTreeMap<u32, i64> = BTreeMap::new();
        for (item, qty) in part.sold {
            if let Some(number) = number(item) {
                let sum = sold.entry(number).or_default();
                *sum = sum.saturating_add(qty);
            }
        }
        (part.at, sold)
    };
    parts(day, cuts).into_iter().map(of_part).collect()
}
