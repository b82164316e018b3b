//! Replays: two worked by hand, the days of another simulator, a slow second implementation, and invariants.

mod always;
mod calendar;
mod peer;
mod slow;
mod support;
mod worked;
