//! Batches: finding them with permission checks, listing and deleting them.

use larder_db::Tx;

use super::{Batch, Import, queries, refuse_state, steps};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::jobs;

/// A batch a user may see.
///
/// # Errors
/// 404, also for one they may not see.
pub async fn find<I: Import>(state: &AppState, who: &Who, id: &str) -> ApiResult<I::Batch> {
    queries::find::<I>(&state.db, Some(who), id).await?.ok_or_else(|| ApiError::not_found(I::ONE))
}

/// As [`find`], inside the transaction that changes it or its rows.
///
/// # Errors
/// As [`find`].
pub async fn find_in<I: Import>(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<I::Batch> {
    queries::find_in::<I>(tx, who, id).await?.ok_or_else(|| ApiError::not_found(I::ONE))
}

/// A page of the batches a user may see, newest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn list<I: Import>(
    state: &AppState,
    who: &Who,
    (limit, offset): (i64, i64),
) -> ApiResult<(Vec<I::Batch>, i64)> {
    Ok(queries::list::<I>(&state.db, who, limit, offset).await?)
}

/// Deletes a batch of which nothing was written, with its rows and its file.
///
/// # Errors
/// 404, or 409 if it is in another state or something of it was written.
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
