//! `/sales`: what the tills say, and what follows from it.

pub mod cmsr;
pub mod netsuite;
pub mod tender_report;
pub mod z_reading;

use larder_platform::AppState;
use larder_platform::http::guard::Routes;

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    tender_report::routes(state).merge(cmsr::routes(state)).merge(netsuite::routes(state))
}
