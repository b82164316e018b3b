//! A custom report's definition, as posted, saved and carried in links.

use larder_domain::{BusinessDay, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_engines::reports::question::MOST_DAYS;
use larder_platform::http::{ApiError, ApiResult, FieldError};

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
    pub filters: Vec<CustomFilter>,
    pub sort: Option<CustomSort>,
    pub top: Option<CustomTop>,
    pub chart: CustomChart,
}

/// The range: a relative name, or two dates.
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
    /// Change against the previous period; 0.1 is 10% more.
    Change,
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
        let name = self.named.as_deref().unwrap_or_default();
        let before = |months: i32| {
            let mut first = today.month();
            for _ in 0..months {
                first = first.plus(-1).month();
            }
            first
        };
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
            "this-year" => (year(0), today),
            "last-year" => (year(1), year(0).plus(-1)),
            "next-7-days" => (today.plus(1), today.plus(7)),
            "next-4-weeks" => (today.plus(1), today.plus(28)),
            _ => return Err(ApiError::field("range", "Choose from when to when.")),
        };
        Ok(Span { from, to })
    }
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
        return Err(ApiError::field("range", "Choose a range of at most twelve years."));
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
        assert!(CustomRange::default().span(today).is_err());
    }
}
