//! One method on one series at every cut-off.

use std::time::{Duration, Instant};

use larder_planning::demand::Series;
use larder_planning::errors::{Scale, Tally, coverage};
use larder_planning::method::{Input, Method, Workspace, forecast};
use larder_planning::outlook::{Ask, outlook};
use larder_planning::rolling::cuts;
use larder_planning::select::Class;
use larder_planning::short::History;

const HISTORY: usize = 365;
const HORIZON: usize = 14;
const CUTS: usize = 26;
const STEP: usize = 7;

pub const GROUPS: [&str; 3] = ["dense", "intermittent", "short"];

/// Sums over the series of one group.
#[derive(Default)]
pub struct Group {
    series: usize,
    mase: [f64; 2],
    all: Tally,
    /// For each forecast, the share of days within its interval.
    inside: Vec<f64>,
    took: Vec<Duration>,
    refused: u32,
}

impl Group {
    pub const HEAD: &str = " MASE7 MASE14 WAPE14  bias14  in80   n       ms refused";

    pub fn line(&self) -> String {
        let n = self.series as f64;
        let all = self.all.errors();
        let mut took = self.took.clone();
        took.sort_unstable();
        format!(
            "{:6.4} {:6.4} {:6.4} {:7.3} {:5.1} {:3} {:8.4} {:7}",
            self.mase[0] / n,
            self.mase[1] / n,
            all.wape.unwrap_or(f64::NAN),
            all.bias.unwrap_or(f64::NAN),
            100.0 * self.inside.iter().sum::<f64>() / self.inside.len() as f64,
            self.series,
            took.get(took.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1000.0,
            self.refused,
        )
    }
}

pub fn whole<'a>(series: &Series<'a>) -> Input<'a> {
    Input { masked: series.masked, ..Input::new(series.y, series.first_day) }
}

/// The index in [`GROUPS`] of a series' class before the first cut-off; `None` without a known day there.
pub fn group_of(whole: &Input<'_>) -> Option<usize> {
    let cut = whole.y.len().checked_sub(HORIZON + (CUTS - 1) * STEP)?;
    let before = whole.until(cut).last(HISTORY);
    if before.y.is_empty() {
        return None;
    }
    Some(match (History::of(before.known()), Class::of(&before)) {
        (History::Full, Class::Smooth | Class::Erratic) => 0,
        (History::Full, Class::Intermittent | Class::Lumpy) => 1,
        _ => 2,
    })
}

/// Adds a series to its group.
pub fn measure(method: Method, series: &Series<'_>, groups: &mut [Group; 3]) {
    let whole = whole(series);
    let Some(place) = group_of(&whole) else { return };
    let group = &mut groups[place];
    let mut tallies = [Tally::default(), Tally::default()];
    let mut ws = Workspace::default();
    for cut in cuts(series.y.len(), HORIZON, STEP, CUTS, HORIZON) {
        let input = whole.until(cut).last(HISTORY);
        let scale = Scale::of(input.y, input.masked, 7);
        let (sold, masked) = (&series.y[cut..cut + HORIZON], &series.masked[cut..cut + HORIZON]);
        let started = Instant::now();
        let ahead = if method == Method::Advanced {
            let protect = Some((5, 0.95));
            let ask = Ask { method, horizon: HORIZON, level: 0.8, protect, opening: None };
            outlook(&input, &ask, &mut ws).map(|it| {
                if let Some((lower, upper)) = &it.bounds {
                    group.inside.extend(coverage(sold, masked, lower, upper));
                }
                it.forecast
            })
        } else {
            let mut out = vec![0.0; HORIZON];
            forecast(method, &input, &mut ws, &mut out).map(|()| out)
        };
        group.took.push(started.elapsed());
        let Ok(ahead) = ahead else {
            group.refused += 1;
            continue;
        };
        tallies[0].add(&sold[..7], masked, &ahead[..7], scale);
        tallies[1].add(sold, masked, &ahead, scale);
        group.all.add(sold, masked, &ahead, scale);
    }
    if let [Some(week), Some(both)] = tallies.map(|it| it.errors().mase) {
        group.series += 1;
        group.mase[0] += week;
        group.mase[1] += both;
    }
}
