//! Idempotent creates: a retry gets the first response.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode};
use larder_db::Json;
use larder_db::{Actor, Db, DbError, Tx};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::ApiError;

/// How long a response is kept: longer than any client retries.
const KEPT_MS: i64 = 7 * 86_400_000;

/// The member of a body that says what the device's clock shows: it differs in every try of one request.
const SENT_AT: &str = "sentAt";

/// Identity of a request for retries.
#[derive(Debug, Clone)]
pub struct Key {
    key: String,
    operation: String,
    body_hash: String,
}

impl Key {
    /// From the header `Idempotency-Key`, if present.
    ///
    /// # Errors
    /// If the header is malformed.
    pub fn of(
        headers: &HeaderMap,
        operation: String,
        body: &Map<String, Value>,
    ) -> Result<Option<Self>, ApiError> {
        let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
        let key = value.to_str().unwrap_or_default();
        if key.is_empty() || key.len() > 200 {
            return Err(ApiError::bad_request("Idempotency-Key is 1 to 200 printable ASCII characters."));
        }
        let same = if body.contains_key(SENT_AT) {
            let mut same = body.clone();
            same.shift_remove(SENT_AT);
            Cow::Owned(same)
        } else {
            Cow::Borrowed(body)
        };
        let mut hash = Sha256::new();
        hash.update(serde_json::to_vec(same.as_ref()).map_err(ApiError::internal)?);
        let body_hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Some(Self { key: key.to_owned(), operation, body_hash }))
    }

    /// The stored response, if this is a retry.
    ///
    /// # Errors
    /// 422 if the key was used for another request.
    pub async fn answered(&self, tx: &mut Tx<'_>) -> Result<Option<Value>, ApiError> {
        let uid = tx.actor().uid.clone();
        let kept: Option<(String, String, Json<Value>)> = tx
            .sql("select operation, body_hash, body from idempotency_keys where uid = $1 and key = $2")
            .bind(uid)
            .bind(&self.key)
            .optional()
            .await?;
        match kept {
            None => Ok(None),
            Some((operation, hash, body)) if operation == self.operation && hash == self.body_hash => {
                Ok(Some(body.0))
            }
            Some(_) => Err(ApiError::unprocessable(
                "keyReused",
                "This Idempotency-Key was used for another request; make a new one.",
            )),
        }
    }

    /// Stores the response and deletes expired ones.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn keep(&self, tx: &mut Tx<'_>, answer: &Value) -> Result<(), DbError> {
        let (uid, at) = (tx.actor().uid.clone(), tx.actor().at);
        tx.sql(
            "insert into idempotency_keys (uid, key, operation, body_hash, status, body, created_at) \
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(uid)
        .bind(&self.key)
        .bind(&self.operation)
        .bind(&self.body_hash)
        .bind(i64::from(StatusCode::CREATED.as_u16()))
        .bind(Json(answer))
        .bind(at)
        .execute()
        .await?;
        tx.sql("delete from idempotency_keys where created_at < $1")
            .bind(at.plus_ms(-KEPT_MS))
            .execute()
            .await?;
        Ok(())
    }
}

/// Runs a create once per key: a retry with the same body gets the first response.
///
/// # Errors
/// Those of the create, or 422 if the key was used for another body.
pub async fn once<F>(db: &Db, actor: &Actor, key: Option<&Key>, create: F) -> Result<Value, ApiError>
where
    F: AsyncFnOnce(&mut Tx<'_>) -> Result<Value, ApiError> + Clone,
{
    let written = db
        .write(actor, async |tx| {
            if let Some(key) = key
                && let Some(answer) = key.answered(tx).await?
            {
                return Ok(answer);
            }
            let answer = create.clone()(tx).await?;
            if let Some(key) = key {
                key.keep(tx, &answer).await?;
            }
            Ok::<Value, ApiError>(answer)
        })
        .await;
    let (Err(refusal), Some(key)) = (&written, key) else { return written };
    if refusal.status != StatusCode::CONFLICT {
        return written;
    }
    // Two concurrent attempts: the one that lost reads what the other wrote.
    let first = db.write(actor, async |tx| key.answered(tx).await).await?;
    first.map_or(written, Ok)
}
