//! `/stores/locations`: the stores themselves.
//!
//! A list like the others, with three differences: a person sees the stores in their scope only,
//! inactive stores stay hidden unless asked for, and none is ever deleted. The record and what is
//! written beside it (its tills) are declared in [`larder_lists::catalog`].

use larder_lists::catalog::Location;
use larder_lists::engine::lasting_routes;
use larder_platform::AppState;
use larder_platform::http::guard::Routes;

/// List, read, create, change and export.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    lasting_routes::<Location>(state)
}
