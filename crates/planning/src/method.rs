//! Forecasting methods by name, and their common entry point.

use crate::demand::MOST;
use crate::events::{self, EventDays};
use crate::rolling::Roll;
use crate::simple::{self, DOW_WEEKS, DOW_WEIGHT};
use crate::{Refusal, calendar, combined, fitted, intermittent, select};

/// A forecasting method. Users choose it by name (see [`Method::parse`] and `Display`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// `naive`: the last value.
    Naive,
    /// `rw_drift`: the line through the first and the last value.
    Drift,
    /// `snaive`: the value one season ago.
    SeasonalNaive,
    /// `hist_avg`: the mean of all.
    Mean,
    /// `sma28`: the mean of the last days, here 28.
    MovingAverage(u16),
    /// `swa_4`: the mean of the last values of each day of the season, here four, all required.
    SeasonalAverage(u16),
    /// `dow_ma`: the same with eight, or as many as there are.
    DowAverage,
    /// `dow_ma4`: with this many, or as many as there are.
    DowAverageOf(u16),
    /// `dow_ma_weighted`: newer weeks weigh more.
    DowWeighted,
    /// `dow_level_0.05`: the current level, smoothed with this α, × weekday shares over a year.
    DowLevel(f64),
    /// `ses_0.3`: simple exponential smoothing with this α.
    Ses(f64),
    /// `ses_opt`: α from 0.01 to 0.99 with the least squared error.
    SesOptimised,
    /// `seas_es_0.3`: each day of the season smoothed separately.
    SeasonalSes(f64),
    Croston,
    CrostonOptimised,
    Sba,
    /// `tsb_0.1_0.1`: α of the sizes and of the probability of a sale.
    Tsb(f64, f64),
    Adida,
    Imapa,
    Weekly,
    Monthly,
    /// A model whose parameters are fitted to the history: ETS, theta, MSTL.
    Fitted(fitted::Kind),
    /// `combined`: the mean of several methods (see [`combined`]).
    Combined,
    /// `advanced`: chosen by the class of the series and by past accuracy (see [`select`]).
    Advanced,
}

/// A cleaned history with information on its days.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// One value per day, oldest first, finite.
    pub y: &'a [f64],
    /// Which of them are imputed; empty if none are.
    pub masked: &'a [bool],
    /// The day of `y[0]`, counted from 1970-01-01.
    pub first_day: i32,
    /// Days per season: 7.
    pub season: usize,
    /// Paydays, holidays and promos, past and future; learned and applied for every method.
    pub events: Option<&'a EventDays>,
}

impl<'a> Input<'a> {
    /// A history with weekly seasonality, without masked days and events.
    #[must_use]
    pub fn new(y: &'a [f64], first_day: i32) -> Self {
        Self { y, masked: &[], first_day, season: 7, events: None }
    }

    /// The history before the day at `cut`.
    #[must_use]
    pub fn until(&self, cut: usize) -> Self {
        let masked = &self.masked[..self.masked.len().min(cut)];
        Self { y: &self.y[..self.y.len().min(cut)], masked, ..*self }
    }

    /// The last `days` days.
    #[must_use]
    pub fn last(&self, days: usize) -> Self {
        let from = self.y.len().saturating_sub(days);
        Self {
            y: &self.y[from..],
            masked: self.masked.get(from..).unwrap_or(&[]),
            first_day: self.first_day.saturating_add(from as i32),
            ..*self
        }
    }

    /// Number of days that are not imputed.
    #[must_use]
    pub fn known(&self) -> usize {
        self.y.len() - self.masked.iter().filter(|&&it| it).count()
    }
}

/// Reusable memory of forecasts, one per thread.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) fitted: fitted::Workspace,
    pub(crate) scratch: Vec<f64>,
    pub(crate) parts: Vec<f64>,
    pub(crate) base: Vec<f64>,
    /// Of the methods that are compared.
    pub(crate) rolls: Vec<Roll>,
}

/// Forecasts the demand of the days after the history, one for each value of `out`: never negative, always finite.
///
/// # Errors
/// [`Refusal::TooShort`] where the method needs more history; [`Refusal::Invalid`] for a history with a value that is
/// not finite or above [`MOST`], or a parameter out of range. `out` is then undefined.
pub fn forecast(
    method: Method,
    input: &Input<'_>,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<(), Refusal> {
    let method = match method {
        Method::Advanced => select::choose(input, out.len().clamp(1, 14), ws)?.method,
        _ => method,
    };
    check(method, input)?;
    match input.events {
        Some(days) => {
            let mut base = std::mem::take(&mut ws.base);
            let factors = events::learn(input, days, &mut base);
            let without = Input { y: &base, events: None, ..*input };
            let done = estimate(method, &without, ws, out);
            ws.base = base;
            done?;
            events::apply(&factors, days, input.first_day.saturating_add(input.y.len() as i32), out);
        }
        None => estimate(method, input, ws, out)?,
    }
    for f in out.iter_mut() {
        if !f.is_finite() {
            return Err(Refusal::Invalid("The method gives no figure for this history."));
        }
        *f = f.max(0.0);
    }
    Ok(())
}

/// The method's own estimate, negative where its formula is, without events.
///
/// # Errors
/// As [`forecast`].
pub fn estimate(
    method: Method,
    input: &Input<'_>,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<(), Refusal> {
    let Input { y, season: m, first_day, .. } = *input;
    check(method, input)?;
    let flat = match method {
        Method::Naive => return simple::naive(y, out),
        Method::Drift => return simple::drift(y, out),
        Method::SeasonalNaive => return simple::seasonal_naive(y, m, out),
        Method::SeasonalAverage(k) => return simple::seasonal_average(y, m, k.into(), out),
        Method::DowAverage => return simple::seasonal_weighted(y, m, DOW_WEEKS, 1.0, out),
        Method::DowAverageOf(k) => return simple::seasonal_weighted(y, m, k.into(), 1.0, out),
        Method::DowWeighted => return simple::seasonal_weighted(y, m, DOW_WEEKS, DOW_WEIGHT, out),
        Method::DowLevel(alpha) => return simple::seasonal_level(y, m, alpha, &mut ws.scratch, out),
        Method::SeasonalSes(alpha) => return simple::seasonal_ses(y, m, alpha, out),
        Method::Weekly => return calendar::weekly(y, first_day, out),
        Method::Monthly => return calendar::monthly(y, first_day, out),
        Method::Fitted(kind) => return fitted::forecast(kind, y, m, &mut ws.fitted, out),
        Method::Combined => return combined::forecast(input, ws, out),
        Method::Advanced => {
            let chosen = select::choose(input, out.len().clamp(1, 14), ws)?.method;
            return estimate(chosen, input, ws, out);
        }
        Method::Mean => simple::mean(y),
        Method::MovingAverage(w) => simple::moving_average(y, w.into()),
        Method::Ses(alpha) => simple::ses(y, alpha),
        Method::SesOptimised => simple::ses_optimised(y, (0.01, 0.99)),
        Method::Croston => intermittent::croston(y),
        Method::CrostonOptimised => intermittent::croston_optimised(y, &mut ws.scratch),
        Method::Sba => intermittent::sba(y),
        Method::Tsb(size, chance) => intermittent::tsb(y, size, chance),
        Method::Adida => intermittent::adida(y, &mut ws.scratch),
        Method::Imapa => intermittent::imapa(y, &mut ws.scratch),
    };
    out.fill(flat?);
    Ok(())
}

/// Checks that history and parameters keep every formula finite.
fn check(method: Method, input: &Input<'_>) -> Result<(), Refusal> {
    simple::needs(input.y, 1)?;
    if input.season == 0 {
        return Err(Refusal::Invalid("A season has at least one day."));
    }
    // A loop without early exit is vectorised; NaN is in no range.
    if !input.y.iter().fold(true, |fine, value| fine & (value.abs() <= MOST)) {
        return Err(Refusal::Invalid("A day's quantity is out of range."));
    }
    let in_range = match method {
        Method::MovingAverage(k) | Method::SeasonalAverage(k) | Method::DowAverageOf(k) => k > 0,
        Method::Ses(a) | Method::SeasonalSes(a) | Method::DowLevel(a) => is_share(a),
        Method::Tsb(a, b) => is_share(a) && is_share(b),
        _ => true,
    };
    if in_range { Ok(()) } else { Err(Refusal::Invalid("The method's parameter is out of range.")) }
}

/// Whether it is a valid smoothing parameter.
pub(crate) fn is_share(alpha: f64) -> bool {
    alpha > 0.0 && alpha <= 1.0
}
