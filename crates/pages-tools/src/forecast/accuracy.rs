//! Accuracy of forecasts.

use axum::extract::State;
use larder_domain::{BusinessDay, Span};
use serde::Deserialize;
use utoipa::IntoParams;

use super::model::{Accuracy, AccuracySeries, Judged};
use larder_ledgers::forecasts::accuracy;
use larder_ledgers::forecasts::accuracy::{AccuracyFilter, By};
use larder_ledgers::store_items::root_units;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Number of days compared, default and maximum.
const DAYS: i32 = 28;
const MOST_DAYS: i32 = 184;

/// Query parameters of forecast accuracy.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct AccuracyQuery {
    /// Grouping: `series` (default), `store`, `item` or `method`.
    by: Option<String>,
    store_id: Option<String>,
    root_item_id: Option<String>,
    /// This method only; `override` for manual overrides.
    method: Option<String>,
    /// Runs of this service only.
    service: Option<String>,
    /// Days ahead: `1-7`, `8-14` or `all`.
    horizon: Option<String>,
    /// Days to compare; defaults to the last four weeks.
    from: Option<String>,
    to: Option<String>,
    /// `wape`, `bias`, `mase`, `coverage`, `actual` or `days`, prefix `-` for descending; defaults to the
    /// worst WAPE first.
    sort: Option<String>,
    /// Page size, 1 to 500; default 50.
    limit: Option<usize>,
    /// Number of rows to skip.
    offset: Option<usize>,
}

impl AccuracyQuery {
    fn filter(&self, who: &Who) -> ApiResult<(AccuracyFilter, &'static str)> {
        let mut wrong = Vec::new();
        let by = match self.by.as_deref().unwrap_or("series") {
            "series" | "" => By::Series,
            "store" => By::Store,
            "item" => By::Item,
            "method" => By::Method,
            _ => {
                wrong.push(FieldError::new("by", "Choose series, store, item or method."));
                By::Series
            }
        };
        let (horizon, ahead) = match self.horizon.as_deref().unwrap_or("all") {
            "1-7" => ("1-7", 1..=7),
            "8-14" => ("8-14", 8..=14),
            "all" | "" => ("all", 1..=i32::MAX),
            _ => {
                wrong.push(FieldError::new("horizon", "Choose 1-7, 8-14 or all."));
                ("all", 1..=i32::MAX)
            }
        };
        let span = self.span(BusinessDay::of(who.at), &mut wrong);
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        let some = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let store = some(&self.store_id).map(|id| vec![id]);
        let filter = AccuracyFilter {
            by,
            stores: who.stores(store.as_deref())?,
            root_item_id: some(&self.root_item_id),
            method: some(&self.method),
            service: some(&self.service),
            ahead,
            span,
        };
        Ok((filter, horizon))
    }

    fn span(&self, today: BusinessDay, wrong: &mut Vec<FieldError>) -> Span {
        let mut read = |field: &str, text: &Option<String>| {
            let text = text.as_deref().filter(|text| !text.is_empty())?;
            match text.parse::<BusinessDay>() {
                Ok(day) if (1900..=2200).contains(&day.date().year()) => Some(day),
                Ok(_) => {
                    wrong.push(FieldError::new(field, "Enter a year between 1900 and 2200."));
                    None
                }
                Err(why) => {
                    wrong.push(FieldError::new(field, why));
                    None
                }
            }
        };
        let to = read("to", &self.to).unwrap_or(today.plus(-1));
        let from = read("from", &self.from).unwrap_or(to.plus(1 - DAYS));
        if from > to {
            wrong.push(FieldError::new("to", "The last day must not come before the first."));
        } else if to.0 - from.0 >= MOST_DAYS {
            wrong.push(FieldError::new("to", format!("Choose a range of at most {MOST_DAYS} days.")));
        }
        Span { from, to }
    }
}

/// Accuracy of forecasts, worst first.
#[utoipa::path(get, path = "/api/tools/forecast/accuracy", tag = "forecasts", params(AccuracyQuery),
    responses((status = 200, body = Accuracy)))]
pub(crate) async fn list_forecast_accuracy(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<AccuracyQuery>,
) -> ApiResult<Json<Accuracy>> {
    let (filter, horizon) = query.filter(&who)?;
    let key = key_of(query.sort.as_deref().unwrap_or("-wape"))?;
    let (mut all, runs) = accuracy::judge(&state.db, &filter).await?;
    all.sort_by(|a, b| {
        let ids = |it: &accuracy::Judged| (it.store_id.clone(), it.root_item_id.clone(), it.method.clone());
        key(a).total_cmp(&key(b)).then_with(|| ids(a).cmp(&ids(b)))
    });
    let total = all.len();
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    let items = all.into_iter().skip(query.offset.unwrap_or(0)).take(limit).map(|it| Judged {
        store_id: it.store_id,
        root_item_id: it.root_item_id,
        method: it.method,
        horizon,
        days: it.days,
        actual: it.actual,
        forecast: it.forecast,
        wape: it.wape,
        bias: it.bias,
        mase: it.mase,
        coverage: it.coverage,
    });
    Ok(Json(Accuracy { items: items.collect(), total, from: filter.span.from, to: filter.span.to, runs }))
}

type Key = Box<dyn Fn(&accuracy::Judged) -> f64 + Send>;

/// Sort key of the table; unknown values come last.
fn key_of(sort: &str) -> ApiResult<Key> {
    let (name, largest) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let of: fn(&accuracy::Judged) -> Option<f64> = match name {
        "wape" | "" => |it| it.wape,
        "bias" => |it| it.bias,
        "mase" => |it| it.mase,
        "coverage" => |it| it.coverage,
        "actual" => |it| Some(it.actual),
        "forecast" => |it| Some(it.forecast),
        "days" => |it| Some(it.days as f64),
        _ => return Err(ApiError::field("sort", "There is no column of this name.")),
    };
    let sign = if largest { -1.0 } else { 1.0 };
    Ok(Box::new(move |it| of(it).map_or(f64::INFINITY, |figure| figure * sign)))
}

/// Accuracy of a series: the latest forecast made before each day, and the actual sales.
#[utoipa::path(get, path = "/api/tools/forecast/accuracy/series", tag = "forecasts", params(AccuracyQuery),
    responses((status = 200, body = AccuracySeries)))]
pub(crate) async fn get_forecast_accuracy_series(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<AccuracyQuery>,
) -> ApiResult<Json<AccuracySeries>> {
    let (filter, _) = query.filter(&who)?;
    let missing = |field: &str, what: &str| ApiError::field(field, format!("Choose {what}."));
    let store =
        query.store_id.as_deref().filter(|id| !id.is_empty()).ok_or_else(|| missing("storeId", "a store"))?;
    let item = filter.root_item_id.clone().ok_or_else(|| missing("rootItemId", "an item"))?;
    let line = accuracy::line(&state.db, &filter, store, &item).await?;
    let Span { from, to } = filter.span;
    Ok(Json(AccuracySeries {
        dates: (from.0..=to.0).map(BusinessDay).collect(),
        actual: line.actual,
        forecast: line.forecast,
        lower: line.lower,
        upper: line.upper,
        method: line.method,
        unit: root_units(&state.db).await?.remove(&item),
    }))
}
