//! `/tools/transaction-insights`: analysis of tickets: average ticket, visits by hour, items bought together;
//! by store and daypart, compared with another range. Small queries are answered synchronously, large ones by
//! a job whose result is kept for a week.
//!
//! | file | what it does |
//! |---|---|
//! | `question` | query parameters besides range and stores, and the cache key |
//! | `sums` | ticket totals by store, hour and daypart |
//! | `together` | items bought together, with names and shares |
//! | `compute` | reads the tickets and computes the result |
//! | `report` | the page and its files |
//! | `work` | the job of a large query, and its cached result |
//! | `model` | requests and responses |

mod compute;
mod model;
mod queries;
mod question;
mod report;
mod sums;
mod together;
mod work;

use larder_domain::Action::View;

use larder_engines::reports::routes as report;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;

const PAGE: &str = "tools/transactionInsights";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    report::<report::TransactionInsightsReport>(state)
        .merge(Routes::new(state).can(PAGE, View, routes!(work::work_out_transaction_insights)))
        .merge(Routes::new(state).can(PAGE, View, routes!(work::list_kept_transaction_insights)))
}

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(work::JOB, work::run)
}
