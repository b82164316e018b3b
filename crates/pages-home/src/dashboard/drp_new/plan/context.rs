//! Data shared by all stores of a run: products, rules, calendars, names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::replenishment::{At, Effective, Rules};
use larder_domain::{BusinessDay, Factor, Timestamp};

use super::super::queries::{self, Store};
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::delivery_calendar;
use larder_ledgers::delivery_calendar::Kept;
use larder_ledgers::plans::rules;
use larder_ledgers::stock;
use larder_ledgers::store_items::root_units;

/// How many days ahead to look for a delivery day.
const WITHIN: i32 = 62;

/// The shared data of a plan.
pub struct PlanContext {
    /// The day it is made on.
    pub day: BusinessDay,
    /// When it is made; orders whose cut-off has passed by then cannot be placed.
    pub now: Timestamp,
    /// All orderable products, by name.
    pub products: Vec<Product>,
    /// Products that contain only this root item, by root item, sorted by name.
    pub of_root: BTreeMap<String, Vec<usize>>,
    /// Root item content of a base unit of each orderable product.
    pub parts: HashMap<String, Vec<(String, Factor)>>,
    pub rules: Rules,
    /// A category and its ancestors, by category.
    above: HashMap<String, Vec<String>>,
    /// Names and units of root items.
    pub names: HashMap<String, String>,
    pub units: HashMap<String, String>,
    pub codes: HashMap<String, String>,
    /// Storage requirements that need a freezer.
    pub frozen: BTreeSet<String>,
    calendars: HashMap<String, Vec<Kept>>,
    /// The default commissary.
    kitchen: Option<String>,
}

/// A store's source and next delivery day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub source_type: String,
    pub source_id: String,
    pub needed: BusinessDay,
    /// Whether a delivery day was found.
    pub found: bool,
}

impl PlanContext {
    /// Reads the shared data.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read(db: &Db, day: BusinessDay, now: Timestamp) -> Result<Self, DbError> {
        let products = products::orderable(db).await?;
        let mut of_root: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut parts = HashMap::new();
        for (at, product) in products.iter().enumerate() {
            let all: Vec<(String, Factor)> = product
                .root_item_conversions
                .iter()
                .filter(|part| part.factor.0 > 0)
                .map(|part| (part.root_item_id.clone(), part.factor))
                .collect();
            if let ([(root, _)], true) = (all.as_slice(), product.root_item_conversions.len() == 1)
                && product.usual_unit().is_some()
            {
                of_root.entry(root.clone()).or_default().push(at);
            }
            parts.insert(product.id.clone(), all);
        }
        let parents: HashMap<String, Option<String>> = queries::categories(db).await?.into_iter().collect();
        let mut calendars: HashMap<String, Vec<Kept>> = HashMap::new();
        for kept in delivery_calendar::all(db, None).await? {
            calendars.entry(kept.store_id.clone()).or_default().push(kept);
        }
        Ok(Self {
            day,
            now,
            of_root,
            parts,
            rules: rules::read(db).await?,
            above: parents.keys().map(|id| (id.clone(), upwards(&parents, id))).collect(),
            names: queries::root_names(db).await?.into_iter().collect(),
            units: root_units(db).await?,
            codes: queries::unit_codes(db).await?.into_iter().collect(),
            frozen: queries::frozen(db).await?.into_iter().map(|(id,)| id).collect(),
            calendars,
            kitchen: stock::usual_commissary(db).await?.map(|(place, _)| place.id),
            products,
        })
    }

    /// A product's category and its ancestors.
    pub fn categories(&self, product: &Product) -> &[String] {
        let found = product.category_id.as_ref().and_then(|id| self.above.get(id));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// The settings in effect for a product in a store.
    pub fn effective(&self, store: &Store, product: &Product) -> Effective {
        self.rules.effective(At {
            store_id: Some(&store.id),
            location: (store.lead_time_days, store.review_time_days),
            product_id: Some(&product.id),
            categories: self.categories(product),
            shelf_life_days: product.shelf_life,
        })
    }

    /// A store's source, and the first delivery day from `lead` days on that can still be ordered for.
    pub fn delivery(&self, store_id: &str, lead: i64) -> Delivery {
        let earliest = self.day.plus(i32::try_from(lead).unwrap_or(0));
        let known = self.calendars.get(store_id).map(Vec::as_slice).unwrap_or_default();
        let kitchen = |kept: &&Kept| kept.source_type == "commissary";
        let usual = |kept: &&Kept| kitchen(kept) && Some(&kept.source_id) == self.kitchen.as_ref();
        let rule = known.iter().find(usual).or_else(|| known.iter().find(kitchen)).or_else(|| known.first());
        let Some(kept) = rule else {
            return Delivery {
                source_type: "commissary".to_owned(),
                source_id: self.kitchen.clone().unwrap_or_default(),
                needed: earliest.max(self.day.plus(1)),
                found: self.kitchen.is_some(),
            };
        };
        let choices = kept.rule().choices(self.now, WITHIN as usize, WITHIN);
        let day = choices.iter().map(|choice| choice.date).find(|day| *day >= earliest);
        Delivery {
            source_type: kept.source_type.clone(),
            source_id: kept.source_id.clone(),
            needed: day.unwrap_or_else(|| earliest.max(self.day.plus(1))),
            found: day.is_some(),
        }
    }
}

/// A category and its ancestors, nearest first.
pub fn upwards(parents: &HashMap<String, Option<String>>, id: &str) -> Vec<String> {
    let mut found = vec![id.to_owned()];
    let mut at = id;
    while let Some(Some(parent)) = parents.get(at) {
        if found.contains(parent) {
            break;
        }
        found.push(parent.clone());
        at = parent;
    }
    found
}
