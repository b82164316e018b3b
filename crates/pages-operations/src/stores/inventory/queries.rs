//! SQL queries outside the ledgers.

use larder_db::{Db, DbError, Json};
use larder_domain::BusinessDay;

use larder_ledgers::store_items::Conversion;

/// A store.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Store {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
}

/// A store by its id.
pub async fn store(db: &Db, id: &str) -> Result<Option<Store>, DbError> {
    db.sql("select id, name, code from locations where id = $1").bind(id).optional().await
}

/// Names and codes of items, active or not.
pub(crate) async fn item_names(
    db: &Db,
    ids: &[&str],
) -> Result<Vec<(String, String, Option<String>)>, DbError> {
    let query = db.sql(
        "select i.id, i.name, u.code from store_inventory_items i left join uoms u on u.id = i.uom_id where i.id in ",
    );
    query.push_ids(ids).push(" order by i.name_key, i.id").all().await
}

/// Root item content of a base unit of the given products.
pub async fn conversions(
    db: &Db,
    products: &[&str],
) -> Result<Vec<(String, Json<Vec<Conversion>>)>, DbError> {
    let query = db.sql("select id, root_item_conversions from products where id in ");
    query.push_ids(products).all().await
}

/// The last day with sales of a store, up to a day.
pub(crate) async fn sold_until(
    db: &Db,
    store: &str,
    day: BusinessDay,
) -> Result<Option<BusinessDay>, DbError> {
    db.sql("select max(business_date) from sales_days where store_id = $1 and business_date <= $2")
        .bind(store)
        .bind(day)
        .scalar()
        .await
}
