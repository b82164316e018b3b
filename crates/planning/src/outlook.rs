//! The outlook of one series: forecast, interval, safety stock, and accuracy of the method.

use crate::Refusal;
use crate::errors::Errors;
use crate::intervals::{Residuals, summed_shortfall};
use crate::method::{Input, Method, Workspace, forecast};
use crate::rolling::Roll;
use crate::select::{Choice, choose, origins};
use crate::short::History;

/// Maximum horizon in days for evaluating errors.
pub const MOST_ROLLED: usize = 14;

/// The request for a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ask {
    pub method: Method,
    /// Forecast horizon in days, 1 or more.
    pub horizon: usize,
    /// Share of days within the interval, such as 0.8; above 0 and under 1.
    pub level: f64,
    /// Days whose summed demand is to be met, and the probability: lead and review days, 0.95.
    pub protect: Option<(usize, f64)>,
}

/// The result for a series.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// Mean demand of each day after the history.
    pub forecast: Vec<f64>,
    /// Lower and upper bound of each day; `None` with fewer than twelve earlier forecasts to evaluate.
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    /// Safety stock for the protected days; `None` as above.
    pub shortfall: Option<f64>,
    /// The method used: the chosen one for the advanced forecast.
    pub method: Method,
    /// Why it was chosen, if it was.
    pub choice: Option<Choice>,
    pub history: History,
    /// Errors of the method on this series, over earlier days.
    pub errors: Errors,
}

/// Computes the outlook.
///
/// # Errors
/// [`Refusal::Invalid`] for an `ask` out of range, and refusals of the method.
pub fn outlook(input: &Input<'_>, ask: &Ask, ws: &mut Workspace) -> Result<Outlook, Refusal> {
    if ask.horizon == 0 {
        return Err(Refusal::Invalid("The horizon is at least one day."));
    }
    if !(ask.level > 0.0 && ask.level < 1.0) {
        return Err(Refusal::Invalid("The level is above 0 and under 1."));
    }
    let rolled = ask.horizon.min(MOST_ROLLED).max(ask.protect.map_or(1, |(days, _)| days));
    let (method, roll, choice) = if ask.method == Method::Advanced {
        let mut choice = choose(input, rolled, ws)?;
        (choice.method, std::mem::take(&mut choice.roll), Some(choice))
    } else {
        let mut roll = Roll::default();
        roll.run(ask.method, input, origins(input.y.len(), rolled), rolled, ws)?;
        (ask.method, roll, None)
    };
    let mut ahead = vec![0.0; ask.horizon];
    forecast(method, input, ws, &mut ahead)?;
    let bounds = Residuals::of(&roll, input).map(|residuals| {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        residuals.around(&ahead, ask.level, &mut lower, &mut upper);
        (lower, upper)
    });
    Ok(Outlook {
        bounds,
        shortfall: ask.protect.and_then(|(days, q)| summed_shortfall(&roll, input, days, q)),
        forecast: ahead,
        method,
        choice,
        history: History::of(input.known()),
        errors: roll.errors(input),
    })
}
