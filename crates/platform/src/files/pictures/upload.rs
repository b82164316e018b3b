//! Picture uploads: a slot first, then the body into a temporary file.

use std::collections::HashMap;
use std::io::{Read as _, Seek as _};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::http::{ApiError, ApiResult, Who};

/// The largest file accepted, in bytes.
const LIMIT: usize = 10 << 20;
/// Uploads at once, in all and per user: one user's batch never blocks another's photo.
static ALL: Semaphore = Semaphore::const_new(32);
const OF_ONE: usize = 4;
/// Timeout of one body, so that a dead connection does not hold a slot.
const WITHIN: Duration = Duration::from_secs(180);

/// The slots of each user who holds or awaits one, by account.
static PEOPLE: Mutex<Option<HashMap<String, Weak<Semaphore>>>> = Mutex::new(None);

/// An upload slot, freed on drop.
#[derive(Debug)]
pub struct Place {
    _own: OwnedSemaphorePermit,
    _all: SemaphorePermit<'static>,
}

/// Waits for a slot, before any of the body is read.
///
/// # Errors
/// None in practice: the semaphores are never closed.
pub async fn place(who: &Who) -> ApiResult<Place> {
    let own = of(&who.uid).acquire_owned().await.map_err(ApiError::internal)?;
    let all = ALL.acquire().await.map_err(ApiError::internal)?;
    Ok(Place { _own: own, _all: all })
}

/// The slots of one user.
fn of(uid: &str) -> Arc<Semaphore> {
    let mut people = PEOPLE.lock().unwrap_or_else(PoisonError::into_inner);
    let people = people.get_or_insert_default();
    people.retain(|_, places| places.strong_count() > 0);
    if let Some(places) = people.get(uid).and_then(Weak::upgrade) {
        return places;
    }
    let places = Arc::new(Semaphore::new(OF_ONE));
    people.insert(uid.to_owned(), Arc::downgrade(&places));
    places
}

/// An uploaded or stored file.
#[derive(Debug)]
pub struct Upload {
    content: Content,
    hash: [u8; 32],
    _place: Option<Place>,
}

#[derive(Debug)]
enum Content {
    Kept(Bytes),
    Arrived(std::fs::File),
}

impl From<Bytes> for Upload {
    fn from(bytes: Bytes) -> Self {
        Self { hash: Sha256::digest(&bytes).into(), content: Content::Kept(bytes), _place: None }
    }
}

impl From<Vec<u8>> for Upload {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl Upload {
    /// The first `bytes` bytes of its SHA-256 in hexadecimal, as its identity.
    #[must_use]
    pub fn fingerprint(&self, bytes: usize) -> String {
        self.hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The whole file in memory.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub async fn bytes(&self) -> ApiResult<Bytes> {
        let mut file = match &self.content {
            Content::Kept(bytes) => return Ok(bytes.clone()),
            Content::Arrived(file) => file.try_clone().map_err(ApiError::internal)?,
        };
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::with_capacity(file.metadata()?.len() as usize);
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
            std::io::Result::Ok(Bytes::from(bytes))
        });
        read.await.map_err(ApiError::internal)?.map_err(ApiError::internal)
    }
}

/// Receives the body of an upload once there is a slot.
///
/// # Errors
/// 400 if it breaks off, 408 if it takes too long, 413 past the limit.
pub async fn receive(who: &Who, body: Body) -> ApiResult<Upload> {
    let place = place(who).await?;
    let upload = spool(body.into_data_stream(), LIMIT).await?;
    Ok(Upload { _place: Some(place), ..upload })
}

/// Writes a stream to a temporary file.
///
/// # Errors
/// As [`receive`].
pub async fn spool<E: std::fmt::Display>(
    parts: impl Stream<Item = Result<Bytes, E>> + Unpin,
    limit: usize,
) -> ApiResult<Upload> {
    let late = |_| {
        let words =
            "The picture took more than three minutes to arrive. Send it again from a better connection.";
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "tooSlow", words)
    };
    tokio::time::timeout(WITHIN, write(parts, limit)).await.map_err(late)?
}

async fn write<E: std::fmt::Display>(
    mut parts: impl Stream<Item = Result<Bytes, E>> + Unpin,
    limit: usize,
) -> ApiResult<Upload> {
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await.map_err(ApiError::internal)?;
    let mut file = tokio::fs::File::from_std(file.map_err(ApiError::internal)?);
    let (mut size, mut hash) = (0, Sha256::new());
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| {
            ApiError::bad_request(format!("The upload stopped: {error}. Upload the picture again."))
        })?;
        size += part.len();
        if size > limit {
            return Err(ApiError::too_large(format!("A picture has at most {} MiB.", limit >> 20)));
        }
        hash.update(&part);
        file.write_all(&part).await.map_err(ApiError::internal)?;
    }
    file.flush().await.map_err(ApiError::internal)?;
    Ok(Upload {
        content: Content::Arrived(file.into_std().await),
        hash: hash.finalize().into(),
        _place: None,
    })
}
