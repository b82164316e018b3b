//! Trading days of stores, and numbers of root items.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};

/// Days with sales of some stores, from one source or all.
pub(super) async fn open_days(
    db: &Db,
    stores: &[String],
    span: Span,
    source: Option<&str>,
) -> Result<Vec<(String, BusinessDay)>, DbError> {
    let query =
        db.sql("select store_id, business_date from sales_days where business_date between $1 and $2");
    let mut query =
        query.bind(span.from).bind(span.to).push(" and lines > 0 and store_id in ").push_ids(stores);
    if let Some(source) = source {
        query = query.push(" and source = ").push_bind(source);
    }
    query.push(" group by store_id, business_date").all().await
}

/// Numbers of root items: all, or those given.
pub(super) async fn root_numbers(db: &Db, items: Option<&[String]>) -> Result<Vec<(i64, String)>, DbError> {
    let mut query = db
        .sql("select n.number, r.id from root_items r join sales_numbers n on n.item_id = r.id where 1 = 1");
    if let Some(items) = items {
        query = query.push(" and r.id in ").push_ids(items);
    }
    query.all().await
}

/// Active stores with sales, by id: all, or those given.
pub(super) async fn selling_stores(db: &Db, stores: Option<&[String]>) -> Result<Vec<String>, DbError> {
    let mut query = db.sql(
        "select l.id from locations l where exists (select 1 from sales_days d where d.store_id = l.id)
           and l.inactive = ",
    );
    query = query.push_bind(false);
    if let Some(stores) = stores {
        query = query.push(" and l.id in ").push_ids(stores);
    }
    let rows: Vec<(String,)> = query.push(" order by l.id").all().await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The last business date with sales at or before a day, in any store.
pub(super) async fn last_day(db: &Db, until: BusinessDay) -> Result<Option<BusinessDay>, DbError> {
    let row: (Option<BusinessDay>,) = db
        .sql("select max(business_date) from sales_days where business_date <= $1")
        .bind(until)
        .one()
        .await?;
    Ok(row.0)
}
