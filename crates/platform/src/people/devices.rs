//! Browsers users have signed in from. Their failures count separately, so that outsiders cannot lock staff
//! out.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{DbError, Tx};

use crate::AppState;
use crate::http::session::{named_cookie, token_hash};

/// The cookie that identifies a browser.
pub const COOKIE: &str = "__Host-did";
/// Lifetime of the cookie: a year.
const COOKIE_LIFE_S: i64 = 365 * 86_400;
/// Browsers remembered per user.
const REMEMBERED: i64 = 20;

/// The token in a browser's device cookie, if well-formed.
#[must_use]
pub fn token(headers: &HeaderMap) -> Option<String> {
    named_cookie(headers, COOKIE).filter(|t| BASE64.decode(t).is_ok_and(|bytes| bytes.len() == 32))
}

/// Its hash, as stored.
#[must_use]
pub fn hash(headers: &HeaderMap) -> Option<String> {
    token(headers).map(|t| token_hash(&t))
}

/// A token for a new browser.
#[must_use]
pub fn new_token(state: &AppState) -> String {
    BASE64.encode(state.random_bytes::<32>())
}

/// The cookie. Unlike the session's it is sent when the browser returns from Google's page; it grants
/// nothing.
#[must_use]
pub fn cookie(token: &str) -> HeaderValue {
    let text = format!("{COOKIE}={token}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={COOKIE_LIFE_S}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// Whether a request comes from a browser: those keep cookies, scripts seldom do.
#[must_use]
pub fn is_browser(headers: &HeaderMap) -> bool {
    headers.contains_key("x-larder") || headers.contains_key("sec-fetch-site")
}

/// Remembers a browser after a sign-in; `true` if it is new and the user had others.
///
/// # Errors
/// If the statement fails.
pub async fn remember(tx: &mut Tx<'_>, uid: &str, hash: &str, user_agent: &str) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let seen = tx
        .sql(
            "update known_devices set last_seen_at = $1, user_agent = $2 where uid = $3 and device_hash = $4",
        )
        .bind(at)
        .bind(user_agent)
        .bind(uid)
        .bind(hash)
        .execute()
        .await?;
    if seen > 0 {
        return Ok(false);
    }
    let others: i64 = tx
        .sql("select cast(count(*) as bigint) from known_devices where uid = $1")
        .bind(uid)
        .scalar()
        .await?;
    tx.sql(
        "insert into known_devices (uid, device_hash, user_agent, first_seen_at, last_seen_at)
         values ($1, $2, $3, $4, $4)
         on conflict (uid, device_hash) do update set last_seen_at = excluded.last_seen_at",
    )
    .bind(uid)
    .bind(hash)
    .bind(user_agent)
    .bind(at)
    .execute()
    .await?;
    if others >= REMEMBERED {
        tx.sql(
            "delete from known_devices where uid = $1 and device_hash not in
               (select device_hash from known_devices where uid = $1 order by last_seen_at desc, device_hash limit $2)",
        )
        .bind(uid)
        .bind(REMEMBERED)
        .execute()
        .await?;
    }
    Ok(others > 0)
}
