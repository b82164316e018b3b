//! Posted data by store: days and tills.

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_ledgers::sales_count;

/// A store's id and name.
#[derive(sqlx::FromRow)]
pub struct StoreName {
    pub id: String,
    pub name: String,
}

/// Stores by name: the given ones, or all that are active or have sales.
pub async fn stores(db: &Db, ids: Option<&[String]>) -> Result<Vec<StoreName>, DbError> {
    match ids {
        None => {
            db.sql(
                "select id, name from locations
                 where not inactive or id in (select distinct store_id from sales_days) order by name_key",
            )
            .all()
            .await
        }
        Some(ids) => {
            db.sql("select id, name from locations where id in ")
                .push_ids(ids)
                .push(" order by name_key")
                .all()
                .await
        }
    }
}

/// A store's sales on a day from one source.
#[derive(sqlx::FromRow)]
pub struct DaySum {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub batch_id: Option<String>,
    pub net: i64,
    pub lines: i64,
    /// Number of items without a POS item.
    pub unmapped: i64,
}

/// Store-days of the given stores in a range.
pub async fn store_days(
    db: &Db,
    store_ids: &[&str],
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<DaySum>, DbError> {
    db.sql(
        "select d.store_id, d.business_date, d.batch_id, d.net, d.lines,
                coalesce(i.unmapped, 0) as unmapped
         from sales_days d left join sales_day_items i
           on i.store_id = d.store_id and i.business_date = d.business_date and i.source = d.source
         where d.business_date between $1 and $2 and d.store_id in ",
    )
    .bind(from)
    .bind(to)
    .push_ids(store_ids)
    .push(sales_count!("d"))
    .all()
    .await
}

/// A till's sales.
#[derive(sqlx::FromRow)]
pub struct TillSum {
    pub store_id: String,
    pub terminal_id: String,
    pub days: i64,
    pub receipts: i64,
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
}

/// Sales of each till of the given stores in a range.
pub async fn tills(
    db: &Db,
    store_ids: &[&str],
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<TillSum>, DbError> {
    db.sql(
        "select store_id, terminal_id, cast(count(distinct business_date) as bigint) as days,
                cast(sum(receipts) as bigint) as receipts, cast(sum(lines) as bigint) as lines,
                cast(sum(qty) as bigint) as qty, cast(sum(net) as bigint) as net,
                cast(min(business_date) as bigint) as first_day, cast(max(business_date) as bigint) as last_day
         from sales_tills where business_date between $1 and $2 and store_id in ",
    )
    .bind(from)
    .bind(to)
    .push_ids(store_ids)
    .push(sales_count!("sales_tills"))
    .push(" group by store_id, terminal_id order by store_id, terminal_id")
    .all()
    .await
}
