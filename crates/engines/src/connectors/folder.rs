//! Watched folders: a file that no longer grows is taken, and moved to `done`, or to `failed` with the reason
//! next to it.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use larder_domain::Timestamp;

use super::model::{Kept, RunParams};
use super::settings::ConnectorSettings;
use super::{queries, runs};
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiError, ApiResult};

/// A file is taken once unchanged for this long.
const QUIET_MS: i64 = 10_000;
/// Files taken per check.
const AT_ONCE: usize = 50;
/// The largest file accepted, in bytes.
const MOST_BYTES: u64 = 64 << 20;

struct Found {
    name: String,
    size: u64,
    modified: i64,
}

/// The folder of a feed, below the incoming folder.
pub(super) fn place(state: &AppState, kept: &Kept) -> Option<PathBuf> {
    let ConnectorSettings::W3p(settings) = &kept.settings.0 else { return None };
    // The name is plain letters (validated in the settings), so it cannot traverse paths.
    settings.folder.as_ref().map(|name| state.config.incoming_dir().join(name))
}

/// Checks the folder of a feed and takes complete files. Returns their number.
///
/// # Errors
/// If the database fails.
pub(super) async fn look(state: &AppState, kept: &Kept) -> ApiResult<usize> {
    let Some(place) = place(state, kept) else { return Ok(0) };
    let files = tokio::task::spawn_blocking(move || files(&place)).await.map_err(ApiError::internal)?;
    let files = match files {
        Ok(files) => files,
        Err(error) => {
            tracing::warn!(%error, connector = kept.id, "cannot read a watched folder");
            return Ok(0);
        }
    };
    let mut taken = 0;
    for file in files {
        taken += usize::from(take(state, kept, &file).await?);
    }
    Ok(taken)
}

/// The files of a folder, created if missing, by name.
fn files(place: &Path) -> std::io::Result<Vec<Found>> {
    std::fs::create_dir_all(place)?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(place)? {
        let entry = entry?;
        // Metadata of the entry itself: a symbolic link could lead anywhere.
        let about = entry.metadata()?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let passing =
            name.starts_with('.') || name.ends_with(".part") || name.ends_with(".tmp") || name.len() > 200;
        if !about.is_file() || passing {
            continue;
        }
        let modified = about.modified()?.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis());
        found.push(Found { name, size: about.len(), modified: i64::try_from(modified).unwrap_or(0) });
    }
    found.sort_by(|one, two| one.name.cmp(&two.name));
    found.truncate(AT_ONCE);
    Ok(found)
}

async fn take(state: &AppState, kept: &Kept, file: &Found) -> ApiResult<bool> {
    let now = state.now();
    let actor = system_actor("connectors", now);
    let size = i64::try_from(file.size).unwrap_or(i64::MAX);
    let seen: Timestamp = state
        .db
        .write(&actor, async |tx| queries::file_seen(tx, &kept.id, &file.name, size, file.modified).await)
        .await?;
    if now.0 - seen.0 < QUIET_MS {
        return Ok(false);
    }
    let Some(place) = place(state, kept) else { return Ok(false) };
    let unit = format!("file {}", file.name);
    if file.size > MOST_BYTES {
        finish(state, kept, &unit, false, "The file is larger than 64 MiB. Send it in parts.").await;
        return Ok(false);
    }
    // Renaming claims the file: only one node succeeds.
    let (from, held) = (place.join(&file.name), place.join(format!(".taking-{}", file.name)));
    if tokio::fs::rename(&from, &held).await.is_err() {
        return Ok(false);
    }
    let bytes = tokio::fs::read(&held).await.map_err(ApiError::internal)?;
    let (run, job) = (state.new_id(), state.new_id());
    let key = format!("connectors/{run}");
    state.files.put(&key, bytes.into()).await?;
    let params = &RunParams { file_key: Some(key), unit: Some(unit), ..RunParams::default() };
    let ids = (run.as_str(), job.as_str());
    state
        .db
        .write(&actor, async |tx| -> ApiResult<()> {
            queries::file_taken(tx, &kept.id, &file.name).await?;
            runs::begin(tx, state, kept, "file", params, ids).await?;
            Ok(())
        })
        .await?;
    state.jobs.wake();
    Ok(true)
}

/// Moves a file to its final folder. `done`: it was taken completely; otherwise the reason is written next to
/// it.
pub(super) async fn finish(state: &AppState, kept: &Kept, unit: &str, done: bool, reason: &str) {
    let (Some(place), Some(name)) = (place(state, kept), unit.strip_prefix("file ")) else { return };
    let target = place.join(if done { "done" } else { "failed" });
    let moved = async {
        tokio::fs::create_dir_all(&target).await?;
        let stamp = state.now().0;
        let to = if target.join(name).exists() {
            target.join(format!("{stamp}-{name}"))
        } else {
            target.join(name)
        };
        let mut from = place.join(format!(".taking-{name}"));
        if !from.exists() {
            // Retried from the dead letters.
            from = [place.join("failed").join(name), place.join(name)]
                .into_iter()
                .find(|it| it.exists())
                .unwrap_or(from);
            let _ = tokio::fs::remove_file(place.join("failed").join(format!("{name}.reason.txt"))).await;
        }
        if from != to && from.exists() {
            tokio::fs::rename(&from, &to).await?;
        }
        if !done {
            tokio::fs::write(target.join(format!("{name}.reason.txt")), format!("{reason}\n")).await?;
        }
        std::io::Result::Ok(())
    };
    if let Err(error) = moved.await {
        tracing::warn!(%error, connector = kept.id, "cannot move a taken file");
    }
}
