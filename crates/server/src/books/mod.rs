//! The ledgers that several features post to and read. One writer a table.
pub mod sales;
pub mod stock;
