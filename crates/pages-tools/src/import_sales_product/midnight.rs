//! Sales past midnight: to which day they belong, by the stores' settings and what is answered about a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use larder_domain::day_starts::{Change, DayStarts, clock, is_start};
use larder_domain::sales::day::Resolved;
use larder_domain::sales::line::{FileTotals, Line, NONE, Tables};
use larder_domain::sales::names::key;
use larder_domain::sales::nights::{Night, Nights};
use larder_domain::sales::{Field, Mapping};
use larder_domain::{BusinessDay, Money, Qty};
use serde_json::{Map, Value, json};

use super::layout::Layout;
use super::questions::{Ask, Choice, ChoiceDay, listed};
use larder_ledgers::day_starts;
use larder_ledgers::sales_names::Directory;

/// The question when the days of the file's stores begin.
pub const DAY_START: &str = "dayStart";
/// The question whether the printed date is the business date.
const NUMBERING: &str = "numbering";
/// All questions about sales past midnight.
pub const ASKS: [&str; 2] = [DAY_START, NUMBERING];
/// Its choices.
const EVENING: &str = "evening";
const CALENDAR: &str = "calendar";
/// Maximum number of days shown of a choice.
const MOST_DAYS: usize = 4;

/// What is sold on each business date (in days since 1970-01-01) of stores, by their names.
type DaySums = BTreeMap<(i32, String), FileTotals>;

/// What the names in a file mean, and how its dates are read.
pub struct Ground<'a> {
    pub mapping: &'a Mapping,
    pub layout: Option<&'a Layout>,
    pub tables: &'a Tables,
    pub directory: &'a Directory,
}

impl Ground<'_> {
    /// Whether the file's dates are calendar dates.
    #[must_use]
    pub fn has_calendar_days(&self) -> bool {
        if let Some(answered) = self.says_calendar() {
            return answered;
        }
        let column = self.layout.zip(self.mapping.column(Field::Date));
        let column = column.and_then(|(layout, at)| layout.columns.iter().find(|it| it.index == at));
        self.mapping.has_calendar_days(column.map_or("", |column| column.header.as_str()))
    }

    /// What was answered or set about the file's dates.
    fn says_calendar(&self) -> Option<bool> {
        let answer = self.mapping.answers.get(NUMBERING).map(String::as_str);
        let answered = [(EVENING, false), (CALENDAR, true)].into_iter().find(|(id, _)| Some(*id) == answer);
        answered.map(|(_, calendar)| calendar).or(self.mapping.calendar_days)
    }

    /// What was answered about a store, by the key of its name: when its days begin, in minutes after midnight.
    fn says_start(&self, key: &str) -> Option<i32> {
        self.mapping.day_starts.get(key).copied().filter(|minutes| is_start(*minutes))
    }

    /// Whether anything was answered about the file's stores.
    fn says_any(&self) -> bool {
        !self.mapping.day_starts.is_empty()
    }

    /// When the days of the file's stores begin: as set, or as answered about this file. `first_day` is a store's first
    /// day in the file.
    #[must_use]
    pub fn starts(&self, first_day: impl Fn(u32) -> Option<i32>) -> day_starts::OfStores {
        let mut starts = self.directory.day_starts().clone();
        for (store, change) in self.answered(first_day) {
            starts.insert(store, DayStarts::new([change]));
        }
        starts
    }

    /// The business dates of each store's sales, in days since 1970-01-01, by the number of its name; those of an unknown
    /// store as written.
    #[must_use]
    pub fn business_days(&self, nights: &Nights) -> BTreeMap<u32, BTreeSet<i32>> {
        let starts = self.starts(|store| nights.first_day(store));
        let calendar_days = self.has_calendar_days();
        let days = |store: u32| {
            let own = self.id(store).and_then(|id| starts.get(&id));
            (store, nights.business_days(store, own, calendar_days))
        };
        nights.stores().into_iter().map(days).collect()
    }

    /// The answers about stores whose days were never set.
    fn answered(&self, first_day: impl Fn(u32) -> Option<i32>) -> BTreeMap<Arc<str>, Change> {
        let mut answers: BTreeMap<Arc<str>, Change> = BTreeMap::new();
        if !self.says_any() {
            return answers;
        }
        for store in (0..).take(self.tables.stores.len()).chain([NONE]) {
            let (Some(minutes), Some(first)) = (self.says_start(&self.key(store)), first_day(store)) else {
                continue;
            };
            let Some(id) = self.id(store).filter(|id| !self.directory.day_starts().contains_key(id)) else {
                continue;
            };
            let change = Change { from: BusinessDay(first), minutes };
            answers.entry(id).and_modify(|known| known.from = known.from.min(change.from)).or_insert(change);
        }
        answers
    }

    fn id(&self, store: u32) -> Option<Arc<str>> {
        match store {
            NONE => self.mapping.store.as_ref().map(|store| store.fixed.as_str().into()),
            at => {
                let (name, code) = self.tables.coded_store(at as usize);
                self.directory.store_with_code(name, code)
            }
        }
    }

    /// The key of a store's name in the file; empty if no column names it.
    #[must_use]
    pub fn key(&self, store: u32) -> String {
        self.tables.stores.get(store as usize).map(|name| key(name)).unwrap_or_default()
    }

    fn name(&self, store: u32) -> String {
        let id = self.id(store);
        let known = id.as_deref().and_then(|id| self.directory.store_name(id));
        let named = self.tables.stores.get(store as usize).map(String::as_str);
        known.or(named).unwrap_or("The store").to_owned()
    }

    /// The open questions about sales past midnight. `sums` are those of the whole file, which no answer changes: lines,
    /// quantity and net.
    #[must_use]
    pub fn asks(&self, nights: &Nights, sums: (i64, Qty, Money)) -> Vec<Ask> {
        let calendar_days = self.has_calendar_days();
        if self.says_calendar().is_none()
            && calendar_days
            && let Some(found) = nights.runs_on(self.tables)
        {
            let (before, after) = (clock(found.seconds.0 / 60), clock(found.seconds.1 / 60));
            let about = format!(
                "Receipts of {} run on from {before} to {after} under the date {}. Is it the date of the evening?",
                self.name(found.store),
                BusinessDay(found.day).display()
            );
            let mut choices = vec![
                choice(
                    EVENING,
                    "Yes: receipts after midnight stay on this date",
                    json!({ "calendarDays": false }),
                    sums,
                ),
                choice(CALENDAR, "No: it is the date of the calendar", json!({ "calendarDays": true }), sums),
            ];
            let starts = self.starts(|store| nights.first_day(store));
            let all = nights.stores();
            let days = [false, true].map(|calendar_days| {
                self.day_sums(all.iter().map(|store| {
                    let own = self.id(*store).and_then(|id| starts.get(&id));
                    (*store, nights.sums(*store, own, calendar_days))
                }))
            });
            show_days(&mut choices, &days);
            return vec![Ask { id: NUMBERING.to_owned(), about, rows: 0, choices }];
        }
        let mut late: Vec<(u32, Night)> = Vec::new();
        // A business date already says to which day a sale belongs.
        for store in nights.stores().into_iter().filter(|_| calendar_days) {
            let known = self.id(store).is_some_and(|id| self.directory.day_starts().contains_key(&id));
            if !known && self.says_start(&self.key(store)).is_none() {
                late.extend(nights.night(store).map(|night| (store, night)));
            }
        }
        late.sort_by_key(|(store, _)| self.name(*store));
        self.about_starts(nights, &late, sums).into_iter().collect()
    }

    /// The sums of stores' days, by the number of the stores' names.
    fn day_sums(&self, of: impl Iterator<Item = (u32, BTreeMap<i32, FileTotals>)>) -> DaySums {
        let mut all = DaySums::new();
        for (store, days) in of {
            for (day, sold) in days {
                let sums = all.entry((day, self.name(store))).or_default();
                sums.qty = sums.qty.saturating_add(sold.qty);
                sums.net = sums.net.saturating_add(sold.net);
            }
        }
        all
    }

    /// The question when the days of stores begin that sell past midnight; one for all of them.
    fn about_starts(&self, nights: &Nights, late: &[(u32, Night)], sums: (i64, Qty, Money)) -> Option<Ask> {
        let until = clock(late.iter().map(|(_, night)| night.until).max()?);
        let about = match late {
            [(store, _)] => {
                format!("{} sold until {until} after midnight. Does its day end then?", self.name(*store))
            }
            _ => {
                let names: Vec<String> = late.iter().map(|(store, _)| self.name(*store)).collect();
                format!("{} sold until {until} after midnight. Do their days end then?", listed(&names))
            }
        };
        let all_at = |start: &dyn Fn(&Night) -> i32| {
            let starts = late.iter().map(|(store, night)| (self.key(*store), json!(start(night))));
            json!({ "dayStarts": starts.collect::<Map<String, Value>>() })
        };
        let first = late[0].1.start;
        let yes = if late.iter().all(|(_, night)| night.start == first) {
            format!("Yes: a day begins at {}", clock(first))
        } else {
            let each =
                late.iter().map(|(store, night)| format!("{} at {}", self.name(*store), clock(night.start)));
            format!("Yes: a day begins in {}", listed(&each.collect::<Vec<_>>()))
        };
        let mut choices = vec![
            choice("yes", &yes, all_at(&|night| night.start), sums),
            choice("no", "No: a day begins at midnight", all_at(&|_| 0), sums),
        ];
        let days_at = |start: &dyn Fn(&Night) -> i32| {
            self.day_sums(late.iter().map(|(store, night)| {
                let from = BusinessDay(nights.first_day(*store).unwrap_or_default());
                let starts = DayStarts::new([Change { from, minutes: start(night) }]);
                (*store, nights.sums(*store, Some(&starts), true))
            }))
        };
        show_days(&mut choices, &[days_at(&|night| night.start), days_at(&|_| 0)]);
        let rows = late.iter().map(|(_, night)| night.lines).sum();
        Some(Ask { id: DAY_START.to_owned(), about, rows, choices })
    }

    /// Gives resolved names the starts of their stores' days, as set and as answered.
    pub fn place(&self, lines: &[Line], resolved: &mut Resolved) {
        let first = self.first_days(lines);
        resolved.calendar_days = self.has_calendar_days();
        resolved.starts = self.starts(|store| first.get(&store).copied());
    }

    /// When the days of stores begin that were never set, as answered about this file.
    #[must_use]
    pub fn answers(&self, lines: &[Line]) -> BTreeMap<Arc<str>, Change> {
        let first = self.first_days(lines);
        self.answered(|store| first.get(&store).copied())
    }

    /// The first day of each store in the file; of none if nothing was answered.
    fn first_days(&self, lines: &[Line]) -> BTreeMap<u32, i32> {
        let mut first: BTreeMap<u32, i32> = BTreeMap::new();
        if !self.says_any() {
            return first;
        }
        for line in lines {
            let day = first.entry(line.store).or_insert(line.day);
            *day = line.day.min(*day);
        }
        first
    }
}

fn choice(id: &str, label: &str, set: Value, (lines, qty, net): (i64, Qty, Money)) -> Choice {
    let set = set.as_object().cloned().unwrap_or_default();
    Choice { id: id.to_owned(), label: label.to_owned(), set, lines, qty, net, days: Vec::new() }
}

/// Gives two choices the first days that differ between them. A day without sales has sums of zero.
fn show_days(choices: &mut [Choice], sums: &[DaySums; 2]) {
    let of = |at: usize, key: &(i32, String)| sums[at].get(key).copied().unwrap_or_default();
    let keys: BTreeSet<&(i32, String)> = sums.iter().flat_map(DaySums::keys).collect();
    let stores: BTreeSet<&str> = keys.iter().map(|(_, store)| store.as_str()).collect();
    let differ: Vec<&(i32, String)> =
        keys.into_iter().filter(|key| of(0, key) != of(1, key)).take(MOST_DAYS).collect();
    for (at, choice) in choices.iter_mut().enumerate().take(sums.len()) {
        let shown = |key: &&(i32, String)| {
            let sold = of(at, key);
            ChoiceDay {
                store: (stores.len() > 1).then(|| key.1.clone()),
                day: BusinessDay(key.0),
                qty: Qty(sold.qty),
                net: Money(sold.net),
            }
        };
        choice.days = differ.iter().map(shown).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(days: &[(i32, &str, i64)]) -> DaySums {
        let sold = |net: i64| FileTotals { qty: net * 10_000, net };
        days.iter().map(|(day, store, net)| ((*day, (*store).to_owned()), sold(*net))).collect()
    }

    /// The days of each choice: store, day and net.
    fn shown(
        first: &[(i32, &str, i64)],
        second: &[(i32, &str, i64)],
    ) -> [Vec<(Option<String>, i32, i64)>; 2] {
        let mut choices = ["yes", "no"].map(|id| choice(id, id, json!({}), (0, Qty(0), Money(0))));
        show_days(&mut choices, &[sums(first), sums(second)]);
        choices.map(|choice| choice.days.into_iter().map(|it| (it.store, it.day.0, it.net.0)).collect())
    }

    #[test]
    fn a_choice_shows_the_days_that_differ() {
        let [yes, no] = shown(
            &[(1, "Mall", 500), (3, "Mall", 70)],
            &[(1, "Mall", 300), (2, "Mall", 200), (3, "Mall", 70)],
        );
        assert_eq!(yes, [(None, 1, 500), (None, 2, 0)]);
        assert_eq!(no, [(None, 1, 300), (None, 2, 200)]);
        assert_eq!(shown(&[(1, "Mall", 500)], &[(1, "Mall", 500)]), [vec![], vec![]]);
    }

    #[test]
    fn of_several_stores_each_day_is_named_and_the_first_are_shown() {
        let days: Vec<(i32, &str, i64)> =
            (1..=3).flat_map(|day| [(day, "Bar", 5), (day, "Mall", 7)]).collect();
        let [yes, no] = shown(&days, &[]);
        let named = |day, store: &str, net| (Some(store.to_owned()), day, net);
        assert_eq!(yes, [named(1, "Bar", 5), named(1, "Mall", 7), named(2, "Bar", 5), named(2, "Mall", 7)]);
        assert_eq!(no.iter().map(|it| it.2).collect::<Vec<_>>(), [0; 4]);
    }
}
