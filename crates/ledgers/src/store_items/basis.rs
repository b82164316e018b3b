//! Input of stock on hand in a store: root items behind its counted items, and their flows.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Reader};
use larder_domain::on_hand::{Flow, Moment, Versions};
use larder_domain::prices::Prices;
use larder_domain::{BusinessDay, Factor, Qty, Span, Worth};

use super::{CountedItem, Parts, count_item_mapping, flows};
use crate::prices;

/// A root item.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct RootItem {
    pub id: String,
    /// Its rootProductId.
    pub root_product_id: Option<String>,
    pub name: String,
}

/// Root items and factors of each counted item, now and before, in the order of the items.
pub type MadeOf = Vec<Versions<Parts>>;

/// Root items behind counted items of a store.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn made_of(db: &Db, store_id: &str, items: &[CountedItem]) -> Result<MadeOf, DbError> {
    let mut known: HashMap<String, _> = count_item_mapping(db, &[store_id.to_owned()])
        .await?
        .remove(store_id)
        .unwrap_or_default()
        .into_iter()
        .map(|one| (one.item_id, one.roots))
        .collect();
    Ok(items.iter().map(|item| known.remove(&item.id).unwrap_or_default()).collect())
}

/// Which root items to include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Those behind the items.
    Items,
    /// And all others that passed through the store.
    Everything,
}

/// Input of [`larder_domain::on_hand`], except the counts.
#[derive(Debug)]
pub struct Basis {
    /// The root items, by name.
    pub roots: Vec<RootItem>,
    /// Root items of each counted item, by index.
    pub made_of: Vec<Versions<Vec<(usize, Factor)>>>,
    /// Flows of each root item.
    pub flows: Vec<Flow>,
    /// Prices of the root items.
    pub prices: Prices,
}

impl Basis {
    /// Reads the flows of the items' root items in a store, and of `also`; or of everything that passed
    /// through it. `counts` are those the flows are asked between. Deleted root items are left out.
    ///
    /// # Errors
    /// If the database fails, or an amount overflows.
    pub async fn read(
        db: &Db,
        store_id: &str,
        made_of: MadeOf,
        (span, counts): (Span, BTreeSet<Moment>),
        (extent, also): (Extent, &[&str]),
    ) -> Result<Self, DbError> {
        // What ended before the first day does not matter.
        let begin = Moment::before(span.from).time();
        let made_of: MadeOf = made_of.into_iter().map(|versions| versions.since(begin)).collect();
        let of_items = made_of.iter().flat_map(Versions::all).flatten().map(|(root, _)| root.as_str());
        let wanted: BTreeSet<&str> = of_items.chain(also.iter().copied()).collect();
        let only = (extent == Extent::Items).then_some(&wanted);
        let counts = HashMap::from([(store_id.to_owned(), counts)]);
        let mut passed = flows(db, &[store_id.to_owned()], span, only, &counts)
            .await?
            .remove(store_id)
            .unwrap_or_default();
        let mut ids: BTreeSet<&str> = wanted;
        if extent == Extent::Everything {
            ids.extend(passed.iter().filter(|(_, flow)| flow.has_any(span)).map(|(root, _)| root.as_str()));
        }
        let ids: Vec<&str> = ids.into_iter().collect();
        let (roots, prices) = (root_items(db, &ids).await?, prices::of(&mut Reader::Db(db), &ids).await?);
        let places: HashMap<&str, usize> =
            roots.iter().enumerate().map(|(at, root)| (root.id.as_str(), at)).collect();
        let place = |(root, factor): &(String, Factor)| Some((*places.get(root.as_str())?, *factor));
        let placed = |parts: &Parts| parts.iter().filter_map(place).collect();
        let made_of = made_of.iter().map(|versions| versions.map(placed)).collect();
        let flows = roots.iter().map(|root| passed.remove(&root.id).unwrap_or_default()).collect();
        Ok(Self { roots, made_of, flows, prices })
    }

    /// What a quantity is worth at the prices that its root items have on a day; `Some(None)` if none has a
    /// price, `None` if a quantity overflows.
    pub fn worth(&self, roots: &[(usize, Factor)], qty: Qty, day: BusinessDay) -> Option<Option<Worth>> {
        let mut worth: Option<Worth> = None;
        for (root, factor) in roots {
            let Some(price) = self.prices.on(&self.roots[*root].id, day) else { continue };
            let part = Worth::of(qty.scaled(*factor)?, price);
            worth = Some(worth.unwrap_or_default().plus(part));
        }
        Some(worth)
    }
}

/// Root items by id, ordered by name.
async fn root_items(db: &Db, ids: &[&str]) -> Result<Vec<RootItem>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let query = db.sql("select id, root_product_id, name from root_items where id in ");
    query.push_ids(ids).push(" order by name_key, id").all().await
}
