//! Summaries of a day's entries, and counts that await a choice.

use std::collections::{BTreeMap, BTreeSet};

use super::{Outcome, Session};
use crate::{BusinessDay, Timestamp};

/// A current value.
#[derive(Debug, Clone)]
pub struct Counted<'a> {
    pub date: BusinessDay,
    pub session: Session,
    pub item_id: &'a str,
    pub at: Timestamp,
    pub by: &'a str,
    /// It arrived after the window.
    pub late: bool,
}

/// Summary of a day's counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub date: BusinessDay,
    /// There is an opening count: entries that are not of the closing one.
    pub opening: bool,
    pub closing: bool,
    /// Items counted in either.
    pub counted: usize,
    /// Items in the opening count, or in the day's only one.
    pub opening_counted: usize,
    /// Items in the closing count.
    pub closing_counted: usize,
    pub first_at: Option<Timestamp>,
    pub last_at: Option<Timestamp>,
    /// Names of the users who counted.
    pub by: Vec<String>,
    /// Entries that arrived after the window.
    pub late: usize,
}

/// Summaries of the days that have entries, in order.
#[must_use]
pub fn summarise(entries: &[Counted<'_>]) -> Vec<Summary> {
    let mut days: BTreeMap<BusinessDay, Vec<&Counted<'_>>> = BTreeMap::new();
    for entry in entries {
        days.entry(entry.date).or_default().push(entry);
    }
    days.into_iter().map(|(date, entries)| day(date, &entries)).collect()
}

fn day(date: BusinessDay, entries: &[&Counted<'_>]) -> Summary {
    let items = |closing: Option<bool>| {
        let of =
            entries.iter().filter(|one| closing.is_none_or(|it| it == (one.session == Session::Closing)));
        of.map(|entry| entry.item_id).collect::<BTreeSet<_>>().len()
    };
    let (opening_counted, closing_counted) = (items(Some(false)), items(Some(true)));
    let by: BTreeSet<&str> = entries.iter().map(|entry| entry.by).filter(|by| !by.is_empty()).collect();
    Summary {
        date,
        opening: opening_counted > 0,
        closing: closing_counted > 0,
        counted: items(None),
        opening_counted,
        closing_counted,
        first_at: entries.iter().map(|entry| entry.at).min(),
        last_at: entries.iter().map(|entry| entry.at).max(),
        by: by.into_iter().map(str::to_owned).collect(),
        late: entries.iter().filter(|entry| entry.late).count(),
    }
}

/// An event on one value, in order of arrival.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    /// The save's name.
    pub op: &'a str,
    pub device_id: &'a str,
    /// Its number on its device.
    pub device_seq: i64,
    pub outcome: Outcome,
    /// Its author had seen the value current until then.
    pub knowing: bool,
    /// A user chose among the counts of several devices.
    pub chosen: bool,
}

/// Other devices' counts that are not current, as indexes into `events`: the last entry of each device, unless a user
/// who knew of it counted afterwards, or chose. `standing` is the current entry.
#[must_use]
pub fn open_counts(events: &[Happened<'_>], standing: &str) -> Vec<usize> {
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    let mut stood: Option<usize> = None;
    for (place, event) in events.iter().enumerate() {
        match event.outcome {
            Outcome::Applied if event.chosen => last.clear(),
            Outcome::Applied if event.knowing => {
                if let Some(before) = stood {
                    last.retain(|_, place| *place != before);
                }
            }
            Outcome::Applied | Outcome::Superseded => {}
            Outcome::Held | Outcome::Declined => continue,
        }
        if event.outcome == Outcome::Applied {
            stood = Some(place);
        }
        let newest =
            last.get(event.device_id).is_none_or(|place| events[*place].device_seq < event.device_seq);
        if newest {
            last.insert(event.device_id, place);
        }
    }
    let device = events.iter().find(|event| event.op == standing).map(|event| event.device_id);
    let mut open: Vec<usize> =
        last.into_values().filter(|place| device != Some(events[*place].device_id)).collect();
    open.sort_unstable();
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(session: Session, item_id: &'static str, ms: i64, by: &'static str) -> Counted<'static> {
        Counted { date: BusinessDay(7), session, item_id, at: Timestamp(ms), by, late: ms > 100 }
    }

    #[test]
    fn a_day_has_an_opening_count_unless_its_entries_carry_closing() {
        let of = |sessions: &[Session]| {
            let entries: Vec<_> = sessions.iter().map(|session| counted(*session, "a", 1, "Ana")).collect();
            summarise(&entries).first().map(|day| (day.opening, day.closing))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[Session::Whole]), Some((true, false)));
        assert_eq!(of(&[Session::Opening]), Some((true, false)));
        assert_eq!(of(&[Session::Closing]), Some((false, true)));
        assert_eq!(of(&[Session::Closing, Session::Whole]), Some((true, true)));
    }

    #[test]
    fn a_summary_has_how_much_when_and_by_whom() {
        let entries = [
            counted(Session::Opening, "a", 10, "Ben"),
            counted(Session::Closing, "a", 105, "Ana"),
            counted(Session::Closing, "b", 50, "Ben"),
            Counted { date: BusinessDay(3), ..counted(Session::Whole, "c", 5, "") },
        ];
        let days = summarise(&entries);
        assert_eq!(days.iter().map(|day| day.date.0).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(days[0].by, Vec::<String>::new());
        let Summary { counted, opening_counted, closing_counted, first_at, last_at, by, late, .. } = &days[1];
        assert_eq!((*counted, *opening_counted, *closing_counted, *late), (2, 1, 2, 1));
        assert_eq!((*first_at, *last_at), (Some(Timestamp(10)), Some(Timestamp(105))));
        assert_eq!(by, &["Ana", "Ben"]);
    }

    fn event(op: &'static str, outcome: Outcome, knowing: bool) -> Happened<'static> {
        let (device_id, seq) = op.rsplit_once(':').expect("a name");
        let device_seq = seq.parse().expect("a number");
        Happened { op, device_id, device_seq, outcome, knowing, chosen: device_id.starts_with("server") }
    }

    #[test]
    fn concurrent_counts_stay_open() {
        use Outcome::{Applied, Declined, Held, Superseded};
        let mut events = vec![event("ana:1", Applied, false), event("ben:1", Applied, false)];
        assert_eq!(open_counts(&events, "ben:1"), [0]);
        // Ana counts again, so this is not her last entry.
        events.push(event("ana:2", Superseded, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        events.push(event("cara:1", Held, false));
        events.push(event("dan:1", Declined, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        // An older save that arrives late is not her last entry either.
        events.push(event("ana:1", Superseded, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        // Ben has seen his own count, not hers.
        events.push(event("ben:2", Applied, true));
        assert_eq!(open_counts(&events, "ben:2"), [2]);
        events.push(event("server-1:1", Applied, true));
        assert_eq!(open_counts(&events, "server-1:1"), Vec::<usize>::new());
        events.push(event("cara:2", Superseded, false));
        assert_eq!(open_counts(&events, "server-1:1"), [8]);
    }

    #[test]
    fn a_count_that_knows_of_the_others_leaves_nothing_open() {
        use Outcome::Applied;
        let events = [event("ana:1", Applied, false), event("ben:1", Applied, true)];
        assert_eq!(open_counts(&events, "ben:1"), Vec::<usize>::new());
    }
}
