//! `/tools`.

pub mod import_data;
pub mod import_sales_product;
