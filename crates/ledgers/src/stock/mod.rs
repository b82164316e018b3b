//! The stock book: what came and went, where it lies, and how much of a product there is.
//!
//! | file | what it does |
//! |---|---|
//! | `post` | posts the movements of a document, and reverses them |
//! | `adjust` | posts the difference to a quantity that a user enters |
//! | `places` | where stock can lie: whether a place exists, what it is called |
//! | `lots` | which lots there are, what lies of them where, which are recalled |
//! | `trace` | where a lot came from, what it went into, who has it |
//! | `merge` | moves the stock of one item to another |
//! | `read` | reads balances and movements back |
//! | `verify` | adds everything up again |
//!
//! The only writer of `stock_movements`, `stock_balances`, `lots`, `lot_balances` and the column `products.quantity`. A movement is
//! never changed or removed; balances and quantities change by it in the same transaction, in the one order
//! of [`larder_domain::ledger::sums`].

mod adjust;
pub mod lots;
mod merge;
mod places;
mod post;
mod read;
pub mod trace;
mod verify;

pub use adjust::{Adjustment, adjust};
pub use merge::move_stock;
pub use places::{default_commissary, find as find_place, usual_commissary};
pub use post::{Document, Posting, post, reverse};
pub use read::{
    Entry, Filter, PlaceStock, counted_places, entry, hold_balance, movements, places_of, product,
};
pub use verify::{Difference, verify};
