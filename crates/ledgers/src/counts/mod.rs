//! The count ledger: every count ever made in the stores, and the current values.
//!
//! | file | what it does |
//! |---|---|
//! | `rows` | its rows |
//! | `sent` | saves from devices, and the count each belongs to |
//! | `events` | the log of saves |
//! | `values` | current values, read and written in one statement each |
//! | `current` | the current value as reported to devices and reviewers |
//! | `take` | accepts saves from devices, each once |
//! | `decide` | review: choosing, applying and declining |
//! | `imported` | imports counts of another system |
//! | `sessions` | leases, reopened and finished sessions |
//! | `answers` | answers about goods that came close to a count |
//! | `settings` | count settings of stores |
//! | `items` | items a store counts |
//! | `read` | reads days, ranges, histories and held saves |
//!
//! The only writer of its tables. [`larder_domain::count`] decides the outcome of a save; every save stays in
//! `store_count_events`, and `store_counts` holds the resulting values.

mod answers;
mod current;
mod decide;
mod events;
mod imported;
mod items;
mod read;
mod rows;
mod sent;
mod sessions;
mod settings;
mod take;
mod values;

pub use answers::{Answered, answer, lines_of};
pub use current::Current;
pub use decide::{Decided, apply, choose, decline};
pub use imported::{ImportOutcome, ImportedCount, take_imported};
pub use read::{HeldRow, Other, day, days_of, held, history, last_known, range, said_twice, standing};
pub use rows::{Content, Event, Value};
pub use sent::{Sent, SentBatch};
pub use sessions::{Lease, Session, finish, lease, session, unlock};
pub use settings::{Stored, change as change_settings, of as settings_of};
pub use take::{Answer, Verdict, take};
