//! Common query parameters: ids, search texts, dates.

use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{BusinessDay, Timestamp};

use super::error::{ApiError, ApiResult, FieldError};
use super::text::{anywhere, fold, has_unseen};

/// The longest search text, in characters.
const MAX_Q: usize = 200;

/// Refuses malformed ids before they reach the database; `what` is the noun for the 404.
///
/// # Errors
/// 404.
pub fn known_id<'a>(id: &'a str, what: &str) -> ApiResult<&'a str> {
    if is_id(id) { Ok(id) } else { Err(ApiError::not_found(what)) }
}

/// Whether a text could be an id.
#[must_use]
pub fn is_id(text: &str) -> bool {
    text.len() <= 100 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// A `like` pattern over case-folded text; `None` without a search text.
///
/// # Errors
/// 422 at `q`.
pub fn like(q: Option<&str>) -> ApiResult<Option<String>> {
    let Some(q) = q else { return Ok(None) };
    if has_unseen(q) || q.chars().count() > MAX_Q {
        return Err(ApiError::field("q", format!("Search for at most {MAX_Q} visible characters.")));
    }
    let folded = fold(q);
    Ok((!folded.is_empty()).then(|| anywhere(&folded)))
}

/// The times between two business dates, both inclusive.
///
/// # Errors
/// 422 at `from` and `to`.
pub fn between(from: Option<&str>, to: Option<&str>) -> ApiResult<(Option<Timestamp>, Option<Timestamp>)> {
    let start = |day: BusinessDay| Timestamp((i64::from(day.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * 3_600_000);
    match (date("from", from), date("to", to)) {
        (Ok(from), Ok(to)) => Ok((from.map(start), to.map(|day| start(day.plus(1))))),
        (from, to) => Err(ApiError::invalid([from.err(), to.err()].into_iter().flatten().collect())),
    }
}

/// A date from a form or an address; `None` if empty.
///
/// # Errors
/// The error at `field`.
pub fn date(field: &str, text: Option<&str>) -> Result<Option<BusinessDay>, FieldError> {
    match text.map(str::trim).filter(|text| !text.is_empty()).map(str::parse::<BusinessDay>) {
        None => Ok(None),
        Some(Ok(day)) if (1900..=2200).contains(&day.date().year()) => Ok(Some(day)),
        Some(_) => Err(FieldError::new(field, "Enter a date as YYYY-MM-DD.")),
    }
}
