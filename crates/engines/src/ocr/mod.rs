//! Pictures into text and figures: the till reader with its limits, each on a thread of its own and few at once.

mod pdf;
mod till;

use std::sync::{Arc, LazyLock};

use larder_tillread::{EngineError, LONGEST_SIDE, Picture, Refusal, Tesseract};
use tokio::sync::{Semaphore, SemaphorePermit};

use axum::http::StatusCode;
use larder_platform::files::pictures;
use larder_platform::files::pictures::Upload;
use larder_platform::http::{ApiError, ApiResult};

pub use pdf::{MOST_PAGES, pages};
pub use till::{Till, read_till};

/// Pictures read at once: each takes a processor for a second or two.
static TURNS: Semaphore = Semaphore::const_new(2);
static ENGINE: LazyLock<Tesseract> = LazyLock::new(Tesseract::default);

/// A turn at reading. It is taken before the file comes into memory.
#[derive(Clone)]
pub struct Turn {
    _held: Arc<SemaphorePermit<'static>>,
}

/// Waits for a turn.
///
/// # Errors
/// None in practice: turns are never closed.
pub async fn turn() -> ApiResult<Turn> {
    Ok(Turn { _held: Arc::new(TURNS.acquire().await.map_err(ApiError::internal)?) })
}

/// Opens a picture for reading.
///
/// # Errors
/// 415 and 422 for what is no picture, or too large a one.
async fn open(upload: Upload) -> ApiResult<Arc<Picture>> {
    pictures::open(upload, LONGEST_SIDE, |image| Ok(Arc::new(Picture::from(image)))).await
}

/// The text of a picture, as it lies on it.
///
/// # Errors
/// 415 and 422 for what is no picture, 503 where the reader is not installed.
pub async fn read_text(turn: &Turn, bytes: bytes::Bytes) -> ApiResult<larder_tillread::Text> {
    let picture = open(bytes.into()).await?;
    let read = move || larder_tillread::read_picture_text(&picture, &*ENGINE);
    in_turn(turn, read).await?.map_err(refuse)
}

/// Works on a blocking thread. The turn is held by the work too: it goes on when the request is gone.
async fn in_turn<T: Send + 'static>(turn: &Turn, work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    let turn = turn.clone();
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    done.await.map_err(ApiError::internal)
}

fn refuse(refusal: Refusal) -> ApiError {
    let words = refusal.to_string();
    match refusal {
        Refusal::Picture(refusal) => pictures::refuse(refusal),
        Refusal::TooLarge => ApiError::too_large(words),
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
