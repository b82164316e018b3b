//! The sales ledger: store days, receipts, and the sums that reports read.
//!
//! | file | what it does |
//! |---|---|
//! | `add` | adds receipts to store days |
//! | `post` | replaces, reverts, corrects and maps store days |
//! | `grow` | puts further files into store days, and composes the days |
//! | `existing` | what has to be asked before a file is posted |
//! | `parts` | the stored parts of store days that several batches make up |
//! | `senders` | posts what connectors and keys send |
//! | `receipts` | merges receipts by number |
//! | `replace` | writes store days as a whole |
//! | `prepared` | store days prepared for writing |
//! | `store` | the rows of a store day |
//! | `rollups` | adds differences to the sums |
//! | `sums` | reads the sums |
//! | `duplicates` | settles which source counts where several report the same sales |
//! | `facts` | receipt facts, summed by till |
//! | `by_source` | root items used by the sales of one source |
//! | `numbers` | item numbers in packed data |
//! | `items` | reads the items of store days |
//! | `root_quantities` | quantities of root items stored without sales |
//! | `merge` | merges two items |
//! | `bom` | versioned bills of materials |
//! | `days` | reads store days |
//! | `tickets` | tickets by till, store days with receipts, and a store's receipts day by day |
//! | `times` | sales by time, for the days that a count divides |
//! | `verify` | recounts everything, and repairs |
//!
//! Every change of a store day changes the sums by the difference in the same transaction. `larder rollups
//! verify` recounts them from the store days.

mod add;
pub mod bom;
pub mod by_source;
pub mod days;
pub mod duplicates;
pub mod existing;
pub mod facts;
mod grow;
pub mod items;
mod merge;
pub mod numbers;
mod parts;
pub mod post;
mod prepared;
mod receipts;
mod replace;
mod rollups;
pub mod root_quantities;
pub mod senders;
mod store;
pub mod sums;
pub mod tickets;
pub mod times;
pub mod verify;

pub use days::DayKey;
pub use grow::{Wish, post_file};
pub use merge::{replace_pos_item, replace_root_item};
pub use post::{correct_lines, map_items, replace_store_days, revert_batch, unmapped_days};
pub use prepared::Prepared;
pub use replace::Posted;
pub use senders::{Outcome, Sent, post_sent};
pub use verify::{Difference, rebuild, verify};
