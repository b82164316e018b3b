//! Interns values as small numbers, so that grouping keys are resolved once, not once per fact.

use std::collections::HashMap;
use std::sync::Arc;

use larder_domain::sales::names::QuickMap;
use larder_domain::{BusinessDay, Span};

use super::fields::{Of, OfItem, OfStore, Part, Words};
use super::names::Names;

/// Interned texts.
#[derive(Debug, Default)]
pub struct Interner {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Interner {
    /// The number of a text.
    pub fn of(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// The text of a number.
    pub fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

/// Maximum number of text dimensions of a fact.
pub const OWN: usize = 4;
/// Maximum number of figures of a fact.
pub const FIGURES: usize = 12;

/// A fact, with interned values.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// The business date, if needed.
    pub day: i32,
    pub store: u32,
    pub item: u32,
    pub unit: u32,
    pub own: [u32; OWN],
    pub figures: [i64; FIGURES],
}

/// The texts behind the numbers of facts.
#[derive(Debug, Default)]
pub struct Texts {
    pub stores: Interner,
    pub items: Interner,
    pub units: Interner,
    pub own: [Interner; OWN],
}

/// A dimension used for grouping or filtering.
#[derive(Debug)]
pub struct Dim {
    of: Of,
    /// Index among the text dimensions, if it is one.
    own: usize,
    keys: Interner,
    /// By the number of the store, item or text.
    known: Vec<Option<u32>>,
    days: QuickMap<i32, u32>,
}

impl Dim {
    /// For a field; `own` is its index among the text dimensions.
    pub fn new(of: Of, own: usize) -> Self {
        Self { of, own, keys: Interner::default(), known: Vec::new(), days: QuickMap::default() }
    }

    /// Whether it is a date dimension.
    pub fn is_date(&self) -> bool {
        matches!(self.of, Of::Date(_))
    }

    /// Whether it is an attribute of a store.
    pub fn is_store(&self) -> bool {
        matches!(self.of, Of::Store(_))
    }

    /// The key of a fact's value. `shift` moves a day of the previous period to its counterpart.
    pub fn key(&mut self, fact: &Fact, texts: &Texts, names: &Names, shift: Shift) -> u32 {
        if let Of::Date(part) = self.of {
            let day = if part == Part::Weekday { fact.day } else { shift.of(BusinessDay(fact.day)).0 };
            return self.day(part, day);
        }
        let slot = match self.of {
            Of::Store(_) => fact.store,
            Of::Item(_) => fact.item,
            _ => fact.own[self.own],
        } as usize;
        if slot >= self.known.len() {
            self.known.resize(slot + 1, None);
        }
        if let Some(key) = self.known[slot] {
            return key;
        }
        let number = u32::try_from(slot).unwrap_or(u32::MAX);
        let key = match self.of {
            Of::Store(part) => {
                let id = texts.stores.text(number);
                let store = names.store(id);
                self.keys.of(match part {
                    OfStore::Itself => id,
                    OfStore::Regional => store.map_or("", |store| &store.regional),
                    OfStore::Operational => store.map_or("", |store| &store.operational),
                    OfStore::Format => store.map_or("", |store| &store.format),
                })
            }
            Of::Item(OfItem::Itself) => self.keys.of(texts.items.text(number)),
            Of::Item(OfItem::Kind) => {
                let kind = names.item(texts.items.text(number)).map_or("", |item| &item.kind);
                self.keys.of(kind)
            }
            _ => self.keys.of(texts.own[self.own].text(number)),
        };
        self.known[slot] = Some(key);
        key
    }

    /// The key of a day.
    pub fn day(&mut self, part: Part, day: i32) -> u32 {
        if let Some(key) = self.days.get(&day) {
            return *key;
        }
        let key = self.keys.of(&part_of(part, BusinessDay(day)));
        self.days.insert(day, key);
        key
    }

    /// The key of a day, if this is a date dimension.
    pub fn of_day(&mut self, day: i32) -> Option<u32> {
        match self.of {
            Of::Date(part) => Some(self.day(part, day)),
            _ => None,
        }
    }

    /// The key as text.
    pub fn text(&self, key: u32) -> &str {
        let text = self.keys.text(key);
        match self.of {
            Of::Own(_, Words::Named) => text.split_once('|').map_or(text, |(id, _)| id),
            _ => text,
        }
    }

    /// Display name of the key.
    pub fn label(&self, key: u32, names: &Names) -> String {
        label(self.of, self.keys.text(key), names)
    }
}

/// Display name of a field's key.
#[must_use]
pub fn label(of: Of, key: &str, names: &Names) -> String {
    let or = |text: &str, none: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    match of {
        Of::Date(part) => date_label(part, key),
        Of::Store(OfStore::Itself) => names.store_name(key),
        Of::Store(part) => {
            let named = names.stores().find_map(|store| match part {
                OfStore::Regional if store.regional == key => Some(&store.regional_name),
                OfStore::Operational if store.operational == key => Some(&store.operational_name),
                OfStore::Format if store.format == key => Some(&store.format_name),
                _ => None,
            });
            or(named.map_or("", |name| name), if part == OfStore::Format { "No format" } else { "No area" })
        }
        Of::Item(OfItem::Itself) => names.item_name(key),
        Of::Item(OfItem::Kind) => or(key, "No category"),
        Of::Own(_, Words::Plain) => or(key, "None"),
        Of::Own(_, Words::Labelled(words)) => {
            let label = words.iter().find(|(known, _)| *known == key).map(|(_, word)| *word);
            label.map_or_else(|| or(key, "None"), str::to_owned)
        }
        Of::Own(_, Words::Named) => or(key.split_once('|').map_or(key, |(_, name)| name), "None"),
    }
}

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The first day with the same key of a date part as `day`; for a weekday, a day in 1970. `shift` moves a day
/// of the previous period as [`Dim::key`] does.
#[must_use]
pub fn first_alike(part: Part, day: BusinessDay, shift: Shift) -> BusinessDay {
    if part == Part::Weekday {
        return BusinessDay(i32::from(day.weekday()));
    }
    let day = shift.of(day);
    match part {
        Part::Day | Part::Weekday => day,
        Part::Week => day.week(),
        Part::Month => day.month(),
        Part::Quarter => month_at(day, -i32::from((day.date().month() - 1) % 3)),
        Part::Year => day.plus(1 - i32::from(day.date().day_of_year())),
    }
}

/// Key of a date part; keys sort chronologically.
#[must_use]
pub fn part_of(part: Part, day: BusinessDay) -> String {
    let date = day.date();
    match part {
        Part::Day => day.to_string(),
        Part::Week => day.week().to_string(),
        Part::Month => format!("{:04}-{:02}", date.year(), date.month()),
        Part::Quarter => format!("{:04}-Q{}", date.year(), (date.month() - 1) / 3 + 1),
        Part::Year => format!("{:04}", date.year()),
        Part::Weekday => (day.weekday() + 1).to_string(),
    }
}

fn date_label(part: Part, key: &str) -> String {
    match part {
        Part::Day => key.parse::<BusinessDay>().map_or_else(|_| key.to_owned(), |day| day.display()),
        Part::Week => key
            .parse::<BusinessDay>()
            .map_or_else(|_| key.to_owned(), |day| format!("Week {}, {}", day.iso_week().1, day.display())),
        Part::Month => key
            .split_once('-')
            .and_then(|(year, month)| {
                Some(format!("{} {year}", MONTHS.get(month.parse::<usize>().ok()? - 1)?))
            })
            .unwrap_or_else(|| key.to_owned()),
        Part::Quarter => {
            key.split_once('-').map_or_else(|| key.to_owned(), |(year, quarter)| format!("{quarter} {year}"))
        }
        Part::Year => key.to_owned(),
        Part::Weekday => key
            .parse::<usize>()
            .ok()
            .and_then(|day| WEEKDAYS.get(day.wrapping_sub(1)))
            .map_or_else(|| key.to_owned(), |name| (*name).to_owned()),
    }
}

/// The first of the month that is so many months after that of `day`, or before it if negative.
#[must_use]
pub fn month_at(day: BusinessDay, months: i32) -> BusinessDay {
    let date = day.date();
    let at = i32::from(date.year()) * 12 + i32::from(date.month()) - 1 + months;
    let year = i16::try_from(at.div_euclid(12)).unwrap_or(i16::MAX);
    let month = i8::try_from(at.rem_euclid(12) + 1).unwrap_or(1);
    BusinessDay::from_ymd(year, month, 1).unwrap_or(day)
}

/// Shift from an earlier period to the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// By days; 0 for the current period.
    Days(i32),
    /// By months: to the same day of the month, or to the last of a shorter one.
    Months(i32),
}

impl Shift {
    /// The day to compare with.
    pub fn of(self, day: BusinessDay) -> BusinessDay {
        match self {
            Self::Days(days) => day.plus(days),
            Self::Months(months) => {
                let last = month_at(day, months + 1).plus(-1);
                month_at(day, months).plus(day.0 - day.month().0).min(last)
            }
        }
    }

    /// The days that it moves into a range; `None` if there are none.
    #[must_use]
    pub fn before(self, span: Span) -> Option<Span> {
        let (first, last) = match self {
            Self::Days(days) => (span.from.plus(-days), span.to.plus(-days)),
            Self::Months(months) => (month_at(span.from, -months), month_at(span.to, 1 - months).plus(-1)),
        };
        let from = (first.0..=last.0).map(BusinessDay).find(|day| self.of(*day) >= span.from)?;
        let to = (from.0..=last.0).rev().map(BusinessDay).find(|day| self.of(*day) <= span.to)?;
        Some(Span { from, to })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PARTS: [Part; 6] = [Part::Day, Part::Week, Part::Month, Part::Quarter, Part::Year, Part::Weekday];

    proptest! {
        #[test]
        fn days_of_the_same_part_have_the_same_key(day in 10_000i32..30_000, on in 0i32..400, months in 0i32..14) {
            let (one, other) = (BusinessDay(day), BusinessDay(day + on));
            for part in PARTS {
                for shift in [Shift::Days(0), Shift::Days(7), Shift::Months(months)] {
                    let key = |day: BusinessDay| {
                        part_of(part, if part == Part::Weekday { day } else { shift.of(day) })
                    };
                    let same = first_alike(part, one, shift) == first_alike(part, other, shift);
                    prop_assert_eq!(same, key(one) == key(other), "{:?} {:?}", part, shift);
                }
            }
        }

        #[test]
        fn the_days_before_are_all_that_are_moved_into_a_range(day in 10_000i32..30_000, on in 0i32..70, months in 1i32..14) {
            let span = Span { from: BusinessDay(day), to: BusinessDay(day + on) };
            for shift in [Shift::Days(7), Shift::Days(on + 1), Shift::Months(months)] {
                let moved: Vec<BusinessDay> = (day - 500..=day + on)
                    .map(BusinessDay)
                    .filter(|day| (span.from..=span.to).contains(&shift.of(*day)))
                    .collect();
                let before = shift.before(span);
                let days = before.map_or(0, Span::days);
                prop_assert_eq!(i32::try_from(moved.len()).expect("few"), days, "{:?}", shift);
                let ends = before.map(|before| (before.from, before.to));
                prop_assert_eq!(moved.first().copied().zip(moved.last().copied()), ends, "{:?}", shift);
            }
        }
    }

    #[test]
    fn days_before_belong_to_the_day_they_are_compared_with() {
        let day = |text: &str| text.parse::<BusinessDay>().expect("a date");
        let span = |from: &str, to: &str| Span { from: day(from), to: day(to) };
        let end = Shift::Months(1).before(span("2026-02-28", "2026-02-28"));
        assert_eq!(end, Some(span("2026-01-28", "2026-01-31")));
        let week = Shift::Days(7).before(span("2026-02-03", "2026-02-04"));
        assert_eq!(week, Some(span("2026-01-27", "2026-01-28")));
        let quarter = Shift::Months(3).before(span("2026-04-01", "2026-06-30"));
        assert_eq!(quarter, Some(span("2026-01-01", "2026-03-31")));
        assert_eq!(Shift::Months(1).before(span("2026-03-29", "2026-03-31")), None);
        assert_eq!(month_at(day("2026-01-31"), -1), day("2025-12-01"));
    }
}
