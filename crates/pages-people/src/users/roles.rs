//! Roles and the permission catalogue.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_db::{DbError, Violation, ViolationKind};
use larder_domain::access::{CATALOGUE, Holder, category_label, meaningful, page_label};
use larder_domain::{Permissions, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::draft::read_revision;
use super::grants;
use super::model::{User, Users, editor};
use super::question::Paging;
use super::refusals::Caller;
use larder_lists::engine::Editor;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::retry;
use larder_platform::http::retry::Key;
use larder_platform::http::text::{has_unseen, has_unseen_in_lines};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};
use larder_platform::people::roles;
use larder_platform::people::roles::{Fields, RoleRow};
use larder_platform::people::users;
use larder_platform::people::visible_people::VisiblePeople;

/// A role.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub id: String,
    pub name: String,
    /// Description.
    pub description: String,
    /// Category → page → action → true.
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>>)]
    pub permissions: Permissions,
    /// Whether its users need a second factor.
    pub require_totp: bool,
    /// Whether its users work in stores, and are saved only with the stores chosen.
    pub needs_stores: bool,
    /// Number of users with it.
    pub users: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    pub revision: i64,
    /// Why the caller cannot edit this role despite the edit permission; omitted if they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_because: Option<String>,
}

impl Role {
    /// As visible to the caller; `people` are the users with it.
    fn seen_by(who: &Who, row: RoleRow, people: &[Holder]) -> Self {
        let locked_because = grants::locked_role(who, &row, people);
        Self { locked_because, ..Self::of(row) }
    }

    fn of(row: RoleRow) -> Self {
        Self {
            locked_because: None,
            id: row.id,
            name: row.name,
            description: row.description,
            needs_stores: row.permissions.0.of_store(),
            permissions: row.permissions.0,
            require_totp: row.require_totp,
            users: row.users,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: editor(row.updated_by.0),
            revision: row.revision,
        }
    }
}

/// All roles.
#[derive(Debug, Serialize, ToSchema)]
pub struct Roles {
    /// Sorted by name.
    pub items: Vec<Role>,
    /// Number of items on all pages.
    pub total: i64,
}

/// A new role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct NewRole {
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Category → page → action → true. Any action on a page includes viewing it.
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>>)]
    pub permissions: Value,
    /// Whether its users need a second factor.
    pub require_totp: Option<bool>,
}

/// A change to a role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct RolePatch {
    /// The revision it is based on; required for permissions.
    pub revision: Option<i64>,
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// The complete new map.
    #[schema(value_type = Option<std::collections::BTreeMap<String, std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>>>)]
    pub permissions: Option<Value>,
    /// Whether its users need a second factor.
    pub require_totp: Option<bool>,
}

/// All roles, with the number of users.
#[utoipa::path(get, path = "/api/roles", tag = "roles", responses((status = 200, body = Roles)))]
pub(crate) async fn list_roles(State(state): State<AppState>, who: Who) -> ApiResult<Json<Roles>> {
    let people = roles::holders_by_role(&state.db, None).await?;
    let seen = |row: RoleRow| {
        let people = people.get(&row.id).map(Vec::as_slice).unwrap_or_default();
        Role::seen_by(&who, row, people)
    };
    let items: Vec<Role> = roles::list(&state.db).await?.into_iter().map(seen).collect();
    let total = i64::try_from(items.len()).unwrap_or(i64::MAX);
    Ok(Json(Roles { items, total }))
}

/// One role.
#[utoipa::path(get, path = "/api/roles/{id}", tag = "roles", params(("id" = String, Path)),
    responses((status = 200, body = Role)))]
pub(crate) async fn get_role(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Role>> {
    let role =
        roles::get(&state.db, known_id(&id, "record")?).await?.ok_or_else(|| ApiError::not_found("role"))?;
    let mut people = roles::holders_by_role(&state.db, Some(&id)).await?;
    Ok(Json(Role::seen_by(&who, role, &people.remove(&id).unwrap_or_default())))
}

/// The users with a role.
#[utoipa::path(get, path = "/api/roles/{id}/users", tag = "roles", params(("id" = String, Path), Paging),
    responses((status = 200, body = Users)))]
pub(crate) async fn list_role_users(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> ApiResult<Json<Users>> {
    let (limit, offset) = paging.limits()?;
    roles::get(&state.db, known_id(&id, "record")?).await?.ok_or_else(|| ApiError::not_found("role"))?;
    let filter = users::Filter { role_id: Some(Some(id)), limit, offset, ..users::Filter::default() };
    let (rows, total) = users::list(&state.db, &VisiblePeople::of(&state.db, &who).await?, &filter).await?;
    Ok(Json(Users { items: rows.into_iter().map(|row| User::seen_by(&who, row)).collect(), total }))
}

/// Create a role with no more than your own permissions. An `Idempotency-Key` makes retries safe.
#[utoipa::path(post, path = "/api/roles", tag = "roles", request_body = NewRole,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key creates the same role only once.")),
    responses((status = 201, body = Role)))]
pub(crate) async fn create_role(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let who = &caller.who;
    let key = Key::of(&headers, "create role".to_owned(), &body)?;
    let made = async {
        let nothing = Permissions::default();
        let empty = Fields {
            name: String::new(),
            description: String::new(),
            permissions: nothing.clone(),
            require_totp: false,
        };
        let fields = read(empty, body, true)?;
        grants::change_role(who, &nothing, &fields.permissions, &[], &fields.name)?;
        let (id, fields) = (&state.new_id(), &fields);
        retry::once(&state.db, &who.actor(), key.as_ref(), async |tx| {
            let role = roles::insert(tx, id, fields).await.map_err(|error| explain(error, &fields.name))?;
            Ok(json!(Role::of(role)))
        })
        .await
    };
    let made = caller.noted(&state, "role", "", made.await).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Change a role, effective at once for its users. Needs all of its permissions before and after the change,
/// and access to every store of its users, whichever field changes.
#[utoipa::path(patch, path = "/api/roles/{id}", tag = "roles", params(("id" = String, Path)),
    request_body = RolePatch, responses((status = 200, body = Role)))]
pub(crate) async fn update_role(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<Json<Role>> {
    let who = &caller.who;
    known_id(&id, "record")?;
    let revision = read_revision(&mut body, &["permissions"]);
    let changed = async {
        let revision = revision?;
        let (id, body) = (&id, &body);
        let written = async |tx: &mut larder_db::Tx<'_>| update(tx, who, id, revision, body.clone()).await;
        state.db.write(&who.actor(), written).await
    };
    let changed = caller.noted(&state, "role", &id, changed.await).await?;
    state.sessions.clear();
    Ok(Json(Role::of(changed)))
}

async fn update(
    tx: &mut larder_db::Tx<'_>,
    who: &Who,
    id: &str,
    revision: Option<i64>,
    body: Map<String, Value>,
) -> ApiResult<RoleRow> {
    let before = roles::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("role"))?;
    let people = roles::holders(tx, id).await?;
    grants::may_change_role(who, &before, &people)?;
    let revision = revision.unwrap_or(before.revision);
    if before.revision != revision {
        return Err(stale(before));
    }
    let kept = Fields {
        name: before.name.clone(),
        description: before.description.clone(),
        permissions: before.permissions.0.clone(),
        require_totp: before.require_totp,
    };
    let fields = read(kept.clone(), body, false)?;
    if fields == kept {
        return Ok(before);
    }
    grants::change_role(who, &kept.permissions, &fields.permissions, &people, &before.name)?;
    let written = roles::update(tx, &before, &fields, revision).await;
    match written.map_err(|error| explain(error, &fields.name))? {
        Some(role) => Ok(role),
        // Another node changed it between the two statements.
        None => Err(stale(roles::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("role"))?)),
    }
}

fn stale(current: RoleRow) -> ApiError {
    let role = Role::of(current);
    let name = if role.updated_by.name.is_empty() { "someone" } else { &role.updated_by.name };
    ApiError::stale(name, json!(role))
}

/// The fields after a change; all errors are reported at once.
fn read(mut fields: Fields, body: Map<String, Value>, is_new: bool) -> ApiResult<Fields> {
    let mut findings = Vec::new();
    if is_new && !body.contains_key("name") {
        findings.push(FieldError::new("name", "Enter the name."));
    }
    for (name, value) in body {
        let text = value.as_str().map(str::trim);
        match name.as_str() {
            "name" => {
                match text.filter(|text| (1..=100).contains(&text.chars().count()) && !has_unseen(text)) {
                    Some(text) => text.clone_into(&mut fields.name),
                    None => {
                        findings.push(FieldError::new("name", "Enter a name of 1 to 100 visible characters."))
                    }
                }
            }
            "description" => match text
                .filter(|text| text.chars().count() <= 1_000 && !has_unseen_in_lines(text))
            {
                Some(text) => text.clone_into(&mut fields.description),
                None if value.is_null() => fields.description.clear(),
                None => findings.push(FieldError::new("description", "Use at most 1000 visible characters.")),
            },
            "permissions" => match Permissions::read(&value) {
                Ok(permissions) => fields.permissions = permissions,
                Err(wrong) => findings.extend(
                    wrong
                        .into_iter()
                        .map(|(path, words)| FieldError::new(format!("permissions.{path}"), words)),
                ),
            },
            "requireTotp" => match value.as_bool() {
                Some(yes) => fields.require_totp = yes,
                None => findings.push(FieldError::new("requireTotp", "Say true or false.")),
            },
            _ => {
                let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
                findings.push(FieldError::new(shown, "A role has no such field, or the server sets it."));
            }
        }
    }
    if findings.is_empty() { Ok(fields) } else { Err(ApiError::invalid(findings)) }
}

fn explain(error: DbError, name: &str) -> ApiError {
    if !matches!(&error, DbError::Violation(Violation { kind: ViolationKind::Unique, .. })) {
        return error.into();
    }
    let words = format!("«{name}» is already taken; enter another name.");
    let mut refusal = ApiError::conflict("duplicate", words.clone());
    refusal.fields.push(FieldError::new("name", words));
    refusal
}

/// The permission catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionCatalogue {
    pub categories: Vec<PermissionCategory>,
}

/// A category of pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionCategory {
    /// Key in permission maps.
    pub key: &'static str,
    pub label: &'static str,
    pub pages: Vec<PermissionPage>,
}

/// A page of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionPage {
    /// Key in permission maps.
    pub key: &'static str,
    pub label: &'static str,
    /// Actions that apply to the page.
    pub actions: Vec<&'static str>,
}

/// All categories, pages and actions that can be granted.
#[utoipa::path(get, path = "/api/permissions", tag = "roles", responses((status = 200, body = PermissionCatalogue)))]
pub(crate) async fn list_permissions() -> Json<PermissionCatalogue> {
    let page = |category: &str, key: &'static str| {
        let path = format!("{category}/{key}");
        let actions = meaningful(&path).iter().map(|action| action.as_str()).collect();
        PermissionPage { key, label: page_label(&path).unwrap_or(key), actions }
    };
    let category = |(key, pages): &(&'static str, &'static [&'static str])| PermissionCategory {
        key,
        label: category_label(key).unwrap_or(key),
        pages: pages.iter().map(|name| page(key, name)).collect(),
    };
    Json(PermissionCatalogue { categories: CATALOGUE.iter().map(category).collect() })
}
