//! The reports: against plain counts, and over sales that were imported through the front door.

mod counts;
mod custom;
mod figures;
mod product_sales_by_store;
pub mod root_item_movement;
mod sales_by_root_items;
mod smbcd;
mod weekly_root_item_sales;
