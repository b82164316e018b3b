//! The pages of daily operations: `/stores`, `/commissary`, `/stock`, `/products`, `/branch-ops` and what lists need
//! beside their engine.

pub mod branch_ops;
pub mod commissary;
pub mod lists;
pub mod products;
pub mod stock;
pub mod stores;
