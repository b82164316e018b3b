//! Errors of the identity endpoints, in the envelope of the Identity Toolkit interface.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use larder_db::DbError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use larder_platform::http::{ApiError, Json};

/// An error code (`INVALID_LOGIN_CREDENTIALS`), or another error.
#[derive(Debug)]
pub enum IdentityError {
    /// A code of the interface, and text for the client's log.
    Code(&'static str, String),
    Api(ApiError),
}

impl IdentityError {
    /// An error without text.
    #[must_use]
    pub fn code(code: &'static str) -> Self {
        Self::Code(code, String::new())
    }

    /// Too many attempts.
    #[must_use]
    pub fn too_many() -> Self {
        Self::Code("TOO_MANY_ATTEMPTS_TRY_LATER", "Too many attempts. Wait a little and try again.".into())
    }
}

/// The error envelope.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProblem {
    /// The error.
    pub error: IdentityProblemBody,
}

/// Content of the envelope.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProblemBody {
    /// The HTTP status.
    pub code: u16,
    /// `CODE` or `CODE : text`.
    pub message: String,
    /// The same again, as the interface requires.
    pub errors: Vec<IdentityProblemItem>,
    /// The status as text.
    pub status: String,
}

/// An error in the envelope.
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
        let (code, text) = match self {
            Self::Api(error) => return error.into_response(),
            Self::Code(code, text) => (code, text),
        };
        let message = if text.is_empty() { code.to_owned() } else { format!("{code} : {text}") };
        let item = IdentityProblemItem {
            message: message.clone(),
            domain: "global".into(),
            reason: "invalid".into(),
        };
        let error = IdentityProblemBody {
            code: StatusCode::BAD_REQUEST.as_u16(),
            message,
            errors: vec![item],
            status: "INVALID_ARGUMENT".into(),
        };
        (StatusCode::BAD_REQUEST, Json(IdentityProblem { error })).into_response()
    }
}

/// A JSON body whose errors use the envelope; unknown fields are ignored.
pub struct WireJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for WireJson<T> {
    type Rejection = IdentityError;

    async fn from_request(req: Request, state: &S) -> Result<Self, IdentityError> {
        match Json::<T>::from_request(req, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(error) if error.status.is_client_error() => {
                Err(IdentityError::Code("INVALID_ARGUMENT", error.detail))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Clients of the interface sign the user out when a lookup or refresh returns «too many» or «busy» as JSON;
/// given plain text, they assume a network error and retry.
pub async fn say_plainly(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let plainly = path.ends_with("/v1/token") || path.ends_with("/v1/accounts:lookup");
    let response = next.run(request).await;
    let status = response.status();
    if !plainly || !(status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()) {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    let words = if status == StatusCode::TOO_MANY_REQUESTS {
        "Too many requests. Try again later.\n"
    } else {
        "The server is busy. Try again in a moment.\n"
    };
    Response::from_parts(parts, words.into())
}
