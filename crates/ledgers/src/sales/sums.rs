//! Reads stored sums for reports and imports. The total over stores is one more store,
//! [`ALL_STORES`](larder_domain::sales::ALL_STORES).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::sales::Grain;
use larder_domain::sales::sums::{self, Adder, EVERY_SLOT, Figures, Groups, SLOTS, Sum, SumsError};
use larder_domain::span::{self, Run};
use larder_domain::{BusinessDay, Span};
use tokio::task::{JoinError, JoinSet};

use super::numbers;

/// A table of packed sums with `N` figures per item.
#[derive(Debug, Clone, Copy)]
pub struct Table<const N: usize> {
    pub(super) name: &'static str,
}

/// Quantity, gross, net and lines of POS items.
pub const POS: Table<4> = Table { name: "sales_sums_pos" };

/// Quantity of root items.
pub const ROOT: Table<1> = Table { name: "sales_sums_root" };

/// Concurrent readers that share the stores of a query, so that disk pages are awaited in parallel; leaves
/// one of the four default connections to others.
const READERS: usize = 3;
/// A reader yields after this many rows.
const ROWS_AT_ONCE: usize = 32;

/// Store, first day of the block, packed content.
type Row = (String, BusinessDay, Vec<u8>);

/// Chosen figures of items per period, summed over some stores.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn by_period<const N: usize, const M: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
    figures: [usize; M],
) -> Result<BTreeMap<BusinessDay, Adder<M>>, DbError> {
    by(db, table, &[run], stores, figures, |_, period| period).await
}

/// Chosen figures of items per store, summed over some runs of periods.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn by_store<const N: usize, const M: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    figures: [usize; M],
) -> Result<BTreeMap<String, Adder<M>>, DbError> {
    by(db, table, &gathered(runs), stores, figures, |store, _| store.to_owned()).await
}

/// Chosen figures of items, summed over some stores and runs of periods.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn together<const N: usize, const M: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    figures: [usize; M],
) -> Result<Adder<M>, DbError> {
    let mut all = by(db, table, &gathered(runs), stores, figures, |_, _| ()).await?;
    Ok(all.remove(&()).unwrap_or_else(|| Adder::new(figures)))
}

/// One item by store and period.
///
/// # Errors
/// If the database fails.
pub async fn of_item<const N: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
    item: &str,
) -> Result<Vec<(String, BusinessDay, Figures<N>)>, DbError> {
    let mut found = Vec::new();
    let Some(item) = numbers::of(db, item).await? else { return Ok(found) };
    let mut rows = std::pin::pin!(rows(db, table, run, stores));
    while let Some((store, block, packed)) = rows.try_next().await? {
        let wanted = slots(run, block);
        for sum in sums::unpack::<N>(&packed).map_err(unfit)? {
            if sum.item == item && wanted & (1 << sum.slot) != 0 {
                found.push((store.clone(), block.plus(sum.slot.into()), sum.figures));
            }
        }
    }
    Ok(found)
}

/// Daily figures per store of the items `wanted` accepts.
///
/// # Errors
/// If the database fails.
pub async fn days<const N: usize>(
    db: &Db,
    table: Table<N>,
    span: Span,
    stores: &[String],
    wanted: impl Fn(u32) -> bool,
) -> Result<Vec<(String, BusinessDay, u32, Figures<N>)>, DbError> {
    let mut found = Vec::new();
    each_day(db, table, span, stores, |store, day, item, figures| {
        if wanted(item) {
            found.push((store.to_owned(), day, item, figures));
        }
    })
    .await?;
    Ok(found)
}

/// Streams daily figures per store.
///
/// # Errors
/// If the database fails.
pub async fn each_day<const N: usize>(
    db: &Db,
    table: Table<N>,
    span: Span,
    stores: &[String],
    mut seen: impl FnMut(&str, BusinessDay, u32, Figures<N>),
) -> Result<(), DbError> {
    let run = Run { grain: Grain::Day, first: span.from, last: span.to };
    each(db, table, &[run], stores, &mut seen).await
}

/// Streams figures per store and period over some runs, each period by its first day.
///
/// # Errors
/// If the database fails.
pub async fn each<const N: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    seen: impl FnMut(&str, BusinessDay, u32, Figures<N>),
) -> Result<(), DbError> {
    each_together(db, table, runs, stores, ([true; N], |day| day), seen).await
}

/// As [`each`], for chosen figures, with days of one month that share a key summed under the first of them.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn each_together<const N: usize, K: PartialEq>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    (wanted, key): ([bool; N], impl Fn(BusinessDay) -> K),
    mut seen: impl FnMut(&str, BusinessDay, u32, Figures<N>),
) -> Result<(), DbError> {
    let mut count = 0usize;
    for run in runs {
        let mut blocks: HashMap<BusinessDay, (Groups, Vec<BusinessDay>)> = HashMap::new();
        let mut rows = std::pin::pin!(rows(db, table, *run, stores));
        while let Some((store, block, packed)) = rows.try_next().await? {
            let (groups, days) = blocks.entry(block).or_insert_with(|| together_in(*run, block, &key));
            let show = |item, group, figures| seen(&store, days[usize::from(group)], item, figures);
            sums::grouped::<N>(&packed, wanted, groups, show).map_err(unfit)?;
            count += 1;
            if count.is_multiple_of(ROWS_AT_ONCE) {
                tokio::task::yield_now().await;
            }
        }
    }
    Ok(())
}

/// The groups of a block's days within a run, and the first day of each.
fn together_in<K: PartialEq>(
    run: Run,
    block: BusinessDay,
    key: &impl Fn(BusinessDay) -> K,
) -> (Groups, Vec<BusinessDay>) {
    let within = slots(run, block);
    let mut found: Vec<(K, BusinessDay)> = Vec::new();
    let mut places = [None; SLOTS as usize];
    for (slot, place) in (0..SLOTS).zip(&mut places) {
        if within & (1 << slot) != 0 {
            let day = block.plus(slot.into());
            let known = key(day);
            let at = found.iter().position(|(other, _)| *other == known).unwrap_or_else(|| {
                found.push((known, day));
                found.len() - 1
            });
            *place = u8::try_from(at).ok();
        }
    }
    let groups = Groups::new(|slot| places[usize::from(slot)]);
    (groups, found.into_iter().map(|(_, day)| day).collect())
}

/// All stored sums of one store by grain and block.
pub(super) async fn of_store<const N: usize>(
    db: &Db,
    table: Table<N>,
    store: &str,
) -> Result<Vec<(i64, BusinessDay, Vec<Sum<N>>)>, DbError> {
    let rows: Vec<(i64, BusinessDay, Vec<u8>)> = db
        .sql("select grain, block, packed from ")
        .push(table.name)
        .push(" where store_id = ")
        .push_bind(store)
        .all()
        .await?;
    rows.into_iter()
        .map(|(grain, block, packed)| Ok((grain, block, sums::unpack(&packed).map_err(unfit)?)))
        .collect()
}

/// Single days are read by whole months, so weeks next to them are read as days too.
fn gathered(runs: &[Run]) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let days = |run: &Run| Run {
            grain: Grain::Day,
            first: run.first,
            last: span::next(run.grain, run.last).plus(-1),
        };
        match all.last_mut() {
            Some(last)
                if last.grain != Grain::Month
                    && run.grain != Grain::Month
                    && (last.grain == Grain::Day || run.grain == Grain::Day)
                    && days(last).last.plus(1) == run.first =>
            {
                *last = Run { last: days(run).last, ..days(last) };
            }
            _ => all.push(*run),
        }
    }
    all
}

/// The slots of a block within a run.
fn slots(run: Run, block: BusinessDay) -> u32 {
    if run.grain != Grain::Day {
        return EVERY_SLOT;
    }
    let within = |slot: &u8| (run.first..=run.last).contains(&block.plus(i32::from(*slot)));
    (0..SLOTS).filter(within).fold(0, |slots, slot| slots | 1 << slot)
}

fn rows<const N: usize>(
    db: &Db,
    table: Table<N>,
    run: Run,
    stores: &[String],
) -> impl futures::Stream<Item = Result<Row, DbError>> {
    db.sql("select store_id, block, packed from ")
        .push(table.name)
        .push(" where store_id in ")
        .push_ids(stores)
        .push(" and grain = ")
        .push_bind(run.grain.code())
        .push(" and block between ")
        .push_bind(run.grain.block(run.first))
        .push(" and ")
        .push_bind(run.grain.block(run.last))
        .stream::<Row>()
}

/// Sums by key; the stores are shared among readers.
async fn by<K, const N: usize, const M: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    figures: [usize; M],
    key: fn(&str, BusinessDay) -> K,
) -> Result<BTreeMap<K, Adder<M>>, DbError>
where
    K: Ord + Send + 'static,
{
    let mut readers = JoinSet::new();
    for part in stores.chunks(stores.len().div_ceil(READERS).max(1)) {
        let (db, runs, stores) = (db.clone(), runs.to_vec(), part.to_vec());
        readers.spawn(async move { read(&db, table, &runs, &stores, figures, key).await });
    }
    let mut sums: BTreeMap<K, Adder<M>> = BTreeMap::new();
    while let Some(part) = readers.join_next().await {
        let part = part.map_err(stopped)??;
        for (key, items) in part {
            put_in(&mut sums, key, items)?;
        }
    }
    Ok(sums)
}

/// Adds a value under a key.
fn put_in<K: Ord, const M: usize>(
    sums: &mut BTreeMap<K, Adder<M>>,
    key: K,
    items: Adder<M>,
) -> Result<(), DbError> {
    match sums.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(items);
            Ok(())
        }
        Entry::Occupied(mut entry) => entry.get_mut().join(&items).map_err(unfit),
    }
}

async fn read<K: Ord, const N: usize, const M: usize>(
    db: &Db,
    table: Table<N>,
    runs: &[Run],
    stores: &[String],
    figures: [usize; M],
    key: fn(&str, BusinessDay) -> K,
) -> Result<BTreeMap<K, Adder<M>>, DbError> {
    let mut sums: BTreeMap<K, Adder<M>> = BTreeMap::new();
    let mut count = 0usize;
    for run in runs {
        let mut rows = std::pin::pin!(rows(db, table, *run, stores));
        while let Some((store, block, packed)) = rows.try_next().await? {
            let wanted = slots(*run, block);
            let first = key(&store, block);
            if run.grain == Grain::Day && first != key(&store, block.plus(1)) {
                // Every day separately.
                let mut days: [Option<Adder<M>>; SLOTS as usize] = std::array::from_fn(|_| None);
                let all = Groups::new(|slot| (wanted & (1 << slot) != 0).then_some(slot));
                let mut past = Ok(());
                let chosen = std::array::from_fn(|figure| figures.contains(&figure));
                sums::grouped::<N>(&packed, chosen, &all, |item, slot, found| {
                    let adder = days[usize::from(slot)].get_or_insert_with(|| {
                        let of_day = sums.remove(&key(&store, block.plus(slot.into())));
                        of_day.unwrap_or_else(|| Adder::new(figures))
                    });
                    if past.is_ok() {
                        past = adder.put(&Sum { item, slot, figures: found });
                    }
                })
                .and(past)
                .map_err(unfit)?;
                for (slot, adder) in (0..SLOTS).zip(days) {
                    if let Some(adder) = adder {
                        put_in(&mut sums, key(&store, block.plus(slot.into())), adder)?;
                    }
                }
            } else {
                let adder = sums.entry(first).or_insert_with(|| Adder::new(figures));
                adder.add::<N>(&packed, wanted).map_err(unfit)?;
            }
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

/// Propagates a reader's panic; readers are only cancelled at shutdown.
fn stopped(error: JoinError) -> DbError {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => DbError::Closed,
    }
}
