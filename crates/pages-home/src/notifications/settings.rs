//! Which types a user is notified of, and whether by email.

use axum::extract::State;
use larder_db::Json as Kept;
use larder_domain::BusinessDay;

use super::digest::hour;
use super::list::kinds;
use super::model::{NotificationKind, NotificationSettings, NotificationSettingsChange};
use super::queries;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};
use larder_platform::mail;

/// The caller's notification settings.
#[utoipa::path(get, path = "/api/notifications/settings", tag = "notifications",
    responses((status = 200, body = NotificationSettings)))]
pub(crate) async fn get_notification_settings(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<NotificationSettings>> {
    let kept = queries::settings(&state.db, &who.uid).await?;
    Ok(Json(shown(&state, &who, &kept)))
}

fn shown(state: &AppState, who: &Who, kept: &queries::Kept) -> NotificationSettings {
    let kinds = kinds(&[]).into_iter().filter(|kind| kind.open_to(who)).map(|kind| NotificationKind {
        name: kind.name,
        title: kind.title,
        on: !kept.muted.0.iter().any(|name| name == kind.name),
    });
    NotificationSettings {
        kinds: kinds.collect(),
        digest: kept.digest,
        digest_hour: kept.digest_hour,
        email: who.email.clone(),
        mail_stays_here: mail::goes_to_outbox(&state.config),
    }
}

/// Change the types to be notified of, and the daily digest.
#[utoipa::path(patch, path = "/api/notifications/settings", tag = "notifications",
    request_body = NotificationSettingsChange, responses((status = 200, body = NotificationSettings)))]
pub(crate) async fn set_notification_settings(
    State(state): State<AppState>,
    who: Who,
    Json(change): Json<NotificationSettingsChange>,
) -> ApiResult<Json<NotificationSettings>> {
    let mut wrong = Vec::new();
    if change.digest_hour.is_some_and(|hour| !(0..24).contains(&hour)) {
        wrong.push(FieldError::new("digestHour", "Choose an hour from 0 to 23."));
    }
    for name in change.muted.iter().flatten() {
        if !kinds(&[]).iter().any(|kind| kind.name == name) {
            let words = format!("There is no kind «{}».", name.escape_debug());
            wrong.push(FieldError::new("muted", words));
        }
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let (change, today) = (&change, BusinessDay::of(who.at));
    let kept = state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<queries::Kept> {
            let mut kept = queries::settings_in(tx, &who.uid).await?;
            if let Some(muted) = &change.muted {
                kept.muted = Kept(muted.clone());
            }
            kept.digest = change.digest.unwrap_or(kept.digest);
            kept.digest_hour = change.digest_hour.unwrap_or(kept.digest_hour);
            // An hour that has passed today applies from tomorrow.
            let set = change.digest.is_some() || change.digest_hour.is_some();
            if set && kept.digest_hour <= hour(who.at) {
                kept.last_digest = kept.last_digest.max(Some(today));
            }
            queries::keep(tx, &who.uid, &kept).await?;
            Ok(kept)
        })
        .await?;
    Ok(Json(shown(&state, &who, &kept)))
}
