//! The master lists: one engine, one declaration a list.
//!
//! [`engine`] lists, reads, creates, changes, deletes and exports the records of any list;
//! [`catalog`] declares which lists there are. Adding one is a declaration there and its table in a
//! migration. What is special about a list goes into its hooks; what needs more than hooks becomes
//! a feature of its own.

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
