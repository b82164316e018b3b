//! The tolerance of comparisons between figures of a day's money, kept as the setting `sales`.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Reader, Tx};
use larder_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// Entity type in events and history.
pub const KIND: &str = "tenderSettings";
const NAME: &str = "sales";
/// The tolerance until a user changes it: ₱1.
const TOLERANCE: Money = Money(100);
/// The largest tolerance: ₱10,000.
const MAX_TOLERANCE: Money = Money(1_000_000);

/// Settings of the tender report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TenderSettings)]
pub struct Settings {
    /// The largest difference between two figures that still agree, in pesos.
    pub tolerance: Money,
    /// Number of changes.
    pub revision: i64,
    pub updated_at: Option<Timestamp>,
    pub updated_by: Option<Editor>,
}

/// As stored; the tolerance in centavos.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    tolerance: i64,
    revision: i64,
    updated_by: Editor,
}

impl Settings {
    fn of(kept: Option<(Json<Kept>, Timestamp)>) -> Self {
        let Some((Json(kept), at)) = kept else {
            return Self { tolerance: TOLERANCE, revision: 0, updated_at: None, updated_by: None };
        };
        Self {
            tolerance: Money(kept.tolerance),
            revision: kept.revision,
            updated_at: Some(at),
            updated_by: Some(kept.updated_by),
        }
    }
}

const SELECT: &str = "select value, updated_at from settings where name = $1";

/// The settings.
///
/// # Errors
/// If the database fails.
pub async fn read(db: &Db) -> Result<Settings, DbError> {
    read_from(&mut Reader::Db(db)).await
}

/// As [`read`], inside a transaction too.
///
/// # Errors
/// If the database fails.
pub async fn read_from(on: &mut Reader<'_, '_>) -> Result<Settings, DbError> {
    Ok(Settings::of(on.sql(SELECT).bind(NAME).optional().await?))
}

/// Changes the tolerance of all stores.
///
/// # Errors
/// 409 for an old revision, 422 for an invalid tolerance.
pub async fn put(tx: &mut Tx<'_>, tolerance: Money, revision: i64) -> ApiResult<Settings> {
    if tolerance < Money(0) || tolerance > MAX_TOLERANCE {
        return Err(ApiError::field("tolerance", "Enter an amount from 0 to 10,000."));
    }
    let before = Settings::of(tx.sql(SELECT).bind(NAME).optional().await?);
    if before.revision != revision {
        let name = before.updated_by.as_ref().map_or("someone", |by| by.name.as_str());
        return Err(ApiError::stale(name, json!(before)));
    }
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let kept = Kept { tolerance: tolerance.0, revision: before.revision + 1, updated_by: by };
    tx.sql(
        "insert into settings (name, value, updated_at) values ($1, $2, $3)
         on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(NAME)
    .bind(Json(&kept))
    .bind(at)
    .execute()
    .await?;
    let snapshot = |tolerance: Money| json!({ "tolerance": tolerance });
    tx.record(Change {
        kind: KIND,
        id: NAME.to_owned(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(snapshot(before.tolerance)),
        after: Some(snapshot(tolerance)),
    })
    .await?;
    Ok(Settings::of(Some((Json(kept), at))))
}
