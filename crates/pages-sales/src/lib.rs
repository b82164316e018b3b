//! `/sales`: till sales and the reports based on them.

pub mod cmsr;
pub mod netsuite;
pub mod tender_report;
pub mod z_reading;

use larder_platform::AppState;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    tender_report::routes(state).merge(cmsr::routes(state)).merge(netsuite::routes(state))
}
