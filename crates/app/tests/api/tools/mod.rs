//! The pages under `/tools`.

mod business_day;
pub mod connectors;
pub mod forecast;
pub mod import_data;
pub mod import_sales_product;
pub mod replay;
pub mod root_item_weekly_snapshot;
mod sales_answers;
pub mod sales_cases;
mod sales_families;
pub mod sales_layouts;
mod sales_more;
mod sales_said;
mod sales_shapes;
mod sales_variants;
mod second_file;
pub mod services;
pub mod sold;
mod store_codes;
mod transaction_insights;
