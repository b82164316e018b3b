//! Reads the input of a derivation and computes it.

use std::collections::{BTreeSet, HashMap};

use larder_db::Db;
use larder_domain::on_hand::series::{Day, Found, Of, Series, series};
use larder_domain::on_hand::{self, EventTime, Figures, Moment, Passed};
use larder_domain::{BusinessDay, Factor, Money, Qty, Span};

use super::model::{Ledger, LedgerCount, LedgerDay, LedgerItem, LedgerMovement, LedgerRoot, LedgerSales};
use crate::stores::inventory::queries::Store;
use crate::stores::inventory::rows::too_large;
use larder_ledgers::place_stock::{self, CloseLine, StoreItems};
use larder_ledgers::store_items as book;
use larder_ledgers::store_items::{Basis, Count, CountedItem, Extent, MadeOf, Moved, Parts, Sold};
use larder_platform::http::ApiResult;

/// Default number of days.
const USUAL_DAYS: i32 = 28;
/// Maximum number of movements returned.
const MAX_MOVEMENTS: usize = 2_000;

/// Subject of a derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An item.
    Item,
    /// A root item.
    Root,
}

/// The input of a derivation, before its first day is known.
pub struct Ground {
    store_id: String,
    target: Target,
    id: String,
    to: BusinessDay,
    /// The items that share the root items, in sheet order.
    items: Vec<CountedItem>,
    made_of: MadeOf,
    /// The last two counts of each item.
    counts: HashMap<String, (Count, Option<Count>)>,
}

/// The data related to an item or root item in a store; `None` if the store does not count the item.
pub(crate) async fn ground(
    db: &Db,
    store_id: &str,
    target: Target,
    id: &str,
    to: BusinessDay,
) -> ApiResult<Option<Ground>> {
    let items = book::visible(db, store_id).await?;
    let made_of = book::made_of(db, store_id, &items).await?;
    let roots: BTreeSet<String> = match target {
        Target::Root => [id.to_owned()].into(),
        Target::Item => {
            let Some(at) = items.iter().position(|item| item.id == id) else { return Ok(None) };
            made_of[at].all().flatten().map(|(root, _)| root.clone()).collect()
        }
    };
    // The other components of these items are irrelevant.
    let only_these =
        |parts: &Parts| -> Parts { parts.iter().filter(|(root, _)| roots.contains(root)).cloned().collect() };
    let shared = items.into_iter().zip(made_of).filter_map(|(item, made_of)| {
        let made_of = made_of.map(only_these);
        let has_any = made_of.all().any(|parts| !parts.is_empty());
        (has_any || item.id == id).then_some((item, made_of))
    });
    let (items, made_of): (Vec<_>, Vec<_>) = shared.unzip();
    let mut counts = book::last_two(db, store_id, to).await?;
    counts.retain(|item, _| items.iter().any(|one| one.id == *item));
    Ok(Some(Ground { store_id: store_id.to_owned(), target, id: id.to_owned(), to, items, made_of, counts }))
}

impl Ground {
    fn is_included(&self, item: &CountedItem) -> bool {
        self.target == Target::Root || item.id == self.id
    }

    /// The day of the count before the last one, so that the derivation explains the variance.
    pub fn usual_from(&self) -> BusinessDay {
        let included: Vec<_> = self
            .items
            .iter()
            .filter(|item| self.is_included(item))
            .filter_map(|item| self.counts.get(&item.id))
            .collect();
        let last = included.iter().map(|(last, _)| last.baseline().moment).max();
        let with = |count: &Count| last.is_some_and(|last| last.is_with(count.baseline().moment));
        let compared = included.iter().filter(|(count, _)| with(count));
        let earlier = compared.filter_map(|(_, earlier)| Some(earlier.as_ref()?.date)).min();
        earlier.unwrap_or_else(|| self.to.plus(-USUAL_DAYS))
    }

    /// The first day whose flows matter: the earliest of the opening count's and the last two counts' days.
    fn first_day(&self, counts: &[Vec<Count>], from: BusinessDay) -> BusinessDay {
        let included = self.items.iter().zip(counts).filter(|(item, _)| self.is_included(item));
        let firsts = included.flat_map(|(item, counts)| {
            let begins = counts.iter().map(|count| count.date).filter(|date| *date < from).max();
            let last_two = self.counts.get(&item.id);
            let compared = last_two.map(|(last, earlier)| earlier.as_ref().unwrap_or(last).date);
            [begins, compared]
        });
        firsts.flatten().chain([from]).min().unwrap_or(from)
    }
}

/// The data a derivation is computed from.
struct Derivation {
    ground: Ground,
    basis: Basis,
    counts: Vec<Vec<Count>>,
    /// The item or root item.
    of: Of,
    /// The root items of the figure, with root units per unit; an item's as of its last count.
    roots: Vec<(usize, Factor)>,
    figures: Figures,
    series: Series,
}

/// The derivation over a range of days.
pub async fn ledger(db: &Db, store: Store, ground: Ground, span: Span) -> ApiResult<Ledger> {
    let Some(derivation) = derive(db, ground, span).await? else {
        return Err(larder_platform::http::ApiError::not_found("root item"));
    };
    let roots: Vec<&str> = derivation.basis.roots.iter().map(|root| root.id.as_str()).collect();
    let (documents, truncated) = book::documents(db, &store.id, span, &roots, MAX_MOVEMENTS).await?;
    let sold = book::sold(db, &store.id, span, &roots).await?;
    let mut by_day: HashMap<BusinessDay, Vec<Moved>> = HashMap::new();
    for moved in documents {
        by_day.entry(moved.date).or_default().push(moved);
    }
    let has_counts = derivation.series.days.iter().any(|day| !day.found.is_empty());
    let close = if has_counts { place_stock::close_in(db, &store.id, span).await? } else { Vec::new() };
    let mut days = Vec::new();
    for day in &derivation.series.days {
        let documents = by_day.remove(&day.date).unwrap_or_default();
        days.extend(derivation.day(day, documents, (&sold, close.as_slice())).ok_or_else(too_large)?);
    }
    Ok(Ledger {
        store_id: store.id,
        store_name: store.name,
        item: derivation.item(),
        from: span.from,
        to: span.to,
        start: derivation.series.start,
        days,
        truncated,
        on_hand: derivation.figures.on_hand,
        expected: derivation.figures.expected,
        variance: derivation.figures.variance(),
        variance_value: derivation.variance_value().ok_or_else(too_large)?,
    })
}

/// Whether goods came or left close to an item's count.
fn is_close_to(line: &CloseLine, item: &str, count: &Count) -> bool {
    (line.date, line.session) == (count.date, count.session) && line.items.contains(item)
}

/// `None` if the root item does not exist.
async fn derive(db: &Db, ground: Ground, span: Span) -> ApiResult<Option<Derivation>> {
    let ids: Vec<&str> = ground.items.iter().map(|item| item.id.as_str()).collect();
    let mut found = book::counts_of(db, &ground.store_id, &ids, span).await?;
    let counts: Vec<Vec<Count>> = ids.iter().map(|id| found.remove(*id).unwrap_or_default()).collect();
    let first = ground.first_day(&counts, span.from);
    let also: &[&str] = if ground.target == Target::Root { &[&ground.id] } else { &[] };
    let items = StoreItems {
        store_id: ground.store_id.clone(),
        made_of: ground.made_of.clone(),
        counts: counts.iter().map(|counts| counts.iter().map(Count::baseline).collect()).collect(),
    };
    let end = Moment::after(span.to);
    let stock = place_stock::of_items(db, items, (first, end), (Extent::Items, also)).await?;
    let (basis, computed) = (stock.basis, stock.computed);
    let of = match ground.target {
        Target::Item => ids.iter().position(|id| *id == ground.id).map(Of::Item),
        Target::Root => basis.roots.iter().position(|root| root.id == ground.id).map(Of::Root),
    };
    let Some(of) = of else { return Ok(None) };
    let (figures, roots) = match of {
        Of::Item(at) => (computed.items[at], stock.counted[at].roots.clone()),
        Of::Root(at) => (computed.roots[at], vec![(at, Factor(1_000_000_000))]),
    };
    let series = series(&stock.histories, &basis.flows, of, span).ok_or_else(too_large)?;
    Ok(Some(Derivation { ground, basis, counts, of, roots, figures, series }))
}

impl Derivation {
    fn item(&self) -> LedgerItem {
        let root = |(at, factor): &(usize, Factor)| {
            let root = &self.basis.roots[*at];
            LedgerRoot { id: root.id.clone(), name: root.name.clone(), factor: *factor }
        };
        let roots = self.roots.iter().map(root).collect();
        let others = self.ground.items.iter().filter(|item| item.id != self.ground.id);
        let beside = others.map(|item| item.name.clone()).collect();
        match self.of {
            Of::Item(at) => {
                let item = &self.ground.items[at];
                let (code, uom_code) = (item.code.clone(), item.uom_code.clone());
                LedgerItem { id: item.id.clone(), name: item.name.clone(), code, uom_code, roots, beside }
            }
            Of::Root(at) => {
                let root = &self.basis.roots[at];
                let code = root.root_product_id.clone();
                LedgerItem {
                    id: root.id.clone(),
                    name: root.name.clone(),
                    code,
                    uom_code: None,
                    roots,
                    beside,
                }
            }
        }
    }

    /// Value of the variance at the root items' prices on the day of the last count.
    fn variance_value(&self) -> Option<Option<Money>> {
        let last = |count: &&Count| Some(count.baseline().moment) == self.figures.moment;
        let last = self.counts.iter().flatten().find(last);
        let Some((variance, last)) = self.figures.variance().zip(last) else { return Some(None) };
        match self.basis.worth(&self.roots, variance, last.date)? {
            Some(worth) => worth.money().map(Some),
            None => Some(None),
        }
    }

    /// A day, if anything happened on it.
    fn day(
        &self,
        day: &Day,
        documents: Vec<Moved>,
        (sold, close): (&HashMap<(BusinessDay, String), Sold>, &[CloseLine]),
    ) -> Option<Option<LedgerDay>> {
        let roots = &self.roots;
        let units = |moved: Qty, used: Qty| on_hand::in_units(roots, Passed { moved, used });
        let mut whole = Passed::default();
        let mut sales = Vec::new();
        for (at, _) in roots {
            let passed = self.basis.flows[*at].on(day.date)?;
            whole.moved = whole.moved.checked_add(passed.moved)?;
            whole.used = whole.used.checked_add(passed.used)?;
            let root = &self.basis.roots[*at];
            let sold = sold.get(&(day.date, root.id.clone()));
            if passed.used.is_zero() && sold.is_none() {
                continue;
            }
            sales.push(LedgerSales {
                root_item_id: root.id.clone(),
                qty: units(Qty::ZERO, passed.used)?.used,
                root_qty: passed.used,
                sold: sold.map_or(Qty::ZERO, |sold| sold.qty),
                pos_items: sold.map_or(0, |sold| sold.pos_items),
            });
        }
        let whole = units(whole.moved, whole.used)?;
        let mut movements = Vec::with_capacity(documents.len());
        for moved in documents {
            let after_counts = self.counts_before(day, &moved, close);
            let (product_id, product_name) = moved.product.unzip();
            movements.push(LedgerMovement {
                seq: moved.seq,
                kind: moved.document_type.as_str().to_owned(),
                document_id: moved.document_id,
                root_item_id: moved.root_item_id,
                product_id,
                product_name,
                qty: units(moved.qty, Qty::ZERO)?.moved,
                root_qty: moved.qty,
                at: moved.at,
                happened_at: moved.happened_at,
                after_counts,
                by: moved.by,
                reason: moved.reason,
                reverses: moved.reverses,
            });
        }
        // A day's movements without a time come first, after an opening count.
        movements.sort_by_key(|moved| (moved.after_counts, moved.happened_at, moved.seq));
        let counts: Vec<LedgerCount> = day.found.iter().map(|found| self.count(found, close)).collect();
        let nothing = movements.is_empty() && sales.is_empty() && counts.is_empty();
        Some((!nothing || whole != Passed::default()).then_some(LedgerDay {
            date: day.date,
            moved: day.passed.moved,
            moved_in_all: whole.moved,
            used: day.passed.used,
            used_in_all: whole.used,
            movements,
            sales,
            counts,
            balance: day.balance,
        }))
    }

    /// The number of counts of a day that do not include a movement: by its time, unless a person said otherwise. The
    /// counts before the last one that lacks it, too.
    fn counts_before(&self, day: &Day, moved: &Moved, close: &[CloseLine]) -> usize {
        let time = EventTime { date: moved.date, at: moved.happened_at };
        let product = moved.product.as_ref().map(|(id, _)| id);
        let includes = |found: &Found| {
            let count = &self.counts[found.item][found.count];
            let line = close.iter().find(|line| {
                line.document_id == moved.document_id
                    && Some(&line.product_id) == product
                    && is_close_to(line, &self.ground.items[found.item].id, count)
            });
            let answer = line.and_then(|line| line.included);
            answer.unwrap_or_else(|| time.is_before(count.baseline().moment))
        };
        day.found.iter().rposition(|found| !includes(found)).map_or(0, |last| last + 1)
    }

    fn count(&self, found: &Found, close: &[CloseLine]) -> LedgerCount {
        let (item, count) = (&self.ground.items[found.item], &self.counts[found.item][found.count]);
        let open = |line: &&CloseLine| line.included.is_none() && is_close_to(line, &item.id, count);
        LedgerCount {
            item_id: item.id.clone(),
            item_name: item.name.clone(),
            session: count.session,
            before: count.baseline().moment.is_opening(),
            qty: found.qty,
            at: count.at,
            by: count.by.clone(),
            expected: found.expected,
            variance: found.variance(),
            moved: found.passed.moved,
            used: found.passed.used,
            close: close.iter().filter(open).count(),
        }
    }
}
