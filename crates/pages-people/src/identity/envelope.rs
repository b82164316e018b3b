//! Refusals of the identity endpoints, in that interface's own envelope.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use larder_db::DbError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use larder_platform::http::{ApiError, Json};

/// A refusal with its code (`INVALID_LOGIN_CREDENTIALS`), or something else that went wrong.
#[derive(Debug)]
pub enum IdentityError {
    /// A code of the interface, and words for the log of whoever calls.
    Code(&'static str, String),
    /// Anything else.
    Api(ApiError),
}

impl IdentityError {
    /// A refusal that needs no words.
    #[must_use]
    pub fn code(code: &'static str) -> Self {
        Self::Code(code, String::new())
    }

    /// Too much was tried.
    #[must_use]
    pub fn too_many() -> Self {
        Self::Code("TOO_MANY_ATTEMPTS_TRY_LATER", "Too many attempts. Wait a little and try again.".into())
    }
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

/// A JSON body whose refusals come in the envelope; fields nobody asked for are let be.
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

/// Clients of the interface forget who is signed in when a look-up or a refresh answers «too many» or «busy» in JSON;
/// in plain text they take it for a bad connection and try again later.
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
