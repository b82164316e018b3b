//! `/stores` over HTTP.

mod locations;
