//! Password reset: a link by email, and using it.

use axum::extract::State;
use axum::http::request::Parts;
use larder_db::{Actor, DbError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::envelope::{IdentityError, IdentityProblem, WireJson};
use super::model::{OobCodeRequest, OobCodeResponse, ResetPasswordRequest, ResetPasswordResponse};
use super::sign_in::address;
use larder_platform::AppState;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::jobs::{JobCtx, JobError, JobKinds, NewJob};
use larder_platform::mail;
use larder_platform::mail::{Email, Recipient};
use larder_platform::people::accounts;
use larder_platform::people::limits::LINKS;
use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use larder_platform::people::{devices, lockout, password, security, sessions, users};

/// Links per hour, for an account and for the requesting address.
const AN_HOUR: i64 = 5;

/// Send a link to set a new password.
///
/// The response and its timing are the same whether or not the account exists; the link is created in the
/// background. Also served under `/identitytoolkit.googleapis.com`.
#[utoipa::path(post, path = "/v1/accounts:sendOobCode", tag = "identity", request_body = OobCodeRequest,
    responses((status = 200, body = OobCodeResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn send_reset_link(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<OobCodeRequest>,
) -> Result<Json<OobCodeResponse>, IdentityError> {
    if body.request_type != "PASSWORD_RESET" {
        return Err(IdentityError::code("INVALID_REQ_TYPE"));
    }
    let email = address(body.email.as_deref())?;
    let account = accounts::find_account(&state.db, &users::email_key(&email)).await?;
    if state.config.specific_sign_in_errors && account.is_none() {
        return Err(IdentityError::code("EMAIL_NOT_FOUND"));
    }
    let browser = devices::hash(&parts.headers).unwrap_or_default();
    let uid = account.as_ref().map_or("", |account| account.uid.as_str());
    let known = lockout::is_known_device(&state.db, uid, &browser).await?;
    if !ask(&state, &Origin::of(&state, &parts), &email, known.then_some(browser.as_str())).await? {
        return Err(IdentityError::code("RESET_PASSWORD_EXCEED_LIMIT"));
    }
    Ok(Json(OobCodeResponse { kind: "identitytoolkit#GetOobConfirmationCodeResponse", email }))
}

/// Records the request and leaves the rest to a background job; `false` if the rate limit is exceeded.
/// Requests from `known`, a browser or session of the account's owner, have their own limit, so strangers
/// cannot use it up.
pub async fn ask(
    state: &AppState,
    origin: &Origin,
    email: &str,
    known: Option<&str>,
) -> Result<bool, DbError> {
    let key = users::email_key(email);
    let actor = Actor {
        uid: String::new(),
        name: String::new(),
        email: email.to_owned(),
        from: origin.address.clone(),
        at: state.now(),
    };
    let counted_for = match known {
        Some(known) => vec![format!("reset:{key}:{known}")],
        None => vec![format!("reset:{key}"), format!("reset-from:{}", origin.network())],
    };
    let counted_for: Vec<&str> = counted_for.iter().map(String::as_str).collect();
    let asked = state
        .db
        .write(&actor, async |tx| {
            if !lockout::hourly(tx, &counted_for, AN_HOUR).await? {
                return Ok::<_, DbError>(false);
            }
            let detail = json!({});
            let event = security::Event { event: "resetAsked", uid: None, email, name: "", detail };
            security::note(tx, origin, event).await?;
            let args = json!(Wanted { email_key: key.clone() });
            let job = NewJob { kind: JOB, unique_key: None, args };
            state.jobs.enqueue(tx, state.new_id(), job).await?;
            Ok(true)
        })
        .await?;
    state.jobs.wake();
    Ok(asked)
}

const JOB: &str = "account.resetLink";

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with(JOB, make_link)
}

#[derive(Serialize, Deserialize)]
struct Wanted {
    email_key: String,
}

/// Creates the link and queues its email, if the account exists and may sign in.
async fn make_link(ctx: JobCtx) -> Result<Value, JobError> {
    let (state, wanted) = (&ctx.state, ctx.args::<Wanted>()?);
    let account = accounts::find_account(&state.db, &wanted.email_key).await?;
    let Some(account) = account.filter(|a| !a.is_out()) else { return Ok(Value::Null) };
    let to = &Recipient { name: account.display_name.clone(), email: account.email.clone() };
    state
        .db
        .write(&ctx.actor(), async |tx| {
            let made = links::make(tx, state, &account.uid, LinkKind::Reset, None).await?;
            let email = Email::Reset { link: made.address, valid_until: Some(made.expires_at) };
            mail::queue(tx, state, to, &email).await
        })
        .await?;
    state.jobs.wake();
    Ok(Value::Null)
}

/// Check a password link, or set the password with it.
///
/// Setting it ends every session, marks the email address as verified, and invalidates the link. Also served
/// under `/identitytoolkit.googleapis.com`.
#[utoipa::path(post, path = "/v1/accounts:resetPassword", tag = "identity", request_body = ResetPasswordRequest,
    responses((status = 200, body = ResetPasswordResponse), (status = 400, body = IdentityProblem)))]
pub(crate) async fn reset_password(
    State(state): State<AppState>,
    parts: Parts,
    WireJson(body): WireJson<ResetPasswordRequest>,
) -> Result<Json<ResetPasswordResponse>, IdentityError> {
    let (origin, now) = (Origin::of(&state, &parts), state.now());
    if !state.limits.take(&format!("links {}", origin.network()), LINKS, now) {
        return Err(IdentityError::code("RESET_PASSWORD_EXCEED_LIMIT"));
    }
    let invalid = || IdentityError::code("INVALID_OOB_CODE");
    let code = body.oob_code.filter(|c| !c.is_empty()).ok_or_else(invalid)?;
    let link = links::find(&state.db, &code).await?.ok_or_else(invalid)?;
    if link.disabled {
        return Err(IdentityError::code("USER_DISABLED"));
    }
    if let Some(maker) = &link.made_by
        && !users::still_opens(&state.db, maker, &link.uid).await?
    {
        return Err(invalid());
    }
    if link.expires_at <= now {
        return Err(IdentityError::code("EXPIRED_OOB_CODE"));
    }
    if let Some(given) = body.new_password.filter(|p| !p.is_empty()) {
        if let Some(why) = password::weakness(&given, &[&link.email, &link.name]) {
            return Err(IdentityError::Code("WEAK_PASSWORD", why));
        }
        let hash = password::hash(given, state.random_bytes()).await?;
        if !set(&state, &origin, &link, &code, &hash).await? {
            return Err(invalid());
        }
    }
    let kind = "identitytoolkit#ResetPasswordResponse";
    Ok(Json(ResetPasswordResponse { kind, email: link.email, request_type: "PASSWORD_RESET" }))
}

async fn set(
    state: &AppState,
    origin: &Origin,
    link: &links::Link,
    code: &str,
    hash: &str,
) -> Result<bool, ApiError> {
    let (uid, email, name) = (link.uid.as_str(), link.email.as_str(), link.name.as_str());
    let actor = Actor {
        uid: uid.to_owned(),
        name: name.to_owned(),
        email: email.to_owned(),
        from: origin.address.clone(),
        at: state.now(),
    };
    let done = state
        .db
        .write(&actor, async |tx| {
            if !links::redeem(tx, code).await? {
                return Ok::<_, DbError>(false);
            }
            // The account's permissions may have grown while the password was hashed.
            if let Some(maker) = &link.made_by
                && !users::still_opens_in(tx, maker, uid).await?
            {
                return Ok(false);
            }
            accounts::set_password(tx, uid, hash, false).await?;
            accounts::set_verified(tx, uid).await?;
            sessions::end_all(tx, uid, None).await?;
            lockout::forgive(tx, &lockout::sign_in_key(&users::email_key(email), None)).await?;
            let detail = json!({ "by": "link" });
            security::note(
                tx,
                origin,
                security::Event { event: "passwordSet", uid: Some(uid), email, name, detail },
            )
            .await?;
            Ok(true)
        })
        .await?;
    state.sessions.clear();
    Ok(done)
}
