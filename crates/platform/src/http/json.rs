//! JSON bodies whose errors are problems instead of plain text. Every JSON body is parsed here.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_db::{MOST_NESTED, nesting};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::error::Category;
use serde_path_to_error::Segment;

use super::named::{NO_LIST, Named};
use super::{ApiError, ApiResult};

/// A JSON body; requires `content-type: application/json`, refuses NUL in any text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(req: Request, state: &S) -> Result<Self, ApiError> {
        is_declared(req.headers())?;
        let body = Bytes::from_request(req, state).await.map_err(|rejection| broken(&rejection))?;
        parse(&body).map(Self)
    }
}

/// Refuses a body of another content type.
///
/// # Errors
/// 415.
pub fn is_declared(headers: &HeaderMap) -> ApiResult<()> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json")) {
        return Ok(());
    }
    let words = "Send JSON (content-type: application/json).";
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported", words))
}

/// Parses a complete body.
///
/// # Errors
/// 422 `tooDeep` beyond the nesting limit, 400 and 422 if it is invalid or not of type `T`.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> ApiResult<T> {
    // Stored values are wrapped in others and must remain readable.
    if nesting(body) > MOST_NESTED {
        let words = format!(
            "Lists and objects within each other go at most {MOST_NESTED} levels deep. Send it flatter."
        );
        return Err(ApiError::unprocessable("tooDeep", words));
    }
    // No body is a list; below its root, `Named` refuses those that stand for an object.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(ApiError::unprocessable("invalid", NO_LIST));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(Named(&mut json)).map_err(|error| {
        match error.inner().classify() {
            Category::Data => at_member(&error),
            Category::Io | Category::Syntax | Category::Eof => not_json(error.inner()),
        }
    })?;
    json.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

fn not_json(error: &serde_json::Error) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "invalid", format!("This is not JSON: {error}."))
}

/// 422 at the invalid or unknown member.
#[must_use]
pub fn at_member(error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let names = error.path().iter().filter_map(|part| match part {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let mut names: Vec<String> = names.collect();
    let said = error.inner().to_string();
    let words = said.split_once(" at line ").map_or(said.as_str(), |(words, _)| words);
    let unknown = words.split_once(", expected ").filter(|_| words.starts_with("unknown field"));
    let missing = words.strip_prefix("missing field `").and_then(|name| name.strip_suffix('`'));
    let words = match (unknown, missing) {
        (Some((_, known)), _) => {
            let known = known.trim_start_matches("one of ").replace(" or ", ", ").replace('`', "");
            format!("There is no such field here; there are {known}.")
        }
        (None, Some(name)) => {
            names.push(name.to_owned());
            "This is missing; send it.".to_owned()
        }
        (None, None) => words.to_owned(),
    };
    if names.is_empty() {
        ApiError::unprocessable("invalid", words)
    } else {
        ApiError::field(names.join("."), words)
    }
}

fn broken(rejection: &BytesRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::too_large("This is more than fits in one request (1 MiB).")
        }
        _ => {
            ApiError::bad_request(format!("The request broke off: {}. Send it again.", rejection.body_text()))
        }
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// A response of JSON text, as [`Json`] responds.
#[must_use]
pub fn written(text: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Path parameters whose errors are problems.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::bad_request(rejection.body_text())),
        }
    }
}

/// Query parameters whose errors are problems.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::bad_request(rejection.body_text())),
        }
    }
}
