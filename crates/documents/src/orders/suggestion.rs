//! Suggested orders of a store with the figures behind them: from its newest plan if that is at most two days
//! old; else what is missing to the par level, in whole packs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::document::order::suggested_packs;
use larder_domain::{BusinessDay, Factor, Qty};

use super::Why;
use super::coming::coming;
use crate::products::{Product, Unit};
use larder_ledgers::place_stock::{self, RootStock};
use larder_ledgers::plans;
use larder_ledgers::plans::{Line, StorePlan};
use larder_ledgers::store_items::root_units;

/// Maximum age in days of a plan for suggestions.
const PLAN_DAYS: i32 = 2;

/// A product in a store, in units of the one root item it is counted in.
#[derive(Debug, Clone)]
pub struct Advice {
    pub par: Option<Qty>,
    pub on_hand: Option<Qty>,
    /// What of that is recalled or expired.
    pub unusable: Qty,
    pub in_transit: Qty,
    pub on_order: Qty,
    /// Daily use.
    pub daily_use: Qty,
    /// The root unit's code.
    pub unit: Option<String>,
    /// The suggested quantity in the unit; `None` without a par level, or if another product is suggested
    /// instead.
    pub suggested: Option<Qty>,
    pub why: Vec<Why>,
    /// The plan it comes from.
    pub plan_run_id: Option<String>,
}

/// The store's situation, independent of products.
pub struct Situation {
    day: BusinessDay,
    par: HashMap<String, Qty>,
    stock: HashMap<String, RootStock>,
    /// Recalled and expired stock, by root item.
    unusable: HashMap<String, Qty>,
    units: HashMap<String, String>,
    /// In base units, by product.
    in_transit: HashMap<String, Qty>,
    on_order: HashMap<String, Qty>,
    /// By root item: its products, with how much of it is in a base unit.
    products_of: BTreeMap<String, Vec<(String, Factor)>>,
    /// The store's plan, and the root items in it.
    plan: Option<(StorePlan, BTreeSet<String>)>,
    /// Other drafts created from the plan: their numbers by id.
    drafts: HashMap<String, String>,
}

impl Situation {
    /// Reads a store. Lines of `but`, the order being written, do not count as on order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(
        db: &Db,
        store_id: &str,
        day: BusinessDay,
        products: &[Product],
        but: Option<&str>,
    ) -> Result<Self, DbError> {
        let par: Vec<(String, Qty)> = db
            .sql("select root_item_id, par_qty from store_root_items where store_id = $1 and par_qty is not null")
            .bind(store_id)
            .all()
            .await?;
        let stock = place_stock::with_use(db, store_id, day).await?;
        let stores = [store_id.to_owned()];
        let mut unusable = place_stock::unusable_of_stores(db, &stores, day).await?;
        let unusable = unusable.remove(store_id).unwrap_or_default();
        let units = root_units(db).await?;
        let mut products_of: BTreeMap<String, Vec<(String, Factor)>> = BTreeMap::new();
        for product in products {
            for part in product.root_item_conversions.iter().filter(|part| part.factor.0 > 0) {
                products_of
                    .entry(part.root_item_id.clone())
                    .or_default()
                    .push((product.id.clone(), part.factor));
            }
        }
        let (mut in_transit, mut on_order) = (HashMap::new(), HashMap::new());
        for it in coming(db, &stores, but, day).await? {
            let sums = if it.on_the_way { &mut in_transit } else { &mut on_order };
            let sum: &mut Qty = sums.entry(it.product_id).or_default();
            *sum = sum.checked_add(it.qty).unwrap_or(*sum);
        }
        let plan = plans::newest(db, store_id, day.plus(-PLAN_DAYS)).await?.map(|plan| {
            let roots = plan.lines.values().map(|line| line.root_item_id.clone()).collect();
            (plan, roots)
        });
        let drafts = drafts(db, plan.as_ref().map(|(plan, _)| plan), but).await?;
        let par = par.into_iter().collect();
        Ok(Self { day, par, stock, unusable, units, in_transit, on_order, products_of, plan, drafts })
    }

    /// The suggestion for a product in one of its units. Of the products of a root item the first by name is
    /// suggested, unless it consists of several root items.
    #[must_use]
    pub fn advise(&self, product: &Product, unit: &Unit) -> Option<Advice> {
        let [part] = product.root_item_conversions.as_slice() else { return None };
        let of_root = self.products_of.get(&part.root_item_id)?;
        let in_root = |found: &HashMap<String, Qty>| {
            let sum = |sum: i64, (id, factor): &(String, Factor)| {
                let qty = found.get(id).copied().unwrap_or_default();
                sum.saturating_add(qty.scaled(*factor).unwrap_or_default().0)
            };
            Qty(of_root.iter().fold(0, sum))
        };
        let (in_transit, on_order) = (in_root(&self.in_transit), in_root(&self.on_order));
        let stock = self.stock.get(&part.root_item_id);
        let par = self.par.get(&part.root_item_id).copied();
        let on_hand = stock.and_then(|stock| stock.on_hand);
        let pack =
            Qty(1_000_000).scaled(unit.factor).and_then(|base| base.scaled(part.factor)).unwrap_or_default();
        let first = of_root.first().is_some_and(|(id, _)| *id == product.id);
        let unusable = self.unusable.get(&part.root_item_id).copied().unwrap_or_default();
        let known = Known { par, on_hand, unusable, in_transit, on_order, pack };
        let counted = stock.and_then(RootStock::counted_on);
        let planned = self.plan.as_ref().filter(|(_, roots)| roots.contains(&part.root_item_id));
        let (suggested, why, plan_run_id) = match planned {
            Some((plan, _)) => match plan.lines.get(&product.id) {
                Some(line) => {
                    let (suggested, why) = self.of_plan(line, &known);
                    (suggested, why, Some(line.run_id.clone()))
                }
                None => (None, Vec::new(), None),
            },
            None if first => {
                let (suggested, why) = self.to_par_level(&known, counted);
                (suggested, why, None)
            }
            None => (None, Vec::new(), None),
        };
        let unit_code = self.units.get(&part.root_item_id).cloned();
        Some(Advice {
            par,
            on_hand,
            unusable,
            in_transit,
            on_order,
            daily_use: stock.and_then(|stock| stock.daily_use).unwrap_or_default(),
            unit: unit_code,
            suggested,
            why,
            plan_run_id,
        })
    }

    /// The plan's suggestion, less what arrived or was ordered since, so that nothing is suggested twice.
    fn of_plan(&self, line: &Line, known: &Known) -> (Option<Qty>, Vec<Why>) {
        if known.pack.0 <= 0 {
            return (None, Vec::new());
        }
        let mut why = line.why.0.clone();
        let position = known.position();
        let tell = |why: &mut Vec<Why>, figure: &str, value: Qty, source: String| {
            let (figure, unit, date) = (figure.to_owned(), line.unit.clone(), Some(self.day));
            why.push(Why { figure, value, unit, date, source });
        };
        if let Some(number) = line.order_id.as_ref().and_then(|id| self.drafts.get(id)) {
            tell(&mut why, "Position now", position, format!("what the plan says is in {number} already"));
            return (Some(Qty::ZERO), why);
        }
        // Reservations for others have not changed except through stock on hand, and what the plan did not count it
        // does not count now.
        let aside = line.committed.0.saturating_add(line.ahead.aside().0);
        let planned_position = Qty(line.position.0.saturating_add(aside));
        let share = |qty: i64| i64::try_from(i128::from(qty) * i128::from(line.share.0) / 100_000_000);
        let planned = line.suggested.0 / 1_000_000;
        // In another unit than the plan's: as many as give the same cover.
        let most = if known.pack == line.pack {
            planned
        } else {
            packs(planned.saturating_mul(line.pack.0), known.pack)
        };
        let wanted = line.target.0.saturating_add(aside);
        let missing = share(wanted.saturating_sub(position.0).max(0)).unwrap_or(i64::MAX);
        let suggested =
            if position <= planned_position { most } else { most.min(packs(missing, known.pack)) };
        if suggested < most {
            tell(&mut why, "Position now", position, "more came or was ordered since the plan".to_owned());
        }
        (Some(Qty(suggested.saturating_mul(1_000_000))), why)
    }

    /// The shortfall to the par level.
    fn to_par_level(&self, known: &Known, counted: Option<BusinessDay>) -> (Option<Qty>, Vec<Why>) {
        let Some(par) = known.par.filter(|_| known.pack.0 > 0) else { return (None, Vec::new()) };
        let on_hand = known.on_hand.unwrap_or_default();
        let packs = suggested_packs(par, known.usable(), known.in_transit, known.on_order, known.pack);
        let mut why = Vec::new();
        let mut tell = |figure: &str, value: Qty, date: Option<BusinessDay>, source: String| {
            why.push(Why { figure: figure.to_owned(), value, unit: None, date, source });
        };
        tell("Par level", par, None, "the store's list of root items".to_owned());
        tell("On hand", on_hand, Some(self.day), how_known(known.on_hand.is_some(), counted));
        if known.unusable.0 > 0 {
            let words = "of this, recalled or expired lots that are likely still there".to_owned();
            tell("Not usable", known.unusable, Some(self.day), words);
        }
        tell("In transit", known.in_transit, Some(self.day), "deliveries on their way".to_owned());
        tell("On order", known.on_order, Some(self.day), "orders that are not dispatched yet".to_owned());
        tell("Pack", known.pack, None, "the unit it is ordered in".to_owned());
        (Some(Qty(packs.saturating_mul(1_000_000))), why)
    }
}

/// Other drafts created from a plan: their numbers by id.
async fn drafts(
    db: &Db,
    plan: Option<&StorePlan>,
    but: Option<&str>,
) -> Result<HashMap<String, String>, DbError> {
    let lines = plan.into_iter().flat_map(|plan| plan.lines.values());
    let ids: BTreeSet<&str> = lines.filter_map(|line| line.order_id.as_deref()).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| Some(*id) != but).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = db.sql("select id, number from documents where state = 'draft' and id in ").push_ids(&ids);
    Ok(query.all::<(String, String)>().await?.into_iter().collect())
}

/// The position of a product's root item in the store, in root units.
struct Known {
    par: Option<Qty>,
    on_hand: Option<Qty>,
    unusable: Qty,
    in_transit: Qty,
    on_order: Qty,
    /// Quantity in one unit.
    pack: Qty,
}

impl Known {
    fn usable(&self) -> Qty {
        Qty(self.on_hand.unwrap_or_default().0.saturating_sub(self.unusable.0))
    }

    fn position(&self) -> Qty {
        Qty(self.usable().0.saturating_add(self.in_transit.0).saturating_add(self.on_order.0))
    }
}

/// The fewest packs with at least this quantity.
fn packs(qty: i64, pack: Qty) -> i64 {
    if qty <= 0 { 0 } else { (qty - 1) / pack.0 + 1 }
}

/// Source of a stock-on-hand figure.
#[must_use]
pub fn how_known(known: bool, counted: Option<BusinessDay>) -> String {
    match (known, counted) {
        (false, _) => "never counted, taken as nothing".to_owned(),
        (true, Some(day)) => format!("count of {}, and what came and was used since", day.display()),
        (true, None) => "what came and was used".to_owned(),
    }
}
