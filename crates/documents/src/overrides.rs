//! Checks of lines that `override` can skip: they refuse, or are kept beside the line with the reason.

use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A check of a line that was overridden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineOverride {
    pub line_id: String,
    pub check: LineCheck,
    pub reason: String,
}

/// A check of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LineCheck {
    /// The lot had expired.
    Expired,
    /// More was taken than was in stock.
    NotEnough,
}

impl LineCheck {
    /// Code of its refusal.
    const fn code(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::NotEnough => "notEnough",
        }
    }
}

/// What to say where an override of failed checks has no reason.
pub(super) const fn ask_why(not_enough: bool, expired: bool) -> &'static str {
    match (not_enough, expired) {
        (true, true) => "Say why an expired lot is sent, and more than is there.",
        (true, false) => "Say why it is sent although it is not there.",
        (false, true) => "Say why an expired lot is sent.",
        (false, false) => "Say why.",
    }
}

/// A line that fails a check: its id, and the refusal at its field.
pub(super) type Failed = (String, FieldError);

/// The reason of an override.
pub(super) fn reason_of(overridden: bool, reason: Option<&str>) -> Option<&str> {
    said(reason).filter(|_| overridden)
}

/// Refuses if lines fail a check. With the reason of an override it notes them in `kept` instead, each once.
///
/// # Errors
/// 409 with the code of the check.
pub(super) fn check(
    check: LineCheck,
    failed: Vec<Failed>,
    reason: Option<&str>,
    kept: &mut Vec<LineOverride>,
) -> ApiResult<()> {
    let Some((_, first)) = failed.first() else { return Ok(()) };
    let Some(reason) = reason else {
        let refused = ApiError::conflict(check.code(), first.message.clone());
        return Err(refused.at(failed.into_iter().map(|(_, error)| error).collect()));
    };
    for (line_id, _) in failed {
        if !kept.iter().any(|known| known.line_id == line_id && known.check == check) {
            kept.push(LineOverride { line_id, check, reason: reason.to_owned() });
        }
    }
    Ok(())
}
