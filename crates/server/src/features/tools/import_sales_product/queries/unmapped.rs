//! Posted items that no POS item is known for.

use larder_db::{Db, DbError};

use super::findings::NameRow;

/// What was sold of an item that is not mapped.
#[derive(sqlx::FromRow)]
pub struct UnmappedSum {
    pub pos_item_id: String,
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
}

/// What was sold of items that are not mapped, in some rows of the sums, most net first.
pub async fn sold(db: &Db, store_ids: &[String]) -> Result<Vec<UnmappedSum>, DbError> {
    db.sql(
        "select pos_item_id, cast(sum(lines) as bigint) as lines, cast(sum(qty) as bigint) as qty,
                cast(sum(net) as bigint) as net
         from sales_rollup_pos
         where grain = 30 and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;' and store_id in ",
    )
    .push_ids(store_ids)
    .push(" group by pos_item_id order by 4 desc, 1")
    .all()
    .await
}

/// Those of some items that are posted anywhere.
pub async fn posted(db: &Db, item_ids: &[String]) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select distinct pos_item_id from sales_rollup_pos
             where store_id = '*' and grain = 30 and pos_item_id in ",
        )
        .push_ids(item_ids)
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// How files wrote some item keys, the newest file last.
pub async fn written(db: &Db, keys: &[&str]) -> Result<Vec<NameRow>, DbError> {
    db.sql(
        "select n.kind, n.name_key, n.name, n.code, n.category, n.price, n.store_id, n.lines, n.qty, n.net,
                n.first_day, n.last_day, n.days
         from sales_batch_names n join sales_batches b on b.id = n.batch_id
         where n.kind = 'item' and n.name_key in ",
    )
    .push_ids(keys)
    .push(" order by b.created_at")
    .all()
    .await
}
