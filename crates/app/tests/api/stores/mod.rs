//! `/stores` over HTTP.

mod a_day;
mod conversions;
mod count;
pub mod inventory;
mod ledger;
mod locations;
mod setup;
