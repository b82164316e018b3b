//! The one-time link, stored in the settings.

use larder_db::{DbError, Json, Tx};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};

const NAME: &str = "firstStart";

/// The stored setup link.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    pub hash: String,
    pub expires_at: Timestamp,
}

/// Stores a link's hash, replacing any older one.
pub async fn keep(tx: &mut Tx<'_>, hash: &str, expires_at: Timestamp) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into settings (name, value, updated_at) values ($1, $2, $3)
         on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(NAME)
    .bind(Json(Kept { hash: hash.to_owned(), expires_at }))
    .bind(at)
    .execute()
    .await
    .map(drop)
}

/// The open link, if any.
pub async fn kept(tx: &mut Tx<'_>) -> Result<Option<Kept>, DbError> {
    let found: Option<(Json<Kept>,)> =
        tx.sql("select value from settings where name = $1").bind(NAME).optional().await?;
    Ok(found.map(|(value,)| value.0))
}

/// Deletes the used link.
pub async fn forget(tx: &mut Tx<'_>) -> Result<(), DbError> {
    tx.sql("delete from settings where name = $1").bind(NAME).execute().await.map(drop)
}

/// Whether any account exists.
pub(crate) async fn somebody_is_here(tx: &mut Tx<'_>) -> Result<bool, DbError> {
    let count: i64 = tx.sql("select cast(count(*) as bigint) from accounts").scalar().await?;
    Ok(count > 0)
}
