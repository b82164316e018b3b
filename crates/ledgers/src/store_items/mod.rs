//! The book of store items: what each store counts, what a counted item is made of there, and what must lie there.
//!
//! | file | what it does |
//! |---|---|
//! | `counted` | which items a store counts, in the order of its sheet |
//! | `visibility` | a store's own items, or its group |
//! | `groups` | stores that count the same |
//! | `mixes` | how an item is split over recipes in a store |
//! | `merge` | makes two items or two recipes one |
//! | `stands_for` | which root items the counted items of stores come to |
//! | `units` | in which unit a root item is reckoned |
//! | `flows` | what came, went and was used of root items in stores |
//! | `ways` | what of that went to or came from other stores, and what was thrown away |
//! | `anchors` | the counts that what lies there is reckoned from |
//! | `basis` | items, root items and what passed, as what lies there is reckoned from them |
//! | `documents`, `sold` | what the flows are made of, one by one |
//! | `root_stock` | what must lie in a store of each root item, for advice |
//! | `expected` | what a count should find |
//!
//! The only writer of the tables of visibility, groups and mixes. Counts, movements and sales are read here and
//! written by their own books; [`larder_domain::on_hand`] reckons with them.

mod anchors;
mod basis;
mod counted;
mod documents;
mod expected;
mod flows;
mod groups;
mod merge;
mod mixes;
mod root_stock;
mod sold;
mod stands_for;
mod units;
mod visibility;
mod ways;

pub use anchors::{Count, compared, counts_of, last_two};
pub use basis::{Basis, Extent, MadeOf, RootItem, made_of};
pub use counted::{COUNTED, CountedItem, Pack, how_many, visible};
pub use documents::{Moved, documents};
pub use expected::expected;
pub use flows::{Conversion, flows};
pub use groups::{Group, GroupChange, change as change_group, delete as delete_group, group, groups};
pub use merge::{refuse_counted, replace_item, replace_recipe};
pub use mixes::{
    Mix, MixOf, MixRow, mix_id, mixes, named_anywhere as mix_named, named_in as mix_named_in,
    read_named as read_mix_named, set as set_mixes,
};
pub use root_stock::{RootStock, root_stock};
pub use sold::{Sold, sold};
pub use stands_for::{StandsFor, stands_for};
pub use units::root_units;
pub use visibility::{Chosen, Shown, of as visibility_of, overview, set as set_visibility};
pub use ways::{ReceiptOf, apart, receipts};
