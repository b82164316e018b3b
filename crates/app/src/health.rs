//! Liveness and readiness.

use axum::extract::State;
use axum::http::StatusCode;

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .public("polled by supervisors and load balancers", routes!(healthz))
        .public("polled by supervisors and load balancers", routes!(readyz))
}

/// Answers while the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, content_type = "text/plain", body = String)))]
pub(crate) async fn healthz() -> &'static str {
    "ok"
}

/// Answers if the database does.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, content_type = "text/plain", body = String), (status = 503, content_type = "text/plain", body = String)))]
pub(crate) async fn readyz(State(state): State<AppState>) -> (StatusCode, &'static str) {
    match state.db.sql("select cast(1 as bigint)").scalar::<i64>().await {
        Ok(_) => (StatusCode::OK, "ready"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
        }
    }
}
