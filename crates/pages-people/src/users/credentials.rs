//! Credentials of users: temporary passwords, reset links, sessions, second factors.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{DbError, Tx, Violation, ViolationKind};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::refusals::Caller;
use super::{grants, job, write};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::mail;
use larder_platform::mail::Email;
use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use larder_platform::people::security;
use larder_platform::people::users;
use larder_platform::people::users::UserRow;
use larder_platform::people::{sessions, totp};

/// A user the caller may manage.
async fn managed(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<UserRow> {
    let user = users::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("user"))?;
    grants::may_manage(who, &user)?;
    Ok(user)
}

async fn managed_active(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<UserRow> {
    let user = managed(tx, who, id).await?;
    if user.is_active() {
        return Ok(user);
    }
    Err(ApiError::conflict("disabled", format!("{} is disabled; enable them first.", user.name)))
}

/// Create a temporary password; when ready, it is shown with the user, and a live event is sent.
#[utoipa::path(post, path = "/api/users/{id}/temporary-password", tag = "users", params(("id" = String, Path)),
    responses((status = 202)))]
pub(crate) async fn make_temporary_password(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let (state, id) = (&state, &id);
    let queued = state
        .db
        .write(&who.actor(), async |tx| {
            let user = managed_active(tx, who, id).await?;
            // Earlier credentials end now; a link created after this remains valid.
            if let Some(uid) = &user.uid {
                links::end_all(tx, uid).await?;
            }
            let queued = tx.savepoint(async |tx| job::enqueue(tx, state, &user).await).await;
            match queued {
                // One is already being created.
                Err(DbError::Violation(Violation { kind: ViolationKind::Unique, .. })) => Ok(()),
                other => Ok::<_, ApiError>(other.map(drop)?),
            }
        })
        .await;
    caller.noted(state, "user", id, queued).await?;
    state.jobs.wake();
    Ok(StatusCode::ACCEPTED)
}

/// Options of a reset link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ResetLinkBody {
    /// Email it to the user as well as returning it.
    pub mail: bool,
}

/// A link to set a password.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetLink {
    /// The link, valid once. It is not stored.
    pub link: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Create a link to set a new password, to be passed on or emailed. Earlier links expire.
#[utoipa::path(post, path = "/api/users/{id}/reset-link", tag = "users", params(("id" = String, Path)),
    request_body = ResetLinkBody, responses((status = 200, body = ResetLink)))]
pub(crate) async fn make_reset_link(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<ResetLinkBody>,
) -> ApiResult<Json<ResetLink>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let (state, id) = (&state, &id);
    let made = state
        .db
        .write(&who.actor(), async |tx| {
            let user = managed_active(tx, who, id).await?;
            let uid = users::ensure_account(tx, state, &user).await?;
            let link = links::make(tx, state, &uid, LinkKind::Reset, Some(&who.uid)).await?;
            if body.mail {
                let email = Email::Reset { link: link.address.clone(), valid_until: Some(link.expires_at) };
                mail::queue(tx, state, &write::recipient(&user), &email).await?;
            }
            note(tx, &caller, &user, "resetAsked", json!({ "by": who.email, "mailed": body.mail })).await?;
            Ok::<_, ApiError>(link)
        })
        .await;
    let link = caller.noted(state, "user", id, made).await?;
    state.jobs.wake();
    Ok(Json(ResetLink { link: link.address, expires_at: link.expires_at }))
}

/// Number of sessions ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedOut {
    pub ended: u64,
}

/// End all sessions of a user.
#[utoipa::path(post, path = "/api/users/{id}/sign-out", tag = "users", params(("id" = String, Path)),
    responses((status = 200, body = SignedOut)))]
pub(crate) async fn sign_user_out(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Json<SignedOut>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let id = &id;
    let ended = state
        .db
        .write(&who.actor(), async |tx| {
            let user = managed(tx, who, id).await?;
            let Some(uid) = &user.uid else { return Ok(0) };
            let ended = sessions::end_all(tx, uid, None).await?;
            note(tx, &caller, &user, "signedOut", json!({ "by": who.email, "ended": ended })).await?;
            Ok::<_, ApiError>(ended)
        })
        .await;
    let ended = caller.noted(&state, "user", id, ended).await?;
    state.sessions.clear();
    Ok(Json(SignedOut { ended }))
}

/// End one session of a user.
#[utoipa::path(delete, path = "/api/users/{id}/sessions/{sessionId}", tag = "users",
    params(("id" = String, Path), ("sessionId" = String, Path)), responses((status = 204)))]
pub(crate) async fn end_user_session(
    State(state): State<AppState>,
    caller: Caller,
    Path((id, session_id)): Path<(String, String)>,
) -> ApiResult<StatusCode> {
    let who = &caller.who;
    known_id(&id, "record")?;
    known_id(&session_id, "record")?;
    let (id, session_id) = (&id, &session_id);
    let ended = state
        .db
        .write(&who.actor(), async |tx| {
            let user = managed(tx, who, id).await?;
            let uid = user.uid.as_deref().unwrap_or_default();
            if !sessions::end_one(tx, uid, session_id).await? {
                return Err(ApiError::not_found("session"));
            }
            note(tx, &caller, &user, "sessionEnded", json!({ "by": who.email, "sessionId": session_id }))
                .await
        })
        .await;
    caller.noted(&state, "user", id, ended).await?;
    state.sessions.clear();
    Ok(StatusCode::NO_CONTENT)
}

/// Remove a user's second factor, for example if the device is lost.
#[utoipa::path(delete, path = "/api/users/{id}/totp", tag = "users", params(("id" = String, Path)),
    responses((status = 204)))]
pub(crate) async fn remove_user_totp(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let id = &id;
    let removed = state
        .db
        .write(&who.actor(), async |tx| {
            let user = managed(tx, who, id).await?;
            let uid = user.uid.as_deref().unwrap_or_default();
            if !totp::remove(tx, uid).await? {
                return Err(ApiError::not_found("second factor"));
            }
            tx.announce("user", id, None);
            note(tx, &caller, &user, "totpOff", json!({ "by": who.email })).await
        })
        .await;
    caller.noted(&state, "user", id, removed).await?;
    state.sessions.clear();
    Ok(StatusCode::NO_CONTENT)
}

/// Records an administrator's change to a user's credentials.
async fn note(
    tx: &mut Tx<'_>,
    caller: &Caller,
    user: &UserRow,
    event: &str,
    detail: serde_json::Value,
) -> ApiResult<()> {
    let event =
        security::Event { event, uid: user.uid.as_deref(), email: &user.email, name: &user.name, detail };
    Ok(security::note(tx, &caller.origin, event).await?)
}
