//! Reads the prices of root items, for figures of any day.

use larder_db::{Db, DbError, Reader};
use larder_domain::prices::Prices;
use larder_domain::{BusinessDay, Money};

/// Root item, first day, price.
type Row = (String, BusinessDay, Option<Money>);

/// A root item without a history has the price of its record on all days.
const SELECT: &str = "select r.id, coalesce(p.from_date, 0) as from_date, \
     case when p.root_item_id is null then r.price else p.price end as price \
     from root_items r left join root_item_prices p on p.root_item_id = r.id";

/// The prices of all root items.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db) -> Result<Prices, DbError> {
    Ok(Prices::new(db.sql(SELECT).all::<Row>().await?))
}

/// The prices of some root items.
///
/// # Errors
/// If the database fails.
pub async fn of(on: &mut Reader<'_, '_>, root_item_ids: &[&str]) -> Result<Prices, DbError> {
    if root_item_ids.is_empty() {
        return Ok(Prices::default());
    }
    let query = on.sql(SELECT).push(" where r.id in ").push_ids(root_item_ids);
    Ok(Prices::new(query.all::<Row>().await?))
}
