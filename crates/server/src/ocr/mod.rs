//! Pictures into text and figures: the till reader with its limits, each on a thread of its own and few at once.

mod pdf;
mod till;

use std::sync::LazyLock;

use larder_tillread::{EngineError, Refusal, Tesseract};
use tokio::sync::Semaphore;

use crate::http::{ApiError, ApiResult};
use axum::http::StatusCode;

pub use pdf::{MOST_PAGES, pages};
pub use till::{Till, read_till};

/// Pictures read at once: each takes a processor for a second or two.
static TURNS: Semaphore = Semaphore::const_new(2);
static ENGINE: LazyLock<Tesseract> = LazyLock::new(Tesseract::default);

/// The text of a picture, as it lies on it.
///
/// # Errors
/// 415 and 422 for what is no picture, 503 where the reader is not installed.
pub async fn read_text(bytes: bytes::Bytes) -> ApiResult<larder_tillread::Text> {
    in_turn(move || larder_tillread::read_text(&bytes, &*ENGINE)).await?.map_err(refuse)
}

/// Works on a blocking thread, in its turn. The turn is held by the work itself: it goes on when whoever asked has gone.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    let turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    done.await.map_err(ApiError::internal)
}

fn refuse(refusal: Refusal) -> ApiError {
    let words = refusal.to_string();
    match refusal {
        Refusal::NotAPicture => ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported", words),
        Refusal::Broken => ApiError::unprocessable("broken", words),
        Refusal::TooLarge => ApiError::too_large(words),
        Refusal::TooManyPixels => ApiError::unprocessable("tooManyPixels", words),
        Refusal::Engine(EngineError::NotInstalled) => ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "notInstalled",
            "Pictures cannot be read here: tesseract is not installed on this server (Debian: tesseract-ocr). Type the \
             figures in.",
        ),
        Refusal::Engine(EngineError::TimedOut(_)) => ApiError::unprocessable("tooSlow", words),
        Refusal::Engine(EngineError::Failed(_)) => ApiError::internal(anyhow::anyhow!(words)),
    }
}
