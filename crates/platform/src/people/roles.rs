//! Roles and their permissions.

use std::collections::HashMap;

use larder_db::{ChangeAction, Db, DbError, Json, Tx};
use larder_domain::access::Holder;
use larder_domain::{Permissions, StoreScope, Timestamp};
use serde_json::{Value, json};

use super::recorded::{Recorded, record};
use crate::audit::Editor;

/// A role and its number of users.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct RoleRow {
    pub id: String,
    pub name: String,
    pub description: String,
    pub permissions: Json<Permissions>,
    /// Whether its users need a second factor.
    pub require_totp: bool,
    /// Number of users with this role.
    pub users: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Json<Value>,
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

/// The permissions and stores of a user with a role.
#[derive(Debug, sqlx::FromRow)]
struct HolderRow {
    role_id: String,
    permissions: Json<Permissions>,
    super_admin: bool,
    store_ids: Option<Json<Vec<String>>>,
}

impl HolderRow {
    fn holder(self) -> Holder {
        let scope = StoreScope::of(self.super_admin, self.store_ids.as_ref().map(|ids| ids.0.as_slice()));
        Holder { super_admin: self.super_admin, permissions: Some(self.permissions.0), scope }
    }
}

const HOLDERS: &str = "
    select u.role_id, r.permissions, u.super_admin, u.store_ids
    from app_users u join app_roles r on r.id = u.role_id ";

/// The users with a role, for the granting rules.
///
/// # Errors
/// If the statement fails.
pub async fn holders(tx: &mut Tx<'_>, id: &str) -> Result<Vec<Holder>, DbError> {
    let rows: Vec<HolderRow> = tx.sql(HOLDERS).push("where u.role_id = $1").bind(id).all().await?;
    Ok(rows.into_iter().map(HolderRow::holder).collect())
}

/// Users by role id: of one role, or of all.
///
/// # Errors
/// If the database fails.
pub async fn holders_by_role(db: &Db, only: Option<&str>) -> Result<HashMap<String, Vec<Holder>>, DbError> {
    let mut query = db.sql(HOLDERS);
    if let Some(id) = only {
        query = query.push("where u.role_id = $1").bind(id);
    }
    let rows: Vec<HolderRow> = query.all().await?;
    let mut by_role: HashMap<String, Vec<Holder>> = HashMap::new();
    for row in rows {
        by_role.entry(row.role_id.clone()).or_default().push(row.holder());
    }
    Ok(by_role)
}

/// Editable fields of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    pub name: String,
    pub description: String,
    pub permissions: Permissions,
    /// Whether its users need a second factor.
    pub require_totp: bool,
}

const SELECT: &str = "
    select r.id, r.name, r.description, r.permissions, r.require_totp,
           (select cast(count(*) as bigint) from app_users u where u.role_id = r.id) as users,
           r.created_at, r.updated_at, r.updated_by, r.revision
    from app_roles r ";

/// All roles, by name.
///
/// # Errors
/// If the database fails.
pub async fn list(db: &Db) -> Result<Vec<RoleRow>, DbError> {
    db.sql(SELECT).push("order by lower(r.name), r.id").all().await
}

/// A role by id.
pub async fn get(db: &Db, id: &str) -> Result<Option<RoleRow>, DbError> {
    db.sql(SELECT).push("where r.id = $1").bind(id).optional().await
}

/// A role, read in the transaction.
///
/// # Errors
/// If the statement fails.
pub async fn get_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<RoleRow>, DbError> {
    tx.sql(SELECT).push("where r.id = $1").bind(id).optional().await
}

/// Inserts a role and records it in the history.
///
/// # Errors
/// A violation if the name is taken.
pub async fn insert(tx: &mut Tx<'_>, id: &str, fields: &Fields) -> Result<RoleRow, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
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

/// Updates a role; `None` if the revision is not the latest.
///
/// # Errors
/// A violation if the name is taken.
pub async fn update(
    tx: &mut Tx<'_>,
    before: &RoleRow,
    fields: &Fields,
    revision: i64,
) -> Result<Option<RoleRow>, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
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

/// Adds a role with a name and permissions.
///
/// # Errors
/// A violation if the name is taken.
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
