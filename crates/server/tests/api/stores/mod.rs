//! `/stores` over HTTP.

mod count;
pub mod inventory;
mod locations;
