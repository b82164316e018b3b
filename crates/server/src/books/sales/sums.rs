//! The kept sums of single stores, added up as reports and the import ask for them.

use std::collections::BTreeMap;

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::sales::sums::{self, Adder, Figures, SumsError};
use larder_domain::span::Run;
use tokio::task::{JoinError, JoinSet};

/// Where packed sums of items with so many figures are kept.
#[derive(Debug, Clone, Copy)]
pub struct Table<const N: usize> {
    pub(super) name: &'static str,
}

/// Quantity, gross, net and lines of POS items.
pub const POS: Table<4> = Table { name: "sales_store_pos" };

/// Quantity of root items.
pub const ROOT: Table<1> = Table { name: "sales_store_root" };

/// Items, sorted by id, with their figures.
pub type Items<const N: usize> = Vec<(String, Figures<N>)>;

/// Readers that share the stores of a question and work side by side.
const READERS: usize = 2;
/// After so many rows a reader lets others have its thread.
const ROWS_AT_ONCE: usize = 64;

/// One row: the store, the period's first day, what it holds.
type Row = (String, BusinessDay, String);

/// The items of some stores together, by period.
///
/// # Errors
/// When the database cannot be read, or a sum is past what can be kept.
pub async fn by_period<const N: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
) -> Result<Vec<(BusinessDay, Items<N>)>, DbError> {
    by(db, table, &[run], stores, |_, period| period).await
}

/// The items of each store over some runs of periods together.
///
/// # Errors
/// When the database cannot be read, or a sum is past what can be kept.
pub async fn by_store<const N: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
) -> Result<Vec<(String, Items<N>)>, DbError> {
    by(db, table, runs, stores, |store, _| store.to_owned()).await
}

/// The items of some stores over some runs of periods, all together.
///
/// # Errors
/// When the database cannot be read, or a sum is past what can be kept.
pub async fn together<const N: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
) -> Result<Items<N>, DbError> {
    let all = by(db, table, runs, stores, |_, _| ()).await?;
    Ok(all.into_iter().next().map(|((), items)| items).unwrap_or_default())
}

/// One item by store and period.
///
/// # Errors
/// When the database cannot be read.
pub async fn of_item<const N: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
    item: &str,
) -> Result<Vec<(String, BusinessDay, Figures<N>)>, DbError> {
    let mut found = Vec::new();
    let mut rows = std::pin::pin!(rows(db, table, run, stores));
    while let Some((store, period, packed)) = rows.try_next().await? {
        for sum in sums::items(&packed) {
            let (id, figures) = sum.map_err(unfit)?;
            if id == item {
                found.push((store, period, figures));
                break;
            }
        }
    }
    Ok(found)
}

/// All kept sums of one store, item by item.
pub(super) async fn of_store<const N: usize>(
    db: &Db,
    table: Table<N>,
    store: &str,
) -> Result<Vec<(i64, BusinessDay, Items<N>)>, DbError> {
    let rows: Vec<(i64, BusinessDay, String)> = db
        .sql("select grain, period, packed from ")
        .push(table.name)
        .push(" where store_id = ")
        .push_bind(store)
        .all()
        .await?;
    rows.into_iter()
        .map(|(grain, period, packed)| {
            let items: Result<Items<N>, SumsError> = sums::items(&packed)
                .map(|item| item.map(|(id, figures)| (id.into_owned(), figures)))
                .collect();
            Ok((grain, period, items.map_err(unfit)?))
        })
        .collect()
}

fn rows<const N: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
) -> impl futures::Stream<Item = Result<Row, DbError>> {
    db.sql("select store_id, period, packed from ")
        .push(table.name)
        .push(" where store_id in ")
        .push_ids(stores)
        .push(" and grain = ")
        .push_bind(run.grain.code())
        .push(" and period between ")
        .push_bind(run.first)
        .push(" and ")
        .push_bind(run.last)
        .stream::<Row>()
}

/// Adds up what falls under one key; the stores are shared among readers.
async fn by<K, const N: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    key: fn(&str, BusinessDay) -> K,
) -> Result<Vec<(K, Items<N>)>, DbError>
where
    K: Ord + Clone + Send + 'static,
{
    let mut readers = JoinSet::new();
    for part in stores.chunks(stores.len().div_ceil(READERS).max(1)) {
        let (db, runs, stores) = (db.clone(), runs.to_vec(), part.to_vec());
        readers.spawn(async move { read(&db, table, &runs, &stores, key).await });
    }
    let mut sums: BTreeMap<K, Adder<N>> = BTreeMap::new();
    while let Some(part) = readers.join_next().await {
        let part = part.map_err(stopped)??;
        for (key, items) in part {
            match sums.entry(key) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(items);
                }
                std::collections::btree_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().join(items).map_err(unfit)?;
                }
            }
        }
    }
    Ok(sums.into_iter().map(|(key, sums)| (key, sums.into_items())).collect())
}

async fn read<K: Ord, const N: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    key: fn(&str, BusinessDay) -> K,
) -> Result<BTreeMap<K, Adder<N>>, DbError> {
    let mut sums: BTreeMap<K, Adder<N>> = BTreeMap::new();
    let mut count = 0usize;
    for run in runs {
        let mut rows = std::pin::pin!(rows(db, table, *run, stores));
        while let Some((store, period, packed)) = rows.try_next().await? {
            sums.entry(key(&store, period)).or_default().add(&packed).map_err(unfit)?;
            count += 1;
            if count.is_multiple_of(ROWS_AT_ONCE) {
                tokio::task::yield_now().await;
            }
        }
    }
    Ok(sums)
}

fn unfit(error: SumsError) -> DbError {
    DbError::Invalid(error.to_string())
}

/// A reader's panic is the asker's; readers end otherwise only with the program.
fn stopped(error: JoinError) -> DbError {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => DbError::Closed,
    }
}
