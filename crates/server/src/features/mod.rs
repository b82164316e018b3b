//! The pages, in the same tree as their URLs. Features do not import each other.

pub mod apply;
pub mod first_start;
pub mod health;
pub mod identity;
pub mod names;
pub mod products;
pub mod reports;
pub mod stores;
pub mod tools;
pub mod users;
