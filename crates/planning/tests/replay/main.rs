//! Replays: one worked by hand, the days of another simulator, a slow replay written a second time, and what must always
//! hold.

mod always;
mod peer;
mod slow;
mod support;
mod worked;
