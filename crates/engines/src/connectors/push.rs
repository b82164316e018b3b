//! Pushed feeds: `POST …/{id}/push`, with a signature over time, id and body; each delivery is taken once.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use futures::StreamExt as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::model::RunParams;
use super::settings::Kind;
use super::{queries, runs, store};
use larder_platform::AppState;
use larder_platform::http::guard::Handlers;
use larder_platform::http::json::Path;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiError, ApiResult, Json, routes};

/// A signature is valid this many seconds before and after its time.
const HOLDS_S: i64 = 300;
/// The largest delivery, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The response to a delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushTaken {
    pub delivery_id: String,
    /// The run that processes it.
    pub run_id: String,
    /// Whether it is a duplicate; it is processed once.
    pub repeated: bool,
}

/// The route that feeds push to, authenticated by their key.
pub fn push_route() -> Handlers {
    routes!(push_w3p_feed)
}

/// Push a delivery of a POS feed: CSV with a header, JSON or JSON lines. `X-Larder-Timestamp` holds the time
/// in seconds, `X-Larder-Delivery` an id of 1 to 100 letters, `X-Larder-Signature` `v1=` and the HMAC-SHA256
/// in hexadecimal of time, a dot, id, a dot and the body, with the connector's signing secret.
#[utoipa::path(post, path = "/api/tools/services/w3p-ingest/{id}/push", tag = "connectors",
    params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 202, body = PushTaken), (status = 200, body = PushTaken)))]
pub(crate) async fn push_w3p_feed(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<(StatusCode, Json<PushTaken>)> {
    let text = |name: &str| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default().trim();
    let (time, delivery, signature) =
        (text("x-larder-timestamp"), text("x-larder-delivery"), text("x-larder-signature"));
    let plain = |it: &str| {
        (1..=100).contains(&it.len()) && it.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b))
    };
    let now = state.now();
    let fresh = time.parse::<i64>().is_ok_and(|time| now.seconds().abs_diff(time) <= HOLDS_S.unsigned_abs());
    let kept = match larder_platform::http::question::is_id(&id) {
        true => queries::find(&state.db, Kind::W3p, &id).await?,
        false => None,
    };
    let secret = match &kept {
        Some(kept) => store::open(&state, kept)?.remove("signingSecret"),
        None => None,
    };
    // Without a valid signature nothing is revealed, not even whether the connector exists. The body is read
    // after the headers are checked.
    let (Some(kept), Some(secret), true, true) = (kept, secret, fresh, plain(delivery)) else {
        return Err(unsigned());
    };
    let body = received(body).await?;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(ApiError::internal)?;
    mac.update(format!("{time}.{delivery}.").as_bytes());
    mac.update(&body);
    let sent = signature.strip_prefix("v1=").and_then(unhex).ok_or_else(unsigned)?;
    mac.verify_slice(&sent).map_err(|_| unsigned())?;
    if kept.paused {
        let words = "This connector is paused. Keep the delivery and send it again later.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "paused", words));
    }
    let sha256 = &hex(&Sha256::digest(&body));
    let (run, job) = (state.new_id(), state.new_id());
    let key = format!("connectors/{run}");
    state.files.put(&key, body.into()).await?;
    let params = &RunParams {
        file_key: Some(key.clone()),
        unit: Some(format!("delivery {delivery}")),
        ..RunParams::default()
    };
    let (actor, ids) = (system_actor("connectors", now), (run.as_str(), job.as_str()));
    let before = state
        .db
        .write(&actor, async |tx| -> ApiResult<Option<String>> {
            if let Some((first, held)) = queries::delivered(tx, &kept.id, delivery).await? {
                return if held == *sha256 { Ok(Some(first)) } else { Err(reused()) };
            }
            queries::insert_delivery(tx, &kept.id, delivery, sha256, ids.0).await?;
            runs::begin(tx, &state, &kept, "push", params, ids).await?;
            Ok(None)
        })
        .await;
    if !matches!(before, Ok(None)) {
        state.files.delete(&key).await?;
    }
    let delivery_id = delivery.to_owned();
    match before? {
        Some(run_id) => Ok((StatusCode::OK, Json(PushTaken { delivery_id, run_id, repeated: true }))),
        None => {
            state.jobs.wake();
            Ok((StatusCode::ACCEPTED, Json(PushTaken { delivery_id, run_id: run, repeated: false })))
        }
    }
}

fn unsigned() -> ApiError {
    let words = "The signature, the time or the delivery's id does not fit. Sign time, id and body with the connector's secret.";
    ApiError::new(StatusCode::UNAUTHORIZED, "unsigned", words)
}

fn reused() -> ApiError {
    ApiError::conflict(
        "deliveryReused",
        "This delivery id came with another body before. Give each delivery an id of its own.",
    )
}

/// A body of at most [`MOST_BYTES`].
///
/// # Errors
/// 413, 400 if it breaks off.
pub async fn received(body: Body) -> ApiResult<Vec<u8>> {
    let (mut stream, mut bytes) = (body.into_data_stream(), Vec::new());
    while let Some(part) = stream.next().await {
        let part = part.map_err(|_| ApiError::bad_request("The delivery broke off. Send it again."))?;
        if bytes.len() + part.len() > MOST_BYTES {
            return Err(ApiError::too_large("A delivery is at most 16 MiB. Send it in parts."));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok().filter(|it| it.len() == 2)?, 16).ok())
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
