//! What the demo asks of the database itself.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

const NAME: &str = "demo";

/// What the database says of the demo it holds.
pub async fn loaded(db: &Db) -> Result<Option<Value>, DbError> {
    let found: Option<(Json<Value>,)> =
        db.sql("select value from settings where name = $1").bind(NAME).optional().await?;
    Ok(found.map(|(value,)| value.0))
}

/// Says what the database holds.
pub async fn note(tx: &mut Tx<'_>, value: &Value, at: Timestamp) -> Result<(), DbError> {
    tx.sql(
        "insert into settings (name, value, updated_at) values ($1, $2, $3)
         on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(NAME)
    .bind(Json(value.clone()))
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// Whether the lists that the demo fills are empty.
pub async fn lists_are_empty(db: &Db) -> Result<bool, DbError> {
    let found: i64 = db
        .sql(
            "select cast((select count(*) from locations) + (select count(*) from root_items)
                       + (select count(*) from pos_items) + (select count(*) from uoms) as bigint)",
        )
        .scalar()
        .await?;
    Ok(found == 0)
}

/// The revision of a POS item.
pub async fn revision(tx: &mut Tx<'_>, pos_item_id: &str) -> Result<i64, DbError> {
    tx.sql("select revision from pos_items where id = $1").bind(pos_item_id).scalar().await
}

/// The hash of the password that somebody of the demo has now.
pub async fn password_hash(db: &Db, email: &str) -> Result<Option<String>, DbError> {
    let found: Option<(Option<String>,)> =
        db.sql("select password_hash from accounts where email_key = $1").bind(email).optional().await?;
    Ok(found.and_then(|(hash,)| hash))
}
