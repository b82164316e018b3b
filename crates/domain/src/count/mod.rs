//! The rules of counting: which value is current, when a count is taken, how a day is summarised.
//!
//! | module | responsibility |
//! |---|---|
//! | `entry` | count keys, entry names, typed quantities |
//! | `counted_at` | when a number was counted |
//! | `settings` | a store's settings and count windows |
//! | `plan` | the outcome of an arriving entry, in any order of arrival |
//! | `unusual` | which counts need a second look |
//! | `day` | summaries of a day's entries, and counts that await a choice |
//!
//! A count is made on a device that may be offline for hours, with a clock that may be wrong. Each entry is judged by
//! the moment it was made ([`stands_at`]), not by its arrival.

mod counted_at;
mod day;
mod entry;
mod plan;
mod settings;
mod unusual;

pub use counted_at::{CountedAt, Saved, Seen, counted_at};
pub use day::{Counted, Happened, Summary, open_counts, summarise};
pub use entry::{Key, Op, Session, quantity, zero_warning};
pub use plan::{Entry, Held, HeldFor, Hold, Outcome, Plan, Standing, hold, plan, stands_at};
pub use settings::{Hours, Settings, Window};
pub use unusual::is_unusual;
