//! Computes the figures of a store for some periods.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::on_hand::Moment;
use larder_domain::on_hand::movement::{Movement, TransfersAndWaste, movements};
use larder_domain::on_hand::series::History;
use larder_domain::{BusinessDay, Span, Worth};

use super::make::SnapshotRow;
use crate::store_items;
use crate::store_items::{Basis, Count, Extent, RootItem};

/// Stock movements of root items in a store.
#[derive(Debug, Default)]
pub struct StoreMovements {
    /// The root items it counts, and those that passed through it, by name.
    pub roots: Vec<RootItem>,
    /// By root item, then by period.
    pub figures: Vec<Vec<Movement>>,
    worths: Vec<Vec<Worths>>,
}

/// What figures of a root item are worth over a period; `None` without a price.
#[derive(Debug, Clone, Copy, Default)]
struct Worths {
    /// At the price of the last day.
    variance: Option<Worth>,
    /// At the price of each day.
    theoretical: Option<Worth>,
}

impl Worths {
    /// Whether both can be stored.
    fn fits(&self) -> bool {
        [self.variance, self.theoretical].into_iter().flatten().all(|worth| worth.stored().is_some())
    }
}

/// Computes the movements of a store's root items over consecutive periods.
///
/// # Errors
/// If the database fails, an amount overflows, or a worth is too large to store.
pub async fn of_store(db: &Db, store_id: &str, periods: &[Span]) -> Result<StoreMovements, DbError> {
    let (Some(first), Some(last)) = (periods.first(), periods.last()) else {
        return Ok(StoreMovements::default());
    };
    let span = Span { from: first.from, to: last.to };
    let stores = [store_id.to_owned()];
    let items = store_items::visible(db, store_id).await?;
    let made_of = store_items::made_of(db, store_id, &items).await?;
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let mut counts = store_items::counts_of(db, store_id, &ids, span).await?;
    let counts: Vec<Vec<Count>> = ids.iter().map(|id| counts.remove(*id).unwrap_or_default()).collect();
    let flows_from = begins(&counts, span);
    let moments = counts.iter().flatten().map(|count| count.baseline().moment).collect();
    let flows = (Span { from: flows_from, to: span.to }, moments);
    let basis = Basis::read(db, store_id, made_of, flows, (Extent::Everything, &[])).await?;
    let mut transfers_and_waste: HashMap<String, Vec<(BusinessDay, TransfersAndWaste)>> =
        store_items::transfers_and_waste(db, &stores, span)
            .await?
            .into_iter()
            .map(|((_, root), days)| (root, days))
            .collect();
    let transfers_and_waste: Vec<Vec<(BusinessDay, TransfersAndWaste)>> =
        basis.roots.iter().map(|root| transfers_and_waste.remove(&root.id).unwrap_or_default()).collect();
    let histories: Vec<History> = basis
        .made_of
        .iter()
        .zip(&counts)
        .map(|(roots, counts)| History {
            roots: roots.clone(),
            counts: counts.iter().map(Count::baseline).collect(),
        })
        .collect();
    let within = |root: usize, period: Span| {
        let days =
            transfers_and_waste[root].iter().filter(|(day, _)| (period.from..=period.to).contains(day));
        days.map(|(_, one)| *one).try_fold(TransfersAndWaste::default(), TransfersAndWaste::with)
    };
    let too_much = || DbError::Invalid("These quantities add up to more than can be stored.".into());
    let figures = movements(&histories, &basis.flows, periods, within).ok_or_else(too_much)?;
    let of_root = |(root, figures): (usize, &Vec<Movement>)| {
        periods.iter().zip(figures).map(|(period, it)| worths(&basis, root, *period, it)).collect()
    };
    let worths: Option<Vec<Vec<Worths>>> = figures.iter().enumerate().map(of_root).collect();
    let worths = worths.ok_or_else(too_much)?;
    if worths.iter().flatten().any(|it| !it.fits()) {
        return Err(DbError::Invalid("These figures are worth more than can be stored.".into()));
    }
    Ok(StoreMovements { roots: basis.roots, figures, worths })
}

/// What a root item's figures over a period are worth; `None` on overflow.
fn worths(basis: &Basis, root: usize, period: Span, figures: &Movement) -> Option<Worths> {
    let id = &basis.roots[root].id;
    let at_end = basis.prices.on(id, period.to);
    let mut theoretical: Option<Worth> = None;
    for (part, price) in basis.prices.within(id, period) {
        let Some(price) = price else { continue };
        let passed = basis.flows[root].between(Moment::before(part.from), Moment::after(part.to))?;
        theoretical = Some(theoretical.unwrap_or_default().plus(Worth::of(passed.used, price)));
    }
    let variance = figures.variance.zip(at_end).map(|(qty, price)| Worth::of(qty, price));
    Some(Worths { variance, theoretical })
}

/// The first day whose flows matter: that of the oldest count in effect when the span begins.
fn begins(counts: &[Vec<Count>], span: Span) -> BusinessDay {
    let start = Moment::after(span.from.plus(-1));
    let stands = |of_item: &Vec<Count>| {
        let before = of_item.partition_point(|count| count.baseline().moment <= start);
        before.checked_sub(1).map(|at| of_item[at].date)
    };
    counts.iter().filter_map(stands).chain([span.from]).min().unwrap_or(span.from)
}

/// The rows of one period, without empty ones.
#[must_use]
pub fn rows_of(computed: &StoreMovements, period: usize) -> Vec<SnapshotRow> {
    let mut rows = Vec::with_capacity(computed.roots.len());
    for ((root, figures), worths) in computed.roots.iter().zip(&computed.figures).zip(&computed.worths) {
        let Some(figures) = figures.get(period).filter(|figures| !figures.is_empty()) else { continue };
        let worths = worths.get(period).copied().unwrap_or_default();
        rows.push(SnapshotRow {
            root_item_id: root.id.clone(),
            figures: *figures,
            variance_worth: worths.variance,
            theoretical_worth: worths.theoretical,
        });
    }
    rows
}
