//! Dates in headings, sheet names and report headers.

use std::ops::Range;

use crate::sales::DateFormat;
use crate::sales::dates::{DateEvidence, civil, moment};

/// A year and a month.
pub type Month = (i32, u32);

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

/// The words of a text in lower case, digits apart from letters, with their places.
fn placed_words(text: &str) -> Vec<(String, Range<usize>)> {
    let mut words: Vec<(String, Range<usize>)> = Vec::new();
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let same = c.is_ascii_digit() == last.is_ascii_digit() && last.is_alphanumeric();
        if !c.is_alphanumeric() {
            last = ' ';
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some((word, place)) if same => {
                word.extend(c.to_lowercase());
                place.end = end;
            }
            _ => words.push((c.to_lowercase().collect(), at..end)),
        }
        last = c;
    }
    words
}

fn words(text: &str) -> Vec<String> {
    placed_words(text).into_iter().map(|(word, _)| word).collect()
}

fn named(word: &str) -> Option<u32> {
    let known = |month: &&str| {
        word.len() >= 3 && (month.starts_with(word) || (word == "sept" && month.starts_with("sep")))
    };
    let at = MONTHS.iter().position(known)?;
    u32::try_from(at + 1).ok()
}

fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1990..=2100).contains(year))
}

/// The month in a text: «November 2026», «2026-11», «Sales Nov-2026».
#[must_use]
pub fn month_of(text: &str) -> Option<Month> {
    let words = words(text);
    for pair in words.windows(2) {
        let two = |year_at: usize, month_at: usize| {
            let month = named(&pair[month_at]);
            Some((year(&pair[year_at])?, month?))
        };
        if let Some(month) = two(0, 1).or_else(|| two(1, 0)) {
            return Some(month);
        }
        let month = pair[1].parse().ok().filter(|month| pair[1].len() <= 2 && (1..=12).contains(month));
        if let (Some(year), Some(month)) = (year(&pair[0]), month) {
            return Some((year, month));
        }
    }
    // «November 1, 2026 to November 30, 2026» is November.
    let months: Vec<u32> = words.iter().filter_map(|word| named(word)).collect();
    let years: Vec<i32> = words.iter().filter_map(|word| year(word)).collect();
    let one = |same: bool| same && !months.is_empty() && !years.is_empty();
    let same =
        months.iter().all(|m| Some(m) == months.first()) && years.iter().all(|y| Some(y) == years.first());
    one(same).then(|| (years[0], months[0]))
}

/// A date in a text.
struct Dated {
    place: Range<usize>,
    /// `None` where day and month may be the other way round.
    day: Option<i32>,
}

/// The dates in a title or a file's name, in order.
fn dates_in(text: &str) -> Vec<Dated> {
    let number = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
    let ordinal = |(word, _): &(String, Range<usize>)| !["st", "nd", "rd", "th"].contains(&word.as_str());
    let words: Vec<(String, Range<usize>)> = placed_words(text).into_iter().filter(ordinal).collect();
    let mut dates: Vec<Dated> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (word, place) = &words[at];
        if word.len() == 8
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && let (Some(year), Ok(month), Ok(day)) =
                (year(&word[..4]), word[4..6].parse(), word[6..].parse())
        {
            let day = civil(year, month, day);
            dates.extend(day.map(|day| Dated { place: place.clone(), day: Some(day) }));
            at += 1;
            continue;
        }
        let Some([(a, _), (b, _), (c, end)]) = words.get(at..at + 3) else {
            at += 1;
            continue;
        };
        let found = if let (Some(of), Some(day)) = (year(a), number(c)) {
            number(b).or_else(|| named(b)).and_then(|month| civil(of, month, day)).map(Some)
        } else if let Some(of) = year(c) {
            match (number(a), number(b)) {
                (Some(day), Some(month)) if day > 12 || day == month => civil(of, month, day).map(Some),
                (Some(month), Some(day)) if day > 12 => civil(of, month, day).map(Some),
                (Some(_), Some(_)) => Some(None),
                (Some(day), None) => named(b).and_then(|month| civil(of, month, day)).map(Some),
                (None, Some(day)) => named(a).and_then(|month| civil(of, month, day)).map(Some),
                (None, None) => None,
            }
        } else {
            None
        };
        at += if found.is_some() { 3 } else { 1 };
        dates.extend(found.map(|day| Dated { place: place.start..end.end, day }));
    }
    dates
}

/// The only day that a title or a file's name tells: «From 13 Nov 2026 to 13 Nov 2026», `items-2026-11-13-2026-11-13`.
/// `None` without a day, with several, or where day and month may be the other way round.
#[must_use]
pub fn one_day(text: &str) -> Option<i32> {
    let days: Option<Vec<i32>> = dates_in(text).into_iter().map(|date| date.day).collect();
    let days = days?;
    days.first().copied().filter(|first| days.iter().all(|day| day == first))
}

/// What a title, or the name of a sheet or file, may be as the name of a store, the likeliest first: itself, what it is
/// without dates, and that with spaces: `SM-North_2026-11-13` may be `SM-North` or `SM North`. Without letters it is none.
#[must_use]
pub fn names_said(text: &str) -> Vec<String> {
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for date in dates_in(text) {
        rest.push_str(&text[from..date.place.start]);
        from = date.place.end;
    }
    rest.push_str(&text[from..]);
    let rest = rest.replace("()", "").replace("[]", "");
    let mark = |c: char| c.is_whitespace() || "-–—_.,:|·".contains(c);
    let rest = rest.trim_matches(mark);
    let mut names = vec![text.trim().to_owned(), rest.to_owned(), rest.replace(['_', '-'], " ")];
    names.dedup();
    names.retain(|name| name.chars().any(char::is_alphabetic));
    names
}

/// The date in a heading: a date, or a day of the sheet's month.
#[must_use]
pub fn day_of(text: &str, format: DateFormat, month: Option<Month>) -> Option<i32> {
    if let Ok(moment) = moment(text.as_bytes(), format) {
        return Some(moment.day);
    }
    let (of_year, of_month) = month?;
    let words: Vec<String> = words(text).into_iter().filter(|word| !is_weekday(word)).collect();
    let number =
        |word: &str| word.parse::<u32>().ok().filter(|day| word.len() <= 2 && (1..=31).contains(day));
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [day] | ["day", day] => civil(of_year, of_month, number(day)?),
        [a, b] => match (named(a), named(b)) {
            (Some(month), None) => civil(of_year, month, number(b)?),
            (None, Some(month)) => civil(of_year, month, number(a)?),
            _ => None,
        },
        _ => None,
    }
}

fn is_weekday(word: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| word.starts_with(day))
        && word.len() <= 9
}

/// The dates of headings, parsed in the way that best gives consecutive days.
pub(super) fn days_of(labels: &[&str], month: Option<Month>) -> Vec<Option<i32>> {
    let read = |format| labels.iter().map(|label| day_of(label, format, month)).collect::<Vec<_>>();
    let runs = |days: &Vec<Option<i32>>| {
        let there: Vec<i32> = days.iter().flatten().copied().collect();
        (there.windows(2).filter(|pair| pair[1] - pair[0] == 1).count(), there.len())
    };
    let mut evidence = DateEvidence::default();
    labels.iter().for_each(|label| evidence.see(label.as_bytes()));
    let certain = evidence.verdict().filter(|verdict| verdict.certain).map(|verdict| verdict.format);
    if let Some(format) = certain {
        return read(format);
    }
    let ways = [DateFormat::Dmy, DateFormat::Mdy, DateFormat::Ymd].map(read);
    ways.into_iter().rev().max_by_key(runs).unwrap_or_default()
}

/// The date in a text, if any: a range counts only if it begins and ends on the same day.
pub(super) fn single_day(text: &str) -> Option<String> {
    let is_date = |text: &str| {
        [DateFormat::Dmy, DateFormat::Mdy, DateFormat::Ymd]
            .iter()
            .any(|format| moment(text.as_bytes(), *format).is_ok())
    };
    let text = text.trim();
    if is_date(text) {
        return Some(text.to_owned());
    }
    [" to ", " - ", " – ", " through ", " until "].iter().find_map(|between| {
        let (from, to) = text.split_once(between)?;
        (from.trim() == to.trim() && is_date(from.trim())).then(|| from.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("From 13 Nov 2026 to 13 Nov 2026", true)]
    #[case("items-2026-11-13-2026-11-13.csv", true)]
    #[case("2026-11-13", true)]
    #[case("13-11-2026", true)]
    #[case("Sales 11/13/2026", true)]
    #[case("Nov 13th, 2026", true)]
    #[case("product_mix_20261113.xlsx", true)]
    #[case("Makati 20261113", true)]
    #[case("items-2026-11-13-2026-11-14.csv", false)]
    #[case("11-12-2026", false)]
    #[case("November 2026", false)]
    #[case("Larkspur Mall", false)]
    #[case("item 2 of 2026", false)]
    #[case("ñañaña 20", false)]
    fn a_title_tells_one_day(#[case] text: &str, #[case] tells: bool) {
        assert_eq!(one_day(text), tells.then_some(20_770));
    }
    #[rstest]
    #[case("Larkspur Mall", &["Larkspur Mall"])]
    #[case(" Larkspur Mall, 13 Nov 2026 - 13 Nov 2026", &["Larkspur Mall, 13 Nov 2026 - 13 Nov 2026", "Larkspur Mall"])]
    #[case("SM-North_2026-11-13", &["SM-North_2026-11-13", "SM-North", "SM North"])]
    #[case("Mall 2 (11-12-2026)", &["Mall 2 (11-12-2026)", "Mall 2"])]
    #[case("13 Nov 2026", &["13 Nov 2026"])]
    #[case("2026-11-13", &[])]
    #[case("8", &[])]
    fn a_title_may_be_a_store(#[case] text: &str, #[case] names: &[&str]) {
        assert_eq!(names_said(text), names);
    }
}
