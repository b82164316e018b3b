//! Stock of a store's counted items and of the root items behind them, with the comparison of their last two counts.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::series::{History, known_at};
use larder_domain::on_hand::{BaselineCount, Computed, Counted, Flow, Moment, Versions, compute, converted};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use crate::store_items::{Basis, Count, CountedItem, Extent, LastTwo, MadeOf, last_two, made_of};

/// Counted items of a store, with what they consist of and their counts, by index.
#[derive(Debug, Clone)]
pub struct StoreItems {
    pub store_id: String,
    pub made_of: MadeOf,
    /// In order of time. Stock starts from the last count up to the moment that is asked for, and that is compared with
    /// the one before it.
    pub counts: Vec<Vec<BaselineCount>>,
}

impl StoreItems {
    /// Items with the last two counts of each.
    #[must_use]
    pub fn of_last_two(store_id: &str, items: &[CountedItem], made_of: MadeOf, counts: &LastTwo) -> Self {
        let of_item = |item: &CountedItem| {
            let found = counts.get(&item.id);
            let both = found.into_iter().flat_map(|(last, earlier)| earlier.iter().chain([last]));
            both.map(Count::baseline).collect()
        };
        Self { store_id: store_id.to_owned(), made_of, counts: items.iter().map(of_item).collect() }
    }

    /// The first day of any of the counts.
    #[must_use]
    pub fn first_day(&self) -> Option<BusinessDay> {
        self.counts.iter().flatten().map(|count| count.moment.day()).min()
    }
}

/// Stock of a store's items and root items, and what it was computed from.
#[derive(Debug)]
pub struct StoreStock {
    /// The root items, and their flows from the first day that was asked for.
    pub basis: Basis,
    /// The items with all their counts.
    pub histories: Vec<History>,
    /// The items with the counts that the stock starts from.
    pub counted: Vec<Counted>,
    pub computed: Computed,
}

/// Stock of a store's items, and of the root items that `extent` and `also` name, at a moment. `from` is the first day
/// of flows that the caller needs: that of the earliest count it asks about, or a day before.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn of_items(
    db: &Db,
    items: StoreItems,
    (from, at): (BusinessDay, Moment),
    of: (Extent, &[&str]),
) -> Result<StoreStock, DbError> {
    let StoreItems { store_id, made_of, counts } = items;
    let moments = counts.iter().flatten().map(|count| count.moment).chain([at]).collect();
    let span = Span { from, to: at.day() };
    let basis = Basis::read(db, &store_id, made_of, (span, moments), of).await?;
    let history = |(roots, counts): (&Versions<_>, Vec<BaselineCount>)| {
        let roots = roots.clone();
        History { roots, counts }
    };
    let histories: Vec<History> = basis.made_of.iter().zip(counts).map(history).collect();
    let counted = known_at(&histories, at);
    let computed = stock_at(&counted, &basis.flows, at)?;
    Ok(StoreStock { basis, histories, counted, computed })
}

/// Stock at a moment, from counts and flows: every stock of a store comes from here.
///
/// # Errors
/// If an amount overflows.
pub fn stock_at(counted: &[Counted], flows: &[Flow], at: Moment) -> Result<Computed, DbError> {
    compute(counted, flows, at).ok_or_else(too_much)
}

pub(super) fn too_much() -> DbError {
    DbError::Invalid("These quantities add up to more than can be stored.".to_owned())
}

/// Expected quantity of each item in a count session, in units of that time: the last count before it and the flows
/// since. Items never counted and items without a root item mapping are left out; counts of the session itself are
/// ignored.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn expected(
    db: &Db,
    store_id: &str,
    items: &[CountedItem],
    (session, date, at): (Session, BusinessDay, Timestamp),
) -> Result<BTreeMap<String, Qty>, DbError> {
    let moment = Moment::of(session, date, at);
    let until = if moment.is_opening() { date.plus(-1) } else { date };
    let made_of = made_of(db, store_id, items).await?;
    let mut before = StoreItems::of_last_two(store_id, items, made_of, &last_two(db, store_id, until).await?);
    for counts in &mut before.counts {
        counts.retain(|count| count.moment < moment && !count.moment.is_with(moment));
        counts.drain(..counts.len().saturating_sub(1));
    }
    let Some(from) = before.first_day() else { return Ok(BTreeMap::new()) };
    let stock = of_items(db, before, (from, moment), (Extent::Items, &[])).await?;
    let mut found = BTreeMap::new();
    let known = stock.histories.iter().zip(&stock.counted).zip(&stock.computed.items);
    for (item, ((history, counted), figures)) in items.iter().zip(known) {
        let Some(on_hand) = figures.on_hand.filter(|_| !counted.roots.is_empty()) else { continue };
        let now = history.roots.at(moment.time());
        found.insert(item.id.clone(), converted(on_hand, &counted.roots, now).ok_or_else(too_much)?);
    }
    Ok(found)
}
