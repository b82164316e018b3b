//! Prices of root items, each from a day on, and those that receipts propose.
//!
//! | file | what it does |
//! |---|---|
//! | `proposals` | prices that receipts of supplier goods propose, and what becomes of them |
//! | `read` | reads the prices of root items, for figures of any day |
//! | `write` | writes the prices of a root item, and reads its history |
//!
//! The only writer of its tables. The price of a root item's record is that of today: it follows the history, and the
//! history follows it when the record is saved.

pub mod proposals;
mod read;
mod write;

pub use read::{all, of};
pub use write::{
    Kept, NewPrice, START, Source, follow, forget, of_item, of_item_on, on, remove, remove_older, set, until,
};
