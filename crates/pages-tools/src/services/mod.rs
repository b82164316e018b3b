//! `/tools/services`: the overview and the runs of all services. Results of a service belong to its own
//! feature; this folder has the check for missing sales.

mod coverage;
mod get_sales_api;
mod hub;
mod model;
pub mod ocr;
mod queries;
mod w3p_ingest;
pub mod zreading_ocr;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::calculations::{Calculations, PAGE};
use larder_platform::http::{Routes, routes};

/// The routes of the hub.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(hub::list_services))
        .can(PAGE, View, routes!(hub::list_service_runs))
        .can(PAGE, Edit, routes!(hub::start_service_run))
        .can(PAGE, View, routes!(hub::get_service_run))
        .can(PAGE, Edit, routes!(hub::cancel_service_run))
        .can(PAGE, Edit, routes!(hub::set_service_schedule))
        .can(PAGE, View, routes!(coverage::list_sales_coverage_days))
        .merge(get_sales_api::routes(state))
        .merge(w3p_ingest::routes(state))
}

/// Registers the services of this feature.
#[must_use]
pub fn calculations(calculations: Calculations) -> Calculations {
    calculations.with::<coverage::DailySalesCoverage>()
}
