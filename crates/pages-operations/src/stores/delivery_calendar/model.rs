//! The delivery calendar: requests and responses.

use larder_domain::delivery_calendar::Rule;
use larder_domain::{BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::delivery_calendar::Kept;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// A rule to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeliveryRuleDraft)]
pub struct RuleDraft {
    /// Monday is 1, Sunday 7.
    pub weekdays: Vec<u8>,
    /// Cut-off time for orders, local time: `16:00`.
    pub cutoff_time: String,
    /// Days from cut-off to delivery: 0 to 14.
    pub cutoff_days: i64,
    /// Whether there are no deliveries on regular holidays.
    #[serde(default)]
    pub skip_holidays: bool,
    /// The revision it changes; null for a new rule.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl RuleDraft {
    /// Validates the rule.
    ///
    /// # Errors
    /// Field errors.
    pub fn read(&self) -> ApiResult<Rule> {
        let mut wrong = Vec::new();
        let mut weekdays = 0_u8;
        for day in &self.weekdays {
            match day {
                1..=7 => weekdays |= 1 << (day - 1),
                _ => wrong.push(FieldError::new("weekdays", "Monday is 1, Sunday 7.")),
            }
        }
        if weekdays == 0 && wrong.is_empty() {
            wrong.push(FieldError::new("weekdays", "Choose at least one day."));
        }
        let minutes = minutes(&self.cutoff_time);
        if minutes.is_none() {
            wrong.push(FieldError::new("cutoffTime", "Enter a time, for example 16:00."));
        }
        if !(0..=14).contains(&self.cutoff_days) {
            wrong.push(FieldError::new("cutoffDays", "Enter 0 to 14 days."));
        }
        match (minutes, wrong.is_empty()) {
            (Some(cutoff_minutes), true) => Ok(Rule {
                weekdays,
                cutoff_days: self.cutoff_days,
                cutoff_minutes,
                skip_holidays: self.skip_holidays,
            }),
            _ => Err(ApiError::invalid(wrong)),
        }
    }
}

/// Parses `16:00` to minutes after midnight.
fn minutes(text: &str) -> Option<i64> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    ((0..24).contains(&hours) && (0..60).contains(&minutes)).then_some(hours * 60 + minutes)
}

/// Delivery days of a source for a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryRule {
    pub store_id: String,
    /// `commissary`, `warehouse` or `supplier`.
    pub source_type: String,
    pub source_id: String,
    /// Monday is 1, Sunday 7.
    pub weekdays: Vec<u8>,
    pub cutoff_time: String,
    pub cutoff_days: i64,
    pub skip_holidays: bool,
    /// The next day that can still be ordered for.
    pub next_date: Option<BusinessDay>,
    /// Cut-off of its order.
    pub next_cutoff: Option<Timestamp>,
    pub revision: i64,
    pub updated_at: Timestamp,
}

impl DeliveryRule {
    /// A rule with its next dates as of `now`.
    #[must_use]
    pub fn of(kept: Kept, now: Timestamp) -> Self {
        let rule = kept.rule();
        let next = rule.choices(now, 1, 62).into_iter().next();
        Self {
            weekdays: (0..7).filter(|day| rule.weekdays & (1 << day) != 0).map(|day| day + 1).collect(),
            cutoff_time: format!("{:02}:{:02}", rule.cutoff_minutes / 60, rule.cutoff_minutes % 60),
            cutoff_days: rule.cutoff_days,
            skip_holidays: rule.skip_holidays,
            next_date: next.map(|choice| choice.date),
            next_cutoff: next.map(|choice| choice.cutoff),
            store_id: kept.store_id,
            source_type: kept.source_type,
            source_id: kept.source_id,
            revision: kept.revision,
            updated_at: kept.updated_at,
        }
    }
}

/// The rules of all accessible stores.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryCalendar {
    pub items: Vec<DeliveryRule>,
}

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    pub store_id: Option<String>,
}

/// Query parameters: store and source.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DatesQuery {
    pub store_id: String,
    pub source_type: String,
    pub source_id: String,
}

/// An available delivery date.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDate {
    pub date: BusinessDay,
    /// Cut-off of the order; null without a rule.
    pub cutoff_at: Option<Timestamp>,
    pub open: bool,
    /// Name of the holiday on that day, if any.
    pub holiday: Option<String>,
}

/// A store's next available delivery dates.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryDates {
    /// Whether there is a rule; without one every day is available.
    pub rule: bool,
    pub dates: Vec<DeliveryDate>,
}

/// A rule for several stores.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyDeliveryRule {
    pub store_ids: Vec<String>,
    pub source_type: String,
    pub source_id: String,
    pub rule: RuleDraft,
}
