//! What people did to people, and what happened around signing in.

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
use larder_platform::people::reach::Reach;
use larder_platform::people::security;
use larder_platform::people::security::SecurityRow;

/// One thing that happened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    pub seq: i64,
    pub at: Timestamp,
    /// Who did it; around signing in, whom it is about.
    pub by: Editor,
    /// From where: an address, `job` or `cli`.
    pub origin: String,
    /// Around signing in: what happened (`signedIn`, `signInFailed`, `grantRefused` …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Around signing in: the browser, as it names itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Around signing in: what else was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub detail: Option<Value>,
    /// Of a change: `user`, `role` or `application`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Of a change: the record's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// Of a change: the record's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_name: Option<String>,
    /// Of a change: `created`, `updated` or `deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Of a change: field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
}

/// Some of what happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct Activities {
    /// A page of it, newest first.
    pub items: Vec<Activity>,
    /// How much there is without paging.
    pub total: i64,
}

/// What is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// `people`: changes of users, roles and applications; `signIn`: what happened around signing in.
    #[param(required = true)]
    pub kind: Option<String>,
    /// By or about this account.
    pub uid: Option<String>,
    /// With this in a name or address.
    pub q: Option<String>,
    /// First date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub from: Option<String>,
    /// Last date, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub to: Option<String>,
    /// The page, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Rows a page: 1 to 1,000 (50), or `all`.
    pub page_size: Option<String>,
}

/// What people did to people, or what happened around signing in; newest first.
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
    let reach = &Reach::of(&state.db, &who).await?;
    match query.kind.as_deref() {
        Some("people") => {
            let filter = AuditFilter { uid, like, from, to, limit, offset };
            let (rows, total) = queries::history(&state.db, reach, &filter).await?;
            Ok(Json(Activities { items: rows.into_iter().map(|row| of_change(row, reach)).collect(), total }))
        }
        Some("signIn") => {
            let filter = security::Filter { uid, q: query.q, from, to };
            let (rows, total) = security::list(&state.db, reach, &filter, (limit, offset)).await?;
            Ok(Json(Activities { items: rows.into_iter().map(of_event).collect(), total }))
        }
        _ => Err(ApiError::field("kind", "Choose people or signIn.")),
    }
}

/// The origin of a change is shown only for people within reach, as with sessions.
fn of_change(row: AuditRow, reach: &Reach) -> Activity {
    let origin = if reach.has_account(&row.uid) { row.origin } else { String::new() };
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
