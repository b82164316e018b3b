//! Signing in and out, and who is signed in.

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_db::Actor;
use larder_domain::{Action, Permissions, StoreScope};

use super::envelope::{IdentityError, IdentityProblem};
use super::model::{KeySet, Me, MeCompany, MeUser, SignInRequest, SignInResponse};
use crate::AppState;
use crate::http::session::{self, SESSION_LIFE_MS, Who, token_hash};
use crate::http::{ApiError, Json};
use crate::people::{accounts, keys, password, sessions, users};

/// Sign in with an address and a password.
///
/// A console that sends `X-Larder` gets a session cookie; an ID token comes only when asked for.
#[utoipa::path(post, path = "/v1/accounts:signInWithPassword", tag = "identity", request_body = SignInRequest,
    responses((status = 200, body = SignInResponse), (status = 400, body = IdentityProblem)))]
pub async fn sign_in_with_password(
    State(state): State<AppState>,
    parts: Parts,
    Json(body): Json<SignInRequest>,
) -> Result<Response, IdentityError> {
    sign_in(&state, &parts, body).await
}

/// The same under the path that clients of the hosted interface use.
#[utoipa::path(post, path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword", tag = "identity",
    request_body = SignInRequest,
    responses((status = 200, body = SignInResponse), (status = 400, body = IdentityProblem)))]
pub async fn sign_in_with_password_prefixed(
    State(state): State<AppState>,
    parts: Parts,
    Json(body): Json<SignInRequest>,
) -> Result<Response, IdentityError> {
    sign_in(&state, &parts, body).await
}

async fn sign_in(state: &AppState, parts: &Parts, body: SignInRequest) -> Result<Response, IdentityError> {
    let now = state.now();
    let email = body.email.as_deref().map(str::trim).filter(|e| !e.is_empty());
    let email = email.ok_or(IdentityError::Code("MISSING_EMAIL", ""))?;
    if !looks_like_address(email) {
        return Err(IdentityError::Code("INVALID_EMAIL", ""));
    }
    let given = body.password.filter(|p| !p.is_empty()).ok_or(IdentityError::Code("MISSING_PASSWORD", ""))?;
    let key = users::email_key(email);
    if accounts::locked_until(&state.db, &key).await?.is_some_and(|until| until > now) {
        return Err(IdentityError::Code("TOO_MANY_ATTEMPTS_TRY_LATER", "Wait a little and try again."));
    }
    let account = accounts::find_account(&state.db, &key).await?;
    let matches = password::verify(given, account.as_ref().and_then(|a| a.password_hash.clone())).await?;
    let mut actor = Actor {
        uid: String::new(),
        name: String::new(),
        email: email.to_owned(),
        from: session::origin(state, parts),
        at: now,
    };
    let Some(account) = account.clone().filter(|_| matches) else {
        accounts::count_failure(&state.db, &actor, &key).await?;
        return Err(IdentityError::Code(wrong(state, account.is_some()), ""));
    };
    if account.disabled || account.status.as_deref().is_some_and(|s| s != "Active") {
        return Err(IdentityError::Code("USER_DISABLED", ""));
    }
    actor.uid.clone_from(&account.uid);
    actor.name.clone_from(&account.display_name);
    let sid = state.new_id();
    let cookie = if parts.headers.contains_key("x-larder") {
        Some(open(state, parts, &actor, &key, &sid).await?)
    } else {
        sessions::note_token_sign_in(&state.db, &actor, &key, &account.uid).await?;
        None
    };
    let id_token = if body.return_secure_token {
        Some(state.keys.sign(state, &account, &sid, now).await?)
    } else {
        None
    };
    let answer = SignInResponse {
        kind: "identitytoolkit#VerifyPasswordResponse",
        local_id: account.uid,
        email: account.email,
        display_name: account.display_name,
        registered: true,
        expires_in: id_token.is_some().then(|| keys::TOKEN_LIFE_S.to_string()),
        id_token,
    };
    let mut response = Json(answer).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// By default one code for a wrong address and a wrong password.
fn wrong(state: &AppState, known: bool) -> &'static str {
    match (state.config.specific_sign_in_errors, known) {
        (false, _) => "INVALID_LOGIN_CREDENTIALS",
        (true, false) => "EMAIL_NOT_FOUND",
        (true, true) => "INVALID_PASSWORD",
    }
}

async fn open(
    state: &AppState,
    parts: &Parts,
    actor: &Actor,
    key: &str,
    sid: &str,
) -> Result<HeaderValue, IdentityError> {
    use base64::Engine as _;
    let token = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(state.random_bytes::<32>());
    let agent: String = text(&parts.headers, header::USER_AGENT.as_str()).chars().take(300).collect();
    let new = sessions::NewSession {
        token_hash: &token_hash(&token),
        id: sid,
        uid: &actor.uid,
        expires_at: actor.at.plus_ms(SESSION_LIFE_MS),
        user_agent: &agent,
    };
    sessions::open_session(&state.db, actor, key, new).await?;
    Ok(cookie(&token, SESSION_LIFE_MS / 1000))
}

fn cookie(token: &str, max_age: i64) -> HeaderValue {
    let text =
        format!("{}={token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={max_age}", session::COOKIE);
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
}

/// Something before an @ and a dotted or plain name after it; the mail server knows the rest.
fn looks_like_address(email: &str) -> bool {
    email.len() <= 254
        && !email.contains(char::is_whitespace)
        && !email.contains('\0')
        && email.rsplit_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !local.contains('@')
                && domain.contains('.')
                && !domain.starts_with('.')
                && !domain.ends_with('.')
        })
}

/// Sign out of this browser.
#[utoipa::path(post, path = "/api/session/sign-out", tag = "identity", responses((status = 204)))]
pub async fn sign_out(State(state): State<AppState>, parts: Parts) -> Result<Response, ApiError> {
    if let Some(token) = session::cookie(&parts.headers) {
        let hash = token_hash(&token);
        let actor = match session::authenticate(&state, &parts).await {
            Ok(who) => who.actor(),
            Err(refusal) if refusal.status == StatusCode::FORBIDDEN => return Err(refusal),
            Err(_) => session::system_actor("sign-out", state.now()),
        };
        sessions::close_session(&state.db, &actor, &hash).await?;
        state.sessions.forget(&hash);
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie("", 0))]).into_response())
}

/// Who is signed in, and what they may do.
#[utoipa::path(get, path = "/api/me", tag = "identity", responses((status = 200, body = Me)))]
pub async fn get_me(State(state): State<AppState>, who: Who) -> Json<Me> {
    let permissions = if who.super_admin {
        Permissions::everything()
    } else if who.role_id.is_some() {
        who.permissions.clone()
    } else {
        Permissions::default()
    };
    let apps = [
        ("backOffice", "apps/backOffice"),
        ("branchOps", "apps/branchOps"),
        ("storeCount", "apps/storeCount"),
    ]
    .into_iter()
    .filter(|(_, page)| who.can(page, Action::View))
    .map(|(app, _)| app)
    .collect();
    Json(Me {
        user: MeUser {
            uid: who.uid,
            email: who.email,
            name: who.name,
            status: "Active",
            super_admin: who.super_admin,
            role_id: who.role_id,
            role_name: who.role_name,
            store_ids: match who.scope {
                StoreScope::All => None,
                StoreScope::Only(ids) => Some(ids.into_iter().collect()),
            },
        },
        permissions,
        apps,
        company: MeCompany {
            name: state.config.company_name.clone(),
            app_label: state.config.app_label.clone(),
            email_domain: state.config.company_domain.clone(),
        },
        server_time: who.at,
    })
}

/// Public keys that check ID tokens.
#[utoipa::path(get, path = "/v1/jwks", tag = "identity", responses((status = 200, body = KeySet)))]
pub async fn list_keys(State(state): State<AppState>) -> Result<Json<KeySet>, ApiError> {
    Ok(Json(KeySet { keys: state.keys.public(&state).await? }))
}
