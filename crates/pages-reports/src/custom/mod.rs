//! `/reports/custom`: the report builder. A question over declared datasets, by rows, columns, figures and filters, is
//! answered as a table, kept, shared and sent by mail.
//!
//! | file | what it does |
//! |---|---|
//! | `definition` | the question, as it is posted, kept and carried by a link |
//! | `fields`, `datasets` | what can be asked of: every field with how it is read and how it adds up |
//! | `plan` | a question held against its dataset and its reader; what is gone |
//! | `load`, `forecast`, `paid`, `queries` | reads facts: kept sums and books where they hold them, else grouped by the database |
//! | `names`, `keys` | what keys are called; values by small numbers |
//! | `pivot`, `table`, `answer` | facts into cells, cells into rows, columns and totals |
//! | `run` | answers at once, or by a job |
//! | `sheet`, `drawing` | the table as a file; what of it a picture shows |
//! | `ask`, `saved`, `sends`, `model` | routes and their shapes |
//! | `kept_queries` | the tables of saved reports, schedules and sends |
//!
//! Figures are those of the reader: rights and stores are asked anew whenever a table is made, whoever made the report.

mod answer;
mod ask;
mod datasets;
mod definition;
mod drawing;
mod fields;
mod forecast;
mod kept_queries;
mod keys;
mod load;
mod model;
mod names;
mod paid;
mod pivot;
mod plan;
mod queries;
mod run;
mod saved;
mod sends;
mod sheet;

mod table;

use larder_domain::Action::{Create, Delete, Edit, Export, View};

use larder_engines::reports::PAGE;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Routes, routes};
use larder_platform::jobs::JobKinds;

pub use sends::follow;

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(ask::list_custom_datasets))
        .can(PAGE, View, routes!(ask::list_custom_values))
        .can(PAGE, View, routes!(ask::preview_custom_report))
        .can(PAGE, Export, routes!(ask::export_custom_definition))
        .can(PAGE, Edit, routes!(sends::list_custom_people))
        .can(PAGE, View, routes!(saved::list_custom_reports))
        .can(PAGE, Create, routes!(saved::create_custom_report))
        .can(PAGE, View, routes!(saved::get_custom_report))
        .can(PAGE, Edit, routes!(saved::update_custom_report))
        .can(PAGE, Delete, routes!(saved::delete_custom_report))
        .can(PAGE, Delete, routes!(saved::restore_custom_report))
        .can(PAGE, View, routes!(saved::run_custom_report))
        .can(PAGE, Export, routes!(saved::export_custom_report))
        .can(PAGE, Edit, routes!(sends::put_custom_schedule))
        .can(PAGE, View, routes!(sends::test_custom_report))
        .can(PAGE, View, routes!(sends::list_custom_sends))
}

/// The background work of this page.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(run::JOB, run::work).with_long(sends::JOB, sends::make)
}

/// Queues the letters that are due now, as the server does every half minute. Answers how many.
///
/// # Errors
/// When the database does not answer.
#[expect(
    clippy::manual_async_fn,
    reason = "a public `async fn` is generated in the unit tests, too, with all it reaches"
)]
pub fn send_due(state: &AppState) -> impl Future<Output = ApiResult<usize>> + Send + '_ {
    async move { sends::start_due(state).await }
}
