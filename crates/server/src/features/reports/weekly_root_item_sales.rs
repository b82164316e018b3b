//! `/reports/weekly-root-item-sales`: how much of each root item (or POS item) was sold each week.

use std::collections::{BTreeMap, HashMap, HashSet};

use axum::extract::State;
use axum::response::Response;
use larder_domain::sales::UNMAPPED;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries::{self, PeriodSum};
use super::question::{Asked, Question};
use crate::AppState;
use crate::books::store_items;
use crate::http::Who;
use crate::http::error::{ApiError, ApiResult};
use crate::http::export::{self, Cell, Column, Format};
use crate::http::json::{Json, Query};

/// What the rows are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Root items, in root units.
    #[default]
    Root,
    /// POS items, as sold.
    Pos,
}

/// Beside range and stores.
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
    /// Its ISO name, `2019-W10`.
    pub week_labels: Vec<String>,
    /// A row an item, the largest total first.
    pub items: Vec<WeeklyItem>,
    /// Sum of the rows by week; null where they are reckoned in different units.
    pub totals: Option<Vec<Qty>>,
    /// Sum of everything; null where the rows are reckoned in different units.
    pub grand_total: Option<Qty>,
    /// The sums of each unit, that of the most items first.
    pub units: Vec<UnitWeeks>,
    /// Net sales by week, of all POS items.
    pub net: Vec<Money>,
    /// Net sales of all weeks.
    pub net_total: Money,
    /// What is sold but not mapped to a POS item.
    pub unmapped: Gap,
    /// What is mapped but has no bill of materials, and so uses no root item.
    pub without_bom: Gap,
}

/// What the items of one unit add up to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitWeeks {
    /// The unit; null for items whose unit is not known.
    pub unit: Option<String>,
    /// How many items.
    pub items: usize,
    /// By week.
    pub totals: Vec<Qty>,
    /// Of all weeks.
    pub total: Qty,
}

/// An item's weeks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeeklyItem {
    /// Root or POS item.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Root item's type or POS item's category.
    pub kind: Option<String>,
    /// The unit a root item is reckoned in, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// By week.
    pub quantities: Vec<Qty>,
    /// By week; POS items only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<Vec<Money>>,
    /// Sum of the quantities.
    pub total: Qty,
    /// Sum of net sales; POS items only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_total: Option<Money>,
}

/// Sales that a report cannot place.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// How many items.
    pub items: usize,
    /// How much was sold of them.
    pub qty: Qty,
}

/// Root or POS items by week.
#[utoipa::path(get, path = "/api/reports/weekly-root-item-sales", tag = "reports", params(Asked, Shape),
    responses((status = 200, body = WeeklySales)))]
pub(crate) async fn weekly_root_item_sales(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(shape): Query<Shape>,
) -> ApiResult<Json<WeeklySales>> {
    let question = asked.check(&state, &who).await?;
    Ok(Json(answer(&state, &question, shape.by).await?))
}

/// The same as a file.
#[utoipa::path(get, path = "/api/reports/weekly-root-item-sales/export", tag = "reports", params(Asked, Shape),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_weekly_root_item_sales(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(shape): Query<Shape>,
) -> ApiResult<Response> {
    let format = Format::read(shape.format.as_deref())?;
    let question = asked.check(&state, &who).await?;
    let report = answer(&state, &question, shape.by).await?;
    let mut columns = vec![
        Column::new(if shape.by == By::Root { "Root item" } else { "POS item" }, 32),
        Column::new("Kind", 16),
        Column::new("Unit", 8),
    ];
    columns.extend(report.week_labels.iter().map(|label| Column::new(label, 10)));
    columns.push(Column::new("Total", 12));
    let mut rows: Vec<Vec<Cell>> = report.items.iter().map(row).collect();
    for sum in &report.units {
        let unit = sum.unit.clone().map_or(Cell::Empty, Cell::Text);
        let mut foot = vec![Cell::Text("Total".into()), Cell::Empty, unit];
        foot.extend(sum.totals.iter().map(|qty| Cell::Qty(*qty)));
        foot.push(Cell::Qty(sum.total));
        rows.push(foot);
    }
    let name = format!("weekly-root-item-sales-{}-{}", report.from, report.to);
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

fn row(item: &WeeklyItem) -> Vec<Cell> {
    let text = |text: &Option<String>| text.clone().map_or(Cell::Empty, Cell::Text);
    let mut cells = vec![Cell::Text(item.name.clone()), text(&item.kind), text(&item.unit)];
    cells.extend(item.quantities.iter().map(|qty| Cell::Qty(*qty)));
    cells.push(Cell::Qty(item.total));
    cells
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
        By::Root => (root, queries::root_names(db).await?),
        By::Pos => (pos, queries::pos_names(db).await?),
    };
    // What a till sells is counted in pieces.
    let units = if by == By::Root { store_items::root_units(db).await? } else { HashMap::new() };
    let mut report = pivot(span, sums, &names, &units, by)?;
    for (week, amount) in beside.net {
        let at = place(span, week);
        report.net[at] = amount;
        report.net_total = report.net_total.checked_add(amount).ok_or_else(too_large)?;
    }
    report.unmapped = gap(beside.unmapped.into_values())?;
    report.without_bom = gap(beside.bare.into_values())?;
    Ok(report)
}

/// What stands beside the rows.
#[derive(Default)]
struct Beside {
    /// Net sales by week.
    net: BTreeMap<BusinessDay, Money>,
    /// Sold quantities of items that are not mapped.
    unmapped: HashMap<String, Qty>,
    /// Sold quantities of mapped items that nobody said the ingredients of.
    bare: HashMap<String, Qty>,
}

impl Beside {
    fn of(pos: &[PeriodSum], without_bom: &HashSet<String>) -> ApiResult<Self> {
        let mut beside = Self::default();
        for sum in pos {
            let net = beside.net.entry(sum.period).or_default();
            *net = net.checked_add(sum.net).ok_or_else(too_large)?;
            let gap = if sum.item_id.starts_with(UNMAPPED) {
                &mut beside.unmapped
            } else if without_bom.contains(&sum.item_id) {
                &mut beside.bare
            } else {
                continue;
            };
            let qty = gap.entry(sum.item_id.clone()).or_default();
            *qty = qty.checked_add(sum.qty).ok_or_else(too_large)?;
        }
        Ok(beside)
    }
}

fn gap(quantities: impl Iterator<Item = Qty>) -> ApiResult<Gap> {
    quantities.into_iter().try_fold(Gap::default(), |gap, qty| {
        Ok(Gap { items: gap.items + 1, qty: gap.qty.checked_add(qty).ok_or_else(too_large)? })
    })
}

fn place(span: Span, week: BusinessDay) -> usize {
    usize::try_from((week.0 - span.from.0) / 7).unwrap_or(0)
}

/// Rows of sums to a table of items by weeks.
fn pivot(
    span: Span,
    sums: Vec<PeriodSum>,
    names: &HashMap<String, queries::ItemName>,
    units: &HashMap<String, String>,
    by: By,
) -> ApiResult<WeeklySales> {
    let count = usize::try_from(span.days() / 7).unwrap_or(0);
    let weeks: Vec<BusinessDay> = (0..span.days() / 7).map(|n| span.from.plus(n * 7)).collect();
    let mut by_item: BTreeMap<String, WeeklyItem> = BTreeMap::new();
    let mut of_unit: HashMap<Option<String>, UnitWeeks> = HashMap::new();
    for sum in sums {
        let at = place(span, sum.period);
        let item = by_item.entry(sum.item_id).or_insert_with_key(|id| WeeklyItem {
            unit: units.get(id).cloned(),
            ..blank(id, names, count, by)
        });
        item.quantities[at] = sum.qty;
        item.total = item.total.checked_add(sum.qty).ok_or_else(too_large)?;
        let of_unit = of_unit.entry(item.unit.clone()).or_insert_with_key(|unit| UnitWeeks {
            unit: unit.clone(),
            items: 0,
            totals: vec![Qty::ZERO; count],
            total: Qty::ZERO,
        });
        of_unit.totals[at] = of_unit.totals[at].checked_add(sum.qty).ok_or_else(too_large)?;
        of_unit.total = of_unit.total.checked_add(sum.qty).ok_or_else(too_large)?;
        if let (Some(net), Some(net_total)) = (&mut item.net, &mut item.net_total) {
            net[at] = sum.net;
            *net_total = net_total.checked_add(sum.net).ok_or_else(too_large)?;
        }
    }
    let mut items: Vec<WeeklyItem> = by_item.into_values().collect();
    items.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
    for item in &items {
        if let Some(sum) = of_unit.get_mut(&item.unit) {
            sum.items += 1;
        }
    }
    let mut units: Vec<UnitWeeks> = of_unit.into_values().collect();
    units.sort_by(|a, b| b.items.cmp(&a.items).then_with(|| a.unit.cmp(&b.unit)));
    let (totals, grand_total) = match units.as_slice() {
        [] => (Some(vec![Qty::ZERO; count]), Some(Qty::ZERO)),
        [one] => (Some(one.totals.clone()), Some(one.total)),
        _ => (None, None),
    };
    Ok(WeeklySales {
        from: span.from,
        to: span.to,
        week_labels: weeks.iter().map(|week| week.iso_week_label()).collect(),
        weeks,
        items,
        totals,
        grand_total,
        units,
        net: vec![Money::ZERO; count],
        net_total: Money::ZERO,
        unmapped: Gap::default(),
        without_bom: Gap::default(),
    })
}

fn blank(id: &str, names: &HashMap<String, queries::ItemName>, weeks: usize, by: By) -> WeeklyItem {
    let known = names.get(id);
    WeeklyItem {
        id: id.to_owned(),
        name: known.map_or_else(
            || format!("{} (not mapped)", id.strip_prefix(UNMAPPED).unwrap_or(id)),
            |item| item.name.clone(),
        ),
        kind: known.and_then(|item| item.kind.clone()),
        unit: None,
        quantities: vec![Qty::ZERO; weeks],
        net: (by == By::Pos).then(|| vec![Money::ZERO; weeks]),
        total: Qty::ZERO,
        net_total: (by == By::Pos).then_some(Money::ZERO),
    }
}

/// Sums past 64 bits: nine billion cases.
pub(super) fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "These quantities add up to more than can be shown. Choose a shorter range.",
    )
}
