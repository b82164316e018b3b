//! Users: requests and responses.

use larder_domain::{StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::grants;
use larder_lists::engine::Editor;
use larder_platform::http::Who;
use larder_platform::people::users::{Extra, SHOWN_MS, UserRow};

/// A user.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// User id.
    pub id: String,
    /// Account id, once there is one.
    pub uid: Option<String>,
    /// Email address for sign-in.
    pub email: String,
    pub name: String,
    /// Role, if assigned.
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// `Active` or `Disabled`.
    #[schema(example = "Active")]
    pub status: String,
    /// Whether their work is billable.
    pub billable: bool,
    /// Whether the user has all permissions.
    pub super_admin: bool,
    /// The accessible stores; null for all.
    pub store_ids: Option<Vec<String>>,
    /// Whether a second factor is active.
    pub totp: bool,
    /// Sign-in methods: `password`, `google.com`.
    pub providers: Vec<&'static str>,
    /// Last sign-in.
    pub last_sign_in_at: Option<Timestamp>,
    /// Whether a temporary password has not been used yet.
    pub has_temp_password: bool,
    /// The temporary password, shown to its creator and to super admins until first use or for 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temp_password: Option<String>,
    /// Why the caller cannot edit this user despite the edit permission; omitted if they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_because: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
    /// Number of changes.
    pub revision: i64,
    /// Custom fields.
    #[serde(flatten)]
    #[schema(value_type = std::collections::BTreeMap<String, Value>)]
    pub extra: Extra,
}

impl User {
    /// As visible to the caller.
    #[must_use]
    pub fn seen_by(who: &Who, row: UserRow) -> Self {
        let locked_because = grants::locked_user(who, &row);
        Self { locked_because, ..Self::of(row, who.at) }
    }

    /// As in lists.
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

/// Who last changed a record.
#[must_use]
pub fn editor(value: Value) -> Editor {
    let nobody = || Editor { uid: String::new(), name: String::new(), email: String::new() };
    serde_json::from_value(value).unwrap_or_else(|_| nobody())
}

/// A page of users.
#[derive(Debug, Serialize, ToSchema)]
pub struct Users {
    pub items: Vec<User>,
    /// Number of items on all pages.
    pub total: i64,
}

/// A new user. Additional fields are kept as custom fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct NewUserBody {
    /// Email address for sign-in.
    pub email: String,
    pub name: String,
    /// Role, if any.
    pub role_id: Option<String>,
    /// The accessible stores; null for all.
    pub store_ids: Option<Vec<String>>,
    /// Whether their work is billable.
    pub billable: Option<bool>,
    /// Whether the user has all permissions; only super admins can set it.
    pub super_admin: Option<bool>,
    /// `temporary`: create and show a password; `invite`: email a link.
    pub password: FirstPassword,
}

/// How a new user gets a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FirstPassword {
    /// Generated, and shown to administrators until first use.
    Temporary,
    /// Set by the user through an emailed link.
    Invite,
}

/// A change to a user. Additional fields are kept as custom fields; null removes a field.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct UserPatch {
    /// The revision it is based on; required for stores and composite custom fields.
    pub revision: Option<i64>,
    /// Email address for sign-in.
    pub email: Option<String>,
    pub name: Option<String>,
    /// Role; null removes it.
    pub role_id: Option<String>,
    /// The accessible stores; null for all.
    pub store_ids: Option<Vec<String>>,
    /// `Active` or `Disabled`.
    pub status: Option<String>,
    /// Whether their work is billable.
    pub billable: Option<bool>,
    /// Whether the user has all permissions.
    pub super_admin: Option<bool>,
}

/// The scope of a user's stored store list.
#[must_use]
pub fn scope_of(super_admin: bool, store_ids: Option<&Vec<String>>) -> StoreScope {
    StoreScope::of(super_admin, store_ids.map(Vec::as_slice))
}
