//! Who is calling, and the marks that a request bears: cookie, bearer token, origin.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use futures::future::BoxFuture;
use larder_db::Actor;
use larder_domain::{Action, Permission, Permissions, StoreScope, Timestamp, access};
use sha2::{Digest, Sha256};

use super::{ApiError, Origin};
use crate::AppState;

/// The cookie that carries a session.
pub const COOKIE: &str = "__Host-sid";
/// What is sensitive asks that its author proved who they are within this time.
pub const FRESH_MS: i64 = 15 * 60_000;

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
    pub session_id: String,
    /// `office` and `tablet` are browsers', `client` is one that holds refresh tokens.
    pub session_kind: String,
    /// How they signed in: `password`, `google.com`.
    pub provider: String,
    /// When they last proved who they are.
    pub authenticated_at: Timestamp,
    /// When the ID token was issued, if it is one that they sent.
    pub token_issued_at: Option<Timestamp>,
    /// Whether they have to set a password of their own first.
    pub must_change_password: bool,
    /// Whether a second factor is in force.
    pub totp_on: bool,
    /// Whether their role asks for one.
    pub totp_required: bool,
    /// When the request came.
    pub at: Timestamp,
    /// Where from, as far as can be told.
    pub origin: String,
}

impl Who {
    /// Whether a right is held.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        debug_assert!(
            access::meaningful(permission.page).contains(&permission.action),
            "no role can grant {permission}"
        );
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
        super::scope::check(Some(store_id), &self.scope)
    }

    /// Refuses what is sensitive when the last proof of who they are is too old.
    ///
    /// # Errors
    /// 403 `reauthenticate`.
    pub fn fresh(&self) -> Result<(), ApiError> {
        if self.at.0 - self.authenticated_at.0 <= FRESH_MS {
            return Ok(());
        }
        let words = "Enter your password again to go on.";
        Err(ApiError::new(StatusCode::FORBIDDEN, "reauthenticate", words))
    }

    /// Refuses everything but their own account while something is still asked of them.
    ///
    /// # Errors
    /// 403 `mustChangePassword` or `totpRequired`.
    pub fn settled(&self) -> Result<(), ApiError> {
        let refuse = |code, words: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, words));
        if self.must_change_password {
            return refuse("mustChangePassword", "Set a password of your own to go on.");
        }
        if self.totp_required && !self.totp_on {
            return refuse("totpRequired", "Your role asks for a second factor. Set one up to go on.");
        }
        Ok(())
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

/// Finds out who sends a request. It is asked through this trait because those who know, the accounts and sessions of
/// `people`, stand on this room.
pub trait Authenticator: Send + Sync {
    /// Who sends this request. With `afresh`, whatever was known a moment ago is asked of the database again.
    ///
    /// # Errors
    /// 401 when nobody recognisable does, 403 when a cookie comes without the marks of our own pages.
    fn authenticate<'a>(
        &'a self,
        state: &'a AppState,
        parts: &'a Parts,
        afresh: bool,
    ) -> BoxFuture<'a, Result<Who, ApiError>>;

    /// Whether their session is open still. Asking does not keep it open.
    fn is_open<'a>(&'a self, state: &'a AppState, who: &'a Who) -> BoxFuture<'a, bool>;
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = ApiError;

    /// The person the guard let in; without a guard there is nobody.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Who>().cloned().ok_or_else(ApiError::unauthenticated)
    }
}

/// The value of the session cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap) -> Option<String> {
    named_cookie(headers, COOKIE)
}

/// The value of a cookie.
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

/// What the database keeps of a token.
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

/// A cookie only counts with the marks that another site's page cannot set.
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

/// The author of what the server does by itself.
#[must_use]
pub fn system_actor(what: &str, at: Timestamp) -> Actor {
    Actor { uid: "system".into(), name: "Larder".into(), email: String::new(), from: what.into(), at }
}
