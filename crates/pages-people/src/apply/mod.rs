//! `/apply`: asking for access, without being signed in. The answer never tells who is known here.

mod model;
mod queries;
mod routes;

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).public("whoever applies has no account yet", routes!(routes::apply_for_access))
}
