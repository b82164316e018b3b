//! Cash counted in drawers.

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
    /// Face value in pesos: 1000 to 0.01.
    pub denomination: Money,
    pub pieces: i64,
}

/// Non-cash takings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DeclaredTender)]
pub struct Tender {
    pub kind: String,
    pub amount: Money,
}

/// A stored declaration.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = CashDeclaration)]
pub struct Declaration {
    pub id: String,
    pub store_id: String,
    pub business_date: BusinessDay,
    /// The till it was counted at; empty for the whole store.
    pub terminal_id: String,
    #[schema(value_type = Vec<Pieces>)]
    pub pieces: Json<Vec<Pieces>>,
    /// Total of all pieces.
    pub cash: Money,
    #[schema(value_type = Vec<Tender>)]
    pub tenders: Json<Vec<Tender>>,
    pub notes: String,
    /// Ids of its photos.
    #[schema(value_type = Vec<String>)]
    pub photos: Json<Vec<String>>,
    /// Time of the count on the device's clock.
    pub counted_at: Timestamp,
    /// Why it was voided.
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

/// A declaration to save.
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

/// A declaration, read in the transaction.
///
/// # Errors
/// If the database fails.
pub async fn find_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Declaration>, DbError> {
    tx.sql(SELECT).push(" where id = $1").bind(id).optional().await
}

/// A declaration by id.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, id: &str) -> Result<Option<Declaration>, DbError> {
    db.sql(SELECT).push(" where id = $1").bind(id).optional().await
}

/// A store's declarations of a day, including voided ones, in order of entry.
///
/// # Errors
/// If the database fails.
pub async fn of_day(db: &Db, store_id: &str, day: BusinessDay) -> Result<Vec<Declaration>, DbError> {
    let query = db.sql(SELECT).push(" where store_id = $1 and business_date = $2 order by created_at, id");
    query.bind(store_id).bind(day).all().await
}

/// Active declarations of a store's till and day, locked until the transaction ends. One, except where two
/// date from before a declaration replaced the previous one.
///
/// # Errors
/// If the database fails.
pub async fn counting(tx: &mut Tx<'_>, draft: &Draft) -> Result<Vec<Declaration>, DbError> {
    let query = tx
        .sql(SELECT)
        .push(" where store_id = $1 and business_date = $2 and void_reason is null order by created_at, id");
    let all: Vec<Declaration> = query.bind(&draft.store_id).bind(draft.business_date).all().await?;
    Ok(all.into_iter().filter(|one| same_drawer(one, draft)).collect())
}

/// Whether a declaration has the store, day and till of a draft.
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

/// Inserts a declaration.
///
/// # Errors
/// If the statement fails: a violation at `live_key` where another one counts already.
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

/// Updates a declaration; `false` if its revision has changed. `moved`: to another till or day.
///
/// # Errors
/// If the statement fails: a violation at `live_key` where another one counts already.
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

/// Voids a declaration; `false` if its revision has changed.
///
/// # Errors
/// If the statement fails.
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
