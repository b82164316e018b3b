//! The book of Z-readings: what tills said at their day's end. The only writer of `z_readings` and `z_terminals`.
//!
//! | file | what it does |
//! |---|---|
//! | `figures` | verified readings as figures, for whoever reckons from them |
//! | `row` | a reading as it lies in the database, and as figures |
//! | `seen` | what was read from a picture |
//! | `draft` | what somebody types, checked field by field |
//! | `pictures` | the pictures of readings, by what they are known |
//! | `store` | reading and writing one reading |
//! | `write` | making, changing, taking steps: each one transaction's work |
//! | `beside` | what a reading is held against: the one before, the day's imported sales |
//! | `list` | readings in pages, a till's chain, the calendar |
//! | `terminals` | how each till reckons and what it prints |

pub mod beside;
mod draft;
mod figures;
pub mod list;
pub mod pictures;
mod row;
mod seen;
mod store;
pub mod terminals;
pub mod write;

pub use draft::Draft;
pub use figures::{Tender, Verified, verified, waiting_days};
pub use row::{Reading, Taken};
pub use seen::{Place, Seen, SeenCheck, SeenField, SeenLine, Verdict};
pub use store::{counter_holder, find, of_picture};

/// The kind of a reading in events and history.
pub const KIND: &str = "zReading";
/// The kind of the job that reads pictures; its arguments are `{readings: [id]}`.
pub const READ_JOB: &str = "readings.read";
