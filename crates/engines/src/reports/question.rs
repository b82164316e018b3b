//! Common query parameters of reports: days and stores.

use larder_domain::{BusinessDay, Span, Timestamp};
use serde::Deserialize;
use utoipa::IntoParams;

use super::queries;
use larder_platform::AppState;
use larder_platform::http::Who;
use larder_platform::http::error::{ApiError, ApiResult, FieldError};

/// The longest range: twelve years, more than any till file holds.
pub const MOST_DAYS: i32 = 12 * 366;

/// Unvalidated query parameters.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// First business date, `YYYY-MM-DD`.
    #[param(value_type = String, format = Date, required = true)]
    pub from: Option<String>,
    /// Last business date, `YYYY-MM-DD`.
    #[param(value_type = String, format = Date, required = true)]
    pub to: Option<String>,
    /// Store ids, comma-separated; all the user may see when absent.
    pub store_ids: Option<String>,
    /// Ids of regional or operational areas, comma-separated; an operational area includes its descendants.
    pub area_ids: Option<String>,
}

/// Validated query parameters.
#[derive(Debug, Clone)]
pub struct Question {
    pub span: Span,
    /// Stores; `None` is all of them.
    pub stores: Option<Vec<String>>,
    /// Time of the request.
    pub at: Timestamp,
}

impl Question {
    /// Refuses a range longer than `days`.
    ///
    /// # Errors
    /// 422 at `to`.
    pub fn at_most(&self, days: i32) -> ApiResult<()> {
        if self.span.days() <= days {
            return Ok(());
        }
        Err(ApiError::field("to", format!("Choose a range of at most {days} days.")))
    }
}

impl ReportQuery {
    /// Validates the range and limits the stores to those the user may see.
    ///
    /// # Errors
    /// 422 at the invalid fields, 403 for a store the user may not see.
    pub async fn check(&self, state: &AppState, who: &Who) -> ApiResult<Question> {
        let span = self.span()?;
        let wished = list(self.store_ids.as_deref());
        let mut stores = who.stores(wished.as_deref())?;
        if let Some(areas) = list(self.area_ids.as_deref()) {
            let inside = queries::stores_in_areas(&state.db, &areas).await?;
            stores = Some(match stores {
                None => inside,
                Some(stores) => stores.into_iter().filter(|id| inside.contains(id)).collect(),
            });
        }
        Ok(Question { span, stores, at: who.at })
    }

    fn span(&self) -> ApiResult<Span> {
        let mut wrong = Vec::new();
        let mut read = |field: &str, text: &Option<String>| -> Option<BusinessDay> {
            match text.as_deref().unwrap_or_default().parse::<BusinessDay>() {
                Ok(day) if (1900..=2200).contains(&day.date().year()) => Some(day),
                Ok(_) => {
                    wrong.push(FieldError::new(field, "Enter a year between 1900 and 2200."));
                    None
                }
                Err(why) => {
                    wrong.push(FieldError::new(field, why));
                    None
                }
            }
        };
        let (from, to) = (read("from", &self.from), read("to", &self.to));
        let (Some(from), Some(to)) = (from, to) else { return Err(ApiError::invalid(wrong)) };
        if from > to {
            return Err(ApiError::field("to", "The last day must not come before the first."));
        }
        let span = Span { from, to };
        if span.days() > MOST_DAYS {
            return Err(ApiError::field("to", "Choose a range of at most twelve years."));
        }
        Ok(span)
    }
}

fn list(text: Option<&str>) -> Option<Vec<String>> {
    let ids: Vec<String> =
        text?.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.is_empty() { None } else { Some(ids) }
}
