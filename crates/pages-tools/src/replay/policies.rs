//! Parameters of a policy, and how it orders.

use larder_planning::method::Method;
use larder_planning::replay::{Cushion, Forecast, Forecaster, Orders, Policy, Rule};
use larder_planning::simple::{DOW_WEEKS, DOW_WEIGHT};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::calculations::Ask;
use larder_platform::http::FieldError;

/// Name of the field in a request.
pub const FIELD: &str = "policies";
/// Maximum number of policies.
const MOST: usize = 12;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 60;
/// Default service level.
const USUAL_LEVEL: f64 = 0.95;
/// Default method: the weekday average.
const USUAL_METHOD: Method = Method::DowAverage;
/// Smallest order quantity when packs are ignored.
const ANY: f64 = 1e-6;

/// A policy to try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReplayPolicy {
    pub name: String,
    /// Forecast method; default the weekday average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Target share of cover periods without a stock-out, for example 0.95.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_level: Option<f64>,
    /// Lead time in days; by product if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_days: Option<u32>,
    /// Review period in days; by product if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_days: Option<u32>,
    /// Whether to order whole packs.
    pub packs: bool,
    /// Replays the actual orders and receipts instead of a policy.
    pub actual: bool,
}

impl Default for ReplayPolicy {
    fn default() -> Self {
        Self {
            name: String::new(),
            method: None,
            service_level: None,
            lead_days: None,
            review_days: None,
            packs: true,
            actual: false,
        }
    }
}

impl ReplayPolicy {
    /// Its forecast method, or the default.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method.as_deref().and_then(Method::parse).unwrap_or(USUAL_METHOD)
    }

    /// Share of cover periods without a stock-out.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.service_level.unwrap_or(USUAL_LEVEL)
    }

    /// Whether it uses a fitted forecast model.
    #[must_use]
    pub fn is_fitted(&self) -> bool {
        !self.actual && averaging(self.method()).is_none()
    }

    /// The policy; `fitted` forecasts for it if its method is a fitted model.
    pub fn policy<'a>(&self, fitted: Option<&'a dyn Forecaster>) -> Policy<'a> {
        if self.actual {
            return Policy { orders: Orders::Actual };
        }
        let averaging = averaging(self.method());
        let forecast = averaging.or(fitted.map(Forecast::Given)).unwrap_or(WEEKDAYS);
        Policy {
            orders: Orders::Advised(Rule {
                forecast,
                cushion: Cushion::Level(self.level()),
                lead: self.lead_days,
                review: self.review_days,
                first_review: 0,
                pack: (!self.packs).then_some(ANY),
                most_days: None,
            }),
        }
    }
}

const WEEKDAYS: Forecast<'_> = Forecast::Weekday { weeks: DOW_WEEKS, decay: 1.0 };

/// Averages are cheap enough to update every day.
fn averaging(method: Method) -> Option<Forecast<'static>> {
    match method {
        Method::Mean => Some(Forecast::Average { days: usize::MAX }),
        Method::MovingAverage(days) => Some(Forecast::Average { days: days.into() }),
        Method::DowAverage => Some(WEEKDAYS),
        Method::DowAverageOf(weeks) | Method::SeasonalAverage(weeks) => {
            Some(Forecast::Weekday { weeks: weeks.into(), decay: 1.0 })
        }
        Method::DowWeighted => Some(Forecast::Weekday { weeks: DOW_WEEKS, decay: DOW_WEIGHT }),
        Method::SeasonalNaive => Some(Forecast::Weekday { weeks: 1, decay: 1.0 }),
        _ => None,
    }
}

/// The policies of a request.
///
/// # Errors
/// Field errors.
pub fn of(ask: &Ask) -> Result<Vec<ReplayPolicy>, Vec<FieldError>> {
    let Some(said) = ask.more.get(FIELD) else {
        return Err(vec![FieldError::new(FIELD, "Add at least one policy.")]);
    };
    let policies: Vec<ReplayPolicy> = serde_json::from_value(said.clone())
        .map_err(|error| vec![FieldError::new(FIELD, format!("This is no list of policies: {error}."))])?;
    let mut wrong = Vec::new();
    if policies.is_empty() {
        wrong.push(FieldError::new(FIELD, "Add at least one policy."));
    } else if policies.len() > MOST {
        wrong.push(FieldError::new(FIELD, format!("Compare at most {MOST} policies.")));
    }
    for (at, policy) in policies.iter().enumerate() {
        let mut check = |holds: bool, field: &str, words: &str| {
            if !holds {
                wrong.push(FieldError::new(format!("{FIELD}.{at}.{field}"), words));
            }
        };
        let name = policy.name.trim();
        check(!name.is_empty(), "name", "Give the policy a name.");
        check(name.chars().count() <= MAX_NAME, "name", "Use at most 60 characters.");
        let twice = policies[..at].iter().any(|other| other.name.trim() == name);
        check(name.is_empty() || !twice, "name", "Another policy has this name.");
        let known = policy.method.as_deref().is_none_or(|name| Method::parse(name).is_some());
        check(known, "method", "There is no method of this name.");
        let level = policy.service_level.is_none_or(|level| (0.5..=0.9999).contains(&level));
        check(level, "serviceLevel", "Enter a service level from 50% to 99.99%.");
        let days = |days: Option<u32>| days.is_none_or(|days| days <= 28);
        check(days(policy.lead_days), "leadDays", "Enter 0 to 28 days.");
        check(days(policy.review_days), "reviewDays", "Enter 0 to 28 days.");
        let none = policy.lead_days == Some(0) && policy.review_days == Some(0);
        check(!none, "reviewDays", "Set lead and review days.");
    }
    if policies.iter().filter(|policy| policy.actual).count() > 1 {
        wrong.push(FieldError::new(FIELD, "What was really ordered can be compared once only."));
    }
    if wrong.is_empty() { Ok(policies) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(policies: serde_json::Value) -> Vec<String> {
        let mut ask = Ask::default();
        ask.more.insert(FIELD.into(), policies);
        of(&ask).err().unwrap_or_default().into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn invalid_policies_are_field_errors() {
        assert_eq!(
            wrong(json!([{ "name": "A" }, { "name": "Actual", "actual": true }])),
            Vec::<String>::new()
        );
        assert_eq!(wrong(json!([])), ["policies"]);
        assert_eq!(wrong(json!([{ "name": "A" }, { "name": " A " }])), ["policies.1.name"]);
        assert_eq!(wrong(json!([{ "name": "A", "method": "magic" }])), ["policies.0.method"]);
        assert_eq!(wrong(json!([{ "name": "A", "serviceLevel": 1 }])), ["policies.0.serviceLevel"]);
        assert_eq!(
            wrong(json!([{ "name": "A", "leadDays": 0, "reviewDays": 0 }])),
            ["policies.0.reviewDays"]
        );
        assert_eq!(wrong(json!([{ "name": "A", "speed": 9 }])), ["policies"]);
    }

    #[test]
    fn averages_are_not_fitted() {
        let of = |method: &str| {
            ReplayPolicy { method: Some(method.into()), ..ReplayPolicy::default() }.is_fitted()
        };
        assert!(!of("dow_ma") && !of("sma28") && !of("dow_ma_weighted") && !of("hist_avg"));
        assert!(of("ets_ANA") && of("advanced") && of("ses_0.3"));
        assert!(
            !ReplayPolicy { actual: true, method: Some("advanced".into()), ..ReplayPolicy::default() }
                .is_fitted()
        );
    }
}
