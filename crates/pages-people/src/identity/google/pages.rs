//! The last page of a sign-in: a script on it passes the result to the console.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Result for the console.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Whether a session was opened or renewed.
    pub ok: bool,
    /// A code of the console's catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Text to show instead of the catalogue's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// A second factor is required; send this with its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfa_pending_credential: Option<String>,
}

impl Outcome {
    /// Signed in.
    #[must_use]
    pub fn ok() -> Self {
        Self { ok: true, ..Self::default() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignInResult<'a> {
    mode: &'a str,
    return_to: &'a str,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

/// The page with the result.
pub fn last(mode: &str, return_to: &str, outcome: &Outcome) -> Response {
    let said = serde_json::to_string(&SignInResult { mode, return_to, outcome }).unwrap_or_default();
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"larder-result\" content=\"{}\">\
         <title>Signing in…</title><p role=\"status\">Signing in…</p><p><a href=\"/\">Back to the console</a></p>\
         <script src=\"/google-done.js\" type=\"module\"></script></html>",
        escaped(&said)
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
