//! SQL queries; the only writer of `replays` and `replay_stores`.

use std::collections::BTreeMap;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, StoreScope};

use super::items::Reason;
use super::policies::ReplayPolicy;
use super::sums::Sums;

/// A store with its own lead time and review period.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Store {
    pub id: String,
    pub name: String,
    pub lead_time_days: i64,
    pub review_time_days: i64,
}

/// Open stores, all or the given ones, sorted by id.
pub async fn stores(db: &Db, ids: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = db.sql("select id, name, lead_time_days, review_time_days from locations where not inactive");
    let query = match ids {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by id").all().await
}

/// Categories with their parents.
pub async fn categories(db: &Db) -> Result<Vec<(String, Option<String>)>, DbError> {
    db.sql("select id, parent_id from categories").all().await
}

/// Root items: id, name, price per unit.
pub async fn root_items(db: &Db) -> Result<Vec<(String, String, Option<Money>)>, DbError> {
    db.sql("select id, name, price from root_items").all().await
}

/// Parameters of a run.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Played {
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
    pub policies: Json<Vec<ReplayPolicy>>,
}

/// The parameters of a run, once it has started.
pub(crate) async fn played(db: &Db, run_id: &str) -> Result<Option<Played>, DbError> {
    db.sql("select first_day, last_day, policies from replays where run_id = $1")
        .bind(run_id)
        .optional()
        .await
}

/// Saves the parameters of a run; a resumed run already has them.
pub async fn begin(tx: &mut Tx<'_>, run_id: &str, it: Played) -> Result<(), DbError> {
    tx.sql(
        "insert into replays (run_id, first_day, last_day, policies) values ($1, $2, $3, $4) \
         on conflict (run_id) do nothing",
    )
    .bind(run_id)
    .bind(it.first_day)
    .bind(it.last_day)
    .bind(it.policies)
    .execute()
    .await?;
    Ok(())
}

/// A store's results in a run.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct StorePart {
    pub store_id: String,
    pub series: i64,
    pub left_out: i64,
    pub estimated: i64,
    pub root_items: Json<Vec<String>>,
    /// One per policy.
    pub figures: Json<Vec<Sums>>,
    /// `None` in results of earlier versions.
    pub left_out_why: Option<Json<Reasons>>,
}

/// How many root items are left out for each reason.
pub type Reasons = BTreeMap<Reason, i64>;

/// Saves a store's results.
pub async fn put(tx: &mut Tx<'_>, run_id: &str, part: StorePart) -> Result<(), DbError> {
    tx.sql(
        "insert into replay_stores (run_id, store_id, series, left_out, estimated, root_items, figures, left_out_why) \
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (run_id, store_id) do update set \
         series = excluded.series, left_out = excluded.left_out, estimated = excluded.estimated, \
         root_items = excluded.root_items, figures = excluded.figures, left_out_why = excluded.left_out_why",
    )
    .bind(run_id)
    .bind(part.store_id)
    .bind(part.series)
    .bind(part.left_out)
    .bind(part.estimated)
    .bind(part.root_items)
    .bind(part.figures)
    .bind(part.left_out_why)
    .execute()
    .await?;
    Ok(())
}

/// The results of accessible stores.
pub async fn parts(db: &Db, run_id: &str, scope: &StoreScope) -> Result<Vec<StorePart>, DbError> {
    let query = db
        .sql(
            "select store_id, series, left_out, estimated, root_items, figures, left_out_why \
             from replay_stores where run_id = ",
        )
        .push_bind(run_id);
    let query = match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => query.push(" and store_id in ").push_ids(&ids.iter().collect::<Vec<_>>()),
    };
    query.push(" order by store_id").all().await
}
