//! Parameters of a run.

use larder_domain::{BusinessDay, Span};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Declared;
use crate::http::{ApiError, ApiResult, FieldError};

/// The most stores or items a request may list.
const MOST_NAMED: usize = 2_000;
/// The longest forecast horizon, in days.
pub const MOST_HORIZON: i64 = 92;
/// The longest range: twelve years.
const MOST_DAYS: i32 = 12 * 366;

/// Parameters of a run. For what is omitted the service uses all stores, all items and its own range, horizon
/// and method.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = ServiceAsk)]
pub struct Ask {
    /// Stores; all the user may see when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_ids: Option<Vec<String>>,
    /// Root items; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_ids: Option<Vec<String>>,
    /// First business date, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Last business date, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Forecast horizon in days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<i64>,
    /// The method, for services with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Parameters specific to the service.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub more: Map<String, Value>,
}

impl Ask {
    /// The first day asked for. Invalid dates were refused before the run began.
    #[must_use]
    pub fn from_day(&self) -> Option<BusinessDay> {
        self.from.as_deref().and_then(|text| text.parse().ok())
    }

    /// The last day asked for.
    #[must_use]
    pub fn to_day(&self) -> Option<BusinessDay> {
        self.to.as_deref().and_then(|text| text.parse().ok())
    }

    /// The range, if both ends were given.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        Some(Span { from: self.from_day()?, to: self.to_day()? })
    }

    /// Refuses values no service accepts, and fields this one does not know.
    pub(super) fn check(&self, service: &Declared) -> ApiResult<()> {
        let mut wrong = Vec::new();
        for (field, ids) in [("storeIds", &self.store_ids), ("itemIds", &self.item_ids)] {
            let count = ids.as_ref().map(Vec::len);
            if count == Some(0) {
                wrong.push(FieldError::new(field, "Choose at least one, or leave it out for all."));
            } else if count.is_some_and(|count| count > MOST_NAMED) {
                wrong.push(FieldError::new(field, format!("Choose at most {MOST_NAMED}, or all.")));
            }
        }
        for (field, text) in [("from", &self.from), ("to", &self.to)] {
            match text.as_deref().map(str::parse::<BusinessDay>) {
                Some(Ok(day)) if !(1900..=2200).contains(&day.date().year()) => {
                    wrong.push(FieldError::new(field, "Enter a year between 1900 and 2200."));
                }
                Some(Err(why)) => wrong.push(FieldError::new(field, why)),
                _ => {}
            }
        }
        if let Some(span) = self.span().filter(|_| wrong.is_empty()) {
            if span.from > span.to {
                wrong.push(FieldError::new("to", "The last day must not come before the first."));
            } else if span.days() > MOST_DAYS {
                wrong.push(FieldError::new("to", "Choose a range of at most twelve years."));
            }
        }
        if self.horizon.is_some_and(|days| !(1..=MOST_HORIZON).contains(&days)) {
            wrong.push(FieldError::new("horizon", format!("Enter 1 to {MOST_HORIZON} days.")));
        }
        for field in self.more.keys().filter(|field| !service.asks.contains(&field.as_str())) {
            wrong.push(FieldError::new(field, "This service is not asked this."));
        }
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }
}
