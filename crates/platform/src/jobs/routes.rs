//! Job progress and cancelling.

use axum::extract::State;
use axum::http::StatusCode;

use super::queries::{self, Job};
use crate::AppState;
use crate::http::json::Path;
use crate::http::{ApiError, ApiResult, Json, Who};

/// Get a job's progress.
#[utoipa::path(get, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)), responses((status = 200, body = Job)))]
pub(crate) async fn get_job(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Job>> {
    Ok(Json(own_job(&state, &who, &id).await?))
}

/// Cancel a job. Whether its partial work stays depends on the page that started it.
#[utoipa::path(post, path = "/api/jobs/{id}/cancel", tag = "jobs", params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn cancel_job(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    own_job(&state, &who, &id).await?;
    state.db.write(&who.actor(), async |tx| queries::request_cancel(tx, &id).await).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn own_job(state: &AppState, who: &Who, id: &str) -> ApiResult<Job> {
    let job = queries::find(&state.db, id).await?.ok_or_else(|| ApiError::not_found("job"))?;
    if who.super_admin || job.owner.0.uid == who.uid { Ok(job) } else { Err(ApiError::not_found("job")) }
}
