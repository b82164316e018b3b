//! The browser session: opening it from an ID token, ending it, reauthenticating.

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use larder_db::DbError;
use serde_json::json;

use super::model::{ReauthenticateRequest, SessionToken, SignInInfo};
use super::proof;
use larder_platform::AppState;
use larder_platform::http::session;
use larder_platform::http::session::{Who, token_hash};
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::keys::{Claims, Statement};
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, Opening};
use larder_platform::people::{accounts, password, person, security};

/// Settings for the sign-in page, before sign-in.
#[utoipa::path(get, path = "/api/sign-in", tag = "identity", responses((status = 200, body = SignInInfo)))]
pub(crate) async fn get_sign_in(State(state): State<AppState>) -> Result<Json<SignInInfo>, ApiError> {
    let config = &state.config;
    Ok(Json(SignInInfo {
        google: config.google_client_id.is_some(),
        company_domain: config.company_domain.clone(),
        company_name: config.company_name.clone(),
        app_label: config.app_label.clone(),
        first_start: accounts::none_yet(&state.db).await?,
        password_minimum: password::SHORTEST,
    }))
}

/// Create an ID token of this session for the endpoint named by `sessionSync`. Refused if none is configured.
#[utoipa::path(post, path = "/api/session/token", tag = "identity", responses((status = 200, body = SessionToken)))]
pub(crate) async fn make_session_token(
    State(state): State<AppState>,
    who: Who,
) -> Result<Json<SessionToken>, ApiError> {
    if state.config.session_sync().ok().flatten().is_none() || who.token_issued_at.is_some() {
        return Err(ApiError::not_found("token"));
    }
    let statement = Statement {
        uid: &who.uid,
        session_id: &who.session_id,
        provider: &who.provider,
        authenticated_at: who.authenticated_at,
    };
    Ok(Json(SessionToken { id_token: state.keys.sign(&state, &statement).await? }))
}

/// Maximum age of a token that opens a cookie session.
const TOKEN_AGE_MS: i64 = 300_000;

/// Open a browser session from an ID token at most five minutes old.
#[utoipa::path(post, path = "/session", tag = "identity", responses((status = 204)))]
pub(crate) async fn open_session(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> Result<Response, ApiError> {
    let issued = who.token_issued_at;
    let issued = issued.ok_or_else(|| ApiError::bad_request("Send an ID token (authorization: Bearer)."))?;
    if who.at.0 - issued.0 > TOKEN_AGE_MS {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "tokenTooOld",
            "This token is more than five minutes old. Refresh it and try again.",
        ));
    }
    if has_session(&state, &parts.headers, &who).await? {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let opening = Opening {
        uid: &who.uid,
        provider: &who.provider,
        device: Device::Office,
        authenticated_at: who.authenticated_at,
    };
    let opened = sessions::open_browser(&state, &parts, &opening).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    opened.set_on(response.headers_mut());
    Ok(response)
}

/// Whether this browser already has a session of the same user: clients send the token again after every
/// refresh.
async fn has_session(state: &AppState, headers: &HeaderMap, who: &Who) -> Result<bool, DbError> {
    let Some(token) = session::cookie(headers) else { return Ok(false) };
    let person = person::by_cookie(&state.db, &token_hash(&token)).await?;
    Ok(person.is_some_and(|p| p.uid == who.uid && !p.is_over(who.at)))
}

/// End the browser session. Needs an ID token or the headers of our own pages.
#[utoipa::path(delete, path = "/session", tag = "identity", responses((status = 204)))]
pub(crate) async fn close_session(State(state): State<AppState>, parts: Parts) -> Result<Response, ApiError> {
    let now = state.now();
    if let Some(token) = session::bearer(&parts.headers) {
        let claims = state.keys.verify(&state, token, now).await?;
        if now.seconds() - claims.iat > TOKEN_AGE_MS / 1000 {
            return Err(ApiError::unauthenticated());
        }
        return end(&state, &parts, Some(&claims)).await;
    }
    sign_out(State(state), parts).await
}

/// Sign out of this browser, and of the token's session if an ID token is sent.
#[utoipa::path(post, path = "/api/session/sign-out", tag = "identity", responses((status = 204)))]
pub(crate) async fn sign_out(State(state): State<AppState>, parts: Parts) -> Result<Response, ApiError> {
    if let Some(token) = session::bearer(&parts.headers) {
        let claims = state.keys.verify(&state, token, state.now()).await?;
        return end(&state, &parts, Some(&claims)).await;
    }
    if session::cookie(&parts.headers).is_some() {
        session::refuse_forged(&state, &parts)?;
    }
    end(&state, &parts, None).await
}

/// Ends the cookie's session and the token's, with their refresh and ID tokens. If a token is sent, the
/// cookie's session is ended only if it belongs to the same user. Clears the cookie.
async fn end(state: &AppState, parts: &Parts, claims: Option<&Claims>) -> Result<Response, ApiError> {
    let token = session::cookie(&parts.headers);
    let kept = match &token {
        Some(token) => sessions::of_token(&state.db, &token_hash(token)).await?,
        None => None,
    };
    let mut over: Vec<(String, String)> = kept
        .filter(|(uid, _)| claims.is_none_or(|claims| claims.sub == *uid))
        .into_iter()
        .chain(claims.map(|claims| (claims.sub.clone(), claims.sid.clone())))
        .collect();
    over.dedup();
    for (uid, id) in over {
        let origin = &Origin::of(state, parts);
        let account = accounts::account(&state.db, &uid).await?.ok_or(DbError::NotFound)?;
        let actor = account.actor(origin, state.now());
        let event = security::Event {
            event: "signedOut",
            uid: Some(&uid),
            email: &account.email,
            name: &account.display_name,
            detail: json!({ "sessionId": id }),
        };
        let event = &event;
        state
            .db
            .write(&actor, async |tx| {
                if sessions::end_one(tx, &uid, &id).await? {
                    security::note(tx, origin, event.clone()).await?;
                }
                Ok::<_, DbError>(())
            })
            .await?;
        state.sessions.clear();
    }
    let gone = sessions::cookie(session::COOKIE, "", 0);
    Ok((StatusCode::NO_CONTENT, [(axum::http::header::SET_COOKIE, gone)]).into_response())
}

/// Reauthenticate before a sensitive action.
///
/// With the password or, for an account without one, a code of the second factor.
#[utoipa::path(post, path = "/api/session/reauthenticate", tag = "identity", request_body = ReauthenticateRequest,
    responses((status = 204)))]
pub(crate) async fn reauthenticate(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
    Json(body): Json<ReauthenticateRequest>,
) -> Result<StatusCode, ApiError> {
    if who.token_issued_at.is_some() {
        return Err(ApiError::bad_request("A token cannot be renewed like this. Sign in again."));
    }
    let origin = &Origin::of(&state, &parts);
    proof::check(&state, &who, origin, body.password.as_deref(), body.code.as_deref()).await?;
    let who = &who;
    state
        .db
        .write(&who.actor(), async |tx| {
            sessions::renew(tx, &who.uid, &who.session_id).await?;
            security::note(tx, origin, who.event("reauthenticated", json!({}))).await
        })
        .await?;
    state.sessions.clear();
    Ok(StatusCode::NO_CONTENT)
}
