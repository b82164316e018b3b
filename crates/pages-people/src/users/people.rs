//! Users: list, read, create, change.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_domain::Action;
use larder_domain::access::sees_person;
use serde_json::{Map, Value, json};

use super::model::{NewUserBody, User, UserPatch, Users};
use super::question::UserQuery;
use super::refusals::Caller;
use super::{draft, write};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::retry;
use larder_platform::http::retry::Key;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::people::users;
use larder_platform::people::users::UserRow;
use larder_platform::people::visible_people::VisiblePeople;

/// Users, filtered, sorted and paged.
#[utoipa::path(get, path = "/api/users", tag = "users", params(UserQuery), responses((status = 200, body = Users)))]
pub(crate) async fn list_users(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UserQuery>,
) -> ApiResult<Json<Users>> {
    let (rows, total) =
        users::list(&state.db, &VisiblePeople::of(&state.db, &who).await?, &query.filter()?).await?;
    Ok(Json(Users { items: rows.into_iter().map(|row| User::seen_by(&who, row)).collect(), total }))
}

/// A user; callers who may edit users see the temporary password during its display period.
#[utoipa::path(get, path = "/api/users/{id}", tag = "users", params(("id" = String, Path)),
    responses((status = 200, body = User)))]
pub(crate) async fn get_user(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<User>> {
    let row = seen(&state, &who, &id).await?;
    let mut user = User::seen_by(&who, row);
    // A password gives its owner's permissions, so only callers with at least these see it.
    if who.can(super::PAGE, Action::Edit) && user.locked_because.is_none() {
        user.temp_password = users::temp_password(&state.db, &state.cipher, &id, &who).await?;
    }
    Ok(Json(user))
}

/// A user the caller may see.
///
/// # Errors
/// 404, for an unknown user as well as one the caller may not see.
pub(super) async fn seen(state: &AppState, who: &Who, id: &str) -> ApiResult<UserRow> {
    let found = users::get(&state.db, known_id(id, "record")?).await?;
    let seen = found.filter(|row| row.id == who.user_id || sees_person(&who.scope, &row.holder()));
    seen.ok_or_else(|| ApiError::not_found("user"))
}

/// Create a user with a temporary password or an invitation. An `Idempotency-Key` makes retries safe.
#[utoipa::path(post, path = "/api/users", tag = "users", request_body = NewUserBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key creates the same user only once.")),
    responses((status = 201, body = User)))]
pub(crate) async fn create_user(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let who = &caller.who;
    let key = Key::of(&headers, "create user".to_owned(), &body)?;
    let made = async {
        let (fields, first) = draft::read_new(body)?;
        let (state, fields) = (&state, &fields);
        retry::once(&state.db, &who.actor(), key.as_ref(), async |tx| {
            let user = write::create(tx, state, who, fields, first).await?;
            Ok(json!(User::of(user, who.at)))
        })
        .await
    };
    let made = caller.noted(&state, "user", "", made.await).await?;
    state.jobs.wake();
    Ok((StatusCode::CREATED, Json(made)))
}

/// Change a user. Disabling ends their sessions at once.
#[utoipa::path(patch, path = "/api/users/{id}", tag = "users", params(("id" = String, Path)),
    request_body = UserPatch, responses((status = 200, body = User)))]
pub(crate) async fn update_user(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<Json<User>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let changed = async {
        let (revision, patch) = draft::read_patch(body)?;
        let (state, id, patch) = (&state, &id, &patch);
        let written = async |tx: &mut larder_db::Tx<'_>| {
            write::update(tx, state, who, id, revision, |fields| draft::change(fields, patch.clone())).await
        };
        state.db.write(&who.actor(), written).await
    };
    let changed = caller.noted(&state, "user", &id, changed.await).await?;
    state.sessions.clear();
    Ok(Json(User::of(changed, who.at)))
}
