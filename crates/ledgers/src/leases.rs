//! Store leases. The only writer of `leases`.

use larder_db::{Db, DbError, Json, Reader, Tx};
use larder_domain::cmsr::Terms;
use larder_domain::{BusinessDay, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use larder_platform::audit::Editor;
use larder_platform::http::scope::OfStore;

/// A stored lease.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    pub id: String,
    pub store_id: String,
    /// First day.
    pub valid_from: BusinessDay,
    /// Last day; `None` if open-ended.
    pub valid_to: Option<BusinessDay>,
    #[schema(value_type = Terms)]
    pub terms: Json<Terms>,
    pub notes: String,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[schema(value_type = Editor)]
    pub updated_by: Json<Editor>,
}

impl OfStore for Lease {
    fn store_id(&self) -> Option<&str> {
        Some(&self.store_id)
    }
}

/// A lease to save.
#[derive(Debug, Clone)]
pub struct Draft {
    pub store_id: String,
    pub valid_from: BusinessDay,
    pub valid_to: Option<BusinessDay>,
    pub terms: Terms,
    pub notes: String,
}

const SELECT: &str = "select id, store_id, valid_from, valid_to, terms, notes, revision, created_at, updated_at, \
     updated_by from leases";

/// The leases of some stores, by store, newest first.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, stores: &[String]) -> Result<Vec<Lease>, DbError> {
    of_from(&mut Reader::Db(db), stores).await
}

/// As [`of`], there.
///
/// # Errors
/// If the database fails.
pub async fn of_from(on: &mut Reader<'_, '_>, stores: &[String]) -> Result<Vec<Lease>, DbError> {
    on.sql(SELECT)
        .push(" where store_id in ")
        .push_ids(stores)
        .push(" order by store_id, valid_from desc")
        .all()
        .await
}

/// A lease, read in the transaction.
///
/// # Errors
/// If the database fails.
pub async fn find_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Lease>, DbError> {
    tx.sql(SELECT).push(" where id = $1").bind(id).optional().await
}

/// Another lease of the store in force on any of the draft's days.
///
/// # Errors
/// If the database fails.
pub async fn overlapping(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<Option<Lease>, DbError> {
    let last = draft.valid_to.unwrap_or(BusinessDay(i32::MAX));
    tx.sql(SELECT)
        .push(
            " where store_id = $1 and id <> $2 and valid_from <= $3 and (valid_to is null or valid_to >= $4)
              order by valid_from limit 1",
        )
        .bind(&draft.store_id)
        .bind(id)
        .bind(last)
        .bind(draft.valid_from)
        .optional()
        .await
}

/// Whether the store exists.
///
/// # Errors
/// If the database fails.
pub async fn store_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> =
        tx.sql("select id from locations where id = $1").bind(id).optional().await?;
    Ok(found.is_some())
}

/// Inserts a lease.
///
/// # Errors
/// If the statement fails.
pub async fn insert(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<(), DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    tx.sql(
        "insert into leases (id, store_id, valid_from, valid_to, terms, notes, revision, created_at, updated_at,
           updated_by)
         values ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8)",
    )
    .bind(id)
    .bind(&draft.store_id)
    .bind(draft.valid_from)
    .bind(draft.valid_to)
    .bind(Json(&draft.terms))
    .bind(&draft.notes)
    .bind(at)
    .bind(Json(&by))
    .execute()
    .await?;
    Ok(())
}

/// Updates a lease; `false` if its revision has changed.
///
/// # Errors
/// If the statement fails.
pub async fn update(tx: &mut Tx<'_>, id: &str, revision: i64, draft: &Draft) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let changed = tx
        .sql(
            "update leases set valid_from = $1, valid_to = $2, terms = $3, notes = $4, revision = revision + 1,
               updated_at = $5, updated_by = $6
             where id = $7 and revision = $8",
        )
        .bind(draft.valid_from)
        .bind(draft.valid_to)
        .bind(Json(&draft.terms))
        .bind(&draft.notes)
        .bind(at)
        .bind(Json(&by))
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(changed == 1)
}

/// Deletes a lease. Certified months keep its terms.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    tx.sql("delete from leases where id = $1").bind(id).execute().await?;
    Ok(())
}
