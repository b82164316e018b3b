//! The forecast services: their methods, history and horizon.

use larder_domain::schedule::Schedule;
use larder_planning::method::Method;

use super::run;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation, Outcome, Work};
use larder_platform::http::{ApiError, ApiResult};
use larder_platform::jobs::JobError;

/// Definition of a forecast service.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub service: &'static str,
    /// Default method.
    pub method: Method,
    /// Accepted methods, and the error message for others.
    pub methods: fn(Method) -> bool,
    pub choose: &'static str,
    /// Default horizon, in days.
    pub horizon: i64,
    /// Days of history used.
    pub history: i32,
    /// Whether effects of paydays, holidays and promotions are learned.
    pub events: bool,
    /// Limit to this source of sales; all if `None`.
    pub source: Option<&'static str>,
}

/// Default coverage of prediction intervals.
pub(super) const LEVEL: f64 = 0.8;

impl Kind {
    /// The requested method.
    ///
    /// # Errors
    /// 422 at `method`.
    pub fn method_of(&self, ask: &Ask) -> ApiResult<Method> {
        let Some(name) = ask.method.as_deref().filter(|name| !name.is_empty()) else {
            return Ok(self.method);
        };
        let found = Method::parse(name).filter(|method| (self.methods)(*method));
        found.ok_or_else(|| ApiError::field("method", self.choose))
    }
}

/// The requested coverage of prediction intervals.
///
/// # Errors
/// 422 at `level`.
pub(super) fn level_of(ask: &Ask) -> ApiResult<f64> {
    let Some(level) = ask.more.get("level").filter(|level| !level.is_null()) else { return Ok(LEVEL) };
    let level = level.as_f64().filter(|level| (0.5..=0.99).contains(level));
    level.ok_or_else(|| ApiError::field("level", "Enter a share between 0.5 and 0.99."))
}

macro_rules! forecast_calculations {
    ($($name:ident = $address:literal, $title:literal, $answers:literal, $nightly:expr, $kind:expr;)+) => {
        $(
            pub(super) struct $name;

            impl Calculation for $name {
                const NAME: &'static str = $address;
                const TITLE: &'static str = $title;
                const ANSWERS: &'static str = $answers;
                const PAGE: &'static str = concat!("/tools/services/", $address);
                const ASKS: &'static [&'static str] = &["level"];
                const NIGHTLY: Option<Schedule> = $nightly;

                async fn check(_: &AppState, ask: &Ask) -> ApiResult<()> {
                    $kind.method_of(ask)?;
                    level_of(ask)?;
                    Ok(())
                }

                async fn run(work: Work) -> Result<Outcome, JobError> {
                    run::run(work, $kind).await
                }
            }
        )+

        /// The services whose runs have series.
        pub(super) const ALL: &[Kind] = &[$($kind),+];
    };
}

const MOVING_AVERAGE: Kind = Kind {
    service: "moving-average",
    method: Method::MovingAverage(28),
    methods: |method| matches!(method, Method::MovingAverage(_)),
    choose: "Choose a moving average, for example sma28.",
    horizon: 14,
    history: 365,
    events: false,
    source: None,
};

const DAILY: Kind = Kind {
    service: "daily-moving-average",
    method: Method::DowAverage,
    methods: |method| matches!(method, Method::DowAverage | Method::DowAverageOf(_) | Method::DowWeighted),
    choose: "Choose dow_ma, dow_ma_weighted or dow_ma with a number of weeks, for example dow_ma4.",
    ..MOVING_AVERAGE
};

const W3P: Kind = Kind {
    service: "w3p-root-item-moving-average",
    // Store-days of a single source are read one by one.
    history: 182,
    source: Some("w3p"),
    ..MOVING_AVERAGE
};

const MONTHLY: Kind = Kind {
    service: "monthly-forecast",
    method: Method::Monthly,
    methods: |method| method == Method::Monthly,
    choose: "This service has one method: monthly.",
    horizon: 31,
    // 13 months for the year-on-year change, plus twelve backtests.
    history: 730,
    ..MOVING_AVERAGE
};

const WEEKLY: Kind = Kind {
    service: "weekly-forecast",
    method: Method::Weekly,
    methods: |method| method == Method::Weekly,
    choose: "This service has one method: weekly.",
    horizon: 28,
    ..MOVING_AVERAGE
};

const ADVANCED: Kind = Kind {
    service: "advanced-forecast",
    method: Method::Advanced,
    methods: |_| true,
    choose: "There is no method of this name.",
    horizon: 28,
    events: true,
    ..MOVING_AVERAGE
};

forecast_calculations! {
    MovingAverage = "moving-average", "Moving average",
        "How much of each item will a store use a day, by the mean of its last four weeks?", None, MOVING_AVERAGE;
    DailyMovingAverage = "daily-moving-average", "Daily moving average",
        "How much will it use on each weekday, by the mean of the same weekday in the last eight weeks?", None, DAILY;
    W3pMovingAverage = "w3p-root-item-moving-average", "W3P root item moving average",
        "How much of each root item will a store use a day, by what its W3P tills sold?", None, W3P;
    Monthly = "monthly-forecast", "Monthly forecast",
        "How much will a store use over the next month, with the change against the year before?", None, MONTHLY;
    Weekly = "weekly-forecast", "Weekly forecast",
        "How much will a store use in the coming weeks, by its last four whole weeks?", None, WEEKLY;
    Advanced = "advanced-forecast", "Advanced forecast",
        "How much will a store use each day, by the method that proved best for each item, with paydays and holidays?",
        Some(Schedule::daily(2, 30)), ADVANCED;
}

/// A forecast service by name.
///
/// # Errors
/// 404.
pub(super) fn of(service: &str) -> ApiResult<Kind> {
    let found = ALL.iter().find(|kind| kind.service == service);
    found.copied().ok_or_else(|| ApiError::not_found("forecast"))
}
