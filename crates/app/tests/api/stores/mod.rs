//! `/stores` over HTTP.

mod conversions;
mod count;
pub mod inventory;
mod ledger;
mod locations;
