//! Nobody gives what they do not hold: the rules of `domain::access`, and their refusals in words.

use larder_domain::access::{self, Giver, Holder, Overreach, page_label};
use larder_domain::{Permission, Permissions, StoreScope};
use serde_json::json;

use crate::http::{ApiError, ApiResult, Who};
use crate::people::users::UserRow;

/// Whoever is about to give rights.
#[must_use]
pub fn giver(who: &Who) -> Giver {
    let permissions = if who.role_id.is_some() { who.permissions.clone() } else { Permissions::default() };
    Giver { super_admin: who.super_admin, permissions, scope: who.scope.clone() }
}

/// Refuses to touch somebody who holds more.
///
/// # Errors
/// 403 `grantRefused`.
pub fn may_manage(who: &Who, person: &UserRow) -> ApiResult<()> {
    access::may_manage(&giver(who), &person.holder()).map_err(|over| refusal(&over, &person.name))
}

/// Refuses to make somebody more than whoever makes them.
///
/// # Errors
/// 403 `grantRefused`.
pub fn change_user(who: &Who, before: Option<&UserRow>, after: &Holder, name: &str) -> ApiResult<()> {
    let before = before.map(UserRow::holder);
    access::change_user(&giver(who), before.as_ref(), after).map_err(|over| refusal(&over, name))
}

/// Refuses a role more than whoever writes it; `reach` are the stores of those who have it.
///
/// # Errors
/// 403 `grantRefused`.
pub fn change_role(
    who: &Who,
    before: &Permissions,
    after: &Permissions,
    reach: &[StoreScope],
) -> ApiResult<()> {
    access::change_role(&giver(who), before, after, reach).map_err(|over| refusal(&over, ""))
}

fn refusal(over: &Overreach, name: &str) -> ApiError {
    let refuse = |words: String| ApiError::new(axum::http::StatusCode::FORBIDDEN, "grantRefused", words);
    match over {
        Overreach::Rights(rights) => {
            let names: Vec<String> = rights.iter().take(3).map(called).collect();
            let more = rights.len().saturating_sub(names.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let words = format!("You can't give what you don't hold yourself: {}{more}.", names.join(", "));
            let rights: Vec<String> = rights.iter().map(Permission::to_string).collect();
            refuse(words).with("rights", json!(rights))
        }
        Overreach::Stores(ids) => {
            refuse("You can't give stores out of your own reach.".to_owned()).with("stores", json!(ids))
        }
        Overreach::AllStores => {
            refuse("You reach only some stores, so you can't give all of them. Choose stores.".to_owned())
                .with("stores", json!("all"))
        }
        Overreach::SuperAdmin => {
            refuse("Only a super admin makes a super admin.".to_owned()).with("rights", json!(["superAdmin"]))
        }
        Overreach::HoldsMore => refuse(format!("{name} holds more than you do, so you can't change them.")),
    }
}

/// «Users and roles: edit».
fn called(right: &Permission) -> String {
    format!("«{}: {}»", page_label(right.page).unwrap_or(right.page), right.action.as_str())
}
