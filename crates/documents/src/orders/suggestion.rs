//! Suggested orders of a store with the figures behind them: from its newest plan if that is at most two days
//! old; else what is missing to the par level, in whole packs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::delivery_calendar::{Counted, counted};
use larder_domain::document::order::suggested_packs;
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};

use super::Why;
use super::coming::{Calendars, Horizon, coming, due_by_root};
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
    /// Number of lines that came or left close to its last count and that nobody answered about.
    pub close: usize,
    /// What of that is recalled or expired.
    pub unusable: Qty,
    /// What is due, counted as in the store's plan.
    pub due: Counted,
    /// Daily use.
    pub daily_use: Qty,
    /// The root unit's code.
    pub unit: Option<String>,
    /// How many of it a base unit of the product contains.
    pub per_base: Factor,
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
    /// What is due, by root item.
    due: HashMap<String, Counted>,
    /// By root item: its products, by name.
    products_of: BTreeMap<String, Vec<String>>,
    /// The store's plan, and the root items in it.
    plan: Option<(StorePlan, BTreeSet<String>)>,
    /// Other drafts created from the plan: their numbers by id.
    drafts: HashMap<String, String>,
}

impl Situation {
    /// Reads a store on a day. Lines of `but`, the order being written, do not count as on order.
    ///
    /// What is due counts up to the day until which the plan of this day has to last; without one, up to the day until
    /// which an order sent now has to.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(
        db: &Db,
        store_id: &str,
        (day, now): (BusinessDay, Timestamp),
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
        let mut products_of: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut parts: HashMap<&str, Vec<(String, Factor)>> = HashMap::new();
        for product in products {
            for part in product.root_item_conversions.iter().filter(|part| part.factor.0 > 0) {
                products_of.entry(part.root_item_id.clone()).or_default().push(product.id.clone());
                parts.entry(&product.id).or_default().push((part.root_item_id.clone(), part.factor));
            }
        }
        let plan = plans::newest(db, store_id, day.plus(-PLAN_DAYS)).await?.map(|plan| {
            let roots = plan.lines.values().map(|line| line.root_item_id.clone()).collect();
            (plan, roots)
        });
        let newest = plan.as_ref().map(|(plan, _)| plan);
        let calendars = Calendars::read(db, Some(stores.as_slice())).await?;
        let next = match newest.filter(|plan| plan.run.plan_date == day) {
            Some(plan) => plan.lines.values().find_map(|line| Some(line.ahead.trucks.as_ref()?.next)),
            None => calendars.next(store_id, now, day),
        };
        let drafts = drafts(db, newest, but).await?;
        let par = par.into_iter().collect();
        let coming = coming(db, &stores, but, day).await?;
        let horizon = Horizon { calendars: &calendars, today: day, next };
        let of = |product: &str| parts.get(product).map(Vec::as_slice).unwrap_or_default();
        let due = due_by_root(&coming, horizon, of).into_iter();
        let due = due.map(|(root, due)| (root, counted(&due, horizon.until()))).collect();
        Ok(Self { day, par, stock, unusable, units, due, products_of, plan, drafts })
    }

    /// The suggestion for a product in one of its units. Of the products of a root item the first by name is
    /// suggested, unless it consists of several root items.
    #[must_use]
    pub fn advise(&self, product: &Product, unit: &Unit) -> Option<Advice> {
        let [part] = product.root_item_conversions.as_slice() else { return None };
        let of_root = self.products_of.get(&part.root_item_id)?;
        let due = self.due.get(&part.root_item_id).copied().unwrap_or_default();
        let stock = self.stock.get(&part.root_item_id);
        let par = self.par.get(&part.root_item_id).copied();
        let on_hand = stock.and_then(|stock| stock.on_hand);
        let pack =
            Qty(1_000_000).scaled(unit.factor).and_then(|base| base.scaled(part.factor)).unwrap_or_default();
        let first = of_root.first().is_some_and(|id| *id == product.id);
        let unusable = self.unusable.get(&part.root_item_id).copied().unwrap_or_default();
        let known = Known { par, on_hand, unusable, due, pack };
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
                let (suggested, why) = self.to_par_level(&known, stock);
                (suggested, why, None)
            }
            None => (None, Vec::new(), None),
        };
        let unit_code = self.units.get(&part.root_item_id).cloned();
        Some(Advice {
            par,
            on_hand,
            close: stock.map_or(0, |stock| stock.close),
            unusable,
            due,
            daily_use: stock.and_then(|stock| stock.daily_use).unwrap_or_default(),
            unit: unit_code,
            per_base: part.factor,
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
    fn to_par_level(&self, known: &Known, stock: Option<&RootStock>) -> (Option<Qty>, Vec<Why>) {
        let Some(par) = known.par.filter(|_| known.pack.0 > 0) else { return (None, Vec::new()) };
        let on_hand = known.on_hand.unwrap_or_default();
        let due = known.due;
        // The par level has no day until which it has to last: what comes later is not ordered again.
        let ordered = Qty(due.on_order.0.saturating_add(due.later.0));
        let packs = suggested_packs(par, known.usable(), due.in_transit, ordered, known.pack);
        let mut why = Vec::new();
        let mut tell = |figure: &str, value: Qty, date: Option<BusinessDay>, source: String| {
            why.push(Why { figure: figure.to_owned(), value, unit: None, date, source });
        };
        tell("Par level", par, None, "the store's list of root items".to_owned());
        tell("On hand", on_hand, Some(self.day), how_known(stock));
        if known.unusable.0 > 0 {
            let words = "of this, recalled or expired lots that are likely still there".to_owned();
            tell("Not usable", known.unusable, Some(self.day), words);
        }
        tell("In transit", due.in_transit, Some(self.day), "deliveries on their way".to_owned());
        tell("On order", due.on_order, Some(self.day), "orders that are not dispatched yet".to_owned());
        if due.later.0 > 0 {
            let words = "ordered, due with the delivery after the next one or later".to_owned();
            tell("Later", due.later, Some(self.day), words);
        }
        if due.short.0 > 0 {
            let words = "ordered, but on no delivery: does not count".to_owned();
            tell("Short", due.short, Some(self.day), words);
        }
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
    due: Counted,
    /// Quantity in one unit.
    pack: Qty,
}

impl Known {
    fn usable(&self) -> Qty {
        Qty(self.on_hand.unwrap_or_default().0.saturating_sub(self.unusable.0))
    }

    /// With all that is due, whether it counts or not.
    fn position(&self) -> Qty {
        let Counted { in_transit, on_order, later, short, .. } = self.due;
        let due = [in_transit, on_order, later, short];
        Qty(due.iter().fold(self.usable().0, |sum, qty| sum.saturating_add(qty.0)))
    }
}

/// The fewest packs with at least this quantity.
fn packs(qty: i64, pack: Qty) -> i64 {
    if qty <= 0 { 0 } else { (qty - 1) / pack.0 + 1 }
}

/// Source of a stock-on-hand figure.
#[must_use]
pub fn how_known(stock: Option<&RootStock>) -> String {
    let Some(stock) = stock.filter(|stock| stock.on_hand.is_some()) else {
        return "never counted, taken as nothing".to_owned();
    };
    let Some(day) = stock.counted_on() else { return "what came and was used".to_owned() };
    let open = if stock.close > 0 { "; nobody has said if the count included goods close to it" } else { "" };
    format!("count of {}, and what came and was used since{open}", day.display())
}
