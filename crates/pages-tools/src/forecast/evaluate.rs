//! Forecasts a series ad hoc, for checking the calculation.

use larder_domain::BusinessDay;
use larder_planning::evaluate::{MOST_AHEAD, MOST_DAYS, evaluate};
use larder_planning::method::Method;

use super::kinds::LEVEL;
use super::model::{ErrorFigures, Evaluated, Evaluation};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json};

/// Forecast a series without saving anything.
#[utoipa::path(post, path = "/api/tools/forecast/evaluate", tag = "forecasts", request_body = Evaluation,
    responses((status = 200, body = Evaluated)))]
pub(crate) async fn evaluate_forecast(Json(asked): Json<Evaluation>) -> ApiResult<Json<Evaluated>> {
    let (start, horizon, level) = check(&asked)?;
    let Evaluation { values, method, .. } = asked;
    let made = tokio::task::spawn_blocking(move || evaluate(start.0, &values, &method, horizon, level)).await;
    let made = made.map_err(ApiError::internal)?;
    let made = made.map_err(|why| ApiError::field("values", why.to_string()))?;
    Ok(Json(Evaluated {
        dates: made.dates.into_iter().map(BusinessDay).collect(),
        forecast: made.forecast,
        lower: made.lower,
        upper: made.upper,
        method: made.method.to_string(),
        errors: ErrorFigures {
            wape: made.errors.wape,
            bias: made.errors.bias,
            mase: made.errors.mase,
            rmsse: made.errors.rmsse,
            coverage: None,
            origins: made.errors.origins,
        },
    }))
}

/// Validated start, horizon and level.
fn check(asked: &Evaluation) -> ApiResult<(BusinessDay, usize, f64)> {
    let mut wrong = Vec::new();
    let start = asked.start.parse::<BusinessDay>();
    match &start {
        Ok(day) if !(1900..=2200).contains(&day.date().year()) => {
            wrong.push(FieldError::new("start", "Enter a year between 1900 and 2200."));
        }
        Err(why) => wrong.push(FieldError::new("start", *why)),
        Ok(_) => {}
    }
    if asked.values.len() > MOST_DAYS {
        wrong.push(FieldError::new("values", format!("Send at most {MOST_DAYS} days.")));
    }
    let below = asked
        .values
        .iter()
        .enumerate()
        .find_map(|(at, value)| value.filter(|it| *it < 0.0).map(|it| (at, it)));
    if let Some((at, value)) = below {
        wrong.push(FieldError::new(format!("values.{at}"), format!("{value} is below zero.")));
    }
    if Method::parse(&asked.method).is_none() {
        wrong.push(FieldError::new("method", "There is no method of this name."));
    }
    let horizon = usize::try_from(asked.horizon).ok().filter(|days| (1..=MOST_AHEAD).contains(days));
    if horizon.is_none() {
        wrong.push(FieldError::new("horizon", format!("Enter 1 to {MOST_AHEAD} days.")));
    }
    let level = asked.level.unwrap_or(LEVEL);
    if !(level > 0.0 && level < 1.0) {
        wrong.push(FieldError::new("level", "Enter a share above 0 and under 1."));
    }
    match (start, horizon, wrong.is_empty()) {
        (Ok(start), Some(horizon), true) => Ok((start, horizon, level)),
        _ => Err(ApiError::invalid(wrong)),
    }
}
