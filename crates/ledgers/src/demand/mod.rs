//! The only reader of sales for planning: daily use of root items per store.
//!
//! A store day is *open* if any sale was imported. On an open day an unsold item has 0; any other day is
//! *masked*: the store was closed or its sales were not imported, so the use is unknown. Masked values are
//! NaN, as `larder_planning` expects. A panel takes two queries for any number of items; read some stores at
//! a time ([`STORES_AT_ONCE`]), as a year of one store is about a megabyte.

mod panel;
mod queries;
mod read;

pub use panel::{Panel, Row};
pub use read::Demand;

/// Stores read at once.
pub const STORES_AT_ONCE: usize = 4;
/// An item without a sale in this many first open days of a store counts as not yet sold there.
pub const NOT_YET_DAYS: usize = 28;
