//! What is at a place.
//!
//! A commissary, warehouse or cold storage keeps a running balance. A store uses up stock without documents, so what is
//! there is its last count, with what moved and was sold since: the sum of its movements is never its stock.
//!
//! | file | what it does |
//! |---|---|
//! | `stores` | stock of root items in stores |
//! | `products` | the same in units of products |
//! | `lots` | lots of a store's stock |
//! | `opening` | stock of a store that no document brought |
//! | `checks` | what a document may take from a place |
//! | `close` | goods that came close to a count |
//!
//! It writes only which root items have to be counted. Counts, movements and sales are written by their own ledgers;
//! [`larder_domain::on_hand`] computes stock on hand and allocates it to lots.

mod checks;
mod close;
mod lots;
mod opening;
mod products;
mod stores;

pub use checks::{AtPlace, CountMark, at, mark, marked};
pub use close::{CloseLine, close_to};
pub use lots::{
    AllocatedLot, LotAt, LotPlace, LotsOfRoot, lot_places, lots_at, lots_of_roots, recalls, unusable,
};
pub use products::{ProductStock, balances, of_product};
pub use stores::{LastCounted, RootStock, of_stores};
