//! Sign-in with email address, password and, if enrolled, a second factor.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use larder_db::{Actor, DbError};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::envelope::{IdentityError, IdentityProblem, WireJson};
use super::gate::Gate;
use super::model::{MfaInfo, SignInRequest, SignInResponse};
use larder_platform::AppState;
use larder_platform::http::{Json, Origin};
use larder_platform::people::accounts;
use larder_platform::people::accounts::Account;
use larder_platform::people::keys::{Statement, TOKEN_LIFE_S};
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, Opening};
use larder_platform::people::{lockout, password, security, totp, users};

/// Sign in with an email address and a password.
///
/// A console that sends `X-Larder` gets a session cookie; tokens are only returned on request. With a second
/// factor enrolled, the response contains `mfaPendingCredential` and no session is opened yet. Also served
/// under `/identitytoolkit.googleapis.com`.
#[utoipa::path(post, path = "/v1/accounts:signInWithPassword", tag = "identity", request_body = SignInRequest,
    params(("X-Device-Attestation" = Option<String>, Header, description = "A token from /api/device/attest.")),
    responses((status = 200, body = SignInResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn sign_in_with_password(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<SignInRequest>,
) -> Result<Response, IdentityError> {
    let (email, given) = (address(body.email.as_deref())?, body.password.unwrap_or_default());
    if given.is_empty() {
        return Err(IdentityError::code("MISSING_PASSWORD"));
    }
    let key = users::email_key(&email);
    let account = accounts::find_account(&state.db, &key).await?;
    let gate = Gate::pass(&state, &parts, &key, account.as_ref()).await?;
    let matches = password::verify(given, account.as_ref().and_then(|a| a.password_hash.clone())).await?;
    let Some(account) = account.as_ref().filter(|_| matches) else {
        gate.failed();
        note_failure(&state, &parts, &gate.counted_for, &email, account.as_ref()).await?;
        return Err(IdentityError::code(wrong(&state, account.is_some())));
    };
    if account.is_out() {
        return Err(IdentityError::code("USER_DISABLED"));
    }
    if let Some(maker) = &account.temp_password_by
        && !users::still_opens(&state.db, maker, &account.uid).await?
    {
        note_failure(&state, &parts, &gate.counted_for, &email, Some(account)).await?;
        return Err(IdentityError::code(wrong(&state, true)));
    }
    gate.honest();
    let sign_in = SignIn::of(&state, account, body.device, body.return_secure_token, &gate.counted_for);
    match totp::confirmed_at(&state.db, &account.uid).await? {
        Some(since) => sign_in.ask_for_code(&state, since).await,
        None => sign_in.complete(&state, &parts).await,
    }
}

/// The normalized email address, if it looks valid.
pub fn address(given: Option<&str>) -> Result<String, IdentityError> {
    let email = given.map(str::trim).filter(|e| !e.is_empty());
    let email = email.ok_or_else(|| IdentityError::code("MISSING_EMAIL"))?;
    if looks_like_address(email) { Ok(email.to_owned()) } else { Err(IdentityError::code("INVALID_EMAIL")) }
}

/// Text before an @ and a dotted name after it; the mail server checks the rest.
fn looks_like_address(email: &str) -> bool {
    email.len() <= 254
        && !email.contains(|c: char| c.is_whitespace() || c.is_control())
        && email.rsplit_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !local.contains('@')
                && domain.contains('.')
                && !domain.starts_with('.')
                && !domain.ends_with('.')
        })
}

/// By default, the same code for a wrong address and a wrong password.
fn wrong(state: &AppState, known: bool) -> &'static str {
    match (state.config.specific_sign_in_errors, known) {
        (false, _) => "INVALID_LOGIN_CREDENTIALS",
        (true, false) => "EMAIL_NOT_FOUND",
        (true, true) => "INVALID_PASSWORD",
    }
}

/// Counts and records a failure, with the same number of writes whether or not the account exists.
async fn note_failure(
    state: &AppState,
    parts: &Parts,
    counted_for: &str,
    email: &str,
    account: Option<&Account>,
) -> Result<(), IdentityError> {
    let origin = &Origin::of(state, parts);
    let actor = Actor {
        uid: String::new(),
        name: String::new(),
        email: email.to_owned(),
        from: origin.address.clone(),
        at: state.now(),
    };
    let uid = account.map(|a| a.uid.as_str());
    let name = account.map_or("", |a| a.display_name.as_str());
    Ok(state
        .db
        .write(&actor, async |tx| {
            let locked = lockout::fail(tx, counted_for).await?;
            let event = if locked.is_some() { "lockedOut" } else { "signInFailed" };
            let detail = json!({ "seconds": locked });
            security::note(tx, origin, security::Event { event, uid, email, name, detail }).await
        })
        .await?)
}

/// A sign-in with a correct password. It travels to the client and back while a code is requested.
#[derive(Debug, Serialize, Deserialize)]
pub struct SignIn {
    pub uid: String,
    email: String,
    name: String,
    provider: String,
    device: Device,
    /// Whether the client asked for tokens.
    pub tokens: bool,
    counted_for: String,
    at: i64,
}

/// Time limit for entering a code.
const PENDING_MS: i64 = 5 * 60_000;
const PURPOSE: &str = "second factor";

impl SignIn {
    fn of(state: &AppState, account: &Account, device: Device, tokens: bool, counted_for: &str) -> Self {
        Self {
            uid: account.uid.clone(),
            email: account.email.clone(),
            name: account.display_name.clone(),
            provider: "password".to_owned(),
            device,
            tokens,
            counted_for: counted_for.to_owned(),
            at: state.now().0,
        }
    }

    /// A sign-in confirmed by another provider.
    pub fn vouched_for(state: &AppState, account: &Account, provider: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            ..Self::of(state, account, Device::Office, false, &format!("{provider} {}", account.uid))
        }
    }

    /// The credential the client holds until it sends a code.
    pub async fn pending(&self, state: &AppState) -> Result<String, DbError> {
        state.secrets.sign(state, PURPOSE, self).await
    }

    /// Decodes the client's pending credential if this server issued it.
    pub async fn resumed(state: &AppState, pending: &str) -> Result<Option<Self>, DbError> {
        state.secrets.verify(state, PURPOSE, pending).await
    }

    fn answer(&self) -> SignInResponse {
        SignInResponse {
            kind: "identitytoolkit#VerifyPasswordResponse",
            local_id: self.uid.clone(),
            email: self.email.clone(),
            display_name: self.name.clone(),
            registered: true,
            ..SignInResponse::default()
        }
    }

    /// Whether it has expired, or the password was changed or all sessions were ended since.
    pub fn is_stale(&self, account: &Account, now: Timestamp) -> bool {
        let changed = account.password_changed_at.is_some_and(|at| at.0 > self.at);
        now.0 - self.at > PENDING_MS || self.at < account.valid_since.0 || changed
    }

    async fn ask_for_code(&self, state: &AppState, since: Timestamp) -> Result<Response, IdentityError> {
        let mut answer = self.answer();
        answer.mfa_pending_credential = Some(self.pending(state).await?);
        answer.mfa_info = vec![MfaInfo::totp(since)];
        Ok(Json(answer).into_response())
    }

    /// Opens the session: with a cookie for browsers, with tokens for clients, or none if neither is
    /// requested.
    pub async fn complete(&self, state: &AppState, parts: &Parts) -> Result<Response, IdentityError> {
        let (now, origin) = (state.now(), Origin::of(state, parts));
        let (uid, provider) = (self.uid.as_str(), self.provider.as_str());
        let opening = &Opening { uid, provider, device: self.device, authenticated_at: now };
        let actor = Actor {
            uid: self.uid.clone(),
            name: self.name.clone(),
            email: self.email.clone(),
            from: origin.address.clone(),
            at: now,
        };
        let browser = parts.headers.contains_key("x-larder");
        let (opened, client) = state
            .db
            .write(&actor, async |tx| {
                lockout::forgive(tx, &self.counted_for).await?;
                users::first_sight(tx, state, uid, &self.email, &self.name).await?;
                if browser {
                    let opened = sessions::open_browser_in(tx, state, parts, opening).await?;
                    return Ok::<_, DbError>((Some(opened), None));
                }
                if self.tokens {
                    return Ok((None, Some(sessions::open_client_in(tx, state, parts, opening).await?)));
                }
                accounts::note_sign_in(tx, uid).await?;
                let (email, name) = (self.email.as_str(), self.name.as_str());
                let detail = json!({ "provider": provider, "kind": "none" });
                let event = security::Event { event: "signedIn", uid: Some(uid), email, name, detail };
                security::note(tx, &origin, event).await?;
                Ok((None, None))
            })
            .await?;
        let session_id = opened.as_ref().map(|o| &o.session_id).or(client.as_ref().map(|(id, _)| id));
        let mut answer = self.answer();
        if let Some(session_id) = session_id.filter(|_| self.tokens) {
            answer.id_token = Some(state.keys.sign(state, &Statement::of(opening, session_id)).await?);
            answer.expires_in = Some(TOKEN_LIFE_S.to_string());
        }
        answer.refresh_token = client.map(|(_, token)| token);
        let mut response = Json(answer).into_response();
        if let Some(opened) = opened {
            opened.set_on(response.headers_mut());
        }
        Ok(response)
    }
}
