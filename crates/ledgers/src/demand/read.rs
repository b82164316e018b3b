//! Reads demand panels.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};

use super::{Panel, queries};
use crate::sales::by_source::BySource;
use crate::sales::sums;

/// Reads panels for one calculation, some stores at a time.
pub struct Demand {
    db: Db,
    /// Root items by their number in packed sums.
    items: HashMap<u32, Arc<str>>,
    source: Option<(String, BySource)>,
}

impl Demand {
    /// For some root items or all.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open(db: &Db, items: Option<&[String]>) -> Result<Self, DbError> {
        let rows = queries::root_numbers(db, items).await?;
        let number = |(number, id): (i64, String)| Some((u32::try_from(number).ok()?, id.into()));
        Ok(Self { db: db.clone(), items: rows.into_iter().filter_map(number).collect(), source: None })
    }

    /// As [`Demand::open`], for sales of one source only. Reads store days directly, so keep the span short.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn of_source(db: &Db, items: Option<&[String]>, source: &str) -> Result<Self, DbError> {
        let source = Some((source.to_owned(), BySource::open(db, source).await?));
        Ok(Self { source, ..Self::open(db, items).await? })
    }

    /// Active stores with sales, by id: all, or those given.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn stores(&self, stores: Option<&[String]>) -> Result<Vec<String>, DbError> {
        queries::selling_stores(&self.db, stores).await
    }

    /// The last business date with sales at or before a day.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn last_day(&self, until: BusinessDay) -> Result<Option<BusinessDay>, DbError> {
        queries::last_day(&self.db, until).await
    }

    /// Use of root items per store within a span: store, item, millionths.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn totals(&self, span: Span) -> Result<Vec<(String, String, i64)>, DbError> {
        let stores = self.stores(None).await?;
        let by_store = sums::by_store(&self.db, sums::ROOT, &span.runs(), &stores, [0]).await?;
        let mut totals = Vec::new();
        for (store, items) in &by_store {
            for (number, [qty]) in items.items() {
                if let Some(item) = self.items.get(&number) {
                    totals.push((store.clone(), item.to_string(), qty));
                }
            }
        }
        Ok(totals)
    }

    /// Daily use of every root item used within the span.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn panel(&self, stores: &[String], span: Span) -> Result<Panel, DbError> {
        let days = usize::try_from(span.days()).unwrap_or(0);
        let at: HashMap<&str, usize> = stores.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let mut open = vec![vec![false; days]; stores.len()];
        let source = self.source.as_ref();
        let place = |day: BusinessDay| usize::try_from(day.0 - span.from.0).ok().filter(|at| *at < days);
        for (store, day) in
            queries::open_days(&self.db, stores, span, source.map(|(name, _)| name.as_str())).await?
        {
            if let (Some(&store), Some(day)) = (at.get(store.as_str()), place(day)) {
                open[store][day] = true;
            }
        }
        let mut used: BTreeMap<(usize, Arc<str>), Vec<i64>> = BTreeMap::new();
        let mut seen = |store: &str, day: BusinessDay, item: u32, qty: i64| {
            let (Some(&store), Some(day), Some(item)) = (at.get(store), place(day), self.items.get(&item))
            else {
                return;
            };
            let of_day = &mut used.entry((store, item.clone())).or_insert_with(|| vec![0; days])[day];
            *of_day = of_day.saturating_add(qty);
        };
        match source {
            None => {
                sums::each_day(&self.db, sums::ROOT, span, stores, |store, day, item, [qty]| {
                    seen(store, day, item, qty);
                })
                .await?;
            }
            Some((_, source)) => source.each_day(&self.db, stores, span, seen).await?,
        }
        let stores = stores.iter().zip(open).map(|(id, open)| (id.as_str().into(), open)).collect();
        let mut panel = Panel::new(span, stores);
        for ((store, item), used) in &used {
            panel.push(*store, item.clone(), used);
        }
        Ok(panel)
    }
}
