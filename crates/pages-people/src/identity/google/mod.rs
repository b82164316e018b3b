//! Sign-in with the company's Google account: the browser goes to Google, returns with a code, and the last
//! page hands the result to the console. `idp` accepts an ID token a client obtained from Google itself.

pub mod idp;
mod pages;
mod rules;

use axum::extract::{Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use larder_db::Actor;
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use self::pages::Outcome;
use crate::identity::sign_in::SignIn;
use larder_platform::AppState;
use larder_platform::http::session::{named_cookie, system_actor, token_hash};
use larder_platform::http::{ApiError, Origin};
use larder_platform::openid::{Identity, OpenId, OpenIdError};
use larder_platform::people::accounts;
use larder_platform::people::accounts::Account;
use larder_platform::people::authentication::authenticate;
use larder_platform::people::providers;
use larder_platform::people::providers::{Admission, UnderWay};
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, Opening};
use larder_platform::people::{security, totp};

/// The cookie that binds a pending sign-in to the browser it started in; it must be sent along from Google's
/// page.
const COOKIE: &str = "__Host-gid";

/// Query parameters of a sign-in with Google.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Start {
    /// `popup` reports on a broadcast channel, `redirect` continues to `returnTo`.
    mode: Option<String>,
    /// A path of the console to continue to.
    return_to: Option<String>,
    /// Renews the current session instead of opening one.
    #[serde(default)]
    reauthenticate: bool,
}

/// Redirect to Google.
#[utoipa::path(get, path = "/api/session/google/start", tag = "identity", params(Start),
    responses((status = 302, description = "Redirect to Google")))]
pub(crate) async fn start_google_sign_in(
    State(state): State<AppState>,
    Query(start): Query<Start>,
    parts: Parts,
) -> Result<Response, ApiError> {
    if !OpenId::is_set_up(&state) {
        return Err(ApiError::not_found("sign-in with Google"));
    }
    let (mode, return_to) = if start.reauthenticate {
        let who = authenticate(&state, &parts, false).await?;
        ("reauthenticate", who.session_id)
    } else if start.mode.as_deref() == Some("redirect") {
        ("redirect", rules::own_path(start.return_to.as_deref()))
    } else {
        ("popup", rules::own_path(start.return_to.as_deref()))
    };
    let departure = state
        .openid
        .depart(&state, &rules::callback(&state, &parts.headers), start.reauthenticate)
        .await
        .map_err(unavailable)?;
    // A second click starts a parallel sign-in: the browser keeps its cookie, so both may return in any
    // order.
    let browser =
        named_cookie(&parts.headers, COOKIE).filter(|browser| !browser.is_empty()).unwrap_or_else(|| {
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(state.random_bytes::<32>())
        });
    let actor = system_actor("google", state.now());
    let (departure, browser, return_to) = (&departure, &browser, &return_to);
    state
        .db
        .write(&actor, async |tx| providers::leave(tx, departure, browser, mode, return_to).await)
        .await?;
    let mut response = (StatusCode::FOUND, [(header::LOCATION, departure.url.clone())]).into_response();
    response.headers_mut().append(header::SET_COOKIE, transaction_cookie(browser));
    Ok(response)
}

/// Query parameters of the redirect from Google.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Back {
    /// Identifies the pending sign-in.
    state: Option<String>,
    /// To exchange for an ID token.
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// The issuer (RFC 9207).
    iss: Option<String>,
}

/// Return from Google.
#[utoipa::path(get, path = "/api/session/google/callback", tag = "identity", params(Back),
    responses((status = 200, description = "A page that passes the result to the console", body = String, content_type = "text/html")))]
pub(crate) async fn finish_google_sign_in(
    State(state): State<AppState>,
    Query(back): Query<Back>,
    parts: Parts,
) -> Response {
    let under_way = match take(&state, &parts.headers, &back).await {
        Ok(under_way) => under_way,
        Err(refusal) => return pages::last("popup", "/", &refusal.into()),
    };
    let (mode, return_to) = match under_way.mode.as_str() {
        "redirect" => ("redirect", under_way.return_to.clone()),
        _ => ("popup", "/".to_owned()),
    };
    let outcome = match finish(&state, &parts, &back, &under_way).await {
        Ok(finished) => finished,
        Err(refusal) => {
            note_refusal(&state, &parts, &refusal).await;
            Finished::refused(refusal)
        }
    };
    let mut response = pages::last(mode, &return_to, &outcome.outcome);
    if let Some(opened) = &outcome.opened {
        opened.set_on(response.headers_mut());
    }
    response
}

/// Why a sign-in is refused: a code of the console's catalogue, text if the catalogue has none, and details
/// for the audit trail.
#[derive(Debug, Clone)]
pub struct Refusal {
    code: &'static str,
    message: Option<String>,
    email: String,
    why: String,
}

impl Refusal {
    fn new(code: &'static str, why: impl Into<String>) -> Self {
        Self { code, message: None, email: String::new(), why: why.into() }
    }
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Self {
        Self { code: Some(refusal.code), message: refusal.message, ..Self::default() }
    }
}

impl From<OpenIdError> for Refusal {
    fn from(error: OpenIdError) -> Self {
        match error {
            OpenIdError::Unavailable(why) => {
                tracing::warn!(error = %format!("{why:#}"), "the identity provider cannot be used");
                Self::new("auth/network-request-failed", "the provider is unreachable")
            }
            OpenIdError::Refused(why) => Self::new("auth/invalid-credential", format!("{why:#}")),
        }
    }
}

impl From<larder_db::DbError> for Refusal {
    fn from(error: larder_db::DbError) -> Self {
        tracing::error!(%error, "sign-in with Google");
        Self::new("auth/internal-error", "the database failed")
    }
}

struct Finished {
    outcome: Outcome,
    opened: Option<sessions::Opened>,
}

impl Finished {
    fn refused(refusal: Refusal) -> Self {
        Self { outcome: refusal.into(), opened: None }
    }
}

/// Takes the pending sign-in, once, and only in the browser it started in.
async fn take(state: &AppState, headers: &HeaderMap, back: &Back) -> Result<UnderWay, Refusal> {
    let named = back.state.as_deref().unwrap_or_default();
    let actor = system_actor("google", state.now());
    let under_way = state.db.write(&actor, async |tx| providers::come_back(tx, named).await).await?;
    let under_way = under_way.ok_or_else(|| Refusal::new("auth/invalid-credential", "no such sign-in"))?;
    let browser = named_cookie(headers, COOKIE).unwrap_or_default();
    if token_hash(&browser) != under_way.browser_hash {
        return Err(Refusal::new("auth/invalid-credential", "another browser's sign-in"));
    }
    if back.iss.as_ref().is_some_and(|iss| *iss != state.config.google_issuer) {
        return Err(Refusal::new("auth/invalid-credential", "another provider's answer"));
    }
    Ok(under_way)
}

async fn finish(
    state: &AppState,
    parts: &Parts,
    back: &Back,
    under_way: &UnderWay,
) -> Result<Finished, Refusal> {
    if back.error.is_some() {
        return Err(Refusal::new("auth/popup-closed-by-user", "the person cancelled"));
    }
    let code = back.code.as_deref().unwrap_or_default();
    let redirect = rules::callback(state, &parts.headers);
    let identity = state.openid.arrive(state, &redirect, code, &under_way.nonce, &under_way.verifier).await?;
    rules::of_the_company(&identity, &state.config)?;
    if under_way.mode == "reauthenticate" {
        renew(state, parts, &identity, &under_way.return_to).await?;
        return Ok(Finished { outcome: Outcome::ok(), opened: None });
    }
    let (account, _) = admit(state, parts, &identity).await?;
    if totp::confirmed_at(&state.db, &account.uid).await?.is_some() {
        let pending = SignIn::vouched_for(state, &account, providers::GOOGLE).pending(state).await?;
        let outcome = Outcome { mfa_pending_credential: Some(pending), ..Outcome::default() };
        return Ok(Finished { outcome, opened: None });
    }
    let opening = Opening {
        uid: &account.uid,
        provider: providers::GOOGLE,
        device: Device::Office,
        authenticated_at: state.now(),
    };
    let opened = sessions::open_browser(state, parts, &opening).await?;
    Ok(Finished { outcome: Outcome::ok(), opened: Some(opened) })
}

/// Finds, links or creates the account, in one transaction.
async fn admit(state: &AppState, parts: &Parts, identity: &Identity) -> Result<(Account, bool), Refusal> {
    let actor = Actor {
        uid: String::new(),
        name: identity.name.clone(),
        email: identity.email.clone(),
        from: Origin::of(state, parts).address,
        at: state.now(),
    };
    let admission = state.db.write(&actor, async |tx| providers::admit(tx, state, identity).await).await?;
    let refused = |code, why: &str| Refusal { email: identity.email.clone(), ..Refusal::new(code, why) };
    match admission {
        Admission::Account { uid, is_new } => {
            let account = accounts::account(&state.db, &uid).await?.ok_or(larder_db::DbError::NotFound)?;
            Ok((account, is_new))
        }
        Admission::Disabled => Err(refused("auth/user-disabled", "the account is disabled")),
        Admission::TakenAddress => Err(refused(
            "auth/account-exists-with-different-credential",
            "the address is linked with another Google account",
        )),
        Admission::LinkedElsewhere => Err(refused(
            "auth/credential-already-in-use",
            "the Google account is linked with another account",
        )),
    }
}

/// The user reauthenticated at the provider: the session may continue with sensitive actions.
async fn renew(
    state: &AppState,
    parts: &Parts,
    identity: &Identity,
    session_id: &str,
) -> Result<(), Refusal> {
    let other = || Refusal::new("auth/invalid-credential", "another person's Google account");
    let uid = providers::uid_of(&state.db, &identity.subject).await?.ok_or_else(other)?;
    let now = state.now();
    if identity.auth_time.is_none_or(|at| now.0 - at.0 > PROVED_WITHIN_MS) {
        return Err(Refusal::new("auth/invalid-credential", "no fresh sign-in at the provider"));
    }
    let actor = Actor { uid: uid.clone(), ..system_actor(&Origin::of(state, parts).address, now) };
    let uid = &uid;
    let renewed = state.db.write(&actor, async |tx| sessions::renew(tx, uid, session_id).await).await?;
    state.sessions.clear();
    if renewed { Ok(()) } else { Err(other()) }
}

/// Maximum age of the provider's sign-in for reauthentication.
const PROVED_WITHIN_MS: i64 = 300_000;

async fn note_refusal(state: &AppState, parts: &Parts, refusal: &Refusal) {
    let origin = Origin::of(state, parts);
    let event = security::Event {
        event: "googleRefused",
        uid: None,
        email: &refusal.email,
        name: "",
        detail: json!({ "code": refusal.code, "why": refusal.why }),
    };
    let actor = system_actor("google", state.now());
    let (origin, event) = (&origin, &event);
    let noted = state.db.write(&actor, async |tx| security::note(tx, origin, event.clone()).await).await;
    if let Err(error) = noted {
        tracing::warn!(%error, "could not record a refused sign-in with Google");
    }
}

fn unavailable(error: OpenIdError) -> ApiError {
    tracing::warn!(error = %error, "sign-in with Google");
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "busy",
        "Google cannot be reached. Try again, or sign in with your password.",
    )
}

/// Lasts as long as a sign-in may be pending, because another one of this browser may return later.
fn transaction_cookie(value: &str) -> HeaderValue {
    let text = format!("{COOKIE}={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}
