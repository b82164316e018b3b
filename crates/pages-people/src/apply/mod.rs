//! `/apply`: access requests, without signing in. The response never reveals whether an address is known.

mod model;
mod routes;

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).public("applicants have no account yet", routes!(routes::apply_for_access))
}
