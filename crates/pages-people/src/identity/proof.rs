//! Reauthentication with the password, or a second-factor code if the account has no password.

use axum::http::StatusCode;
use larder_db::DbError;

use larder_platform::AppState;
use larder_platform::http::session::Who;
use larder_platform::http::{ApiError, Origin};
use larder_platform::people::accounts;
use larder_platform::people::totp;
use larder_platform::people::totp::{Guess, Verdict};
use larder_platform::people::{lockout, password, security};

/// Verifies the proof; failures are counted so that an open session cannot be used to guess the password.
pub async fn check(
    state: &AppState,
    who: &Who,
    origin: &Origin,
    given: Option<&str>,
    code: Option<&str>,
) -> Result<(), ApiError> {
    let account = accounts::account(&state.db, &who.uid).await?.ok_or_else(ApiError::unauthenticated)?;
    match (account.password_hash.filter(|h| !h.is_empty()), given, code) {
        (Some(hash), Some(given), _) if !given.is_empty() => {
            check_password(state, who, origin, hash, given).await
        }
        (None, _, Some(code)) if !code.is_empty() => check_code(state, who, code).await,
        (Some(_), ..) => Err(ApiError::field("password", "Enter your password.")),
        (None, ..) if who.totp_on => {
            Err(ApiError::field("code", "Enter the code of your authenticator app."))
        }
        (None, ..) => Err(ApiError::field("password", "This account has no password. Continue with Google.")),
    }
}

async fn check_password(
    state: &AppState,
    who: &Who,
    origin: &Origin,
    hash: String,
    given: &str,
) -> Result<(), ApiError> {
    let key = &format!("again:{}", who.uid);
    if lockout::is_locked(&state.db, key, who.at).await? {
        return Err(too_many());
    }
    let _under_way = state.limits.begin(key).ok_or_else(too_many)?;
    let right = password::verify(given.to_owned(), Some(hash)).await?;
    state
        .db
        .write(&who.actor(), async |tx| {
            if right {
                return lockout::forgive(tx, key).await;
            }
            lockout::fail(tx, key).await?;
            let detail = serde_json::json!({ "again": true });
            security::note(tx, origin, who.event("signInFailed", detail)).await
        })
        .await?;
    if right { Ok(()) } else { Err(ApiError::field("password", "Incorrect password. Please try again.")) }
}

async fn check_code(state: &AppState, who: &Who, code: &str) -> Result<(), ApiError> {
    let guess = &Guess::read(state, &who.uid, code).await?;
    let verdict = state
        .db
        .write(&who.actor(), async |tx| Ok::<_, DbError>(totp::verify(tx, &who.uid, guess).await?))
        .await?;
    said(verdict)
}

/// Turns the verdict on a code into the user's message.
pub fn said(verdict: Verdict) -> Result<(), ApiError> {
    match verdict {
        Verdict::Right => Ok(()),
        Verdict::Wrong => Err(ApiError::field("code", "The code is not right. Try the next one.")),
        Verdict::Locked => Err(too_many()),
    }
}

/// Too many attempts.
pub fn too_many() -> ApiError {
    let words = "Too many attempts. Please wait and try again later.";
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "tooMany", words)
}
