//! `/tools/transaction-insights`: what tickets say. Average ticket, when people come, what they buy together; by store
//! and part of the day, against another range. A small question is answered at once, a large one by a job whose answer
//! is kept for a week.
//!
//! | file | what it does |
//! |---|---|
//! | `question` | what is asked beside range and stores, and what two questions have in common |
//! | `sums` | tickets added up by store, hour and part of the day |
//! | `together` | what is bought together, in names and shares |
//! | `reckon` | reads the tickets and makes the answer |
//! | `report` | the page and its files |
//! | `work` | the job of a large question, and what is kept |
//! | `model` | wire shapes |

mod model;
mod queries;
mod question;
mod reckon;
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

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    report::<report::TransactionInsightsReport>(state)
        .merge(Routes::new(state).can(PAGE, View, routes!(work::work_out_transaction_insights)))
        .merge(Routes::new(state).can(PAGE, View, routes!(work::list_kept_transaction_insights)))
}

/// The work that answers large questions.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(work::JOB, work::run)
}
