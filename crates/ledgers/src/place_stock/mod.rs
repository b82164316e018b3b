//! What is at a place.
//!
//! A commissary, warehouse or cold storage keeps a running balance. A store uses up stock without documents, so what is
//! there is its last count, with what moved and was sold since: the sum of its movements is never its stock.
//!
//! | file | what it does |
//! |---|---|
//! | `stores` | stock of root items in stores |
//! | `with_use` | the same with daily use, and what hangs on an open question |
//! | `items` | stock of a store's counted items, and what a count is expected to come to |
//! | `products` | stock in units of products, and balances |
//! | `usable` | what of the stock is recalled or expired |
//! | `in_transit` | stock on its way to stores |
//! | `lots` | lots of a store's stock |
//! | `lots_at` | where lots are |
//! | `in_stock` | which lots are in stock at all |
//! | `without_lot` | how much of it can be without a lot |
//! | `recalls` | where recalled lots may still be |
//! | `checks` | what a document may take from a place |
//! | `close` | goods that came or left close to a count |
//! | `close_rows` | the lines, times of counts and answers that is read from |
//! | `arrivals` | goods that a count of now may include |
//! | `take` | what a stock-take of a kitchen compares with |
//!
//! It writes only which root items have to be counted. Counts, movements and sales are written by their own ledgers;
//! [`larder_domain::on_hand`] computes stock on hand and allocates it to lots.

mod arrivals;
mod checks;
mod close;
mod close_rows;
mod in_stock;
mod in_transit;
mod items;
mod lots;
mod lots_at;
mod products;
mod recalls;
mod stores;
mod take;
mod usable;
mod with_use;
mod without_lot;

pub use arrivals::{Arrival, CountedEarly, arrivals, counted_early};
pub use checks::{Asked, AtPlace, CountMark, Taken, at, mark, marked};
pub use close::{
    CLOSE_DAYS, CloseLine, close_in, close_of, close_to, counted_between, stores_moved, unanswered,
};
pub use in_stock::lots_in_stock;
pub use in_transit::{in_transit, on_the_way};
pub use items::{StoreItems, StoreStock, expected, of_items, stock_at};
pub use lots::{AllocatedLot, Figures, LotsOfRoot, lots_of_roots, unusable};
pub use lots_at::{LotAt, LotPlace, Spot, lot_places, lots_at, lots_of_spots, named, store_with_lots};
pub use products::{ProductStock, balances, of_product};
pub use recalls::{AskedLots, RecallsPage, open_recalls, recalled_lots, recalls};
pub use stores::{LastCounted, RootStock, USE_DAYS, of_stores};
pub use take::{Book, MovedSince, OfLot, book_of, hold_book, sheet};
pub use usable::{Balance, unusable_of_stores, usable_balances};
pub use with_use::with_use;
