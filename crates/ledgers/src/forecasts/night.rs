//! Figures of all stores that a run needs upfront: sales per store, and per item.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};
use larder_planning::short::{OWN_DAYS, Similar};

use super::make::Elsewhere;
use crate::demand::Demand;
use crate::sales_count;

/// Days averaged.
const DAYS: i32 = 28;

/// Daily means of the last four weeks.
#[derive(Debug, Default)]
pub struct Night {
    /// Net sales of a store per trading day.
    scale: HashMap<String, f64>,
    /// Stores and daily means by item.
    items: HashMap<String, Vec<(String, f64)>>,
}

impl Night {
    /// Of the four weeks to a day.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, demand: &Demand, until: BusinessDay) -> Result<Self, DbError> {
        let span = Span { from: until.plus(1 - DAYS), to: until };
        let rows: Vec<(String, i64, i64)> = db
            .sql(concat!(
                "select store_id, cast(sum(net) as bigint), cast(count(distinct business_date) as bigint)",
                " from sales_days where business_date between $1 and $2 and lines > 0",
                sales_count!("sales_days"),
                " group by store_id",
            ))
            .bind(span.from)
            .bind(span.to)
            .all()
            .await?;
        let days: HashMap<&str, i64> = rows.iter().map(|(store, _, days)| (store.as_str(), *days)).collect();
        let mut night = Self::default();
        for (store, item, qty) in demand.totals(span).await? {
            let open = days.get(store.as_str()).copied().unwrap_or(0);
            // A store with next to no history of its own is no guide for others.
            if open >= OWN_DAYS as i64 && qty > 0 {
                night.items.entry(item).or_default().push((store, qty as f64 / 1e6 / open as f64));
            }
        }
        let scale = |(store, net, days): (String, i64, i64)| (store, net.max(0) as f64 / days.max(1) as f64);
        night.scale = rows.into_iter().map(scale).collect();
        Ok(night)
    }

    /// Sales of an item in other stores, for a store that hardly knows it.
    #[must_use]
    pub fn elsewhere(&self, store: &str, item: &str) -> Elsewhere {
        let scale = |store: &str| self.scale.get(store).copied().unwrap_or(0.0);
        let others = self.items.get(item).into_iter().flatten().filter(|(other, _)| other != store);
        let similar = others.map(|(other, mean)| Similar { item_mean: *mean, scale: scale(other) }).collect();
        Elsewhere { similar, own_scale: scale(store) }
    }
}
