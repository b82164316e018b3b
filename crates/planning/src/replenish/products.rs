//! From a need of a root item to packs of the products that contain it.

use super::{SLACK, at_least_nothing, packs_down, packs_up};
use crate::Refusal;

/// A product that supplies a root item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Source<'a> {
    pub product: &'a str,
    /// Root units per base unit of the product.
    pub factor: f64,
    /// Base units per pack.
    pub pack: f64,
    /// Maximum available packs; `None` if unknown.
    pub most: Option<u64>,
}

impl Source<'_> {
    fn root_units(&self) -> f64 {
        self.factor * self.pack
    }

    /// Packs that cover a need, limited by availability and room.
    fn take(&self, need: f64, room: f64) -> u64 {
        let wanted = packs_up(need, self.root_units()).min(packs_down(room, self.root_units())) as u64;
        wanted.min(self.most.unwrap_or(u64::MAX))
    }
}

/// The split over products.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// In the order of the sources.
    pub packs: Vec<u64>,
    /// Root units of the need that are not covered: packs were not available, or exceeded the limit.
    pub uncovered: f64,
}

/// Everything from the first source, the remainder from the next, and so on. `room`: maximum in root units, such as
/// what can be sold within the shelf life.
///
/// # Errors
/// A need, a factor or a pack that is NaN or, for the last two, not positive.
pub fn by_priority(need: f64, sources: &[Source<'_>], room: Option<f64>) -> Result<Shares, Refusal> {
    let mut room = check(need, sources, room)?;
    let mut open = need;
    let packs = sources
        .iter()
        .map(|source| {
            let packs = source.take(open, room);
            let given = packs as f64 * source.root_units();
            (open, room) = ((open - given).max(0.0), (room - given).max(0.0));
            packs
        })
        .collect();
    Ok(Shares { packs, uncovered: settled(open, need) })
}

/// From each source its percentage of the need, rounded down to packs; then pack by pack from the source furthest below
/// its percentage, in root units (tie: the product), until the need is covered.
///
/// # Errors
/// As [`by_priority`]; percentages that are negative, or do not add up to 100.
pub fn by_percent(need: f64, sources: &[(Source<'_>, f64)], room: Option<f64>) -> Result<Shares, Refusal> {
    let plain: Vec<Source<'_>> = sources.iter().map(|(source, _)| *source).collect();
    let mut room = check(need, &plain, room)?;
    let together: f64 = sources.iter().map(|(_, percent)| percent).sum();
    if !sources.iter().all(|(_, percent)| at_least_nothing(*percent)) || (together - 100.0).abs() > 1e-6 {
        return Err(Refusal::Invalid("The percentages have to be 100 together."));
    }
    let mut open = need;
    let mut packs: Vec<u64> = sources
        .iter()
        .map(|(source, percent)| {
            let share = (need * percent / 100.0).min(open);
            let packs = source.take(packs_down(share, source.root_units()) * source.root_units(), room);
            let given = packs as f64 * source.root_units();
            (open, room) = ((open - given).max(0.0), (room - given).max(0.0));
            packs
        })
        .collect();
    while settled(open, need) > 0.0 {
        let below = |at: usize| need * sources[at].1 / 100.0 - packs[at] as f64 * plain[at].root_units();
        let next = (0..sources.len())
            .filter(|at| sources[*at].1 > 0.0 && packs[*at] < plain[*at].most.unwrap_or(u64::MAX))
            .filter(|at| plain[*at].root_units() <= room * (1.0 + SLACK))
            .max_by(|a, b| {
                below(*a).total_cmp(&below(*b)).then_with(|| plain[*b].product.cmp(plain[*a].product))
            });
        let Some(next) = next else { break };
        packs[next] += 1;
        let given = plain[next].root_units();
        (open, room) = ((open - given).max(0.0), (room - given).max(0.0));
    }
    Ok(Shares { packs, uncovered: settled(open, need) })
}

/// Zero, where only a rounding error of a need remains.
fn settled(open: f64, need: f64) -> f64 {
    if open <= SLACK * need { 0.0 } else { open }
}

fn check(need: f64, sources: &[Source<'_>], room: Option<f64>) -> Result<f64, Refusal> {
    let room = room.unwrap_or(f64::INFINITY);
    if !at_least_nothing(need) || room.is_nan() {
        return Err(Refusal::Invalid("The need is not a number, or below nothing."));
    }
    let sound = |figure: f64| figure.is_finite() && figure > 0.0;
    if !sources.iter().all(|source| sound(source.factor) && sound(source.pack) && sound(source.root_units()))
    {
        return Err(Refusal::Invalid("A conversion or a pack has to be above nothing."));
    }
    if sources.iter().any(|source| need / source.root_units() > 1e6) {
        return Err(Refusal::Invalid("The need is more than a million packs."));
    }
    Ok(room.max(0.0))
}
