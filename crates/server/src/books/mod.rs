//! The ledgers that several features post to and read. One writer a table.
pub mod counts;
pub mod delivery_calendar;
pub mod sales;
pub mod stock;
pub mod store_items;
