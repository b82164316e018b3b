//! JSON bodies that may be gzip-compressed, limited in size before and after decompression.

use std::io::Read as _;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use futures::StreamExt as _;
use serde::de::DeserializeOwned;

use super::{ApiError, ApiResult, json};

/// The limits of a route's body.
#[derive(Debug, Clone, Copy)]
pub struct GzipBody {
    /// What is sent, for messages: «counts».
    pub what: &'static str,
    /// The most bytes, before and after decompression.
    pub most: usize,
    /// Message for larger bodies.
    pub too_large: &'static str,
}

impl GzipBody {
    /// Reads a body.
    ///
    /// # Errors
    /// 413 if it is too large, 415 if it is not JSON or compressed otherwise, 400 and 422 if it is invalid or
    /// not of type `T`.
    pub async fn read<T: DeserializeOwned>(&self, headers: &HeaderMap, body: Body) -> ApiResult<T> {
        json::is_declared(headers)?;
        let length = headers.get(header::CONTENT_LENGTH);
        let declared = length.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
        if declared.is_some_and(|length| length > self.most) {
            return Err(self.too_large());
        }
        let received = self.receive(body).await?;
        match headers.get(header::CONTENT_ENCODING).map(|compressed| compressed.as_bytes()) {
            None | Some(b"identity") => json::parse(&received),
            Some(b"gzip") => json::parse(&self.decompress(&received)?),
            Some(_) => {
                let words = "Send JSON as it is, or packed with gzip.";
                Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported", words))
            }
        }
    }

    /// Decompresses at most `most` bytes.
    fn decompress(&self, compressed: &[u8]) -> ApiResult<Vec<u8>> {
        let mut plain = Vec::new();
        let decompressed =
            flate2::read::MultiGzDecoder::new(compressed).take(self.most as u64 + 1).read_to_end(&mut plain);
        decompressed.map_err(|error| {
            ApiError::bad_request(format!("The {} cannot be unpacked: {error}. Send them again.", self.what))
        })?;
        if plain.len() > self.most { Err(self.too_large()) } else { Ok(plain) }
    }

    async fn receive(&self, body: Body) -> ApiResult<bytes::Bytes> {
        let mut parts = body.into_data_stream();
        let mut bytes = bytes::BytesMut::new();
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| {
                ApiError::bad_request(format!("The upload stopped: {error}. Send the {} again.", self.what))
            })?;
            if bytes.len() + part.len() > self.most {
                return Err(self.too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes.freeze())
    }

    fn too_large(&self) -> ApiError {
        ApiError::too_large(self.too_large)
    }
}
