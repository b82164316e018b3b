//! Uploaded files behind one store: a folder beside the database, or a bucket when scaled out.

pub mod pictures;
pub mod private;

use std::path::Path as FsPath;
use std::sync::Arc;

use bytes::Bytes;
use futures::{Stream, StreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, WriteMultipart};
use sha2::{Digest, Sha256};

use crate::http::ApiError;

/// The file store.
#[derive(Clone)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    folder: Arc<FsPath>,
}

/// Size and hash of a stored file.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Files {
    /// Stores in a folder, created if missing.
    ///
    /// # Errors
    /// If the folder cannot be created or written.
    pub fn in_folder(folder: &FsPath) -> anyhow::Result<Self> {
        private::folder(folder)?;
        let store = object_store::local::LocalFileSystem::new_with_prefix(folder)?;
        Ok(Self { store: Arc::new(store), folder: folder.into() })
    }

    /// Restricts a stored file to the operator's account.
    async fn close(&self, key: &str) -> Result<(), ApiError> {
        let (folder, path) = (Arc::clone(&self.folder), self.folder.join(key));
        let closing = tokio::task::spawn_blocking(move || private::close_within(&folder, &path));
        closing.await.map_err(ApiError::internal)
    }

    /// Streams at most `limit` bytes to `key`, buffering no more than one part.
    ///
    /// # Errors
    /// 413 past the limit; a partial upload is deleted.
    pub async fn put_stream<S, E>(&self, key: &str, mut body: S, limit: u64) -> Result<Stored, ApiError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::fmt::Display,
    {
        let path = Path::from(key);
        let upload = self.store.put_multipart(&path).await.map_err(ApiError::internal)?;
        let mut writer = WriteMultipart::new(upload);
        let (mut size, mut hash) = (0u64, Sha256::new());
        while let Some(chunk) = body.next().await {
            let outcome = match chunk {
                Ok(chunk) => {
                    size += chunk.len() as u64;
                    hash.update(&chunk);
                    writer.write(&chunk);
                    if size > limit {
                        Err(ApiError::too_large(format!("This file is larger than {} MiB.", limit >> 20)))
                    } else {
                        Ok(())
                    }
                }
                Err(error) => {
                    Err(ApiError::bad_request(format!("The upload stopped: {error}. Upload the file again.")))
                }
            };
            if let Err(refusal) = outcome {
                let _ = writer.abort().await;
                return Err(refusal);
            }
        }
        writer.finish().await.map_err(ApiError::internal)?;
        self.close(key).await?;
        Ok(Stored { size, sha256: hex(&hash.finalize()) })
    }

    /// Stores bytes under `key`.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), ApiError> {
        self.store.put(&Path::from(key), PutPayload::from(bytes)).await.map_err(ApiError::internal)?;
        self.close(key).await
    }

    /// Copies a stored file into a temporary file, for readers that must seek.
    ///
    /// # Errors
    /// If there is no such file, or the disk is full.
    pub async fn local_copy(&self, key: &str) -> Result<std::fs::File, ApiError> {
        use tokio::io::{AsyncSeekExt, AsyncWriteExt};
        let mut stream = self.open(key).await?;
        let file = tokio::task::spawn_blocking(unnamed_file)
            .await
            .map_err(ApiError::internal)?
            .map_err(ApiError::internal)?;
        let mut file = tokio::fs::File::from_std(file);
        while let Some(chunk) = stream.next().await {
            file.write_all(&chunk.map_err(ApiError::internal)?).await.map_err(ApiError::internal)?;
        }
        file.flush().await.map_err(ApiError::internal)?;
        file.rewind().await.map_err(ApiError::internal)?;
        Ok(file.into_std().await)
    }

    /// Streams a stored file.
    ///
    /// # Errors
    /// If there is no such file.
    pub async fn open(
        &self,
        key: &str,
    ) -> Result<futures::stream::BoxStream<'static, object_store::Result<Bytes>>, ApiError> {
        match self.store.get(&Path::from(key)).await {
            Ok(found) => Ok(found.into_stream()),
            Err(object_store::Error::NotFound { .. }) => Err(ApiError::not_found("file")),
            Err(error) => Err(ApiError::internal(error)),
        }
    }

    /// Deletes a stored file if it exists.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn delete(&self, key: &str) -> Result<(), ApiError> {
        match self.store.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(ApiError::internal(error)),
        }
    }
}

fn unnamed_file() -> std::io::Result<std::fs::File> {
    tempfile::tempfile()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
