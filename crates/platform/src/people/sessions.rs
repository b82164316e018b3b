//! Sessions. A browser's is identified by its cookie, a client's by its refresh tokens.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;
use serde_json::json;

pub use super::session_ends::{end_all, end_one, renew};
pub use super::session_lists::{SessionRow, list_all, list_of};

use super::keys::Statement;
use super::{accounts, devices, refresh, security, session_ends};
use crate::AppState;
use crate::http::session::{COOKIE, named_cookie, system_actor, token_hash};
use crate::http::{ApiError, Origin};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Kind of device; decides how long the session lasts.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Device {
    /// A desk: 12 h idle, 14 days at most.
    #[default]
    Office,
    /// A tablet for counting stock: 7 days idle, 30 days at most.
    Tablet,
}

impl Device {
    /// Idle timeout in milliseconds.
    #[must_use]
    pub fn idle_ms(self) -> i64 {
        match self {
            Self::Office => 12 * HOUR_MS,
            Self::Tablet => 7 * DAY_MS,
        }
    }

    /// Maximum lifetime in milliseconds.
    #[must_use]
    pub fn life_ms(self) -> i64 {
        match self {
            Self::Office => 14 * DAY_MS,
            Self::Tablet => 30 * DAY_MS,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Office => "office",
            Self::Tablet => "tablet",
        }
    }
}

/// A successful sign-in that opens a session.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    pub uid: &'a str,
    /// Sign-in method: `password`, `google.com`.
    pub provider: &'a str,
    pub device: Device,
    pub authenticated_at: Timestamp,
}

impl<'a> Statement<'a> {
    /// From a sign-in and the session it opened.
    #[must_use]
    pub fn of(opening: &Opening<'a>, session_id: &'a str) -> Self {
        let Opening { uid, provider, authenticated_at, .. } = *opening;
        Self { uid, session_id, provider, authenticated_at }
    }
}

/// An opened browser session.
#[derive(Debug, Clone)]
pub struct Opened {
    pub session_id: String,
    cookies: [HeaderValue; 2],
}

impl Opened {
    /// Sets the cookies on a response.
    pub fn set_on(&self, headers: &mut HeaderMap) {
        for cookie in &self.cookies {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
    }
}

/// An opened client session.
#[derive(Debug, Clone)]
pub struct Tokens {
    pub session_id: String,
    /// Signed ID token.
    pub id_token: String,
    pub refresh_token: String,
}

/// Opens a browser session: stores it, records the sign-in, remembers the browser.
///
/// # Errors
/// If the database fails; [`DbError::NotFound`] if there is no such account.
pub async fn open_browser(state: &AppState, parts: &Parts, opening: &Opening<'_>) -> Result<Opened, DbError> {
    let actor = sign_in_actor(state, parts, opening.uid).await?;
    state.db.write(&actor, async |tx| open_browser_in(tx, state, parts, opening).await).await
}

/// As [`open_browser`], inside a transaction.
///
/// # Errors
/// As [`open_browser`].
pub async fn open_browser_in(
    tx: &mut Tx<'_>,
    state: &AppState,
    parts: &Parts,
    opening: &Opening<'_>,
) -> Result<Opened, DbError> {
    let origin = Origin::of(state, parts);
    let token = BASE64.encode(state.random_bytes::<32>());
    let device = devices::token(&parts.headers).unwrap_or_else(|| devices::new_token(state));
    let id = state.new_id();
    if let Some(before) = named_cookie(&parts.headers, COOKIE) {
        session_ends::end_of_token(tx, &token_hash(&before)).await?;
    }
    let new = NewSession {
        token_hash: &token_hash(&token),
        id: &id,
        uid: opening.uid,
        kind: opening.device.kind(),
        provider: opening.provider,
        authenticated_at: opening.authenticated_at,
        expires_at: tx.actor().at.plus_ms(opening.device.life_ms()),
        idle_ms: opening.device.idle_ms(),
        device_hash: Some(&token_hash(&device)),
    };
    open(tx, &origin, &new).await?;
    let cookies = [cookie(COOKIE, &token, opening.device.life_ms() / 1000), devices::cookie(&device)];
    Ok(Opened { session_id: id, cookies })
}

/// Opens a client session with refresh tokens.
///
/// # Errors
/// If the database fails or the token cannot be signed.
pub async fn open_client(state: &AppState, parts: &Parts, opening: &Opening<'_>) -> Result<Tokens, ApiError> {
    let actor = sign_in_actor(state, parts, opening.uid).await?;
    let (session_id, refresh_token) =
        state.db.write(&actor, async |tx| open_client_in(tx, state, parts, opening).await).await?;
    let id_token = state.keys.sign(state, &Statement::of(opening, &session_id)).await?;
    Ok(Tokens { session_id, id_token, refresh_token })
}

/// As [`open_client`], inside a transaction and without the ID token: the session's id and its first refresh
/// token.
///
/// # Errors
/// If the database fails.
pub async fn open_client_in(
    tx: &mut Tx<'_>,
    state: &AppState,
    parts: &Parts,
    opening: &Opening<'_>,
) -> Result<(String, String), DbError> {
    let origin = Origin::of(state, parts);
    let id = state.new_id();
    let device = devices::hash(&parts.headers).filter(|_| devices::is_browser(&parts.headers));
    let new = NewSession {
        token_hash: &format!("token:{id}"),
        id: &id,
        uid: opening.uid,
        kind: "client",
        provider: opening.provider,
        authenticated_at: opening.authenticated_at,
        expires_at: tx.actor().at.plus_ms(opening.device.life_ms()),
        idle_ms: opening.device.idle_ms(),
        device_hash: device.as_deref(),
    };
    open(tx, &origin, &new).await?;
    let token = refresh::first(tx, state, &id).await?;
    Ok((id, token))
}

async fn sign_in_actor(state: &AppState, parts: &Parts, uid: &str) -> Result<larder_db::Actor, DbError> {
    let account = accounts::account(&state.db, uid).await?.ok_or(DbError::NotFound)?;
    Ok(account.actor(&Origin::of(state, parts), state.now()))
}

/// A session to insert.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Hash of the token in the cookie; `token:` and the id for a client's.
    pub token_hash: &'a str,
    /// Public id, for lists of sessions and ID tokens.
    pub id: &'a str,
    pub uid: &'a str,
    /// `office`, `tablet`, `client`.
    pub kind: &'a str,
    /// Sign-in method.
    pub provider: &'a str,
    pub authenticated_at: Timestamp,
    /// When it expires at the latest.
    pub expires_at: Timestamp,
    /// Idle timeout in milliseconds.
    pub idle_ms: i64,
    /// Hash of the device cookie, for browsers.
    pub device_hash: Option<&'a str>,
}

/// Inserts a session, records the sign-in and remembers the browser.
///
/// # Errors
/// If the statement fails.
pub async fn open(tx: &mut Tx<'_>, origin: &Origin, new: &NewSession<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into sessions (token_hash, id, uid, created_at, authenticated_at, last_seen_at, expires_at,
                               user_agent, origin, kind, idle_ms, provider, device_hash)
         values ($1, $2, $3, $4, $5, $4, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(new.token_hash)
    .bind(new.id)
    .bind(new.uid)
    .bind(at)
    .bind(new.authenticated_at)
    .bind(new.expires_at)
    .bind(&origin.user_agent)
    .bind(&origin.address)
    .bind(new.kind)
    .bind(new.idle_ms)
    .bind(new.provider)
    .bind(new.device_hash)
    .execute()
    .await?;
    accounts::note_sign_in(tx, new.uid).await?;
    let account = accounts::account_in(tx, new.uid).await?.ok_or(DbError::NotFound)?;
    let event = |event, detail| security::Event {
        event,
        uid: Some(new.uid),
        email: &account.email,
        name: &account.display_name,
        detail,
    };
    let detail = json!({ "provider": new.provider, "kind": new.kind, "sessionId": new.id });
    security::note(tx, origin, event("signedIn", detail)).await?;
    if let Some(hash) = new.device_hash
        && devices::remember(tx, new.uid, hash, &origin.user_agent).await?
    {
        security::note(tx, origin, event("deviceNew", json!({}))).await?;
    }
    Ok(())
}

/// A cookie that scripts cannot read and other sites cannot send.
#[must_use]
pub fn cookie(name: &str, token: &str, max_age: i64) -> HeaderValue {
    let text = format!("{name}={token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={max_age}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// The session of a cookie's token: (its owner, its id).
///
/// # Errors
/// If the database fails.
pub async fn of_token(db: &Db, token_hash: &str) -> Result<Option<(String, String)>, DbError> {
    db.sql("select uid, id from sessions where token_hash = $1 and revoked_at is null")
        .bind(token_hash)
        .optional()
        .await
}

/// Records that a session is in use; losing such an update is harmless.
///
/// # Errors
/// If the database fails.
pub(crate) async fn touch(state: &AppState, session_id: &str, now: Timestamp) -> Result<(), DbError> {
    let actor = system_actor("session", now);
    state
        .db
        .write(&actor, async |tx| {
            tx.sql("update sessions set last_seen_at = $1 where id = $2 and last_seen_at < $1")
                .bind(now)
                .bind(session_id)
                .execute()
                .await
        })
        .await
        .map(drop)
}
