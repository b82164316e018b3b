//! Sessions: where people are signed in. A browser's is known by its cookie, a client's by its refresh tokens.

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

/// Where somebody signs in; it decides how long the session lasts.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Device {
    /// A desk: over after 12 h without use, 14 days at most.
    #[default]
    Office,
    /// A tablet that counts stock: 7 days, 30 days at most.
    Tablet,
}

impl Device {
    /// A session unused for this long is over.
    #[must_use]
    pub fn idle_ms(self) -> i64 {
        match self {
            Self::Office => 12 * HOUR_MS,
            Self::Tablet => 7 * DAY_MS,
        }
    }

    /// A session is over after this long whatever happens.
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

/// A sign-in that was successful and opens a session.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    /// Whose.
    pub uid: &'a str,
    /// How they proved who they are: `password`, `google.com`.
    pub provider: &'a str,
    /// Where.
    pub device: Device,
    /// When they proved it.
    pub authenticated_at: Timestamp,
}

impl<'a> Statement<'a> {
    /// Of a sign-in and the session it opened.
    #[must_use]
    pub fn of(opening: &Opening<'a>, session_id: &'a str) -> Self {
        let Opening { uid, provider, authenticated_at, .. } = *opening;
        Self { uid, session_id, provider, authenticated_at }
    }
}

/// A browser's session that was opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The session's id.
    pub session_id: String,
    cookies: [HeaderValue; 2],
}

impl Opened {
    /// Hands the cookies to the browser.
    pub fn set_on(&self, headers: &mut HeaderMap) {
        for cookie in &self.cookies {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
    }
}

/// A client's session that was opened.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// The session's id.
    pub session_id: String,
    /// A signed statement of who signed in.
    pub id_token: String,
    /// Good for the next one.
    pub refresh_token: String,
}

/// Opens a browser's session: keeps it, notes the sign-in, remembers the browser.
///
/// # Errors
/// When the database fails; [`DbError::NotFound`] when there is no such account.
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

/// Opens a client's session, which lives by refresh tokens.
///
/// # Errors
/// When the database fails or the statement cannot be signed.
pub async fn open_client(state: &AppState, parts: &Parts, opening: &Opening<'_>) -> Result<Tokens, ApiError> {
    let actor = sign_in_actor(state, parts, opening.uid).await?;
    let (session_id, refresh_token) =
        state.db.write(&actor, async |tx| open_client_in(tx, state, parts, opening).await).await?;
    let id_token = state.keys.sign(state, &Statement::of(opening, &session_id)).await?;
    Ok(Tokens { session_id, id_token, refresh_token })
}

/// As [`open_client`], inside a transaction and without the ID token: the session's id and its first refresh token.
///
/// # Errors
/// When the database fails.
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

/// A session about to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Hash of the token in the cookie; `token:` and the id for a client's.
    pub token_hash: &'a str,
    /// The session's own id, for lists of sessions and ID tokens.
    pub id: &'a str,
    /// Whose it is.
    pub uid: &'a str,
    /// `office`, `tablet`, `client`.
    pub kind: &'a str,
    /// How its owner proved who they are.
    pub provider: &'a str,
    /// When they did.
    pub authenticated_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// How long it may lie unused.
    pub idle_ms: i64,
    /// The browser's hash, if it is a browser.
    pub device_hash: Option<&'a str>,
}

/// Keeps a session, notes the sign-in and remembers the browser.
///
/// # Errors
/// As any statement.
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

/// A cookie of ours; scripts cannot read it, other sites cannot send it.
#[must_use]
pub fn cookie(name: &str, token: &str, max_age: i64) -> HeaderValue {
    let text = format!("{name}={token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={max_age}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// The session behind a cookie's token: (its owner, its id).
///
/// # Errors
/// When the database cannot be read.
pub async fn of_token(db: &Db, token_hash: &str) -> Result<Option<(String, String)>, DbError> {
    db.sql("select uid, id from sessions where token_hash = $1 and revoked_at is null")
        .bind(token_hash)
        .optional()
        .await
}

/// Notes that a session is in use; losing one such note costs nothing.
///
/// # Errors
/// When the database fails.
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
