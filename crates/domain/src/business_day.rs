//! The business day of a sale or a count: a plain date, never derived again from a timestamp.

use jiff::civil::{Date, Weekday, date};

/// A business date (UTC+8 by definition), stored as days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BusinessDay(pub i32);

const EPOCH: Date = date(1970, 1, 1);

/// Offset of the business time zone from UTC, in hours.
pub const BUSINESS_UTC_OFFSET_HOURS: i64 = 8;

impl BusinessDay {
    /// From a calendar date.
    #[must_use]
    pub fn from_date(d: Date) -> Self {
        Self(EPOCH.until(d).map_or(0, |span| span.get_days()))
    }

    /// From year, month and day; `None` if there is no such day.
    #[must_use]
    pub fn from_ymd(year: i16, month: i8, day: i8) -> Option<Self> {
        Date::new(year, month, day).ok().map(Self::from_date)
    }

    /// The business day at a moment.
    #[must_use]
    pub fn of(at: crate::Timestamp) -> Self {
        let local = at.0.saturating_add(BUSINESS_UTC_OFFSET_HOURS * 3_600_000);
        Self(i32::try_from(local.div_euclid(86_400_000)).unwrap_or(i32::MAX))
    }

    /// Its calendar date.
    #[must_use]
    pub fn date(self) -> Date {
        EPOCH.checked_add(jiff::Span::new().days(i64::from(self.0))).unwrap_or(EPOCH)
    }

    /// The day `days` later (earlier when negative).
    #[must_use]
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// The Monday of its week.
    #[must_use]
    pub fn week(self) -> Self {
        Self(self.0 - (self.0 + 3).rem_euclid(7))
    }

    /// The first of its month.
    #[must_use]
    pub fn month(self) -> Self {
        Self::from_date(self.date().first_of_month())
    }

    /// ISO 8601 year and week number.
    #[must_use]
    pub fn iso_week(self) -> (i16, i8) {
        let week = self.date().iso_week_date();
        (week.year(), week.week())
    }

    /// `2019-W10`.
    #[must_use]
    pub fn iso_week_label(self) -> String {
        let (year, week) = self.iso_week();
        format!("{year}-W{week:02}")
    }

    /// Monday is 0, Sunday 6.
    #[must_use]
    pub fn weekday(self) -> u8 {
        self.date().weekday().to_monday_zero_offset().unsigned_abs()
    }

    /// Whether it is a Monday.
    #[must_use]
    pub fn is_monday(self) -> bool {
        self.date().weekday() == Weekday::Monday
    }

    /// Display format, `3 Aug 2019`.
    #[must_use]
    pub fn display(self) -> String {
        self.date().strftime("%-d %b %Y").to_string()
    }
}

impl std::fmt::Display for BusinessDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.date())
    }
}

impl std::str::FromStr for BusinessDay {
    type Err = &'static str;

    /// Accepts only the format `2019-08-03`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WHAT: &str = "Enter a date as YYYY-MM-DD.";
        if text.len() != 10 {
            return Err(WHAT);
        }
        text.parse::<Date>().map(Self::from_date).map_err(|_| WHAT)
    }
}

impl serde::Serialize for BusinessDay {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for BusinessDay {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for BusinessDay {}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for BusinessDay {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::{
            KnownFormat, ObjectBuilder, SchemaFormat,
            schema::{SchemaType, Type},
        };
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weeks_begin_on_monday() {
        let day: BusinessDay = "2019-08-03".parse().expect("a date");
        assert_eq!(day.week().to_string(), "2019-07-29");
        assert_eq!(day.month().to_string(), "2019-08-01");
        assert_eq!(day.display(), "3 Aug 2019");
        assert_eq!(
            "2018-12-30".parse::<BusinessDay>().map(BusinessDay::iso_week_label),
            Ok("2018-W52".to_owned())
        );
    }

    #[test]
    fn the_day_changes_at_midnight_business_time() {
        let before = crate::Timestamp::parse("2026-11-19T15:59:59.999Z").expect("a time");
        let after = crate::Timestamp::parse("2026-11-19T16:00:00Z").expect("a time");
        assert_eq!(BusinessDay::of(before).to_string(), "2026-11-19");
        assert_eq!(BusinessDay::of(after).to_string(), "2026-11-20");
    }

    proptest! {
        #[test]
        fn text_round_trips(days in -200_000i32..200_000) {
            let day = BusinessDay(days);
            prop_assert_eq!(day.to_string().parse::<BusinessDay>(), Ok(day));
            prop_assert!(day.week().is_monday() && day.week() <= day && day.week().plus(7) > day);
        }
    }
}
