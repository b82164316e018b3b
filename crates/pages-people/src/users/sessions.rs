//! Sessions of users.

use axum::extract::State;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::people::seen;
use super::question::Paging;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};
use larder_platform::people::sessions;
use larder_platform::people::sessions::SessionRow;
use larder_platform::people::visible_people::VisiblePeople;

/// A user's session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserSession {
    pub id: String,
    /// Account id.
    pub uid: String,
    pub user_name: String,
    pub user_email: String,
    /// `office`, `tablet` or `client`.
    pub kind: String,
    /// Sign-in method: `password`, `google.com`.
    pub provider: String,
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// Expires at the latest.
    pub expires_at: Timestamp,
    /// The browser's user agent.
    pub user_agent: String,
    /// Network address it was opened from.
    pub origin: String,
    /// Whether it is the current session.
    pub current: bool,
}

impl UserSession {
    fn of(row: SessionRow, who: &Who) -> Self {
        Self {
            current: row.id == who.session_id,
            id: row.id,
            uid: row.uid,
            user_name: row.user_name,
            user_email: row.user_email,
            kind: row.kind,
            provider: row.provider,
            created_at: row.created_at,
            last_seen_at: row.last_seen_at,
            expires_at: row.expires_at,
            user_agent: row.user_agent,
            origin: row.origin,
        }
    }
}

/// A page of sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserSessions {
    pub items: Vec<UserSession>,
    /// Number of items on all pages.
    pub total: i64,
}

/// The sessions of a user.
#[utoipa::path(get, path = "/api/users/{id}/sessions", tag = "users", params(("id" = String, Path)),
    responses((status = 200, body = UserSessions)))]
pub(crate) async fn list_user_sessions(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<UserSessions>> {
    let user = seen(&state, &who, &id).await?;
    let rows = match &user.uid {
        Some(uid) => sessions::list_of(&state.db, uid, who.at).await?,
        None => Vec::new(),
    };
    let items: Vec<UserSession> = rows.into_iter().map(|row| UserSession::of(row, &who)).collect();
    let total = i64::try_from(items.len()).unwrap_or(i64::MAX);
    Ok(Json(UserSessions { items, total }))
}

/// Query parameters of sessions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct SessionQuery {
    /// Part of name, email address, browser or origin.
    pub q: Option<String>,
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Page size: 1 to 1,000 (default 50), or `all`.
    pub page_size: Option<String>,
}

/// The sessions of users the caller may see.
#[utoipa::path(get, path = "/api/sessions", tag = "users", params(SessionQuery),
    responses((status = 200, body = UserSessions)))]
pub(crate) async fn list_sessions(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SessionQuery>,
) -> ApiResult<Json<UserSessions>> {
    larder_platform::http::question::like(query.q.as_deref())?;
    let (limit, offset) = Paging { page: query.page, page_size: query.page_size }.limits()?;
    let visible = VisiblePeople::of(&state.db, &who).await?;
    let (rows, total) =
        sessions::list_all(&state.db, &visible, query.q.as_deref(), who.at, (limit, offset)).await?;
    Ok(Json(UserSessions { items: rows.into_iter().map(|row| UserSession::of(row, &who)).collect(), total }))
}
