//! Completeness of a store's sales of a day.

use crate::{Money, plural};

/// Days of history that define what is usual.
pub const LOOK_BACK: usize = 28;
/// Fewer lines than this share of the same weekday's are too few …
const TOO_FEW: f64 = 0.4;
/// … where those had at least this many.
const MANY_LINES: f64 = 20.0;
/// Number of same weekdays compared.
const SAME_WEEKDAY: usize = 4;

/// The state of a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Apparently imported in full.
    Complete,
    /// Partly imported.
    Partial,
    /// Nothing was imported of an expected trading day.
    Missing,
    /// The import differs from the till's Z-reading.
    Mismatch,
    /// The store was not expected to trade.
    Closed,
}

/// The facts about a store-day.
#[derive(Debug, Clone, Copy, Default)]
pub struct Day<'a> {
    /// Imported lines; 0 if nothing was imported.
    pub lines: i64,
    /// The tills that sold; none where sales name no till.
    pub tills: &'a [&'a str],
    /// The tills that must have a Z-reading, but for those that read no sales.
    pub expected: &'a [&'a str],
    /// The day's Z-readings less the sales of their tills, once all are verified.
    pub apart: Option<Money>,
    /// Whether a user marked the store as closed, or it had not opened yet.
    pub closed: bool,
}

/// The state of a day and the reason, from the preceding days, the newest last: at most [`LOOK_BACK`] of them count.
/// Readings and sales no further apart than `tolerance` agree.
#[must_use]
pub fn judge(day: &Day<'_>, before: &[Day<'_>], tolerance: Money) -> (State, Option<String>) {
    let before = &before[before.len().saturating_sub(LOOK_BACK)..];
    if day.lines == 0 {
        return if day.closed {
            (State::Closed, Some("The store is closed on this day.".to_owned()))
        } else if never_on_this_weekday(before) {
            (State::Closed, Some("The store did not trade on this weekday in the weeks before.".to_owned()))
        } else if before.iter().all(|day| day.lines == 0) {
            (State::Closed, Some("The store sold nothing in the four weeks before.".to_owned()))
        } else {
            (State::Missing, Some("No sales were imported.".to_owned()))
        };
    }
    let missing: Vec<&str> = day.expected.iter().filter(|till| !day.tills.contains(till)).copied().collect();
    if !day.tills.is_empty() && !missing.is_empty() {
        let (noun, verb) = if missing.len() == 1 { ("Till", "is") } else { ("Tills", "are") };
        return (State::Partial, Some(format!("{noun} {} {verb} missing.", missing.join(", "))));
    }
    if let Some(apart) = day.apart.filter(|apart| apart.0.saturating_abs() > tolerance.0) {
        let (amount, more) =
            (Money(apart.0.saturating_abs()), if apart < Money(0) { "less" } else { "more" });
        return (State::Mismatch, Some(format!("The Z-readings say {} {more}.", amount.pesos())));
    }
    match usual_lines(before) {
        Some(usual) if usual >= MANY_LINES && (day.lines as f64) < usual * TOO_FEW => (
            State::Partial,
            Some(format!("{}, usually about {usual:.0}.", plural(day.lines, "line", "lines"))),
        ),
        _ => (State::Complete, None),
    }
}

fn same_weekday<'a, 'b>(before: &'b [Day<'a>]) -> impl Iterator<Item = &'b Day<'a>> {
    before.iter().rev().skip(6).step_by(7).take(SAME_WEEKDAY)
}

/// Whether the store traded in each of the last four weeks, and never on this weekday.
fn never_on_this_weekday(before: &[Day<'_>]) -> bool {
    before.len() >= LOOK_BACK
        && before.chunks(7).all(|week| week.iter().any(|day| day.lines > 0))
        && same_weekday(before).all(|day| day.lines == 0)
}

/// The median number of lines of the same weekday.
fn usual_lines(before: &[Day<'_>]) -> Option<f64> {
    let mut lines: Vec<i64> = same_weekday(before).map(|day| day.lines).filter(|lines| *lines > 0).collect();
    lines.sort_unstable();
    let middle = *lines.get(lines.len() / 2)?;
    Some(if lines.len().is_multiple_of(2) {
        (middle + lines[lines.len() / 2 - 1]) as f64 / 2.0
    } else {
        middle as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILLS: &[&str] = &["1", "2"];

    fn open(lines: i64) -> Day<'static> {
        Day { lines, tills: TILLS, expected: TILLS, ..Day::default() }
    }

    fn usual() -> Vec<Day<'static>> {
        vec![open(100); 28]
    }

    fn state(day: &Day<'_>, before: &[Day<'_>]) -> State {
        judge(day, before, Money(100)).0
    }

    #[test]
    fn a_day_is_compared_with_the_preceding_weeks() {
        let words = |day: &Day<'_>| judge(day, &usual(), Money(100));
        assert_eq!(words(&open(90)), (State::Complete, None));
        assert_eq!(words(&open(39)).1.as_deref(), Some("39 lines, usually about 100."));
        let one_till = Day { tills: &["1"], ..open(90) };
        assert_eq!(words(&one_till), (State::Partial, Some("Till 2 is missing.".to_owned())));
        let nameless = Day { tills: &[], ..open(90) };
        assert_eq!(words(&nameless), (State::Complete, None), "of all tills, perhaps");
        assert_eq!(state(&Day::default(), &usual()), State::Missing);
        assert_eq!(state(&Day { closed: true, ..Day::default() }, &usual()), State::Closed);
        assert_eq!(state(&open(3), &[]), State::Complete);
    }

    #[test]
    fn a_weekday_without_trade_is_closed() {
        let mut before = usual();
        for week in 0..4 {
            before[week * 7] = Day::default();
        }
        assert_eq!(state(&Day::default(), &before), State::Closed);
        before[7] = open(50);
        assert_eq!(state(&Day::default(), &before), State::Missing);
        assert_eq!(state(&Day::default(), &[Day::default(); 28]), State::Closed);
    }

    #[test]
    fn a_reading_that_differs_is_reported() {
        let state = |apart| judge(&Day { apart: Some(Money(apart)), ..open(90) }, &usual(), Money(100));
        assert_eq!(state(-101), (State::Mismatch, Some("The Z-readings say ₱1.01 less.".to_owned())));
        assert_eq!(state(250_000).1.as_deref(), Some("The Z-readings say ₱2,500.00 more."));
        assert_eq!(state(100), (State::Complete, None));
    }
}
