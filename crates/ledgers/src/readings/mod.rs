//! The ledger of Z-readings: end-of-day totals of tills. The only writer of `z_readings`, `z_reading_votes`, `z_pictures` and
//! `z_terminals`.
//!
//! | file | what it does |
//! |---|---|
//! | `row` | a stored reading, and its figures |
//! | `seen` | what was read from a picture |
//! | `filling` | a reading filled with what was read from its picture |
//! | `judging` | what was read, judged with what is known of the till |
//! | `waiting` | pictures that wait, judged again once more is known |
//! | `unsorted` | pictures sent without a store, until they become readings |
//! | `draft` | manual entry, validated field by field |
//! | `pictures` | pictures of readings, by hash |
//! | `store` | reading and writing one reading |
//! | `write` | creating, changing, taking steps: one transaction each |
//! | `checked_steps` | what a reading is checked for before it is saved, verified or reconciled |
//! | `adjacent_readings` | what a reading is checked against: the previous one, the day's imported sales |
//! | `list` | pages of readings, a till's chain |
//! | `terminals` | each till's calculation rules and layout |

pub mod adjacent_readings;
mod checked_steps;
mod draft;
pub mod filling;
pub mod judging;
pub mod list;
pub mod pictures;
mod row;
mod seen;
mod store;
pub mod terminals;
pub mod unsorted;
pub mod waiting;
pub mod write;

pub use draft::Draft;
pub use row::{Reading, Taken};
pub use seen::{Place, Seen, SeenCheck, SeenField, SeenLine, Verdict};
pub use store::{counter_holder, find, of_picture};

/// Entity type in events and history.
pub const KIND: &str = "zReading";
/// The job kind that reads pictures; its arguments are `{readings: [id]}`.
pub const READ_JOB: &str = "readings.read";
/// The job kind that reads and sorts pictures without a store; its arguments are `{pictures: [id]}`.
pub const SORT_JOB: &str = "readings.sort";
