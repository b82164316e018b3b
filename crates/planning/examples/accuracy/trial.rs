//! All methods and rules at the cut-offs of one series.

use std::time::{Duration, Instant};

use larder_planning::demand::Series;
use larder_planning::errors::Scale;
use larder_planning::intervals::ORIGINS;
use larder_planning::method::{Input, Method, Workspace, forecast};
use larder_planning::outlook::{Ask, outlook};
use larder_planning::rolling::{Roll, cuts, step_for};
use larder_planning::select::Class;
use larder_planning::short::WEEKDAY_DAYS;

use crate::halves::{Part, class_of, history, title};
use crate::rules::{APART, CLEARLY, Rule, bounds, by_rule};
use crate::tally::{Forecast, Key, Table};
use crate::{HORIZON, LEVEL};

/// Single methods, and whether a rule may have them as its default. Those that choose among models themselves are shown
/// alone, and for dense series: a night of forecasts has no time for them.
const METHODS: [(&str, bool); 23] = [
    ("snaive", true),
    ("hist_avg", true),
    ("sma28", true),
    ("swa_4", true),
    ("dow_ma", true),
    ("dow_ma_weighted", true),
    ("dow_level_0.02", true),
    ("dow_level_0.05", true),
    ("dow_level_0.1", true),
    ("dow_level_0.2", true),
    ("ses_opt", true),
    ("seas_es_0.1", true),
    ("weekly", true),
    ("croston", true),
    ("sba", true),
    ("tsb_0.1_0.1", true),
    ("adida", true),
    ("imapa", true),
    ("ets_ANA", true),
    ("dotm", true),
    ("auto_ets", false),
    ("auto_theta", false),
    ("mstl_ets", false),
];
/// Means of several methods: FORECAST's default of dense series first.
const MEANS: [&[&str]; 11] = [
    &["dow_ma", "ets_ANA", "dotm"],
    &["dow_level_0.02", "ets_ANA"],
    &["dow_level_0.05", "ets_ANA"],
    &["dow_level_0.1", "ets_ANA"],
    &["dow_level_0.2", "ets_ANA"],
    &["dow_level_0.05", "ets_ANA", "dotm"],
    &["dow_ma", "ets_ANA"],
    &["ets_ANA", "dotm"],
    &["dow_level_0.05", "dow_ma"],
    &["dow_level_0.05", "tsb_0.1_0.1"],
    &["tsb_0.1_0.1", "sba"],
];

/// A method at one cut-off.
pub struct Tried {
    pub name: String,
    pub as_default: bool,
    pub ahead: Vec<f64>,
    /// Its forecasts at earlier origins, for each of [`APART`]; `None` where it refuses one.
    pub rolls: [Option<Roll>; APART.len()],
    took: Option<Duration>,
}

/// Adds the forecasts at the cut-offs of a part.
pub fn of_series(
    part: Part,
    series: &Series<'_>,
    table: &mut Table,
    ws: &mut Workspace,
) -> Result<(), String> {
    for cut in part.cuts(series.y.len()) {
        let input = history(series, cut);
        let Some(class) = class_of(&input) else { continue };
        let days = cut..cut + HORIZON;
        let at = Cut {
            part,
            class,
            sold: &series.y[days.clone()],
            masked: &series.masked[days],
            scale: Scale::of(input.y, input.masked, input.season),
        };
        let tried = try_all(&at, &input, table, ws);
        for it in &tried {
            let limits = it.rolls[0].as_ref().and_then(|roll| bounds(roll, &input, &it.ahead));
            table.add(at.key("method", it.name.clone()), &at.forecast(&it.ahead, limits, it.took));
        }
        for default in tried.iter().filter(|it| it.as_default).map(|it| it.name.as_str()) {
            for clearly in CLEARLY {
                for apart in 0..APART.len() {
                    let rule = Rule { default, clearly, apart };
                    if let Some(chosen) = by_rule(rule, class, &tried, &input) {
                        let found = at.forecast(&chosen.ahead, chosen.bounds, None);
                        table.add(at.key("rule", rule.name()), &found);
                    }
                }
            }
        }
        product(&at, &input, &tried, table, ws)?;
    }
    table.end_series();
    Ok(())
}

/// The advanced forecast itself, which must be what its constants as a rule give.
fn product(
    at: &Cut<'_>,
    input: &Input<'_>,
    tried: &[Tried],
    table: &mut Table,
    ws: &mut Workspace,
) -> Result<(), String> {
    let protect = Some((5, 0.95));
    let ask = Ask { method: Method::Advanced, horizon: HORIZON, level: LEVEL, protect, opening: None };
    let started = Instant::now();
    let found = outlook(input, &ask, ws).map_err(|why| why.to_string())?;
    let took = Some(started.elapsed());
    let rule = Rule::of_product(at.class);
    let same = by_rule(rule, at.class, tried, input)
        .is_some_and(|it| near(&it.ahead, &found.forecast) && same_bounds(&it.bounds, &found.bounds));
    if !same {
        return Err(format!("The advanced forecast is not the rule {}.", rule.name()));
    }
    table.add(at.key("product", "advanced".into()), &at.forecast(&found.forecast, found.bounds, took));
    Ok(())
}

type Bounds = Option<(Vec<f64>, Vec<f64>)>;

fn same_bounds(a: &Bounds, b: &Bounds) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => near(&a.0, &b.0) && near(&a.1, &b.1),
        (None, None) => true,
        _ => false,
    }
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0))
}

/// A cut-off with what was sold after it.
struct Cut<'a> {
    part: Part,
    class: Class,
    sold: &'a [f64],
    masked: &'a [bool],
    scale: Scale,
}

impl<'a> Cut<'a> {
    fn key(&self, kind: &'static str, name: String) -> Key {
        (self.part, title(self.class), kind, name)
    }

    fn forecast(&self, ahead: &'a [f64], bounds: Bounds, took: Option<Duration>) -> Forecast<'a> {
        Forecast { sold: self.sold, masked: self.masked, scale: self.scale, ahead, bounds, took }
    }
}

fn try_all(at: &Cut<'_>, input: &Input<'_>, table: &mut Table, ws: &mut Workspace) -> Vec<Tried> {
    let mut tried: Vec<Tried> = Vec::new();
    for (name, as_default) in METHODS {
        let Some(method) = Method::parse(name).filter(|_| as_default || title(at.class) == "dense") else {
            continue;
        };
        let mut ahead = vec![0.0; HORIZON];
        let started = Instant::now();
        let done = forecast(method, input, ws, &mut ahead);
        let took = Some(started.elapsed());
        if done.is_err() {
            table.refuse(at.key("method", name.to_owned()));
            continue;
        }
        // Only rules need the second spacing.
        let spacings = if as_default { APART.len() } else { 1 };
        let rolls = std::array::from_fn(|nth| {
            (nth < spacings).then(|| rolled(method, input, APART[nth], ws)).flatten()
        });
        tried.push(Tried { name: name.to_owned(), as_default, ahead, rolls, took });
    }
    for names in MEANS {
        let parts: Vec<&Tried> = tried.iter().filter(|it| names.contains(&it.name.as_str())).collect();
        if parts.len() == names.len() {
            let mean = mean_of(&parts);
            tried.push(mean);
        }
    }
    tried
}

fn rolled(method: Method, input: &Input<'_>, apart: usize, ws: &mut Workspace) -> Option<Roll> {
    let n = input.y.len();
    let (step, least) = match step_for(n, HORIZON, ORIGINS, WEEKDAY_DAYS, apart) {
        0 => (1, 7),
        step => (step, WEEKDAY_DAYS),
    };
    let mut roll = Roll::default();
    roll.run(method, input, cuts(n, HORIZON, step, ORIGINS, least), HORIZON, ws).ok()?;
    Some(roll)
}

fn mean_of(parts: &[&Tried]) -> Tried {
    let names: Vec<&str> = parts.iter().map(|it| it.name.as_str()).collect();
    let mean = |of: &[&[f64]]| {
        (0..of[0].len()).map(|t| of.iter().map(|it| it[t]).sum::<f64>() / of.len() as f64).collect()
    };
    let rolls = std::array::from_fn(|nth| {
        let rolls = parts.iter().map(|it| it.rolls[nth].as_ref()).collect::<Option<Vec<&Roll>>>()?;
        let forecasts: Vec<&[f64]> = rolls.iter().map(|it| it.forecasts.as_slice()).collect();
        Some(Roll { horizon: HORIZON, cuts: rolls[0].cuts.clone(), forecasts: mean(&forecasts) })
    });
    let ahead: Vec<&[f64]> = parts.iter().map(|it| it.ahead.as_slice()).collect();
    let took = parts.iter().filter_map(|it| it.took).sum();
    Tried { name: names.join("+"), as_default: true, ahead: mean(&ahead), rolls, took: Some(took) }
}
