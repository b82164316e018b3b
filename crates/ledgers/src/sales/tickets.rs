//! Store days with receipts, and a store's receipts day by day.

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::sales::day::Unpacked;
use larder_domain::{BusinessDay, Span, Timestamp};

use super::days::unpack;

/// Coverage of a store's days in a span.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct Known {
    pub store_id: String,
    pub days: i64,
    pub with_receipts: i64,
    pub receipts: i64,
    /// When one of these days was last posted or corrected.
    pub posted_at: Timestamp,
}

/// Coverage of some stores; those without sales are left out.
///
/// # Errors
/// If the database fails.
pub async fn known(db: &Db, stores: &[String], span: Span) -> Result<Vec<Known>, DbError> {
    if stores.is_empty() {
        return Ok(Vec::new());
    }
    db.sql(
        "select store_id, cast(count(*) as bigint) as days,
           cast(sum(case when receipts > 0 then 1 else 0 end) as bigint) as with_receipts,
           cast(sum(receipts) as bigint) as receipts, max(posted_at) as posted_at
         from (select store_id, business_date, sum(receipts) as receipts, max(posted_at) as posted_at
               from sales_days where business_date between ",
    )
    .push_bind(span.from)
    .push(" and ")
    .push_bind(span.to)
    .push(" and store_id in ")
    .push_ids(stores)
    .push(" group by store_id, business_date) d group by store_id order by store_id")
    .all()
    .await
}

/// Streams a store's days with their content; several sources of a day follow each other.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn each_day(
    db: &Db,
    store: &str,
    span: Span,
    mut seen: impl FnMut(BusinessDay, &Unpacked),
) -> Result<(), DbError> {
    let query = db.sql(
        "select business_date, packed from sales_lines
         where store_id = $1 and business_date between $2 and $3 order by business_date, source",
    );
    let query = query.bind(store).bind(span.from).bind(span.to);
    let mut rows = std::pin::pin!(query.stream::<(BusinessDay, Vec<u8>)>());
    while let Some((day, packed)) = rows.try_next().await? {
        seen(day, &unpack(&packed)?);
        // A day of receipts takes a while to decode, so yield.
        tokio::task::yield_now().await;
    }
    Ok(())
}
