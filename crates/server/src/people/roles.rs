//! Roles: what people may do.

use larder_db::{ChangeAction, Db, DbError, Tx};
use larder_domain::{Permissions, StoreScope, Timestamp};
use serde_json::{Value, json};
use sqlx::types::Json;

use super::recorded::{Recorded, record};
use super::users::author;

/// A role, with how many have it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct RoleRow {
    /// Its id.
    pub id: String,
    /// Name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it allows.
    pub permissions: Json<Permissions>,
    /// Whether whoever has it needs a second factor.
    pub require_totp: bool,
    /// How many users have it.
    pub users: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed.
    pub updated_at: Timestamp,
    /// By whom.
    pub updated_by: Json<Value>,
    /// How often it was written.
    pub revision: i64,
}

impl Recorded for RoleRow {
    const KIND: &'static str = "role";

    fn id(&self) -> &str {
        &self.id
    }

    fn recorded(&self) -> Value {
        json!({
            "name": self.name, "description": self.description, "permissions": self.permissions,
            "requireTotp": self.require_totp,
        })
    }
}

/// The stores of those who have a role; super admins need none.
///
/// # Errors
/// As any statement.
pub(crate) async fn reach(tx: &mut Tx<'_>, id: &str) -> Result<Vec<StoreScope>, DbError> {
    let rows: Vec<(Option<Json<Vec<String>>>,)> = tx
        .sql("select store_ids from app_users where role_id = $1 and super_admin = $2")
        .bind(id)
        .bind(false)
        .all()
        .await?;
    Ok(rows
        .into_iter()
        .map(|(ids,)| StoreScope::of(false, ids.as_ref().map(|ids| ids.0.as_slice())))
        .collect())
}

/// What can be written of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// Name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it allows.
    pub permissions: Permissions,
    /// Whether whoever has it needs a second factor.
    pub require_totp: bool,
}

const SELECT: &str = "
    select r.id, r.name, r.description, r.permissions, r.require_totp,
           (select cast(count(*) as bigint) from app_users u where u.role_id = r.id) as users,
           r.created_at, r.updated_at, r.updated_by, r.revision
    from app_roles r ";

/// Every role, by name.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(db: &Db) -> Result<Vec<RoleRow>, DbError> {
    db.sql(SELECT).push("order by lower(r.name), r.id").all().await
}

/// One role.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn get(db: &Db, id: &str) -> Result<Option<RoleRow>, DbError> {
    db.sql(SELECT).push("where r.id = $1").bind(id).optional().await
}

/// One role, as the transaction sees it.
///
/// # Errors
/// As any statement.
pub(crate) async fn get_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<RoleRow>, DbError> {
    tx.sql(SELECT).push("where r.id = $1").bind(id).optional().await
}

/// Adds a role and notes it in History.
///
/// # Errors
/// A violation when the name is taken.
pub async fn insert(tx: &mut Tx<'_>, id: &str, fields: &Fields) -> Result<RoleRow, DbError> {
    let (at, by) = (tx.actor().at, author(tx.actor()));
    tx.sql(
        "insert into app_roles (id, name, description, permissions, require_totp, extra, revision, created_at,
                                updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8)",
    )
    .bind(id)
    .bind(&fields.name)
    .bind(&fields.description)
    .bind(Json(fields.permissions.clone()))
    .bind(fields.require_totp)
    .bind(Json(json!({})))
    .bind(at)
    .bind(Json(by))
    .execute()
    .await?;
    let after = get_in(tx, id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Created, None, &after).await?;
    Ok(after)
}

/// Changes a role; `None` when the revision is not the latest.
///
/// # Errors
/// A violation when the name is taken.
pub(crate) async fn update(
    tx: &mut Tx<'_>,
    before: &RoleRow,
    fields: &Fields,
    revision: i64,
) -> Result<Option<RoleRow>, DbError> {
    let (at, by) = (tx.actor().at, author(tx.actor()));
    let written = tx
        .sql(
            "update app_roles
             set name = $1, description = $2, permissions = $3, require_totp = $4, revision = revision + 1,
                 updated_at = $5, updated_by = $6
             where id = $7 and revision = $8",
        )
        .bind(&fields.name)
        .bind(&fields.description)
        .bind(Json(fields.permissions.clone()))
        .bind(fields.require_totp)
        .bind(at)
        .bind(Json(by))
        .bind(&before.id)
        .bind(revision)
        .execute()
        .await?;
    if written == 0 {
        return Ok(None);
    }
    let after = get_in(tx, &before.id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Updated, Some(before), &after).await?;
    Ok(Some(after))
}

/// Adds a role of a name and what it allows.
///
/// # Errors
/// A violation when the name is taken.
pub async fn add_role(
    tx: &mut Tx<'_>,
    id: &str,
    name: &str,
    permissions: &Permissions,
) -> Result<(), DbError> {
    let fields = Fields {
        name: name.to_owned(),
        description: String::new(),
        permissions: permissions.clone(),
        require_totp: false,
    };
    insert(tx, id, &fields).await.map(drop)
}
