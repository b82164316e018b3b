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

/// Stores the body of a request as a file.
///
/// # Errors
/// 422 without a name, 413 above the limit.
pub async fn receive<I: Import>(state: &AppState, name: Option<&str>, body: Body) -> ApiResult<NewFile> {
    let name = file_name(name)?;
    let id = state.new_id();
    let key = format!("{}/{id}", I::FOLDER);
    let stored = state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let size = i64::try_from(stored.size).unwrap_or(i64::MAX);
    Ok(NewFile { id, key, name, size, sha256: stored.sha256 })
}

/// Creates the batch of a file.
///
/// # Errors
/// If the database fails.
pub async fn insert<I: Import>(
    state: &AppState,
    who: &Who,
    file: &NewFile,
    layout: &(impl Serialize + Sync),
    mapping: Option<&I::Mapping>,
    new: &I::New,
) -> ApiResult<I::Batch> {
    let added = async |tx: &mut larder_db::Tx<'_>| queries::insert::<I>(tx, file, layout, mapping, new).await;
    state.db.write(&who.actor(), added).await?;
    batches::find::<I>(state, who, &file.id).await
}

/// Responds to an upload. A refused file is deleted.
///
/// # Errors
/// Why the file was refused.
pub async fn created<B>(
    state: &AppState,
    file: &NewFile,
    taken: ApiResult<B>,
) -> ApiResult<(StatusCode, Json<B>)> {
    if taken.is_err() {
        state.files.delete(&file.key).await?;
    }
    Ok((StatusCode::CREATED, Json(taken?)))
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
