//! Ledgers that several features post to and read. Each table has one writer.
pub mod backdating;
pub mod cash;
pub mod count_days;
pub mod counts;
pub mod delivery_calendar;
pub mod demand;
pub mod forecasts;
pub mod leases;
pub mod paid;
pub mod plans;
pub mod readings;
pub mod sales;
pub mod sales_names;
pub mod snapshots;
pub mod stock;
pub mod store_items;
pub mod till_days;
