//! The rules of counting: which value stands, when a count is taken, what a day comes to.
//!
//! | module | what it rules |
//! |---|---|
//! | `entry` | what is counted, how an entry is named, what a typed quantity means |
//! | `settings` | a store's settings and the hours of its counts |
//! | `plan` | what becomes of an entry that arrives, whenever and in whatever order it does |
//! | `unusual` | which counts are looked at twice |
//! | `day` | what a day's entries come to, and which counts nobody has looked at yet |
//!
//! A count is made on a device that may be offline for hours, with a clock that may be wrong. Each entry is
//! judged by the moment it was made ([`stands_at`]), not by the moment it arrives.

mod day;
mod entry;
mod plan;
mod settings;
mod unusual;

pub use day::{Counted, Happened, Summary, open_counts, summarise};
pub use entry::{Key, Op, Session, quantity};
pub use plan::{Entry, Held, HeldFor, Hold, Outcome, Plan, Standing, hold, plan, stands_at};
pub use settings::{Hours, Settings, Window};
pub use unusual::is_unusual;
