//! Push keys.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Timestamp;

use larder_platform::audit::Editor;

/// A stored key, without the secret.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Kept {
    pub id: String,
    pub name: String,
    pub begins: String,
    pub all_stores: bool,
    pub created_at: Timestamp,
    pub created_by: Json<Editor>,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

const SELECT: &str =
    "select id, name, begins, all_stores, created_at, created_by, last_used_at, revoked_at from push_keys";

/// All keys, newest first.
pub(super) async fn all(db: &Db) -> Result<Vec<Kept>, DbError> {
    db.sql(SELECT).push(" order by id desc").all().await
}

/// Pairs of key and store.
pub(super) async fn stores(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select key_id, store_id from push_key_stores order by key_id, store_id").all().await
}

/// The key with this hash.
pub(super) async fn by_hash(db: &Db, hash: &str) -> Result<Option<Kept>, DbError> {
    db.sql(SELECT).push(" where hash = ").push_bind(hash).optional().await
}

/// The stores of a key.
pub(super) async fn stores_of(db: &Db, id: &str) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> =
        db.sql("select store_id from push_key_stores where key_id = $1").bind(id).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

pub(super) struct New<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub name_key: String,
    pub begins: &'a str,
    pub hash: &'a str,
    pub stores: Option<&'a [String]>,
}

pub(super) async fn insert(tx: &mut Tx<'_>, new: &New<'_>) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into push_keys (id, name, name_key, begins, hash, all_stores, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(new.id)
    .bind(new.name)
    .bind(&new.name_key)
    .bind(new.begins)
    .bind(new.hash)
    .bind(new.stores.is_none())
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .execute()
    .await?;
    let rows: Vec<(&str, &str)> =
        new.stores.into_iter().flatten().map(|store| (new.id, store.as_str())).collect();
    if !rows.is_empty() {
        tx.insert_rows("push_key_stores", &["key_id", "store_id"], rows, "").await?;
    }
    Ok(())
}

/// Revokes a key; `false` if it already was.
pub(super) async fn revoke(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let actor = tx.actor().clone();
    let rows = tx
        .sql("update push_keys set revoked_at = $1, revoked_by = $2 where id = $3 and revoked_at is null")
        .bind(actor.at)
        .bind(Json(Editor::from(&actor)))
        .bind(id)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Records that a key was used.
pub(super) async fn used(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update push_keys set last_used_at = $1 where id = $2").bind(at).bind(id).execute().await?;
    Ok(())
}
