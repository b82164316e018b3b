//! Refresh tokens: single use, one family per session. A token's successor is derived from the token itself,
//! so that six tabs refreshing at once get the same one, and only hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{DbError, Tx};
use larder_domain::Timestamp;
use serde_json::json;

use super::{security, session_ends};
use crate::AppState;
use crate::http::Origin;
use crate::http::session::{system_actor, token_hash};

/// A used token still returns its successor for this long; after that it counts as stolen.
const GRACE_MS: i64 = 10_000;

/// The first token of a session.
///
/// # Errors
/// If the statement fails.
pub async fn first(tx: &mut Tx<'_>, state: &AppState, session_id: &str) -> Result<String, DbError> {
    let token = BASE64.encode(state.random_bytes::<32>());
    keep(tx, &token, session_id).await?;
    Ok(token)
}

async fn keep(tx: &mut Tx<'_>, token: &str, session_id: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into refresh_tokens (token_hash, session_id, created_at) values ($1, $2, $3)
         on conflict (token_hash) do nothing",
    )
    .bind(token_hash(token))
    .bind(session_id)
    .bind(at)
    .execute()
    .await
    .map(drop)
}

/// The result of presenting a token.
#[derive(Debug, Clone)]
pub enum Refreshed {
    /// Accepted.
    Next {
        /// The successor.
        token: String,
        session: Family,
    },
    /// The session has ended or never existed.
    Over,
    /// Sign-in of its owner is refused.
    Disabled,
}

/// The session of a token.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Family {
    pub session_id: String,
    pub uid: String,
    pub email: String,
    pub name: String,
    /// Sign-in method.
    pub provider: String,
    pub authenticated_at: Timestamp,
    used_at: Option<Timestamp>,
    live: bool,
    disabled: bool,
}

/// Exchanges a token for its successor.
///
/// # Errors
/// If the database fails.
pub async fn rotate(state: &AppState, origin: &Origin, token: &str) -> Result<Refreshed, DbError> {
    let successor = BASE64.encode(state.secrets.mac(state, "refresh", &[token.as_bytes()]).await?);
    let actor = system_actor("refresh", state.now());
    let (successor, hash) = (&successor, &token_hash(token));
    let refreshed = state
        .db
        .write(&actor, async |tx| {
            let Some(family) = find(tx, hash).await? else { return Ok::<_, DbError>(Refreshed::Over) };
            if family.disabled {
                return Ok(Refreshed::Disabled);
            }
            if !family.live {
                return Ok(Refreshed::Over);
            }
            match family.used_at {
                None => pass_on(tx, hash, successor, &family).await?,
                Some(at) if actor.at.0 - at.0 <= GRACE_MS => {}
                Some(_) => {
                    revoke(tx, origin, &family).await?;
                    return Ok(Refreshed::Over);
                }
            }
            Ok(Refreshed::Next { token: successor.clone(), session: family })
        })
        .await?;
    if matches!(refreshed, Refreshed::Over) {
        state.sessions.clear();
    }
    Ok(refreshed)
}

async fn find(tx: &mut Tx<'_>, hash: &str) -> Result<Option<Family>, DbError> {
    let now = tx.actor().at;
    tx.sql(
        "select r.session_id, r.used_at, s.uid, s.provider, s.authenticated_at, a.email, a.display_name as name,
                (s.revoked_at is null and s.expires_at > $2 and s.last_seen_at + s.idle_ms > $2) as live,
                (a.disabled or coalesce(u.status, 'Active') <> 'Active') as disabled
         from refresh_tokens r
         join sessions s on s.id = r.session_id
         join accounts a on a.uid = s.uid
         left join app_users u on u.uid = s.uid
         where r.token_hash = $1",
    )
    .bind(hash)
    .bind(now)
    .optional()
    .await
}

async fn pass_on(tx: &mut Tx<'_>, hash: &str, successor: &str, family: &Family) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update refresh_tokens set used_at = $1 where token_hash = $2 and used_at is null")
        .bind(at)
        .bind(hash)
        .execute()
        .await?;
    keep(tx, successor, &family.session_id).await?;
    tx.sql("update sessions set last_seen_at = $1 where id = $2 and last_seen_at < $1")
        .bind(at)
        .bind(&family.session_id)
        .execute()
        .await
        .map(drop)
}

/// A token used twice means that it was stolen: the whole session ends.
async fn revoke(tx: &mut Tx<'_>, origin: &Origin, family: &Family) -> Result<(), DbError> {
    session_ends::end_one(tx, &family.uid, &family.session_id).await?;
    let event = security::Event {
        event: "tokenReused",
        uid: Some(&family.uid),
        email: &family.email,
        name: &family.name,
        detail: json!({ "sessionId": family.session_id }),
    };
    security::note(tx, origin, event).await
}
