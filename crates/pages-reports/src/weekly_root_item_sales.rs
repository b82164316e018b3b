//! `/reports/weekly-root-item-sales`: quantity of each root item (or POS item) sold per week.

use std::collections::{BTreeMap, HashMap, HashSet};

use larder_domain::sales::UNMAPPED;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries::{self, PeriodSum};
use larder_engines::reports::figures::add;
use larder_engines::reports::gaps::{Gap, StoreGap};
use larder_engines::reports::queries::{ItemNames, pos_names, root_names};
use larder_engines::reports::units::{UnitSum, by_unit, in_one_unit};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::store_items;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Row type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Root items, in root units.
    #[default]
    Root,
    /// POS items, as sold.
    Pos,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// Rows: `root` or `pos`.
    #[param(inline)]
    pub by: By,
    /// File format, for exports: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// Quantities by week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeeklySales {
    /// First day covered: a Monday.
    pub from: BusinessDay,
    /// Last day covered: a Sunday.
    pub to: BusinessDay,
    /// The Monday of each week.
    pub weeks: Vec<BusinessDay>,
    /// ISO weeks, `2019-W10`.
    pub week_labels: Vec<String>,
    /// One row per item, largest total first.
    pub items: Vec<WeeklyItem>,
    /// Totals by week; null if units differ.
    pub totals: Option<Vec<Qty>>,
    /// Grand total; null if units differ.
    pub grand_total: Option<Qty>,
    /// Totals by unit, the unit with the most items first.
    pub units: Vec<UnitWeeks>,
    /// Net sales of all POS items by week.
    pub net: Vec<Money>,
    /// Net sales of all weeks.
    pub net_total: Money,
    /// Sales not mapped to a POS item.
    pub unmapped: Gap,
    /// Sales mapped to an item without a bill of materials, which use no root items.
    pub without_bom: Gap,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
}

/// Totals of the items of one unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitWeeks {
    /// The unit; null for items of unknown unit.
    pub unit: Option<String>,
    /// Number of items.
    pub items: usize,
    /// By week.
    pub totals: Vec<Qty>,
    /// All weeks.
    pub total: Qty,
}

/// An item by week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeeklyItem {
    /// Root item or POS item id.
    pub id: String,
    pub name: String,
    /// Root item's type or POS item's category.
    pub kind: Option<String>,
    /// Unit of a root item, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// By week.
    pub quantities: Vec<Qty>,
    /// By week; POS items only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<Vec<Money>>,
    /// Total quantity.
    pub total: Qty,
    /// Total net sales; POS items only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_total: Option<Money>,
}

/// Report definition.
pub struct WeeklyRootItemSales;

impl Report for WeeklyRootItemSales {
    const NAME: &'static str = "weekly-root-item-sales";
    const SUMMARY: &'static str = "Root or POS items by week.";
    type Params = Shape;
    type ExportParams = NoParams;
    type Answer = WeeklySales;

    async fn answer(state: &AppState, question: &Question, shape: &Shape) -> ApiResult<WeeklySales> {
        answer(state, question, shape.by).await
    }

    fn sheet(report: &WeeklySales, shape: &Shape, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, WeeklyItem>;
        let mut columns = vec![
            Col::text(if shape.by == By::Root { "Root item" } else { "POS item" }, 32, |item| {
                item.name.clone()
            }),
            Col::text("Kind", 16, |item| item.kind.clone()),
            Col::unit("Unit", 8, |item| item.unit.clone()),
        ];
        let weeks = report.week_labels.iter().enumerate();
        columns.extend(weeks.map(|(at, label)| Col::qty(label, 10, move |item| item.quantities[at])));
        columns.push(Col::qty("Total", 12, |item| item.total));
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

async fn answer(state: &AppState, question: &Question, by: By) -> ApiResult<WeeklySales> {
    let span = question.span.whole_weeks();
    let run = Run { grain: Grain::Week, first: span.from, last: span.to.week() };
    let stores = question.stores.as_deref();
    let db = &state.db;
    let bare: HashSet<String> = queries::pos_items_without_bom(db).await?.into_iter().collect();
    let root =
        async { if by == By::Pos { Ok(Vec::new()) } else { queries::root_by_period(db, run, stores).await } };
    let pos = queries::pos_by_period(db, run, stores);
    let (root, pos) = tokio::try_join!(root, pos)?;
    let beside = Beside::of(&pos, &bare)?;
    let (sums, names) = match by {
        By::Root => (root, root_names(db).await?),
        By::Pos => (pos, pos_names(db).await?),
    };
    // POS items are sold by the piece.
    let units = if by == By::Root { store_items::root_units(db).await? } else { HashMap::new() };
    let mut report = pivot(span, sums, &names, &units, by)?;
    for (week, amount) in beside.net {
        let at = place(span, week);
        report.net[at] = amount;
        add(&mut report.net_total, amount)?;
    }
    report.unmapped = Gap::of(&beside.unmapped)?;
    report.without_bom = Gap::of(&beside.bare)?;
    let weeks = Question { span, ..question.clone() };
    report.stores_without_sales = queries::without_sales(db, &weeks).await?;
    Ok(report)
}

/// Figures besides the rows.
#[derive(Default)]
struct Beside {
    /// Net sales by week.
    net: BTreeMap<BusinessDay, Money>,
    /// Quantities sold of unmapped items.
    unmapped: HashMap<String, Qty>,
    /// Quantities sold of mapped items without a bill of materials.
    bare: HashMap<String, Qty>,
}

impl Beside {
    fn of(pos: &[PeriodSum], without_bom: &HashSet<String>) -> ApiResult<Self> {
        let mut beside = Self::default();
        for sum in pos {
            add(beside.net.entry(sum.period).or_default(), sum.net)?;
            let gap = if sum.item_id.starts_with(UNMAPPED) {
                &mut beside.unmapped
            } else if without_bom.contains(&sum.item_id) {
                &mut beside.bare
            } else {
                continue;
            };
            add(gap.entry(sum.item_id.clone()).or_default(), sum.qty)?;
        }
        Ok(beside)
    }
}

fn place(span: Span, week: BusinessDay) -> usize {
    usize::try_from((week.0 - span.from.0) / 7).unwrap_or(0)
}

/// Pivots sums into items by weeks.
fn pivot(
    span: Span,
    sums: Vec<PeriodSum>,
    names: &ItemNames,
    units: &HashMap<String, String>,
    by: By,
) -> ApiResult<WeeklySales> {
    let count = usize::try_from(span.days() / 7).unwrap_or(0);
    let weeks: Vec<BusinessDay> = (0..span.days() / 7).map(|n| span.from.plus(n * 7)).collect();
    let mut by_item: BTreeMap<String, WeeklyItem> = BTreeMap::new();
    for sum in sums {
        let at = place(span, sum.period);
        let item = by_item.entry(sum.item_id).or_insert_with_key(|id| WeeklyItem {
            unit: units.get(id).cloned(),
            ..blank(id, names, count, by)
        });
        item.quantities[at] = sum.qty;
        add(&mut item.total, sum.qty)?;
        if let (Some(net), Some(net_total)) = (&mut item.net, &mut item.net_total) {
            net[at] = sum.net;
            add(net_total, sum.net)?;
        }
    }
    let mut items: Vec<WeeklyItem> = by_item.into_values().collect();
    items.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
    let figures = |item: &WeeklyItem| item.quantities.iter().copied().chain([item.total]).collect();
    let units = by_unit(items.iter().map(|item| (item.unit.as_deref(), figures(item))))?;
    let mut totals = in_one_unit(&units, count + 1);
    Ok(WeeklySales {
        from: span.from,
        to: span.to,
        week_labels: weeks.iter().map(|week| week.iso_week_label()).collect(),
        weeks,
        items,
        grand_total: totals.as_mut().and_then(Vec::pop),
        totals,
        units: units.into_iter().map(UnitWeeks::from).collect(),
        net: vec![Money::ZERO; count],
        net_total: Money::ZERO,
        unmapped: Gap::default(),
        without_bom: Gap::default(),
        stores_without_sales: Vec::new(),
    })
}

impl From<UnitSum<Qty>> for UnitWeeks {
    fn from(UnitSum { unit, items, mut sums }: UnitSum<Qty>) -> Self {
        let total = sums.pop().unwrap_or_default();
        Self { unit, items, totals: sums, total }
    }
}

fn blank(id: &str, names: &ItemNames, weeks: usize, by: By) -> WeeklyItem {
    WeeklyItem {
        id: id.to_owned(),
        name: names.name(id),
        kind: names.kind(id),
        unit: None,
        quantities: vec![Qty::ZERO; weeks],
        net: (by == By::Pos).then(|| vec![Money::ZERO; weeks]),
        total: Qty::ZERO,
        net_total: (by == By::Pos).then_some(Money::ZERO),
    }
}
