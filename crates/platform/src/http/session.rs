//! The authenticated caller and its credentials: cookie, bearer token, origin.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use futures::future::BoxFuture;
use larder_db::Actor;
use larder_domain::{Action, Permission, Permissions, StoreScope, Timestamp, access};
use sha2::{Digest, Sha256};

use super::{ApiError, Origin};
use crate::AppState;

/// The session cookie.
pub const COOKIE: &str = "__Host-sid";
/// Sensitive operations require authentication within this time.
pub const FRESH_MS: i64 = 15 * 60_000;

/// The authenticated user with permissions.
#[derive(Debug, Clone)]
pub struct Who {
    pub uid: String,
    pub user_id: String,
    /// Display name.
    pub name: String,
    /// Sign-in address.
    pub email: String,
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    pub super_admin: bool,
    /// Permissions of the role.
    pub permissions: Permissions,
    /// The stores they may see.
    pub scope: StoreScope,
    pub session_id: String,
    /// `office` and `tablet` are browser sessions, `client` holds refresh tokens.
    pub session_kind: String,
    /// How they signed in: `password`, `google.com`.
    pub provider: String,
    /// When they last authenticated.
    pub authenticated_at: Timestamp,
    /// When their ID token was issued, if they sent one.
    pub token_issued_at: Option<Timestamp>,
    /// Whether they have to change their password first.
    pub must_change_password: bool,
    /// Whether a second factor is set up.
    pub totp_on: bool,
    /// Whether their role requires one.
    pub totp_required: bool,
    /// Time of the request.
    pub at: Timestamp,
    /// Origin of the request, as far as known.
    pub origin: String,
}

impl Who {
    /// Whether the user has a permission.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        debug_assert!(
            access::meaningful(permission.page).contains(&permission.action),
            "no role can grant {permission}"
        );
        self.super_admin || (self.role_id.is_some() && self.permissions.allows(permission))
    }

    /// Whether an action on a page is permitted.
    #[must_use]
    pub fn can(&self, page: &'static str, action: Action) -> bool {
        self.may(Permission { page, action })
    }

    /// The stores a query covers: those requested, or all the user may see. `None` is unrestricted.
    ///
    /// # Errors
    /// 403 if a requested store is not among them.
    pub fn stores(&self, wished: Option<&[String]>) -> Result<Option<Vec<String>>, ApiError> {
        self.scope.narrow(wished).map_err(|_| ApiError::out_of_scope())
    }

    /// Refuses a store the user may not see.
    ///
    /// # Errors
    /// 403 «You don't have access to this store.»
    pub fn check_store(&self, store_id: &str) -> Result<(), ApiError> {
        super::scope::check(Some(store_id), &self.scope)
    }

    /// Requires recent authentication.
    ///
    /// # Errors
    /// 403 `reauthenticate`.
    pub fn fresh(&self) -> Result<(), ApiError> {
        if self.at.0 - self.authenticated_at.0 <= FRESH_MS {
            return Ok(());
        }
        let words = "Enter your password again to continue.";
        Err(ApiError::new(StatusCode::FORBIDDEN, "reauthenticate", words))
    }

    /// Refuses everything but their own account while a password change or second factor is pending.
    ///
    /// # Errors
    /// 403 `mustChangePassword` or `totpRequired`.
    pub fn settled(&self) -> Result<(), ApiError> {
        let refuse = |code, words: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, words));
        if self.must_change_password {
            return refuse("mustChangePassword", "Set a password of your own to continue.");
        }
        if self.totp_required && !self.totp_on {
            return refuse("totpRequired", "Your role asks for a second factor. Set one up to continue.");
        }
        Ok(())
    }

    /// The user as the author of changes.
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

/// Authenticates requests. A trait, because accounts and sessions are in `people`, which builds on this
/// module.
pub trait Authenticator: Send + Sync {
    /// The sender of a request. With `afresh` the cache is bypassed.
    ///
    /// # Errors
    /// 401 without valid credentials, 403 for a cookie without our pages' CSRF marks.
    fn authenticate<'a>(
        &'a self,
        state: &'a AppState,
        parts: &'a Parts,
        afresh: bool,
    ) -> BoxFuture<'a, Result<Who, ApiError>>;

    /// Whether their session is still valid. Does not extend it.
    fn is_open<'a>(&'a self, state: &'a AppState, who: &'a Who) -> BoxFuture<'a, bool>;
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = ApiError;

    /// The user the guard admitted; fails without a guard.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Who>().cloned().ok_or_else(ApiError::unauthenticated)
    }
}

/// The value of the session cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap) -> Option<String> {
    named_cookie(headers, COOKIE)
}

/// The value of a cookie by name.
#[must_use]
pub fn named_cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.to_owned())
}

/// The token of an `Authorization: Bearer` header.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Hash of a token, as stored.
#[must_use]
pub fn token_hash(token: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}

/// The address a request comes from.
#[must_use]
pub fn origin(state: &AppState, parts: &Parts) -> String {
    Origin::of(state, parts).address
}

/// Refuses a cookie without the headers that another site's page cannot set.
///
/// # Errors
/// 403 without them.
pub fn refuse_forged(state: &AppState, parts: &Parts) -> Result<(), ApiError> {
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
            StatusCode::FORBIDDEN,
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

/// The author of the server's own changes.
#[must_use]
pub fn system_actor(what: &str, at: Timestamp) -> Actor {
    Actor { uid: "system".into(), name: "Larder".into(), email: String::new(), from: what.into(), at }
}
