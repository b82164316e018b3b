//! The count book: everything that was ever counted in the stores, and what stands.
//!
//! | file | what it does |
//! |---|---|
//! | `rows` | its rows, as they are kept |
//! | `sent` | what devices send, and which count each save belongs to |
//! | `events` | writes saves down |
//! | `values` | the values a writer changes, read and written in one statement each |
//! | `current` | what whoever sends or decides is told about what stands |
//! | `take` | takes what devices send, each save once |
//! | `decide` | chooses among counts, applies and declines what is held |
//! | `imported` | takes what another system counted, as it was taken there |
//! | `sessions` | who is counting, what was opened again, what is done |
//! | `settings` | how the stores count |
//! | `items` | which items a store counts |
//! | `read` | reads days, ranges, histories and what is held |
//!
//! The only writer of its tables. [`larder_domain::count`] rules what becomes of a save; a save that arrived stays in
//! `store_count_events` for ever, and `store_counts` is what they come to.

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

pub use current::Current;
pub use decide::{Decided, apply, choose, decline};
pub use imported::{ImportOutcome, ImportedCount, take_imported};
pub use read::{HeldRow, Other, day, days_of, held, history, last_known, range, said_twice, standing};
pub use rows::{Content, Event, Value};
pub use sent::{Sent, SentBatch};
pub use sessions::{Lease, Session, finish, lease, session, unlock};
pub use settings::{Stored, change as change_settings, of as settings_of};
pub use take::{Answer, Verdict, take};
