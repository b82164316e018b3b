//! `/reports/food-cost`: food cost as a share of net sales: theoretical, from bills of materials, and actual,
//! from counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::Db;
use larder_domain::sales::UNMAPPED;
use larder_domain::{BusinessDay, Money, Qty, Span, Worth};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries;
use super::food_parts::{Cost, Costs, Counted, Priced, UsedCost};
use super::queries::pos_items_without_bom;
use super::store_queries::{self as queries, Place};
use super::store_rows::{self, NamedStore, Row, StoreRows};
use larder_engines::reports::figures::{add, share};
use larder_engines::reports::worths::pesos;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::sales::{numbers, sums};
use larder_ledgers::{prices, snapshots, store_items};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Row type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoodRows {
    #[default]
    Store,
    Area,
    Region,
    Format,
    /// A root item across all stores.
    Item,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct FoodBy {
    /// Rows: `store`, `area`, `region`, `format` or `item`.
    #[param(inline)]
    pub by: FoodRows,
}

/// A root item without a price.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedItem {
    pub id: String,
    pub name: String,
}

/// Food cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoodCost {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Largest theoretical cost first.
    pub items: Vec<FoodCostRow>,
    /// Total.
    pub total: FoodCostRow,
    /// The range's full counted weeks, all stores.
    pub weeks: Vec<FoodCostWeek>,
    /// Root items used on days without a price: the cost of that is unknown.
    pub unpriced: Vec<NamedItem>,
    /// Number of used root items whose price changes within the range.
    pub prices_changed: usize,
    /// Net sales of items that have no bill of materials or are not mapped.
    pub net_without_bom: Money,
    /// Stores without a counted week in the range.
    pub uncounted: Vec<NamedStore>,
}

/// A store, an area, a region, a format or a root item.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoodCostRow {
    pub id: String,
    pub name: String,
    /// Its stores; empty for a root item.
    pub store_ids: Vec<String>,
    /// Net sales; null for a root item.
    pub net: Option<Money>,
    /// Theoretical use of a root item, in its unit.
    #[serde(rename = "use")]
    pub used: Option<Qty>,
    /// Unit of a root item.
    pub unit: Option<String>,
    /// Price per unit on the last day; null without a price, and for rows of several root items.
    pub price: Option<Money>,
    /// Whether a root item's price changes within the range.
    pub price_changed: bool,
    /// Cost of the theoretical use at the prices of each day.
    pub theoretical: Money,
    /// Theoretical cost as a share of net sales: the row's, or for a root item the total.
    pub theoretical_share: Option<f64>,
    /// Results of the counted weeks; null if there are none.
    pub counted: Option<Counted>,
}

/// A counted week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoodCostWeek {
    /// Its Monday.
    pub week: BusinessDay,
    #[serde(flatten)]
    pub counted: Counted,
}

/// Report definition.
pub struct FoodCostReport;

impl Report for FoodCostReport {
    const NAME: &'static str = "food-cost";
    const SUMMARY: &'static str = "What food cost of what was sold, by bills of materials and by counts.";
    const MOST_DAYS: i32 = 366;
    type Params = FoodBy;
    type ExportParams = NoParams;
    type Answer = FoodCost;

    async fn answer(state: &AppState, question: &Question, params: &FoodBy) -> ApiResult<FoodCost> {
        let known = Known::read(state, question).await?;
        let rows = match params.by {
            FoodRows::Item => known.by_item()?,
            FoodRows::Store => known.by_place(StoreRows::Store)?,
            FoodRows::Area => known.by_place(StoreRows::Area)?,
            FoodRows::Region => known.by_place(StoreRows::Region)?,
            FoodRows::Format => known.by_place(StoreRows::Format)?,
        };
        known.report(rows)
    }

    fn sheet(report: &FoodCost, params: &FoodBy, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, FoodCostRow>;
        let mut columns = vec![Col::text(word(params.by), 28, |row| row.name.clone())];
        if params.by == FoodRows::Item {
            columns.extend([
                Col::unit("Unit", 8, |row| row.unit.clone()),
                Col::qty("Theoretical use", 14, |row| row.used),
                Col::price("Price", 12, |row| row.price),
            ]);
        } else {
            columns.push(Col::money("Net sales", 14, |row| row.net));
        }
        columns.extend([
            Col::money("Theoretical cost", 14, |row| row.theoretical),
            Col::share("Theoretical, of net sales", 12, |row| row.theoretical_share),
            Col::money("Net sales of counted weeks", 14, |row| row.counted.as_ref().map(|it| it.net)),
            Col::money("Theoretical cost of those", 14, |row| row.counted.as_ref().map(|it| it.theoretical)),
            Col::money("Actual cost of those", 14, |row| row.counted.as_ref().map(|it| it.actual)),
            Col::share("Actual, of net sales", 12, |row| row.counted.as_ref().and_then(|it| it.actual_share)),
            Col::share("Counted", 10, |row| row.counted.as_ref().and_then(|it| it.covered)),
        ]);
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

const fn word(by: FoodRows) -> &'static str {
    match by {
        FoodRows::Store => StoreRows::Store.word(),
        FoodRows::Area => StoreRows::Area.word(),
        FoodRows::Region => StoreRows::Region.word(),
        FoodRows::Format => StoreRows::Format.word(),
        FoodRows::Item => "Root item",
    }
}

/// A store's week: net sales, and cost by root item.
type Week = (Money, Vec<(String, Cost)>);

/// What the sales of a store used of a root item.
#[derive(Debug, Clone)]
struct Used {
    root: String,
    qty: Qty,
    cost: UsedCost,
}

/// Food cost data of the stores.
struct Known {
    span: Span,
    places: Vec<Place>,
    priced: Priced,
    units: HashMap<String, String>,
    /// Net sales by store.
    nets: Vec<Money>,
    /// Use by sales, by store and root item.
    used: Vec<Vec<Used>>,
    /// Counted costs by store, week and root item.
    counts: Vec<BTreeMap<BusinessDay, Week>>,
    net_without_bom: Money,
}

impl Known {
    async fn read(state: &AppState, question: &Question) -> ApiResult<Self> {
        let (db, span) = (&state.db, question.span);
        let places = queries::trading_places(db, question.stores.as_deref()).await?;
        let ids: Vec<String> = places.iter().map(|place| place.id.clone()).collect();
        let place: HashMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let runs = span.runs();
        let weeks = whole_weeks(span);
        let (roots, sold, numbers, bare, names, prices, units) = tokio::try_join!(
            sums::by_store(db, sums::ROOT, &runs, &ids, [0]),
            sums::by_store(db, sums::POS, &runs, &ids, [2]),
            numbers::all(db),
            pos_items_without_bom(db),
            count_queries::root_items(db),
            prices::all(db),
            store_items::root_units(db),
        )?;
        let bare: BTreeSet<String> = bare.into_iter().collect();
        let mut known = Self {
            span,
            priced: Priced::of(names, prices, span),
            units,
            nets: vec![Money::ZERO; places.len()],
            used: vec![Vec::new(); places.len()],
            counts: vec![BTreeMap::new(); places.len()],
            net_without_bom: Money::ZERO,
            places: Vec::new(),
        };
        for (store, items) in sold {
            let Some(&at) = place.get(store.as_str()) else { continue };
            for (number, [net]) in items.items() {
                add(&mut known.nets[at], Money(net))?;
                let without = |id: &str| id.starts_with(UNMAPPED) || bare.contains(id);
                if numbers.get(&number).is_some_and(|id| without(id)) {
                    add(&mut known.net_without_bom, Money(net))?;
                }
            }
        }
        let changing: HashMap<u32, String> = numbers
            .iter()
            .filter(|(_, id)| known.priced.changes(id))
            .map(|(number, id)| (*number, id.to_string()))
            .collect();
        let mut by_price = known.costs_by_price(db, &ids, &changing).await?;
        for (store, items) in roots {
            let Some(&at) = place.get(store.as_str()) else { continue };
            for (number, [qty]) in items.items() {
                let Some(root) = numbers.get(&number).map(ToString::to_string) else { continue };
                let qty = Qty(qty);
                let cost = if changing.contains_key(&number) {
                    by_price.remove(&(at, number)).unwrap_or_default()
                } else {
                    known.priced.cost(&root, span.from, qty)
                };
                if !qty.is_zero() || cost.worth != Worth::ZERO {
                    known.used[at].push(Used { root, qty, cost });
                }
            }
        }
        if let Some(weeks) = weeks {
            let last = weeks.to.week();
            let (kept, nets) = tokio::try_join!(
                snapshots::rows(db, (weeks.from, last), Some(&ids)),
                queries::weekly_nets(db, &ids, weeks)
            )?;
            let nets: HashMap<(String, BusinessDay), Money> =
                nets.into_iter().map(|one| ((one.store_id, one.business_date), one.net)).collect();
            for row in kept {
                let Some(&at) = place.get(row.store_id.as_str()) else { continue };
                let Some(cost) = Cost::of(&row) else { continue };
                let net = nets.get(&(row.store_id.clone(), row.week)).copied().unwrap_or_default();
                let week = known.counts[at].entry(row.week).or_insert_with(|| (net, Vec::new()));
                week.1.push((row.root_item_id, cost));
            }
        }
        known.places = places;
        Ok(known)
    }

    /// Costs, by store and number, of root items whose price changes within the range: what each day used costs its own
    /// price. Days between two changes are read together.
    async fn costs_by_price(
        &self,
        db: &Db,
        stores: &[String],
        changing: &HashMap<u32, String>,
    ) -> ApiResult<HashMap<(usize, u32), UsedCost>> {
        let mut costs: HashMap<(usize, u32), UsedCost> = HashMap::new();
        if changing.is_empty() {
            return Ok(costs);
        }
        let place: HashMap<&str, usize> =
            stores.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let days = self.priced.change_days(changing.values().map(String::as_str));
        let runs = self.span.runs_between(&days);
        let changes_before = |day: BusinessDay| days.range(..=day).count();
        sums::each_together(
            db,
            sums::ROOT,
            &runs,
            stores,
            ([true], changes_before),
            |store, day, number, [qty]| {
                let Some((&at, root)) = place.get(store).zip(changing.get(&number)) else { return };
                let cost = costs.entry((at, number)).or_default();
                *cost = cost.plus(self.priced.cost(root, day, Qty(qty)));
            },
        )
        .await?;
        Ok(costs)
    }

    fn by_place(&self, by: StoreRows) -> ApiResult<Vec<FoodCostRow>> {
        store_rows::rows(&self.places, by).iter().map(|row| self.of_stores(row)).collect()
    }

    fn of_stores(&self, row: &Row) -> ApiResult<FoodCostRow> {
        let mut made = FoodCostRow {
            id: row.id.clone(),
            name: row.name.clone(),
            store_ids: row.ids(&self.places),
            ..FoodCostRow::default()
        };
        let mut net = Money::ZERO;
        let mut theoretical = Worth::ZERO;
        let mut costs = Costs::default();
        for &at in &row.stores {
            add(&mut net, self.nets[at])?;
            for used in &self.used[at] {
                theoretical = theoretical.plus(used.cost.worth);
            }
            for (net, items) in self.counts[at].values() {
                costs.add_net(*net)?;
                items.iter().for_each(|(_, cost)| costs.add(cost));
            }
        }
        made.theoretical = pesos(Some(theoretical))?.unwrap_or_default();
        made.theoretical_share = share(made.theoretical, net);
        made.net = Some(net);
        made.counted = costs.counted()?;
        Ok(made)
    }

    fn by_item(&self) -> ApiResult<Vec<FoodCostRow>> {
        let net = self.nets.iter().try_fold(Money::ZERO, |mut sum, net| add(&mut sum, *net).map(|()| sum))?;
        let mut used: BTreeMap<&str, (Qty, Worth)> = BTreeMap::new();
        for Used { root, qty, cost } in self.used.iter().flatten() {
            let sum = used.entry(root).or_default();
            add(&mut sum.0, *qty)?;
            sum.1 = sum.1.plus(cost.worth);
        }
        let mut counted: BTreeMap<&str, Costs> = BTreeMap::new();
        let mut counted_net = Money::ZERO;
        for (week_net, items) in self.counts.iter().flat_map(BTreeMap::values) {
            add(&mut counted_net, *week_net)?;
            for (root, cost) in items {
                used.entry(root).or_default();
                counted.entry(root).or_default().add(cost);
            }
        }
        let row = |(root, (qty, theoretical)): (&str, (Qty, Worth))| {
            let theoretical = pesos(Some(theoretical))?.unwrap_or_default();
            let mut costs = counted.remove(root).unwrap_or_default();
            costs.add_net(counted_net)?;
            Ok(FoodCostRow {
                id: root.to_owned(),
                name: self.priced.name(root),
                used: Some(qty),
                unit: self.units.get(root).cloned(),
                price: self.priced.price(root),
                price_changed: self.priced.changes(root),
                theoretical,
                theoretical_share: share(theoretical, net),
                counted: costs.counted()?,
                ..FoodCostRow::default()
            })
        };
        used.into_iter().map(row).collect()
    }

    fn report(&self, mut items: Vec<FoodCostRow>) -> ApiResult<FoodCost> {
        let is_shown = |row: &FoodCostRow| {
            row.used.is_some_and(|qty| !qty.is_zero())
                || row.net.is_some_and(|net| !net.is_zero())
                || !row.theoretical.is_zero()
                || row.counted.is_some()
        };
        items.retain(is_shown);
        items.sort_by(|a, b| b.theoretical.cmp(&a.theoretical).then_with(|| a.name.cmp(&b.name)));
        let mut weeks: BTreeMap<BusinessDay, Costs> = BTreeMap::new();
        for (week, (net, of_week)) in self.counts.iter().flatten() {
            let costs = weeks.entry(*week).or_default();
            costs.add_net(*net)?;
            of_week.iter().for_each(|(_, cost)| costs.add(cost));
        }
        let week = |(week, costs): (BusinessDay, Costs)| {
            Ok(costs.counted()?.map(|counted| FoodCostWeek { week, counted }))
        };
        let weeks: Vec<Option<FoodCostWeek>> = weeks.into_iter().map(week).collect::<ApiResult<_>>()?;
        let used = || self.used.iter().flatten();
        let roots: BTreeSet<&String> = used().map(|used| &used.root).collect();
        let unpriced: BTreeSet<&String> =
            used().filter(|used| used.cost.unpriced).map(|used| &used.root).collect();
        Ok(FoodCost {
            from: self.span.from,
            to: self.span.to,
            items,
            total: self.of_stores(&store_rows::all(&self.places))?,
            weeks: weeks.into_iter().flatten().collect(),
            prices_changed: roots.into_iter().filter(|root| self.priced.changes(root)).count(),
            unpriced: unpriced
                .into_iter()
                .map(|root| NamedItem { id: root.clone(), name: self.priced.name(root) })
                .collect(),
            net_without_bom: self.net_without_bom,
            uncounted: store_rows::named(&self.places, |at, _| {
                self.counts[at].is_empty() && !self.nets[at].is_zero()
            }),
        })
    }
}

/// The full weeks within a range.
fn whole_weeks(span: Span) -> Option<Span> {
    let from = if span.from.is_monday() { span.from } else { span.from.week().plus(7) };
    let to = span.to.plus(1).week().plus(-1);
    (from < to).then_some(Span { from, to })
}
