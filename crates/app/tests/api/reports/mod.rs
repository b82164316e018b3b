//! The reports: against plain counts, and over sales that were imported through the front door.

mod counts;
mod custom;
mod custom_tenders;
mod figures;
mod product_sales_by_store;
mod proof;
pub mod root_item_movement;
mod sales_by_root_items;
mod smbcd;
mod stores;
mod weekly_root_item_sales;
