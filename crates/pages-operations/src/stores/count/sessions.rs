//! State of a count session, its lease, finishing and reopening it.

use axum::extract::State;
use larder_domain::count::{Held, Key, Op, hold};

use super::model::{
    CountLease, CountQuery, CountSessionState, CountWindow, FinishedCount, LeaseCount, SessionOfDay,
    UnlockCount,
};
use super::{place, queries};
use larder_ledgers::counts as book;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum length of a reason, in characters.
pub const MAX_REASON: usize = 500;

/// State of a day's session: open, locked or finished, and who is counting.
#[utoipa::path(get, path = "/api/stores/count/state", tag = "counts", params(CountQuery),
    responses((status = 200, body = CountSessionState)))]
pub(crate) async fn get_count_state(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CountQuery>,
) -> ApiResult<Json<CountSessionState>> {
    let asked = SessionOfDay { store_id: query.store_id, date: query.date, session: query.session };
    state_of(&state, &who, &asked).await.map(Json)
}

async fn state_of(state: &AppState, who: &Who, asked: &SessionOfDay) -> ApiResult<CountSessionState> {
    let (store_id, date, name) = known(state, who, asked).await?;
    let settings = book::settings_of(&state.db, store_id).await?.settings;
    let session = book::session(&state.db, store_id, date, name).await?;
    let (now, window) = (state.now(), settings.window(date, name));
    let unlocked = session.unlocked_at.is_some();
    let key = Key { store_id: store_id.to_owned(), date, session: name, item_id: String::new() };
    let meets = Held { settings: &settings, unlocked, in_scope: true, counted_here: true };
    let closed = hold(&key, now, meets);
    let locked = settings.time_lock_enabled && !unlocked && now >= window.to;
    Ok(CountSessionState {
        locked,
        locked_since: locked.then_some(window.to),
        unlocked_by: session.unlocked_by.as_ref().map(|by| by.0.clone()),
        unlocked_at: session.unlocked_at,
        unlock_reason: session.unlock_reason.clone(),
        window: CountWindow { from: window.from, to: window.to },
        open: closed.is_none(),
        closed_because: closed.map(|hold| hold.words),
        lease: session.lease(now).map(CountLease::from),
        finished: session
            .finished_at
            .zip(session.finished_by.clone())
            .map(|(at, by)| FinishedCount { at, by: by.0 }),
        server_time: now,
    })
}

/// Start or continue counting a session: the lease lasts 15 minutes and is renewed by every save. While
/// another user holds it: 409 `leased` with their lease, unless taken over.
#[utoipa::path(post, path = "/api/stores/count/lease", tag = "counts", request_body = LeaseCount,
    responses((status = 200, body = CountLease)))]
pub(crate) async fn lease_count(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<LeaseCount>,
) -> ApiResult<Json<CountLease>> {
    let place = known(&state, &who, &body.place).await?;
    let device_id = body.device_id.as_deref().filter(|id| Op::is_device(id)).ok_or_else(|| {
        ApiError::field("deviceId", "Name the device by up to 64 letters, digits, - and _.")
    })?;
    let alone = book::settings_of(&state.db, place.0).await?.settings.user_lock_enabled;
    let take_over = body.take_over || !alone;
    let lease =
        state.db.write(&who.actor(), async |tx| book::lease(tx, place, device_id, take_over).await).await?;
    Ok(Json(lease.into()))
}

/// Mark a session as finished.
#[utoipa::path(post, path = "/api/stores/count/finish", tag = "counts", request_body = SessionOfDay,
    responses((status = 200, body = CountSessionState)))]
pub(crate) async fn finish_count(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<SessionOfDay>,
) -> ApiResult<Json<CountSessionState>> {
    let place = known(&state, &who, &body).await?;
    state.db.write(&who.actor(), async |tx| book::finish(tx, place).await).await?;
    state_of(&state, &who, &body).await.map(Json)
}

/// Reopen a locked session, with a reason.
#[utoipa::path(post, path = "/api/stores/count/unlock", tag = "counts", request_body = UnlockCount,
    responses((status = 200, body = CountSessionState)))]
pub(crate) async fn unlock_count(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<UnlockCount>,
) -> ApiResult<Json<CountSessionState>> {
    let place = known(&state, &who, &body.place).await?;
    let reason =
        reason(body.reason.as_deref())?.ok_or_else(|| ApiError::field("reason", "Enter a reason."))?;
    state.db.write(&who.actor(), async |tx| book::unlock(tx, place, reason).await).await?;
    state_of(&state, &who, &body.place).await.map(Json)
}

/// Validated reason.
pub fn reason(text: Option<&str>) -> ApiResult<Option<&str>> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    if text.is_some_and(|text| text.chars().count() > MAX_REASON || has_unseen_in_lines(text)) {
        let message = format!("Use at most {MAX_REASON} characters, all of them visible.");
        return Err(ApiError::field("reason", message));
    }
    Ok(text)
}

/// A session of an existing store.
pub(super) async fn known<'a>(
    state: &AppState,
    who: &Who,
    asked: &'a SessionOfDay,
) -> ApiResult<(&'a str, larder_domain::BusinessDay, larder_domain::count::Session)> {
    let SessionOfDay { store_id, date, session } = asked;
    let place = place(who, store_id.as_deref(), date.as_deref(), session.as_deref())?;
    match queries::stores(&state.db, &[place.0]).await? {
        0 => Err(ApiError::not_found("store")),
        _ => Ok(place),
    }
}
