//! Second factor of a sign-in.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use larder_db::DbError;
use serde_json::json;

use super::envelope::{IdentityError, IdentityProblem, WireJson};
use super::model::{MfaSignInRequest, SignInResponse};
use super::sign_in::SignIn;
use larder_platform::AppState;
use larder_platform::http::Origin;
use larder_platform::people::totp;
use larder_platform::people::totp::{Guess, Verdict};
use larder_platform::people::{accounts, security};

/// Finish signing in with a code of the second factor or a recovery code.
///
/// Also served under `/identitytoolkit.googleapis.com`.
#[utoipa::path(post, path = "/v2/accounts/mfaSignIn:finalize", tag = "identity", request_body = MfaSignInRequest,
    responses((status = 200, body = SignInResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn finalize_mfa_sign_in(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<MfaSignInRequest>,
) -> Result<Response, IdentityError> {
    let invalid = || IdentityError::code("INVALID_MFA_PENDING_CREDENTIAL");
    let pending = body.mfa_pending_credential.unwrap_or_default();
    let mut sign_in = SignIn::resumed(&state, &pending).await?.ok_or_else(invalid)?;
    let now = state.now();
    let account = accounts::account(&state.db, &sign_in.uid).await?.ok_or_else(invalid)?;
    if account.is_out() {
        return Err(IdentityError::code("USER_DISABLED"));
    }
    if sign_in.is_stale(&account, now) {
        return Err(invalid());
    }
    let typed = body.totp_verification_info.unwrap_or_default().verification_code;
    let guess = &Guess::read(&state, &sign_in.uid, &typed).await?;
    let (origin, uid) = (&Origin::of(&state, &parts), &sign_in.uid);
    let actor = account.actor(origin, now);
    let verdict = state
        .db
        .write(&actor, async |tx| {
            let verdict = totp::verify(tx, uid, guess).await?;
            if verdict == Verdict::Wrong {
                let detail = json!({ "factor": "totp" });
                let (email, name) = (account.email.as_str(), account.display_name.as_str());
                let event = security::Event { event: "signInFailed", uid: Some(uid), email, name, detail };
                security::note(tx, origin, event).await?;
            }
            Ok::<_, DbError>(verdict)
        })
        .await?;
    match verdict {
        Verdict::Right => {
            sign_in.tokens |= !parts.headers.contains_key("x-larder");
            sign_in.complete(&state, &parts).await
        }
        Verdict::Wrong => {
            state.limits.failed(now);
            Err(IdentityError::Code("INVALID_CODE", "The code is not right. Try the next one.".into()))
        }
        Verdict::Locked => Err(IdentityError::too_many()),
    }
}
