//! A store-day: sources, lines and receipts.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Money};

use super::super::model::{DaySource, DayTender};

/// A store's name, if it exists.
pub(crate) async fn store_name(db: &Db, store_id: &str) -> Result<Option<String>, DbError> {
    let row: Option<(String,)> =
        db.sql("select name from locations where id = $1").bind(store_id).optional().await?;
    Ok(row.map(|row| row.0))
}

/// Sources of a store-day's sales.
pub async fn sources(db: &Db, store_id: &str, date: BusinessDay) -> Result<Vec<DaySource>, DbError> {
    db.sql(
        "select d.source, d.batch_id, b.file_name, d.posted_at, d.corrected_at, d.revision, l.counted as counted_source
         from sales_days d left join sales_batches b on b.id = d.batch_id
           left join sales_left_out l on l.store_id = d.store_id and l.business_date = d.business_date
             and l.source = d.source
         where d.store_id = $1 and d.business_date = $2 order by d.source",
    )
    .bind(store_id)
    .bind(date)
    .all()
    .await
}

/// The stored lines of a store-day from one source.
#[derive(sqlx::FromRow)]
pub struct PackedLines {
    pub source: String,
    pub packed: Vec<u8>,
}

/// The lines of a store-day, by source.
pub async fn lines(db: &Db, store_id: &str, date: BusinessDay) -> Result<Vec<PackedLines>, DbError> {
    db.sql(
        "select source, packed from sales_lines where store_id = $1 and business_date = $2 order by source",
    )
    .bind(store_id)
    .bind(date)
    .all()
    .await
}

/// Tenders of a store-day's receipts, largest first.
pub async fn tenders(db: &Db, store_id: &str, date: BusinessDay) -> Result<Vec<DayTender>, DbError> {
    let rows: Vec<(String, String, i64, i64)> = db
        .sql(
            "select source, kind, cast(sum(amount) as bigint), cast(count(*) as bigint) from sales_tenders
             where store_id = $1 and business_date = $2 group by source, kind order by source, 3 desc, kind",
        )
        .bind(store_id)
        .bind(date)
        .all()
        .await?;
    let tender =
        |(source, name, amount, payments)| DayTender { source, name, amount: Money(amount), payments };
    Ok(rows.into_iter().map(tender).collect())
}

/// Descriptions of POS items, by id.
pub(crate) async fn item_names(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, description from pos_items where id in ").push_ids(ids).all().await
}

/// Store-days of a store and source posted by another batch or by none.
pub(crate) async fn imported_days(
    db: &Db,
    batch_id: &str,
    store_id: &str,
    source: &str,
    first: BusinessDay,
    last: BusinessDay,
) -> Result<Vec<BusinessDay>, DbError> {
    let rows: Vec<(BusinessDay,)> = db
        .sql(
            "select business_date from sales_days where store_id = $1 and source = $2
               and business_date between $3 and $4 and coalesce(batch_id, '') <> $5",
        )
        .bind(store_id)
        .bind(source)
        .bind(first)
        .bind(last)
        .bind(batch_id)
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Days with sales of a store from other sources.
pub(crate) async fn sold_days(
    db: &Db,
    store_id: &str,
    but: &str,
    first: BusinessDay,
    last: BusinessDay,
) -> Result<Vec<BusinessDay>, DbError> {
    let rows: Vec<(BusinessDay,)> = db
        .sql(
            "select distinct business_date from sales_days where store_id = $1 and source <> $2
               and business_date between $3 and $4",
        )
        .bind(store_id)
        .bind(but)
        .bind(first)
        .bind(last)
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
