//! Master lists: one engine, one declaration per list.
//!
//! [`engine`] lists, reads, creates, changes, deletes and exports the records of any list; [`catalog`]
//! declares the lists. Adding one takes a declaration there and a table in a migration. Special rules of a
//! list go into its hooks; what needs more than hooks becomes a feature of its own.

pub mod catalog;
pub mod engine;
mod hub;
pub mod imports;

pub use engine::{fold, insert};

use larder_platform::AppState;
use larder_platform::http::guard::Routes;

/// The routes of every list and of the page that links them.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    hub::routes(state).merge(catalog::routes(state))
}
