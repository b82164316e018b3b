//! The outcome of an arriving entry, in any order of arrival.

use super::settings::clock;
use super::{Key, Session, Settings};
use crate::words::words;
use crate::{BusinessDay, Timestamp};

words! {
    /// The outcome of an entry.
    #[cfg_attr(feature = "schema", schema(as = CountOutcome))]
    #[serde(rename_all = "lowercase")]
    Outcome {
        /// It became the current value on arrival.
        Applied = "applied",
        /// Another value is current; it stays in the history.
        Superseded = "superseded",
        /// A user must decide.
        Held = "held",
        /// A user declined it; it stays in the history.
        Declined = "declined",
    }
}

words! {
    /// Why a user must decide about an entry.
    #[cfg_attr(feature = "schema", schema(as = CountHeldFor))]
    #[serde(rename_all = "lowercase")]
    HeldFor {
        /// The session was locked when it was made.
        Locked = "locked",
        /// It was made outside the count window or on another day.
        Window = "window",
        /// The sender has no access to the store.
        Scope = "scope",
        Item = "item",
    }
}

/// The time an entry was made: its device's clock corrected by that clock's error when the entry was sent, and never
/// later than now.
#[must_use]
pub fn stands_at(at: Timestamp, sent_at: Timestamp, now: Timestamp) -> Timestamp {
    let age = i128::from(sent_at.0) - i128::from(at.0);
    let made = i128::from(now.0) - age;
    let made = made.clamp(i128::from(i64::MIN), i128::from(now.0));
    Timestamp(i64::try_from(made).unwrap_or(now.0))
}

/// A current value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// How often the value was set.
    pub revision: i64,
    /// When the entry that set it was made.
    pub stands_at: Timestamp,
    pub device_id: String,
    /// Its number on that device.
    pub device_seq: i64,
}

/// An arriving entry.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    pub device_id: &'a str,
    /// Its number on that device.
    pub seq: i64,
    /// When it was made: [`stands_at`].
    pub stands_at: Timestamp,
    /// The revision its author saw.
    pub base: Option<i64>,
}

/// Whether an entry becomes the current value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    Apply {
        /// Its author had seen the current value.
        knowing: bool,
    },
    /// The current value stays; the entry is kept in the history.
    Supersede,
}

/// Decides which value is current. Between entries of one device, the larger number (`seen` is the largest received
/// from it), regardless of the clock; else the entry whose author saw the current value; else the later one, and at
/// equal times the one whose device name sorts later.
#[must_use]
pub fn plan(entry: Entry<'_>, standing: Option<&Standing>, seen: Option<i64>) -> Plan {
    if seen.is_some_and(|seen| entry.seq < seen) {
        return Plan::Supersede;
    }
    let Some(standing) = standing else { return Plan::Apply { knowing: false } };
    let knowing = entry.base == Some(standing.revision);
    let later = || (entry.stands_at, entry.device_id) > (standing.stands_at, standing.device_id.as_str());
    let stands = if entry.device_id == standing.device_id {
        entry.seq > standing.device_seq
    } else {
        knowing || later()
    };
    if stands { Plan::Apply { knowing } } else { Plan::Supersede }
}

/// The conditions an entry meets.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    pub settings: &'a Settings,
    /// A user reopened the session.
    pub unlocked: bool,
    /// The sender has access to the store.
    pub in_scope: bool,
    pub counted_here: bool,
}

/// Why a user must decide about an entry, with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    pub reason: HeldFor,
    /// A message for the counter.
    pub words: String,
}

/// Whether a user must decide about an entry. `at` is when it was made, not when it arrived. A reopened session accepts
/// everything up to now; future days cannot be counted.
#[must_use]
pub fn hold(key: &Key, at: Timestamp, meets: Held<'_>) -> Option<Hold> {
    let held = |reason, words: &str| Some(Hold { reason, words: words.to_owned() });
    if !meets.in_scope {
        return held(HeldFor::Scope, "You don't have access to this store.");
    }
    if !meets.counted_here {
        return held(HeldFor::Item, "This item is not counted here any more.");
    }
    let (settings, today) = (meets.settings, BusinessDay::of(at));
    if key.date > today {
        return held(HeldFor::Window, &format!("{} had not begun yet.", key.date.display()));
    }
    if meets.unlocked {
        return None;
    }
    let (window, hours) = (settings.window(key.date, key.session), settings.hours(key.session));
    if settings.time_lock_enabled && at >= window.to {
        let (what, date, time) = (key.session.title(), short(key.date), clock(hours.to));
        return held(HeldFor::Locked, &format!("The {what} of {date} was locked at {time}."));
    }
    if settings.restrict_date && key.date < today.plus(-1) {
        return held(HeldFor::Window, "Counts are taken for today and yesterday.");
    }
    if settings.enforce_time_window && !window.contains(at) {
        let what = match key.session {
            Session::Whole => "Counts",
            Session::Opening => "Opening counts",
            Session::Closing => "Closing counts",
        };
        return held(HeldFor::Window, &format!("{what} are taken from {hours}."));
    }
    None
}

/// `19 Nov`.
fn short(date: BusinessDay) -> String {
    date.date().strftime("%-d %b").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a time")
    }

    fn key(session: Session) -> Key {
        Key {
            store_id: "s".into(),
            date: "2026-11-19".parse().expect("a date"),
            session,
            item_id: "i".into(),
        }
    }

    fn met(settings: &Settings) -> Held<'_> {
        Held { settings, unlocked: false, in_scope: true, counted_here: true }
    }

    fn why(key: &Key, moment: &str, meets: Held<'_>) -> Option<(HeldFor, String)> {
        hold(key, at(moment), meets).map(|hold| (hold.reason, hold.words))
    }

    #[test]
    fn a_wrong_clock_is_corrected_when_it_sends() {
        let made = |made, sent, now| stands_at(Timestamp(made), Timestamp(sent), Timestamp(now)).0;
        assert_eq!(made(1_000, 1_500, 90_000), 89_500);
        assert_eq!(made(5_000, 1_500, 90_000), 90_000, "not later than now");
        assert_eq!(made(i64::MIN, i64::MAX, 0), i64::MIN);
        assert_eq!(made(i64::MAX, i64::MIN, 7), 7);
    }

    #[test]
    fn the_hours_are_those_when_it_was_made() {
        let house = Settings::default();
        let closing = key(Session::Closing);
        assert_eq!(why(&closing, "2026-11-19T18:00:00+08:00", met(&house)), None);
        assert_eq!(why(&closing, "2026-11-20T01:59:59+08:00", met(&house)), None);
        assert_eq!(
            why(&closing, "2026-11-20T02:00:00+08:00", met(&house)),
            Some((HeldFor::Locked, "The closing count of 19 Nov was locked at 02:00.".into()))
        );
        assert_eq!(
            why(&closing, "2026-11-19T17:59:59+08:00", met(&house)),
            Some((HeldFor::Window, "Closing counts are taken from 18:00 to 02:00.".into()))
        );
        let unlocked = Held { unlocked: true, ..met(&house) };
        assert_eq!(why(&closing, "2026-11-25T12:00:00+08:00", unlocked), None);
        assert_eq!(
            why(&closing, "2026-11-18T23:59:59+08:00", unlocked),
            Some((HeldFor::Window, "19 Nov 2026 had not begun yet.".into()))
        );
    }

    #[test]
    fn every_rule_can_be_switched_off() {
        let free = Settings { time_lock_enabled: false, enforce_time_window: false, ..Settings::default() };
        let whole = key(Session::Whole);
        assert_eq!(why(&whole, "2026-11-20T23:59:59+08:00", met(&free)), None);
        assert_eq!(
            why(&whole, "2026-11-21T00:00:00+08:00", met(&free)),
            Some((HeldFor::Window, "Counts are taken for today and yesterday.".into()))
        );
        let any_day = Settings { restrict_date: false, ..free.clone() };
        assert_eq!(why(&whole, "2027-11-21T00:00:00+08:00", met(&any_day)), None);
        let locked_only = Settings { enforce_time_window: false, ..Settings::default() };
        assert_eq!(why(&key(Session::Opening), "2026-11-19T04:00:00+08:00", met(&locked_only)), None);
        let hours_only = Settings { time_lock_enabled: false, ..Settings::default() };
        assert_eq!(
            why(&key(Session::Opening), "2026-11-19T11:00:00+08:00", met(&hours_only)),
            Some((HeldFor::Window, "Opening counts are taken from 05:00 to 11:00.".into()))
        );
        assert_eq!(
            why(&whole, "2026-11-20T02:30:00+08:00", met(&Settings::default())),
            Some((HeldFor::Locked, "The count of 19 Nov was locked at 02:00.".into()))
        );
    }

    #[test]
    fn the_store_comes_before_the_item_and_both_before_the_clock() {
        let house = Settings::default();
        let outside = Held { in_scope: false, counted_here: false, ..met(&house) };
        let gone = Held { counted_here: false, ..met(&house) };
        let key = key(Session::Opening);
        let noon = "2026-11-19T12:00:00+08:00";
        assert_eq!(why(&key, noon, outside).map(|hold| hold.0), Some(HeldFor::Scope));
        assert_eq!(
            why(&key, noon, gone),
            Some((HeldFor::Item, "This item is not counted here any more.".into()))
        );
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for one in Outcome::ALL {
            assert_eq!(Outcome::parse(one.as_str()), Some(*one));
            assert_eq!(serde_json::to_value(one).ok(), Some(one.as_str().into()));
        }
        for one in HeldFor::ALL {
            assert_eq!(HeldFor::parse(one.as_str()), Some(*one));
            assert_eq!(serde_json::to_value(one).ok(), Some(one.as_str().into()));
        }
    }

    /// Storage of one value, like the ledger's.
    #[derive(Default)]
    struct ItemCount {
        standing: Option<Standing>,
        seen: std::collections::BTreeMap<String, i64>,
    }

    impl ItemCount {
        fn take(&mut self, entry: Entry<'_>) -> Plan {
            let seen = self.seen.get(entry.device_id).copied();
            let plan = plan(entry, self.standing.as_ref(), seen);
            let largest = self.seen.entry(entry.device_id.to_owned()).or_insert(entry.seq);
            *largest = entry.seq.max(*largest);
            if let Plan::Apply { .. } = plan {
                self.standing = Some(Standing {
                    revision: self.standing.as_ref().map_or(0, |standing| standing.revision) + 1,
                    stands_at: entry.stands_at,
                    device_id: entry.device_id.to_owned(),
                    device_seq: entry.seq,
                });
            }
            plan
        }

        fn stands(&self) -> Option<(&str, i64)> {
            self.standing.as_ref().map(|standing| (standing.device_id.as_str(), standing.device_seq))
        }
    }

    /// Saves of several devices: (device, number, time), numbered in the order they were made.
    fn saves() -> impl Strategy<Value = Vec<(String, i64, Timestamp)>> {
        prop::collection::vec(("[abc]", 0i64..50), 1..20).prop_map(|saves| {
            let mut now = 0;
            (1..)
                .zip(saves)
                .map(|(seq, (device, pause))| {
                    now += pause;
                    (device, seq, Timestamp(now))
                })
                .collect()
        })
    }

    fn entry((device_id, seq, stands_at): &(String, i64, Timestamp), base: Option<i64>) -> Entry<'_> {
        Entry { device_id, seq: *seq, stands_at: *stands_at, base }
    }

    proptest! {
        #[test]
        fn in_any_order_of_arrival_the_last_one_made_wins(
            (saves, shuffled) in saves().prop_flat_map(|saves| (Just(saves.clone()), Just(saves).prop_shuffle()))
        ) {
            let mut count = ItemCount::default();
            for save in &shuffled {
                count.take(entry(save, None));
            }
            let last = saves.iter().max_by_key(|(device, _, at)| (*at, device.clone()));
            // Of one device at one moment, the larger number.
            let last = last.map(|(device, _, at)| {
                let numbers = saves.iter().filter(|save| save.0 == *device && save.2 == *at).map(|save| save.1);
                (device.as_str(), numbers.max().unwrap_or_default())
            });
            prop_assert_eq!(count.stands(), last);
        }

        #[test]
        fn of_one_device_the_larger_number_wins_regardless_of_its_clock(
            (moments, order) in prop::collection::vec(any::<i32>(), 1..12).prop_flat_map(|moments| {
                let order: Vec<usize> = (0..moments.len()).collect();
                (Just(moments), Just(order).prop_shuffle())
            })
        ) {
            let mut count = ItemCount::default();
            for n in &order {
                let at = Timestamp(i64::from(moments[*n]));
                count.take(Entry { device_id: "tab", seq: *n as i64 + 1, stands_at: at, base: None });
            }
            prop_assert_eq!(count.stands(), Some(("tab", moments.len() as i64)));
        }

        #[test]
        fn an_author_who_saw_the_current_value_wins(saves in saves(), at in any::<i32>()) {
            let mut count = ItemCount::default();
            for save in &saves {
                count.take(entry(save, None));
            }
            let base = count.standing.as_ref().map(|standing| standing.revision);
            let knowing = Entry { device_id: "other", seq: 1, stands_at: Timestamp(i64::from(at)), base };
            prop_assert_eq!(count.take(knowing), Plan::Apply { knowing: true });
            prop_assert_eq!(count.stands(), Some(("other", 1)));
        }

        #[test]
        fn an_older_save_of_a_device_never_comes_back(
            (saves, shuffled) in saves().prop_flat_map(|saves| (Just(saves.clone()), Just(saves).prop_shuffle())),
            wrong in prop::collection::vec(any::<i32>(), 20),
            bases in prop::collection::vec(prop::option::of(0i64..6), 20),
        ) {
            // Clocks that jump, and authors who have seen any revision.
            let mut count = ItemCount::default();
            for (n, save) in shuffled.iter().enumerate() {
                let at = Timestamp(i64::from(wrong[n % wrong.len()]));
                count.take(Entry { stands_at: at, ..entry(save, bases[n % bases.len()]) });
                let (device, seq) = count.stands().expect("a current value");
                prop_assert_eq!(count.seen.get(device), Some(&seq));
            }
            prop_assert!(saves.iter().any(|(device, seq, _)| count.stands() == Some((device, *seq))));
        }
    }
}
