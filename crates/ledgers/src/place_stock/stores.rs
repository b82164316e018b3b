//! Stock of root items in stores: the last counts, with what moved and was sold since.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::{Counted, Flow, Moment, Passed, compute};
use larder_domain::{BusinessDay, Factor, Qty, Span, Timestamp};

use crate::store_items::{Count, Moments, count_item_mapping, flows, last_of_stores};

/// Root items that were counted within this many days are read without the months before.
pub(super) const RECENT: i32 = 62;

/// The last count behind a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastCounted {
    pub date: BusinessDay,
    pub session: Session,
    pub at: Timestamp,
    /// Whether that time was assumed.
    pub assumed: bool,
    pub by: Option<String>,
}

/// Stock of a root item in a store, in root units, and its sources.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RootStock {
    /// `None` if never counted.
    pub on_hand: Option<Qty>,
    /// What moved and was sold since it was counted: the stock less this is what was counted.
    pub since: Passed,
    /// The last of its counts.
    pub last: Option<LastCounted>,
    /// Number of counted items that represent it.
    pub items: usize,
}

/// By store and root item.
pub type OfStores = HashMap<String, HashMap<String, RootStock>>;

/// An item of a store with its parts in the wanted root items.
pub(super) type Item = (String, Vec<(String, Factor)>);

/// Stock in some stores at the end of a day, of `wanted` root items or of all that are counted there.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn of_stores(
    db: &Db,
    stores: &[String],
    wanted: Option<&BTreeSet<&str>>,
    day: BusinessDay,
) -> Result<OfStores, DbError> {
    if stores.is_empty() {
        return Ok(OfStores::new());
    }
    let items = items(db, stores, wanted).await?;
    let ids: BTreeSet<&str> = items.values().flatten().map(|(id, _)| id.as_str()).collect();
    let counts = last_of_stores(db, stores, &ids, day).await?;
    let mut flows = since(db, stores, &items, &counts, day).await?;
    let mut found = OfStores::with_capacity(stores.len());
    for (store, items) in items {
        let of_store = of_store(&store, &items, &counts, flows.remove(&store).unwrap_or_default(), day);
        let words = || DbError::Invalid("These quantities add up to more than can be stored.".to_owned());
        found.insert(store, of_store.ok_or_else(words)?);
    }
    Ok(found)
}

/// The counted items of some stores that represent wanted root items.
pub(super) async fn items(
    db: &Db,
    stores: &[String],
    wanted: Option<&BTreeSet<&str>>,
) -> Result<BTreeMap<String, Vec<Item>>, DbError> {
    let mut items: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for (store, mapped) in count_item_mapping(db, stores).await? {
        let of_store = mapped.into_iter().filter_map(|mut one| {
            one.roots.retain(|(root, _)| wanted.is_none_or(|wanted| wanted.contains(root.as_str())));
            (!one.roots.is_empty()).then_some((one.item_id, one.roots))
        });
        items.insert(store, of_store.collect());
    }
    Ok(items)
}

/// The flows since the last counts. Root items that were not counted for long are read by themselves, so that they do not
/// lengthen the range of all others.
async fn since(
    db: &Db,
    stores: &[String],
    items: &BTreeMap<String, Vec<Item>>,
    counts: &HashMap<(String, String), Count>,
    day: BusinessDay,
) -> Result<HashMap<String, HashMap<String, Flow>>, DbError> {
    let mut oldest: BTreeMap<&str, BusinessDay> = BTreeMap::new();
    let mut moments = Moments::new();
    for (store, items) in items {
        for (item, roots) in items {
            let Some(count) = counts.get(&(store.clone(), item.clone())) else { continue };
            moments.entry(store.clone()).or_default().insert(count.baseline().moment);
            for (root, _) in roots {
                let first = oldest.entry(root).or_insert(count.date);
                *first = count.date.min(*first);
            }
        }
    }
    let recent = day.plus(-RECENT);
    let mut found: HashMap<String, HashMap<String, Flow>> = HashMap::new();
    for is_recent in [true, false] {
        let part: BTreeMap<&str, BusinessDay> = oldest
            .iter()
            .filter(|(_, first)| (**first >= recent) == is_recent)
            .map(|(r, d)| (*r, *d))
            .collect();
        let Some(from) = part.values().min().copied() else { continue };
        let roots: BTreeSet<&str> = part.into_keys().collect();
        for (store, more) in flows(db, stores, Span { from, to: day }, Some(&roots), &moments).await? {
            found.entry(store).or_default().extend(more);
        }
    }
    Ok(found)
}

/// `None` on overflow.
fn of_store(
    store: &str,
    items: &[Item],
    counts: &HashMap<(String, String), Count>,
    mut flows: HashMap<String, Flow>,
    day: BusinessDay,
) -> Option<HashMap<String, RootStock>> {
    let roots: BTreeSet<&str> =
        items.iter().flat_map(|(_, roots)| roots).map(|(root, _)| root.as_str()).collect();
    let roots: Vec<&str> = roots.into_iter().collect();
    let place =
        |(root, factor): &(String, Factor)| Some((roots.binary_search(&root.as_str()).ok()?, *factor));
    let counted: Vec<Counted> = items
        .iter()
        .map(|(item, roots)| Counted {
            roots: roots.iter().filter_map(place).collect(),
            last: counts.get(&(store.to_owned(), item.clone())).map(Count::baseline),
            earlier: None,
        })
        .collect();
    let flows: Vec<Flow> = roots.iter().map(|root| flows.remove(*root).unwrap_or_default()).collect();
    let computed = compute(&counted, &flows, Moment::after(day))?;
    let mut found = HashMap::with_capacity(roots.len());
    for (at, (root, figures)) in roots.iter().zip(computed.roots).enumerate() {
        let of_root =
            || items.iter().zip(&counted).filter(|(_, it)| it.roots.iter().any(|(root, _)| *root == at));
        let last = of_root()
            .filter_map(|((item, _), _)| counts.get(&(store.to_owned(), item.clone())))
            .max_by_key(|count| count.baseline().moment);
        let stock = RootStock {
            on_hand: figures.on_hand,
            since: figures.since,
            last: last.map(|count| LastCounted {
                date: count.date,
                session: count.session,
                at: count.at,
                assumed: count.assumed,
                by: count.by.clone(),
            }),
            items: of_root().count(),
        };
        found.insert((*root).to_owned(), stock);
    }
    Some(found)
}
