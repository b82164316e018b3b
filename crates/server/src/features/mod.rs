//! The pages, in the same tree as their URLs. Features do not import each other.

pub mod apply;
pub mod branch_ops;
pub mod commissary;
pub mod dashboard;
pub mod first_start;
pub mod health;
pub mod history;
pub mod identity;
pub mod kinds;
pub mod lists;
pub mod names;
pub mod notifications;
pub mod products;
pub mod reports;
pub mod sales;
pub mod search;
pub mod stock;
pub mod stores;
pub mod tools;
pub mod users;
