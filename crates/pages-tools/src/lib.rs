//! `/tools`.

pub mod forecast;
pub mod import_data;
pub mod import_sales_product;
pub mod import_sales_product_bq;
pub mod replay;
pub mod root_item_weekly_snapshot;
pub mod services;
pub mod test_api;
pub mod transaction_insights;
