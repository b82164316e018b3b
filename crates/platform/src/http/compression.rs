//! Response compression: JSON and CSV shrink to a tenth, which helps on a store's mobile connection.
//! Compressed content and event streams stay as they are.
//!
//! Compression can leak secrets through response size (BREACH). That requires making another user's browser
//! request, with chosen text, a response that contains a secret: cookies are not sent from other sites, and
//! no response contains the session's secret.

use axum::body::HttpBody;
use axum::http::Response;
use axum::http::header::CONTENT_TYPE;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Smaller responses fit a packet or two anyway.
const WORTHWHILE: u64 = 1024;

/// Matches compressible responses.
#[derive(Debug, Clone, Copy)]
pub struct Texts;

impl Predicate for Texts {
    fn should_compress<B: HttpBody>(&self, response: &Response<B>) -> bool {
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        ["application/json", "application/problem+json", "text/csv"].iter().any(|text| kind.starts_with(text))
    }
}

/// Compresses on request, at the fastest level.
#[must_use]
pub fn layer() -> CompressionLayer<And<SizeAbove, Texts>> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTHWHILE).and(Texts))
}
