//! Roles: what people may do.

use larder_db::{DbError, Tx};

use super::users::author;

/// Adds a role.
pub async fn add_role(
    tx: &mut Tx<'_>,
    id: &str,
    name: &str,
    permissions: &larder_domain::Permissions,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = author(tx.actor());
    tx.sql(
        "insert into app_roles (id, name, permissions, extra, revision, created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, 1, $5, $5, $6)",
    )
    .bind(id)
    .bind(name)
    .bind(sqlx::types::Json(permissions.clone()))
    .bind(sqlx::types::Json(serde_json::json!({})))
    .bind(at)
    .bind(sqlx::types::Json(by))
    .execute()
    .await?;
    tx.record(larder_db::Change {
        kind: "role",
        id: id.to_owned(),
        store_id: None,
        action: larder_db::ChangeAction::Created,
        before: None,
        after: Some(serde_json::json!({ "name": name, "permissions": permissions })),
    })
    .await
}
