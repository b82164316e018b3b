//! `/stores` over HTTP.

mod count;
pub mod inventory;
mod ledger;
mod locations;
