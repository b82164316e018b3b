//! `/reports/root-item-weekly-snapshot`: the same figures by week, from the weekly snapshots.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Span, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries as queries;
use super::movement_rows::{self, MovementRow, UnitMovement};
use larder_engines::reports::queries::root_names;
use larder_engines::reports::worths::{MovementValue, pesos};
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::{snapshots, store_items};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Maximum page size.
const MOST_ROWS: usize = 5_000;

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// Page size: 1 to 5,000; default 5,000.
    #[param(minimum = 1, maximum = 5_000)]
    pub limit: Option<usize>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A week of the range.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportedWeek {
    /// Its Monday.
    pub week: BusinessDay,
    /// ISO week, `2026-W47`.
    pub label: String,
    /// When its snapshot was made; null if there is none.
    pub made_at: Option<Timestamp>,
    /// Whether its figures are final.
    pub frozen: bool,
    /// Whether its last day is over, so that a snapshot can be made.
    pub over: bool,
}

/// Root item movement in stores, by week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeeklySnapshots {
    /// First day covered: a Monday.
    pub from: BusinessDay,
    /// Last day covered: a Sunday.
    pub to: BusinessDay,
    /// The weeks of the range, with or without a snapshot.
    pub weeks: Vec<ReportedWeek>,
    /// Largest variance in value first.
    pub items: Vec<MovementRow>,
    /// Number of rows on all pages.
    pub total: usize,
    /// Totals by unit, over all rows.
    pub units: Vec<UnitMovement>,
    /// Value of the variances, over all rows.
    pub value: MovementValue,
}

/// Report definition.
pub struct RootItemWeeklySnapshot;

impl Report for RootItemWeeklySnapshot {
    const NAME: &'static str = "root-item-weekly-snapshot";
    const SUMMARY: &'static str =
        "What the weekly snapshots say: what lay in stores, came, left and was used.";
    const MOST_DAYS: i32 = 92;
    type Params = Shape;
    type ExportParams = NoParams;
    type Answer = WeeklySnapshots;

    async fn answer(state: &AppState, question: &Question, _: &Shape) -> ApiResult<WeeklySnapshots> {
        answer(state, question).await
    }

    fn check_page(shape: &Shape) -> ApiResult<()> {
        if shape.limit.is_none_or(|limit| (1..=MOST_ROWS).contains(&limit)) {
            return Ok(());
        }
        Err(ApiError::field("limit", "Ask for 1 to 5,000 rows."))
    }

    fn on_page(mut report: WeeklySnapshots, shape: &Shape) -> WeeklySnapshots {
        report.items.truncate(shape.limit.unwrap_or(MOST_ROWS));
        report
    }

    fn sheet(report: &WeeklySnapshots, _: &Shape, _: &NoParams) -> ApiResult<Sheet> {
        let weeks = vec![Column::text("Week", 10, |row: &MovementRow| row.from.iso_week_label())];
        movement_rows::sheet(Span { from: report.from, to: report.to }, &report.items, weeks)
    }
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<WeeklySnapshots> {
    let (db, span) = (&state.db, question.span.whole_weeks());
    let range = (span.from, span.to.week());
    let made = snapshots::weeks(db, range).await?;
    let kept = snapshots::rows(db, range, question.stores.as_deref()).await?;
    let names = root_names(db).await?;
    let units = store_items::root_units(db).await?;
    let stores: HashMap<String, String> = queries::store_names(db).await?.into_iter().collect();
    let shown = |row: snapshots::Kept| {
        Ok(MovementRow {
            store_name: stores.get(&row.store_id).unwrap_or(&row.store_id).clone(),
            // Deleted root items are shown by id.
            name: names.get(&row.root_item_id).map_or_else(|| row.root_item_id.clone(), |it| it.name.clone()),
            unit: units.get(&row.root_item_id).cloned(),
            from: row.week,
            to: row.week.plus(6),
            figures: row.figures().into(),
            variance_value: pesos(row.variance_worth())?,
            worth: row.variance_worth(),
            store_id: row.store_id,
            root_item_id: row.root_item_id,
        })
    };
    let mut rows = kept.into_iter().map(shown).collect::<ApiResult<Vec<MovementRow>>>()?;
    movement_rows::dearest_first(&mut rows);
    let today = BusinessDay::of(question.at);
    let week = |monday: BusinessDay| ReportedWeek {
        week: monday,
        label: monday.iso_week_label(),
        made_at: made.get(&monday).map(|week| week.made_at),
        frozen: made.get(&monday).is_some_and(|week| week.frozen_at.is_some()),
        over: monday.plus(6) < today,
    };
    Ok(WeeklySnapshots {
        from: span.from,
        to: span.to,
        weeks: (0..span.days() / 7).map(|n| week(span.from.plus(n * 7))).collect(),
        total: rows.len(),
        units: movement_rows::units(&rows)?,
        value: MovementValue::of(rows.iter().map(|row| row.worth))?,
        items: rows,
    })
}
