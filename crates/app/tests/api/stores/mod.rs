//! `/stores` over HTTP.

mod a_day;
mod count;
pub mod inventory;
mod ledger;
mod locations;
