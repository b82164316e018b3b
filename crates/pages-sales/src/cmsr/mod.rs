//! `/sales/cmsr`: a store's certified monthly sales report.
//!
//! | file | what it does |
//! |---|---|
//! | `month` | a store's month: from readings or as certified, and the differences |
//! | `read` | the month, one of its versions, as a file |
//! | `steps` | certify, submit, amend |
//! | `days` | days closed or corrected |
//! | `year` | overview of all stores and months |
//! | `layouts` | print layouts by lessor |

mod days;
mod layouts;
mod model;
mod month;
mod queries;
mod read;
mod steps;
mod year;

use larder_db::Actor;
use larder_domain::Action::{Approve, Edit, Export, Post, View};
use larder_domain::BusinessDay;

use larder_platform::AppState;
use larder_platform::http::ApiResult;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The page whose permission is required.
const PAGE: &str = "sales/cmsr";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(read::get_cmsr))
        .can(PAGE, View, routes!(read::get_cmsr_version))
        .can(PAGE, Export, routes!(read::export_cmsr))
        .can(PAGE, View, routes!(year::get_cmsr_year))
        .can(PAGE, Edit, routes!(days::set_cmsr_day))
        .can(PAGE, Approve, routes!(steps::certify_cmsr))
        .can(PAGE, Post, routes!(steps::submit_cmsr))
        .can(PAGE, Approve, routes!(steps::amend_cmsr))
        .can(PAGE, View, routes!(layouts::get_cmsr_layout))
        .can(PAGE, Edit, routes!(layouts::set_cmsr_layout))
}

/// An action on a month.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// Name and position of the certifier.
    Certify(&'a str, &'a str),
    Submit,
    /// The reason.
    Amend(&'a str),
}

/// Applies an action to a store's month, which begins on `month`.
///
/// # Errors
/// Those of the action.
pub async fn take(
    state: &AppState,
    actor: &Actor,
    (store_id, month): (&str, BusinessDay),
    step: Step<'_>,
) -> ApiResult<()> {
    let store = month::store(&state.db, store_id).await?;
    let at = (&store, month);
    match step {
        Step::Certify(name, position) => steps::certify_month(state, actor, at, (name, position)).await,
        Step::Submit => steps::submit_month(state, actor, at).await,
        Step::Amend(reason) => steps::amend_month(state, actor, at, reason).await,
    }
}
