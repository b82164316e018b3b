//! What somebody counted in a drawer.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::audit::Editor;
use larder_platform::http::scope::OfStore;

/// Notes or coins of one denomination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CashPieces)]
pub struct Pieces {
    /// What one is worth, in pesos: 1000 to 0.01.
    pub denomination: Money,
    /// How many.
    pub pieces: i64,
}

/// What was taken in otherwise than in cash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DeclaredTender)]
pub struct Tender {
    /// `card`, `eWallet`, `voucher` or `onAccount`.
    pub kind: String,
    pub amount: Money,
}

/// A declaration as it is kept.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = CashDeclaration)]
pub struct Declaration {
    pub id: String,
    pub store_id: String,
    pub business_date: BusinessDay,
    /// The till it was counted at; empty for the store as a whole.
    pub terminal_id: String,
    #[schema(value_type = Vec<Pieces>)]
    pub pieces: Json<Vec<Pieces>>,
    /// What all pieces come to.
    pub cash: Money,
    #[schema(value_type = Vec<Tender>)]
    pub tenders: Json<Vec<Tender>>,
    pub notes: String,
    /// Ids of its pictures.
    #[schema(value_type = Vec<String>)]
    pub photos: Json<Vec<String>>,
    /// When it was counted, by the clock of the device.
    pub counted_at: Timestamp,
    /// Why it counts for nothing.
    pub void_reason: Option<String>,
    pub revision: i64,
    pub created_at: Timestamp,
    #[schema(value_type = Editor)]
    pub created_by: Json<Editor>,
    pub updated_at: Timestamp,
    #[schema(value_type = Editor)]
    pub updated_by: Json<Editor>,
}

impl OfStore for Declaration {
    fn store_id(&self) -> Option<&str> {
        Some(&self.store_id)
    }
}

/// What is said of a drawer.
#[derive(Debug, Clone)]
pub struct Draft {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub terminal_id: String,
    pub pieces: Vec<Pieces>,
    pub cash: Money,
    pub tenders: Vec<Tender>,
    pub notes: String,
    pub photos: Vec<String>,
    pub counted_at: Timestamp,
}

const SELECT: &str = "select id, store_id, business_date, terminal_id, pieces, cash, tenders, notes, photos, \
     counted_at, void_reason, revision, created_at, created_by, updated_at, updated_by from cash_declarations";

/// One, inside the transaction that changes it.
///
/// # Errors
/// When the database does not answer.
pub async fn find_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Declaration>, DbError> {
    tx.sql(SELECT).push(" where id = $1").bind(id).optional().await
}

/// One.
///
/// # Errors
/// When the database does not answer.
pub async fn find(db: &Db, id: &str) -> Result<Option<Declaration>, DbError> {
    db.sql(SELECT).push(" where id = $1").bind(id).optional().await
}

/// A store's declarations of a day, those that count for nothing too, as they came.
///
/// # Errors
/// When the database does not answer.
pub async fn of_day(db: &Db, store_id: &str, day: BusinessDay) -> Result<Vec<Declaration>, DbError> {
    let query = db.sql(SELECT).push(" where store_id = $1 and business_date = $2 order by created_at, id");
    query.bind(store_id).bind(day).all().await
}

/// Those that count of a store's till and day, held until the transaction ends. One, except where two were written before
/// a declaration replaced the one before it.
///
/// # Errors
/// When the database does not answer.
pub async fn counting(tx: &mut Tx<'_>, draft: &Draft) -> Result<Vec<Declaration>, DbError> {
    let query = tx
        .sql(SELECT)
        .push(" where store_id = $1 and business_date = $2 and void_reason is null order by created_at, id");
    let all: Vec<Declaration> = query.bind(&draft.store_id).bind(draft.business_date).all().await?;
    Ok(all.into_iter().filter(|one| same_drawer(one, draft)).collect())
}

/// Whether a declaration is of the same store, day and till as a draft.
#[must_use]
pub fn same_drawer(one: &Declaration, draft: &Draft) -> bool {
    key_of(&one.store_id, one.business_date, &one.terminal_id) == live_key(draft)
}

fn live_key(draft: &Draft) -> String {
    key_of(&draft.store_id, draft.business_date, &draft.terminal_id)
}

fn key_of(store_id: &str, day: BusinessDay, terminal_id: &str) -> String {
    format!("{store_id}|{day}|{}", super::settlements::key_of(terminal_id))
}

/// Writes a new one.
///
/// # Errors
/// When the database refuses it: a violation at `live_key` where another one counts already.
pub async fn insert(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<(), DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    tx.sql(
        "insert into cash_declarations (id, store_id, business_date, terminal_id, pieces, cash, tenders, notes, photos,
           counted_at, revision, created_at, created_by, updated_at, updated_by, live_key)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12, $11, $12, $13)",
    )
    .bind(id)
    .bind(&draft.store_id)
    .bind(draft.business_date)
    .bind(&draft.terminal_id)
    .bind(Json(&draft.pieces))
    .bind(draft.cash)
    .bind(Json(&draft.tenders))
    .bind(&draft.notes)
    .bind(Json(&draft.photos))
    .bind(draft.counted_at)
    .bind(at)
    .bind(Json(&by))
    .bind(live_key(draft))
    .execute()
    .await?;
    Ok(())
}

/// Writes other figures into one of this revision; whether it was of that. `moved`: of another till or day than before.
///
/// # Errors
/// When the database refuses it: a violation at `live_key` where another one counts already.
pub async fn update(
    tx: &mut Tx<'_>,
    id: &str,
    revision: i64,
    draft: &Draft,
    moved: bool,
) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let mut query = tx
        .sql(
            "update cash_declarations set business_date = $1, terminal_id = $2, pieces = $3, cash = $4, tenders = $5,
               notes = $6, photos = $7, revision = revision + 1, updated_at = $8, updated_by = $9",
        )
        .bind(draft.business_date)
        .bind(&draft.terminal_id)
        .bind(Json(&draft.pieces))
        .bind(draft.cash)
        .bind(Json(&draft.tenders))
        .bind(&draft.notes)
        .bind(Json(&draft.photos))
        .bind(at)
        .bind(Json(&by));
    if moved {
        query = query.push(", live_key = ").push_bind(live_key(draft));
    }
    let query = query.push(" where id = ").push_bind(id).push(" and revision = ").push_bind(revision);
    let changed = query.push(" and void_reason is null").execute().await?;
    Ok(changed == 1)
}

/// Makes one of this revision count for nothing; whether it was of that.
///
/// # Errors
/// When the database refuses it.
pub async fn void(tx: &mut Tx<'_>, id: &str, revision: i64, reason: &str) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let changed = tx
        .sql(
            "update cash_declarations set void_reason = $1, live_key = null, revision = revision + 1, updated_at = $2, updated_by = $3
             where id = $4 and revision = $5 and void_reason is null",
        )
        .bind(reason)
        .bind(at)
        .bind(Json(&by))
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(changed == 1)
}
