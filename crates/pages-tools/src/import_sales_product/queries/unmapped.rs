//! Posted items without a POS item.

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::sales::{Grain, UNMAPPED};
use larder_domain::span::Run;

use super::findings::NameRow;
use larder_ledgers::sales::{numbers, sums};

/// Before and after any possible sale: 1900 and 2200.
const FIRST: BusinessDay = BusinessDay(-25_567);
const LAST: BusinessDay = BusinessDay(84_006);

/// Sales of an unmapped item.
#[derive(sqlx::FromRow)]
pub struct UnmappedSum {
    pub pos_item_id: String,
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
}

/// A page of the sales of unmapped items in the given stores or all, largest net first, and their total
/// number.
pub async fn sold(
    db: &Db,
    stores: Option<&[String]>,
    (limit, offset): (i64, i64),
) -> Result<(Vec<UnmappedSum>, i64), DbError> {
    let Some(stores) = stores else {
        let total = db
            .sql(
                "select cast(count(distinct pos_item_id) as bigint) from sales_rollup_pos
                 where grain = 30 and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;'",
            )
            .scalar();
        let page = db
            .sql(
                "select pos_item_id, cast(sum(lines) as bigint) as lines, cast(sum(qty) as bigint) as qty,
                        cast(sum(net) as bigint) as net
                 from sales_rollup_pos
                 where grain = 30 and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;'
                 group by pos_item_id order by 4 desc, 1 limit ",
            )
            .push_bind(limit)
            .push(" offset ")
            .push_bind(offset)
            .all();
        return tokio::try_join!(page, total);
    };
    let months = [Run { grain: Grain::Month, first: FIRST, last: LAST }];
    let (sums, ids) =
        tokio::try_join!(sums::together(db, sums::POS, &months, stores, [0, 2, 3]), numbers::all(db))?;
    let unmapped = |(item, [qty, net, lines]): (u32, [i64; 3])| {
        let pos_item_id = ids.get(&item).filter(|id| id.starts_with(UNMAPPED))?.to_string();
        Some(UnmappedSum { pos_item_id, lines, qty, net })
    };
    let mut sold: Vec<UnmappedSum> = sums.items().filter_map(unmapped).collect();
    sold.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.pos_item_id.cmp(&b.pos_item_id)));
    let total = i64::try_from(sold.len()).unwrap_or(i64::MAX);
    let at = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok((sold.into_iter().skip(at(offset)).take(at(limit)).collect(), total))
}

/// Those of the given items posted anywhere.
pub async fn posted(db: &Db, item_ids: &[String]) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select distinct pos_item_id from sales_rollup_pos
             where grain = 30 and pos_item_id in ",
        )
        .push_ids(item_ids)
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The names of item keys in files, the latest file last.
pub async fn written(db: &Db, keys: &[&str]) -> Result<Vec<NameRow>, DbError> {
    db.sql(
        "select n.kind, n.name_key, n.name, n.code, n.category, n.price, n.store_id, n.lines, n.qty, n.net,
                n.first_day, n.last_day, n.days, n.parent
         from sales_batch_names n join sales_batches b on b.id = n.batch_id
         where n.kind = 'item' and n.name_key in ",
    )
    .push_ids(keys)
    .push(" order by b.created_at")
    .all()
    .await
}
