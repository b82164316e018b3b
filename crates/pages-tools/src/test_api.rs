//! `/tools/test-api`: every operation of the contract as a form. The console sends the requests itself with
//! the user's permissions; this only serves the contract.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use larder_domain::Action::View;

use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Routes, routes};

const PAGE: &str = "tools/testApi";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, View, routes!(get_api_contract))
}

/// The contract of this server: every operation with parameters, responses and permissions.
#[utoipa::path(get, path = "/api/tools/test-api/contract", tag = "test api",
    responses((status = 200, body = Object, content_type = "application/json")))]
pub(crate) async fn get_api_contract(State(state): State<AppState>) -> ApiResult<Response> {
    // Constant while the server runs, and slow to build.
    static CONTRACT: OnceLock<Bytes> = OnceLock::new();
    let text = match CONTRACT.get() {
        Some(text) => text.clone(),
        None => {
            let made = tokio::task::spawn_blocking(move || Bytes::from((state.contract)(&state)));
            let made = made.await.map_err(ApiError::internal)?;
            CONTRACT.get_or_init(|| made).clone()
        }
    };
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, max-age=300")];
    Ok((headers, text).into_response())
}
