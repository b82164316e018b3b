//! Creates the first super admin.

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use larder_db::{Actor, Tx};
use serde::Deserialize;
use utoipa::ToSchema;

use super::queries;
use larder_platform::AppState;
use larder_platform::http::session::token_hash;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Origin};
use larder_platform::people::password;
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, Opened, Opening};
use larder_platform::people::users;
use larder_platform::people::users::{NewUser, looks_like_address};

/// The first super admin.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct FirstStartBody {
    /// The token in the link the server printed.
    #[schema(required = true)]
    pub token: String,
    #[schema(required = true)]
    pub name: String,
    /// Email address to sign in with.
    #[schema(required = true)]
    pub email: String,
    #[schema(required = true)]
    pub password: String,
}

/// Create the first super admin and sign them in. The link works once, for 24 hours, while no account exists.
#[utoipa::path(post, path = "/api/first-start", tag = "first start", request_body = FirstStartBody,
    responses((status = 204, description = "Signed in: the session cookie is set.")))]
pub(crate) async fn make_first_admin(
    State(state): State<AppState>,
    parts: Parts,
    Json(body): Json<FirstStartBody>,
) -> ApiResult<Response> {
    body.check()?;
    let token = token_hash(&body.token);
    // Checked before the costly hash, and again inside the transaction.
    let actor = actor(&state, &parts, &body, &state.new_id());
    state.db.write(&actor, async |tx| check_link(tx, &token).await).await?;
    let hash = password::hash(body.password.clone(), state.random_bytes()).await?;
    let (state, parts, body, token, hash, id) = (&state, &parts, &body, &token, &hash, &state.new_id());
    let written = async |tx: &mut Tx<'_>| make(tx, state, parts, body, token, hash, id).await;
    let opened: Opened = state.db.write(&actor, written).await?;
    let mut headers = HeaderMap::new();
    opened.set_on(&mut headers);
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

fn actor(state: &AppState, parts: &Parts, body: &FirstStartBody, uid: &str) -> Actor {
    Actor {
        uid: uid.to_owned(),
        name: body.name.trim().to_owned(),
        email: body.email.trim().to_owned(),
        from: Origin::of(state, parts).address,
        at: state.now(),
    }
}

async fn make(
    tx: &mut Tx<'_>,
    state: &AppState,
    parts: &Parts,
    body: &FirstStartBody,
    token: &str,
    hash: &str,
    id: &str,
) -> ApiResult<Opened> {
    check_link(tx, token).await?;
    let uid = tx.actor().uid.clone();
    let new = NewUser {
        uid: &uid,
        id,
        email: body.email.trim(),
        name: body.name.trim(),
        password_hash: hash,
        role_id: None,
        super_admin: true,
        store_ids: None,
    };
    users::add_user(tx, &new).await?;
    queries::forget(tx).await?;
    let opening =
        Opening { uid: &uid, provider: "password", device: Device::Office, authenticated_at: tx.actor().at };
    Ok(sessions::open_browser_in(tx, state, parts, &opening).await?)
}

/// Refuses every token but the open link's, and any token once an account exists.
async fn check_link(tx: &mut Tx<'_>, hash: &str) -> ApiResult<()> {
    let at = tx.actor().at;
    let kept = queries::kept(tx).await?.filter(|kept| kept.hash == hash && kept.expires_at > at);
    if kept.is_some() && !queries::somebody_is_here(tx).await? {
        return Ok(());
    }
    let words = "This link was used, has expired, or was replaced. Restart the server to see a new one.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "firstStartOver", words))
}

impl FirstStartBody {
    fn check(&self) -> ApiResult<()> {
        let mut findings = Vec::new();
        let name = self.name.trim();
        if name.is_empty() || name.chars().count() > 200 || has_unseen(name) {
            findings.push(FieldError::new("name", "Enter your name."));
        }
        if !looks_like_address(self.email.trim()) {
            findings.push(FieldError::new("email", "Enter a valid email address."));
        }
        if let Some(why) = password::weakness(&self.password, &[name, self.email.trim()]) {
            findings.push(FieldError::new("password", why));
        }
        if findings.is_empty() { Ok(()) } else { Err(ApiError::invalid(findings)) }
    }
}
