//! Import files: streamed in, stored unchanged, and read on blocking threads.

use std::fs::File;

use axum::body::Body;
use axum::http::StatusCode;
use serde::Serialize;

use super::{Import, batches, queries};
use larder_platform::AppState;
use larder_platform::http::upload::file_name;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::sheets;
use larder_platform::sheets::{Refusal, Source};

/// The largest file accepted, in bytes.
const LIMIT: u64 = 64 << 20;

/// An uploaded file.
pub struct NewFile {
    /// Id of its batch.
    pub id: String,
    /// Key in the file store.
    pub key: String,
    pub name: String,
    /// In bytes.
    pub size: i64,
    /// In hexadecimal.
    pub sha256: String,
}

/// What an import detects in an uploaded file.
pub struct Detected<I: Import, L> {
    /// Its layout, kept with the batch.
    pub layout: L,
    /// The mapping of an earlier file like it.
    pub mapping: Option<I::Mapping>,
    /// The import's own columns of the batch.
    pub new: I::New,
}

/// Responds to an upload: stores the body, lets the import detect its layout, and creates its batch. A refused file is
/// deleted.
///
/// # Errors
/// 422 without a name, 413 above the limit, and why `detect` refused the file.
pub async fn upload<I: Import, L: Serialize + Send + Sync>(
    state: &AppState,
    who: &Who,
    name: Option<&str>,
    body: Body,
    detect: impl AsyncFnOnce(&NewFile) -> ApiResult<Detected<I, L>>,
) -> ApiResult<(StatusCode, Json<I::Batch>)> {
    let file = receive::<I>(state, name, body).await?;
    let created = match detect(&file).await {
        Ok(detected) => insert::<I, L>(state, who, &file, &detected).await,
        Err(refusal) => Err(refusal),
    };
    if created.is_err() {
        state.files.delete(&file.key).await?;
    }
    Ok((StatusCode::CREATED, Json(created?)))
}

async fn receive<I: Import>(state: &AppState, name: Option<&str>, body: Body) -> ApiResult<NewFile> {
    let name = file_name(name)?;
    let id = state.new_id();
    let key = format!("{}/{id}", I::FOLDER);
    let stored = state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let size = i64::try_from(stored.size).unwrap_or(i64::MAX);
    Ok(NewFile { id, key, name, size, sha256: stored.sha256 })
}

async fn insert<I: Import, L: Serialize + Send + Sync>(
    state: &AppState,
    who: &Who,
    file: &NewFile,
    detected: &Detected<I, L>,
) -> ApiResult<I::Batch> {
    let Detected { layout, mapping, new } = detected;
    let added = async |tx: &mut larder_db::Tx<'_>| {
        queries::insert::<I>(tx, file, layout, mapping.as_ref(), new).await
    };
    state.db.write(&who.actor(), added).await?;
    batches::find::<I>(state, who, &file.id).await
}

/// Reads a stored file on a blocking thread, detecting its format first unless it is `known`.
///
/// # Errors
/// 422 with the reader's message.
pub async fn read<T: Send + 'static>(
    state: &AppState,
    key: &str,
    known: Option<Source>,
    read: impl FnOnce(&mut File, &Source) -> Result<T, Refusal> + Send + 'static,
) -> ApiResult<T> {
    let mut file = state.files.local_copy(key).await?;
    let reading = tokio::task::spawn_blocking(move || {
        let source = match known {
            Some(source) => source,
            None => sheets::inspect(&mut file)?,
        };
        read(&mut file, &source)
    });
    let answer: Result<T, Refusal> = reading.await.map_err(ApiError::internal)?;
    answer.map_err(|Refusal(words)| ApiError::unprocessable("notATable", words))
}
