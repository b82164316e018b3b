//! Multipart bodies, and file names of uploads and downloads.

use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderValue, StatusCode};

use super::error::{ApiError, ApiResult};

/// A multipart body whose errors are problems. It is read part by part and has no limit of its own: handlers limit the
/// size and number of parts.
#[derive(Debug)]
pub struct Multipart(pub axum::extract::Multipart);

impl<S: Send + Sync> FromRequest<S> for Multipart {
    type Rejection = ApiError;

    async fn from_request(mut req: Request, state: &S) -> Result<Self, ApiError> {
        DefaultBodyLimit::disable().apply(&mut req);
        axum::extract::Multipart::from_request(req, state).await.map(Self).map_err(|_| {
            let words =
                "Send the files as multipart/form-data, with the boundary between its parts in content-type.";
            ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported", words)
        })
    }
}

/// The longest file name kept, in characters.
const MAX_NAME: usize = 200;

/// The name a file was uploaded under.
///
/// # Errors
/// 422 at `fileName` when there is none.
pub fn file_name(given: Option<&str>) -> ApiResult<String> {
    // Some browsers send the whole path.
    let name = given.unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    match name.trim() {
        "" => Err(ApiError::field("fileName", "Give the file's name.")),
        name => Ok(name.to_owned()),
    }
}

/// The name with an extension that matches the file's type, so that opening it never depends on the uploaded
/// name. `endings` are those of the type, the usual one first.
#[must_use]
pub fn with_ending(name: &str, endings: &[&str]) -> String {
    let usual = endings.first().copied().unwrap_or("bin");
    let Some((stem, ending)) = name.rsplit_once('.') else { return format!("{name}.{usual}") };
    if endings.iter().any(|fits| fits.eq_ignore_ascii_case(ending)) {
        return name.to_owned();
    }
    // «Permit 2026.5» has no extension.
    let is_ending = (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_ending && !stem.trim().is_empty() { format!("{stem}.{usual}") } else { format!("{name}.{usual}") }
}

/// As an attachment, never displayed as a page: it may contain anything.
#[must_use]
pub fn attachment(name: &str) -> HeaderValue {
    let plain = |c: char| if c.is_ascii_graphic() && !"\"\\%".contains(c) { c } else { '_' };
    let ascii: String = name.chars().map(plain).collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    let text = format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{encoded}");
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_match_the_file_type() {
        let pdf = |name| with_ending(name, &["pdf"]);
        assert_eq!(pdf("permit.pdf"), "permit.pdf");
        assert_eq!(pdf("Permit.PDF"), "Permit.PDF");
        assert_eq!(pdf("permit.html"), "permit.pdf");
        assert_eq!(pdf("permit.pdf.html"), "permit.pdf.pdf");
        assert_eq!(pdf("permit"), "permit.pdf");
        assert_eq!(pdf("Permit 2026.5"), "Permit 2026.5.pdf");
        assert_eq!(pdf(".html"), ".html.pdf");
        assert_eq!(with_ending("front.jpeg", &["jpg", "jpeg"]), "front.jpeg");
    }
}
