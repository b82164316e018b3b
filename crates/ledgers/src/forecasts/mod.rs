//! The book of forecasts: what runs said of each store and root item, what people said instead, and the days that are not
//! like others. The only writer of `forecast_runs`, `forecast_series`, `forecast_overrides` and `forecast_events`.
//!
//! | file | what it does |
//! |---|---|
//! | `make` | one series into a forecast with interval, errors and method: numbers only |
//! | `night` | what a run needs to know of all stores before it begins with the first |
//! | `runs` | runs: begun, finished, pruned, found |
//! | `series` | the series of runs, written and read |
//! | `packed` | forecast and bounds in a few bytes |
//! | `events` | paydays, holidays, promotions, closures: known, entered, and what they did to sales |
//! | `overrides` | what people know better |
//! | `accuracy` | what was forecast, held against what then happened |
//! | `tally` | adds errors up |
//!
//! A series of a run is never changed: what was said stays, so that it can be held against what then happened.

pub mod accuracy;
pub mod events;
pub mod make;
pub mod night;
pub mod overrides;
pub mod packed;
pub mod runs;
pub mod series;
mod tally;

/// Counts changes of the methods that make the same history give other figures.
pub const VERSION: &str = "1";
