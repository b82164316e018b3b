//! SQL queries.

use larder_db::{Db, DbError};

/// How many there are of each.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct Found {
    pub price_levels: i64,
    pub sources: i64,
    pub delivery_days: i64,
    pub products: i64,
    pub opening_days: i64,
    pub tills: i64,
    pub people: i64,
}

/// Counts everything but the items in one statement; none if the store does not exist.
pub(super) async fn found(db: &Db, store_id: &str) -> Result<Option<Found>, DbError> {
    // Ids contain no characters special to JSON or patterns.
    let plain: String = store_id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    db.sql(
        "select cast(case when l.price_level_id is null then 0 else 1 end as bigint) as price_levels,
                (select cast(count(*) as bigint) from commissaries)
                  + (select cast(count(*) as bigint) from warehouses)
                  + (select cast(count(*) as bigint) from suppliers) as sources,
                (select cast(count(*) as bigint) from delivery_calendars c
                  where c.store_id = l.id and c.weekdays <> 0) as delivery_days,
                (select cast(count(*) as bigint) from products p
                  where not p.inactive and p.product_kind <> 'Service' and p.base_uom_id is not null) as products,
                (select cast(count(*) as bigint) from opening_days o where o.store_id = l.id) as opening_days,
                (select cast(count(*) as bigint) from location_terminals t where t.location_id = l.id) as tills,
                (select cast(count(*) as bigint) from app_users u
                  where u.status = 'Active' and u.role_id is not null
                    and cast(u.store_ids as text) like $2) as people
           from locations l where l.id = $1",
    )
    .bind(store_id)
    .bind(format!("%\"{plain}\"%"))
    .optional()
    .await
}
