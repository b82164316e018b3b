//! Configurable limits of documents, each with a revision and history.

use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Db, Json, Tx};
use larder_domain::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize as _, Deserializer, Serialize};
use serde_json::Value;

use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};

/// A rule in the API.
pub trait Rule: Serialize + From<Kept> {
    const ID: &'static str;
    /// Its entity type.
    const KIND: &'static str;

    /// The value; `None` for the default.
    fn value(&self) -> Option<i64>;

    /// The revision being changed.
    fn revision(&self) -> i64;

    /// Why the value is invalid.
    fn refusal(&self) -> Option<FieldError>;

    /// Audit snapshot.
    fn told(&self) -> Value;
}

/// A stored rule.
#[derive(Debug, Clone, Default, larder_db::FromRow)]
pub struct Kept {
    /// The value, in the rule's unit.
    pub value: Option<i64>,
    /// Counted from 1; 0 for the default.
    pub revision: i64,
    /// When it was last changed.
    pub updated_at: Option<Timestamp>,
    pub updated_by: Option<Json<Editor>>,
}

/// A member that a body may send back and that is not read. The contract tells it: it would not with `skip_deserializing`.
pub(super) fn ignored<'de, D: Deserializer<'de>, T: Default>(from: D) -> Result<T, D::Error> {
    IgnoredAny::deserialize(from).map(|_| T::default())
}

const SELECT: &str = "select value, revision, updated_at, updated_by from document_rules where id = $1";

/// The rule, inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn read<R: Rule>(tx: &mut Tx<'_>) -> ApiResult<R> {
    Ok(tx.sql(SELECT).bind(R::ID).optional::<Kept>().await?.unwrap_or_default().into())
}

/// The current rule.
///
/// # Errors
/// If the database fails.
pub async fn get<R: Rule>(db: &Db) -> ApiResult<R> {
    Ok(db.sql(SELECT).bind(R::ID).optional::<Kept>().await?.unwrap_or_default().into())
}

/// Changes it. It applies to all stores, so only users of all stores may.
///
/// # Errors
/// 403 for users of some stores, 409 for an old revision, 422 for an invalid value.
pub async fn put<R: Rule>(tx: &mut Tx<'_>, who: &Who, wished: &R) -> ApiResult<R> {
    if who.stores(None)?.is_some() {
        let words = "This holds for all stores, so only people of all stores can change it.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words));
    }
    if let Some(refusal) = wished.refusal() {
        return Err(ApiError::invalid(vec![refusal]));
    }
    let before: R = read(tx).await?;
    let kept = Kept {
        value: wished.value(),
        revision: before.revision() + 1,
        updated_at: Some(who.at),
        updated_by: Some(Json(Editor::from(&who.actor()))),
    };
    // The revision is in the statement itself, so that one of two concurrent changes fails.
    let changed = tx
        .sql(
            "insert into document_rules (id, value, revision, updated_at, updated_by) values ($1, $2, $3, $4, $5)
             on conflict (id) do update set value = excluded.value, revision = excluded.revision,
               updated_at = excluded.updated_at, updated_by = excluded.updated_by
             where document_rules.revision = $6",
        )
        .bind(R::ID)
        .bind(kept.value)
        .bind(kept.revision)
        .bind(who.at)
        .bind(&kept.updated_by)
        .bind(wished.revision())
        .execute()
        .await?;
    if changed == 0 || before.revision() != wished.revision() {
        let now: Option<Kept> = tx.sql(SELECT).bind(R::ID).optional().await?;
        let name = now.as_ref().and_then(|kept| kept.updated_by.as_ref()).map(|by| by.0.name.clone());
        let now = R::from(now.unwrap_or_default());
        return Err(ApiError::stale(
            &name.unwrap_or_default(),
            serde_json::to_value(&now).unwrap_or_default(),
        ));
    }
    let after = R::from(kept);
    tx.record(Change {
        kind: R::KIND,
        id: R::ID.to_owned(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(before.told()),
        after: Some(after.told()),
    })
    .await?;
    Ok(after)
}
