//! Computes the rows of a store's inventory.

use std::collections::{BTreeMap, HashMap};

use larder_domain::count::{Key, is_unusual};
use larder_domain::document::quantity;
use larder_domain::on_hand::{self, Figures, Flow, Moment, Passed};
use larder_domain::{BusinessDay, Qty, Span, Worth};

use super::model::{By, InventoryRow, LastCount};
use super::queries;
use larder_ledgers::counts as taken;
use larder_ledgers::place_stock::{self, CLOSE_DAYS, CloseLine, StoreItems, StoreStock, USE_DAYS};
use larder_ledgers::store_items as book;
use larder_ledgers::store_items::{Conversion, Count, CountedItem, Extent, LastTwo, RootItem};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Input data of a store's inventory.
struct InventoryData {
    day: BusinessDay,
    items: Vec<CountedItem>,
    counts: LastTwo,
    /// The previous count of items whose last count is unconfirmed.
    unlike: HashMap<String, Qty>,
    stock: StoreStock,
    /// Quantities in transit, as if received that day.
    coming: Vec<Flow>,
    /// Units of root items.
    units: HashMap<String, String>,
    /// What came or left close to the last counts, not answered.
    close: Vec<CloseLine>,
    /// What of the stock is expired or recalled, by root item; of today and later days.
    unusable: HashMap<String, Qty>,
}

/// A store's rows at the end of a day, in sheet order or by name.
pub async fn rows(
    state: &AppState,
    store_id: &str,
    by: By,
    day: BusinessDay,
) -> ApiResult<Vec<InventoryRow>> {
    let data = read(state, store_id, by, day).await?;
    match by {
        By::Items => data.items(),
        By::RootItems => data.root_items(),
    }
    .ok_or_else(too_large)
}

async fn read(state: &AppState, store_id: &str, by: By, day: BusinessDay) -> ApiResult<InventoryData> {
    let db = &state.db;
    let items = book::visible(db, store_id).await?;
    let made_of = book::made_of(db, store_id, &items).await?;
    let counts = book::last_two(db, store_id, day).await?;
    let unlike = unlike(state, store_id, &counts).await?;
    let coming = coming(state, store_id).await?;
    let asked = StoreItems::of_last_two(store_id, &items, made_of, &counts);
    let first = day.plus(-USE_DAYS);
    let first = asked.first_day().map_or(first, |oldest| oldest.min(first));
    let on_the_way: Vec<&str> = coming.keys().map(String::as_str).collect();
    // Root items that only passed through are included, whether or not an item maps to them.
    let extent = match by {
        By::Items => (Extent::Items, &[][..]),
        By::RootItems => (Extent::Everything, &on_the_way[..]),
    };
    let stock = place_stock::of_items(db, asked, (first, Moment::after(day)), extent).await?;
    let units = match by {
        By::Items => HashMap::new(),
        By::RootItems => book::root_units(db).await?,
    };
    let on_the_way = |root: &RootItem| {
        let used = coming.get(&root.id).copied().unwrap_or_default();
        Flow::of(vec![(day, Passed { moved: Qty::ZERO, used })])
    };
    let coming = stock.basis.roots.iter().map(on_the_way).collect();
    let close = close(state, store_id, &counts, day).await?;
    let unusable = if day < BusinessDay::of(state.now()) {
        HashMap::new()
    } else {
        let mut of_stores = place_stock::unusable_of_stores(db, &[store_id.to_owned()], day).await?;
        of_stores.remove(store_id).unwrap_or_default()
    };
    Ok(InventoryData { day, items, counts, unlike, stock, coming, units, close, unusable })
}

/// What came or left close to the last counts of items, not answered; counts long ago are left out.
async fn close(
    state: &AppState,
    store_id: &str,
    counts: &LastTwo,
    day: BusinessDay,
) -> ApiResult<Vec<CloseLine>> {
    let oldest = day.plus(-CLOSE_DAYS);
    let days = || counts.values().map(|(last, _)| last.date).filter(|date| *date >= oldest);
    let Some((from, to)) = days().min().zip(days().max()) else { return Ok(Vec::new()) };
    let mut close = place_stock::close_in(&state.db, store_id, Span { from, to }).await?;
    close.retain(|line| line.included.is_none());
    Ok(close)
}

/// The previous count of items whose last count differs widely from it and is unconfirmed.
async fn unlike(state: &AppState, store_id: &str, counts: &LastTwo) -> ApiResult<HashMap<String, Qty>> {
    let factor = taken::settings_of(&state.db, store_id).await?.settings.outlier_factor;
    let mut found = HashMap::new();
    let mut keys = Vec::new();
    for (item_id, (last, before)) in counts {
        let Some(before) = before.as_ref().filter(|before| is_unusual(before.qty, last.qty, factor)) else {
            continue;
        };
        let Count { date, session, qty, .. } = *last;
        keys.push((Key { store_id: store_id.to_owned(), date, session, item_id: item_id.clone() }, qty));
        found.insert(item_id.clone(), before.qty);
    }
    if !keys.is_empty() {
        for item_id in taken::said_twice(&state.db, &keys).await? {
            found.remove(&item_id);
        }
    }
    Ok(found)
}

/// Quantities in transit to a store, in root items.
async fn coming(state: &AppState, store_id: &str) -> ApiResult<BTreeMap<String, Qty>> {
    let mut found = place_stock::in_transit(&state.db, store_id).await?;
    // What a count included before it was received is on the shelf.
    for early in place_stock::counted_early(&state.db, &[store_id.to_owned()]).await? {
        found.push(("product".to_owned(), early.product_id, Qty(-early.qty.0)));
    }
    let products: Vec<&str> =
        found.iter().filter(|row| row.0 == "product").map(|row| row.1.as_str()).collect();
    let conversions: HashMap<String, Vec<Conversion>> = if products.is_empty() {
        HashMap::new()
    } else {
        let found = queries::conversions(&state.db, &products).await?;
        found.into_iter().map(|(id, list)| (id, list.0)).collect()
    };
    let mut coming: BTreeMap<String, Qty> = BTreeMap::new();
    let mut add = |root: &str, qty: Qty| {
        let sum = coming.entry(root.to_owned()).or_default();
        *sum = sum.checked_add(qty)?;
        Some(())
    };
    for (kind, id, qty) in &found {
        if kind != "product" {
            add(id, *qty).ok_or_else(too_large)?;
        }
        for conversion in conversions.get(id).into_iter().flatten().filter(|_| kind == "product") {
            let qty = qty.scaled(conversion.factor).ok_or_else(too_large)?;
            add(&conversion.root_item_id, qty).ok_or_else(too_large)?;
        }
    }
    Ok(coming)
}

impl InventoryData {
    /// The days the average use is taken over: complete ones, so without the last.
    fn use_between(&self) -> (Moment, Moment) {
        (Moment::before(self.day.plus(-USE_DAYS)), Moment::before(self.day))
    }

    /// The number of lines close to a count.
    fn close_to(&self, count: &Count, is_of: impl Fn(&CloseLine) -> bool) -> usize {
        let of_count = |line: &&CloseLine| (line.date, line.session) == (count.date, count.session);
        self.close.iter().filter(of_count).filter(|line| is_of(line)).count()
    }

    /// What of an item is expired or recalled, if it alone is counted as its root item.
    fn unusable_of(&self, at: usize) -> Option<Qty> {
        let StoreStock { basis, counted, .. } = &self.stock;
        let [(root, factor)] = counted[at].roots.as_slice() else { return None };
        let is_of = |item: &on_hand::Counted| item.roots.iter().any(|(of, _)| of == root);
        let alone = counted.iter().filter(|item| is_of(item)).count() == 1;
        let qty = self.unusable.get(&basis.roots[*root].id).filter(|_| alone)?;
        Some(quantity::in_units(*qty, *factor)).filter(|qty| qty.0 > 0)
    }

    fn items(&self) -> Option<Vec<InventoryRow>> {
        let StoreStock { basis, counted, computed, .. } = &self.stock;
        let (from, to) = self.use_between();
        let used = on_hand::used_of_items(counted, &basis.flows, from, to)?;
        let today = (Moment::before(self.day), Moment::after(self.day));
        let coming = on_hand::used_of_items(counted, &self.coming, today.0, today.1)?;
        let mut rows = Vec::with_capacity(self.items.len());
        for (at, (item, figures)) in self.items.iter().zip(&computed.items).enumerate() {
            let count = self.counts.get(&item.id).map(|(last, _)| last);
            let close = |count: &Count| self.close_to(count, |line| line.items.contains(&item.id));
            let row = InventoryRow {
                id: item.id.clone(),
                close: count.map_or(0, close),
                name: item.name.clone(),
                code: item.code.clone(),
                uom_code: item.uom_code.clone(),
                storage_area: item.storage_area.clone(),
                stands_for: counted[at].roots.iter().map(|(root, _)| basis.roots[*root].id.clone()).collect(),
                in_transit: coming[at],
                unusable: self.unusable_of(at),
                ..self.row(figures, count, used[at])?
            };
            let worth = match figures.variance().zip(count) {
                Some((variance, count)) => basis.worth(&counted[at].roots, variance, count.date)?,
                None => None,
            };
            let row = row.with_worth(worth)?;
            let last_count =
                row.last_count.map(|last| LastCount { unlike: self.unlike.get(&item.id).copied(), ..last });
            rows.push(InventoryRow { last_count, ..row });
        }
        Some(rows)
    }

    fn root_items(&self) -> Option<Vec<InventoryRow>> {
        let StoreStock { basis, counted, computed, .. } = &self.stock;
        let (from, to) = self.use_between();
        let mut rows = Vec::with_capacity(basis.roots.len());
        for (at, (root, figures)) in basis.roots.iter().zip(&computed.roots).enumerate() {
            let used = basis.flows[at].between(from, to)?.used;
            let stand_for_it = || {
                let counted = counted.iter().zip(&self.items);
                counted.filter(move |(counted, _)| counted.roots.iter().any(|(root, _)| *root == at))
            };
            let count = stand_for_it()
                .filter_map(|(_, item)| self.counts.get(&item.id).map(|(last, _)| last))
                .max_by_key(|last| (last.baseline().moment, last.at));
            let price = count.and_then(|count| basis.prices.on(&root.id, count.date));
            let worth = figures.variance().zip(price).map(|(qty, price)| Worth::of(qty, price));
            let close = |count: &Count| self.close_to(count, |line| line.roots.contains(&root.id));
            let row = InventoryRow {
                id: root.id.clone(),
                close: count.map_or(0, close),
                name: root.name.clone(),
                code: root.root_product_id.clone(),
                uom_code: self.units.get(&root.id).cloned(),
                stands_for: stand_for_it().map(|(_, item)| item.id.clone()).collect(),
                in_transit: self.coming[at].between(Moment::before(self.day), Moment::after(self.day))?.used,
                unusable: self.unusable.get(&root.id).copied().filter(|qty| qty.0 > 0),
                ..self.row(figures, count, used)?
            };
            rows.push(row.with_worth(worth)?);
        }
        Some(rows)
    }

    /// The common part of both row types.
    fn row(&self, figures: &Figures, count: Option<&Count>, used: Qty) -> Option<InventoryRow> {
        let last_count = figures.counted.zip(count).map(|(qty, count)| LastCount {
            qty,
            date: count.date,
            session: count.session,
            at: count.at,
            by: count.by.clone(),
            unlike: None,
        });
        Some(InventoryRow {
            id: String::new(),
            name: String::new(),
            code: None,
            uom_code: None,
            storage_area: None,
            stands_for: Vec::new(),
            on_hand: figures.on_hand,
            unusable: None,
            age_days: last_count.as_ref().map(|last| self.day.0 - last.date.0),
            last_count,
            in_transit: Qty::ZERO,
            expected: figures.expected,
            variance: figures.variance(),
            variance_value: None,
            worth: None,
            daily_use: Qty(larder_domain::decimal::div_round(used.0.into(), USE_DAYS.into())?),
            days_of_cover: figures.on_hand.and_then(|qty| on_hand::days_of_cover(qty, used, USE_DAYS)),
            negative: figures.on_hand.is_some_and(|qty| qty.0 < 0),
            close: 0,
        })
    }
}

/// The error for an overflow.
pub fn too_large() -> ApiError {
    ApiError::unprocessable("tooLarge", "These quantities add up to more than can be shown.")
}
