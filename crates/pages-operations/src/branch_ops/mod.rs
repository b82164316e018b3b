//! `/branch-ops`: one store's open tasks today, and its sales.

mod model;
mod queries;
mod sales;
mod today;

use larder_domain::Action::View;

use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The page whose permission is required.
const PAGE: &str = "apps/branchOps";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, View, routes!(today::get_branch_today)).can(
        PAGE,
        View,
        routes!(sales::get_branch_sales),
    )
}
