//! A store's settings and count windows.

use super::Session;
use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::{BusinessDay, Factor, Timestamp};

const DAY: i64 = 24 * 60;
/// Before this minute of the day, a count without a session is an opening one.
const AFTERNOON: i64 = 14 * 60;

/// A range of minutes of the day; past 24 hours it ends on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    pub from: i64,
    /// Exclusive end.
    pub to: i64,
}

impl std::fmt::Display for Hours {
    /// `18:00 to 02:00`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", clock(self.from), clock(self.to))
    }
}

/// Wall-clock time.
pub(super) fn clock(minute: i64) -> String {
    let minute = minute.rem_euclid(DAY);
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// When a count of a day is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub from: Timestamp,
    /// Exclusive end.
    pub to: Timestamp,
}

impl Window {
    /// Whether a moment is inside.
    #[must_use]
    pub fn contains(self, at: Timestamp) -> bool {
        self.from <= at && at < self.to
    }
}

/// A store's count settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Only today and yesterday can be counted.
    pub restrict_date: bool,
    /// A session locks when its window ends.
    pub time_lock_enabled: bool,
    /// Counts are accepted inside the windows only.
    pub enforce_time_window: bool,
    /// The time determines the session.
    pub auto_session_by_time: bool,
    /// One user counts a session at a time.
    pub user_lock_enabled: bool,
    /// Counters do not see the expected stock.
    pub blind: bool,
    /// When the opening count is taken.
    pub opening: Hours,
    /// When the closing count is taken.
    pub closing: Hours,
    /// The ratio to the previous count from which the screen asks for confirmation.
    pub outlier_factor: Factor,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            restrict_date: true,
            time_lock_enabled: true,
            enforce_time_window: true,
            auto_session_by_time: true,
            user_lock_enabled: true,
            blind: false,
            opening: Hours { from: 5 * 60, to: 11 * 60 },
            closing: Hours { from: 18 * 60, to: 26 * 60 },
            outlier_factor: Factor(3_000_000_000),
        }
    }
}

impl Settings {
    /// Validation errors by field.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        for (hours, from, to) in
            [(self.opening, "openingFrom", "openingTo"), (self.closing, "closingFrom", "closingTo")]
        {
            if !(0..DAY).contains(&hours.from) {
                faults.push((from, "Enter a time of the day, in minutes from midnight."));
            } else if !(hours.from + 1..=hours.from + DAY).contains(&hours.to) {
                faults.push((to, "A window ends after it begins, at most a day later."));
            }
        }
        if !(1_000_000_000..=1_000_000_000_000).contains(&self.outlier_factor.0) {
            faults.push(("outlierFactor", "Enter 1 to 1,000."));
        }
        faults
    }

    /// The hours of a session; for a day without sessions, from the first to the last.
    #[must_use]
    pub fn hours(&self, session: Session) -> Hours {
        match session {
            Session::Opening => self.opening,
            Session::Closing => self.closing,
            Session::Whole => Hours {
                from: self.opening.from.min(self.closing.from),
                to: self.opening.to.max(self.closing.to),
            },
        }
    }

    /// The window of a day's count. A closing after midnight belongs to the previous day.
    #[must_use]
    pub fn window(&self, date: BusinessDay, session: Session) -> Window {
        let midnight = (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * 60;
        let hours = self.hours(session);
        let moment = |minute: i64| Timestamp((midnight + minute) * 60_000);
        Window { from: moment(hours.from), to: moment(hours.to) }
    }

    /// The session of a day's count when none is given.
    #[must_use]
    pub fn session_at(&self, date: BusinessDay, at: Timestamp) -> Session {
        let noon = (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * 60 + AFTERNOON;
        match () {
            () if !self.auto_session_by_time => Session::Whole,
            () if at < Timestamp(noon * 60_000) => Session::Opening,
            () => Session::Closing,
        }
    }

    /// The day and session being counted at a moment: after midnight the closing count of the previous day, while its
    /// window lasts.
    #[must_use]
    pub fn counting_at(&self, at: Timestamp) -> (BusinessDay, Session) {
        let today = BusinessDay::of(at);
        let before = today.plus(-1);
        let unfinished = self.window(before, Session::Closing).contains(at);
        let date = if unfinished && self.closing.to > DAY { before } else { today };
        (date, self.session_at(date, at))
    }

    /// Whether a count was made inside its window and arrived after it.
    #[must_use]
    pub fn is_late(&self, date: BusinessDay, session: Session, at: Timestamp, received: Timestamp) -> bool {
        let window = self.window(date, session);
        at < window.to && window.to <= received
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a time")
    }

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a date")
    }

    #[test]
    fn a_closing_count_after_midnight_belongs_to_the_day_it_began() {
        let house = Settings::default();
        let window = house.window(day("2026-11-19"), Session::Closing);
        assert_eq!(window.from, at("2026-11-19T18:00:00+08:00"));
        assert_eq!(window.to, at("2026-11-20T02:00:00+08:00"));
        let night = at("2026-11-20T01:59:59+08:00");
        assert!(window.contains(night) && !window.contains(at("2026-11-20T02:00:00+08:00")));
        assert_eq!(house.counting_at(night), (day("2026-11-19"), Session::Closing));
        let morning = at("2026-11-20T05:30:00+08:00");
        assert_eq!(house.counting_at(morning), (day("2026-11-20"), Session::Opening));
        assert_eq!(house.counting_at(at("2026-11-20T14:00:00+08:00")), (day("2026-11-20"), Session::Closing));
    }

    #[test]
    fn a_day_without_sessions_lasts_from_opening_to_closing() {
        let house = Settings { auto_session_by_time: false, ..Settings::default() };
        let (date, session) = house.counting_at(at("2026-11-20T12:00:00+08:00"));
        assert_eq!((date, session), (day("2026-11-20"), Session::Whole));
        assert_eq!(house.hours(session).to_string(), "05:00 to 02:00");
    }

    #[test]
    fn windows_end_after_they_begin() {
        assert_eq!(Settings::default().faults(), []);
        let wrong = Settings {
            opening: Hours { from: 660, to: 660 },
            closing: Hours { from: 1_440, to: 1_500 },
            outlier_factor: Factor(0),
            ..Settings::default()
        };
        let fields: Vec<&str> = wrong.faults().into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["openingTo", "closingFrom", "outlierFactor"]);
    }

    proptest! {
        #[test]
        fn a_current_count_is_inside_its_window_if_there_is_one(ms in 0i64..4_000_000_000_000) {
            let (house, now) = (Settings::default(), Timestamp(ms));
            let (date, session) = house.counting_at(now);
            let today = BusinessDay::of(now);
            prop_assert!(date == today || date == today.plus(-1));
            let open = [today.plus(-1), today].into_iter().flat_map(|day| {
                [Session::Opening, Session::Closing].map(|session| (day, session))
            }).filter(|(day, session)| house.window(*day, *session).contains(now)).collect::<Vec<_>>();
            prop_assert!(open.len() <= 1);
            prop_assert!(open.is_empty() || open == [(date, session)]);
        }
    }
}
