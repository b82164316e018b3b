//! Parses natural-language dates.

use super::meaning::When;
use super::words;
use crate::{BusinessDay, Span};

/// The days a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    pub span: Span,
    /// The name of this range in reports; it keeps its meaning on another day.
    pub named: Option<&'static str>,
}

/// The days at the start of these words, and how many words they take; the longest reading.
pub(super) fn read(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    let plain = |(span, used)| (Days { span, named: None }, used);
    [
        named(words, today),
        ago(words, today).map(plain),
        since(words, today).map(plain),
        fromto(words, today).map(plain),
        moment(words, today).map(plain),
    ]
    .into_iter()
    .flatten()
    // The first of equals.
    .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn named(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    match words::when(words)? {
        (When::Range(name), used) => Some((Days { span: range(name, today)?, named: Some(name) }, used)),
        _ => None,
    }
}

/// The ranges of reports by their names, as in the console.
fn range(name: &str, today: BusinessDay) -> Option<Span> {
    let weeks = |n: i32| Span { from: today.week().plus(-7 * n), to: today.week().plus(-1) };
    let year = today.date().year();
    Some(match name {
        "this-week" => Span { from: today.week(), to: today },
        "last-week" => weeks(1),
        "last-4-weeks" => weeks(4),
        "last-13-weeks" => weeks(13),
        "this-month" => Span { from: today.month(), to: today },
        "last-month" => month_of(today.month().plus(-1)),
        "this-year" => Span { from: BusinessDay::from_ymd(year, 1, 1)?, to: today },
        "last-year" => whole_year(year - 1)?,
        _ => return None,
    })
}

/// «last 10 days», «past two weeks», «huling 7 na araw», «nakaraang tatlong buwan».
fn ago(words: &[&str], today: BusinessDay) -> Option<(Span, usize)> {
    let (["last" | "past" | "huling" | "nakaraang" | "nagdaang", n], rest) = words.split_at_checked(2)?
    else {
        return None;
    };
    let n = words::number(n)?;
    let linked = usize::from(rest.first() == Some(&"na"));
    let span = match *rest.get(linked)? {
        "day" | "days" | "araw" => Span { from: today.plus(-n), to: today.plus(-1) },
        "week" | "weeks" | "linggo" => Span { from: today.week().plus(-7 * n), to: today.week().plus(-1) },
        "month" | "months" | "buwan" => {
            let mut from = today.month();
            (0..n).for_each(|_| from = from.plus(-1).month());
            Span { from, to: today.month().plus(-1) }
        }
        _ => return None,
    };
    Some((span, 3 + linked))
}

/// «since october», «mula oktubre».
fn since(words: &[&str], today: BusinessDay) -> Option<(Span, usize)> {
    let (["since" | "mula"], rest) = words.split_at_checked(1)? else { return None };
    let (span, used) = moment(rest, today)?;
    (span.from <= today).then_some((Span { from: span.from, to: today }, used + 1))
}

/// «3 nov to 9 nov», «from 2026-11-03 until 2026-11-09», «oktubre hanggang nobyembre».
fn fromto(words: &[&str], today: BusinessDay) -> Option<(Span, usize)> {
    let lead = usize::from(matches!(words.first(), Some(&("from" | "between" | "mula"))));
    let (first, used) = moment(words.get(lead..)?, today)?;
    let at = lead + used;
    let between = matches!(
        words.get(at),
        Some(&("to" | "until" | "till" | "through" | "and" | "-" | "hanggang" | "at"))
    );
    let (last, more) = moment(words.get(at + usize::from(between)..)?, today).filter(|_| between)?;
    let mut span = Span { from: first.from, to: last.to };
    if span.to < span.from {
        // «october to december» in November: the December that follows.
        let phrase = &words[at + 1..at + 1 + more];
        span.to = next_year(last.to).filter(|_| !phrase.iter().any(|word| year(word).is_some()))?;
    }
    (span.from <= span.to).then_some((span, at + 1 + more))
}

/// The same day of the next year; of February its last.
fn next_year(day: BusinessDay) -> Option<BusinessDay> {
    let date = day.date();
    let of = |day| BusinessDay::from_ymd(date.year() + 1, date.month(), day);
    of(date.day()).or_else(|| of(28))
}

/// A day, a month or a year: «2026-11-03», «3 nov 2026», «november 3», «oct», «december 2025», «2025», «monday»,
/// «kahapon».
fn moment(words: &[&str], today: BusinessDay) -> Option<(Span, usize)> {
    let one = |day| Span { from: day, to: day };
    let first = *words.first()?;
    if let Ok(day) = first.parse::<BusinessDay>() {
        return Some((one(day), 1));
    }
    // «3-9 nov».
    if let Some(days) = days_of_month(first)
        && let Some((When::Month(month) | When::MonthOfDate(month), used)) = words::when(words.get(1..)?)
    {
        let year = words.get(1 + used).and_then(|word| year(word));
        return within(year, month, days, today).map(|span| (span, 1 + used + usize::from(year.is_some())));
    }
    if let Some(day) = day_of_month(first)
        && let Some((When::Month(month) | When::MonthOfDate(month), used)) = words::when(words.get(1..)?)
    {
        let year = words.get(1 + used).and_then(|word| year(word));
        let used = 1 + used + usize::from(year.is_some());
        return on(year, month, day, today).map(|day| (one(day), used));
    }
    let Some((when, used)) = words::when(words) else {
        return year(first).and_then(whole_year).map(|span| (span, 1));
    };
    match when {
        When::Ago(days) => Some((one(today.plus(-days)), used)),
        When::NextWeek => Some((Span { from: today.week().plus(7), to: today.week().plus(13) }, used)),
        When::Weekday(at) => {
            // The most recent one; today is «today».
            let back = (i32::from(today.weekday()) - at + 6).rem_euclid(7) + 1;
            Some((one(today.plus(-back)), used))
        }
        When::Month(month) | When::MonthOfDate(month) => {
            let next = words.get(used).copied();
            // «march 5», but not «march 2024».
            if let Some(day) = next.and_then(day_of_month) {
                let year = words.get(used + 1).and_then(|word| year(word));
                let used = used + 1 + usize::from(year.is_some());
                return on(year, month, day, today).map(|day| (one(day), used));
            }
            // «nov 3-9».
            if let Some(days) = next.and_then(days_of_month) {
                let year = words.get(used + 1).and_then(|word| year(word));
                let used = used + 1 + usize::from(year.is_some());
                return within(year, month, days, today).map(|span| (span, used));
            }
            match next.and_then(year) {
                Some(year) => Some((month_of(BusinessDay::from_ymd(year, month, 1)?), used + 1)),
                None if matches!(when, When::MonthOfDate(_)) => None,
                None => {
                    let first = latest(|year| BusinessDay::from_ymd(year, month, 1), today)?;
                    Some((month_of(first), used))
                }
            }
        }
        When::Range(_) => None,
    }
}

/// A year of this century by its number.
fn year(word: &str) -> Option<i16> {
    Some(word)
        .filter(|word| word.len() == 4)
        .and_then(|word| word.parse::<i16>().ok())
        .filter(|year| (2000..2100).contains(year))
}

/// `3`, `3rd`.
fn day_of_month(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th")
        .then(|| digits.parse().ok().filter(|day| (1..=31).contains(day)))?
}

/// `3-9`.
fn days_of_month(word: &str) -> Option<(i8, i8)> {
    let (first, last) = word.split_once('-')?;
    let days = (day_of_month(first)?, day_of_month(last)?);
    (days.0 < days.1).then_some(days)
}

/// Days of one month.
fn within(year: Option<i16>, month: i8, (first, last): (i8, i8), today: BusinessDay) -> Option<Span> {
    let from = on(year, month, first, today)?;
    Some(Span { from, to: BusinessDay::from_ymd(from.date().year(), month, last)? })
}

fn on(year: Option<i16>, month: i8, day: i8, today: BusinessDay) -> Option<BusinessDay> {
    match year {
        Some(year) => BusinessDay::from_ymd(year, month, day),
        None => latest(|year| BusinessDay::from_ymd(year, month, day), today),
    }
}

/// The latest that has begun, this year or before.
fn latest(of_year: impl Fn(i16) -> Option<BusinessDay>, today: BusinessDay) -> Option<BusinessDay> {
    let year = today.date().year();
    (0..4).filter_map(|back| of_year(year - back)).find(|day| *day <= today)
}

fn month_of(day: BusinessDay) -> Span {
    Span { from: day.month(), to: BusinessDay::from_date(day.date().last_of_month()) }
}

fn whole_year(year: i16) -> Option<Span> {
    Some(Span { from: BusinessDay::from_ymd(year, 1, 1)?, to: BusinessDay::from_ymd(year, 12, 31)? })
}
