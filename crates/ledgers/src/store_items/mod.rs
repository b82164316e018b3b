//! The store item ledger: which items each store counts, what they consist of, and stock on hand.
//!
//! | file | what it does |
//! |---|---|
//! | `counted` | items a store counts, in the order of its sheet |
//! | `visibility` | a store's own items, or its group |
//! | `groups` | groups of stores that count the same items |
//! | `mixes` | how an item is split over recipes in a store |
//! | `merge` | merges two items or two recipes |
//! | `count_item_mapping` | root items behind the counted items of stores |
//! | `units` | the unit of a root item |
//! | `flows` | receipts, issues and use of root items in stores |
//! | `transfers_and_waste` | transfers and waste among the flows |
//! | `baseline_counts` | baseline counts of stock on hand |
//! | `recounts` | items counted anew within one count |
//! | `basis` | items, root items and flows as the input of stock on hand |
//! | `versions` | what products, items and mixes consisted of before they were changed |
//! | `documents`, `sold` | the documents and sales behind the flows |
//!
//! The only writer of the tables of visibility, groups, mixes and former parts. Counts, movements and sales are read here
//! and written by their own ledgers; `place_stock` computes stock on hand.

mod baseline_counts;
mod basis;
mod count_item_mapping;
mod counted;
mod documents;
mod flows;
mod groups;
mod merge;
mod mixes;
mod recounts;
mod sold;
mod transfers_and_waste;
mod units;
mod versions;
mod visibility;

pub use baseline_counts::{Count, LastTwo, compared, counts_of, last_of_stores, last_two, recent};
pub use basis::{Basis, Extent, MadeOf, RootItem, made_of};
pub use count_item_mapping::{CountItemMapping, count_item_mapping};
pub use counted::{COUNTED, CountedItem, Pack, how_many, visible};
pub use documents::{Moved, documents};
pub use flows::{Moments, flows};
pub use groups::{Group, GroupChange, change as change_group, delete as delete_group, group, groups};
pub use merge::{refuse_counted, replace_item, replace_recipe};
pub use mixes::{
    Mix, MixOf, MixRow, mix_id, mixes, named_anywhere as mix_named, named_in as mix_named_in,
    read_named as read_mix_named, set as set_mixes,
};
pub use recounts::Recounts;
pub use sold::{Sold, sold};
pub use transfers_and_waste::{ReceiptOf, receipts, transfers_and_waste};
pub use units::root_units;
pub use versions::{Conversion, Parts, note_item, note_product, note_recipe, own_parts, replace_root};
pub use visibility::{Chosen, Shown, of as visibility_of, overview, set as set_visibility};
