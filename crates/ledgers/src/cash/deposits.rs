//! Bank deposits.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_platform::audit::Editor;
use larder_platform::http::scope::OfStore;
use larder_platform::http::text::mark;

/// The part of a deposit that is cash of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = DepositDay)]
pub struct DayPart {
    pub business_date: BusinessDay,
    pub amount: Money,
}

/// A stored deposit.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = CashDeposit)]
pub struct Deposit {
    pub id: String,
    pub store_id: String,
    pub deposited_on: BusinessDay,
    pub amount: Money,
    pub bank: String,
    /// The slip number.
    pub reference: String,
    /// Ids of its photos.
    #[schema(value_type = Vec<String>)]
    pub photos: Json<Vec<String>>,
    pub notes: String,
    /// Why it was voided.
    pub void_reason: Option<String>,
    pub revision: i64,
    pub created_at: Timestamp,
    #[schema(value_type = Editor)]
    pub created_by: Json<Editor>,
    pub updated_at: Timestamp,
    #[schema(value_type = Editor)]
    pub updated_by: Json<Editor>,
    /// The cash it contains, by day.
    #[sqlx(skip)]
    pub days: Vec<DayPart>,
}

impl OfStore for Deposit {
    fn store_id(&self) -> Option<&str> {
        Some(&self.store_id)
    }
}

/// A deposit to save.
#[derive(Debug, Clone)]
pub struct Draft {
    pub store_id: String,
    pub deposited_on: BusinessDay,
    pub amount: Money,
    pub bank: String,
    pub reference: String,
    pub photos: Vec<String>,
    pub notes: String,
    /// Sums to the amount.
    pub days: Vec<DayPart>,
    /// Whether it was confirmed as distinct from one that looks the same.
    pub another: bool,
}

const SELECT: &str = "select id, store_id, deposited_on, amount, bank, reference, photos, notes, void_reason, \
     revision, created_at, created_by, updated_at, updated_by from cash_deposits d";

/// A deposit, read in the transaction.
///
/// # Errors
/// If the database fails.
pub async fn find_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Deposit>, DbError> {
    let found: Option<Deposit> = tx.sql(SELECT).push(" where id = $1").bind(id).optional().await?;
    let Some(mut found) = found else { return Ok(None) };
    let days =
        "select business_date, amount from cash_deposit_days where deposit_id = $1 order by business_date";
    found.days = tx.sql(days).bind(id).all().await?;
    Ok(Some(found))
}

/// A deposit by id.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, id: &str) -> Result<Option<Deposit>, DbError> {
    let found: Option<Deposit> = db.sql(SELECT).push(" where id = $1").bind(id).optional().await?;
    let Some(found) = found else { return Ok(None) };
    Ok(with_days(db, vec![found]).await?.pop())
}

/// A store's deposits with cash of a day, including voided ones, in order of entry.
///
/// # Errors
/// If the database fails.
pub async fn of_day(db: &Db, store_id: &str, day: BusinessDay) -> Result<Vec<Deposit>, DbError> {
    let query = db.sql(SELECT).push(
        " where store_id = $1 and exists (select 1 from cash_deposit_days p
            where p.deposit_id = d.id and p.business_date = $2) order by created_at, id",
    );
    with_days(db, query.bind(store_id).bind(day).all().await?).await
}

async fn with_days(db: &Db, mut found: Vec<Deposit>) -> Result<Vec<Deposit>, DbError> {
    let ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
    let days: Vec<(String, BusinessDay, Money)> = db
        .sql("select deposit_id, business_date, amount from cash_deposit_days where deposit_id in ")
        .push_ids(&ids)
        .push(" order by business_date")
        .all()
        .await?;
    for (deposit, business_date, amount) in days {
        if let Some(one) = found.iter_mut().find(|one| one.id == deposit) {
            one.days.push(DayPart { business_date, amount });
        }
    }
    Ok(found)
}

/// An active deposit that a draft may duplicate.
#[derive(Debug)]
pub enum Known {
    /// Same slip, bank and day.
    Slip(Deposit),
    /// Same amount, bank and day, and one of the two has no slip number.
    Amount(Deposit),
}

/// The active deposit a draft may duplicate, other than `id`.
///
/// # Errors
/// If the database fails.
pub async fn known(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<Option<Known>, DbError> {
    let query = tx.sql(SELECT).push(
        " where store_id = $1 and deposited_on = $2 and id <> $3 and void_reason is null order by created_at, id",
    );
    let mut all: Vec<Deposit> = query.bind(&draft.store_id).bind(draft.deposited_on).bind(id).all().await?;
    let (bank, slip) = (mark(&draft.bank), mark(&draft.reference));
    all.retain(|one| mark(&one.bank) == bank);
    if let Some(at) = all.iter().position(|one| !slip.is_empty() && mark(&one.reference) == slip) {
        return Ok(Some(Known::Slip(all.swap_remove(at))));
    }
    let alike = |one: &Deposit| one.amount == draft.amount && (slip.is_empty() || one.reference.is_empty());
    Ok(all.iter().position(alike).map(|at| Known::Amount(all.swap_remove(at))))
}

/// Unique key of active deposits. `None` if confirmed as distinct from one of the same amount.
fn slip_key(draft: &Draft) -> Option<String> {
    let slip = mark(&draft.reference);
    let what = match (slip.is_empty(), draft.another) {
        (false, _) => format!("slip {slip}"),
        (true, false) => format!("amount {}", draft.amount.0),
        (true, true) => return None,
    };
    Some(format!("{}|{}|{}|{what}", draft.store_id, draft.deposited_on, mark(&draft.bank)))
}

/// Inserts a deposit.
///
/// # Errors
/// If the statement fails: a violation at `slip_key` where another one counts already.
pub async fn insert(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<(), DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    tx.sql(
        "insert into cash_deposits (id, store_id, deposited_on, amount, bank, reference, photos, notes, revision,
           created_at, created_by, updated_at, updated_by, slip_key)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10, $9, $10, $11)",
    )
    .bind(id)
    .bind(&draft.store_id)
    .bind(draft.deposited_on)
    .bind(draft.amount)
    .bind(&draft.bank)
    .bind(&draft.reference)
    .bind(Json(&draft.photos))
    .bind(&draft.notes)
    .bind(at)
    .bind(Json(&by))
    .bind(slip_key(draft))
    .execute()
    .await?;
    insert_days(tx, id, draft).await
}

async fn insert_days(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> Result<(), DbError> {
    let store = &draft.store_id;
    let rows: Vec<(String, String, BusinessDay, Money)> =
        draft.days.iter().map(|day| (id.to_owned(), store.clone(), day.business_date, day.amount)).collect();
    let columns = ["deposit_id", "store_id", "business_date", "amount"];
    tx.insert_rows("cash_deposit_days", &columns, rows, "").await?;
    Ok(())
}

/// Updates a deposit; `false` if its revision has changed. `other`: its identity has changed.
///
/// # Errors
/// If the statement fails: a violation at `slip_key` where another one counts already.
pub async fn update(
    tx: &mut Tx<'_>,
    id: &str,
    revision: i64,
    draft: &Draft,
    other: bool,
) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let mut query = tx
        .sql(
            "update cash_deposits set deposited_on = $1, amount = $2, bank = $3, reference = $4, photos = $5, notes = $6,
               revision = revision + 1, updated_at = $7, updated_by = $8",
        )
        .bind(draft.deposited_on)
        .bind(draft.amount)
        .bind(&draft.bank)
        .bind(&draft.reference)
        .bind(Json(&draft.photos))
        .bind(&draft.notes)
        .bind(at)
        .bind(Json(&by));
    if other {
        query = query.push(", slip_key = ").push_bind(slip_key(draft));
    }
    let query = query.push(" where id = ").push_bind(id).push(" and revision = ").push_bind(revision);
    let changed = query.push(" and void_reason is null").execute().await?;
    if changed != 1 {
        return Ok(false);
    }
    tx.sql("delete from cash_deposit_days where deposit_id = $1").bind(id).execute().await?;
    insert_days(tx, id, draft).await?;
    Ok(true)
}

/// Voids a deposit; `false` if its revision has changed.
///
/// # Errors
/// If the statement fails.
pub async fn void(tx: &mut Tx<'_>, id: &str, revision: i64, reason: &str) -> Result<bool, DbError> {
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    let changed = tx
        .sql(
            "update cash_deposits set void_reason = $1, slip_key = null, revision = revision + 1, updated_at = $2, updated_by = $3
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
