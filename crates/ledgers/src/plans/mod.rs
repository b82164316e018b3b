//! The ledger of replenishment plans: rules and results.
//!
//! A planner run writes the full result per store: every figure of every line with its reason. Afterwards
//! only the order created from a line is added, so that a plan can be read a year later as it was. A store's
//! newest plan is that of the latest run that reached it.
//!
//! | file | what it does |
//! |---|---|
//! | `why` | the figures behind a suggestion |
//! | `rules` | rules for stores, categories and products |
//! | `lines` | plan lines |
//! | `runs` | runs, their results per store, what could not be planned, retention |
//! | `newest` | the plan behind a store's suggested orders |

mod lines;
mod newest;
pub mod rules;
mod runs;
mod why;

pub use lines::{
    Ahead, Line, Only, Suggestion, Trucks, Wanted, count, find as find_lines, mark_ordered,
    read as read_lines,
};
pub use newest::{StorePlan, newest};
pub use runs::{
    Note, Run, StoreRun, begin, find as find_run, forget_old, last_date, newest_of_stores, notes, of_run,
    put_notes, put_store, take_hold,
};
pub use why::Why;
