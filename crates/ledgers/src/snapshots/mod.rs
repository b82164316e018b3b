//! The ledger of weekly snapshots: stock movements of root items in stores, computed for any days and stored
//! for weeks.
//!
//! | file | what it does |
//! |---|---|
//! | `compute` | the figures of a store for some periods, from counts, documents and sales |
//! | `figures` | the figures of a row by name |
//! | `make` | stores the figures of a store's week, or compares them with stored ones |
//! | `weeks` | weeks, when they were made, who froze them |
//! | `read` | reads stored rows and differences |
//!
//! The only writer of its tables. Figures follow the rules of the store inventory and its ledger alone. Rows
//! of a frozen week never change: current differences are stored beside them.

mod compute;
mod figures;
mod make;
mod read;
mod weeks;

pub use compute::{StoreMovements, of_store, rows_of};
pub use figures::FIGURES;
pub use make::{Made, SnapshotRow, make};
pub use read::{Difference, Kept, differences, rows, store_weeks};
pub use weeks::{KIND, Week, WeekSum, freeze, frozen_until, made_in, reopen, sums, week, weeks};
pub(super) use weeks::{all_frozen, frozen};
