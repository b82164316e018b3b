//! The forecast ledger: forecasts per store and root item, manual overrides, and special days. The only
//! writer of `forecast_runs`, `forecast_series`, `forecast_overrides` and `forecast_events`.
//!
//! | file | what it does |
//! |---|---|
//! | `make` | forecasts one series with interval, errors and method: numbers only |
//! | `night` | figures of all stores that a run needs upfront |
//! | `runs` | runs: begun, finished, pruned, found |
//! | `series` | the series of runs, written and read |
//! | `packed` | compact encoding of forecast and bounds |
//! | `events` | paydays, holidays, promotions, closures, and their effect on sales |
//! | `overrides` | manual overrides |
//! | `accuracy` | forecasts against actual sales |
//! | `tally` | sums of errors |
//!
//! A stored series is never changed, so that it can be compared with what happened.

pub mod accuracy;
pub mod events;
pub mod make;
pub mod night;
pub mod overrides;
pub mod packed;
pub mod runs;
pub mod series;
mod tally;

/// Increment when the methods change so that the same history gives other results.
pub const VERSION: &str = "1";
