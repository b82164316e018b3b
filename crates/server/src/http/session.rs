//! Who is calling: a cookie session or a bearer ID token, looked up afresh within a second.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use larder_db::{Actor, Db, DbError};
use larder_domain::{Action, Permission, Permissions, StoreScope, Timestamp};
use sha2::{Digest, Sha256};
use sqlx::types::Json as Column;

use super::ApiError;
use crate::AppState;

/// The cookie that carries a session.
pub const COOKIE: &str = "__Host-sid";

/// A person at the API, with what they may do.
#[derive(Debug, Clone)]
pub struct Who {
    /// The account's id.
    pub uid: String,
    /// The app user's id.
    pub user_id: String,
    /// Name as shown to colleagues.
    pub name: String,
    /// Address they sign in with.
    pub email: String,
    /// Role, if one was given.
    pub role_id: Option<String>,
    /// The role's name.
    pub role_name: Option<String>,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// What the role allows.
    pub permissions: Permissions,
    /// The stores within reach.
    pub scope: StoreScope,
    /// The session, when it is a cookie's.
    pub session_id: Option<String>,
    /// When the password was last given.
    pub authenticated_at: Timestamp,
    /// When the request came.
    pub at: Timestamp,
    /// Where from, as far as can be told.
    pub origin: String,
}

impl Who {
    /// Whether a right is held.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.super_admin || (self.role_id.is_some() && self.permissions.allows(permission))
    }

    /// Whether an action on a page is allowed.
    #[must_use]
    pub fn can(&self, page: &'static str, action: Action) -> bool {
        self.may(Permission { page, action })
    }

    /// The stores a question covers: those wished for, or all within reach. `None` is unrestricted.
    ///
    /// # Errors
    /// 403 when a wished store lies out of reach.
    pub fn stores(&self, wished: Option<&[String]>) -> Result<Option<Vec<String>>, ApiError> {
        self.scope.narrow(wished).map_err(|_| ApiError::out_of_scope())
    }

    /// Refuses a store out of reach.
    ///
    /// # Errors
    /// 403 «You don't have access to this store.»
    pub fn check_store(&self, store_id: &str) -> Result<(), ApiError> {
        if self.scope.contains(store_id) { Ok(()) } else { Err(ApiError::out_of_scope()) }
    }

    /// As the author of changes.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor {
            uid: self.uid.clone(),
            name: self.name.clone(),
            email: self.email.clone(),
            from: self.origin.clone(),
            at: self.at,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = ApiError;

    /// The person the guard let in; without a guard there is nobody.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Who>().cloned().ok_or_else(ApiError::unauthenticated)
    }
}

/// Who sends this request.
///
/// # Errors
/// 401 when nobody recognisable does, 403 when a cookie comes without the marks of our own pages.
pub async fn authenticate(state: &AppState, parts: &Parts) -> Result<Who, ApiError> {
    let now = state.now();
    let person = if let Some(token) = bearer(&parts.headers) {
        by_id_token(state, token, now).await?
    } else {
        let token = cookie(&parts.headers).ok_or_else(ApiError::unauthenticated)?;
        refuse_forged(state, parts)?;
        by_cookie(state, &token, now).await?
    };
    if person.disabled {
        return Err(ApiError::unauthenticated());
    }
    Ok(person.who(now, origin(state, parts)))
}

/// The value of the session cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value.to_owned())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// What the database keeps of a token.
#[must_use]
pub fn token_hash(token: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}

/// A cookie only counts with the marks that another site's page cannot set.
fn refuse_forged(state: &AppState, parts: &Parts) -> Result<(), ApiError> {
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let text = |name: &str| parts.headers.get(name).and_then(|v| v.to_str().ok());
    let same_origin = match text("sec-fetch-site") {
        Some(site) => site == "same-origin",
        None => text("origin").is_some_and(|origin| is_own(state, &parts.headers, origin)),
    };
    if same_origin && text("x-larder").is_some() {
        Ok(())
    } else {
        Err(ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "crossSite",
            "This request did not come from the console. Open the console and try again.",
        ))
    }
}

fn is_own(state: &AppState, headers: &HeaderMap, origin: &str) -> bool {
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or_default();
    state.config.public_url.as_deref().is_some_and(|url| url.trim_end_matches('/') == origin)
        || origin.split_once("://").is_some_and(|(_, origin_host)| !host.is_empty() && origin_host == host)
}

/// The address a request comes from: the peer, or what trusted proxies say.
#[must_use]
pub fn origin(state: &AppState, parts: &Parts) -> String {
    let peer = parts
        .extensions
        .get::<axum::extract::ConnectInfo<std::net::SocketAddr>>()
        .map(|c| c.0.ip().to_string());
    let hops = state.config.proxy_hops;
    if hops > 0
        && let Some(forwarded) = parts.headers.get("x-forwarded-for").and_then(|v| v.to_str().ok())
    {
        let chain: Vec<&str> = forwarded.split(',').map(str::trim).collect();
        if let Some(address) = chain.len().checked_sub(hops).and_then(|i| chain.get(i)) {
            return (*address).to_owned();
        }
    }
    peer.unwrap_or_default()
}

/// A person as the database has them.
#[derive(Debug, Clone, sqlx::FromRow)]
struct Person {
    uid: String,
    user_id: String,
    name: String,
    email: String,
    role_id: Option<String>,
    role_name: Option<String>,
    super_admin: bool,
    permissions: Option<Column<Permissions>>,
    store_ids: Option<Column<Vec<String>>>,
    disabled: bool,
    valid_since: Timestamp,
    session_id: Option<String>,
    authenticated_at: Timestamp,
    expires_at: Timestamp,
    last_seen_at: Timestamp,
}

impl Person {
    fn who(self, at: Timestamp, origin: String) -> Who {
        Who {
            scope: StoreScope::of(self.super_admin, self.store_ids.as_ref().map(|s| s.0.as_slice())),
            uid: self.uid,
            user_id: self.user_id,
            name: self.name,
            email: self.email,
            role_id: self.role_id,
            role_name: self.role_name,
            super_admin: self.super_admin,
            permissions: self.permissions.map(|p| p.0).unwrap_or_default(),
            session_id: self.session_id,
            authenticated_at: self.authenticated_at,
            at,
            origin,
        }
    }
}

const PERSON: &str = "
    a.uid as uid, u.id as user_id, u.name as name, u.email as email, u.role_id as role_id,
    r.name as role_name, u.super_admin as super_admin, r.permissions as permissions,
    u.store_ids as store_ids, a.valid_since as valid_since,
    (a.disabled or u.status <> 'Active') as disabled";

async fn by_cookie(state: &AppState, token: &str, now: Timestamp) -> Result<Person, ApiError> {
    let hash = token_hash(token);
    let person = match state.sessions.get(&hash) {
        Some(person) => person,
        None => {
            let generation = state.sessions.generation();
            let person = find_session(&state.db, &hash).await?.ok_or_else(ApiError::unauthenticated)?;
            state.sessions.put(hash.clone(), person.clone(), generation);
            person
        }
    };
    let idle = now.0 - person.last_seen_at.0;
    if now >= person.expires_at || idle > SESSION_IDLE_MS {
        return Err(ApiError::unauthenticated());
    }
    if idle > SEEN_EVERY_MS {
        touch(state, &hash, now);
    }
    Ok(person)
}

/// A session unused for this long is over (office: 12 h).
pub const SESSION_IDLE_MS: i64 = 12 * 3_600_000;
/// A session is over after this long whatever happens (office: 14 d).
pub const SESSION_LIFE_MS: i64 = 14 * 86_400_000;
/// How fine «last seen» is kept; every request would be a write otherwise.
const SEEN_EVERY_MS: i64 = 60_000;

async fn find_session(db: &Db, hash: &str) -> Result<Option<Person>, DbError> {
    db.sql("select")
        .push(PERSON)
        .push(
            ", s.id as session_id, s.authenticated_at as authenticated_at, s.expires_at as expires_at,
               s.last_seen_at as last_seen_at
             from sessions s
             join accounts a on a.uid = s.uid
             join app_users u on u.uid = a.uid
             left join app_roles r on r.id = u.role_id
             where s.token_hash = $1",
        )
        .bind(hash)
        .optional()
        .await
}

/// Notes in the background that the session is in use; losing one such note costs nothing.
fn touch(state: &AppState, hash: &str, now: Timestamp) {
    let (state, hash) = (state.clone(), hash.to_owned());
    state.sessions.forget(&hash);
    tokio::spawn(async move {
        let actor = system_actor("session", now);
        let noted = state
            .db
            .write(&actor, async |tx| {
                tx.sql("update sessions set last_seen_at = $1 where token_hash = $2 and last_seen_at < $1")
                    .bind(now)
                    .bind(&hash)
                    .execute()
                    .await
            })
            .await;
        if let Err(error) = noted {
            tracing::warn!(%error, "could not note that a session is in use");
        }
    });
}

async fn by_id_token(state: &AppState, token: &str, now: Timestamp) -> Result<Person, ApiError> {
    let claims = state.keys.verify(state, token, now).await?;
    let person: Person = state
        .db
        .sql("select")
        .push(PERSON)
        .push(
            ", cast(null as text) as session_id, cast($2 as bigint) as authenticated_at,
               cast($3 as bigint) as expires_at, cast($3 as bigint) as last_seen_at
             from accounts a
             join app_users u on u.uid = a.uid
             left join app_roles r on r.id = u.role_id
             where a.uid = $1",
        )
        .bind(&claims.sub)
        .bind(claims.auth_time.saturating_mul(1000))
        .bind(claims.exp.saturating_mul(1000))
        .optional()
        .await?
        .ok_or_else(ApiError::unauthenticated)?;
    // A reset password, a sign-out everywhere: older tokens are over before they expire.
    if claims.auth_time < person.valid_since.seconds() {
        return Err(ApiError::unauthenticated());
    }
    Ok(person)
}

/// Sessions looked up within the last second. Changes of users and roles empty it at once, on
/// every node (the database's change feed reaches them all); the second is only the net below.
#[derive(Default)]
pub struct SessionCache {
    inner: Mutex<Cached>,
}

#[derive(Default)]
struct Cached {
    generation: u64,
    people: HashMap<String, (Instant, Person)>,
}

const FRESH: Duration = Duration::from_secs(1);
const AT_MOST: usize = 10_000;

impl SessionCache {
    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn generation(&self) -> u64 {
        self.lock().generation
    }

    fn get(&self, hash: &str) -> Option<Person> {
        let inner = self.lock();
        inner.people.get(hash).filter(|(at, _)| at.elapsed() < FRESH).map(|(_, p)| p.clone())
    }

    /// Keeps what was read, unless something changed while it was being read.
    fn put(&self, hash: String, person: Person, generation: u64) {
        let mut inner = self.lock();
        if inner.generation != generation {
            return;
        }
        if inner.people.len() >= AT_MOST {
            inner.people.clear();
        }
        inner.people.insert(hash, (Instant::now(), person));
    }

    /// Forgets one session.
    pub fn forget(&self, hash: &str) {
        let mut inner = self.lock();
        inner.generation += 1;
        inner.people.remove(hash);
    }

    /// Forgets all of them.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.generation += 1;
        inner.people.clear();
    }
}

/// The author of what the server does by itself.
#[must_use]
pub fn system_actor(what: &str, at: Timestamp) -> Actor {
    Actor { uid: "system".into(), name: "Larder".into(), email: String::new(), from: what.into(), at }
}
