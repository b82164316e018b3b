//! Creating and changing users.

use larder_db::Json;
use larder_db::{ChangeAction, DbError, Tx};

use super::{Fields, UserRow, email_key, get_in, name_key};
use crate::audit::Editor;
use crate::people::links;
use crate::people::recorded::record;

/// Inserts a user and records it in the history.
///
/// # Errors
/// A violation if the address is taken or the role does not exist.
pub async fn insert(
    tx: &mut Tx<'_>,
    id: &str,
    uid: Option<&str>,
    fields: &Fields,
) -> Result<UserRow, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
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

/// Updates a user with their account's address and name; `None` if the revision is not the latest.
///
/// # Errors
/// A violation if the address is taken or the role does not exist.
pub async fn update(
    tx: &mut Tx<'_>,
    before: &UserRow,
    fields: &Fields,
    revision: i64,
) -> Result<Option<UserRow>, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
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
    if moved { links::end_all(tx, uid).await } else { Ok(()) }
}

/// An account to insert.
pub(super) struct NewAccount<'a> {
    pub uid: &'a str,
    pub email: &'a str,
    pub name: &'a str,
    pub password_hash: Option<&'a str>,
    pub verified: bool,
}

pub(super) async fn insert_account(tx: &mut Tx<'_>, new: &NewAccount<'_>) -> Result<(), DbError> {
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

/// A user added from the command line or by the demo.
pub struct NewUser<'a> {
    pub uid: &'a str,
    pub id: &'a str,
    pub email: &'a str,
    pub name: &'a str,
    pub password_hash: &'a str,
    pub role_id: Option<&'a str>,
    pub super_admin: bool,
    /// The stores they may see; `None` is all.
    pub store_ids: Option<&'a [String]>,
}

/// Adds a user who can sign in with a password.
///
/// # Errors
/// A violation if the address is taken or the role does not exist.
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
