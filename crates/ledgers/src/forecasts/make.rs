//! Forecasts one series: numbers in, numbers out; the methods are in `larder_planning`.

use larder_planning::Refusal;
use larder_planning::demand::clean_into;
use larder_planning::errors::{Errors, Scale};
use larder_planning::events::EventDays;
use larder_planning::intervals::Residuals;
use larder_planning::method::{Input, Method, Workspace, forecast};
use larder_planning::rolling::Roll;
use larder_planning::select::{Candidate, Class, choose, origins};
use larder_planning::short::{History, OWN_DAYS, Similar, from_similar};

use super::packed::Ahead;

/// Days ahead over which errors are measured, if the horizon is longer.
const MOST_ROLLED: usize = 14;
const SEASON: usize = 7;

/// Parameters for every series of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    pub method: Method,
    /// Forecast horizon in days.
    pub horizon: usize,
    /// Coverage of the interval.
    pub level: f64,
}

/// Event days of a store.
#[derive(Debug, Clone, Default)]
pub struct Days {
    /// Paydays, holidays and promotions, past and future; `None` for methods that ignore them.
    pub events: Option<EventDays>,
    /// Per day ahead, a factor set by a user, or 0 if the store is closed.
    pub set: Vec<Option<f64>>,
}

/// The forecast of a series.
#[derive(Debug, Clone)]
pub struct Made {
    /// The method used; `None` if none was possible.
    pub method: Option<Method>,
    pub class: Option<Class>,
    /// Known days of history, and the number required.
    pub history_days: usize,
    pub need_days: usize,
    pub short_history: bool,
    pub ahead: Ahead,
    /// Over rolling origins within the history.
    pub errors: Errors,
    /// Share of those days within the interval computed without them.
    pub coverage: Option<f64>,
    /// Mean change against the week before.
    pub scale: Option<f64>,
    pub candidates: Vec<Candidate>,
    pub note: Option<String>,
}

/// Sales in similar stores and own scale, for an item with next to no history here.
#[derive(Debug, Clone, Default)]
pub struct Elsewhere {
    pub similar: Vec<Similar>,
    pub own_scale: f64,
}

/// Forecasts the days after `raw`, whose first value is of `first_day` and in which NaN is a masked day.
///
/// # Errors
/// If the history is invalid; too little of it is not an error but reported in [`Made::note`].
pub fn make(
    first_day: i32,
    raw: &[f64],
    days: &Days,
    spec: &Spec,
    elsewhere: impl FnOnce() -> Elsewhere,
    ws: &mut Workspace,
) -> Result<Made, Refusal> {
    let (mut y, mut masked) = (Vec::with_capacity(raw.len()), Vec::with_capacity(raw.len()));
    let skipped = clean_into(raw.iter().copied(), &mut y, &mut masked)?;
    let first_day = first_day.saturating_add(i32::try_from(skipped).unwrap_or(i32::MAX));
    let input = Input { masked: &masked, events: days.events.as_ref(), ..Input::new(&y, first_day) };
    let known = input.known();
    let mut made = match own(&input, spec, ws) {
        Err(Refusal::TooShort { have, need }) => {
            let mut made = short(&input, spec, known, elsewhere, ws)?;
            made.need_days = need;
            let words = Refusal::TooShort { have, need }.to_string();
            made.note = Some(match (&made.method, known >= OWN_DAYS) {
                (Some(_), true) => format!("{words}. Taken from what there is."),
                (Some(_), false) => format!("{words}. Taken from similar stores."),
                (None, _) => words,
            });
            made
        }
        made => made?,
    };
    made.scale = Scale::of(&y, &masked, SEASON).seasonal;
    set(&mut made.ahead, &days.set);
    Ok(made)
}

/// From the item's own history, by the requested method.
fn own(input: &Input<'_>, spec: &Spec, ws: &mut Workspace) -> Result<Made, Refusal> {
    let rolled = spec.horizon.clamp(1, MOST_ROLLED);
    let known = input.known();
    let (method, class, candidates, roll) = if spec.method == Method::Advanced {
        let choice = choose(input, rolled, ws)?;
        (choice.method, choice.class, choice.candidates, choice.roll)
    } else {
        let mut roll = Roll::default();
        roll.run(spec.method, input, origins(input.y.len(), rolled), rolled, ws)?;
        (spec.method, Some(Class::of(input)), Vec::new(), roll)
    };
    let mut ahead = vec![0.0; spec.horizon];
    forecast(method, input, ws, &mut ahead)?;
    let bounds = Residuals::of(&roll, input).map(|residuals| {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        residuals.around(&ahead, spec.level, &mut lower, &mut upper);
        (lower, upper)
    });
    let (lower, upper) = bounds.unzip();
    let history = History::of(known);
    Ok(Made {
        method: Some(method),
        class,
        history_days: known,
        need_days: 0,
        short_history: history.is_short(),
        coverage: lower.as_ref().and_then(|_| covered(&roll, input, spec.level)),
        ahead: Ahead { forecast: ahead, lower, upper },
        errors: roll.errors(input),
        scale: None,
        candidates,
        note: None,
    })
}

/// From a short history, or from similar stores.
fn short(
    input: &Input<'_>,
    spec: &Spec,
    known: usize,
    elsewhere: impl FnOnce() -> Elsewhere,
    ws: &mut Workspace,
) -> Result<Made, Refusal> {
    if let Ok(Some(method)) = History::of(known).method(known) {
        let made = own(input, &Spec { method, ..*spec }, ws)?;
        return Ok(Made { short_history: true, ..made });
    }
    let Elsewhere { similar, own_scale } = elsewhere();
    let rate = from_similar(&similar, own_scale, known).ok().filter(|rate| *rate > 0.0);
    Ok(Made {
        method: rate.map(|_| Method::Mean),
        class: None,
        history_days: known,
        need_days: OWN_DAYS,
        short_history: true,
        ahead: Ahead {
            forecast: rate.map_or_else(Vec::new, |rate| vec![rate; spec.horizon]),
            lower: None,
            upper: None,
        },
        errors: Errors::default(),
        coverage: None,
        scale: None,
        candidates: Vec::new(),
        note: None,
    })
}

/// Share of the rolled days within an interval whose width comes from the other origins.
fn covered(roll: &Roll, input: &Input<'_>, level: f64) -> Option<f64> {
    let (mut within, mut days) = (0_usize, 0_usize);
    for left_out in 0..roll.cuts.len() {
        let others = without(roll, left_out);
        // One origin fewer than intervals require suffices to judge one.
        let widths = widths(&others, input, level);
        let cut = roll.cuts[left_out];
        let said = &roll.forecasts[left_out * roll.horizon..(left_out + 1) * roll.horizon];
        for (step, f) in said.iter().enumerate() {
            let Some(sold) = input.y.get(cut + step) else { continue };
            if input.masked.get(cut + step).copied().unwrap_or(false) {
                continue;
            }
            let Some(half) = widths[step / SEASON] else { continue };
            days += 1;
            within += usize::from((sold - f).abs() <= half || (f - half < 0.0 && *sold <= f + half));
        }
    }
    (days > 0).then(|| within as f64 / days as f64)
}

fn without(roll: &Roll, left_out: usize) -> Roll {
    let mut others = roll.clone();
    others.cuts.remove(left_out);
    others.forecasts.drain(left_out * roll.horizon..(left_out + 1) * roll.horizon);
    others
}

/// Half the interval width per week ahead: the ⌈(N+1)·level⌉-th smallest absolute error.
fn widths(roll: &Roll, input: &Input<'_>, level: f64) -> Vec<Option<f64>> {
    let mut pools = vec![Vec::new(); roll.horizon.div_ceil(SEASON)];
    for (step, error) in roll.residuals(input) {
        pools[step / SEASON].push(error.abs());
    }
    let width = |mut pool: Vec<f64>| {
        pool.sort_unstable_by(f64::total_cmp);
        let place = ((pool.len() + 1) as f64 * level - 1e-9).ceil() as usize;
        pool.get(place.clamp(1, pool.len().max(1)) - 1).copied()
    };
    pools.into_iter().map(width).collect()
}

/// Applies factors set for days ahead.
fn set(ahead: &mut Ahead, set: &[Option<f64>]) {
    for (at, factor) in set.iter().enumerate() {
        let Some(factor) = factor else { continue };
        for figures in [Some(&mut ahead.forecast), ahead.lower.as_mut(), ahead.upper.as_mut()] {
            if let Some(figure) = figures.and_then(|figures| figures.get_mut(at)) {
                *figure *= factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(method: Method) -> Spec {
        Spec { method, horizon: 14, level: 0.8 }
    }

    fn run(raw: &[f64], method: Method, elsewhere: Elsewhere) -> Made {
        make(20_000, raw, &Days::default(), &spec(method), || elsewhere, &mut Workspace::default())
            .expect("made")
    }

    #[test]
    fn a_full_history_has_bounds_errors_and_coverage() {
        let raw: Vec<f64> =
            (0..140).map(|t| [5.0, 6.0, 7.0, 8.0, 12.0, 15.0, 11.0][t % 7] + (t % 5) as f64).collect();
        let made = run(&raw, Method::MovingAverage(28), Elsewhere::default());
        assert_eq!(
            (made.method, made.short_history, made.history_days),
            (Some(Method::MovingAverage(28)), false, 140)
        );
        let coverage = made.coverage.expect("twelve origins");
        assert!((0.6..=1.0).contains(&coverage), "{coverage}");
        assert!(made.ahead.upper.expect("bounds")[0] > made.ahead.forecast[0]);
        assert_eq!((made.errors.origins, made.note), (12, None));
    }

    #[test]
    fn a_short_history_is_reported_and_used() {
        let made = run(&[4.0; 20], Method::MovingAverage(28), Elsewhere::default());
        assert_eq!(
            made.note.as_deref(),
            Some("Not enough history: 20 of 28 days. Taken from what there is.")
        );
        assert_eq!((made.method, made.need_days, made.short_history), (Some(Method::Mean), 28, true));
        assert_eq!(made.ahead.forecast, vec![4.0; 14]);
    }

    #[test]
    fn a_new_item_is_forecast_from_similar_stores_or_not_at_all() {
        let elsewhere =
            Elsewhere { similar: vec![Similar { item_mean: 10.0, scale: 1000.0 }], own_scale: 500.0 };
        let made = run(&[1.0, 2.0], Method::Advanced, elsewhere);
        assert_eq!(made.ahead.forecast, vec![5.0; 14]);
        assert_eq!(made.note.as_deref(), Some("Not enough history: 2 of 7 days. Taken from similar stores."));
        let made = run(&[1.0, 2.0], Method::Advanced, Elsewhere::default());
        assert_eq!((made.method, made.ahead.forecast.len()), (None, 0));
        assert_eq!(made.note.as_deref(), Some("Not enough history: 2 of 7 days"));
    }

    #[test]
    fn closed_days_are_zero_and_set_factors_apply() {
        let days = Days { events: None, set: vec![Some(0.0), None, Some(1.5)] };
        let made = make(
            0,
            &[8.0; 60],
            &days,
            &spec(Method::MovingAverage(7)),
            Elsewhere::default,
            &mut Workspace::default(),
        )
        .expect("made");
        assert_eq!(made.ahead.forecast[..4], [0.0, 8.0, 12.0, 8.0]);
        assert_eq!(made.ahead.upper.expect("bounds")[0], 0.0);
    }
}
