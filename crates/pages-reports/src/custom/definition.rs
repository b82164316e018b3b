//! A custom report's definition, as posted, saved and carried in links.

use larder_domain::{BusinessDay, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::fields::Part;
use super::keys::{Shift, first_alike, month_at};
use larder_engines::reports::question::MOST_DAYS;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Maximum number of periods of a rolling range.
const MOST_PERIODS: u16 = 400;

/// A custom report's definition.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomDefinition {
    /// Key of the dataset.
    #[schema(required = true)]
    pub dataset: String,
    #[schema(required = true)]
    pub range: CustomRange,
    /// Keys of row fields, at most three: one row per combination of values.
    pub rows: Vec<String>,
    /// Keys of column fields, at most two.
    pub columns: Vec<String>,
    /// Measures in the cells: one to six.
    #[schema(required = true)]
    pub measures: Vec<CustomMeasure>,
    pub compare: CustomCompare,
    pub filters: Vec<CustomFilter>,
    pub sort: Option<CustomSort>,
    pub top: Option<CustomTop>,
    pub chart: CustomChart,
}

/// The range: a relative name, two dates, or the last periods of a length.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomRange {
    /// For example `last-4-weeks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// First day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<BusinessDay>,
    /// Last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<BusinessDay>,
    /// Number of whole periods before the current one: 1 to 400, at most twelve years.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u16>,
    /// Length of these periods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<CustomUnit>,
    /// Whether the current period follows them, up to today.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub running: bool,
}

/// Length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomUnit {
    Day,
    /// From Monday.
    Week,
    Month,
    Quarter,
    Year,
}

impl CustomUnit {
    fn part(self) -> Part {
        match self {
            Self::Day => Part::Day,
            Self::Week => Part::Week,
            Self::Month => Part::Month,
            Self::Quarter => Part::Quarter,
            Self::Year => Part::Year,
        }
    }

    /// The first day of the period of `day`.
    #[must_use]
    pub fn first(self, day: BusinessDay) -> BusinessDay {
        first_alike(self.part(), day, Shift::Days(0))
    }

    /// From a day to the same day so many periods later.
    #[must_use]
    pub fn shift(self, periods: i32) -> Shift {
        match self {
            Self::Day => Shift::Days(periods),
            Self::Week => Shift::Days(7 * periods),
            Self::Month => Shift::Months(periods),
            Self::Quarter => Shift::Months(3 * periods),
            Self::Year => Shift::Months(12 * periods),
        }
    }
}

/// What a change is against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomCompare {
    /// The range before: of as many days, of as many months if the range is whole months, or as much of the
    /// periods before if a rolling range has the current period.
    #[default]
    Range,
    /// Each day with that of the week before.
    Week,
    /// Each day with the same day of the month before.
    Month,
    /// Each day with the same day three months before.
    Quarter,
    /// Each day with the same day of the year before, or with that 52 weeks before if weeks or weekdays are used.
    Year,
}

/// A measure and how it is calculated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomMeasure {
    /// Key of a field.
    #[schema(required = true)]
    pub field: String,
    pub rule: CustomRule,
}

/// How a measure is calculated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomRule {
    /// Summed; ratios such as an average ticket are computed from sums.
    #[default]
    Sum,
    /// The sum divided by the days of the range in the cell.
    AvgPerDay,
    /// Share of the column's total, 0 to 1.
    Share,
    /// Change against an earlier period (`compare`); 0.1 is 10% more. That of sales is over the store-days that both
    /// periods have.
    Change,
    /// The sum from the first date to this one, along the last date field of the rows, else of the columns. It
    /// begins anew for each value of the other fields.
    Running,
    /// Share of the parent, 0 to 1: of the rows with the same fields but the last.
    Parent,
}

/// A filter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomFilter {
    /// Key of a field.
    #[schema(required = true)]
    pub field: String,
    pub op: CustomOp,
    /// Keys of values, a search text, or one number.
    #[schema(required = true)]
    pub values: Vec<String>,
    /// Names of the values when chosen, to name those that were deleted since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Filter operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomOp {
    /// One of these.
    #[default]
    Is,
    /// None of these.
    IsNot,
    /// Name contains this text.
    Contains,
    /// The row's measure is at least this.
    AtLeast,
    /// The row's measure is at most this.
    AtMost,
}

/// Sort order of rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomSort {
    /// Index of the measure; null to sort by name.
    pub measure: Option<usize>,
    pub descending: bool,
}

/// Limits the table to the top rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomTop {
    /// Number of rows: 1 to 500.
    #[schema(required = true)]
    pub rows: usize,
    /// Whether the rest is added as one row.
    pub other: bool,
    pub by: CustomTopBy,
}

/// What the top rows are the top ones of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomTopBy {
    /// Of all rows.
    #[default]
    All,
    /// Of the rows with the same fields but the last.
    Parent,
}

/// The chart above the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomChart {
    None,
    #[default]
    Bars,
    Lines,
    /// A heat map, for many rows.
    Heat,
}

/// Named ranges and their labels.
pub const NAMED: &[(&str, &str)] = &[
    ("today", "Today"),
    ("yesterday", "Yesterday"),
    ("this-week", "This week"),
    ("last-week", "Last week"),
    ("last-7-days", "Last 7 days"),
    ("last-4-weeks", "Last 4 weeks"),
    ("last-13-weeks", "Last 13 weeks"),
    ("this-month", "This month"),
    ("last-month", "Last month"),
    ("last-3-months", "Last 3 months"),
    ("last-12-months", "Last 12 months"),
    ("this-quarter", "This quarter"),
    ("last-quarter", "Last quarter"),
    ("this-year", "This year"),
    ("last-year", "Last year"),
    ("next-7-days", "Next 7 days"),
    ("next-4-weeks", "Next 28 days"),
];

impl CustomRange {
    /// The dates of the range, relative to `today`.
    ///
    /// # Errors
    /// 422 at `range`.
    pub fn span(&self, today: BusinessDay) -> ApiResult<Span> {
        if let (Some(from), Some(to)) = (self.from, self.to) {
            return dates(from, to);
        }
        if let Some(last) = self.last {
            return self.rolling(last, today);
        }
        let name = self.named.as_deref().unwrap_or_default();
        let before = |months: i32| month_at(today, -months);
        let quarter = CustomUnit::Quarter.first(today);
        let year = |back: i16| BusinessDay::from_ymd(today.date().year() - back, 1, 1).unwrap_or(today);
        let (from, to) = match name {
            "today" => (today, today),
            "yesterday" => (today.plus(-1), today.plus(-1)),
            "this-week" => (today.week(), today),
            "last-week" => (today.week().plus(-7), today.week().plus(-1)),
            "last-7-days" => (today.plus(-7), today.plus(-1)),
            "last-4-weeks" => (today.week().plus(-28), today.week().plus(-1)),
            "last-13-weeks" => (today.week().plus(-91), today.week().plus(-1)),
            "this-month" => (today.month(), today),
            "last-month" => (before(1), today.month().plus(-1)),
            "last-3-months" => (before(3), today.month().plus(-1)),
            "last-12-months" => (before(12), today.month().plus(-1)),
            "this-quarter" => (quarter, today),
            "last-quarter" => (month_at(quarter, -3), quarter.plus(-1)),
            "this-year" => (year(0), today),
            "last-year" => (year(1), year(0).plus(-1)),
            "next-7-days" => (today.plus(1), today.plus(7)),
            "next-4-weeks" => (today.plus(1), today.plus(28)),
            _ => return Err(ApiError::field("range", "Choose from when to when.")),
        };
        Ok(Span { from, to })
    }

    fn rolling(&self, last: u16, today: BusinessDay) -> ApiResult<Span> {
        let Some(unit) = self.unit.filter(|_| (1..=MOST_PERIODS).contains(&last)) else {
            let words =
                format!("Choose the last 1 to {MOST_PERIODS} days, weeks, months, quarters or years.");
            return Err(ApiError::field("range", words));
        };
        let current = unit.first(today);
        let from = match unit.shift(-i32::from(last)) {
            Shift::Days(days) => current.plus(days),
            Shift::Months(months) => month_at(current, months),
        };
        let span = Span { from, to: if self.running { today } else { current.plus(-1) } };
        if span.days() > MOST_DAYS { Err(too_long()) } else { Ok(span) }
    }

    /// What moves the periods before to those of a rolling range with the current period: as many of them.
    #[must_use]
    pub fn running_shift(&self) -> Option<Shift> {
        let dated = self.from.is_some() && self.to.is_some();
        let last = self.last.filter(|_| self.running && !dated)?;
        self.unit.map(|unit| unit.shift(i32::from(last) + 1))
    }
}

fn too_long() -> ApiError {
    ApiError::field("range", "Choose a range of at most twelve years.")
}

fn dates(from: BusinessDay, to: BusinessDay) -> ApiResult<Span> {
    let sane = |day: BusinessDay| (1900..=2200).contains(&day.date().year());
    if !sane(from) || !sane(to) {
        return Err(ApiError::field("range", "Enter years between 1900 and 2200."));
    }
    if from > to {
        return Err(ApiError::field("range", "The last day must not come before the first."));
    }
    let span = Span { from, to };
    if span.days() > MOST_DAYS {
        return Err(too_long());
    }
    Ok(span)
}

impl CustomDefinition {
    /// Validates what does not depend on the dataset.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    pub fn check(&self) -> ApiResult<()> {
        let mut wrong = Vec::new();
        let mut refuse = |field: &str, why: &str| wrong.push(FieldError::new(field, why));
        if self.rows.len() > 3 {
            refuse("rows", "Choose at most three fields for the rows.");
        }
        if self.columns.len() > 2 {
            refuse("columns", "Choose at most two fields for the columns.");
        }
        if self.rows.iter().any(|row| self.columns.contains(row)) {
            refuse("columns", "A field can be in the rows or in the columns, not in both.");
        }
        if self.measures.is_empty() {
            refuse("measures", "Choose at least one figure to show.");
        }
        if self.measures.len() > 6 {
            refuse("measures", "Choose at most six figures.");
        }
        let letters = |filter: &CustomFilter| {
            filter.values.iter().chain(&filter.names).any(|value| value.chars().count() > 300)
        };
        let large = |filter: &CustomFilter| filter.values.len() > 500 || filter.names.len() > 500;
        if self.filters.len() > 12 || self.filters.iter().any(|filter| large(filter) || letters(filter)) {
            refuse("filters", "Set at most 12 filters with at most 500 values each.");
        }
        if self.top.as_ref().is_some_and(|top| !(1..=500).contains(&top.rows)) {
            refuse("top", "Show between 1 and 500 rows.");
        }
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_ranges_resolve_to_dates() {
        let today: BusinessDay = "2026-11-25".parse().expect("a date");
        let span = |name: &str| {
            let range = CustomRange { named: Some(name.to_owned()), ..CustomRange::default() };
            let span = range.span(today).expect(name);
            format!("{} {}", span.from, span.to)
        };
        assert_eq!(span("last-week"), "2026-11-16 2026-11-22");
        assert_eq!(span("last-7-days"), "2026-11-18 2026-11-24");
        assert_eq!(span("last-3-months"), "2026-08-01 2026-10-31");
        assert_eq!(span("last-year"), "2025-01-01 2025-12-31");
        assert_eq!(span("next-7-days"), "2026-11-26 2026-12-02");
        for (name, _) in NAMED {
            span(name);
        }
        assert_eq!(span("this-quarter"), "2026-10-01 2026-11-25");
        assert_eq!(span("last-quarter"), "2026-07-01 2026-09-30");
        assert!(CustomRange::default().span(today).is_err());
    }

    #[test]
    fn rolling_ranges_end_before_the_current_period_or_today() {
        use CustomUnit::{Day, Month, Quarter, Week, Year};
        let today: BusinessDay = "2026-11-25".parse().expect("a date");
        let rolling = |last: u16, unit: Option<CustomUnit>, running: bool| CustomRange {
            last: Some(last),
            unit,
            running,
            ..CustomRange::default()
        };
        let span = |last: u16, unit: CustomUnit, running: bool| {
            let span = rolling(last, Some(unit), running).span(today).expect("a range");
            format!("{} {}", span.from, span.to)
        };
        assert_eq!(span(1, Day, false), "2026-11-24 2026-11-24");
        assert_eq!(span(30, Day, true), "2026-10-26 2026-11-25");
        assert_eq!(span(2, Week, false), "2026-11-09 2026-11-22");
        assert_eq!(span(2, Week, true), "2026-11-09 2026-11-25");
        assert_eq!(span(6, Month, true), "2026-05-01 2026-11-25");
        assert_eq!(span(11, Month, false), "2025-12-01 2026-10-31");
        assert_eq!(span(1, Quarter, false), "2026-07-01 2026-09-30");
        assert_eq!(span(2, Year, true), "2024-01-01 2026-11-25");
        for (last, unit) in [(0, Some(Day)), (401, Some(Day)), (20, Some(Year)), (3, None)] {
            assert!(rolling(last, unit, false).span(today).is_err(), "{last} {unit:?}");
        }
        // Six months and 25 days are compared with the same days seven months before.
        assert_eq!(rolling(6, Some(Month), true).running_shift(), Some(Shift::Months(7)));
        assert_eq!(rolling(2, Some(Week), true).running_shift(), Some(Shift::Days(21)));
        assert_eq!(rolling(6, Some(Month), false).running_shift(), None);
    }

    #[test]
    fn definitions_of_earlier_versions_are_read_as_they_were_meant() {
        let kept = r#"{"dataset":"sales","range":{"named":"last-4-weeks"},"rows":["store"],"columns":[],
            "measures":[{"field":"net","rule":"change"}],"filters":[],"sort":null,
            "top":{"rows":5,"other":true},"chart":"bars"}"#;
        let read: CustomDefinition = serde_json::from_str(kept).expect("a definition");
        assert_eq!(read.compare, CustomCompare::Range);
        assert_eq!(read.top.map(|top| top.by), Some(CustomTopBy::All));
        assert_eq!(serde_json::json!(read.range), serde_json::json!({ "named": "last-4-weeks" }));
    }
}
