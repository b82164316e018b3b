//! The tests' clock: it starts at a fixed instant with the process, and runs on.
//!
//! `TEST_CLOCK` sets another instant (RFC 3339), to run the whole suite at another hour or day.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use larder_domain::Timestamp;

/// A Tuesday morning in the stores: inside the opening count, after the nightly work, days from a month's end.
const START: &str = "2026-11-24T10:20:00+08:00";

static SHIFT_MS: LazyLock<i64> = LazyLock::new(|| {
    let named = std::env::var("TEST_CLOCK").ok();
    let start = named.as_deref().unwrap_or(START);
    let start = Timestamp::parse(start).unwrap_or_else(|| panic!("TEST_CLOCK must be RFC 3339, not {start}"));
    start.0 - machine_ms()
});

/// Milliseconds this clock is ahead of the machine's; `Config::clock_shift_ms` of a program under test.
#[must_use]
pub fn shift_ms() -> i64 {
    *SHIFT_MS
}

/// The current time of the tests' clock.
#[must_use]
pub fn now() -> Timestamp {
    Timestamp(machine_ms() + shift_ms())
}

fn machine_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a machine after 1970");
    i64::try_from(now.as_millis()).expect("a machine before the year 292 million")
}
