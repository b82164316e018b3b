//! The only reader of sales for planning: what each store used of each root item, day by day.
//!
//! A store-day is *open* when a sale of anything was imported. On an open day an item that did not sell has 0, which is
//! a figure; any other day is *masked*: the store was closed or its sales were not imported, and nobody knows. Masked
//! figures are NaN, as `larder_planning` takes them. A panel costs two queries however many items it has; read it for
//! some stores at a time ([`STORES_AT_ONCE`]), a year of one is about a megabyte.

mod panel;
mod queries;
mod read;

pub use panel::{Panel, Row};
pub use read::Demand;

/// So many stores are read at once.
pub const STORES_AT_ONCE: usize = 4;
/// Days without a sale at the beginning of a store's history from which on an item counts as not yet sold there.
pub const NOT_YET_DAYS: usize = 28;
