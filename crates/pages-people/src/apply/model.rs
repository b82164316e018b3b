//! The request body and its validation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::http::text::{has_unseen, has_unseen_in_lines};
use larder_platform::http::{ApiError, ApiResult, FieldError};
use larder_platform::people::applications::ApplicationForm;
use larder_platform::people::users::looks_like_address;

/// A request for access.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ApplyBody {
    #[schema(required = true)]
    pub name: String,
    /// Work email address.
    #[schema(required = true)]
    pub email: String,
    #[schema(required = true)]
    pub mobile: String,
    /// Position.
    #[schema(required = true)]
    pub position: String,
    /// Store; may be empty for applicants who work in no store.
    pub store: String,
    /// Reason for the request.
    #[schema(required = true)]
    pub reason: String,
}

/// The response, the same for every request.
#[derive(Debug, Serialize, ToSchema)]
pub struct Received {
    /// «Your request was received.»
    pub message: &'static str,
}

/// Field name, value, whether it is required, message if missing, maximum length.
type FormField<'a> = (&'a str, &'a str, bool, &'static str, usize);

impl ApplyBody {
    /// The validated form, or all field errors at once.
    pub fn read(&self) -> ApiResult<ApplicationForm> {
        let fields: [FormField<'_>; 6] = [
            ("name", &self.name, true, "Enter your name.", 200),
            ("email", &self.email, true, "Enter your email address.", 254),
            ("mobile", &self.mobile, true, "Enter your mobile number.", 40),
            ("position", &self.position, true, "Enter your position.", 200),
            ("store", &self.store, false, "", 200),
            ("reason", &self.reason, true, "Say what you need access for.", 2_000),
        ];
        let mut findings: Vec<FieldError> = fields.iter().filter_map(finding).collect();
        let wrong = |field: &str| findings.iter().any(|found| found.field == field);
        let mut more = Vec::new();
        if !wrong("email") && !looks_like_address(self.email.trim()) {
            more.push(FieldError::new("email", "Enter a valid email address."));
        }
        let digits = self.mobile.chars().filter(char::is_ascii_digit).count();
        let signs = self.mobile.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
        let is_number = signs && (7..=15).contains(&digits);
        if !wrong("mobile") && !is_number {
            more.push(FieldError::new("mobile", "Enter a mobile number, such as 0917 123 4567."));
        }
        findings.extend(more);
        if !findings.is_empty() {
            return Err(ApiError::invalid(findings));
        }
        let text = |text: &str| text.trim().to_owned();
        Ok(ApplicationForm {
            name: text(&self.name),
            email: text(&self.email),
            mobile: text(&self.mobile),
            position: text(&self.position),
            store: text(&self.store),
            reason: text(&self.reason),
        })
    }
}

fn finding(&(field, said, needed, missing, most): &FormField<'_>) -> Option<FieldError> {
    let said = said.trim();
    let unseen = if field == "reason" { has_unseen_in_lines(said) } else { has_unseen(said) };
    match said.chars().count() {
        0 if needed => Some(FieldError::new(field, missing)),
        n if n > most => {
            Some(FieldError::new(field, format!("Use at most {most} characters; these are {n}.")))
        }
        _ if unseen => Some(FieldError::new(field, "Remove the characters that cannot be seen.")),
        _ => None,
    }
}
