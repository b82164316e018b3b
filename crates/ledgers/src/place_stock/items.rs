//! Stock of a store's counted items and of the root items behind them, with the comparison of their last two counts.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError};
use larder_domain::count::{CountedAt, Session};
use larder_domain::on_hand::series::{History, Of, known_at, series};
use larder_domain::on_hand::{BaselineCount, Computed, Counted, Flow, Moment, Versions, compute, converted};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use crate::store_items::{Basis, Count, CountedItem, Extent, LastTwo, MadeOf, made_of, recent};

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

/// Expected quantity of each item in some count sessions of consecutive days, in units of that time: the count before it
/// and the flows since. An item that the session counted is compared when it was counted, as the derivation of its stock
/// compares it; any other as if it were counted now. Items never counted before and items without a root item mapping are
/// left out.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn expected(
    db: &Db,
    store_id: &str,
    items: &[CountedItem],
    (sessions, now): (&[(BusinessDay, Session)], Timestamp),
) -> Result<Vec<BTreeMap<String, Qty>>, DbError> {
    let dates = || sessions.iter().map(|(date, _)| *date);
    let (Some(from), Some(to)) = (dates().min(), dates().max()) else { return Ok(Vec::new()) };
    let span = Span { from, to };
    let mut known = recent(db, store_id, span).await?;
    let counts: Vec<Vec<Count>> =
        items.iter().map(|item| since(known.remove(&item.id).unwrap_or_default(), from)).collect();
    let Some(first) = counts.iter().flatten().map(|count| count.baseline().moment.day()).min() else {
        return Ok(vec![BTreeMap::new(); sessions.len()]);
    };
    let moment = |(date, session): &(BusinessDay, Session)| {
        Moment::of(*session, *date, CountedAt::of(*session, *date, now).at)
    };
    let asked: Vec<Moment> = sessions.iter().map(moment).collect();
    let moments = counts.iter().flatten().map(|count| count.baseline().moment).chain(asked.iter().copied());
    let span_of_flows = Span { from: first.min(from), to };
    let made_of = made_of(db, store_id, items).await?;
    let basis =
        Basis::read(db, store_id, made_of, (span_of_flows, moments.collect()), (Extent::Items, &[])).await?;
    let history = |(roots, counts): (&Versions<_>, &Vec<Count>)| History {
        roots: roots.clone(),
        counts: counts.iter().map(Count::baseline).collect(),
    };
    let histories: Vec<History> = basis.made_of.iter().zip(&counts).map(history).collect();
    let found = found(&histories, &basis.flows, span)?;
    let mut expected = Vec::with_capacity(sessions.len());
    for (session, moment) in sessions.iter().zip(asked) {
        let open = expected_at(&histories, &basis.flows, moment)?;
        let mut of_session = BTreeMap::new();
        for (at, (item, counts)) in items.iter().zip(&counts).enumerate() {
            let own = counts.iter().position(|count| (count.date, count.session) == *session);
            let qty = own.map_or(open[at], |own| found.get(&(at, own)).copied());
            of_session.extend(qty.map(|qty| (item.id.clone(), qty)));
        }
        expected.push(of_session);
    }
    Ok(expected)
}

/// The counts from a day on, and the last two before it.
fn since(mut counts: Vec<Count>, from: BusinessDay) -> Vec<Count> {
    let before = counts.iter().take_while(|count| count.date < from).count();
    counts.drain(..before.saturating_sub(2));
    counts
}

/// What was expected at the counts of a range, by item and count.
fn found(
    histories: &[History],
    flows: &[Flow],
    span: Span,
) -> Result<BTreeMap<(usize, usize), Qty>, DbError> {
    let mut found = BTreeMap::new();
    for (at, history) in histories.iter().enumerate() {
        if history.counts.last().is_none_or(|last| last.moment.day() < span.from) {
            continue;
        }
        // Only items of the same root items share what passed.
        let roots: BTreeSet<usize> = history.roots.all().flatten().map(|(root, _)| *root).collect();
        let is_beside = |other: &History| other.roots.all().flatten().any(|(root, _)| roots.contains(root));
        let beside = (0..histories.len()).filter(|other| *other == at || is_beside(&histories[*other]));
        let beside: Vec<usize> = beside.collect();
        let own = beside.iter().position(|other| *other == at).unwrap_or_default();
        let group: Vec<History> = beside.into_iter().map(|other| histories[other].clone()).collect();
        let days = series(&group, flows, Of::Item(own), span).ok_or_else(too_much)?.days;
        let counts = days.into_iter().flat_map(|day| day.found);
        found.extend(counts.filter_map(|count| Some(((at, count.count), count.expected?))));
    }
    Ok(found)
}

/// What each item is expected to come to if it is counted at a moment; other counts of that session are ignored.
fn expected_at(histories: &[History], flows: &[Flow], moment: Moment) -> Result<Vec<Option<Qty>>, DbError> {
    let before = |history: &History| {
        let is_before = |count: &&BaselineCount| count.moment < moment && !count.moment.is_with(moment);
        let last = history.counts.iter().rfind(is_before);
        History { roots: history.roots.clone(), counts: last.copied().into_iter().collect() }
    };
    let counted = known_at(&histories.iter().map(before).collect::<Vec<_>>(), moment);
    let computed = stock_at(&counted, flows, moment)?;
    let known = histories.iter().zip(&counted).zip(computed.items);
    let expected = known.map(|((history, counted), figures)| {
        let Some(on_hand) = figures.on_hand.filter(|_| !counted.roots.is_empty()) else { return Ok(None) };
        let now = history.roots.at(moment.time());
        converted(on_hand, &counted.roots, now).map(Some).ok_or_else(too_much)
    });
    expected.collect()
}
