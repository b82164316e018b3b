//! `/reports/root-item-movement-by-store`: received, sent and used by store, in total or by day.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries::{self as queries, Store};
use super::movement_rows::{self, MovementRow, UnitMovement};
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::worths::{MovementValue, pesos};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::{snapshots, store_items};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Maximum number of days when grouped by day.
const MOST_BY_DAY: i32 = 31;
/// Maximum page size.
const MOST_ROWS: usize = 5_000;

/// Grouping of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MovementBy)]
pub enum By {
    /// The whole range.
    #[default]
    Range,
    /// Each day.
    Day,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// `range` (default) or `day`; by day for at most 31 days.
    #[param(inline)]
    pub by: By,
    /// Page size: 1 to 5,000; default 5,000.
    #[param(minimum = 1, maximum = 5_000)]
    pub limit: Option<usize>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// Root item movement in stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemMovement {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// Largest variance in value first; by day, sorted by store, root item and day.
    pub items: Vec<MovementRow>,
    /// Number of rows on all pages.
    pub total: usize,
    /// Totals by unit, over all rows.
    pub units: Vec<UnitMovement>,
    /// Value of the variances, over all rows.
    pub value: MovementValue,
    /// Stores with rows and open days without sales, up to yesterday: their use is too low.
    pub stores_without_sales: Vec<StoreGap>,
}

/// Report definition.
pub struct RootItemMovementByStore;

impl Report for RootItemMovementByStore {
    const NAME: &'static str = "root-item-movement-by-store";
    const SUMMARY: &'static str =
        "What lay in stores of each root item, what came, what left, what was used.";
    const MOST_DAYS: i32 = 366;
    type Params = Shape;
    type ExportParams = NoParams;
    type Answer = RootItemMovement;

    async fn answer(state: &AppState, question: &Question, shape: &Shape) -> ApiResult<RootItemMovement> {
        answer(state, question, shape.by).await
    }

    fn check_page(shape: &Shape) -> ApiResult<()> {
        if shape.limit.is_none_or(|limit| (1..=MOST_ROWS).contains(&limit)) {
            return Ok(());
        }
        Err(ApiError::field("limit", "Ask for 1 to 5,000 rows."))
    }

    fn on_page(mut report: RootItemMovement, shape: &Shape) -> RootItemMovement {
        report.items.truncate(shape.limit.unwrap_or(MOST_ROWS));
        report
    }

    fn sheet(report: &RootItemMovement, shape: &Shape, _: &NoParams) -> ApiResult<Sheet> {
        let days = match shape.by {
            By::Range => Vec::new(),
            By::Day => vec![Column::day("Day", 12, |row: &MovementRow| row.from)],
        };
        movement_rows::sheet(Span { from: report.from, to: report.to }, &report.items, days)
    }
}

async fn answer(state: &AppState, question: &Question, by: By) -> ApiResult<RootItemMovement> {
    let (db, span) = (&state.db, question.span);
    let today = BusinessDay::of(question.at);
    if span.to > today {
        return Err(ApiError::field("to", "Choose a last day that is not after today."));
    }
    let periods = match by {
        By::Range => vec![span],
        By::Day => {
            question.at_most(MOST_BY_DAY)?;
            (0..span.days()).map(|n| span.from.plus(n)).map(|day| Span { from: day, to: day }).collect()
        }
    };
    let stores = queries::open_stores(db, question.stores.as_deref()).await?;
    let units = store_items::root_units(db).await?;
    let mut rows = Vec::new();
    for store in &stores {
        of_store(state, store, &periods, &units, &mut rows).await?;
    }
    if by == By::Range {
        movement_rows::dearest_first(&mut rows);
    }
    let has_rows = |gap: &StoreGap| rows.iter().any(|row| row.store_id == gap.id);
    let gaps = without_sales(db, question).await?;
    Ok(RootItemMovement {
        from: span.from,
        to: span.to,
        total: rows.len(),
        units: movement_rows::units(&rows)?,
        value: MovementValue::of(rows.iter().map(|row| row.worth))?,
        stores_without_sales: gaps.into_iter().filter(has_rows).collect(),
        items: rows,
    })
}

async fn of_store(
    state: &AppState,
    store: &Store,
    periods: &[Span],
    units: &HashMap<String, String>,
    rows: &mut Vec<MovementRow>,
) -> ApiResult<()> {
    let movements = snapshots::of_store(&state.db, &store.id, periods).await?;
    let rows_of = |at: usize| snapshots::rows_of(&movements, at).into_iter().map(move |row| (at, row));
    let mut places: Vec<_> = (0..periods.len()).flat_map(rows_of).collect();
    let order: HashMap<&str, usize> =
        movements.roots.iter().enumerate().map(|(at, root)| (root.id.as_str(), at)).collect();
    places.sort_by_key(|(at, row)| (order.get(row.root_item_id.as_str()).copied(), *at));
    for (at, row) in places {
        let Some(root) = order.get(row.root_item_id.as_str()).map(|at| &movements.roots[*at]) else {
            continue;
        };
        rows.push(MovementRow {
            store_id: store.id.clone(),
            store_name: store.name.clone(),
            name: root.name.clone(),
            unit: units.get(&row.root_item_id).cloned(),
            root_item_id: row.root_item_id,
            from: periods[at].from,
            to: periods[at].to,
            figures: row.figures.into(),
            variance_value: pesos(row.variance_worth)?,
            worth: row.variance_worth,
        });
    }
    Ok(())
}
