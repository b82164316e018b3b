//! Parses natural-language dates.

use crate::{BusinessDay, Span};

/// The days a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    pub span: Span,
    /// The name of this range in reports; it keeps its meaning on another day.
    pub named: Option<&'static str>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The days at the start of these words, and how many words they take.
pub(super) fn read(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    named(words, today)
        .or_else(|| ago(words, today))
        .or_else(|| since(words, today))
        .or_else(|| fromto(words, today))
        .or_else(|| moment(words, today).map(|(span, used)| (Days { span, named: None }, used)))
}

const NAMED: &[(&[&str], &str)] = &[
    (&["this", "week"], "this-week"),
    (&["last", "week"], "last-week"),
    (&["previous", "week"], "last-week"),
    (&["last", "4", "weeks"], "last-4-weeks"),
    (&["last", "four", "weeks"], "last-4-weeks"),
    (&["last", "13", "weeks"], "last-13-weeks"),
    (&["last", "quarter"], "last-13-weeks"),
    (&["this", "month"], "this-month"),
    (&["last", "month"], "last-month"),
    (&["previous", "month"], "last-month"),
    (&["this", "year"], "this-year"),
    (&["last", "year"], "last-year"),
    (&["previous", "year"], "last-year"),
];

fn named(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    let (said, name) = NAMED.iter().find(|(said, _)| words.starts_with(said))?;
    Some((Days { span: range(name, today)?, named: Some(name) }, said.len()))
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

/// «today», «yesterday», «last 10 days», «last 6 weeks», «past 3 months».
fn ago(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    let single = |day| Some((Days { span: Span { from: day, to: day }, named: None }, 1));
    match words {
        ["today", ..] => single(today),
        ["yesterday", ..] => single(today.plus(-1)),
        ["last" | "past", n, unit, ..] => {
            let n: i32 = n.parse().ok().filter(|n| (1..=730).contains(n))?;
            let span = match unit.trim_end_matches('s') {
                "day" => Span { from: today.plus(-n), to: today.plus(-1) },
                "week" => Span { from: today.week().plus(-7 * n), to: today.week().plus(-1) },
                "month" => {
                    let mut from = today.month();
                    (0..n).for_each(|_| from = from.plus(-1).month());
                    Span { from, to: today.month().plus(-1) }
                }
                _ => return None,
            };
            Some((Days { span, named: None }, 3))
        }
        _ => None,
    }
}

/// «since october».
fn since(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    let (["since"], rest) = words.split_at_checked(1)? else { return None };
    let (span, used) = moment(rest, today)?;
    (span.from <= today)
        .then_some((Days { span: Span { from: span.from, to: today }, named: None }, used + 1))
}

/// «3 nov to 9 nov», «from 2026-11-03 until 2026-11-09», «october to november».
fn fromto(words: &[&str], today: BusinessDay) -> Option<(Days, usize)> {
    let lead = usize::from(matches!(words.first(), Some(&("from" | "between"))));
    let (first, used) = moment(words.get(lead..)?, today)?;
    let at = lead + used;
    let between = matches!(words.get(at), Some(&("to" | "until" | "till" | "through" | "and" | "-")));
    let (last, more) = moment(words.get(at + usize::from(between)..)?, today).filter(|_| between)?;
    let span = Span { from: first.from, to: last.to };
    (span.from <= span.to).then_some((Days { span, named: None }, at + 1 + more))
}

/// A day, a month or a year: «2026-11-03», «3 nov 2026», «november 3», «oct», «december 2025», «2025», «monday».
fn moment(words: &[&str], today: BusinessDay) -> Option<(Span, usize)> {
    let (first, second, third) = (*words.first()?, words.get(1).copied(), words.get(2).copied());
    if let Ok(day) = first.parse::<BusinessDay>() {
        return Some((Span { from: day, to: day }, 1));
    }
    if let Some(at) = WEEKDAYS.iter().position(|day| is(first, day)) {
        // The most recent one; today is «today».
        let back = (i32::from(today.weekday()) - i32::try_from(at).ok()? + 6).rem_euclid(7) + 1;
        let day = today.plus(-back);
        return Some((Span { from: day, to: day }, 1));
    }
    let year = |word: Option<&str>| {
        word.filter(|word| word.len() == 4)
            .and_then(|word| word.parse::<i16>().ok())
            .filter(|y| (2000..2100).contains(y))
    };
    if let Some(month) = month(first) {
        // «march 5», but not «march 2024».
        if let Some(day) = second.and_then(day_of_month) {
            let (year, used) = year(third).map_or((None, 2), |year| (Some(year), 3));
            return on(year, month, day, today).map(|day| (Span { from: day, to: day }, used));
        }
        return Some(match year(second) {
            Some(year) => (month_of(BusinessDay::from_ymd(year, month, 1)?), 2),
            None => (month_of(latest(|year| BusinessDay::from_ymd(year, month, 1), today)?), 1),
        });
    }
    if let (Some(day), Some(month)) = (day_of_month(first), second.and_then(month)) {
        let (year, used) = year(third).map_or((None, 2), |year| (Some(year), 3));
        return on(year, month, day, today).map(|day| (Span { from: day, to: day }, used));
    }
    year(Some(first)).and_then(whole_year).map(|span| (span, 1))
}

/// A month by its name or at least its first three letters.
fn month(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|month| is(word, month))?;
    i8::try_from(at + 1).ok()
}

/// `word` abbreviates `whole`: «mon», «sept», «thurs».
fn is(word: &str, whole: &str) -> bool {
    word.len() >= 3 && whole.starts_with(word)
}

/// `3`, `3rd`.
fn day_of_month(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th")
        .then(|| digits.parse().ok().filter(|day| (1..=31).contains(day)))?
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
