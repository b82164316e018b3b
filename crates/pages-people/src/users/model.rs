//! Wire shapes of users.

use larder_domain::{StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::grants;
use larder_lists::engine::Editor;
use larder_platform::http::Who;
use larder_platform::people::users::{Extra, SHOWN_MS, UserRow};

/// A person who may sign in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's id.
    pub id: String,
    /// The account's id, once there is one.
    pub uid: Option<String>,
    /// Address they sign in with.
    pub email: String,
    pub name: String,
    /// Role, if one was given.
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// `Active` or `Disabled`.
    #[schema(example = "Active")]
    pub status: String,
    /// Whether their work is charged.
    pub billable: bool,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// The stores within reach; null is all of them.
    pub store_ids: Option<Vec<String>>,
    /// Whether a second factor is in force.
    pub totp: bool,
    /// How they can sign in: `password`, `google.com`.
    pub providers: Vec<&'static str>,
    /// When they last signed in.
    pub last_sign_in_at: Option<Timestamp>,
    /// Whether a temporary password waits for its first use.
    pub has_temp_password: bool,
    /// That password, for whoever had it made and for super admins, until its first use or for 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temp_password: Option<String>,
    /// Why the one who asks may not change them, though they may edit users; left out where they may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_because: Option<String>,
    /// When the user was made.
    pub created_at: Timestamp,
    /// When they were last changed.
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    /// How often they were written.
    pub revision: i64,
    /// Fields that nobody declared.
    #[serde(flatten)]
    #[schema(value_type = std::collections::BTreeMap<String, Value>)]
    pub extra: Extra,
}

impl User {
    /// As somebody sees them.
    #[must_use]
    pub fn seen_by(who: &Who, row: UserRow) -> Self {
        let locked_because = grants::locked_user(who, &row);
        Self { locked_because, ..Self::of(row, who.at) }
    }

    /// As lists show it.
    #[must_use]
    pub fn of(row: UserRow, now: Timestamp) -> Self {
        let mut providers = Vec::new();
        if row.has_password {
            providers.push("password");
        }
        if row.has_google {
            providers.push("google.com");
        }
        Self {
            has_temp_password: row.temp_password_at.is_some_and(|at| now.0 - at.0 < SHOWN_MS),
            updated_by: editor(row.updated_by.0),
            id: row.id,
            uid: row.uid,
            email: row.email,
            name: row.name,
            role_id: row.role_id,
            role_name: row.role_name,
            status: row.status,
            billable: row.billable,
            super_admin: row.super_admin,
            store_ids: row.store_ids.map(|ids| ids.0),
            totp: row.totp,
            providers,
            last_sign_in_at: row.last_sign_in_at,
            temp_password: None,
            locked_because: None,
            created_at: row.created_at,
            updated_at: row.updated_at,
            revision: row.revision,
            extra: row.extra.0,
        }
    }
}

/// Who last wrote a record.
#[must_use]
pub fn editor(value: Value) -> Editor {
    let nobody = || Editor { uid: String::new(), name: String::new(), email: String::new() };
    serde_json::from_value(value).unwrap_or_else(|_| nobody())
}

/// Some users.
#[derive(Debug, Serialize, ToSchema)]
pub struct Users {
    pub items: Vec<User>,
    /// How many there are without paging.
    pub total: i64,
}

/// What makes a user. Further fields are kept as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct NewUserBody {
    /// Address they sign in with.
    pub email: String,
    pub name: String,
    /// Role, if any.
    pub role_id: Option<String>,
    /// The stores within reach; null is all of them.
    pub store_ids: Option<Vec<String>>,
    /// Whether their work is charged.
    pub billable: Option<bool>,
    /// Whether everything is allowed; super admins give it.
    pub super_admin: Option<bool>,
    /// `temporary`: a password is made and shown; `invite`: a link is mailed.
    pub password: FirstPassword,
}

/// How somebody new comes to a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FirstPassword {
    /// One is made, and shown to administrators until its first use.
    Temporary,
    /// They choose it behind a link that is mailed to them.
    Invite,
}

/// What changes of a user. Further fields are kept; null takes them away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct UserPatch {
    /// The revision the change starts from; stores, and custom fields of many parts, ask for it.
    pub revision: Option<i64>,
    /// Address they sign in with.
    pub email: Option<String>,
    pub name: Option<String>,
    /// Role; null takes it away.
    pub role_id: Option<String>,
    /// The stores within reach; null is all of them.
    pub store_ids: Option<Vec<String>>,
    /// `Active` or `Disabled`.
    pub status: Option<String>,
    /// Whether their work is charged.
    pub billable: Option<bool>,
    /// Whether everything is allowed.
    pub super_admin: Option<bool>,
}

/// Whether a scope is stored as a list.
#[must_use]
pub fn scope_of(super_admin: bool, store_ids: Option<&Vec<String>>) -> StoreScope {
    StoreScope::of(super_admin, store_ids.map(Vec::as_slice))
}
