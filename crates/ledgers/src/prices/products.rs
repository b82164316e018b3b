//! Prices of products at price levels: kept when a product is saved, read for documents of past days and for looking up.

use std::collections::{BTreeSet, HashMap, HashSet};

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};

use larder_platform::audit::Editor;

use super::{START, Source};

/// Prices of a product's selling unit by price level.
pub type AtLevels<'a> = HashMap<&'a str, Money>;

/// A stored price.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptAtLevel {
    pub price_level_id: String,
    /// The first day it holds for; [`START`] for all days before the next one.
    pub from_date: BusinessDay,
    /// Of a selling unit; `None`: it has no price at this level from then on.
    pub price: Option<Money>,
    /// `start` (before prices were kept), `set` or `import`.
    pub source: String,
    pub updated_at: Timestamp,
    pub updated_by: Option<Json<Editor>>,
}

/// The kept prices of a product, newest first.
///
/// # Errors
/// If the database fails.
pub async fn of_product(db: &Db, product_id: &str) -> Result<Vec<KeptAtLevel>, DbError> {
    db.sql(
        "select price_level_id, from_date, price, source, updated_at, updated_by from product_prices \
         where product_id = $1 order by from_date desc, price_level_id",
    )
    .bind(product_id)
    .all()
    .await
}

/// The kept prices in force on a day: product, price level and price. Products and levels without kept prices are left
/// out: they have the price of their record on all days.
///
/// # Errors
/// If the database fails.
pub async fn in_force(
    tx: &mut Tx<'_>,
    product_ids: &[&str],
    day: BusinessDay,
) -> Result<Vec<(String, String, Option<Money>)>, DbError> {
    let query =
        tx.sql("select p.product_id, p.price_level_id, p.price from product_prices p where p.product_id in ");
    let query = query.push_ids(product_ids).push(
        " and p.from_date = (select max(k.from_date) from product_prices k where k.product_id = p.product_id \
           and k.price_level_id = p.price_level_id and k.from_date <= ",
    );
    query.push_bind(day).push(")").all().await
}

/// Takes over the prices of a saved record: those that changed count from today on. The first price at a level holds for
/// all days before too, and so does the one that was there before prices were kept.
///
/// # Errors
/// If a statement fails.
pub async fn follow(
    tx: &mut Tx<'_>,
    product_id: &str,
    before: &AtLevels<'_>,
    after: &AtLevels<'_>,
) -> Result<(), DbError> {
    let changed = |level: &&str| before.get(*level) != after.get(*level);
    let levels: BTreeSet<&str> = before.keys().chain(after.keys()).copied().filter(changed).collect();
    if levels.is_empty() {
        return Ok(());
    }
    let kept: Vec<(String,)> = tx
        .sql("select distinct price_level_id from product_prices where product_id = $1")
        .bind(product_id)
        .all()
        .await?;
    let kept: HashSet<String> = kept.into_iter().map(|(level,)| level).collect();
    let today = BusinessDay::of(tx.actor().at);
    for level in levels {
        let at_level = (product_id, level);
        let earlier = before.get(level).copied();
        if earlier.is_some() && !kept.contains(level) {
            put(tx, at_level, START, (earlier, None)).await?;
        }
        let from = if earlier.is_some() || kept.contains(level) { today } else { START };
        let source = Source::of(tx.actor());
        put(tx, at_level, from, (after.get(level).copied(), Some(source))).await?;
    }
    Ok(())
}

/// Writes a price; without a source it is from before prices were kept.
async fn put(
    tx: &mut Tx<'_>,
    (product_id, price_level_id): (&str, &str),
    from: BusinessDay,
    (price, source): (Option<Money>, Option<Source>),
) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = source.map(|_| Json(Editor::from(tx.actor())));
    tx.sql(
        "insert into product_prices \
           (product_id, price_level_id, from_date, price, source, revision, created_at, updated_at, updated_by) \
         values ($1, $2, $3, $4, $5, 1, $6, $6, $7) \
         on conflict (product_id, price_level_id, from_date) do update set price = excluded.price, \
           source = excluded.source, revision = product_prices.revision + 1, updated_at = excluded.updated_at, \
           updated_by = excluded.updated_by",
    )
    .bind(product_id)
    .bind(price_level_id)
    .bind(from)
    .bind(price)
    .bind(source.map_or("start", Source::as_str))
    .bind(at)
    .bind(by)
    .execute()
    .await?;
    Ok(())
}

/// Removes the prices of a product that is deleted.
///
/// # Errors
/// If the statement fails.
pub async fn forget(tx: &mut Tx<'_>, product_id: &str) -> Result<(), DbError> {
    tx.sql("delete from product_prices where product_id = $1").bind(product_id).execute().await?;
    Ok(())
}

/// Removes the prices at a price level that is deleted.
///
/// # Errors
/// If the statement fails.
pub async fn forget_level(tx: &mut Tx<'_>, price_level_id: &str) -> Result<(), DbError> {
    tx.sql("delete from product_prices where price_level_id = $1").bind(price_level_id).execute().await?;
    Ok(())
}
