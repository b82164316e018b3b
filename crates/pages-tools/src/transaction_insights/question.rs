//! Query parameters besides range and stores.

use larder_domain::{BusinessDay, Span};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use larder_engines::reports::Question;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Maximum number of days.
pub const MOST_DAYS: i32 = 366;

/// A daypart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Daypart {
    /// 5 to 11 h.
    Breakfast,
    /// 11 to 14 h.
    Lunch,
    /// 14 to 17 h.
    Merienda,
    /// 17 to 21 h.
    Dinner,
    /// 21 to 5 h; after midnight it belongs to the previous business date.
    Late,
}

impl Daypart {
    /// In chronological order.
    pub const ALL: [Self; 5] = [Self::Breakfast, Self::Lunch, Self::Merienda, Self::Dinner, Self::Late];

    /// The daypart of an hour.
    #[must_use]
    pub const fn of(hour: usize) -> Self {
        match hour {
            5..=10 => Self::Breakfast,
            11..=13 => Self::Lunch,
            14..=16 => Self::Merienda,
            17..=20 => Self::Dinner,
            _ => Self::Late,
        }
    }

    /// Display label.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Breakfast => "Breakfast",
            Self::Lunch => "Lunch",
            Self::Merienda => "Merienda",
            Self::Dinner => "Dinner",
            Self::Late => "Late",
        }
    }
}

/// Sort order of item sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Order {
    /// Highest lift first.
    #[default]
    Lift,
    /// Most frequent first.
    Count,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct InsightsQuery {
    /// Limit to this daypart: `breakfast` (5 to 11 h), `lunch` (to 14), `merienda` (to 17), `dinner` (to 21)
    /// or `late`.
    pub daypart: Option<String>,
    /// First day of the comparison range, `YYYY-MM-DD`.
    #[param(value_type = Option<String>, format = Date)]
    pub against_from: Option<String>,
    /// Last day of the comparison range, `YYYY-MM-DD`.
    #[param(value_type = Option<String>, format = Date)]
    pub against_to: Option<String>,
    /// Sort order of pairs and triples: `lift` (default) or `count`.
    pub order: Option<String>,
}

/// The validated parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct InsightsFilter {
    /// `None` for the whole day.
    pub part: Option<Daypart>,
    /// Comparison range.
    pub against: Option<(BusinessDay, BusinessDay)>,
}

impl InsightsFilter {
    /// The comparison range.
    pub fn against(&self) -> Option<Span> {
        self.against.map(|(from, to)| Span { from, to })
    }
}

impl InsightsQuery {
    /// The sort order.
    ///
    /// # Errors
    /// 422 at `order`.
    pub fn order(&self) -> ApiResult<Order> {
        match text(&self.order) {
            None | Some("lift") => Ok(Order::Lift),
            Some("count") => Ok(Order::Count),
            Some(_) => Err(ApiError::field("order", "Choose lift or count.")),
        }
    }

    /// Validates the parameters.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    pub fn read(&self) -> ApiResult<InsightsFilter> {
        let mut wrong = Vec::new();
        let part = text(&self.daypart).and_then(|name| {
            let part = serde_json::from_value(name.into()).ok();
            if part.is_none() {
                let words = "Choose breakfast, lunch, merienda, dinner or late.";
                wrong.push(FieldError::new("daypart", words));
            }
            part
        });
        let mut day = |field: &str, text: &Option<String>| {
            larder_platform::http::question::date(field, text.as_deref())
                .map_err(|error| wrong.push(error))
                .ok()
                .flatten()
        };
        let (from, to) = (day("againstFrom", &self.against_from), day("againstTo", &self.against_to));
        if wrong.is_empty() {
            match (from, to) {
                (Some(_), None) => {
                    wrong.push(FieldError::new("againstTo", "Choose the last day to compare with."))
                }
                (None, Some(_)) => {
                    wrong.push(FieldError::new("againstFrom", "Choose the first day to compare with."));
                }
                (Some(from), Some(to)) if from > to => {
                    wrong.push(FieldError::new("againstTo", "The last day must not come before the first."));
                }
                (Some(from), Some(to)) if Span { from, to }.days() > MOST_DAYS => {
                    let words = format!("Choose a range of at most {MOST_DAYS} days.");
                    wrong.push(FieldError::new("againstTo", words));
                }
                _ => {}
            }
        }
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        Ok(InsightsFilter { part, against: from.zip(to) })
    }
}

fn text(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// The cache key of a query, including the stores accessible to the caller.
pub fn key(question: &Question, filter: &InsightsFilter) -> String {
    let mut stores = question.stores.clone();
    if let Some(stores) = &mut stores {
        stores.sort_unstable();
        stores.dedup();
    }
    let words = serde_json::json!([question.span.from, question.span.to, stores, filter]);
    let digest = Sha256::digest(words.to_string().as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
