//! Times of a simulated world: minutes since 00:00 of its first day, in the stores' time zone.

/// Minutes since the beginning of the world.
pub type Minute = i64;

/// Minutes of a day.
pub const DAY: Minute = 24 * 60;

/// The stores' time zone, ahead of UTC.
const OFFSET_MINUTES: i64 = 8 * 60;

/// A time of a day of the world.
#[must_use]
pub fn at(day: usize, hour: i64, minute: i64) -> Minute {
    i64::try_from(day).unwrap_or(0) * DAY + hour * 60 + minute
}

/// The day of a time, counted from the world's first.
#[must_use]
pub fn day_of(at: Minute) -> usize {
    usize::try_from(at.div_euclid(DAY)).unwrap_or(0)
}

/// The world's days on the calendar.
#[derive(Debug, Clone, Copy)]
pub struct Calendar {
    /// The first day, in days since 1970-01-01.
    pub first: i64,
}

impl Calendar {
    /// The calendar whose first day begins after this time, in milliseconds since 1970 UTC.
    #[must_use]
    pub fn after(now_ms: i64) -> Self {
        let minutes = now_ms.div_euclid(60_000) + OFFSET_MINUTES;
        Self { first: minutes.div_euclid(DAY) + 1 }
    }

    /// A time of the world, in milliseconds since 1970 UTC.
    #[must_use]
    pub fn ms(self, at: Minute) -> i64 {
        (self.first * DAY + at - OFFSET_MINUTES) * 60_000
    }

    /// The date of a day of the world: `2026-11-25`.
    #[must_use]
    pub fn date(self, day: usize) -> String {
        let (year, month, day) = civil(self.first + i64::try_from(day).unwrap_or(0));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The weekday of a day of the world, as in the API: Monday is 1, Sunday 7.
    #[must_use]
    pub fn weekday(self, day: usize) -> i64 {
        (self.first + i64::try_from(day).unwrap_or(0) + 3).rem_euclid(7) + 1
    }

    /// A time as RFC 3339 in UTC.
    #[must_use]
    pub fn moment(self, at: Minute) -> String {
        let minutes = self.first * DAY + at - OFFSET_MINUTES;
        let (year, month, day) = civil(minutes.div_euclid(DAY));
        let minute = minutes.rem_euclid(DAY);
        format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:00.000Z", minute / 60, minute % 60)
    }
}

/// Year, month and day of a number of days since 1970-01-01 (Howard Hinnant, «chrono-compatible low-level date
/// algorithms», civil_from_days).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// `Day 3, 06:30`, with days counted from 1.
#[must_use]
pub fn shown(at: Minute) -> String {
    let minute = at.rem_euclid(DAY);
    format!("Day {}, {:02}:{:02}", day_of(at) + 1, minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        // 24 Nov 2026, 10:20 in the stores.
        let calendar = Calendar::after(1_795_486_800_000);
        assert_eq!(calendar.date(0), "2026-11-25");
        assert_eq!(calendar.date(6), "2026-12-01");
        assert_eq!((calendar.weekday(0), calendar.weekday(4)), (3, 7));
        assert_eq!(calendar.moment(at(0, 6, 30)), "2026-11-24T22:30:00.000Z");
        assert_eq!(calendar.ms(at(0, 6, 30)), 1_795_559_400_000);
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(shown(at(2, 6, 30)), "Day 3, 06:30");
    }
}
