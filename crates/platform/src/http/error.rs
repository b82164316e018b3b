//! Error responses of the API: one type, one JSON shape (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_db::{DbError, ViolationKind};
use larder_domain::Permission;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::codes::{self, ProblemCode};

/// The result of handlers.
pub type ApiResult<T> = Result<T, ApiError>;

/// An error at one field, worded for the user at the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The field's name in the API, with dots into sub-tables: `bom.2.multiplier`.
    pub field: String,
    pub message: String,
}

impl FieldError {
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// The body of every response from 400 on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URI reference identifying the problem type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The problem type in a few words.
    pub title: String,
    pub status: u16,
    /// What happened and what to do.
    pub detail: String,
    #[schema(value_type = ProblemCode)]
    pub code: String,
    /// The fields at fault.
    pub fields: Vec<FieldError>,
    /// Id of this request in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// Members of every problem.
const FRAME: [&str; 6] = ["type", "title", "status", "detail", "code", "fields"];

/// An error response.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    /// A stable identifier for programs, one of [`codes::CODES`].
    pub code: &'static str,
    /// Message for the user.
    pub detail: String,
    pub fields: Vec<FieldError>,
    /// Further members of the problem (`current`, `uses` …).
    pub extras: Map<String, Value>,
    source: Option<anyhow::Error>,
}

impl ApiError {
    /// An error with a code from [`codes::CODES`].
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        debug_assert!(codes::is_known(code), "{code} is not in http/codes.rs");
        Self { status, code, detail: detail.into(), fields: Vec::new(), extras: Map::new(), source: None }
    }

    /// Several fields are invalid.
    pub fn invalid(fields: Vec<FieldError>) -> Self {
        let detail = match fields.as_slice() {
            [one, others @ ..] if others.iter().all(|other| other.message == one.message) => {
                one.message.clone()
            }
            many => format!("{} fields need a change.", many.len()),
        };
        Self { fields, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail) }
    }

    /// One field is invalid.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(field, message)])
    }

    /// The request as a whole cannot be processed.
    pub fn unprocessable(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// The request is malformed.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "badRequest", detail)
    }

    /// Not signed in.
    pub fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Sign in to continue.")
    }

    /// Permission is missing.
    pub fn forbidden() -> Self {
        Self::may_not("You don't have access to this page.")
    }

    /// A permission is missing; the message names the forbidden action.
    pub fn lacks(permission: Permission) -> Self {
        Self::may_not(permission.refusal())
    }

    /// A permission is missing, with a custom message.
    pub fn may_not(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// The user may not see the store.
    pub fn out_of_scope() -> Self {
        Self::new(StatusCode::FORBIDDEN, "outOfScope", "You don't have access to this store.")
    }

    /// There is no such record.
    pub fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "notFound",
            format!("This {what} does not exist, or no longer does."),
        )
    }

    /// The current state does not allow it.
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// Another user changed the record meanwhile; `current` is its present state.
    pub fn stale(name: &str, current: Value) -> Self {
        Self::conflict("stale", format!("This record was changed by {name}. Reload to continue."))
            .with("current", current)
    }

    /// The record is referenced and cannot be deleted.
    pub fn in_use(detail: impl Into<String>, uses: Value) -> Self {
        Self::conflict("inUse", detail).with("uses", uses)
    }

    /// The body exceeds the limit.
    pub fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "tooLarge", detail)
    }

    /// Adds the fields at fault.
    #[must_use]
    pub fn at(self, fields: Vec<FieldError>) -> Self {
        Self { fields, ..self }
    }

    /// Adds a member to the problem. Standard members cannot be replaced.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        debug_assert!(!FRAME.contains(&name), "every problem has its own {name}");
        self.extras.insert(name.to_owned(), value);
        self
    }

    /// An internal error; details are in the log.
    pub fn internal(source: impl Into<anyhow::Error>) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "Something went wrong on our side. Nothing was saved; try again.",
            )
        }
    }

    /// The problem as JSON.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut body = self.extras.clone();
        // Last, so that no extra member replaces one that RFC 9457 defines.
        let frame: [(&str, Value); FRAME.len()] = [
            ("type", format!("/problems/{}", self.code).into()),
            ("title", self.status.canonical_reason().unwrap_or("Error").into()),
            ("status", self.status.as_u16().into()),
            ("detail", self.detail.clone().into()),
            ("code", self.code.into()),
            ("fields", json!(self.fields)),
        ];
        body.extend(frame.map(|(name, value)| (name.to_owned(), value)));
        Value::Object(body)
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}): {}", self.status, self.code, self.detail)
    }
}

impl std::error::Error for ApiError {}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if let Some(source) = &self.source {
            tracing::error!(code = self.code, error = format!("{source:#}"), "request failed");
        }
        let body = self.body().to_string();
        let mut response = (self.status, body).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> Self {
        match &error {
            DbError::Violation(v) => {
                let fields = |message: &str| {
                    v.fields.iter().map(|f| FieldError::new(camel(f), message)).collect::<Vec<_>>()
                };
                match v.kind {
                    ViolationKind::Unique => Self {
                        fields: fields("This is already used by another record."),
                        ..Self::conflict("duplicate", "Another record already has this value.")
                    },
                    ViolationKind::ForeignKey => Self {
                        fields: fields("Choose one that exists."),
                        ..Self::conflict("reference", "A record this one refers to does not exist.")
                    },
                    ViolationKind::InUse => {
                        Self::conflict("inUse", "This record is still in use and cannot be deleted.")
                    }
                    ViolationKind::NotNull => Self::invalid(fields("Enter a value.")),
                    ViolationKind::Check => Self::invalid(fields("This value is not allowed.")),
                }
            }
            DbError::NotFound => Self::not_found("record"),
            DbError::Busy => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "The server is busy. Try again in a moment.",
            ),
            DbError::Invalid(what) => Self::bad_request(what.to_string()),
            _ => Self::internal(error),
        }
    }
}

/// `parent_id` → `parentId`: a column's name in the API.
#[must_use]
pub fn camel(column: &str) -> String {
    let mut out = String::with_capacity(column.len());
    let mut up = false;
    for c in column.chars() {
        match c {
            '_' => up = true,
            c if up => {
                out.extend(c.to_uppercase());
                up = false;
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_the_same_message_share_it_as_detail() {
        let said = |messages: &[&str]| {
            let fields = messages.iter().map(|message| FieldError::new("x", *message)).collect();
            ApiError::invalid(fields).detail
        };
        assert_eq!(said(&["Enter a number."]), "Enter a number.");
        assert_eq!(said(&["Enter a number.", "Enter a number."]), "Enter a number.");
        assert_eq!(said(&["Enter a number.", "Choose a day."]), "2 fields need a change.");
    }
}
