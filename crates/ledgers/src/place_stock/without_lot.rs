//! How much of a store's stock can be without a lot: no document says what a store began with.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::on_hand::lots::{Recount, most_without_lot};
use larder_domain::on_hand::{Flow, Moment, Passed, Versions};
use larder_domain::{BusinessDay, Factor, Qty, Span};

use super::products::Content;
use crate::store_items::{Count, Moments, Parts, count_item_mapping, counts_of, flows};

/// Counts are followed for this many days. An earlier one could only say that less is possible.
const FOLLOWED: i32 = 62;

/// A store and a root item.
pub(super) type Key = (String, String);

/// What is known of a root item in a store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// When the first of its lots came.
    pub first: BusinessDay,
    pub on_hand: Qty,
}

/// A count of all of a root item.
#[derive(Debug, Clone, Copy)]
struct WholeCount {
    moment: Moment,
    qty: Qty,
}

/// The most that can be there without a lot. Where no count says anything it is not in the answer.
pub(super) async fn most(
    db: &Db,
    asked: &BTreeMap<Key, Known>,
    contents: &HashMap<String, Content>,
    day: BusinessDay,
) -> Result<HashMap<Key, Qty>, DbError> {
    let Some(first) = asked.values().map(|known| known.first).min() else { return Ok(HashMap::new()) };
    let from = first.max(day.plus(-FOLLOWED));
    let stores: BTreeSet<&str> = asked.keys().map(|(store, _)| store.as_str()).collect();
    let stores: Vec<String> = stores.into_iter().map(str::to_owned).collect();
    let counted = whole_counts(db, &stores, asked, Span { from, to: day }).await?;
    let mut moments = Moments::new();
    for ((store, _), counts) in &counted {
        moments.entry(store.clone()).or_default().extend(counts.iter().map(|count| count.moment));
    }
    let oldest = moments.values().flatten().map(|moment| moment.day()).min().unwrap_or(from);
    let span = Span { from: oldest, to: day };
    let roots: BTreeSet<&str> = asked.keys().map(|(_, root)| root.as_str()).collect();
    let mut flows = flows(db, &stores, span, Some(&roots), &moments).await?;
    let came = came_without_lot(db, &stores, contents, &roots, span).await?;
    let mut found = HashMap::with_capacity(counted.len());
    for (key, counts) in counted {
        let Some(known) = asked.get(&key) else { continue };
        let flow = flows.get_mut(&key.0).and_then(|roots| roots.remove(&key.1)).unwrap_or_default();
        // From the last count before the first lot came, or the first one after it.
        let before = counts.iter().rposition(|count| count.moment.day() < known.first).unwrap_or(0);
        let Some((first, then)) = counts.get(before..).and_then(<[WholeCount]>::split_first) else {
            continue;
        };
        let now = WholeCount { moment: Moment::after(day), qty: known.on_hand };
        let then = then.iter().copied().chain([now]);
        let came = came.get(&key).map_or(&[][..], Vec::as_slice);
        let recounts = recounts(*first, then, &flow, came).ok_or_else(too_much)?;
        found.insert(key, most_without_lot(first.qty, &recounts));
    }
    Ok(found)
}

fn too_much() -> DbError {
    DbError::Invalid("These quantities add up to more than can be stored.".to_owned())
}

/// How much of a root item is in a counted unit, now and before.
type Factors = Versions<Option<Factor>>;

/// The counts in which all items of a root item were counted, oldest first.
async fn whole_counts(
    db: &Db,
    stores: &[String],
    asked: &BTreeMap<Key, Known>,
    span: Span,
) -> Result<BTreeMap<Key, Vec<WholeCount>>, DbError> {
    let mut found: BTreeMap<Key, Vec<WholeCount>> = BTreeMap::new();
    for (store, items) in count_item_mapping(db, stores).await? {
        let mut of_roots: BTreeMap<String, Vec<(String, Factors)>> = BTreeMap::new();
        for item in items {
            for (root, _) in item.roots.now() {
                if asked.contains_key(&(store.clone(), root.clone())) {
                    let factor = |parts: &Parts| parts.iter().find(|(of, _)| of == root).map(|(_, it)| *it);
                    let of_item = (item.item_id.clone(), item.roots.map(factor));
                    of_roots.entry(root.clone()).or_default().push(of_item);
                }
            }
        }
        let ids: BTreeSet<&str> = of_roots.values().flatten().map(|(item, _)| item.as_str()).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        if ids.is_empty() {
            continue;
        }
        let counts = counts_of(db, &store, &ids, span).await?;
        for (root, items) in of_roots {
            let whole = together(&items, &counts).ok_or_else(too_much)?;
            found.insert((store.clone(), root), whole);
        }
    }
    Ok(found)
}

/// `None` on overflow.
fn together(items: &[(String, Factors)], counts: &HashMap<String, Vec<Count>>) -> Option<Vec<WholeCount>> {
    // By day and session: the items of one count are counted one after the other.
    let mut found: BTreeMap<(BusinessDay, bool), BTreeMap<usize, (Moment, Qty)>> = BTreeMap::new();
    for (at, (item, factors)) in items.iter().enumerate() {
        for count in counts.get(item).into_iter().flatten() {
            let moment = count.baseline().moment;
            // It did not represent the root item then.
            let Some(factor) = factors.at(moment.time()) else { continue };
            let of_count = found.entry((moment.day(), !moment.is_opening())).or_default();
            of_count.insert(at, (moment, count.qty.scaled(*factor)?));
        }
    }
    let mut whole = Vec::with_capacity(found.len());
    for parts in found.into_values().filter(|parts| parts.len() == items.len()) {
        let qty = parts.values().try_fold(0_i64, |sum, (_, qty)| sum.checked_add(qty.0))?;
        let moment = parts.values().map(|(moment, _)| *moment).max()?;
        whole.push(WholeCount { moment, qty: Qty(qty) });
    }
    Some(whole)
}

/// By store and root item, what came without a lot on each day.
type Came = HashMap<Key, Vec<(BusinessDay, Qty)>>;

async fn came_without_lot(
    db: &Db,
    stores: &[String],
    contents: &HashMap<String, Content>,
    roots: &BTreeSet<&str>,
    span: Span,
) -> Result<Came, DbError> {
    let products: Vec<&str> = contents.keys().map(String::as_str).collect();
    // What came, without what came and was reversed.
    let rows: Vec<(String, String, BusinessDay, Qty)> = db
        .sql(
            "select place_id, item_id, business_date, cast(sum(qty) as bigint) from stock_movements \
             where place_kind = 'store' and item_kind = 'product' and lot is null \
             and (qty > 0) = (reverses is null) and business_date between $1 and $2 and place_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" and item_id in ")
        .push_ids(&products)
        .push(" group by place_id, item_id, business_date")
        .all()
        .await?;
    let mut came = Came::new();
    for (store, product, date, qty) in rows {
        let Some(content) = contents.get(&product) else { continue };
        for (root, factor) in content.parts.iter().filter(|(root, _)| roots.contains(root.as_str())) {
            let qty = qty.scaled(*factor).ok_or_else(too_much)?;
            came.entry((store.clone(), root.clone())).or_default().push((date, qty));
        }
    }
    Ok(came)
}

/// What happened between counts; `None` on overflow. Goods that came on the date of a count belong to both sides of it.
fn recounts(
    mut last: WholeCount,
    counts: impl Iterator<Item = WholeCount>,
    flow: &Flow,
    came: &[(BusinessDay, Qty)],
) -> Option<Vec<Recount>> {
    let mut found = Vec::new();
    for count in counts {
        let passed: Passed = flow.between(last.moment, count.moment)?;
        let days = last.moment.day()..=count.moment.day();
        let came = came.iter().filter(|(date, _)| days.contains(date));
        let came = came.map(|(_, qty)| i128::from(qty.0)).sum::<i128>();
        let came_without_lot = Qty(i64::try_from(came).ok()?);
        found.push(Recount { counted: count.qty, passed, came_without_lot });
        last = count;
    }
    Some(found)
}
