//! Forecasts: requests and responses.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Factor, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::forecasts::overrides::Override as KeptOverride;
use larder_ledgers::forecasts::series::FigureRow;
use larder_platform::calculations::Person;

/// A row of a run's table: one store and root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastFigure)]
pub struct Figure {
    pub store_id: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// The method used; empty if none was applicable.
    pub method: String,
    /// `smooth`, `erratic`, `intermittent` or `lumpy`.
    pub klass: Option<String>,
    /// Known days of history.
    pub history_days: i64,
    /// Number of required days missing; 0 if there are enough.
    pub need_days: i64,
    pub short_history: bool,
    /// Mean of the forecast days.
    pub per_day: f64,
    pub sum: f64,
    /// Backtest errors with rolling origins: ratios to sales; bias in units per day.
    pub wape: Option<f64>,
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub coverage: Option<f64>,
    pub note: Option<String>,
}

impl Figure {
    /// A row, with its root item's unit from `units`.
    pub fn of(row: FigureRow, units: &HashMap<String, String>) -> Self {
        Self {
            store_id: row.store_id,
            unit: units.get(&row.root_item_id).cloned(),
            root_item_id: row.root_item_id,
            method: row.method,
            klass: row.klass,
            history_days: row.history_days,
            need_days: row.need_days,
            short_history: row.short_history,
            per_day: row.per_day,
            sum: row.total,
            wape: row.wape,
            bias: row.bias,
            mase: row.mase,
            coverage: row.coverage,
            note: row.note,
        }
    }
}

/// A page of a run's table.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastFigures)]
pub struct Figures {
    pub items: Vec<Figure>,
    pub total: i64,
}

/// A series of a run: its history and forecast.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastSeries)]
pub(crate) struct Series {
    pub store_id: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// History, then forecast days.
    pub dates: Vec<BusinessDay>,
    /// Sales, including forecast days imported since; null if unknown.
    pub actual: Vec<Option<f64>>,
    /// Unknown days of the history.
    pub masked: Vec<bool>,
    pub forecast: Vec<Option<f64>>,
    pub lower: Vec<Option<f64>>,
    pub upper: Vec<Option<f64>>,
    /// Coverage of the prediction interval.
    pub level: f64,
    pub method: String,
    pub klass: Option<String>,
    pub errors: Option<ErrorFigures>,
    /// The methods the advanced forecast compared, its default first.
    pub candidates: Vec<Candidate>,
    pub events: Vec<SeriesEvent>,
    pub overrides: Vec<Override>,
    pub note: Option<String>,
}

/// Errors of a method.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastErrors)]
pub(crate) struct ErrorFigures {
    pub wape: Option<f64>,
    /// Units per day; positive if the forecast was too high.
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub rmsse: Option<f64>,
    pub coverage: Option<f64>,
    /// Number of backtests.
    pub origins: usize,
}

/// A compared method.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastCandidate)]
pub(crate) struct Candidate {
    pub method: String,
    pub wape: Option<f64>,
}

/// A special day of a series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastSeriesEvent)]
pub(crate) struct SeriesEvent {
    pub date: BusinessDay,
    pub name: String,
    /// Set manually or learned from this series; null if the method ignores it.
    pub factor: Option<f64>,
}

/// A series to forecast ad hoc.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ForecastEvaluation)]
pub(crate) struct Evaluation {
    /// Date of the first value, `YYYY-MM-DD`.
    pub start: String,
    /// One per day; null for an unknown day.
    pub values: Vec<Option<f64>>,
    /// For example `sma28`, `dow_ma`, `croston`, `ets_ANA`, `advanced`.
    pub method: String,
    /// Number of days to forecast.
    pub horizon: i64,
    /// Coverage of the prediction interval; default 0.8.
    #[serde(default)]
    pub level: Option<f64>,
}

/// The forecast. Nothing is saved.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastEvaluated)]
pub(crate) struct Evaluated {
    pub dates: Vec<BusinessDay>,
    pub forecast: Vec<f64>,
    /// Null if there were too few backtests.
    pub lower: Option<Vec<f64>>,
    pub upper: Option<Vec<f64>>,
    /// The method used.
    pub method: String,
    pub errors: ErrorFigures,
}

/// A manual override.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastOverride)]
pub(crate) struct Override {
    pub id: String,
    pub store_id: String,
    pub root_item_id: String,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Per day, in the item's unit.
    pub qty: Qty,
    pub reason: String,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Person,
}

impl From<KeptOverride> for Override {
    fn from(kept: KeptOverride) -> Self {
        Self {
            id: kept.id,
            store_id: kept.store_id,
            root_item_id: kept.root_item_id,
            from: kept.from_day,
            to: kept.to_day,
            qty: kept.qty,
            reason: kept.reason,
            revision: kept.revision,
            updated_at: kept.updated_at,
            updated_by: kept.updated_by.0.into(),
        }
    }
}

/// A page of overrides.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastOverrides)]
pub(crate) struct Overrides {
    pub items: Vec<Override>,
    pub total: i64,
}

/// An override to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = ForecastOverrideDraft)]
pub(crate) struct OverrideDraft {
    /// Only for a new one.
    pub store_id: Option<String>,
    pub root_item_id: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// Per day, 0 or more.
    pub qty: Option<Qty>,
    pub reason: Option<String>,
    /// The revision it changes.
    pub revision: Option<i64>,
}

/// A special day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastEvent)]
pub struct Event {
    pub id: String,
    pub name: String,
    /// `payday`, `holiday`, `promotion` or `closure`.
    pub kind: String,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Null for all stores, or those of the area.
    pub store_ids: Option<Vec<String>>,
    pub area_id: Option<String>,
    /// Manual factor: sales relative to an ordinary day.
    pub factor: Option<Factor>,
    /// Measured effect of this type of day on the sales of all stores.
    pub learned: Option<Evidence>,
    /// Whether the date may still change because it depends on the moon.
    pub estimated: bool,
    /// Whether it is built in: only its factor can be set.
    pub built_in: bool,
    pub revision: i64,
}

/// The data behind a learned factor.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ForecastEvidence)]
pub(crate) struct Evidence {
    pub factor: f64,
    pub days: usize,
    /// Net sales per store on those days, in pesos.
    pub actual: f64,
    /// Earlier sales on the same weekdays.
    pub base: f64,
}

/// Events in a range.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastEvents)]
pub(crate) struct Events {
    pub items: Vec<Event>,
    pub total: i64,
}

/// An event to save; for a built-in one, only the factor is used.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = ForecastEventDraft)]
pub(crate) struct EventDraft {
    pub name: Option<String>,
    /// `holiday`, `promotion` or `closure`.
    pub kind: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub store_ids: Option<Vec<String>>,
    pub area_id: Option<String>,
    pub factor: Option<Factor>,
    /// The revision it changes; 0 for an unchanged built-in event.
    pub revision: Option<i64>,
}

/// Accuracy of forecasts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastAccuracyLine)]
pub(crate) struct Judged {
    pub store_id: Option<String>,
    pub root_item_id: Option<String>,
    pub method: Option<String>,
    /// `1-7`, `8-14` or `all` days ahead.
    pub horizon: &'static str,
    /// Number of series days compared.
    pub days: i64,
    pub actual: f64,
    pub forecast: f64,
    /// Ratio to sales.
    pub wape: Option<f64>,
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub coverage: Option<f64>,
}

/// A page of them.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastAccuracy)]
pub(crate) struct Accuracy {
    pub items: Vec<Judged>,
    pub total: usize,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Number of runs evaluated.
    pub runs: usize,
}

/// A series with its forecasts and actual sales.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastAccuracySeries)]
pub(crate) struct AccuracySeries {
    pub dates: Vec<BusinessDay>,
    pub actual: Vec<Option<f64>>,
    pub forecast: Vec<Option<f64>>,
    pub lower: Vec<Option<f64>>,
    pub upper: Vec<Option<f64>>,
    /// Empty on days without a forecast.
    pub method: Vec<String>,
    pub unit: Option<String>,
}

/// Query parameters: store and item.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub(crate) struct SeriesQuery {
    #[param(required = true)]
    pub store_id: String,
    #[param(required = true)]
    pub root_item_id: String,
}
