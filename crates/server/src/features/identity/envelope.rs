//! Refusals of the identity endpoints, in that interface's own envelope.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use larder_db::DbError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::ApiError;

/// A refusal with its code (`INVALID_LOGIN_CREDENTIALS`), or something else that went wrong.
#[derive(Debug)]
pub enum IdentityError {
    /// A code of the interface, and words for the log of whoever calls.
    Code(&'static str, &'static str),
    /// Anything else.
    Api(ApiError),
}

/// The envelope.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProblem {
    /// The refusal.
    pub error: IdentityProblemBody,
}

/// What the envelope holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProblemBody {
    /// The HTTP status.
    pub code: u16,
    /// `CODE` or `CODE : text`.
    pub message: String,
    /// The same once more, as the interface has it.
    pub errors: Vec<IdentityProblemItem>,
    /// The status in words.
    pub status: String,
}

/// One refusal inside the envelope.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProblemItem {
    /// `CODE` or `CODE : text`.
    pub message: String,
    /// `global`.
    pub domain: String,
    /// `invalid`.
    pub reason: String,
}

impl From<ApiError> for IdentityError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<DbError> for IdentityError {
    fn from(error: DbError) -> Self {
        Self::Api(error.into())
    }
}

impl IntoResponse for IdentityError {
    fn into_response(self) -> Response {
        match self {
            Self::Api(error) => error.into_response(),
            Self::Code(code, text) => {
                let message = if text.is_empty() { code.to_owned() } else { format!("{code} : {text}") };
                let body = IdentityProblem {
                    error: IdentityProblemBody {
                        code: 400,
                        message: message.clone(),
                        errors: vec![IdentityProblemItem {
                            message,
                            domain: "global".into(),
                            reason: "invalid".into(),
                        }],
                        status: "INVALID_ARGUMENT".into(),
                    },
                };
                (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
            }
        }
    }
}
