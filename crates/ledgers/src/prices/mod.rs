//! Prices of root items, each from a day on, and those that receipts propose.
//!
//! | file | what it does |
//! |---|---|
//! | `proposals` | prices that receipts of supplier goods propose, and what becomes of them |
//! | `write` | writes the prices of a root item, and reads its history |
//!
//! The only writer of its tables. The price of a root item's record is that of today: it follows the history, and the
//! history follows it when the record is saved.

pub mod proposals;
mod write;

pub use write::{Kept, NewPrice, START, Source, follow, forget, of_item, of_item_on, on, remove, set, until};
