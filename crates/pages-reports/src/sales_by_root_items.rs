//! `/reports/sales-by-root-items`: root items ranked by use in sales, with the change against the previous
//! period.

use std::collections::HashMap;

use larder_db::DbError;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::{self, Run};
use larder_domain::{BusinessDay, Qty, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::queries;
use larder_engines::reports::figures::{change, share};
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries::root_names;
use larder_engines::reports::units::{UnitSum, by_unit, in_one_unit};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::paired_days::LeftOutDays;
use larder_ledgers::sales::{numbers, sums};
use larder_ledgers::store_items;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Number of items in the chart.
const IN_CHART: usize = 8;
/// Longer ranges are charted by week.
const CHARTED_BY_DAY: i32 = 62;

/// Ranked root items.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemSales {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// First day of the preceding range of the same length.
    pub previous_from: BusinessDay,
    /// Last day of the preceding range.
    pub previous_to: BusinessDay,
    /// Largest first.
    pub items: Vec<RankedItem>,
    /// Total quantity; null if units differ.
    pub total: Option<Qty>,
    /// Total of the preceding range; null if units differ.
    pub previous_total: Option<Qty>,
    /// Totals by unit, the unit with the most items first.
    pub units: Vec<UnitTotal>,
    /// Number of store-days left out of the changes: they or their counterparts are missing.
    pub left_out: i64,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
    /// `day` or `week`.
    pub series_grain: &'static str,
    /// First day of each point in the chart.
    pub periods: Vec<BusinessDay>,
    /// The top items of each unit.
    pub series: Vec<ItemSeries>,
}

/// Total of the items of one unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitTotal {
    /// The unit; null for items of unknown unit.
    pub unit: Option<String>,
    /// Number of items.
    pub items: usize,
    /// Use by sales.
    pub qty: Qty,
    /// Use by sales in the preceding range.
    pub previous_qty: Qty,
    /// Use on the store-days that both ranges have.
    pub compared_qty: Qty,
    /// Use on their counterparts in the preceding range.
    pub compared_previous: Qty,
}

/// A root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedItem {
    /// Root item id.
    pub id: String,
    pub name: String,
    /// Its type.
    pub kind: Option<String>,
    /// Its unit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Use by sales.
    pub qty: Qty,
    /// Share of the total of the same unit, 0 to 1.
    pub share: f64,
    /// Use by sales in the preceding range.
    pub previous_qty: Qty,
    /// Use on the store-days that both ranges have.
    pub compared_qty: Qty,
    /// Use on their counterparts in the preceding range.
    pub compared_previous: Qty,
    /// Change against the preceding range over these days: 0.1 is 10% more; null if it was 0 before.
    pub change: Option<f64>,
}

/// An item over time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemSeries {
    /// Root item id.
    pub id: String,
    pub name: String,
    /// By period.
    pub quantities: Vec<Qty>,
}

/// Report definition.
pub struct SalesByRootItems;

impl Report for SalesByRootItems {
    const NAME: &'static str = "sales-by-root-items";
    const SUMMARY: &'static str = "Root items ranked by what sales used of them.";
    type Params = NoParams;
    type ExportParams = NoParams;
    type Answer = RootItemSales;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<RootItemSales> {
        answer(state, question).await
    }

    fn sheet(report: &RootItemSales, _: &NoParams, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, RankedItem>;
        let columns = vec![
            Col::text("Root item", 32, |item| item.name.clone()),
            Col::text("Type", 16, |item| item.kind.clone()),
            Col::unit("Unit", 8, |item| item.unit.clone()),
            Col::qty("Quantity", 12, |item| item.qty),
            Col::share("Share of unit", 12, |item| item.share),
            Col::qty("Previous", 12, |item| item.previous_qty),
            Col::qty("On days compared", 12, |item| item.compared_qty),
            Col::qty("On days compared, previous", 12, |item| item.compared_previous),
            Col::share("Change", 10, |item| item.change),
        ];
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<RootItemSales> {
    let (span, before) = (question.span, question.span.before());
    let (now, then, names, unit_of, left_out) = tokio::try_join!(
        totals(state, span, question),
        totals(state, before, question),
        root_names(&state.db),
        store_items::root_units(&state.db),
        queries::left_out(&state.db, question, span.days())
    )?;
    let compared = compared(state, &left_out, &now, &then).await?;
    let items = now.keys().chain(then.keys().filter(|id| !now.contains_key(*id)));
    let figure = |of: &HashMap<String, Qty>, id| of.get(id).copied().unwrap_or_default();
    let units = by_unit(items.map(|id| {
        let (on_days, before) = compared.get(id).copied().unwrap_or_default();
        let sums = vec![figure(&now, id), figure(&then, id), on_days, before];
        (unit_of.get(id).map(String::as_str), sums)
    }))?;
    let whole: HashMap<Option<&String>, Qty> =
        units.iter().map(|sum| (sum.unit.as_ref(), sum.sums[0])).collect();
    let together = in_one_unit(&units, 4);
    let mut items: Vec<RankedItem> = now
        .into_iter()
        .map(|(id, qty)| {
            let previous_qty = then.get(&id).copied().unwrap_or_default();
            let known = names.get(&id);
            let (compared_qty, compared_previous) = compared.get(&id).copied().unwrap_or_default();
            RankedItem {
                name: known.map_or_else(|| id.clone(), |item| item.name.clone()),
                kind: known.and_then(|item| item.kind.clone()),
                share: whole.get(&unit_of.get(&id)).and_then(|whole| share(qty, *whole)).unwrap_or(0.0),
                unit: unit_of.get(&id).cloned(),
                compared_qty,
                compared_previous,
                change: change(compared_qty, compared_previous),
                id,
                qty,
                previous_qty,
            }
        })
        .collect();
    items.sort_by(|a, b| b.qty.cmp(&a.qty).then_with(|| a.name.cmp(&b.name)));
    let mut led: HashMap<Option<&String>, usize> = HashMap::new();
    let leaders: Vec<&RankedItem> = items
        .iter()
        .filter(|item| {
            let led = led.entry(item.unit.as_ref()).or_default();
            *led += 1;
            *led <= IN_CHART
        })
        .collect();
    let (grain, periods, series) = series(state, question, &leaders).await?;
    Ok(RootItemSales {
        from: span.from,
        to: span.to,
        previous_from: before.from,
        previous_to: before.to,
        total: together.as_ref().map(|sums| sums[0]),
        previous_total: together.map(|sums| sums[1]),
        units: units.into_iter().map(UnitTotal::from).collect(),
        left_out: left_out.pairs,
        stores_without_sales: queries::without_sales(&state.db, question).await?,
        series_grain: if grain == Grain::Day { "day" } else { "week" },
        periods,
        series,
        items,
    })
}

async fn totals(state: &AppState, span: Span, question: &Question) -> Result<HashMap<String, Qty>, DbError> {
    let mut totals: HashMap<String, Qty> = HashMap::new();
    for part in queries::root_totals(&state.db, &span.runs(), question.stores.as_deref()).await? {
        let qty = totals.entry(part.item_id).or_default();
        *qty = Qty(qty.0.saturating_add(part.qty.0));
    }
    Ok(totals)
}

/// What sales used on the store-days that both ranges have: now and before, by root item.
async fn compared(
    state: &AppState,
    left_out: &LeftOutDays,
    now: &HashMap<String, Qty>,
    then: &HashMap<String, Qty>,
) -> ApiResult<HashMap<String, (Qty, Qty)>> {
    let mut compared: HashMap<String, (Qty, Qty)> = HashMap::new();
    for (id, qty) in now {
        compared.entry(id.clone()).or_default().0 = *qty;
    }
    for (id, qty) in then {
        compared.entry(id.clone()).or_default().1 = *qty;
    }
    let (figures, ids) =
        tokio::try_join!(left_out.figures(&state.db, sums::ROOT, 0), numbers::all(&state.db))?;
    for (_, item, qty, sides) in figures {
        let Some(sums) = ids.get(&item).and_then(|id| compared.get_mut(id.as_ref())) else { continue };
        if sides.now {
            sums.0 = Qty(sums.0.0.saturating_sub(qty));
        }
        if sides.before {
            sums.1 = Qty(sums.1.0.saturating_sub(qty));
        }
    }
    Ok(compared)
}

impl From<UnitSum<Qty>> for UnitTotal {
    fn from(sum: UnitSum<Qty>) -> Self {
        Self {
            unit: sum.unit,
            items: sum.items,
            qty: sum.sums[0],
            previous_qty: sum.sums[1],
            compared_qty: sum.sums[2],
            compared_previous: sum.sums[3],
        }
    }
}

async fn series(
    state: &AppState,
    question: &Question,
    leaders: &[&RankedItem],
) -> ApiResult<(Grain, Vec<BusinessDay>, Vec<ItemSeries>)> {
    let (grain, span) = if question.span.days() <= CHARTED_BY_DAY {
        (Grain::Day, question.span)
    } else {
        (Grain::Week, question.span.whole_weeks())
    };
    let run = Run { grain, first: span.from, last: grain.period(span.to) };
    let mut periods = vec![run.first];
    while let Some(&last) = periods.last()
        && last < run.last
    {
        periods.push(span::next(grain, last));
    }
    let place: HashMap<BusinessDay, usize> = periods.iter().enumerate().map(|(at, day)| (*day, at)).collect();
    let mut series: Vec<ItemSeries> = leaders
        .iter()
        .map(|item| ItemSeries {
            id: item.id.clone(),
            name: item.name.clone(),
            quantities: vec![Qty::ZERO; periods.len()],
        })
        .collect();
    for sum in queries::root_by_period(&state.db, run, question.stores.as_deref()).await? {
        if let (Some(line), Some(&at)) =
            (series.iter_mut().find(|s| s.id == sum.item_id), place.get(&sum.period))
        {
            line.quantities[at] = sum.qty;
        }
    }
    Ok((grain, periods, series))
}
