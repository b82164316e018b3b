//! Device attestation: a device proves that it holds the same key as last time. This gives rate limits a
//! better key than the network address; it does not prove that the app is unmodified.

use axum::extract::State;
use axum::http::request::Parts;

use super::model::{DeviceNonce, DeviceToken};
use super::proof;
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::attestation;
use larder_platform::people::attestation::DeviceProof;
use larder_platform::people::limits::ATTESTATIONS;

/// Create a nonce for the device to sign; while under attack, with a proof of work.
#[utoipa::path(post, path = "/api/device/nonce", tag = "identity", responses((status = 200, body = DeviceNonce)))]
pub(crate) async fn make_device_nonce(State(state): State<AppState>) -> Result<Json<DeviceNonce>, ApiError> {
    let difficulty = state.limits.difficulty(state.now());
    Ok(Json(DeviceNonce { nonce: attestation::make_nonce(&state, difficulty).await?, difficulty }))
}

/// Prove that this device holds its key. Send the returned token with later sign-ins.
#[utoipa::path(post, path = "/api/device/attest", tag = "identity", request_body = DeviceProof,
    responses((status = 200, body = DeviceToken)))]
pub(crate) async fn attest_device(
    State(state): State<AppState>,
    parts: Parts,
    Json(given): Json<DeviceProof>,
) -> Result<Json<DeviceToken>, ApiError> {
    let (origin, now) = (Origin::of(&state, &parts), state.now());
    if !state.limits.take(&format!("attest {}", origin.network()), ATTESTATIONS, now) {
        return Err(proof::too_many());
    }
    let attested = attestation::check(&state, &given).await?;
    let attested = attested.ok_or_else(|| {
        ApiError::unprocessable("attestation", "This proof does not hold. Ask for a new nonce.")
    })?;
    let (device, key, agent) = (&attested.device, &given.public_key, &origin.user_agent);
    let actor = system_actor("attestation", now);
    state.db.write(&actor, async |tx| attestation::keep(tx, device, key, agent).await).await?;
    let token = attestation::token(&state, &attested).await?;
    Ok(Json(DeviceToken { token, expires_in: attestation::TOKEN_LIFE_S }))
}
