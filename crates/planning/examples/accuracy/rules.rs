//! Rules of choice as the advanced forecast has one: a default, and another method where it was clearly better. The
//! product's own constants are one of the rules; the others are what it could have been.

use std::ops::Range;

use larder_planning::intervals::Residuals;
use larder_planning::method::{Input, Method};
use larder_planning::rolling::Roll;
use larder_planning::select::Class;

use crate::LEVEL;
use crate::trial::Tried;

/// Days between two origins.
pub const APART: [usize; 2] = [3, 7];
/// Maximum WAPE of another method relative to the default's; 0 keeps the default, 1 takes the best of the trials.
pub const CLEARLY: [f64; 4] = [0.0, 0.8, 0.9, 1.0];

#[derive(Debug, Clone, Copy)]
pub struct Rule<'a> {
    pub default: &'a str,
    pub clearly: f64,
    /// Index in [`APART`].
    pub apart: usize,
}

impl Rule<'_> {
    pub fn name(self) -> String {
        format!("{}/{}/{}", self.default, self.clearly, APART[self.apart])
    }

    /// The constants of the product.
    pub fn of_product(class: Class) -> Self {
        let default = match class {
            Class::Smooth | Class::Erratic => "dow_level_0.05+ets_ANA",
            Class::Intermittent | Class::Lumpy => "dow_level_0.05",
        };
        Rule { default, clearly: 0.8, apart: 0 }
    }
}

/// Forecast and 80% interval by a rule, as [`larder_planning::outlook`] makes them; `None` where the default refuses.
pub fn by_rule(rule: Rule<'_>, class: Class, tried: &[Tried], input: &Input<'_>) -> Option<Chosen> {
    let named =
        |name: &str| tried.iter().find(|it| it.name == name).filter(|it| it.rolls[rule.apart].is_some());
    let default = named(rule.default)?;
    let mut compared = vec![default];
    for method in class.methods() {
        let name = match method {
            Method::Combined => "dow_level_0.05+ets_ANA".to_owned(),
            other => other.to_string(),
        };
        compared.extend(named(&name).filter(|it| it.name != rule.default));
    }
    let rolls: Vec<&Roll> = compared.iter().filter_map(|it| it.rolls[rule.apart].as_ref()).collect();
    let count = rolls[0].cuts.len();
    let same = |roll: &&Roll| roll.cuts == rolls[0].cuts;
    if !rolls.iter().all(same) {
        return None;
    }
    // Each half of the trials by the method that the other half would choose, as the product does.
    let (newer, older) = (0..count / 2, count / 2..count);
    let horizon = rolls[0].horizon;
    let mut shown = Roll { horizon, cuts: rolls[0].cuts.clone(), forecasts: Vec::new() };
    for (half, other) in [(newer.clone(), older.clone()), (older, newer)] {
        let chosen = rolls[best(&rolls, rule.clearly, other, input)];
        shown.forecasts.extend_from_slice(&chosen.forecasts[half.start * horizon..half.end * horizon]);
    }
    let ahead = compared[best(&rolls, rule.clearly, 0..count, input)].ahead.clone();
    Some(Chosen { bounds: bounds(&shown, input, &ahead), ahead })
}

pub struct Chosen {
    pub ahead: Vec<f64>,
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
}

/// The interval around a forecast by the errors of its trials.
pub fn bounds(roll: &Roll, input: &Input<'_>, ahead: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let residuals = Residuals::of(roll, input)?;
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    residuals.around(ahead, LEVEL, &mut lower, &mut upper);
    Some((lower, upper))
}

fn best(rolls: &[&Roll], clearly: f64, origins: Range<usize>, input: &Input<'_>) -> usize {
    let (mut chosen, mut bar) = (0, None);
    for (at, roll) in rolls.iter().enumerate() {
        let Some(wape) = roll.wape(origins.clone(), input) else { continue };
        if at == 0 {
            bar = Some(wape * clearly);
        } else if bar.is_some_and(|most| wape <= most) {
            (chosen, bar) = (at, Some(wape));
        }
    }
    chosen
}
