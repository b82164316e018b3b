//! `/stores/locations`: the stores.
//!
//! A list like the others, with three differences: users only see stores in their scope, inactive stores are
//! hidden by default, and stores are never deleted. The record and its child records (tills) are declared in
//! [`larder_lists::catalog`].

use larder_lists::catalog::Location;
use larder_lists::engine::lasting_routes;
use larder_platform::AppState;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    lasting_routes::<Location>(state)
}
