//! Data shared by all stores of a run: products, rules, calendars, names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::delivery_calendar::{Cycle, IN_VIEW};
use larder_domain::opening_days::OpeningDays;
use larder_domain::replenishment::{At, Effective, Rules};
use larder_domain::{BusinessDay, Factor, Timestamp};
use larder_planning::supply::Window;

use super::super::queries::{self, Store};
use larder_documents::orders::coming::Calendars;
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::opening_days::OfStores;
use larder_ledgers::plans::Trucks;
use larder_ledgers::plans::rules;
use larder_ledgers::store_items::root_units;

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
    pub calendars: Calendars,
    opening: OfStores,
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

/// A store's source with at least two trucks in view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BySchedule {
    /// Its next delivery day is T₁.
    pub delivery: Delivery,
    pub window: Window,
    pub trucks: Trucks,
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
            calendars: Calendars::read(db, None).await?,
            opening: OfStores::read(db, None).await?,
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

    /// A store's opening days.
    pub fn opening(&self, store_id: &str) -> OpeningDays {
        self.opening.of(store_id)
    }

    /// The trucks of a store's source for orders that are sent now; `first` is the first day to plan for. `None` with
    /// fewer than two in view: lead and review days apply.
    pub fn by_schedule(&self, store_id: &str, first: BusinessDay) -> Option<BySchedule> {
        let kept = self.calendars.usual(store_id)?;
        let rule = kept.rule();
        let Cycle { first: truck, next } = rule.cycle(self.now, first)?;
        let open = rule.choices(self.now, usize::MAX, IN_VIEW).into_iter();
        let open = open.filter(|choice| choice.date >= first);
        Some(BySchedule {
            window: Window::new(first, truck.date, next.date)?,
            trucks: Trucks {
                next: next.date,
                open: open.map(|choice| (choice.date, rule.closes(choice.date))).collect(),
            },
            delivery: Delivery {
                source_type: kept.source_type.clone(),
                source_id: kept.source_id.clone(),
                needed: truck.date,
                found: true,
            },
        })
    }

    /// A store's source, and the first delivery day from `lead` days on that can still be ordered for.
    pub fn by_days(&self, store_id: &str, lead: i64) -> Delivery {
        let earliest = self.day.plus(i32::try_from(lead).unwrap_or(0));
        let Some(kept) = self.calendars.usual(store_id) else {
            return Delivery {
                source_type: "commissary".to_owned(),
                source_id: self.calendars.kitchen().unwrap_or_default().to_owned(),
                needed: earliest.max(self.day.plus(1)),
                found: self.calendars.kitchen().is_some(),
            };
        };
        let choices = kept.rule().choices(self.now, usize::MAX, IN_VIEW);
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
