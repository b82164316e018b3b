//! Stock on hand of root items in a store, and their daily use.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::decimal::div_round;
use larder_domain::on_hand::{Counted, Moment, compute};
use larder_domain::{BusinessDay, Qty, Span};

use super::{Basis, Count, Extent, last_two, made_of, moments, visible};

/// Days averaged for daily use.
const USE_DAYS: i32 = 28;

/// A root item in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootStock {
    /// Stock on hand in root units; `None` if never counted.
    pub on_hand: Option<Qty>,
    /// Business date of the latest count of an item mapped to it.
    pub counted_on: Option<BusinessDay>,
    /// Whether that count was made before the sales of its day.
    pub counted_first: bool,
    /// Average daily use over the last 28 whole days, in root units.
    pub daily_use: Qty,
}

/// Stock on hand in a store at the end of a day, by root item.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn root_stock(
    db: &Db,
    store_id: &str,
    day: BusinessDay,
) -> Result<HashMap<String, RootStock>, DbError> {
    let items = visible(db, store_id).await?;
    let counts = last_two(db, store_id, day).await?;
    let oldest = counts.values().map(|(last, earlier)| earlier.as_ref().unwrap_or(last).date).min();
    let first = day.plus(-USE_DAYS);
    let span = Span { from: oldest.map_or(first, |oldest| oldest.min(first)), to: day };
    let made_of = made_of(db, store_id, &items).await?;
    let span = (span, moments(&counts));
    let basis = Basis::read(db, store_id, made_of, span, (Extent::Items, &[])).await?;
    let counted: Vec<Counted> = basis.counted(|at| {
        let counts = counts.get(&items[at].id);
        let earlier = counts.and_then(|(_, earlier)| earlier.as_ref());
        (counts.map(|(last, _)| last.baseline()), earlier.map(Count::baseline))
    });
    let too_much = || DbError::Invalid("These quantities add up to more than can be stored.".into());
    let computed = compute(&counted, &basis.flows, Moment::after(day)).ok_or_else(too_much)?;
    let (from, to) = (Moment::before(day.plus(-USE_DAYS)), Moment::before(day));
    let mut found = HashMap::with_capacity(basis.roots.len());
    for (at, (root, figures)) in basis.roots.iter().zip(&computed.roots).enumerate() {
        let used = basis.flows[at].between(from, to).ok_or_else(too_much)?.used;
        let daily_use = div_round(used.0.into(), USE_DAYS.into()).map(Qty).ok_or_else(too_much)?;
        let stand_for_it =
            counted.iter().zip(&items).filter(|(it, _)| it.roots.iter().any(|(root, _)| *root == at));
        let lasts = stand_for_it.filter_map(|(_, item)| counts.get(&item.id));
        let last = lasts.map(|(last, _)| last.baseline().moment).max();
        let stock = RootStock {
            on_hand: figures.on_hand,
            counted_on: last.map(Moment::day),
            counted_first: last.is_some_and(Moment::is_opening),
            daily_use,
        };
        found.insert(root.id.clone(), stock);
    }
    Ok(found)
}
