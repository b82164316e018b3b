//! The encrypted columns and settings.

use larder_db::{Actor, Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

use super::{Cipher, MARK, WrongKey};
use crate::http::session::system_actor;

/// Columns that hold secrets: table, key, column.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("signing_keys", "kid", "private_pem"),
    ("totp_secrets", "uid", "secret"),
    ("app_users", "id", "temp_password"),
    ("connectors", "id", "secrets"),
];
/// Settings that hold secrets.
const SETTINGS: &[&str] = &["secret", PROOF];
/// The setting that shows whether a key is the right one.
const PROOF: &str = "seal";
const PROOF_TEXT: &str = "This opens with the key of this installation.";

/// The context a column's value is bound to.
#[must_use]
pub fn place(table: &str, column: &str, key: &str) -> String {
    format!("{table}.{column}/{key}")
}

/// The context an email is bound to.
pub const EMAIL: &str = "jobs.args/letter";

/// Whether this database holds encrypted values.
///
/// # Errors
/// If the database fails.
pub async fn is_in_use(db: &Db) -> Result<bool, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from settings where name = $1").bind(PROOF);
    Ok(query.scalar::<i64>().await? > 0)
}

/// At startup: encrypts values in clear; `false` if the key differs from the one in use.
///
/// # Errors
/// If the database fails.
pub async fn begin(db: &Db, cipher: &Cipher, at: Timestamp) -> Result<bool, DbError> {
    outcome(
        db.write(&actor(at), async |tx| {
            tx.sql("insert into settings (name, value, updated_at) values ($1, $2, $3) on conflict (name) do nothing")
                .bind(PROOF)
                .bind(Json(cipher.encrypt(&place("settings", "value", PROOF), PROOF_TEXT)))
                .bind(at)
                .execute()
                .await?;
            // Decrypts and encrypts again with the same key, so that a value of another key stops it before
            // anything is written.
            each(tx, &|place, text| match text.strip_prefix(MARK) {
                None => Ok(Some(cipher.encrypt(place, text))),
                Some(_) => cipher.decrypt(place, text).map(|_| None),
            })
            .await
        })
        .await,
    )
}

/// Re-encrypts everything with a new key; `false` if `old` is not the key in use.
///
/// # Errors
/// If the database fails.
pub async fn reencrypt(db: &Db, old: &Cipher, new: &Cipher, at: Timestamp) -> Result<bool, DbError> {
    outcome(
        db.write(&actor(at), async |tx| {
            each(tx, &|place, text| old.decrypt(place, text).map(|open| Some(new.encrypt(place, &open))))
                .await
        })
        .await,
    )
}

/// Drops everything encrypted when the key is lost: signing keys are generated anew, second factors must be
/// set up again.
///
/// # Errors
/// If the database fails.
pub async fn forget(db: &Db, at: Timestamp) -> Result<(), DbError> {
    db.write(&actor(at), async |tx| {
        for statement in [
            "delete from signing_keys",
            "delete from totp_recovery_codes",
            "delete from totp_secrets",
            "update app_users set temp_password = null, temp_password_at = null where temp_password is not null",
            "update connectors set secrets = null, secrets_set = '{}', paused = true where secrets is not null",
            "delete from settings where name in ('secret', 'seal')",
            "update jobs set state = 'failed', error = 'The key of its letter was lost.' \
             where kind = 'mail.send' and state in ('queued', 'running')",
        ] {
            tx.sql(statement).execute().await?;
        }
        Ok(())
    })
    .await
}

fn actor(at: Timestamp) -> Actor {
    system_actor("keys", at)
}

enum Stopped {
    WrongKey,
    Failed(DbError),
}

impl From<DbError> for Stopped {
    fn from(error: DbError) -> Self {
        Self::Failed(error)
    }
}

impl From<WrongKey> for Stopped {
    fn from(_: WrongKey) -> Self {
        Self::WrongKey
    }
}

fn outcome(done: Result<(), Stopped>) -> Result<bool, DbError> {
    match done {
        Ok(()) => Ok(true),
        Err(Stopped::WrongKey) => Ok(false),
        Err(Stopped::Failed(error)) => Err(error),
    }
}

/// Maps a value in its context to a new one; `None` leaves it.
type Change<'a> = &'a (dyn Fn(&str, &str) -> Result<Option<String>, WrongKey> + Sync);

async fn each(tx: &mut Tx<'_>, change: Change<'_>) -> Result<(), Stopped> {
    for (table, key, column) in COLUMNS {
        let query = tx.sql("select ").push(key).push(", ").push(column).push(" from ").push(table);
        let rows: Vec<(String, String)> =
            query.push(" where ").push(column).push(" is not null").all().await?;
        for (id, text) in rows {
            if let Some(text) = change(&place(table, column, &id), &text)? {
                let query =
                    tx.sql("update ").push(table).push(" set ").push(column).push(" = ").push_bind(text);
                query.push(" where ").push(key).push(" = ").push_bind(id).execute().await?;
            }
        }
    }
    for name in SETTINGS {
        let kept: Option<(Json<String>,)> =
            tx.sql("select value from settings where name = $1").bind(*name).optional().await?;
        if let Some((text,)) = kept
            && let Some(text) = change(&place("settings", "value", name), &text)?
        {
            let query = tx.sql("update settings set value = $1 where name = $2");
            query.bind(Json(text)).bind(*name).execute().await?;
        }
    }
    emails(tx, change).await
}

/// Queued emails; sent ones keep nothing that stays valid for long.
async fn emails(tx: &mut Tx<'_>, change: Change<'_>) -> Result<(), Stopped> {
    let jobs: Vec<(String, Json<Value>)> = tx
        .sql("select id, args from jobs where kind = 'mail.send' and state in ('queued', 'running')")
        .all()
        .await?;
    for (id, Json(mut args)) in jobs {
        let text = match &args["letter"] {
            Value::String(encrypted) => encrypted.clone(),
            clear => clear.to_string(),
        };
        if let Some(text) = change(EMAIL, &text)? {
            args["letter"] = text.into();
            let query = tx.sql("update jobs set args = $1 where id = $2");
            query.bind(Json(args)).bind(id).execute().await?;
        }
    }
    Ok(())
}
