//! SQL queries of recipe costs.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{Money, Qty};

use larder_lists::catalog::RecipeLine;

/// Root items that have a price.
pub async fn prices(db: &Db) -> Result<Vec<(String, Money)>, DbError> {
    db.sql("select id, price from root_items where price is not null order by id").all().await
}

/// Whether the recipe exists.
pub async fn is_there(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let query = tx.sql("select cast(count(*) as bigint) from recipes where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}

/// All recipes: id, yield, lines.
pub async fn recipes(db: &Db) -> Result<Vec<(String, Option<Qty>, Json<Vec<RecipeLine>>)>, DbError> {
    db.sql("select id, yield_qty, root_items from recipes order by name_key, id limit 10000").all().await
}
