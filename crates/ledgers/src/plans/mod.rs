//! The book of replenishment plans: what they go by, and what they came to.
//!
//! A run of the planner writes what it came to for each store, whole: every figure of every line, and why. Nothing of it
//! changes afterwards but which order was made of a line, so that a plan can be read a year later as it was. A store's
//! newest plan is the one of the latest run that reached it.
//!
//! | file | what it does |
//! |---|---|
//! | `why` | the figures that a suggestion is made of |
//! | `rules` | what people said for stores, categories and products |
//! | `lines` | a store's product in a plan |
//! | `runs` | runs, what they came to for a store, what they could not plan, and how long they are kept |
//! | `newest` | the plan that a store's orders are suggested from |

mod lines;
mod newest;
pub mod rules;
mod runs;
mod why;

pub use lines::{Ahead, Line, Only, Wanted, count, find as find_lines, mark_ordered, read as read_lines};
pub use newest::{StorePlan, newest};
pub use runs::{
    Note, Run, StoreRun, begin, find as find_run, forget_old, last_date, newest_of_stores, notes, of_run,
    put_notes, put_store, take_hold,
};
pub use why::Why;
