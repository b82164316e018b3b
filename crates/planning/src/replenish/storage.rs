//! Orders that exceed a store's storage: packs come off the lines with the most cover.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{SLACK, at_least_nothing};
use crate::Refusal;

/// An order line that takes up storage of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line<'a> {
    /// Breaks ties: of lines with equal cover the one with the smaller id gives first.
    pub id: &'a str,
    pub position: f64,
    /// Daily usage.
    pub rate: f64,
    /// Whole packs.
    pub quantity: f64,
    pub pack: f64,
    /// Storage per unit: kg of frozen storage, or m³ of dry storage. A line that takes none keeps its packs.
    pub size: f64,
}

/// The order after fitting.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// Per line, in input order.
    pub quantities: Vec<f64>,
    /// Packs removed, per line.
    pub packs_off: Vec<u64>,
    /// Storage the order takes now.
    pub used: f64,
}

/// While the order takes more than `free`: one pack off the line with the most days of cover, (position + quantity) ÷
/// rate; infinite without usage. O(n log n + packs · log n).
///
/// # Errors
/// A figure that is not finite; a pack size of zero; a negative rate, quantity or size.
pub fn fit(lines: &[Line<'_>], free: f64) -> Result<Fitted, Refusal> {
    if free.is_nan() || !lines.iter().all(sound) {
        return Err(Refusal::Invalid("A line's figures are not numbers, or below nothing."));
    }
    // A partial pack is not removed: it cannot be ordered, so the caller put it there for a reason.
    let mut packs: Vec<u64> =
        lines.iter().map(|line| super::packs_down(line.quantity, line.pack) as u64).collect();
    let mut off = vec![0; lines.len()];
    let mut used: f64 = lines.iter().map(|line| line.quantity * line.size).sum();
    let enough = free + SLACK * (1.0 + free.abs());
    let mut longest: BinaryHeap<Candidate<'_>> = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| line.size > 0.0 && packs[*at] > 0)
        .map(|(at, line)| Candidate { at, id: line.id, cover: cover(line, 0) })
        .collect();
    while used > enough
        && let Some(Candidate { at, id, .. }) = longest.pop()
    {
        let line = &lines[at];
        packs[at] -= 1;
        off[at] += 1;
        used -= line.pack * line.size;
        if packs[at] > 0 {
            longest.push(Candidate { at, id, cover: cover(line, off[at]) });
        }
    }
    let quantities: Vec<f64> = lines.iter().zip(&off).map(|(line, off)| left(line, *off)).collect();
    let used = quantities.iter().zip(lines).map(|(quantity, line)| quantity * line.size).sum();
    Ok(Fitted { quantities, packs_off: off, used })
}

fn sound(line: &Line<'_>) -> bool {
    line.position.is_finite()
        && [line.rate, line.quantity, line.size].into_iter().all(at_least_nothing)
        && line.pack.is_finite()
        && line.pack > 0.0
        && line.quantity / line.pack < 1e15
}

fn left(line: &Line<'_>, off: u64) -> f64 {
    (line.quantity - off as f64 * line.pack).max(0.0)
}

fn cover(line: &Line<'_>, off: u64) -> f64 {
    super::cover_days(line.position + left(line, off), line.rate).unwrap_or(f64::INFINITY)
}

struct Candidate<'a> {
    at: usize,
    id: &'a str,
    cover: f64,
}

impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cover
            .total_cmp(&other.cover)
            .then_with(|| other.id.cmp(self.id))
            .then_with(|| other.at.cmp(&self.at))
    }
}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate<'_> {}
