//! Prices of root items and products, each from a day on, and those that receipts propose.
//!
//! | file | what it does |
//! |---|---|
//! | `products` | prices of products at price levels: written when a product is saved, read for any day |
//! | `proposals` | prices that receipts of supplier goods propose, and what becomes of them |
//! | `read` | reads the prices of root items, for figures of any day |
//! | `write` | writes the prices of a root item, and reads its history |
//!
//! The only writer of its tables. The price of a root item's record is that of today: it follows the history, and the
//! history follows it when the record is saved. Documents copy the price of a product when they are written, so nothing
//! is computed again from those: a price of a product changes no document.

pub mod products;
pub mod proposals;
mod read;
mod write;

pub use read::{all, of};
pub use write::{
    Kept, NewPrice, START, Source, follow, forget, of_item, of_item_on, on, remove, remove_older, set, until,
};
