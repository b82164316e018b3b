//! App users: the house's side of people.

use std::collections::BTreeMap;

use larder_db::{Actor, Change, ChangeAction, Db, DbError, Query, Tx};
use larder_domain::access::Holder;
use larder_domain::{Permissions, StoreScope, Timestamp};
use serde_json::{Map, Value, json};
use sqlx::types::Json;

use crate::AppState;

/// A temporary password is shown for so long; after that it still works, but nobody sees it.
pub const SHOWN_MS: i64 = 24 * 3_600_000;

/// Fields that nobody declared.
pub type Extra = BTreeMap<String, Value>;

/// A user, with what lists and rules need to know.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct UserRow {
    /// The app user's id.
    pub id: String,
    /// The account's, once there is one.
    pub uid: Option<String>,
    /// Address.
    pub email: String,
    /// Name.
    pub name: String,
    /// Role, if any.
    pub role_id: Option<String>,
    /// Its name.
    pub role_name: Option<String>,
    /// What it allows.
    pub permissions: Option<Json<Permissions>>,
    /// `Active` or `Disabled`.
    pub status: String,
    /// Whether their work is charged.
    pub billable: bool,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// The stores within reach; `None` is all.
    pub store_ids: Option<Json<Vec<String>>>,
    /// Whether a second factor is in force.
    pub totp: bool,
    /// Whether there is a password.
    pub has_password: bool,
    /// Whether they can sign in with Google.
    pub has_google: bool,
    /// When they last signed in.
    pub last_sign_in_at: Option<Timestamp>,
    /// When the temporary password was made that waits for its first use.
    pub temp_password_at: Option<Timestamp>,
    /// Fields that nobody declared.
    pub extra: Json<Extra>,
    /// When the user was made.
    pub created_at: Timestamp,
    /// When they were last changed.
    pub updated_at: Timestamp,
    /// By whom.
    pub updated_by: Json<Value>,
    /// How often they were written.
    pub revision: i64,
}

impl UserRow {
    /// Whether they may sign in.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == ACTIVE
    }

    /// What they hold, for the rules of granting.
    #[must_use]
    pub fn holder(&self) -> Holder {
        Holder {
            super_admin: self.super_admin,
            permissions: self.role_id.as_ref().map(|_| self.permissions.clone().unwrap_or_default().0),
            scope: StoreScope::of(self.super_admin, self.store_ids.as_ref().map(|ids| ids.0.as_slice())),
        }
    }

    /// As History keeps it: no password, no link.
    #[must_use]
    pub fn recorded(&self) -> Value {
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
/// May not.
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

/// Which users are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A `like` pattern over folded name and address.
    pub like: Option<String>,
    /// With this status.
    pub status: Option<String>,
    /// With this role; `Some(None)`: without one.
    pub role_id: Option<Option<String>>,
    /// Who reach this store.
    pub store_id: Option<String>,
    /// The order.
    pub sort: Sort,
    /// Whether it is turned around.
    pub descending: bool,
    /// Most rows.
    pub limit: i64,
    /// First row, from 0.
    pub offset: i64,
}

/// What users are sorted by.
#[derive(Debug, Clone, Copy, Default)]
pub enum Sort {
    /// Name.
    #[default]
    Name,
    /// Address.
    Email,
    /// Role's name.
    Role,
    /// Status.
    Status,
    /// Last sign-in.
    LastSignIn,
    /// When they were made.
    Created,
    /// When they were changed.
    Updated,
}

impl Sort {
    fn sql(self) -> &'static str {
        match self {
            Self::Name => "u.name_key",
            Self::Email => "u.email_key",
            Self::Role => "lower(coalesce(r.name, ''))",
            Self::Status => "u.status",
            Self::LastSignIn => "coalesce(a.last_login_at, 0)",
            Self::Created => "u.created_at",
            Self::Updated => "u.updated_at",
        }
    }
}

/// Users, and how many there are without paging.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(db: &Db, filter: &Filter) -> Result<(Vec<UserRow>, i64), DbError> {
    let total = conditions(db.sql("select cast(count(*) as bigint)").push(FROM), filter).scalar().await?;
    let rows = conditions(db.sql(SELECT).push(FROM), filter).push(" order by ").push(filter.sort.sql());
    let rows = if filter.descending { rows.push(" desc, u.id desc") } else { rows.push(", u.id") };
    let rows = rows.push(" limit ").push_bind(filter.limit).push(" offset ").push_bind(filter.offset);
    Ok((rows.all().await?, total))
}

fn conditions<'q>(query: Query<'q>, filter: &Filter) -> Query<'q> {
    let mut query = query.push("where 1 = 1");
    if let Some(like) = &filter.like {
        query =
            query.push(" and (u.name_key like ").push_bind(like).push(" escape '\\' or u.email_key like ");
        query = query.push_bind(like).push(" escape '\\')");
    }
    if let Some(status) = &filter.status {
        query = query.push(" and u.status = ").push_bind(status);
    }
    query = match &filter.role_id {
        None => query,
        Some(None) => query.push(" and u.role_id is null"),
        Some(Some(id)) => query.push(" and u.role_id = ").push_bind(id),
    };
    if let Some(id) = &filter.store_id {
        // Ids have no characters that mean something in JSON or in a pattern.
        let plain: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        query = query.push(" and (u.store_ids is null or u.super_admin or cast(u.store_ids as text) like ");
        query = query.push_bind(format!("%\"{plain}\"%")).push(")");
    }
    query
}

/// One user.
///
/// # Errors
/// When the database cannot be read.
pub async fn get(db: &Db, id: &str) -> Result<Option<UserRow>, DbError> {
    db.sql(SELECT).push(FROM).push("where u.id = $1").bind(id).optional().await
}

/// One user, as the transaction sees them.
///
/// # Errors
/// As any statement.
pub async fn get_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<UserRow>, DbError> {
    tx.sql(SELECT).push(FROM).push("where u.id = $1").bind(id).optional().await
}

/// The user of an address.
///
/// # Errors
/// As any statement.
pub async fn of_address(tx: &mut Tx<'_>, email: &str) -> Result<Option<UserRow>, DbError> {
    tx.sql(SELECT).push(FROM).push("where u.email_key = $1").bind(email_key(email)).optional().await
}

/// The temporary password that is still to be shown, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub async fn temp_password(db: &Db, id: &str, now: Timestamp) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = db
        .sql("select temp_password from app_users where id = $1 and temp_password is not null and temp_password_at > $2")
        .bind(id)
        .bind(now.plus_ms(-SHOWN_MS))
        .optional()
        .await?;
    Ok(found.map(|(password,)| password))
}

/// Keeps a temporary password to be shown, after [`super::accounts::set_password`].
///
/// # Errors
/// As any statement.
pub async fn show_temp_password(tx: &mut Tx<'_>, id: &str, password: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update app_users set temp_password = $1, temp_password_at = $2 where id = $3")
        .bind(password)
        .bind(at)
        .bind(id)
        .execute()
        .await?;
    tx.announce("user", id, None);
    Ok(())
}

/// Forgets temporary passwords that were shown long enough.
///
/// # Errors
/// As any statement.
pub async fn forget_temp_passwords(tx: &mut Tx<'_>) -> Result<u64, DbError> {
    let before = tx.actor().at.plus_ms(-SHOWN_MS);
    tx.sql(
        "update app_users set temp_password = null, temp_password_at = null
         where temp_password is not null and temp_password_at <= $1",
    )
    .bind(before)
    .execute()
    .await
}

/// How many super admins may sign in besides this user.
///
/// # Errors
/// As any statement.
pub async fn other_super_admins(tx: &mut Tx<'_>, id: &str) -> Result<i64, DbError> {
    tx.sql(
        "select cast(count(*) as bigint) from app_users where super_admin and status = 'Active' and id <> $1",
    )
    .bind(id)
    .scalar()
    .await
}

/// What can be written of a user.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// Address.
    pub email: String,
    /// Name.
    pub name: String,
    /// Role, if any.
    pub role_id: Option<String>,
    /// `Active` or `Disabled`.
    pub status: String,
    /// Whether their work is charged.
    pub billable: bool,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// The stores within reach; `None` is all.
    pub store_ids: Option<Vec<String>>,
    /// Fields that nobody declared.
    pub extra: Extra,
}

impl Fields {
    /// As they stand.
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

    /// Of somebody new: Active, not billable, no role.
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

/// Adds a user and notes it in History.
///
/// # Errors
/// A violation when the address is taken or the role does not exist.
pub async fn insert(
    tx: &mut Tx<'_>,
    id: &str,
    uid: Option<&str>,
    fields: &Fields,
) -> Result<UserRow, DbError> {
    let (at, by) = (tx.actor().at, author(tx.actor()));
    tx.sql(
        "insert into app_users (id, uid, email, email_key, name, name_key, role_id, status, billable, super_admin,
                                store_ids, extra, revision, created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, $13, $13, $14)",
    )
    .bind(id)
    .bind(uid)
    .bind(fields.email.trim())
    .bind(email_key(&fields.email))
    .bind(&fields.name)
    .bind(name_key(&fields.name))
    .bind(fields.role_id.as_deref())
    .bind(&fields.status)
    .bind(fields.billable)
    .bind(fields.super_admin)
    .bind(fields.store_ids.clone().map(Json))
    .bind(Json(fields.extra.clone()))
    .bind(at)
    .bind(Json(by))
    .execute()
    .await?;
    let after = get_in(tx, id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Created, None, &after).await?;
    Ok(after)
}

/// Changes a user, their account's address and name with it; `None` when the revision is not the latest.
///
/// # Errors
/// A violation when the address is taken or the role does not exist.
pub async fn update(
    tx: &mut Tx<'_>,
    before: &UserRow,
    fields: &Fields,
    revision: i64,
) -> Result<Option<UserRow>, DbError> {
    let (at, by) = (tx.actor().at, author(tx.actor()));
    let written = tx
        .sql(
            "update app_users
             set email = $1, email_key = $2, name = $3, name_key = $4, role_id = $5, status = $6, billable = $7,
                 super_admin = $8, store_ids = $9, extra = $10, revision = revision + 1, updated_at = $11,
                 updated_by = $12
             where id = $13 and revision = $14",
        )
        .bind(fields.email.trim())
        .bind(email_key(&fields.email))
        .bind(&fields.name)
        .bind(name_key(&fields.name))
        .bind(fields.role_id.as_deref())
        .bind(&fields.status)
        .bind(fields.billable)
        .bind(fields.super_admin)
        .bind(fields.store_ids.clone().map(Json))
        .bind(Json(fields.extra.clone()))
        .bind(at)
        .bind(Json(by))
        .bind(&before.id)
        .bind(revision)
        .execute()
        .await?;
    if written == 0 {
        return Ok(None);
    }
    if let Some(uid) = &before.uid
        && (fields.email != before.email || fields.name != before.name)
    {
        rename_account(tx, uid, before, fields).await?;
    }
    let after = get_in(tx, &before.id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Updated, Some(before), &after).await?;
    Ok(Some(after))
}

async fn rename_account(
    tx: &mut Tx<'_>,
    uid: &str,
    before: &UserRow,
    fields: &Fields,
) -> Result<(), DbError> {
    let moved = email_key(&fields.email) != email_key(&before.email);
    tx.sql(
        "update accounts set email = $1, email_key = $2, display_name = $3,
                             email_verified = (email_verified and not $4)
         where uid = $5",
    )
    .bind(fields.email.trim())
    .bind(email_key(&fields.email))
    .bind(&fields.name)
    .bind(moved)
    .bind(uid)
    .execute()
    .await?;
    // Links were sent to the old address.
    if moved { super::links::end_all(tx, uid).await } else { Ok(()) }
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&UserRow>,
    after: &UserRow,
) -> Result<(), DbError> {
    tx.record(Change {
        kind: "user",
        id: after.id.clone(),
        store_id: None,
        action,
        before: before.map(UserRow::recorded),
        after: Some(after.recorded()),
    })
    .await
}

/// The account of an address, made without a password when there is none; and links the user to it.
///
/// # Errors
/// As any statement.
pub async fn ensure_account(tx: &mut Tx<'_>, state: &AppState, user: &UserRow) -> Result<String, DbError> {
    if let Some(uid) = &user.uid {
        return Ok(uid.clone());
    }
    let uid = account_for(tx, state, &user.email, &user.name).await?;
    tx.sql("update app_users set uid = $1 where id = $2").bind(&uid).bind(&user.id).execute().await?;
    Ok(uid)
}

/// The id of an address's account, made without a password when there is none.
///
/// # Errors
/// As any statement.
pub async fn account_for(
    tx: &mut Tx<'_>,
    state: &AppState,
    email: &str,
    name: &str,
) -> Result<String, DbError> {
    let key = email_key(email);
    let known: Option<(String,)> =
        tx.sql("select uid from accounts where email_key = $1").bind(&key).optional().await?;
    if let Some((uid,)) = known {
        return Ok(uid);
    }
    let uid = state.new_id();
    let new = NewAccount { uid: &uid, email, name, password_hash: None, verified: false };
    insert_account(tx, &new).await?;
    Ok(uid)
}

struct NewAccount<'a> {
    uid: &'a str,
    email: &'a str,
    name: &'a str,
    password_hash: Option<&'a str>,
    verified: bool,
}

async fn insert_account(tx: &mut Tx<'_>, new: &NewAccount<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into accounts (uid, email, email_key, email_verified, display_name, password_hash, disabled,
                               valid_since, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
    )
    .bind(new.uid)
    .bind(new.email.trim())
    .bind(email_key(new.email))
    .bind(new.verified)
    .bind(new.name)
    .bind(new.password_hash)
    .bind(false)
    .bind(at)
    .execute()
    .await
    .map(drop)
}

/// The first time somebody who signed in is seen: their app user is linked by address, or made without a role.
///
/// # Errors
/// As any statement.
pub async fn first_sight(
    tx: &mut Tx<'_>,
    state: &AppState,
    uid: &str,
    email: &str,
    name: &str,
) -> Result<(), DbError> {
    let linked: Option<(String,)> =
        tx.sql("select id from app_users where uid = $1").bind(uid).optional().await?;
    if linked.is_some() {
        return Ok(());
    }
    let Some(known) = of_address(tx, email).await? else {
        let fields = Fields::new(email, &name_or_prefix(name, email));
        return insert(tx, &state.new_id(), Some(uid), &fields).await.map(drop);
    };
    tx.sql("update app_users set uid = $1 where id = $2 and uid is null")
        .bind(uid)
        .bind(&known.id)
        .execute()
        .await?;
    tx.announce("user", &known.id, None);
    Ok(())
}

/// The name, or what stands before the @, or «User».
#[must_use]
pub fn name_or_prefix(name: &str, email: &str) -> String {
    let prefix = email.trim().split('@').next().unwrap_or_default();
    let found = [name.trim(), prefix].into_iter().find(|name| !name.is_empty()).unwrap_or("User");
    found.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// A person about to be added by the administrator's command or the demo.
pub struct NewUser<'a> {
    /// The account's id.
    pub uid: &'a str,
    /// The app user's id.
    pub id: &'a str,
    /// Address.
    pub email: &'a str,
    /// Name.
    pub name: &'a str,
    /// Hash of the password.
    pub password_hash: &'a str,
    /// Role, if any.
    pub role_id: Option<&'a str>,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// The stores within reach; `None` is all.
    pub store_ids: Option<&'a [String]>,
}

/// Adds a person who can sign in with a password.
///
/// # Errors
/// A violation when the address is taken or the role does not exist.
pub async fn add_user(tx: &mut Tx<'_>, new: &NewUser<'_>) -> Result<(), DbError> {
    let account = NewAccount {
        uid: new.uid,
        email: new.email,
        name: new.name,
        password_hash: Some(new.password_hash),
        verified: true,
    };
    insert_account(tx, &account).await?;
    let fields = Fields {
        role_id: new.role_id.map(str::to_owned),
        super_admin: new.super_admin,
        store_ids: new.store_ids.map(<[String]>::to_vec),
        ..Fields::new(new.email, new.name)
    };
    insert(tx, new.id, Some(new.uid), &fields).await.map(drop)
}

/// How the author of a change stands in a record's `updatedBy`.
#[must_use]
pub fn author(actor: &Actor) -> Value {
    json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })
}

/// What addresses are compared by.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Something before an @ and a dotted name after it; the mail server knows the rest.
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

/// What names are sorted and searched by.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_new_has_a_name_whatever_google_says() {
        assert_eq!(name_or_prefix(" Ana Cruz ", "ana@example.com"), "Ana Cruz");
        assert_eq!(name_or_prefix("", "ana.cruz@example.com"), "ana.cruz");
        assert_eq!(name_or_prefix(" ", "@example.com"), "User");
    }
}
