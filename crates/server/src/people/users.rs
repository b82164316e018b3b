//! App users: the house's side of people.

use larder_db::{Actor, DbError, Tx};

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
pub async fn add_user(tx: &mut Tx<'_>, new: &NewUser<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = author(tx.actor());
    let key = email_key(new.email);
    tx.sql(
        "insert into accounts (uid, email, email_key, email_verified, display_name, password_hash, disabled, valid_since, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
    )
    .bind(new.uid)
    .bind(new.email.trim())
    .bind(&key)
    .bind(true)
    .bind(new.name)
    .bind(new.password_hash)
    .bind(false)
    .bind(at)
    .execute()
    .await?;
    tx.sql(
        "insert into app_users (id, uid, email, email_key, name, role_id, status, billable, super_admin, store_ids,
                                extra, revision, created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, 'Active', $7, $8, $9, $10, 1, $11, $11, $12)",
    )
    .bind(new.id)
    .bind(new.uid)
    .bind(new.email.trim())
    .bind(&key)
    .bind(new.name)
    .bind(new.role_id)
    .bind(false)
    .bind(new.super_admin)
    .bind(new.store_ids.map(|ids| sqlx::types::Json(ids.to_vec())))
    .bind(sqlx::types::Json(serde_json::json!({})))
    .bind(at)
    .bind(sqlx::types::Json(by))
    .execute()
    .await?;
    tx.record(larder_db::Change {
        kind: "user",
        id: new.id.to_owned(),
        store_id: None,
        action: larder_db::ChangeAction::Created,
        before: None,
        after: Some(serde_json::json!({
            "email": new.email.trim(), "name": new.name, "roleId": new.role_id,
            "superAdmin": new.super_admin, "storeIds": new.store_ids,
        })),
    })
    .await
}

/// How the author of a change stands in a record's `updatedBy`.
#[must_use]
pub fn author(actor: &Actor) -> serde_json::Value {
    serde_json::json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })
}

/// What addresses are compared by.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}
