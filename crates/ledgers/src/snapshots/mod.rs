//! The book of weekly snapshots: how the stock of root items moved in stores, reckoned for any days and kept for weeks.
//!
//! | file | what it does |
//! |---|---|
//! | `reckon` | the figures of a store over some periods, from counts, documents and sales |
//! | `figures` | the figures of a row one by one, by name |
//! | `make` | keeps the figures of a store's week, or holds those that are kept against them |
//! | `weeks` | which weeks there are, when they were made, who froze them |
//! | `read` | reads kept rows and differences back |
//!
//! The only writer of its tables. Figures are reckoned by the rules of the store's inventory, from what the book of store
//! items reads, and by no others. The rows of a frozen week are never changed: what they would be now is kept beside
//! them, as differences.

mod figures;
mod make;
mod read;
mod reckon;
mod weeks;

pub use figures::FIGURES;
pub use make::{Made, SnapshotRow, make};
pub use read::{Difference, Kept, differences, rows};
pub use reckon::{StoreMovements, of_store, rows_of};
pub use weeks::{KIND, Week, WeekSum, freeze, reopen, sums, week, weeks};
pub(super) use weeks::{all_frozen, frozen};
