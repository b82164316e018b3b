//! The stock ledger: movements, balances per place, and product quantities.
//!
//! | file | what it does |
//! |---|---|
//! | `post` | posts and reverses the movements of a document |
//! | `adjust` | posts the difference to an entered quantity |
//! | `places` | places of stock: existence and names |
//! | `lots` | lots, their stock and recalls |
//! | `left_of_lots` | what is left of lots where they come to more than the stock |
//! | `recall_answers` | what places answered about recalled lots |
//! | `trace` | traces lots: origin, use, whereabouts |
//! | `merge` | moves the stock of one item to another |
//! | `read` | reads balances and movements |
//! | `verify` | recounts everything |
//!
//! The only writer of `stock_movements`, `stock_balances`, `lots`, `lot_balances`, `recall_answers` and the column
//! `products.quantity`. Movements are never changed or removed; balances and quantities change with them in
//! the same transaction, in the global order of [`larder_domain::ledger::sums`].

mod adjust;
pub(crate) mod left_of_lots;
pub mod lots;
mod merge;
mod places;
mod post;
mod read;
pub mod recall_answers;
pub mod trace;
mod verify;

pub use adjust::{Adjustment, adjust};
pub use merge::move_stock;
pub use places::{default_commissary, find as find_place, going_to, names as place_names, usual_commissary};
pub use post::{Document, Posting, post, posted_on, reverse};
pub use read::{
    Entry, Filter, PlaceStock, balances_of, counted_places, entry, hold_balance, is_booked, is_kept,
    movements, places_of, product, stores_of,
};
pub use verify::{Difference, verify};
