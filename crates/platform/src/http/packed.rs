//! Answers packed on their way: records and tables in JSON or CSV shrink to a tenth of their size, which a store's
//! mobile connection is glad of. What is packed already, and what is sent bit by bit as it happens, stays as it is.
//!
//! Packing lets the length of an answer tell something of what stands in it. That is of use only to who can make
//! another's browser ask, with chosen words, for an answer that holds a secret: cookies are not sent along from other
//! sites, and no answer holds the session's secret.

use axum::body::HttpBody;
use axum::http::Response;
use axum::http::header::CONTENT_TYPE;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Below this many bytes an answer fits a packet or two anyway.
const WORTHWHILE: u64 = 1024;

/// What is packed.
#[derive(Debug, Clone, Copy)]
pub struct Texts;

impl Predicate for Texts {
    fn should_compress<B: HttpBody>(&self, response: &Response<B>) -> bool {
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        ["application/json", "application/problem+json", "text/csv"].iter().any(|text| kind.starts_with(text))
    }
}

/// Packs what asks for it, as fast as it goes.
#[must_use]
pub fn layer() -> CompressionLayer<And<SizeAbove, Texts>> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTHWHILE).and(Texts))
}
