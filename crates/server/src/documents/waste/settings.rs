//! Above what it is worth waste waits for approval.

use larder_db::{Change, ChangeAction, Db, Json, Tx};
use larder_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::Editor;
use crate::http::{ApiError, ApiResult, Who};

/// The one row's id.
const ID: &str = "waste";

/// The rules of waste.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WasteSettings {
    /// Waste that is worth more waits for approval; without it none does.
    #[serde(default)]
    pub approval_above: Option<Money>,
    /// The revision that was seen.
    #[serde(default)]
    pub revision: i64,
    #[serde(default, skip_deserializing)]
    #[schema(read_only)]
    pub updated_at: Option<Timestamp>,
    #[serde(default, skip_deserializing)]
    #[schema(read_only)]
    pub updated_by: Option<Editor>,
}

#[derive(larder_db::FromRow)]
struct Kept {
    approval_above: Option<Money>,
    revision: i64,
    updated_at: Timestamp,
    updated_by: Option<Json<Editor>>,
}

const SELECT: &str =
    "select approval_above, revision, updated_at, updated_by from waste_settings where id = $1";

impl From<Option<Kept>> for WasteSettings {
    fn from(kept: Option<Kept>) -> Self {
        kept.map_or_else(Self::default, |kept| Self {
            approval_above: kept.approval_above,
            revision: kept.revision,
            updated_at: Some(kept.updated_at),
            updated_by: kept.updated_by.map(|by| by.0),
        })
    }
}

/// The rules, inside a transaction.
///
/// # Errors
/// When the database does not answer.
pub async fn read(tx: &mut Tx<'_>) -> ApiResult<WasteSettings> {
    Ok(tx.sql(SELECT).bind(ID).optional::<Kept>().await?.into())
}

/// The rules as they stand now.
///
/// # Errors
/// When the database does not answer.
pub async fn get(db: &Db) -> ApiResult<WasteSettings> {
    Ok(db.sql(SELECT).bind(ID).optional::<Kept>().await?.into())
}

/// Changes them.
///
/// # Errors
/// 409 for an old revision, 422 for an amount below nothing.
pub async fn put(tx: &mut Tx<'_>, who: &Who, wished: &WasteSettings) -> ApiResult<WasteSettings> {
    if wished.approval_above.is_some_and(|above| above.0 < 0) {
        return Err(ApiError::field("approvalAbove", "Enter zero or more."));
    }
    let before = read(tx).await?;
    if before.revision != wished.revision {
        let name = before.updated_by.as_ref().map(|by| by.name.clone()).unwrap_or_default();
        return Err(ApiError::stale(&name, serde_json::to_value(&before).unwrap_or_default()));
    }
    let by = Editor::from(&who.actor());
    tx.sql(
        "insert into waste_settings (id, approval_above, revision, updated_at, updated_by) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set approval_above = excluded.approval_above, revision = excluded.revision,
           updated_at = excluded.updated_at, updated_by = excluded.updated_by",
    )
    .bind(ID)
    .bind(wished.approval_above)
    .bind(before.revision + 1)
    .bind(who.at)
    .bind(Json(&by))
    .execute()
    .await?;
    let told = |settings: &WasteSettings| json!({ "approvalAbove": settings.approval_above });
    let after = WasteSettings {
        approval_above: wished.approval_above,
        revision: before.revision + 1,
        updated_at: Some(who.at),
        updated_by: Some(by),
    };
    tx.record(Change {
        kind: "wasteSettings",
        id: ID.to_owned(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(told(&before)),
        after: Some(told(&after)),
    })
    .await?;
    Ok(after)
}
