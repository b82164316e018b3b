//! Services, runs and schedules.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::IntoParams;

use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::calculations::{Ask, CalculationSchedule, Cards, Run, Runs, ScheduleDraft};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};

/// Query parameters of runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RunsQuery {
    /// Page size, 1 to 200; default 20.
    limit: Option<i64>,
    /// Number of runs to skip.
    offset: Option<i64>,
}

/// The services: results, last run and next run.
#[utoipa::path(get, path = "/api/tools/services", tag = "services", responses((status = 200, body = Cards)))]
pub(crate) async fn list_services(State(state): State<AppState>, who: Who) -> ApiResult<Json<Cards>> {
    Ok(Json(calculations::cards(&state, &who).await?))
}

/// The runs of a service, newest first.
#[utoipa::path(get, path = "/api/tools/services/{service}/runs", tag = "services",
    params(("service" = String, Path), RunsQuery), responses((status = 200, body = Runs)))]
pub(crate) async fn list_service_runs(
    State(state): State<AppState>,
    who: Who,
    Path(service): Path<String>,
    Query(page): Query<RunsQuery>,
) -> ApiResult<Json<Runs>> {
    let page = (page.limit.unwrap_or(20).clamp(1, 200), page.offset.unwrap_or(0).clamp(0, 1_000_000));
    Ok(Json(calculations::list(&state, &who, &service, page).await?))
}

/// Run a service now.
#[utoipa::path(post, path = "/api/tools/services/{service}/runs", tag = "services",
    params(("service" = String, Path)), request_body = Ask, responses((status = 202, body = Run)))]
pub(crate) async fn start_service_run(
    State(state): State<AppState>,
    who: Who,
    Path(service): Path<String>,
    Json(ask): Json<Ask>,
) -> ApiResult<(StatusCode, Json<Run>)> {
    let run = calculations::start(&state, &who, &service, ask).await?;
    Ok((StatusCode::ACCEPTED, Json(run)))
}

/// A run: progress or result.
#[utoipa::path(get, path = "/api/tools/services/{service}/runs/{id}", tag = "services",
    params(("service" = String, Path), ("id" = String, Path)), responses((status = 200, body = Run)))]
pub(crate) async fn get_service_run(
    State(state): State<AppState>,
    who: Who,
    Path((service, id)): Path<(String, String)>,
) -> ApiResult<Json<Run>> {
    Ok(Json(calculations::find(&state, &who, &service, &id).await?))
}

/// Stop a run.
#[utoipa::path(post, path = "/api/tools/services/{service}/runs/{id}/cancel", tag = "services",
    params(("service" = String, Path), ("id" = String, Path)), responses((status = 200, body = Run)))]
pub(crate) async fn cancel_service_run(
    State(state): State<AppState>,
    who: Who,
    Path((service, id)): Path<(String, String)>,
) -> ApiResult<Json<Run>> {
    Ok(Json(calculations::cancel(&state, &who, &service, &id).await?))
}

/// Set a service's schedule.
#[utoipa::path(put, path = "/api/tools/services/{service}/schedule", tag = "services",
    params(("service" = String, Path)), request_body = ScheduleDraft,
    responses((status = 200, body = CalculationSchedule)))]
pub(crate) async fn set_service_schedule(
    State(state): State<AppState>,
    who: Who,
    Path(service): Path<String>,
    Json(draft): Json<ScheduleDraft>,
) -> ApiResult<Json<CalculationSchedule>> {
    Ok(Json(calculations::set_schedule(&state, &who, &service, &draft).await?))
}
