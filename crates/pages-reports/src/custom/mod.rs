//! `/reports/custom`: the report builder. A definition over a dataset, with rows, columns, measures and
//! filters, is run as a table, saved, shared and sent by email.
//!
//! | file | what it does |
//! |---|---|
//! | `definition` | the definition, as posted, saved and carried in links |
//! | `fields`, `datasets` | the fields that can be queried, with their source and aggregation |
//! | `plan` | a definition resolved for its dataset and reader; fields that are gone |
//! | `load`, `forecast`, `paid`, `queries` | reads facts: from stored sums and ledgers, else grouped by the database |
//! | `names`, `keys` | names of keys; interned values |
//! | `pivot`, `table`, `order`, `answer` | facts to cells, cells to rows, columns and totals; the order of rows |
//! | `run` | runs synchronously or as a job |
//! | `file`, `sheet`, `drawing` | the table as a file, its columns and cells; the table as a chart |
//! | `ask`, `saved`, `sends`, `model` | routes and their types |
//! | `kept_queries` | queries of saved reports, schedules and sends |
//!
//! Figures depend on the reader: each time a table is made, the reader's permissions and stores apply, not the
//! owner's.

mod answer;
mod ask;
mod datasets;
mod definition;
mod drawing;
mod fields;
mod file;
mod forecast;
mod kept_queries;
mod keys;
mod left_out;
mod load;
mod model;
mod names;
mod order;
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

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(run::JOB, run::work).with_long(sends::JOB, sends::make)
}

/// Queues the emails due now; the server does this every 30 seconds. Returns how many.
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
