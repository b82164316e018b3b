//! Activity: changes to users, and sign-in events.

use axum::extract::State;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::queries::{self, AuditFilter, AuditRow};
use super::question::Paging;
use larder_platform::AppState;
use larder_platform::audit::{Editor, FieldChange, field_changes};
use larder_platform::http::json::Query;
use larder_platform::http::question::{between, like};
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::people::security;
use larder_platform::people::security::SecurityRow;
use larder_platform::people::visible_people::VisiblePeople;

/// An activity.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    pub seq: i64,
    pub at: Timestamp,
    /// Who did it; for sign-in events, the user concerned.
    pub by: Editor,
    /// Origin: a network address, `job` or `cli`.
    pub origin: String,
    /// Sign-in events: type (`signedIn`, `signInFailed`, `grantRefused` …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Sign-in events: the browser's user agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Sign-in events: details.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub detail: Option<Value>,
    /// Changes: `user`, `role` or `application`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Changes: record id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// Changes: record name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_name: Option<String>,
    /// Changes: `created`, `updated` or `deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Changes: field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
}

/// A page of activities.
#[derive(Debug, Serialize, ToSchema)]
pub struct Activities {
    /// Newest first.
    pub items: Vec<Activity>,
    /// Number on all pages.
    pub total: i64,
}

/// Query parameters of activities.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// `people`: changes to users, roles and applications; `signIn`: sign-in events.
    #[param(required = true)]
    pub kind: Option<String>,
    /// By or about this account.
    pub uid: Option<String>,
    /// Part of a name or email address.
    pub q: Option<String>,
    /// First date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub from: Option<String>,
    /// Last date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub to: Option<String>,
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Page size: 1 to 1,000 (default 50), or `all`.
    pub page_size: Option<String>,
}

/// Changes to users or sign-in events, newest first.
#[utoipa::path(get, path = "/api/activity", tag = "users", params(ActivityQuery),
    responses((status = 200, body = Activities)))]
pub(crate) async fn list_activity(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ActivityQuery>,
) -> ApiResult<Json<Activities>> {
    let paging = Paging { page: query.page.clone(), page_size: query.page_size.clone() };
    let (limit, offset) = paging.limits()?;
    let (from, to) = between(query.from.as_deref(), query.to.as_deref())?;
    let (uid, like) = (query.uid.clone().filter(|uid| !uid.is_empty()), like(query.q.as_deref())?);
    let visible = &VisiblePeople::of(&state.db, &who).await?;
    match query.kind.as_deref() {
        Some("people") => {
            let filter = AuditFilter { uid, like, from, to, limit, offset };
            let (rows, total) = queries::history(&state.db, visible, &filter).await?;
            Ok(Json(Activities {
                items: rows.into_iter().map(|row| of_change(row, visible)).collect(),
                total,
            }))
        }
        Some("signIn") => {
            let filter = security::Filter { uid, q: query.q, from, to };
            let (rows, total) = security::list(&state.db, visible, &filter, (limit, offset)).await?;
            Ok(Json(Activities { items: rows.into_iter().map(of_event).collect(), total }))
        }
        _ => Err(ApiError::field("kind", "Choose people or signIn.")),
    }
}

/// The origin of a change is shown only for users the caller may manage, as with sessions.
fn of_change(row: AuditRow, visible: &VisiblePeople) -> Activity {
    let origin = if visible.has_account(&row.uid) { row.origin } else { String::new() };
    Activity {
        by: Editor { uid: row.uid, name: row.name, email: row.email },
        kind: Some(row.kind),
        record_id: Some(row.record_id),
        record_name: row.record_name,
        action: Some(row.action),
        changes: field_changes(&row.changes.0),
        ..bare(row.seq, row.at, origin)
    }
}

fn of_event(row: SecurityRow) -> Activity {
    Activity {
        by: Editor { uid: row.uid.unwrap_or_default(), name: row.name, email: row.email },
        event: Some(row.event),
        user_agent: Some(row.user_agent),
        detail: Some(row.detail.0),
        ..bare(row.seq, row.at, row.origin)
    }
}

fn bare(seq: i64, at: Timestamp, origin: String) -> Activity {
    Activity {
        seq,
        at,
        by: Editor { uid: String::new(), name: String::new(), email: String::new() },
        origin,
        event: None,
        user_agent: None,
        detail: None,
        kind: None,
        record_id: None,
        record_name: None,
        action: None,
        changes: Vec::new(),
    }
}
