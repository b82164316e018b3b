//! `/stores` over HTTP.

mod count;
mod locations;
