//! The sales of a file around midnight: whether a store sells past it, and when its day could begin instead.

use std::collections::{BTreeMap, BTreeSet};

use super::line::{FileTotals, Line, NONE, Tables};
use super::names::QuickMap;
use crate::BusinessDay;
use crate::day_starts::{DayStarts, STEP_MINUTES};

const DAY_SECONDS: i32 = 86_400;
/// Minutes from midnight to noon.
const MORNING: usize = 720;
/// Sales between midnight and this time may belong to the evening before, in seconds.
const NIGHT_SECONDS: i32 = 6 * 3_600;
/// A pause of at most this, in seconds, does not interrupt an evening.
const UNBROKEN_SECONDS: i32 = 2 * 3_600;
/// A store without a pause of this length between midnight and noon is open day and night, in minutes.
const LEAST_PAUSE: usize = 120;
/// Sales before this time are hardly those of a store that opens early, in minutes.
const SOON: usize = 180;
/// From this time on it is evening, in seconds.
const EVENING_SECONDS: i32 = 20 * 3_600;
/// Receipt numbers run on if they are at most this far apart; those between were voided.
const NEAR_NUMBERS: u64 = 20;
/// The most places kept at which a till passes midnight under one date.
const MOST_RUNS: usize = 1_000;
/// All times that no start can move: noon and later, past 24:00, and unknown ones.
const LATER: u64 = 1 << 48;

/// The sales of a calendar day.
#[derive(Debug, Clone)]
struct Day {
    /// Which quarters of an hour before noon have sales, from midnight on, and whether there are others.
    quarters: u64,
    /// The times of the first and the last sale, in seconds.
    first: i32,
    last: i32,
    /// What was sold in the quarters of an hour before noon that have sales, in no order, and at other times.
    morning: Vec<(u8, FileTotals)>,
    later: FileTotals,
}

impl Default for Day {
    fn default() -> Self {
        let (morning, later) = (Vec::new(), FileTotals::default());
        Self { quarters: 0, first: i32::MAX, last: -1, morning, later }
    }
}

impl Day {
    fn see(&mut self, line: &Line) {
        let seconds = line.seconds;
        let quarter = u8::try_from(seconds / (60 * STEP_MINUTES)).ok();
        let quarter = quarter.filter(|quarter| *quarter < 48 && seconds >= 0);
        self.quarters |= quarter.map_or(LATER, |quarter| 1 << quarter);
        if seconds >= 0 {
            self.first = self.first.min(seconds);
            self.last = self.last.max(seconds);
        }
        if line.counts() {
            self.sold_in(quarter).add(line.qty, line.net);
        }
    }

    /// What was sold in a quarter of an hour before noon; without one, at other times.
    fn sold_in(&mut self, quarter: Option<u8>) -> &mut FileTotals {
        let Some(quarter) = quarter else { return &mut self.later };
        // Neighbours are mostly of the same quarter.
        let at = self.morning.iter().rposition(|(known, _)| *known == quarter).unwrap_or(self.morning.len());
        if at == self.morning.len() {
            self.morning.push((quarter, FileTotals::default()));
        }
        &mut self.morning[at].1
    }

    fn merge(&mut self, other: &Self) {
        self.quarters |= other.quarters;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        for (quarter, sold) in &other.morning {
            self.sold_in(Some(*quarter)).add(sold.qty, sold.net);
        }
        self.later.add(other.later.qty, other.later.net);
    }
}

/// Two lines of a till, one after the other, before and after midnight, under one date.
#[derive(Debug, Clone, Copy)]
struct Run {
    store: u32,
    day: i32,
    receipts: (u32, u32),
    seconds: (i32, i32),
}

/// A store that sells past midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Night {
    /// The last sale before the longest pause, in minutes after midnight.
    pub until: i32,
    /// When its day could begin, in minutes after midnight: the middle of the longest pause between midnight and noon,
    /// rounded down to the hour.
    pub start: i32,
    /// Lines sold between midnight and that start.
    pub lines: i64,
}

/// Receipts whose numbers run on past midnight under one date: it is the business date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsOn {
    /// The number of the store's name, or [`NONE`].
    pub store: u32,
    /// In days since 1970-01-01.
    pub day: i32,
    /// The times of the receipts before and after midnight, in seconds.
    pub seconds: (i32, i32),
}

/// What is seen of the sales of a file's stores around midnight.
#[derive(Debug, Default)]
pub struct Nights {
    days: QuickMap<u32, BTreeMap<i32, Day>>,
    /// The lines of each minute before noon, by store.
    mornings: QuickMap<u32, Vec<u32>>,
    runs: Vec<Run>,
    /// Neighbours mostly share store and day.
    current: Option<((u32, i32), Day)>,
    /// The last evening line of each till, by the numbers of store and till.
    evenings: QuickMap<(u32, u32), Line>,
}

impl Nights {
    /// Adds a line as written; its date is not shifted.
    pub fn see(&mut self, line: &Line) {
        let key = (line.store, line.day);
        match &mut self.current {
            Some((known, day)) if *known == key => day.see(line),
            _ => {
                self.finish();
                let mut day = Day::default();
                day.see(line);
                self.current = Some((key, day));
            }
        }
        if line.seconds < 0 {
            return;
        }
        if let Some(minute) = usize::try_from(line.seconds / 60).ok().filter(|minute| *minute < MORNING) {
            let minutes = self.mornings.entry(line.store).or_insert_with(|| vec![0; MORNING]);
            minutes[minute] = minutes[minute].saturating_add(1);
        }
        // The lines of several tills may alternate.
        let till = (line.store, line.terminal);
        if line.seconds >= EVENING_SECONDS {
            self.evenings.insert(till, *line);
        } else if line.seconds < NIGHT_SECONDS
            && let Some(last) = self.evenings.remove(&till)
            && last.day == line.day
            && last.receipt != NONE
            && line.receipt != NONE
            && self.runs.len() < MOST_RUNS
        {
            self.runs.push(Run {
                store: line.store,
                day: line.day,
                receipts: (last.receipt, line.receipt),
                seconds: (last.seconds, line.seconds),
            });
        }
    }

    /// Must follow the last line.
    pub fn finish(&mut self) {
        if let Some(((store, date), day)) = self.current.take() {
            self.days.entry(store).or_default().entry(date).or_default().merge(&day);
        }
    }

    /// The numbers of the stores' names, in order; [`NONE`] for a file without store names.
    #[must_use]
    pub fn stores(&self) -> BTreeSet<u32> {
        self.days.keys().copied().collect()
    }

    /// A store's first day as written, in days since 1970-01-01.
    #[must_use]
    pub fn first_day(&self, store: u32) -> Option<i32> {
        self.days.get(&store)?.keys().next().copied()
    }

    /// A store's business dates, in days since 1970-01-01. `calendar_days`: the dates as written are calendar dates.
    #[must_use]
    pub fn business_days(
        &self,
        store: u32,
        starts: Option<&DayStarts>,
        calendar_days: bool,
    ) -> BTreeSet<i32> {
        let mut days = BTreeSet::new();
        for (date, day) in self.days.get(&store).into_iter().flatten() {
            let start = start_of(*date, starts, calendar_days);
            let before = (1_u64 << (start / STEP_MINUTES)) - 1;
            if day.quarters & before != 0 {
                days.insert(*date - 1);
            }
            if day.quarters & !before != 0 {
                days.insert(*date);
            }
        }
        days
    }

    /// What a store sold on each of its business dates, which are as in [`Self::business_days`].
    #[must_use]
    pub fn sums(
        &self,
        store: u32,
        starts: Option<&DayStarts>,
        calendar_days: bool,
    ) -> BTreeMap<i32, FileTotals> {
        let mut sums: BTreeMap<i32, FileTotals> = BTreeMap::new();
        for (date, day) in self.days.get(&store).into_iter().flatten() {
            let start = start_of(*date, starts, calendar_days);
            for (quarter, sold) in &day.morning {
                let before = i32::from(*quarter) * STEP_MINUTES < start;
                sums.entry(date - i32::from(before)).or_default().add(sold.qty, sold.net);
            }
            sums.entry(*date).or_default().add(day.later.qty, day.later.net);
        }
        sums
    }

    /// Whether a store sells past midnight, and until when. `None` if it closes before, or never. The dates are
    /// calendar dates. The evening before may be in another file: then a pause between the night's sales and the day's
    /// others says so.
    #[must_use]
    pub fn night(&self, store: u32) -> Option<Night> {
        let minutes = self.mornings.get(&store)?;
        let (from, to) = pause(minutes)?;
        let before_pause = |seconds: i32| usize::try_from(seconds / 60).is_ok_and(|minute| minute < from);
        let days = self.days.get(&store)?;
        let goes_on = |(date, day): (&i32, &Day)| {
            let broken = |last: i32| DAY_SECONDS - last + day.first > UNBROKEN_SECONDS;
            (0..NIGHT_SECONDS).contains(&day.first)
                && before_pause(day.first)
                && match days.get(&(date - 1)).map(|evening| evening.last) {
                    Some(last) => (0..DAY_SECONDS).contains(&last) && !broken(last),
                    None => !before_pause(day.last),
                }
        };
        days.iter().any(goes_on).then(|| night_of(minutes, (from, to)))
    }

    /// As [`Self::night`], where the evening before may have come by itself: sales soon after midnight
    /// are enough.
    #[must_use]
    pub fn past_midnight(&self, store: u32) -> Option<Night> {
        let minutes = self.mornings.get(&store)?;
        let (from, to) = pause(minutes)?;
        let soon = minutes[..from.min(SOON)].iter().any(|lines| *lines > 0);
        soon.then(|| night_of(minutes, (from, to)))
    }

    /// The first place where receipt numbers of a till run on past midnight under one date.
    #[must_use]
    pub fn runs_on(&self, tables: &Tables) -> Option<RunsOn> {
        let runs = self.runs.iter().find(|run| {
            let [before, after] =
                [run.receipts.0, run.receipts.1].map(|id| number(&tables.receipts.text(id)));
            let apart = after.zip(before).and_then(|(after, before)| after.checked_sub(before));
            apart.is_some_and(|apart| apart <= NEAR_NUMBERS)
        })?;
        Some(RunsOn { store: runs.store, day: runs.day, seconds: runs.seconds })
    }
}

/// When a date as written begins as a business date, in minutes after midnight.
fn start_of(date: i32, starts: Option<&DayStarts>, calendar_days: bool) -> i32 {
    starts.filter(|_| calendar_days).map_or(0, |starts| starts.start_on(BusinessDay(date)))
}

/// The night whose sales end where a pause begins.
fn night_of(minutes: &[u32], (from, to): (usize, usize)) -> Night {
    let start = (from + to) / 2 / 60 * 60;
    Night {
        until: i32::try_from(from - 1).unwrap_or(0),
        start: i32::try_from(start).unwrap_or(0),
        lines: minutes[..start].iter().map(|lines| i64::from(*lines)).sum(),
    }
}

/// The longest run of minutes without a sale between midnight and noon, after some sale: its first minute and the one
/// after its last. `None` if it is too short to end a day.
fn pause(minutes: &[u32]) -> Option<(usize, usize)> {
    let mut longest: Option<(usize, usize)> = None;
    let mut from = None;
    for (minute, sold) in minutes.iter().map(|lines| *lines > 0).chain([true]).enumerate() {
        if !sold {
            continue;
        }
        if let Some(from) = from.filter(|from| longest.is_none_or(|(start, end)| minute - from > end - start))
        {
            longest = Some((from, minute));
        }
        from = Some(minute + 1);
    }
    longest.filter(|(from, to)| to - from >= LEAST_PAUSE)
}

/// The digits at the end of a receipt number.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_end();
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    text[text.len() - digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;
    use crate::day_starts::Change;

    const FIRST: i32 = 20_770;

    fn line(day: i32, clock: &str, receipt: u32) -> Line {
        let (hours, minutes) = clock.split_once(':').expect("a clock time");
        let part = |text: &str| text.parse::<i32>().expect("a number");
        Line {
            row: 2,
            day,
            seconds: part(hours) * 3_600 + part(minutes) * 60,
            store: 0,
            terminal: NONE,
            receipt,
            item: 0,
            service: NONE,
            kind: Kind::Sale,
            qty: 1_000_000,
            unit_price: 100,
            discount: 0,
            net: 100,
            beside: NONE,
            parent: NONE,
        }
    }

    fn seen(lines: &[(i32, &str)]) -> Nights {
        let mut nights = Nights::default();
        for (receipt, (day, clock)) in (0..).zip(lines) {
            nights.see(&line(FIRST + day, clock, receipt));
        }
        nights.finish();
        nights
    }

    #[test]
    fn a_bar_that_sells_until_two_begins_its_day_in_the_pause_after() {
        let nights =
            seen(&[(0, "20:05"), (0, "23:40"), (1, "0:40"), (1, "2:10"), (1, "19:10"), (1, "19:30")]);
        // The pause from 02:11 to noon has its middle at 07:05.
        assert_eq!(nights.night(0), Some(Night { until: 130, start: 420, lines: 2 }));
        let starts = DayStarts::new([Change { from: BusinessDay(FIRST), minutes: 420 }]);
        let days =
            |starts, calendar| nights.business_days(0, starts, calendar).into_iter().collect::<Vec<_>>();
        assert_eq!(days(Some(&starts), true), [FIRST, FIRST + 1]);
        assert_eq!(days(Some(&starts), false), [FIRST, FIRST + 1]);
        let only_night = seen(&[(0, "23:40"), (1, "0:40"), (1, "6:59")]);
        assert_eq!(only_night.business_days(0, Some(&starts), true), BTreeSet::from([FIRST]));
        assert_eq!(only_night.business_days(0, None, true), BTreeSet::from([FIRST, FIRST + 1]));
    }

    #[test]
    fn the_sums_of_days_follow_their_start() {
        let mut nights = Nights::default();
        let sold =
            [(0, "20:05", 300), (1, "0:40", 900), (1, "2:10", 200), (1, "19:30", 50), (0, "23:40", 600)];
        for (day, clock, net) in sold {
            nights.see(&Line { net, ..line(FIRST + day, clock, 0) });
        }
        // What was never sold counts nothing.
        nights.see(&Line { kind: Kind::Void, ..line(FIRST + 1, "2:20", 0) });
        nights.finish();
        let starts = |minutes| DayStarts::new([Change { from: BusinessDay(FIRST), minutes }]);
        let sums = |minutes, calendar: bool| -> Vec<(i32, i64, i64)> {
            let sums = nights.sums(0, Some(&starts(minutes)), calendar);
            sums.iter().map(|(date, sold)| (date - FIRST, sold.qty / 1_000_000, sold.net)).collect()
        };
        assert_eq!(sums(420, true), [(0, 4, 2_000), (1, 1, 50)]);
        assert_eq!(sums(60, true), [(0, 3, 1_800), (1, 2, 250)]);
        let midnight = [(0, 2, 900), (1, 3, 1_150)];
        assert_eq!((sums(0, true), sums(420, false)), (midnight.to_vec(), midnight.to_vec()));
        assert_eq!(nights.sums(0, None, true).len(), 2);
        assert_eq!(nights.sums(7, None, true).len(), 0);
    }

    #[test]
    fn sales_soon_after_midnight_are_enough_where_the_evening_comes_by_itself() {
        let night = Night { until: 40, start: 360, lines: 1 };
        assert_eq!(seen(&[(1, "0:40")]).past_midnight(0), Some(night));
        assert_eq!(seen(&[(1, "0:40"), (1, "12:00")]).past_midnight(0), Some(night));
        // A store that opens early, one of the day, and one that is open day and night.
        assert_eq!(seen(&[(1, "3:00"), (1, "8:00")]).past_midnight(0), None);
        assert_eq!(seen(&[(1, "10:00"), (1, "21:00")]).past_midnight(0), None);
        let clocks: Vec<String> = (0..24).map(|hour| format!("{hour}:30")).collect();
        let all: Vec<(i32, &str)> = clocks.iter().map(|clock| (1, clock.as_str())).collect();
        assert_eq!(seen(&all).past_midnight(0), None);
    }

    #[test]
    fn other_stores_are_not_asked_about() {
        // Closed before midnight; a bakery after a long pause; day and night.
        assert_eq!(seen(&[(0, "21:50"), (1, "8:00")]).night(0), None);
        assert_eq!(seen(&[(0, "21:50"), (1, "3:00"), (1, "8:00")]).night(0), None);
        let clocks: Vec<String> = (0..24).map(|hour| format!("{hour}:30")).collect();
        let all: Vec<(i32, &str)> =
            (0..3).flat_map(|day| clocks.iter().map(move |clock| (day, clock.as_str()))).collect();
        assert_eq!(seen(&all).night(0), None);
        // No evening before, and nothing after.
        assert_eq!(seen(&[(1, "0:40"), (1, "2:10")]).night(0), None);
    }

    #[test]
    fn a_file_of_one_day_tells_its_night_by_the_pause_after() {
        let bar = seen(&[(1, "0:40"), (1, "2:10"), (1, "11:00"), (1, "18:20"), (1, "23:30")]);
        assert_eq!(bar.night(0), Some(Night { until: 130, start: 360, lines: 2 }));
        // Under business dates the numbers of receipts tell.
        // A bakery that goes on selling, a store that opens after a pause of the night, and one that is open day and night.
        let bakery = ["4:00", "5:10", "6:40", "7:50", "9:00", "10:30", "11:45", "17:00"];
        assert_eq!(seen(&bakery.map(|clock| (1, clock))).night(0), None);
        assert_eq!(seen(&[(1, "6:10"), (1, "11:00"), (1, "21:00")]).night(0), None);
        let clocks: Vec<String> = (0..24).map(|hour| format!("{hour}:30")).collect();
        let all: Vec<(i32, &str)> = clocks.iter().map(|clock| (1, clock.as_str())).collect();
        assert_eq!(seen(&all).night(0), None);
    }

    #[test]
    fn numbers_that_run_on_under_one_date_make_it_a_business_date() {
        let mut tables = Tables::default();
        for number in ["A-0098", "A-0099", "A-0100", "A-0001"] {
            tables.receipts.intern(number.as_bytes());
        }
        let nights = seen(&[(0, "23:20"), (0, "23:59"), (0, "0:01")]);
        let found = nights.runs_on(&tables).map(|found| (found.store, found.day, found.seconds));
        assert_eq!(found, Some((0, FIRST, (86_340, 60))));
        // Another till's number, or another date.
        let mut other = Nights::default();
        other.see(&line(FIRST, "23:59", 2));
        other.see(&line(FIRST, "0:01", 3));
        other.finish();
        assert_eq!(other.runs_on(&tables), None);
        assert_eq!(seen(&[(0, "23:59"), (1, "0:01")]).runs_on(&tables), None);
        // Two tills whose lines alternate.
        let mut two = Nights::default();
        let of_till =
            |till: u32, clock: &str, receipt: u32| Line { terminal: till, ..line(FIRST, clock, receipt) };
        for next in
            [of_till(1, "23:58", 1), of_till(2, "23:59", 3), of_till(1, "0:01", 2), of_till(2, "0:02", 0)]
        {
            two.see(&next);
        }
        two.finish();
        assert_eq!(two.runs_on(&tables).map(|found| found.seconds), Some((86_280, 60)));
    }

    #[test]
    fn the_longest_pause_follows_a_sale() {
        let minutes = |sold: &[usize]| -> Vec<u32> {
            (0..MORNING).map(|minute| u32::from(sold.contains(&minute))).collect()
        };
        assert_eq!(pause(&minutes(&[40, 130])), Some((131, 720)));
        assert_eq!(pause(&minutes(&[600, 700])), None, "the pause before the first sale ends no evening");
        assert_eq!(pause(&minutes(&[10, 300, 500])), Some((11, 300)));
    }
}
