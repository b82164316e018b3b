//! Reads a picture without saving anything.

use axum::body::Body;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use larder_engines::ocr::{Till, read_till};
use larder_ledgers::readings::Seen;
use larder_platform::AppState;
use larder_platform::files::pictures::receive;
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// Query parameters: what is known about the picture.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ReadQuery {
    /// Store of the till.
    pub store_id: Option<String>,
    /// Terminal. If omitted, it is read from the picture.
    pub terminal_id: Option<String>,
    /// Business date.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// Read a picture of a Z-reading: JPEG, PNG, WebP or GIF as the body. Nothing is saved. `holds` only if
/// nothing is uncertain; `review` lists uncertain fields; `unreadable` has advice.
#[utoipa::path(post, path = "/api/tools/services/zreading-ocr/read", tag = "z-readings", params(ReadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Seen)))]
pub(crate) async fn read_z_reading_picture(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReadQuery>,
    body: Body,
) -> ApiResult<Json<Seen>> {
    let store_id = query.store_id.filter(|id| !id.is_empty());
    if let Some(store) = &store_id {
        scope::check(Some(store), &who.scope)?;
    }
    let date = date("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    let upload = receive(&who, body).await?;
    // Without a store, only tills the user may see are compared with the picture.
    let stores = who.stores(store_id.map(|id| vec![id]).as_deref())?;
    let till = Till { stores, terminal_id: query.terminal_id.unwrap_or_default(), date };
    let read = read_till(&state.db, upload, &till).await?;
    Ok(Json(read.seen))
}
