//! Names of files, as they come and as they go.

use axum::http::HeaderValue;

use super::error::{ApiError, ApiResult};

/// Longest name kept, in characters.
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

/// A file that is saved, never shown in the place of a page: it may hold anything.
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
