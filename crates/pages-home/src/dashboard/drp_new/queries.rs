//! SQL queries.

use larder_db::{Db, DbError, Tx};
use larder_domain::document::DocumentKind;
use larder_domain::replenishment::Place;
use larder_domain::{BusinessDay, Qty, Timestamp};

/// A store's data for planning.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Store {
    pub id: String,
    pub name: String,
    pub price_level_id: Option<String>,
    pub lead_time_days: i64,
    pub review_time_days: i64,
    pub frozen_storage_kg: Option<Qty>,
    pub dry_storage_cbm: Option<Qty>,
}

/// Open stores, all or the given ones, sorted by id.
pub(super) async fn stores(db: &Db, ids: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let mut query = db
        .sql(
            "select id, name, price_level_id, lead_time_days, review_time_days, frozen_storage_kg, dry_storage_cbm \
             from locations where inactive = ",
        )
        .push_bind(false);
    if let Some(ids) = ids {
        query = query.push(" and id in ").push_ids(ids);
    }
    query.push(" order by id").all().await
}

/// A store by id, open or closed.
pub(super) async fn store(db: &Db, id: &str) -> Result<Option<Store>, DbError> {
    db.sql(
        "select id, name, price_level_id, lead_time_days, review_time_days, frozen_storage_kg, dry_storage_cbm \
         from locations where id = $1",
    )
    .bind(id)
    .optional()
    .await
}

/// Categories with their parents.
pub(super) async fn categories(db: &Db) -> Result<Vec<(String, Option<String>)>, DbError> {
    db.sql("select id, parent_id from categories").all().await
}

/// Names of root items, by id.
pub(super) async fn root_names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from root_items").all().await
}

/// Codes of units, or names if they have none, by id.
pub(super) async fn unit_codes(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, coalesce(code, name) from uoms").all().await
}

/// Names of storage requirements that need a freezer.
pub(super) async fn frozen(db: &Db) -> Result<Vec<(String,)>, DbError> {
    db.sql("select id from storage_requirements where name_key like '%frozen%' or name_key like '%freez%'")
        .all()
        .await
}

/// The last day with sales for a store.
pub(super) async fn last_sales(db: &Db, store_id: &str) -> Result<Option<BusinessDay>, DbError> {
    let found: (Option<BusinessDay>,) = db
        .sql("select max(business_date) from sales_days where store_id = $1 and lines > 0")
        .bind(store_id)
        .one()
        .await?;
    Ok(found.0)
}

/// Whether anything was counted, sent, received or ordered in the given stores after a point in time.
pub(super) async fn changed_since(db: &Db, stores: &[String], at: Timestamp) -> Result<bool, DbError> {
    let counted: i64 = db
        .sql("select cast(count(*) as bigint) from (select 1 as one from store_counts where stands_at > ")
        .push_bind(at)
        .push(" and store_id in ")
        .push_ids(stores)
        .push(" limit 1) c")
        .scalar()
        .await?;
    if counted > 0 {
        return Ok(true);
    }
    let written: i64 = db
        .sql(
            "select cast(count(*) as bigint) from (select 1 as one from documents where state <> 'draft' \
             and kind in ",
        )
        .push_in(DocumentKind::ALL.iter().copied().filter(|kind| kind.declared().of_stores))
        .push(" and updated_at > ")
        .push_bind(at)
        .push(" and store_id in ")
        .push_ids(stores)
        .push(" limit 1) d")
        .scalar()
        .await?;
    Ok(written > 0)
}

/// Orders created from the given runs: run, store, order, number, status.
pub(super) async fn orders_of(
    db: &Db,
    runs: &[(String, String)],
) -> Result<Vec<(String, String, String, String)>, DbError> {
    db.sql("select distinct l.store_id, d.id, d.number, d.state from ")
        .push_rows(&["run_id", "store_id"], runs)
        .push(
            " w join plan_lines l on l.run_id = w.run_id and l.store_id = w.store_id \
             join documents d on d.id = l.order_id order by l.store_id, d.number",
        )
        .all()
        .await
}

/// Whether the commissary exists.
pub(super) async fn is_commissary(db: &Db, id: &str) -> Result<bool, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from commissaries where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}

/// Numbers of orders that are not cancelled, by id.
pub(super) async fn alive(tx: &mut Tx<'_>, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    tx.sql("select id, number from documents where state <> 'cancelled' and id in ").push_ids(ids).all().await
}

/// Which of store, category and product do not exist, by field name.
pub(super) async fn missing(tx: &mut Tx<'_>, place: &Place) -> Result<Vec<&'static str>, DbError> {
    let asked = [
        ("storeId", "select cast(count(*) as bigint) from locations where id = $1", &place.store_id),
        ("categoryId", "select cast(count(*) as bigint) from categories where id = $1", &place.category_id),
        ("productId", "select cast(count(*) as bigint) from products where id = $1", &place.product_id),
    ];
    let mut missing = Vec::new();
    for (field, text, id) in asked {
        let Some(id) = id else { continue };
        if tx.sql(text).bind(id).scalar::<i64>().await? == 0 {
            missing.push(field);
        }
    }
    Ok(missing)
}
