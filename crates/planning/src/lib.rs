//! Forecasts, replenishment, what-if replays and itemset mining: numbers in, numbers out. No IO, no clock, no SQL.
//!
//! Quantities here are `f64`: a forecast is an estimate, and orders are whole packs whose exact size the caller keeps.
//! Days are counted from 1970-01-01 as everywhere in Larder. A day with unknown sales is NaN in the raw series and
//! imputed by [`demand`] before any method sees it.

mod alpha;
pub mod basket;
pub mod calendar;
pub mod combined;
pub mod demand;
pub mod drp;
pub mod errors;
pub mod ets;
pub mod evaluate;
pub mod events;
pub mod fitted;
pub mod intermittent;
pub mod intervals;
pub mod method;
pub mod mstl;
pub mod names;
pub mod optimise;
pub mod outlook;
pub mod replay;
pub mod replenish;
pub mod rolling;
pub mod select;
pub mod short;
pub mod simple;
pub mod supply;
pub mod theta;

/// Why a forecast or a plan was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The series has `have` usable days and the method needs `need`.
    #[error("Not enough history: {have} of {need} days")]
    TooShort { have: usize, need: usize },
    /// A figure that is not finite, negative demand, or out of range; names the problem.
    #[error("{0}")]
    Invalid(&'static str),
}
