//! Batches: finding them for somebody, listing and removing them.

use larder_db::Tx;

use super::{Batch, Import, queries, refuse_state, steps};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::jobs;

/// A batch that somebody may see.
///
/// # Errors
/// 404, for one they may not see as for none.
pub async fn find<I: Import>(state: &AppState, who: &Who, id: &str) -> ApiResult<I::Batch> {
    queries::find::<I>(&state.db, Some(who), id).await?.ok_or_else(|| ApiError::not_found(I::ONE))
}

/// As [`find`], inside the transaction that changes it or something of it.
///
/// # Errors
/// As [`find`].
pub async fn find_in<I: Import>(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<I::Batch> {
    queries::find_in::<I>(tx, who, id).await?.ok_or_else(|| ApiError::not_found(I::ONE))
}

/// A page of the batches that somebody may see, the newest first, and how many there are.
///
/// # Errors
/// When the database does not answer.
pub async fn list<I: Import>(
    state: &AppState,
    who: &Who,
    (limit, offset): (i64, i64),
) -> ApiResult<(Vec<I::Batch>, i64)> {
    Ok(queries::list::<I>(&state.db, who, limit, offset).await?)
}

/// Removes a batch of which nothing was written, with its rows and its file.
///
/// # Errors
/// 404, or 409 where it stands at another point or something of it was written.
pub async fn remove<I: Import>(state: &AppState, who: &Who, id: &str) -> ApiResult<()> {
    let key = state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<String> {
            let batch = find_in::<I>(tx, who, id).await?;
            if !I::REMOVABLE.contains(&batch.state()) {
                return Err(refuse_state(batch.state()));
            }
            I::may_remove(tx, &batch).await?;
            if !queries::delete::<I>(tx, &batch).await? {
                return Err(steps::taken_meanwhile());
            }
            jobs::queries::put_away(tx, &steps::work(id)).await?;
            Ok(batch.file_key().to_owned())
        })
        .await?;
    for end in I::BESIDE {
        state.files.delete(&format!("{key}{end}")).await?;
    }
    state.files.delete(&key).await
}
