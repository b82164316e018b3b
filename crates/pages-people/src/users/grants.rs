//! Users cannot grant what they do not have: the rules of `domain::access`, and their error messages.

use larder_domain::access::{self, Giver, Holder, Overreach, page_label};
use larder_domain::{Permission, Permissions};
use serde_json::json;

use larder_platform::http::{ApiError, ApiResult, Who};
use larder_platform::people::roles::RoleRow;
use larder_platform::people::users::UserRow;

/// The caller as grantor.
#[must_use]
pub fn giver(who: &Who) -> Giver {
    let permissions = if who.role_id.is_some() { who.permissions.clone() } else { Permissions::default() };
    Giver { super_admin: who.super_admin, permissions, scope: who.scope.clone() }
}

/// Refuses to edit a user whose permissions exceed the caller's.
///
/// # Errors
/// 403 `grantRefused`.
pub fn may_manage(who: &Who, person: &UserRow) -> ApiResult<()> {
    access::may_manage(&giver(who), &person.holder()).map_err(|over| refusal(&over, &person.name))
}

/// Refuses to give a user permissions the caller does not have.
///
/// # Errors
/// 403 `grantRefused`.
pub fn change_user(who: &Who, before: Option<&UserRow>, after: &Holder, name: &str) -> ApiResult<()> {
    let before = before.map(UserRow::holder);
    access::change_user(&giver(who), before.as_ref(), after).map_err(|over| refusal(&over, name))
}

/// Refuses to change a role with permissions or stores beyond the caller's; `people` are the users with the
/// role.
///
/// # Errors
/// 403 `grantRefused`.
pub fn may_change_role(who: &Who, role: &RoleRow, people: &[Holder]) -> ApiResult<()> {
    access::may_change_role(&giver(who), &role.permissions.0, people)
        .map_err(|over| refusal(&over, &role.name))
}

/// Refuses to extend a role beyond the caller's permissions; `people` are the users with the role.
///
/// # Errors
/// 403 `grantRefused`.
pub fn change_role(
    who: &Who,
    before: &Permissions,
    after: &Permissions,
    people: &[Holder],
    name: &str,
) -> ApiResult<()> {
    access::change_role(&giver(who), before, after, people).map_err(|over| refusal(&over, name))
}

/// The message why a caller who may edit users cannot edit this one.
pub fn locked_user(who: &Who, person: &UserRow) -> Option<String> {
    may_manage(who, person).err().map(|refusal| refusal.detail)
}

/// The message why a caller who may edit users cannot edit this role.
pub fn locked_role(who: &Who, role: &RoleRow, people: &[Holder]) -> Option<String> {
    may_change_role(who, role, people).err().map(|refusal| refusal.detail)
}

fn refusal(over: &Overreach, name: &str) -> ApiError {
    let refuse = |words: String| ApiError::new(axum::http::StatusCode::FORBIDDEN, "grantRefused", words);
    match over {
        Overreach::Rights(rights) => {
            let words = format!("You can't give rights you don't have yourself: {}.", listed(rights));
            refuse(words).with("rights", written(rights))
        }
        Overreach::RoleAllowsMore(rights) => {
            let words =
                format!("«{name}» has rights you don't have ({}), so you can't change it.", listed(rights));
            refuse(words).with("rights", written(rights))
        }
        Overreach::RoleReachesFurther => refuse(format!(
            "«{name}» is given to people with access to stores that you can't access, so you can't change it."
        )),
        Overreach::Stores(ids) => {
            refuse("You can't give stores you have no access to.".to_owned()).with("stores", json!(ids))
        }
        Overreach::AllStores => refuse(
            "You have access to some stores only, so you can't give all of them. Choose stores.".to_owned(),
        )
        .with("stores", json!("all")),
        Overreach::SuperAdmin => {
            refuse("Only a super admin makes a super admin.".to_owned()).with("rights", json!(["superAdmin"]))
        }
        Overreach::Unseen => refuse(
            "This person belongs to stores you have no access to, so you can't change them.".to_owned(),
        ),
        Overreach::HoldsMore => {
            refuse(format!("You cannot edit a user whose permissions or stores exceed yours: {name}."))
        }
    }
}

/// The first three by name, and the number of others.
fn listed(rights: &[Permission]) -> String {
    let names: Vec<String> = rights.iter().take(3).map(called).collect();
    let more = rights.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

fn written(rights: &[Permission]) -> serde_json::Value {
    json!(rights.iter().map(Permission::to_string).collect::<Vec<_>>())
}

/// «Users and roles: edit».
fn called(right: &Permission) -> String {
    format!("«{}: {}»", page_label(right.page).unwrap_or(right.page), right.action.as_str())
}
