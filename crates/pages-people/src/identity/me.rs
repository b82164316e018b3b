//! The signed-in user and their password.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use larder_domain::{Permissions, StoreScope};
use serde_json::json;

use super::model::{ChangePasswordRequest, Me, MeCompany, MeTotp, MeUser, PasswordResetSent};
use super::{proof, reset};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::session::Who;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::notices;
use larder_platform::people::notices::MAIL_OUTBOX;
use larder_platform::people::{accounts, password, security, sessions};

/// The signed-in user and their permissions.
#[utoipa::path(get, path = "/api/me", tag = "identity", responses((status = 200, body = Me)))]
pub(crate) async fn get_me(State(state): State<AppState>, who: Who) -> Result<Json<Me>, ApiError> {
    let providers = accounts::providers(&state.db, &who.uid).await?;
    let outbox = who.super_admin && state.config.smtp_url.is_none();
    let notices = if outbox { vec![MAIL_OUTBOX] } else { Vec::new() };
    let put_away = if outbox { notices::of(&state.db, &who.uid).await? } else { Vec::new() };
    Ok(Json(Me {
        permissions: permissions(&who),
        apps: apps(&who),
        company: MeCompany {
            name: state.config.company_name.clone(),
            app_label: state.config.app_label.clone(),
            email_domain: state.config.company_domain.clone(),
        },
        must_change_password: who.must_change_password,
        totp: MeTotp { on: who.totp_on, required: who.totp_required },
        providers,
        notices,
        put_away,
        session_sync: state.config.session_sync().ok().flatten().map(str::to_owned),
        server_time: who.at,
        session_kind: who.session_kind,
        user: MeUser {
            uid: who.uid,
            email: who.email,
            name: who.name,
            status: "Active",
            super_admin: who.super_admin,
            role_id: who.role_id,
            role_name: who.role_name,
            store_ids: match who.scope {
                StoreScope::All => None,
                StoreScope::Only(ids) => Some(ids.into_iter().collect()),
            },
        },
    }))
}

fn permissions(who: &Who) -> Permissions {
    if who.super_admin {
        Permissions::everything()
    } else if who.role_id.is_some() {
        who.permissions.clone()
    } else {
        Permissions::default()
    }
}

fn apps(who: &Who) -> Vec<&'static str> {
    let open = super::APPS.iter().filter(|(page, action)| who.can(page, *action));
    open.filter_map(|(page, _)| page.strip_prefix("apps/")).collect()
}

/// Dismiss a notice permanently.
#[utoipa::path(put, path = "/api/me/notices/{notice}", tag = "identity",
    params(("notice" = String, Path, description = "One of `notices` of `/api/me`.")), responses((status = 204)))]
pub(crate) async fn put_notice_away(
    State(state): State<AppState>,
    who: Who,
    Path(notice): Path<String>,
) -> Result<StatusCode, ApiError> {
    if notice != MAIL_OUTBOX {
        return Err(ApiError::not_found("notice"));
    }
    let who = &who;
    state.db.write(&who.actor(), async |tx| notices::put_away(tx, &who.uid, MAIL_OUTBOX).await).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send yourself a link to set a new password.
#[utoipa::path(post, path = "/api/me/password-reset", tag = "identity", responses((status = 202, body = PasswordResetSent)))]
pub(crate) async fn send_own_reset_link(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> Result<(StatusCode, Json<PasswordResetSent>), ApiError> {
    if !reset::ask(&state, &Origin::of(&state, &parts), &who.email, Some(&who.uid)).await? {
        return Err(proof::too_many());
    }
    Ok((StatusCode::ACCEPTED, Json(PasswordResetSent { email: who.email })))
}

/// Set your own new password. Ends your other sessions.
#[utoipa::path(put, path = "/api/me/password", tag = "identity", request_body = ChangePasswordRequest,
    responses((status = 204)))]
pub(crate) async fn change_password(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
    Json(body): Json<ChangePasswordRequest>,
) -> Result<StatusCode, ApiError> {
    if let Some(why) = password::weakness(&body.new_password, &[&who.email, &who.name]) {
        return Err(ApiError::field("newPassword", why));
    }
    let origin = &Origin::of(&state, &parts);
    let current = Some(body.current_password.as_str());
    proof::check(&state, &who, origin, current, None).await.map_err(at_current)?;
    if body.new_password == body.current_password {
        return Err(ApiError::field("newPassword", "Choose another password than the one so far."));
    }
    let hash = &password::hash(body.new_password, state.random_bytes()).await?;
    let who = &who;
    state
        .db
        .write(&who.actor(), async |tx| {
            accounts::set_password(tx, &who.uid, hash, false).await?;
            sessions::end_all(tx, &who.uid, Some(&who.session_id)).await?;
            security::note(tx, origin, who.event("passwordSet", json!({ "by": "owner" }))).await
        })
        .await?;
    state.sessions.clear();
    Ok(StatusCode::NO_CONTENT)
}

/// Moves the error to the form's field for the current password.
fn at_current(mut error: ApiError) -> ApiError {
    for field in &mut error.fields {
        field.field = "currentPassword".into();
    }
    error
}
