//! One series ahead: forecast, interval, what must be kept for safety, and how good the method was.

use crate::Refusal;
use crate::errors::Errors;
use crate::intervals::{Residuals, summed_shortfall};
use crate::method::{Input, Method, Workspace, forecast};
use crate::rolling::Roll;
use crate::select::{Choice, choose, origins};
use crate::short::History;

/// Days ahead over which errors are looked at where more are asked for.
pub const MOST_ROLLED: usize = 14;

/// What is asked of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ask {
    pub method: Method,
    /// Days ahead, 1 or more.
    pub horizon: usize,
    /// Share of days that fall into the interval, such as 0.8; above 0 and under 1.
    pub level: f64,
    /// Days whose summed demand is to be met, and how likely: lead and review days, 0.95.
    pub protect: Option<(usize, f64)>,
}

/// What is said of it.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// Mean demand of each day after the history.
    pub forecast: Vec<f64>,
    /// Lower and upper bound of each day; `None` where fewer than twelve earlier forecasts can be checked.
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    /// What to keep beside the forecast of the days to be protected; `None` as above.
    pub shortfall: Option<f64>,
    /// The method that made it: the chosen one where the advanced forecast was asked for.
    pub method: Method,
    /// Why it was chosen, where it was.
    pub choice: Option<Choice>,
    pub history: History,
    /// Of the method on this series, over earlier days.
    pub errors: Errors,
}

/// Looks ahead.
///
/// # Errors
/// [`Refusal::Invalid`] for an `ask` out of range, and what the method refuses.
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
