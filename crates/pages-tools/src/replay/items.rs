//! Parameters of a root item in a store, as plans use them: pack, lead time and review period, limits, shelf
//! life, cost.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError};
use larder_domain::delivery_calendar::Rule;
use larder_domain::opening_days::OpeningDays;
use larder_domain::replenishment::{At, Effective, Rules};
use larder_domain::{Money, Qty};
use larder_planning::replay::Item;
use larder_planning::replenish::NO_DAYS;
use serde::{Deserialize, Serialize};

use super::queries::{self, Store};
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::delivery_calendar;
use larder_ledgers::delivery_calendar::Kept;
use larder_ledgers::opening_days::OfStores;
use larder_ledgers::plans::rules;
use larder_ledgers::stock;

/// Parameters shared by all stores.
pub struct Ground {
    /// Products that contain only this root item, by root item, sorted by name, with the content of one unit.
    of_root: BTreeMap<String, Vec<(Product, Qty)>>,
    rules: Rules,
    /// A category and its ancestors, by category.
    above: HashMap<String, Vec<String>>,
    /// Names and prices of root items.
    roots: HashMap<String, (String, Option<Money>)>,
    calendars: Vec<Kept>,
    /// The default commissary.
    kitchen: Option<String>,
    opening: OfStores,
}

/// Why a root item cannot be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    NoProduct,
    NoDays,
    NotCounted,
}

impl Reason {
    /// About one item, with what to do about it.
    pub fn sentence(self) -> String {
        match self {
            Self::NoProduct => {
                "No product brings it alone; say in a product which root item it brings.".to_owned()
            }
            Self::NoDays => NO_DAYS.to_string(),
            Self::NotCounted => {
                "It was not counted before the first day, so it is unknown how long the actual orders lasted."
                    .to_owned()
            }
        }
    }

    /// About several items, after «because».
    pub fn clause(self) -> &'static str {
        match self {
            Self::NoProduct => "no product brings them alone",
            Self::NoDays => "they have no lead and review days",
            Self::NotCounted => "they were not counted before the first day",
        }
    }
}

/// Parameters of a root item in a store.
#[derive(Debug, Clone)]
pub struct Terms {
    /// All but its stock.
    pub item: Item,
    pub price: Option<Money>,
}

impl Ground {
    /// Reads them.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read(db: &Db) -> Result<Self, DbError> {
        let mut of_root: BTreeMap<String, Vec<(Product, Qty)>> = BTreeMap::new();
        for product in products::orderable(db).await? {
            let [part] = product.root_item_conversions.as_slice() else { continue };
            let unit = product.usual_unit();
            let pack = unit.and_then(|unit| Qty(1_000_000).scaled(unit.factor)?.scaled(part.factor));
            let root = part.root_item_id.clone();
            if let Some(pack) = pack.filter(|pack| pack.0 > 0) {
                of_root.entry(root).or_default().push((product, pack));
            }
        }
        let parents: HashMap<String, Option<String>> = queries::categories(db).await?.into_iter().collect();
        let roots = queries::root_items(db).await?.into_iter();
        Ok(Self {
            of_root,
            rules: rules::read(db).await?,
            above: parents.keys().map(|id| (id.clone(), upwards(&parents, id))).collect(),
            roots: roots.map(|(id, name, price)| (id, (name, price))).collect(),
            calendars: delivery_calendar::all(db, None).await?,
            kitchen: stock::usual_commissary(db).await?.map(|(place, _)| place.id),
            opening: OfStores::read(db, None).await?,
        })
    }

    /// The delivery calendar of a store's source.
    pub fn calendar(&self, store: &Store) -> Option<Rule> {
        let known: Vec<Kept> =
            self.calendars.iter().filter(|kept| kept.store_id == store.id).cloned().collect();
        delivery_calendar::usual(&known, self.kitchen.as_deref()).map(Kept::rule)
    }

    /// A store's opening days.
    pub fn opening(&self, store: &Store) -> OpeningDays {
        self.opening.of(&store.id)
    }

    /// Name of a root item.
    pub fn name<'a>(&'a self, root: &'a str) -> &'a str {
        self.roots.get(root).map_or(root, |(name, _)| name)
    }

    /// Parameters of a root item in a store; with several products, those of the one ordered first. `by_calendar`:
    /// whether a delivery calendar takes the place of lead time and review period.
    ///
    /// # Errors
    /// If no product supplies it or it has no lead time or review period.
    pub fn terms(&self, store: &Store, root: &str, by_calendar: bool) -> Result<Terms, Reason> {
        let known = self.of_root.get(root).map(Vec::as_slice).unwrap_or_default();
        let with_rules = known.iter().map(|(product, pack)| (self.effective(store, product), pack));
        let leading = with_rules.min_by_key(|(says, _)| says.priority.value.unwrap_or(i64::MAX));
        let Some((says, pack)) = leading else {
            return Err(Reason::NoProduct);
        };
        let day = |days: i64| u32::try_from(days).unwrap_or(0);
        let (lead, review) = (day(says.lead_days.value), day(says.review_days.value));
        if lead == 0 && review == 0 && !by_calendar {
            return Err(Reason::NoDays);
        }
        // For policies that set one of them and leave the other to the item.
        let review = if lead == 0 { review.max(1) } else { review };
        let number = |qty: Qty| qty.0 as f64 / 1e6;
        let price = self.roots.get(root).and_then(|(_, price)| *price);
        let item = Item {
            opening: 0.0,
            opening_life_days: None,
            pack: number(*pack),
            min: number(says.min.value).max(0.0),
            max: says.max.value.map(number).filter(|max| *max >= number(says.min.value)),
            lead,
            review,
            shelf_life_days: says.shelf_life_days.value.map(day).filter(|days| *days > 0),
            unit_cost: price.map_or(0.0, |price| price.0 as f64 / 100.0).max(0.0),
        };
        Ok(Terms { item, price })
    }

    fn effective(&self, store: &Store, product: &Product) -> Effective {
        let above = product.category_id.as_ref().and_then(|id| self.above.get(id));
        self.rules.effective(At {
            store_id: Some(&store.id),
            location: (store.lead_time_days, store.review_time_days),
            product_id: Some(&product.id),
            categories: above.map(Vec::as_slice).unwrap_or_default(),
            shelf_life_days: product.shelf_life,
        })
    }
}

/// A category and its ancestors, nearest first.
fn upwards(parents: &HashMap<String, Option<String>>, id: &str) -> Vec<String> {
    let mut found = vec![id.to_owned()];
    while let Some(Some(parent)) = found.last().and_then(|last| parents.get(last)) {
        if found.contains(parent) {
            break;
        }
        found.push(parent.clone());
    }
    found
}
