//! Authenticates a request: a cookie session or a bearer ID token, cached for at most a second.

use std::collections::BTreeSet;

use axum::http::request::Parts;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use larder_domain::{StoreScope, Timestamp};

use super::person::{self, Person};
use super::sessions;
use crate::AppState;
use crate::http::session::{Authenticator, bearer, cookie, origin, refuse_forged, token_hash};
use crate::http::{ApiError, Who};

/// Resolution of «last seen»; otherwise every request would be a write.
const SEEN_EVERY_MS: i64 = 60_000;

/// The accounts and sessions of the database.
#[derive(Debug, Clone, Copy)]
pub struct Accounts;

impl Authenticator for Accounts {
    fn authenticate<'a>(
        &'a self,
        state: &'a AppState,
        parts: &'a Parts,
        afresh: bool,
    ) -> BoxFuture<'a, Result<Who, ApiError>> {
        authenticate(state, parts, afresh).boxed()
    }

    fn is_open<'a>(&'a self, state: &'a AppState, who: &'a Who) -> BoxFuture<'a, bool> {
        async move {
            let open = sessions::list_of(&state.db, &who.uid, state.now()).await;
            open.is_ok_and(|open| open.iter().any(|session| session.id == who.session_id))
        }
        .boxed()
    }
}

/// The sender of a request.
///
/// # Errors
/// As [`Authenticator::authenticate`].
pub async fn authenticate(state: &AppState, parts: &Parts, afresh: bool) -> Result<Who, ApiError> {
    let now = state.now();
    let (key, claims) = if let Some(token) = bearer(&parts.headers) {
        let claims = state.keys.verify(state, token, now).await?;
        (Key::Session(claims.sid.clone()), Some(claims))
    } else {
        let token = cookie(&parts.headers).ok_or_else(ApiError::unauthenticated)?;
        refuse_forged(state, parts)?;
        (Key::Cookie(token_hash(&token)), None)
    };
    let person = look_up(state, &key, now, !afresh).await?;
    let mut who = who(person, now, origin(state, parts));
    if let Some(claims) = claims {
        if claims.sub != who.uid {
            return Err(ApiError::unauthenticated());
        }
        who.authenticated_at = Timestamp(claims.auth_time.saturating_mul(1000));
        who.token_issued_at = Some(Timestamp(claims.iat.saturating_mul(1000)));
    }
    Ok(who)
}

/// A user's current permissions and stores, without a session. `None` if they may not sign in.
///
/// # Errors
/// If the database fails.
pub async fn standing(state: &AppState, uid: &str) -> Result<Option<Who>, ApiError> {
    let person = person::standing(&state.db, uid).await?.filter(|person| !person.disabled);
    Ok(person.map(|person| who(person, state.now(), "system".to_owned())))
}

/// As [`standing`], by user id.
///
/// # Errors
/// If the database fails.
pub async fn standing_of_user(state: &AppState, user_id: &str) -> Result<Option<Who>, ApiError> {
    match person::account_of(&state.db, user_id).await? {
        Some(uid) => standing(state, &uid).await,
        None => Ok(None),
    }
}

enum Key {
    Cookie(String),
    Session(String),
}

/// The owner of a session, if it is valid and they may still sign in.
async fn look_up(state: &AppState, key: &Key, now: Timestamp, cached: bool) -> Result<Person, ApiError> {
    let name = match key {
        Key::Cookie(hash) => format!("c{hash}"),
        Key::Session(id) => format!("s{id}"),
    };
    let known = if cached { state.sessions.get(&name) } else { None };
    let person = match known {
        Some(person) => person,
        None => {
            let generation = state.sessions.generation();
            let found = match key {
                Key::Cookie(hash) => person::by_cookie(&state.db, hash).await?,
                Key::Session(id) => person::by_session(&state.db, id).await?,
            };
            let person = found.ok_or_else(ApiError::unauthenticated)?;
            state.sessions.put(name.clone(), person.clone(), generation);
            person
        }
    };
    if person.disabled || person.is_over(now) {
        return Err(ApiError::unauthenticated());
    }
    if now.0 - person.last_seen_at.0 > SEEN_EVERY_MS && state.sessions.saw(&name, now, SEEN_EVERY_MS) {
        touch(state, &person.session_id, now);
    }
    Ok(person)
}

/// Records in the background that the session is in use.
fn touch(state: &AppState, session_id: &str, now: Timestamp) {
    let (state, session_id) = (state.clone(), session_id.to_owned());
    tokio::spawn(async move {
        if let Err(error) = sessions::touch(&state, &session_id, now).await {
            tracing::warn!(%error, "could not record that a session is in use");
        }
    });
}

/// The stores a user may see. None without a role: a missing list means all stores only for users with a
/// role.
fn scope(person: &Person) -> StoreScope {
    if person.role_id.is_none() && !person.super_admin {
        return StoreScope::Only(BTreeSet::new());
    }
    StoreScope::of(person.super_admin, person.store_ids.as_ref().map(|ids| ids.0.as_slice()))
}

fn who(person: Person, at: Timestamp, origin: String) -> Who {
    Who {
        scope: scope(&person),
        uid: person.uid,
        user_id: person.user_id,
        name: person.name,
        email: person.email,
        role_id: person.role_id,
        role_name: person.role_name,
        super_admin: person.super_admin,
        permissions: person.permissions.map(|p| p.0).unwrap_or_default(),
        session_id: person.session_id,
        session_kind: person.session_kind,
        provider: person.provider,
        authenticated_at: person.authenticated_at,
        token_issued_at: None,
        must_change_password: person.must_change_password,
        totp_on: person.totp_on,
        totp_required: person.totp_required,
        at,
        origin,
    }
}
