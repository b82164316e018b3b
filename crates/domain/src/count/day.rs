//! What a day's entries come to, and which counts nobody has looked at yet.

use std::collections::{BTreeMap, BTreeSet};

use super::{Outcome, Session};
use crate::{BusinessDay, Timestamp};

/// A value that stands.
#[derive(Debug, Clone)]
pub struct Counted<'a> {
    /// The day it belongs to.
    pub date: BusinessDay,
    /// Which count of the day.
    pub session: Session,
    pub item_id: &'a str,
    /// When it was counted.
    pub at: Timestamp,
    /// Who counted it.
    pub by: &'a str,
    /// It came after the window.
    pub late: bool,
}

/// What a day's count comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub date: BusinessDay,
    /// There is an opening count: entries that are not of the closing one.
    pub opening: bool,
    /// There is a closing count.
    pub closing: bool,
    /// How many items were counted in either.
    pub counted: usize,
    /// How many in the opening count, or in the day's only one.
    pub opening_counted: usize,
    /// How many in the closing count.
    pub closing_counted: usize,
    /// When the first was counted.
    pub first_at: Option<Timestamp>,
    /// When the last was.
    pub last_at: Option<Timestamp>,
    /// Who counted, by name.
    pub by: Vec<String>,
    /// How many came after the window.
    pub late: usize,
}

/// What the days come to that have entries, in their order.
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

/// Something that happened to one value, in the order in which it came.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    /// Its name.
    pub op: &'a str,
    pub device_id: &'a str,
    /// Its number there.
    pub device_seq: i64,
    /// What became of it.
    pub outcome: Outcome,
    /// Its author saw what stood until then.
    pub knowing: bool,
    /// Somebody chose among the counts of several devices.
    pub chosen: bool,
}

/// What other devices counted and what does not stand, as places in `events`: the last word of each device, unless
/// somebody knew of it who counted after it, or chose. `standing` is the entry that stands.
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
    fn a_day_tells_how_much_when_and_by_whom() {
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
    fn what_two_counted_without_knowing_of_each_other_is_open() {
        use Outcome::{Applied, Declined, Held, Superseded};
        let mut events = vec![event("ana:1", Applied, false), event("ben:1", Applied, false)];
        assert_eq!(open_counts(&events, "ben:1"), [0]);
        // Ana counts again, and it is not the last word.
        events.push(event("ana:2", Superseded, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        events.push(event("cara:1", Held, false));
        events.push(event("dan:1", Declined, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        // An older save that comes late is not her word any more.
        events.push(event("ana:1", Superseded, false));
        assert_eq!(open_counts(&events, "ben:1"), [2]);
        // Ben knows his own count, not hers.
        events.push(event("ben:2", Applied, true));
        assert_eq!(open_counts(&events, "ben:2"), [2]);
        events.push(event("server-1:1", Applied, true));
        assert_eq!(open_counts(&events, "server-1:1"), Vec::<usize>::new());
        events.push(event("cara:2", Superseded, false));
        assert_eq!(open_counts(&events, "server-1:1"), [8]);
    }

    #[test]
    fn who_counts_after_somebody_and_knows_it_leaves_nothing_open() {
        use Outcome::Applied;
        let events = [event("ana:1", Applied, false), event("ben:1", Applied, true)];
        assert_eq!(open_counts(&events, "ben:1"), Vec::<usize>::new());
    }
}
