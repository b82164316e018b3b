//! The user's own second factor.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use larder_db::DbError;
use qrcode::QrCode;
use qrcode::render::svg;
use serde_json::json;

use super::model::{RecoveryCodesIssued, TotpConfirmation, TotpSecret};
use super::proof;
use larder_platform::AppState;
use larder_platform::http::session::Who;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::security;
use larder_platform::people::totp;
use larder_platform::people::totp::{Guess, RecoveryCodes, Verdict};

/// Start enrolling a second factor: returns a secret for an authenticator app, active once confirmed.
#[utoipa::path(post, path = "/api/me/totp", tag = "identity", responses((status = 200, body = TotpSecret)))]
pub(crate) async fn begin_totp(
    State(state): State<AppState>,
    who: Who,
) -> Result<Json<TotpSecret>, ApiError> {
    let secret = totp::new_secret(&state);
    let kept = &secret;
    let begun =
        state.db.write(&who.actor(), async |tx| totp::begin(tx, &state.cipher, &who.uid, kept).await).await?;
    if !begun {
        let words = "A second factor is already set up. Remove it first.";
        return Err(ApiError::conflict("totpOn", words));
    }
    let uri = totp::uri(&state.config.app_label, &who.email, &secret);
    let qr = QrCode::new(uri.as_bytes()).map_err(ApiError::internal)?;
    let qr_svg = qr.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    Ok(Json(TotpSecret { secret, uri, qr_svg }))
}

/// Activate the second factor with a first code from the app.
#[utoipa::path(post, path = "/api/me/totp/confirm", tag = "identity", request_body = TotpConfirmation,
    responses((status = 200, body = RecoveryCodesIssued)))]
pub(crate) async fn confirm_totp(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
    Json(body): Json<TotpConfirmation>,
) -> Result<Json<RecoveryCodesIssued>, ApiError> {
    let guess = &Guess::read(&state, &who.uid, &body.code).await?;
    let recovery = &RecoveryCodes::make(&state, &who.uid).await?;
    let (origin, who) = (&Origin::of(&state, &parts), &who);
    let verdict = state
        .db
        .write(&who.actor(), async |tx| {
            let verdict = totp::confirm(tx, &who.uid, guess, recovery).await?;
            if verdict == Verdict::Right {
                security::note(tx, origin, who.event("totpOn", json!({}))).await?;
            }
            Ok::<_, DbError>(verdict)
        })
        .await?;
    state.sessions.clear();
    proof::said(verdict)?;
    Ok(Json(RecoveryCodesIssued { recovery_codes: recovery.codes.clone() }))
}

/// Remove the second factor.
#[utoipa::path(delete, path = "/api/me/totp", tag = "identity", responses((status = 204)))]
pub(crate) async fn remove_totp(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> Result<StatusCode, ApiError> {
    let (origin, who) = (&Origin::of(&state, &parts), &who);
    state
        .db
        .write(&who.actor(), async |tx| {
            if totp::remove(tx, &who.uid).await? {
                security::note(tx, origin, who.event("totpOff", json!({ "by": "owner" }))).await?;
            }
            Ok::<_, DbError>(())
        })
        .await?;
    state.sessions.clear();
    Ok(StatusCode::NO_CONTENT)
}
