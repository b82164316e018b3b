//! The SQL of this feature.

use larder_db::{Db, DbError, Tx};
use larder_domain::{BusinessDay, Money, Qty, Span};

use crate::http::{ApiError, ApiResult};

/// Stores by name, closed ones too: their days stay.
pub(super) async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql("select id, name from locations");
    let query = match wished {
        Some(ids) => query.push(" where id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// What tills' receipts say of a store's day, by their own word for it.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct PosTender {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub source: String,
    pub label: String,
    pub amount: Money,
    pub receipts: i64,
}

/// How imported sales of some stores and days were paid.
pub(super) async fn pos(db: &Db, stores: &[String], span: Span) -> Result<Vec<PosTender>, DbError> {
    db.sql(
        "select store_id, business_date, source, kind as label, cast(sum(amount) as bigint) as amount,
           cast(count(*) as bigint) as receipts
         from sales_tenders where business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" group by store_id, business_date, source, kind order by store_id, business_date, source, kind")
    .all()
    .await
}

/// Net sales by source and till, of store-days that came from several sources.
pub(super) async fn tills_of_several(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, String, String, Money)>, DbError> {
    db.sql(
        "select store_id, business_date, source, terminal_id, net from sales_tills t
         where business_date between $1 and $2 and exists (select 1 from sales_days d
           where d.store_id = t.store_id and d.business_date = t.business_date and d.source <> t.source)
           and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" order by store_id, business_date, source, terminal_id")
    .all()
    .await
}

/// A way of paying, as the list of tender types has it.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct TenderType {
    pub name_key: String,
    pub code_key: Option<String>,
    pub tender_kind: String,
    pub fee_percent: Option<Qty>,
    pub settlement_days: Option<i64>,
}

/// The ways of paying in use.
pub(super) async fn tender_types(db: &Db) -> Result<Vec<TenderType>, DbError> {
    db.sql(
        "select name_key, code_key, tender_kind, fee_percent, settlement_days from tender_types
         where active order by name_key",
    )
    .all()
    .await
}

/// Refuses a store that does not exist.
pub(super) async fn check_store(tx: &mut Tx<'_>, store_id: &str) -> ApiResult<()> {
    let found = tx.sql("select cast(count(*) as bigint) from locations where id = $1").bind(store_id);
    match found.scalar::<i64>().await? {
        0 => Err(ApiError::field("storeId", "Choose a store.")),
        _ => Ok(()),
    }
}
