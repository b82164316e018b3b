//! Forecasts on the wire.

use std::collections::HashMap;

use larder_domain::{BusinessDay, Factor, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::forecasts::overrides::Override as KeptOverride;
use larder_ledgers::forecasts::series::FigureRow;
use larder_platform::services::Person;

/// A line of a run's table: one store and root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastFigure)]
pub struct Figure {
    pub store_id: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// The method that made it; empty where none could.
    pub method: String,
    /// `smooth`, `erratic`, `intermittent` or `lumpy`.
    pub klass: Option<String>,
    /// Known days of history.
    pub history_days: i64,
    /// Days that were needed and are not there; 0 where there are enough.
    pub need_days: i64,
    pub short_history: bool,
    /// Mean of the days ahead.
    pub per_day: f64,
    pub sum: f64,
    /// Errors over rolling origins within the history: shares of what was sold, bias in units a day.
    pub wape: Option<f64>,
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub coverage: Option<f64>,
    pub note: Option<String>,
}

impl Figure {
    /// A row with the unit of its root item, of those that `units` has by id.
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

/// One series of a run: its history and what was said of the days ahead.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastSeries)]
pub(crate) struct Series {
    pub store_id: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// The history, then the days ahead.
    pub dates: Vec<BusinessDay>,
    /// What was sold, days ahead that have been imported since included; null where nobody knows.
    pub actual: Vec<Option<f64>>,
    /// Days of the history that nobody knows.
    pub masked: Vec<bool>,
    pub forecast: Vec<Option<f64>>,
    pub lower: Vec<Option<f64>>,
    pub upper: Vec<Option<f64>>,
    /// The share of days that fall into the interval.
    pub level: f64,
    pub method: String,
    pub klass: Option<String>,
    pub errors: Option<ErrorFigures>,
    /// What the advanced forecast looked at, its default first.
    pub candidates: Vec<Candidate>,
    pub events: Vec<SeriesEvent>,
    pub overrides: Vec<Override>,
    pub note: Option<String>,
}

/// How far a method was from what was sold.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastErrors)]
pub(crate) struct ErrorFigures {
    pub wape: Option<f64>,
    /// Units a day, above zero where more was forecast than sold.
    pub bias: Option<f64>,
    pub mase: Option<f64>,
    pub rmsse: Option<f64>,
    pub coverage: Option<f64>,
    /// Earlier forecasts that were compared.
    pub origins: usize,
}

/// A method that was looked at.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastCandidate)]
pub(crate) struct Candidate {
    pub method: String,
    pub wape: Option<f64>,
}

/// A day of a series that is not like others.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastSeriesEvent)]
pub(crate) struct SeriesEvent {
    pub date: BusinessDay,
    pub name: String,
    /// Set by a person, or learned from this series; none where the method takes no notice of it.
    pub factor: Option<f64>,
}

/// A series to forecast here and now.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ForecastEvaluation)]
pub(crate) struct Evaluation {
    /// The day of the first value, `YYYY-MM-DD`.
    pub start: String,
    /// One a day; null for a day nobody knows.
    pub values: Vec<Option<f64>>,
    /// As in `sma28`, `dow_ma`, `croston`, `ets_ANA`, `advanced`.
    pub method: String,
    /// Days ahead.
    pub horizon: i64,
    /// The share of days that fall into the interval: 0.8 where nothing is said.
    #[serde(default)]
    pub level: Option<f64>,
}

/// What was made of it. Nothing is kept.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastEvaluated)]
pub(crate) struct Evaluated {
    pub dates: Vec<BusinessDay>,
    pub forecast: Vec<f64>,
    /// None where too few earlier forecasts could be checked.
    pub lower: Option<Vec<f64>>,
    pub upper: Option<Vec<f64>>,
    /// The method that made it.
    pub method: String,
    pub errors: ErrorFigures,
}

/// What a person knows better.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastOverride)]
pub(crate) struct Override {
    pub id: String,
    pub store_id: String,
    pub root_item_id: String,
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// A day, in the item's unit.
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

/// An override as somebody enters it.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = ForecastOverrideDraft)]
pub(crate) struct OverrideDraft {
    /// Only of a new one.
    pub store_id: Option<String>,
    pub root_item_id: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// A day, 0 or more.
    pub qty: Option<Qty>,
    pub reason: Option<String>,
    /// The revision it changes.
    pub revision: Option<i64>,
}

/// A day that is not like others.
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
    /// None: all stores, or those of the area.
    pub store_ids: Option<Vec<String>>,
    pub area_id: Option<String>,
    /// Set by a person: what sells beside an ordinary day.
    pub factor: Option<Factor>,
    /// What days of this kind did to the sales of all stores.
    pub learned: Option<Evidence>,
    /// Whether the date may still change: it follows from the moon.
    pub estimated: bool,
    /// Whether it is of the calendar: only its factor can be set.
    pub built_in: bool,
    pub revision: i64,
}

/// What a factor was learned from.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ForecastEvidence)]
pub(crate) struct Evidence {
    pub factor: f64,
    pub days: usize,
    /// Net sales of an average store on those days, in pesos.
    pub actual: f64,
    /// What the same weekdays sold before.
    pub base: f64,
}

/// Events within a range.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastEvents)]
pub(crate) struct Events {
    pub items: Vec<Event>,
    pub total: i64,
}

/// An event as somebody enters it; of one of the calendar only the factor counts.
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
    /// The revision it changes; 0 for a day of the calendar that nobody changed yet.
    pub revision: Option<i64>,
}

/// How good forecasts were.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForecastAccuracyLine)]
pub(crate) struct Judged {
    pub store_id: Option<String>,
    pub root_item_id: Option<String>,
    pub method: Option<String>,
    /// `1-7`, `8-14` or `all` days ahead.
    pub horizon: &'static str,
    /// Days of series that were compared.
    pub days: i64,
    pub actual: f64,
    pub forecast: f64,
    /// Shares of what was sold.
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
    /// How many runs were looked at.
    pub runs: usize,
}

/// One series, what was said of it and what then happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastAccuracySeries)]
pub(crate) struct AccuracySeries {
    pub dates: Vec<BusinessDay>,
    pub actual: Vec<Option<f64>>,
    pub forecast: Vec<Option<f64>>,
    pub lower: Vec<Option<f64>>,
    pub upper: Vec<Option<f64>>,
    /// Empty on days of which nothing was said.
    pub method: Vec<String>,
    pub unit: Option<String>,
}

/// Which store and item.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub(crate) struct SeriesQuery {
    #[param(required = true)]
    pub store_id: String,
    #[param(required = true)]
    pub root_item_id: String,
}
