//! Stock of root items in stores: the last counts, with what moved and was sold since.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::decimal::div_round;
use larder_domain::on_hand::series::{History, known_at};
use larder_domain::on_hand::{Counted, Flow, Moment, Passed, Versions};
use larder_domain::{BusinessDay, Factor, Qty, Span, Timestamp};

use super::items::{stock_at, too_much};
use crate::store_items::{Count, Moments, Parts, count_item_mapping, flows, last_of_stores};

/// Days averaged for daily use.
pub const USE_DAYS: i32 = 28;

/// Root items that were counted within this many days are read without the months before.
const RECENT: i32 = 62;

/// The last count behind a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastCounted {
    pub date: BusinessDay,
    pub session: Session,
    /// Whether it was made before the sales of its day.
    pub before_sales: bool,
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
    /// Average daily use over the last 28 whole days, if it was asked for.
    pub daily_use: Option<Qty>,
    /// Number of lines that came or left close to the last count and that nobody answered about, if that was asked for.
    pub close: usize,
}

impl RootStock {
    /// Business date of the last of its counts.
    #[must_use]
    pub fn counted_on(&self) -> Option<BusinessDay> {
        self.last.as_ref().map(|last| last.date)
    }

    /// The first day whose sales the last of its counts lacks.
    #[must_use]
    pub fn lacks_sales_from(&self) -> Option<BusinessDay> {
        let last = self.last.as_ref()?;
        Some(if last.before_sales { last.date } else { last.date.plus(1) })
    }
}

/// By store and root item.
pub type OfStores = HashMap<String, HashMap<String, RootStock>>;

/// An item of a store with its parts in the wanted root items, now and before.
type Item = (String, Versions<Parts>);

/// What is asked of stores: stock at the end of a day.
#[derive(Clone, Copy)]
struct Question {
    day: BusinessDay,
    /// Whether daily use is asked for too.
    with_use: bool,
}

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
    read(db, stores, wanted, Question { day, with_use: false }).await
}

/// Stock and daily use of all root items that a store counts, at the end of a day; without what hangs on open questions.
pub(super) async fn used(
    db: &Db,
    store_id: &str,
    day: BusinessDay,
) -> Result<HashMap<String, RootStock>, DbError> {
    let mut found = read(db, &[store_id.to_owned()], None, Question { day, with_use: true }).await?;
    Ok(found.remove(store_id).unwrap_or_default())
}

async fn read(
    db: &Db,
    stores: &[String],
    wanted: Option<&BTreeSet<&str>>,
    question: Question,
) -> Result<OfStores, DbError> {
    if stores.is_empty() {
        return Ok(OfStores::new());
    }
    let items = items(db, stores, wanted).await?;
    let ids: BTreeSet<&str> = items.values().flatten().map(|(id, _)| id.as_str()).collect();
    let counts = last_of_stores(db, stores, &ids, question.day).await?;
    let mut flows = since(db, stores, &items, &counts, question).await?;
    let mut found = OfStores::with_capacity(stores.len());
    for (store, items) in items {
        let flows = flows.remove(&store).unwrap_or_default();
        let of_store = of_store(&store, &items, &counts, flows, question)?;
        found.insert(store, of_store);
    }
    Ok(found)
}

async fn items(
    db: &Db,
    stores: &[String],
    wanted: Option<&BTreeSet<&str>>,
) -> Result<BTreeMap<String, Vec<Item>>, DbError> {
    let mut items: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for (store, mapped) in count_item_mapping(db, stores).await? {
        let is_wanted = |root: &str| wanted.is_none_or(|wanted| wanted.contains(root));
        let only_wanted = |parts: &Parts| -> Parts {
            parts.iter().filter(|(root, _)| is_wanted(root.as_str())).cloned().collect()
        };
        let of_store = mapped.into_iter().filter_map(|one| {
            let roots = one.roots.map(only_wanted);
            let has_any = roots.all().any(|parts| !parts.is_empty());
            has_any.then_some((one.item_id, roots))
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
    Question { day, with_use }: Question,
) -> Result<HashMap<String, HashMap<String, Flow>>, DbError> {
    let mut oldest: BTreeMap<&str, BusinessDay> = BTreeMap::new();
    let mut moments = Moments::new();
    for (store, items) in items {
        for (item, roots) in items {
            let count = counts.get(&(store.clone(), item.clone()));
            if let Some(count) = count {
                moments.entry(store.clone()).or_default().insert(count.baseline().moment);
            }
            // Use is averaged whether or not the item was ever counted.
            let used = with_use.then(|| day.plus(-USE_DAYS));
            let Some(from) = count.map(|count| count.date).into_iter().chain(used).min() else { continue };
            for (root, _) in roots.all().flatten() {
                let first = oldest.entry(root).or_insert(from);
                *first = from.min(*first);
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

fn of_store(
    store: &str,
    items: &[Item],
    counts: &HashMap<(String, String), Count>,
    mut flows: HashMap<String, Flow>,
    Question { day, with_use }: Question,
) -> Result<HashMap<String, RootStock>, DbError> {
    let roots = items.iter().flat_map(|(_, roots)| roots.all()).flatten().map(|(root, _)| root.as_str());
    let roots: BTreeSet<&str> = roots.collect();
    let roots: Vec<&str> = roots.into_iter().collect();
    let place =
        |(root, factor): &(String, Factor)| Some((roots.binary_search(&root.as_str()).ok()?, *factor));
    let placed = |parts: &Parts| parts.iter().filter_map(place).collect();
    let histories: Vec<History> = items
        .iter()
        .map(|(item, roots)| History {
            roots: roots.map(placed),
            counts: counts.get(&(store.to_owned(), item.clone())).map(Count::baseline).into_iter().collect(),
        })
        .collect();
    let counted: Vec<Counted> = known_at(&histories, Moment::after(day));
    let flows: Vec<Flow> = roots.iter().map(|root| flows.remove(*root).unwrap_or_default()).collect();
    let computed = stock_at(&counted, &flows, Moment::after(day))?;
    let mut found = HashMap::with_capacity(roots.len());
    for (at, (root, figures)) in roots.iter().zip(computed.roots).enumerate() {
        let of_root =
            || items.iter().zip(&counted).filter(|(_, it)| it.roots.iter().any(|(root, _)| *root == at));
        let last = of_root()
            .filter_map(|((item, _), _)| counts.get(&(store.to_owned(), item.clone())))
            .max_by_key(|count| count.baseline().moment);
        let daily_use = with_use.then(|| daily_use(&flows[at], day).ok_or_else(too_much)).transpose()?;
        let stock = RootStock {
            on_hand: figures.on_hand,
            since: figures.since,
            last: last.map(|count| LastCounted {
                date: count.date,
                session: count.session,
                before_sales: count.baseline().moment.is_opening(),
                at: count.at,
                assumed: count.assumed,
                by: count.by.clone(),
            }),
            items: of_root().count(),
            daily_use,
            close: 0,
        };
        found.insert((*root).to_owned(), stock);
    }
    Ok(found)
}

/// Average use of complete days, so without the last. `None` on overflow.
fn daily_use(flow: &Flow, day: BusinessDay) -> Option<Qty> {
    let used = flow.between(Moment::before(day.plus(-USE_DAYS)), Moment::before(day))?.used;
    div_round(used.0.into(), USE_DAYS.into()).map(Qty)
}
