//! Totals of the ledger by store, day and payment kind.

use larder_db::{Db, DbError, Json};
use larder_domain::{BusinessDay, Money, Span};

use super::declarations::Tender;

/// Declared takings of a store day.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Declared {
    pub store_id: String,
    pub business_date: BusinessDay,
    /// Empty for the whole store.
    pub terminal_id: String,
    pub cash: Money,
    pub tenders: Json<Vec<Tender>>,
}

/// Active declarations of some stores and days.
///
/// # Errors
/// If the database fails.
pub async fn declared(db: &Db, stores: &[String], span: Span) -> Result<Vec<Declared>, DbError> {
    db.sql(
        "select store_id, business_date, terminal_id, cash, tenders from cash_declarations
         where void_reason is null and business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .all()
    .await
}

/// Deposits for a store day.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Deposited {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub amount: Money,
    /// Date of the last one.
    pub last_on: BusinessDay,
}

/// Deposits for the cash of some stores and days.
///
/// # Errors
/// If the database fails.
pub async fn deposited(db: &Db, stores: &[String], span: Span) -> Result<Vec<Deposited>, DbError> {
    db.sql(
        "select p.store_id, p.business_date, cast(sum(p.amount) as bigint) as amount, max(d.deposited_on) as last_on
         from cash_deposit_days p join cash_deposits d on d.id = p.deposit_id
         where d.void_reason is null and p.business_date between $1 and $2 and p.store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by p.store_id, p.business_date")
    .all()
    .await
}

/// Settlements of a store's day and kind.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Settled {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub kind: String,
    pub label: String,
    pub gross: Money,
    pub fee: Money,
}

/// Settlements for the sales of some stores and days.
///
/// # Errors
/// If the database fails.
pub async fn settled(db: &Db, stores: &[String], span: Span) -> Result<Vec<Settled>, DbError> {
    db.sql(
        "select store_id, business_date, kind, label, cast(sum(gross) as bigint) as gross,
           cast(sum(fee) as bigint) as fee
         from cash_settlement_lines where business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by store_id, business_date, kind, label")
    .all()
    .await
}
