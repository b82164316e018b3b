//! Imported store-days.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};
use larder_ledgers::sales_count;

/// A store expected to send sales.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct StoreRow {
    pub id: String,
}

/// Active stores, by name.
pub(super) async fn stores(db: &Db, stores: Option<&[String]>) -> Result<Vec<StoreRow>, DbError> {
    let mut query = db.sql("select id from locations where inactive = ").push_bind(false);
    if let Some(stores) = stores {
        query = query.push(" and id in ").push_ids(stores);
    }
    query.push(" order by name_key, id").all().await
}

/// Imported sales of a store-day, over all sources that count.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct DayRow {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub lines: i64,
    pub net: i64,
}

/// Store-days in a range.
pub(super) async fn days(db: &Db, stores: &[String], span: Span) -> Result<Vec<DayRow>, DbError> {
    db.sql(
        "select store_id, business_date, cast(sum(lines) as bigint) as lines, cast(sum(net) as bigint) as net
         from sales_days where business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(sales_count!("sales_days"))
    .push(" group by store_id, business_date")
    .all()
    .await
}

/// Tills with sales on store-days in a range.
pub(super) async fn tills(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, String)>, DbError> {
    db.sql(
        "select distinct store_id, business_date, terminal_id from sales_tills
         where terminal_id <> '' and business_date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .all()
    .await
}
