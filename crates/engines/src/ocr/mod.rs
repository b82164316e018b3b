//! OCR of pictures: the till reader with its limits, on blocking threads and few at once.

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

/// A slot for reading, taken before the file is loaded into memory.
#[derive(Clone)]
pub struct Turn {
    _held: Arc<SemaphorePermit<'static>>,
}

/// Waits for a slot.
///
/// # Errors
/// None in practice: the semaphore is never closed.
pub async fn turn() -> ApiResult<Turn> {
    Ok(Turn { _held: Arc::new(TURNS.acquire().await.map_err(ApiError::internal)?) })
}

/// Decodes a picture for reading.
///
/// # Errors
/// 415 and 422 if it is not a picture or too large.
async fn open(upload: Upload) -> ApiResult<Arc<Picture>> {
    pictures::open(upload, LONGEST_SIDE, |image| Ok(Arc::new(Picture::from(image)))).await
}

/// The text of a picture, in its layout.
///
/// # Errors
/// 415 and 422 if it is not a picture, 503 if the reader is not installed.
pub async fn read_text(turn: &Turn, bytes: bytes::Bytes) -> ApiResult<larder_tillread::Text> {
    let picture = open(bytes.into()).await?;
    let read = move || larder_tillread::read_picture_text(&picture, &*ENGINE);
    in_turn(turn, read).await?.map_err(refuse)
}

/// Works on a blocking thread, which holds the slot too: the work continues if the request is dropped.
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
        Refusal::Engine(EngineError::TimedOut(_) | EngineError::Stuck(_)) => {
            ApiError::unprocessable("tooSlow", words)
        }
        Refusal::Engine(EngineError::Failed(_)) => ApiError::internal(anyhow::anyhow!(words)),
    }
}
