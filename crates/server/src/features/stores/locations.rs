//! `/stores/locations`: the stores themselves.
//!
//! A list like the others, with three differences: a person sees the stores in their scope only,
//! inactive stores stay hidden unless asked for, and none is ever deleted. The record and what is
//! written beside it (its tills) are declared in [`crate::lists::catalog`].

use crate::AppState;
use crate::http::guard::Routes;
use crate::lists::catalog::Location;
use crate::lists::engine::lasting_routes;

/// List, read, create, change and export.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    lasting_routes::<Location>(state)
}
