//! Reports compared with plain counts, and on sales imported over HTTP.

mod agree;
mod counts;
mod custom;
mod custom_files;
mod custom_steps;
mod custom_tenders;
mod figures;
mod overage;
mod prices;
mod product_sales_by_store;
mod proof;
pub mod root_item_movement;
mod sales_by_root_items;
mod smbcd;
mod stores;
mod weekly_root_item_sales;
