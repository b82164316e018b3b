//! Queries outside the ledgers.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_ledgers::snapshots;

/// A store whose weeks are calculated.
#[derive(Debug)]
pub(super) struct Store {
    pub id: String,
    pub name: String,
    /// The Mondays of the weeks to calculate; `None`: all.
    pub only: Option<HashSet<BusinessDay>>,
}

/// The stores of a run, by name: open ones with all weeks, closed ones with those that were made while they were open.
pub(super) async fn stores(
    db: &Db,
    wished: Option<&[String]>,
    (first, last): (BusinessDay, BusinessDay),
) -> Result<Vec<Store>, DbError> {
    let mut made: HashMap<String, HashSet<BusinessDay>> = HashMap::new();
    for (store, week) in snapshots::store_weeks(db, (first, last)).await? {
        made.entry(store).or_default().insert(week);
    }
    let ids: Vec<&String> = made.keys().collect();
    let query = db.sql("select id, name, inactive from locations where (not inactive or id in ");
    let query = query.push_ids(&ids).push(")");
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    let stores: Vec<(String, String, bool)> = query.push(" order by name_key, id").all().await?;
    let store = |(id, name, closed): (String, String, bool)| {
        let only = made.remove(&id).filter(|_| closed);
        Store { id, name, only }
    };
    Ok(stores.into_iter().map(store).collect())
}
