//! `/reports/count-variance`: counted against expected stock, largest difference in value first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_domain::on_hand::series::{History, known_at};
use larder_domain::on_hand::{Counted, Figures, Moment};
use larder_domain::prices::Prices;
use larder_domain::{BusinessDay, Money, Qty, Span, Worth};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries::{self as queries, Store};
use larder_engines::reports::figures::{share, too_large};
use larder_engines::reports::gaps::{StoreGap, stores_without_sales};
use larder_engines::reports::worths::{MovementValue, pesos};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::place_stock::{self, CloseLine};
use larder_ledgers::prices;
use larder_ledgers::store_items as book;
use larder_ledgers::store_items::{Count, CountItemMapping};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Number of stores whose flows are kept in memory at once.
const STORES_AT_ONCE: usize = 20;

/// Row type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VarianceBy)]
pub enum By {
    /// Root items of the counted items.
    #[default]
    RootItems,
    /// Counted items.
    Items,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// By root items or by items; default root items.
    #[param(inline)]
    pub by: By,
    /// Page size: 1 to 5,000; default 500.
    #[param(minimum = 1, maximum = 5_000)]
    pub limit: Option<usize>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

impl Shape {
    fn limit(&self) -> usize {
        self.limit.unwrap_or(500)
    }
}

/// A root item, or an item, in a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VarianceRow {
    pub store_id: String,
    pub store_name: String,
    /// Id of the root item or item.
    pub id: String,
    pub name: String,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Day of the opening count.
    pub opening_date: BusinessDay,
    /// Opening stock.
    pub opening: Qty,
    /// Net movements.
    pub moved: Qty,
    /// Use by sales.
    pub used: Qty,
    /// Expected closing stock.
    pub expected: Qty,
    /// Day of the closing count.
    pub counted_date: BusinessDay,
    /// Counted closing stock.
    pub counted: Qty,
    /// Counted less expected.
    pub variance: Qty,
    /// The variance at the root items' prices on the day of the closing count; null without a price.
    pub variance_value: Option<Money>,
    /// The same before it was rounded.
    #[serde(skip)]
    pub worth: Option<Worth>,
    /// The variance relative to use: -0.1 is 10% short; null if nothing was used.
    pub share: Option<f64>,
    /// Number of lines that came or left so close to one of the counts that only a person can say if they were counted, and
    /// nobody did: the times decide.
    pub close: usize,
}

/// Counted against expected stock.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountVariance {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Largest difference in value first.
    pub items: Vec<VarianceRow>,
    /// Number of rows on all pages.
    pub total: usize,
    /// Total shortage, as a negative amount; null if no row has a value.
    pub loss: Option<Money>,
    /// Total surplus; null if no row has a value.
    pub gain: Option<Money>,
    /// Net of both; null if no row has a value.
    pub net: Option<Money>,
    /// Stores with open days without sales up to their last count: their expected use is too low.
    pub stores_without_sales: Vec<StoreGap>,
}

/// Report definition.
pub struct CountVarianceReport;

impl Report for CountVarianceReport {
    const NAME: &'static str = "count-variance";
    const SUMMARY: &'static str = "What was counted against what had to be there: from the last count of the month \
                                   before the range, or the first one\nwithin, to the last one.";
    const MOST_DAYS: i32 = 366;
    type Params = Shape;
    type ExportParams = NoParams;
    type Answer = CountVariance;

    async fn answer(state: &AppState, question: &Question, shape: &Shape) -> ApiResult<CountVariance> {
        answer(state, question, shape.by).await
    }

    fn check_page(shape: &Shape) -> ApiResult<()> {
        if (1..=5_000).contains(&shape.limit()) {
            return Ok(());
        }
        Err(ApiError::field("limit", "Ask for 1 to 5,000 rows."))
    }

    fn on_page(mut report: CountVariance, shape: &Shape) -> CountVariance {
        report.items.truncate(shape.limit());
        report
    }

    fn sheet(report: &CountVariance, shape: &Shape, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, VarianceRow>;
        let columns = vec![
            Col::text("Store", 24, |row| row.store_name.clone()),
            Col::text(if shape.by == By::Items { "Item" } else { "Root item" }, 32, |row| row.name.clone()),
            Col::unit("Unit", 8, |row| row.uom_code.clone()),
            Col::day("From", 12, |row| row.opening_date),
            Col::qty("Opening", 12, |row| row.opening),
            Col::qty("Moved", 12, |row| row.moved),
            Col::qty("Used by sales", 12, |row| row.used),
            Col::qty("Expected", 12, |row| row.expected),
            Col::day("To", 12, |row| row.counted_date),
            Col::qty("Counted", 12, |row| row.counted),
            Col::text("Close goods", 14, |row| (row.close > 0).then(|| "Not answered".to_owned())),
            Col::qty("Variance", 12, |row| row.variance),
            Col::money("Variance (PHP)", 14, |row| row.variance_value),
            Col::share("Of use", 10, |row| row.share),
        ];
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

/// Names and prices.
struct Names {
    units: HashMap<String, String>,
    roots: HashMap<String, String>,
    prices: Prices,
    items: HashMap<String, (String, Option<String>)>,
}

async fn answer(state: &AppState, question: &Question, by: By) -> ApiResult<CountVariance> {
    let db = &state.db;
    let stores = queries::open_stores(db, question.stores.as_deref()).await?;
    let items = queries::items(db).await?.into_iter();
    let names = Names {
        units: book::root_units(db).await?,
        roots: queries::root_items(db).await?.into_iter().collect(),
        prices: prices::all(db).await?,
        items: items.map(|(id, name, uom)| (id, (name, uom))).collect(),
    };
    let mut rows = Vec::new();
    for part in stores.chunks(STORES_AT_ONCE) {
        of_stores(state, part, question.span, by, &names, &mut rows).await?;
    }
    let mut last_counts: HashMap<String, BusinessDay> = HashMap::new();
    for row in &rows {
        let last = last_counts.entry(row.store_id.clone()).or_insert(row.counted_date);
        *last = row.counted_date.max(*last);
    }
    let ids: Vec<String> = last_counts.keys().cloned().collect();
    let open = OpenDays::read(db, &ids, question.span).await?;
    let counted = stores.iter().filter_map(|store| {
        let to = *last_counts.get(&store.id)?;
        Some((store.id.as_str(), store.name.as_str(), Span { to, ..question.span }))
    });
    let stores_without_sales = stores_without_sales(&open, counted);
    // Rows without a price come after those with one.
    rows.sort_by_key(|row: &VarianceRow| {
        let value = row.variance_value.map(|value| value.0.unsigned_abs());
        (Reverse(value), Reverse(row.variance.0.unsigned_abs()), row.name.clone(), row.store_name.clone())
    });
    let MovementValue { loss, gain, net } = MovementValue::of(rows.iter().map(|row| row.worth))?;
    Ok(CountVariance {
        from: question.span.from,
        to: question.span.to,
        total: rows.len(),
        loss,
        gain,
        net,
        stores_without_sales,
        items: rows,
    })
}

async fn of_stores(
    state: &AppState,
    stores: &[Store],
    span: Span,
    by: By,
    names: &Names,
    rows: &mut Vec<VarianceRow>,
) -> ApiResult<()> {
    let (db, ids) = (&state.db, stores.iter().map(|store| store.id.clone()).collect::<Vec<_>>());
    let counts = book::compared(db, &ids, span).await?;
    let Some(first) = counts.values().map(|(base, _)| base.date).min() else { return Ok(()) };
    let mut mappings = book::count_item_mapping(db, &ids).await?;
    let wanted: BTreeSet<String> = mappings
        .values()
        .flatten()
        .flat_map(|one| one.roots.all())
        .flatten()
        .map(|(root, _)| root.clone())
        .collect();
    let wanted = wanted.iter().map(String::as_str).collect();
    let mut moments = book::Moments::new();
    for ((store, _), (base, last)) in &counts {
        moments.entry(store.clone()).or_default().extend([base, last].map(|count| count.baseline().moment));
    }
    let mut days: BTreeMap<String, BTreeSet<BusinessDay>> = BTreeMap::new();
    for ((store, _), (base, last)) in &counts {
        days.entry(store.clone()).or_default().extend([base.date, last.date]);
    }
    let mut close = place_stock::unanswered(db, &days).await?;
    let days = Span { from: first, to: span.to };
    let mut flows = book::flows(db, &ids, days, Some(&wanted), &moments).await?;
    for store in stores {
        let items = mappings.remove(&store.id).unwrap_or_default();
        let mut of_store = flows.remove(&store.id).unwrap_or_default();
        let roots: BTreeSet<&str> =
            items.iter().flat_map(|one| one.roots.all()).flatten().map(|(root, _)| root.as_str()).collect();
        let roots: Vec<&str> = roots.into_iter().collect();
        let flows: Vec<_> = roots.iter().map(|root| of_store.remove(*root).unwrap_or_default()).collect();
        let pair = |item: &CountItemMapping| counts.get(&(store.id.clone(), item.item_id.clone()));
        let histories: Vec<_> = items.iter().map(|item| history(item, &roots, pair(item))).collect();
        let counted = known_at(&histories, Moment::after(span.to));
        let found = place_stock::stock_at(&counted, &flows, Moment::after(span.to))?;
        let close = close.remove(&store.id).unwrap_or_default();
        match by {
            By::Items => {
                for ((item, counted), figures) in items.iter().zip(&counted).zip(&found.items) {
                    let (Some(pair), Some((name, uom))) = (pair(item), names.items.get(&item.item_id)) else {
                        continue;
                    };
                    let days = (pair.0.date, pair.1.date);
                    let worth = |variance| worth(names, &roots, counted, (variance, days.1));
                    let row = row(store, (&item.item_id, name, uom.clone()), days, figures, worth)?;
                    let close = close_to(&close, &[pair], |line| line.items.contains(&item.item_id));
                    rows.extend(row.map(|row| VarianceRow { close, ..row }));
                }
            }
            By::RootItems => {
                for (at, (root, figures)) in roots.iter().zip(&found.roots).enumerate() {
                    let Some(name) = names.roots.get(*root) else { continue };
                    let compared = items.iter().zip(&counted).filter(|(_, counted)| {
                        counted.roots.iter().any(|(root, _)| *root == at)
                            && counted
                                .last
                                .zip(figures.moment)
                                .is_some_and(|(last, it)| last.moment.is_with(it))
                    });
                    let pairs: Vec<_> = compared.filter_map(|(item, _)| pair(item)).collect();
                    let (Some(from), Some(to)) = (
                        pairs.iter().map(|pair| pair.0.date).min(),
                        pairs.iter().map(|pair| pair.1.date).max(),
                    ) else {
                        continue;
                    };
                    let price = names.prices.on(root, to);
                    let worth = |variance| Some(price.map(|price| Worth::of(variance, price)));
                    let unit = names.units.get(*root).cloned();
                    let row = row(store, (root, name, unit), (from, to), figures, worth)?;
                    let close = close_to(&close, &pairs, |line| line.roots.iter().any(|one| one == root));
                    rows.extend(row.map(|row| VarianceRow { close, ..row }));
                }
            }
        }
    }
    Ok(())
}

/// The number of lines close to one of the counts that are compared.
fn close_to(close: &[CloseLine], pairs: &[&(Count, Count)], is_of: impl Fn(&CloseLine) -> bool) -> usize {
    let counts: BTreeSet<_> = pairs
        .iter()
        .flat_map(|(base, last)| [(base.date, base.session), (last.date, last.session)])
        .collect();
    close.iter().filter(|line| counts.contains(&(line.date, line.session)) && is_of(line)).count()
}

fn history(item: &CountItemMapping, roots: &[&str], pair: Option<&(Count, Count)>) -> History {
    let place = |(root, factor): &(String, _)| Some((roots.binary_search(&root.as_str()).ok()?, *factor));
    let placed = |parts: &book::Parts| parts.iter().filter_map(place).collect();
    let counts = pair.into_iter().flat_map(|(base, last)| [base.baseline(), last.baseline()]);
    History { roots: item.roots.map(placed), counts: counts.collect() }
}

/// What a quantity of an item is worth on a day; `Some(None)` if none of its root items has a price, `None` on
/// overflow.
fn worth(
    names: &Names,
    roots: &[&str],
    item: &Counted,
    (qty, day): (Qty, BusinessDay),
) -> Option<Option<Worth>> {
    let mut worth: Option<Worth> = None;
    for (root, factor) in &item.roots {
        let Some(price) = names.prices.on(roots[*root], day) else { continue };
        worth = Some(worth.unwrap_or_default().plus(Worth::of(qty.scaled(*factor)?, price)));
    }
    Some(worth)
}

/// A row, if there are two counts to compare.
fn row(
    store: &Store,
    (id, name, uom_code): (&str, &str, Option<String>),
    (opening_date, counted_date): (BusinessDay, BusinessDay),
    figures: &Figures,
    worth: impl Fn(Qty) -> Option<Option<Worth>>,
) -> ApiResult<Option<VarianceRow>> {
    let (Some(opening), Some(counted), Some(expected)) = (figures.opening, figures.counted, figures.expected)
    else {
        return Ok(None);
    };
    let variance = figures.variance().ok_or_else(too_large)?;
    let worth = worth(variance).ok_or_else(too_large)?;
    Ok(Some(VarianceRow {
        store_id: store.id.clone(),
        store_name: store.name.clone(),
        id: id.to_owned(),
        name: name.to_owned(),
        uom_code,
        opening_date,
        opening,
        moved: figures.passed.moved,
        used: figures.passed.used,
        expected,
        counted_date,
        counted,
        variance,
        variance_value: pesos(worth)?,
        worth,
        share: share(variance, figures.passed.used),
        close: 0,
    }))
}
