//! The user's sessions.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use larder_db::DbError;
use serde_json::json;

use super::model::{MySession, MySessions, SessionsEnded};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::session::Who;
use larder_platform::http::{ApiError, Json, Origin};
use larder_platform::people::security;
use larder_platform::people::sessions;
use larder_platform::people::sessions::SessionRow;

/// List your sessions.
#[utoipa::path(get, path = "/api/me/sessions", tag = "identity", responses((status = 200, body = MySessions)))]
pub(crate) async fn list_my_sessions(
    State(state): State<AppState>,
    who: Who,
) -> Result<Json<MySessions>, ApiError> {
    let rows = sessions::list_of(&state.db, &who.uid, who.at).await?;
    let items: Vec<_> = rows.into_iter().map(|row| shown(row, &who.session_id)).collect();
    Ok(Json(MySessions { total: items.len(), items }))
}

fn shown(row: SessionRow, current: &str) -> MySession {
    MySession {
        current: row.id == current,
        id: row.id,
        kind: row.kind,
        provider: row.provider,
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
        expires_at: row.expires_at,
        user_agent: row.user_agent,
        origin: row.origin,
    }
}

/// End one of your sessions.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "identity",
    params(("id" = String, Path, description = "The session.")), responses((status = 204)))]
pub(crate) async fn end_my_session(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<StatusCode, ApiError> {
    let (origin, who) = (&Origin::of(&state, &parts), &who);
    let ended = state
        .db
        .write(&who.actor(), async |tx| {
            let ended = sessions::end_one(tx, &who.uid, &id).await?;
            if ended {
                security::note(tx, origin, who.event("sessionEnded", json!({ "sessionId": id }))).await?;
            }
            Ok::<_, DbError>(ended)
        })
        .await?;
    state.sessions.clear();
    if ended { Ok(StatusCode::NO_CONTENT) } else { Err(ApiError::not_found("session")) }
}

/// End all your sessions but this one.
#[utoipa::path(post, path = "/api/me/sessions/end-others", tag = "identity", responses((status = 200, body = SessionsEnded)))]
pub(crate) async fn end_my_other_sessions(
    State(state): State<AppState>,
    who: Who,
    parts: Parts,
) -> Result<Json<SessionsEnded>, ApiError> {
    let (origin, who) = (&Origin::of(&state, &parts), &who);
    let ended = state
        .db
        .write(&who.actor(), async |tx| {
            let ended = sessions::end_all(tx, &who.uid, Some(&who.session_id)).await?;
            security::note(tx, origin, who.event("sessionEnded", json!({ "others": ended }))).await?;
            Ok::<_, DbError>(ended)
        })
        .await?;
    state.sessions.clear();
    Ok(Json(SessionsEnded { ended }))
}
