//! The sales book: store-days, receipts, and the sums that reports read.
//!
//! | file | what it does |
//! |---|---|
//! | `add` | adds receipts to store-days |
//! | `post` | replaces, takes back, corrects and maps store-days |
//! | `prepared` | store-days made ready to be written |
//! | `store` | the rows a store-day consists of |
//! | `rollups` | adds differences to the sums |
//! | `sums` | reads the sums |
//! | `facts` | what receipts say beside their lines, summed by till |
//! | `by_source` | root items used by the sales of one source |
//! | `numbers` | the numbers items go by in what is packed |
//! | `items` | reads the items of store-days |
//! | `root_quantities` | root items kept as they are, without anything sold |
//! | `merge` | makes two items one |
//! | `bom` | bills of materials over time |
//! | `days` | reads store-days back |
//! | `tickets` | which store-days have receipts, and the receipts of a store day by day |
//! | `verify` | counts everything again, and repairs |
//!
//! Whatever changes a store-day, the sums change by the difference between what it was and what it
//! is, in the same transaction. `larder rollups verify` counts them again from the store-days.

mod add;
pub mod bom;
pub mod by_source;
pub mod days;
pub mod facts;
pub mod items;
mod merge;
pub mod numbers;
pub mod post;
mod prepared;
mod rollups;
pub mod root_quantities;
mod store;
pub mod sums;
pub mod tickets;
pub mod verify;

pub use add::add_receipts;
pub use days::DayKey;
pub use merge::{replace_pos_item, replace_root_item};
pub use post::{Posted, correct_lines, map_items, replace_store_days, revert_batch, unmapped_days};
pub use prepared::Prepared;
pub use verify::{Difference, rebuild, verify};
