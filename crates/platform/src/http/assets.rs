//! The web console, embedded in the binary: hashed files are cached forever, the page is always revalidated.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use rust_embed::{Embed, EmbeddedFile};

use super::{ApiError, headers};
use crate::AppState;

/// What the build of the console collects: text in brotli alone (`web/scripts/compress.mjs`).
#[derive(Embed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/embed"]
#[allow_missing = true]
struct Dist;

/// Placeholder in the page for the nonce of its style tags.
const NONCE: &str = "__CSP_NONCE__";

/// Serves a file of the console, or the page for any of its paths.
pub async fn serve(State(state): State<AppState>, uri: Uri, request: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if is_ours_alone(path) {
        return ApiError::not_found("address").into_response();
    }
    if path != "index.html" && !path.is_empty() && !path.ends_with(".br") {
        if let Some(file) = Dist::get(&format!("{path}.br")) {
            return serve_file(path, file, true, &request);
        }
        if let Some(file) = Dist::get(path) {
            return serve_file(path, file, false, &request);
        }
    }
    // A missing asset must not return the page, or it would be run as a script. A browser navigating to an
    // unknown address gets the console, which explains what is wrong with it.
    let file = path.starts_with("assets/") || path.rsplit('/').next().is_some_and(is_file_name);
    if file && !wants_page(&request) {
        return ApiError::not_found("file").into_response();
    }
    page(&state)
}

/// Whether a name has a file extension; percent-encoded names are none of our files.
fn is_file_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        (1..=8).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// Whether a browser navigates here.
fn wants_page(request: &HeaderMap) -> bool {
    let says = |name: &str| request.get(name).and_then(|value| value.to_str().ok());
    match says("sec-fetch-dest") {
        Some(dest) => dest == "document" || dest == "iframe",
        None => says("accept").is_some_and(|accept| accept.contains("text/html")),
    }
}

/// API paths never return the page.
fn is_ours_alone(path: &str) -> bool {
    ["api/", "v1/", "identitytoolkit", "securetoken"].iter().any(|p| path.starts_with(p)) || path == "api"
}

/// A file of the console. One that is embedded in brotli is decompressed for clients that do not accept it: browsers do
/// so over HTTPS and on this machine only.
fn serve_file(path: &str, file: EmbeddedFile, brotli: bool, request: &HeaderMap) -> Response {
    let etag = format!(
        "\"{}\"",
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&file.metadata.sha256_hash()[..12])
    );
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let fixed = [
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if request.get(header::IF_NONE_MATCH).is_some_and(|v| v.as_bytes() == etag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let mime = mime_guess::from_path(path).first_or_octet_stream();
    let accepted = request
        .get(header::ACCEPT_ENCODING)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| v.split(',').any(|e| e.trim().split(';').next() == Some("br")));
    let encoded = brotli && accepted;
    let data = if brotli && !accepted { decompressed(&file.data).into() } else { file.data };
    let mut response = (fixed, data).into_response();
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(mime.as_ref()) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    if encoded {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    response
}

fn decompressed(brotli: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(brotli.len() * 4);
    let mut reader = brotli_decompressor::Decompressor::new(brotli, 4096);
    std::io::Read::read_to_end(&mut reader, &mut plain).expect("what the build compressed");
    plain
}

fn page(state: &AppState) -> Response {
    let Some(index) = Dist::get("index.html") else {
        return (StatusCode::NOT_FOUND, "The console is not built into this binary. Run `make build`.")
            .into_response();
    };
    let nonce = base64::engine::general_purpose::STANDARD_NO_PAD.encode(state.random_bytes::<16>());
    let html = String::from_utf8_lossy(&index.data).replace(NONCE, &nonce);
    (
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
            (header::CACHE_CONTROL, "no-store".to_owned()),
            (header::CONTENT_SECURITY_POLICY, headers::csp_with_nonce(&nonce)),
        ],
        html,
    )
        .into_response()
}
