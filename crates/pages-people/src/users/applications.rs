//! Access requests: listed, approved, rejected.

use axum::extract::State;
use larder_db::Tx;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::model::editor;
use super::question::Paging;
use super::refusals::Caller;
use super::write;
use larder_lists::engine::Editor;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::{known_id, like};
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::mail;
use larder_platform::mail::{Email, Recipient};
use larder_platform::people::applications;
use larder_platform::people::applications::{ApplicationRow, Decision, Filter};
use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use larder_platform::people::users;
use larder_platform::people::users::{Fields, UserRow};
use larder_platform::people::visible_people::VisiblePeople;

/// An access request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    pub id: String,
    pub name: String,
    pub email: String,
    pub mobile: String,
    /// Position.
    pub position: String,
    /// Store, as entered.
    pub store: String,
    /// Reason for the request.
    pub reason: String,
    /// `pending`, `approved` or `rejected`.
    pub state: String,
    /// Reason for the rejection.
    pub note: String,
    /// Id of the user created from it.
    pub user_id: Option<String>,
    /// When it was approved or rejected.
    pub decided_at: Option<Timestamp>,
    pub decided_by: Option<Editor>,
    /// Network address it was sent from.
    pub origin: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    pub revision: i64,
}

impl Application {
    fn of(row: ApplicationRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            mobile: row.mobile,
            position: row.position,
            store: row.store,
            reason: row.reason,
            state: row.state,
            note: row.note,
            user_id: row.user_id,
            decided_at: row.decided_at,
            decided_by: row.decided_by.map(|by| editor(by.0)),
            origin: row.origin,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: editor(row.updated_by.0),
            revision: row.revision,
        }
    }
}

/// A page of access requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applications {
    pub items: Vec<Application>,
    /// Number of items on all pages.
    pub total: i64,
}

/// Query parameters of access requests.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ApplicationQuery {
    /// `pending`, `approved` or `rejected`.
    pub state: Option<String>,
    /// Part of name, email address, position or store.
    pub q: Option<String>,
    /// `createdAt`, or `-createdAt` (default) for newest first.
    pub sort: Option<String>,
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    pub page: Option<String>,
    /// Page size: 1 to 1,000 (default 50), or `all`.
    pub page_size: Option<String>,
}

/// Access requests: all pending or rejected ones, and approved ones of users the caller may see.
#[utoipa::path(get, path = "/api/applications", tag = "applications", params(ApplicationQuery),
    responses((status = 200, body = Applications)))]
pub(crate) async fn list_applications(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ApplicationQuery>,
) -> ApiResult<Json<Applications>> {
    let (limit, offset) = Paging { page: query.page, page_size: query.page_size }.limits()?;
    let oldest_first = match query.sort.as_deref() {
        None | Some("" | "-createdAt") => false,
        Some("createdAt") => true,
        Some(_) => return Err(ApiError::field("sort", "Sort by createdAt or -createdAt.")),
    };
    let state_wished = query.state.filter(|state| !state.is_empty());
    let filter = Filter { state: state_wished, like: like(query.q.as_deref())?, oldest_first, limit, offset };
    let (rows, total) =
        applications::list(&state.db, &VisiblePeople::of(&state.db, &who).await?, &filter).await?;
    Ok(Json(Applications { items: rows.into_iter().map(Application::of).collect(), total }))
}

/// An approval.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The role to assign.
    #[serde(default)]
    pub role_id: Option<String>,
    /// The accessible stores; null for all.
    #[serde(default)]
    pub store_ids: Option<Vec<String>>,
    /// The revision it is based on.
    pub revision: i64,
}

/// Approve an access request: creates or links the user and emails a link to set a password.
#[utoipa::path(post, path = "/api/applications/{id}/approve", tag = "applications", params(("id" = String, Path)),
    request_body = Approval, responses((status = 200, body = Application)))]
pub(crate) async fn approve_application(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Approval>,
) -> ApiResult<Json<Application>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let (state, id, body) = (&state, &id, &body);
    let written = async |tx: &mut Tx<'_>| approve(tx, state, who, id, body).await;
    let decided = state.db.write(&who.actor(), written).await;
    let decided = caller.noted(state, "application", id, decided).await?;
    state.sessions.clear();
    state.jobs.wake();
    Ok(Json(Application::of(decided)))
}

async fn approve(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    id: &str,
    body: &Approval,
) -> ApiResult<ApplicationRow> {
    let before = open(tx, id, body.revision).await?;
    let Some(role_id) = body.role_id.clone().filter(|role| !role.is_empty()) else {
        return Err(ApiError::field("roleId", "Choose a role."));
    };
    let user = let_in(tx, state, who, &before, role_id, body.store_ids.clone()).await?;
    let uid = users::ensure_account(tx, state, &user).await?;
    let made = links::make(tx, state, &uid, LinkKind::Invitation, None).await?;
    let email = Email::Approved { link: made.address, valid_until: Some(made.expires_at) };
    mail::queue(tx, state, &write::recipient(&user), &email).await?;
    decide(tx, &before, Decision::Approved { user_id: &user.id }, body.revision).await
}

/// The applicant's user: the existing one with this email address and the new role, or a new one.
async fn let_in(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    application: &ApplicationRow,
    role_id: String,
    store_ids: Option<Vec<String>>,
) -> ApiResult<UserRow> {
    match users::of_address(tx, &application.email).await? {
        Some(known) if !known.is_active() => {
            let words = format!("{} has a user that is disabled; enable it first.", known.email);
            Err(ApiError::conflict("disabled", words))
        }
        Some(known) => {
            let grant = |fields| Ok(Fields { role_id: Some(role_id), store_ids, ..fields });
            write::update(tx, state, who, &known.id, known.revision, grant).await
        }
        None => {
            let new = Fields::new(&application.email, &application.name);
            write::add(tx, state, who, &Fields { role_id: Some(role_id), store_ids, ..new }).await
        }
    }
}

/// A rejection.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Rejection {
    /// Reason sent to the applicant; may be empty.
    #[serde(default)]
    pub note: String,
    /// The revision it is based on.
    pub revision: i64,
}

/// Reject an access request and email the reason.
#[utoipa::path(post, path = "/api/applications/{id}/reject", tag = "applications", params(("id" = String, Path)),
    request_body = Rejection, responses((status = 200, body = Application)))]
pub(crate) async fn reject_application(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Rejection>,
) -> ApiResult<Json<Application>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let note = body.note.trim();
    if note.chars().count() > 1_000 || has_unseen_in_lines(note) {
        return Err(ApiError::field("note", "Use at most 1000 visible characters."));
    }
    let (state, id) = (&state, &id);
    let decided = state
        .db
        .write(&who.actor(), async |tx| {
            let before = open(tx, id, body.revision).await?;
            let to = Recipient { name: before.name.clone(), email: before.email.clone() };
            mail::queue(tx, state, &to, &Email::Rejected { reason: note.to_owned() }).await?;
            decide(tx, &before, Decision::Rejected { note }, body.revision).await
        })
        .await;
    let decided = caller.noted(state, "application", id, decided).await?;
    state.jobs.wake();
    Ok(Json(Application::of(decided)))
}

/// A pending access request at the expected revision.
async fn open(tx: &mut Tx<'_>, id: &str, revision: i64) -> ApiResult<ApplicationRow> {
    let found = applications::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("application"))?;
    if found.revision != revision || found.state != "pending" {
        return Err(stale(found));
    }
    Ok(found)
}

async fn decide(
    tx: &mut Tx<'_>,
    before: &ApplicationRow,
    decision: Decision<'_>,
    revision: i64,
) -> ApiResult<ApplicationRow> {
    match applications::decide(tx, before, decision, revision).await? {
        Some(decided) => Ok(decided),
        // Another node decided it between the two statements.
        None => {
            let found = applications::get_in(tx, &before.id).await?;
            Err(stale(found.ok_or_else(|| ApiError::not_found("application"))?))
        }
    }
}

fn stale(current: ApplicationRow) -> ApiError {
    let application = Application::of(current);
    let by = application.decided_by.as_ref().unwrap_or(&application.updated_by).name.clone();
    ApiError::stale(if by.is_empty() { "the applicant" } else { &by }, json!(application))
}
