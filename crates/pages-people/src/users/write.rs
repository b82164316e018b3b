//! Rules for writing users: permissions, invariants, and side effects.

use larder_db::{DbError, Tx, Violation, ViolationKind};
use larder_domain::access::{Holder, keeps_a_super_admin};
use larder_domain::{Permissions, StoreScope};
use serde_json::json;

use super::job;
use super::model::{FirstPassword, User, scope_of};
use super::{grants, queries};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::mail;
use larder_platform::mail::{Email, Recipient};
use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use larder_platform::people::users;
use larder_platform::people::users::{DISABLED, Fields, UserRow};
use larder_platform::people::{accounts, roles};

/// Creates a user with an account, and starts the password setup.
pub async fn create(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    fields: &Fields,
    first: FirstPassword,
) -> ApiResult<UserRow> {
    let user = add(tx, state, who, fields).await?;
    if let (Some(uid), true) = (&user.uid, user.is_active()) {
        begin(tx, state, who, &user, uid, first).await?;
    }
    Ok(user)
}

/// Creates a user with an account that has no password yet.
pub async fn add(tx: &mut Tx<'_>, state: &AppState, who: &Who, fields: &Fields) -> ApiResult<UserRow> {
    let after = holder(tx, fields).await?;
    grants::change_user(who, None, &after, &fields.name)?;
    needs_stores(&after)?;
    refuse_unknown_stores(tx, fields).await?;
    let uid = users::account_for(tx, state, &fields.email, &fields.name).await?;
    let user = users::insert(tx, &state.new_id(), Some(&uid), fields).await;
    let user = user.map_err(|error| explain(error, fields))?;
    if !user.is_active() {
        accounts::set_disabled(tx, &uid, true).await?;
    }
    Ok(user)
}

async fn begin(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    user: &UserRow,
    uid: &str,
    first: FirstPassword,
) -> ApiResult<()> {
    match first {
        FirstPassword::Temporary => {
            job::enqueue(tx, state, user).await?;
        }
        FirstPassword::Invite => {
            let made = links::make(tx, state, uid, LinkKind::Invitation, None).await?;
            let (link, valid_until) = (made.address, Some(made.expires_at));
            let email = Email::Invitation { link, valid_until, by: who.name.clone() };
            mail::queue(tx, state, &recipient(user), &email).await?;
        }
    }
    Ok(())
}

/// The recipient of emails to a user.
pub fn recipient(user: &UserRow) -> Recipient {
    Recipient { name: user.name.clone(), email: user.email.clone() }
}

/// Changes a user: `change` computes the new fields. After the commit, call `state.sessions.clear()`.
pub async fn update(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    id: &str,
    revision: impl Into<Option<i64>>,
    change: impl FnOnce(Fields) -> ApiResult<Fields>,
) -> ApiResult<UserRow> {
    let before = users::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("user"))?;
    grants::may_manage(who, &before)?;
    let revision = revision.into().unwrap_or(before.revision);
    if before.revision != revision {
        return Err(stale(state, who, before));
    }
    let fields = change(Fields::of(&before))?;
    if fields == Fields::of(&before) {
        return Ok(before);
    }
    let after = holder(tx, &fields).await?;
    grants::change_user(who, Some(&before), &after, &before.name)?;
    // Users saved before this was asked can still be renamed or disabled.
    if after != before.holder() {
        needs_stores(&after)?;
    }
    if fields.store_ids != Fields::of(&before).store_ids {
        refuse_unknown_stores(tx, &fields).await?;
    }
    keep_a_super_admin(tx, &before, &fields).await?;
    let written = users::update(tx, &before, &fields, revision).await;
    let Some(user) = written.map_err(|error| explain(error, &fields))? else {
        // Another node changed the user between the two statements.
        let current = users::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("user"))?;
        return Err(stale(state, who, current));
    };
    if let (Some(uid), true) = (&user.uid, user.status != before.status) {
        accounts::set_disabled(tx, uid, user.status == DISABLED).await?;
    }
    Ok(user)
}

/// The error for a conflicting change; `current` is the user now.
fn stale(state: &AppState, who: &Who, current: UserRow) -> ApiError {
    let user = User::of(current, who.at.max(state.now()));
    let name = if user.updated_by.name.is_empty() { "someone" } else { &user.updated_by.name };
    ApiError::stale(name, json!(user))
}

/// The permissions and stores of a user with these fields.
async fn holder(tx: &mut Tx<'_>, fields: &Fields) -> ApiResult<Holder> {
    let permissions = match &fields.role_id {
        None => None,
        Some(id) => {
            let role = roles::get_in(tx, id).await?;
            let role = role.ok_or_else(|| {
                ApiError::field("roleId", "This role does not exist; choose one from the list.")
            })?;
            Some(role.permissions.0)
        }
    };
    let scope = scope_of(fields.super_admin, fields.store_ids.as_ref());
    Ok(Holder { super_admin: fields.super_admin, permissions, scope })
}

/// Refuses a role of a store without a list of stores: every store would be within reach, or none.
fn needs_stores(after: &Holder) -> ApiResult<()> {
    let of_store = after.permissions.as_ref().is_some_and(Permissions::of_store);
    let chosen = match &after.scope {
        StoreScope::All => after.super_admin,
        StoreScope::Only(ids) => !ids.is_empty(),
    };
    if of_store && !chosen { Err(ApiError::field("storeIds", "Choose the stores.")) } else { Ok(()) }
}

async fn refuse_unknown_stores(tx: &mut Tx<'_>, fields: &Fields) -> ApiResult<()> {
    let Some(ids) = fields.store_ids.as_ref().filter(|ids| !ids.is_empty()) else { return Ok(()) };
    let known = queries::known_stores(tx, ids).await?;
    if known.len() == ids.len() {
        return Ok(());
    }
    Err(ApiError::field("storeIds", "One of these stores does not exist; choose from the list."))
}

async fn keep_a_super_admin(tx: &mut Tx<'_>, before: &UserRow, after: &Fields) -> ApiResult<()> {
    let was = before.super_admin && before.is_active();
    let is = after.super_admin && after.status == users::ACTIVE;
    if was && !is && !keeps_a_super_admin(was, is, users::other_super_admins(tx, &before.id).await?) {
        let words = format!("{} is the last active super admin.", before.name);
        return Err(ApiError::conflict("lastSuperAdmin", words));
    }
    Ok(())
}

/// Turns a constraint violation into a field error.
fn explain(error: DbError, fields: &Fields) -> ApiError {
    match &error {
        DbError::Violation(Violation { kind: ViolationKind::Unique, .. }) => {
            let words = format!("«{}» already has a user; choose another address.", fields.email);
            let mut refusal = ApiError::conflict("duplicate", words.clone());
            refusal.fields.push(larder_platform::http::FieldError::new("email", words));
            refusal
        }
        DbError::Violation(Violation { kind: ViolationKind::ForeignKey, .. }) => {
            ApiError::field("roleId", "This role does not exist; choose one from the list.")
        }
        _ => error.into(),
    }
}
