//! App users: the company's side of people.

mod credential_handover;
mod linking;
mod list;
mod temporary;
mod write;

use std::collections::BTreeMap;

use larder_db::Json;
use larder_db::{Db, DbError, Tx};
use larder_domain::access::Holder;
use larder_domain::{Permissions, StoreScope, Timestamp};
use serde_json::{Map, Value, json};

use super::recorded::Recorded;

pub use credential_handover::{still_opens, still_opens_in};
pub use linking::{account_for, ensure_account, first_sight, name_or_prefix};
pub use list::{Filter, Sort, list};
pub use temporary::{SHOWN_MS, forget_temp_passwords, show_temp_password, temp_password};
pub use write::{NewUser, add_user, insert, update};

/// Undeclared fields.
pub type Extra = BTreeMap<String, Value>;

/// A user with what lists and granting rules need.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct UserRow {
    pub id: String,
    /// Account id, once there is one.
    pub uid: Option<String>,
    pub email: String,
    pub name: String,
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// Permissions of the role.
    pub permissions: Option<Json<Permissions>>,
    /// `Active` or `Disabled`.
    pub status: String,
    /// Whether their work is charged.
    pub billable: bool,
    pub super_admin: bool,
    /// The stores they may see; `None` is all.
    pub store_ids: Option<Json<Vec<String>>>,
    /// Whether a second factor is set up.
    pub totp: bool,
    pub has_password: bool,
    pub has_google: bool,
    pub last_sign_in_at: Option<Timestamp>,
    /// When an unused temporary password was set.
    pub temp_password_at: Option<Timestamp>,
    /// Undeclared fields.
    pub extra: Json<Extra>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Json<Value>,
    pub revision: i64,
}

impl UserRow {
    /// Whether they may sign in.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == ACTIVE
    }

    /// Their permissions and stores, for the granting rules.
    #[must_use]
    pub fn holder(&self) -> Holder {
        Holder {
            super_admin: self.super_admin,
            permissions: self.role_id.as_ref().map(|_| self.permissions.clone().unwrap_or_default().0),
            scope: StoreScope::of(self.super_admin, self.store_ids.as_ref().map(|ids| ids.0.as_slice())),
        }
    }
}

impl Recorded for UserRow {
    const KIND: &'static str = "user";

    fn id(&self) -> &str {
        &self.id
    }

    /// Without password and links.
    fn recorded(&self) -> Value {
        let mut fields: Map<String, Value> = self.extra.0.clone().into_iter().collect();
        let own = json!({
            "email": self.email, "name": self.name, "roleId": self.role_id, "roleName": self.role_name,
            "status": self.status, "billable": self.billable, "superAdmin": self.super_admin,
            "storeIds": self.store_ids,
        });
        fields.extend(own.as_object().cloned().unwrap_or_default());
        Value::Object(fields)
    }
}

/// May sign in.
pub const ACTIVE: &str = "Active";
/// May not sign in.
pub const DISABLED: &str = "Disabled";

const SELECT: &str = "
    select u.id, u.uid, u.email, u.name, u.role_id, r.name as role_name, r.permissions, u.status, u.billable,
           u.super_admin, u.store_ids, (t.confirmed_at is not null) as totp,
           (a.password_hash is not null) as has_password,
           exists (select 1 from account_providers p where p.uid = u.uid and p.provider = 'google.com') as has_google,
           a.last_login_at as last_sign_in_at,
           case when u.temp_password is not null then u.temp_password_at end as temp_password_at,
           u.extra, u.created_at, u.updated_at, u.updated_by, u.revision";
const FROM: &str = "
    from app_users u
    left join app_roles r on r.id = u.role_id
    left join accounts a on a.uid = u.uid
    left join totp_secrets t on t.uid = u.uid ";

/// A user by id.
pub async fn get(db: &Db, id: &str) -> Result<Option<UserRow>, DbError> {
    db.sql(SELECT).push(FROM).push("where u.id = $1").bind(id).optional().await
}

/// A user, read in the transaction.
///
/// # Errors
/// If the statement fails.
pub async fn get_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<UserRow>, DbError> {
    tx.sql(SELECT).push(FROM).push("where u.id = $1").bind(id).optional().await
}

/// The user of an address.
///
/// # Errors
/// If the statement fails.
pub async fn of_address(tx: &mut Tx<'_>, email: &str) -> Result<Option<UserRow>, DbError> {
    tx.sql(SELECT).push(FROM).push("where u.email_key = $1").bind(email_key(email)).optional().await
}

/// Number of other super admins who may sign in.
///
/// # Errors
/// If the statement fails.
pub async fn other_super_admins(tx: &mut Tx<'_>, id: &str) -> Result<i64, DbError> {
    tx.sql(
        "select cast(count(*) as bigint) from app_users where super_admin and status = 'Active' and id <> $1",
    )
    .bind(id)
    .scalar()
    .await
}

/// Editable fields of a user.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    pub email: String,
    pub name: String,
    pub role_id: Option<String>,
    /// `Active` or `Disabled`.
    pub status: String,
    /// Whether their work is charged.
    pub billable: bool,
    pub super_admin: bool,
    /// The stores they may see; `None` is all.
    pub store_ids: Option<Vec<String>>,
    /// Undeclared fields.
    pub extra: Extra,
}

impl Fields {
    /// The present values of a user.
    #[must_use]
    pub fn of(row: &UserRow) -> Self {
        Self {
            email: row.email.clone(),
            name: row.name.clone(),
            role_id: row.role_id.clone(),
            status: row.status.clone(),
            billable: row.billable,
            super_admin: row.super_admin,
            store_ids: row.store_ids.as_ref().map(|ids| ids.0.clone()),
            extra: row.extra.0.clone(),
        }
    }

    /// A new user: Active, not billable, no role.
    #[must_use]
    pub fn new(email: &str, name: &str) -> Self {
        Self {
            email: email.trim().to_owned(),
            name: name.trim().to_owned(),
            role_id: None,
            status: ACTIVE.to_owned(),
            billable: false,
            super_admin: false,
            store_ids: None,
            extra: Extra::new(),
        }
    }
}

/// The form in which addresses are compared.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Something before an @ and a dotted name after it; the mail server checks the rest.
#[must_use]
pub fn looks_like_address(email: &str) -> bool {
    email.len() <= 254
        && !email.contains(|c: char| c.is_whitespace() || c.is_control())
        && email.rsplit_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !local.contains('@')
                && domain.contains('.')
                && !domain.starts_with('.')
                && !domain.ends_with('.')
        })
}

/// The form in which names are sorted and searched.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
