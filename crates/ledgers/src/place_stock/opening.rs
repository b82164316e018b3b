//! What a store had before documents brought anything: the stock that its first counts found beyond them. It has no lot,
//! and it can be what is left after sales have used up every lot.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::on_hand::{Flow, Moment};
use larder_domain::{BusinessDay, Qty, Span};

use super::stores::{RECENT, items};
use crate::store_items::{Count, Moments, first_of_stores, flows};

/// The first counts of a root item in a store.
#[derive(Default)]
struct First {
    /// Their sum, in millionths of root units.
    counted: i128,
    moments: Vec<Moment>,
}

/// Stock of root items that no document brought, by store and root item.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub(super) async fn opening(
    db: &Db,
    stores: &[String],
    roots: &BTreeSet<&str>,
) -> Result<HashMap<(String, String), Qty>, DbError> {
    let items = items(db, stores, Some(roots)).await?;
    let ids: BTreeSet<&str> = items.values().flatten().map(|(id, _)| id.as_str()).collect();
    let counts = first_of_stores(db, stores, &ids).await?;
    let begins = first_movements(db, stores).await?;
    let mut found: HashMap<(String, String), First> = HashMap::new();
    let mut moments = Moments::new();
    for (store, of_store) in &items {
        for (item, parts) in of_store {
            let Some(count) = counts.get(&(store.clone(), item.clone())) else { continue };
            moments.entry(store.clone()).or_default().insert(count.baseline().moment);
            for (root, factor) in parts {
                let first = found.entry((store.clone(), root.clone())).or_default();
                first.counted += i128::from(count.qty.scaled(*factor).ok_or_else(too_much)?.0);
                first.moments.push(count.baseline().moment);
            }
        }
    }
    // Where documents go back further than that, all that was counted is taken for stock without a lot.
    let is_near = |count: &Count, store: &str| {
        begins.get(store).is_some_and(|begins| count.date.plus(-RECENT) <= *begins)
    };
    let near: BTreeSet<&str> = counts
        .iter()
        .filter(|((store, _), count)| is_near(count, store))
        .map(|((store, _), _)| store.as_str())
        .collect();
    let days = || counts.iter().filter(|((store, _), _)| near.contains(store.as_str()));
    let to = days().map(|(_, count)| count.date).max();
    let from = near.iter().filter_map(|store| begins.get(*store)).min().copied();
    let near: Vec<String> = near.into_iter().map(str::to_owned).collect();
    let mut before = match (from, to) {
        (Some(from), Some(to)) => flows(db, &near, Span { from, to }, Some(roots), &moments).await?,
        _ => HashMap::new(),
    };
    let mut opening = HashMap::with_capacity(found.len());
    for ((store, root), first) in found {
        let begins = begins.get(&store).copied().filter(|_| near.contains(&store));
        let flow = before.get_mut(&store).and_then(|roots| roots.remove(&root));
        let qty = first.beyond(begins, &flow.unwrap_or_default()).ok_or_else(too_much)?;
        opening.insert((store, root), qty);
    }
    Ok(opening)
}

impl First {
    /// What was counted beyond what documents had brought by then, at least 0; `None` on overflow.
    fn beyond(&self, begins: Option<BusinessDay>, flow: &Flow) -> Option<Qty> {
        let counted = self.counted.max(0);
        let last = self.moments.iter().max().copied();
        let together = |last: Moment| self.moments.iter().all(|moment| moment.is_with(last));
        let brought = match (begins, last.filter(|last| together(*last))) {
            (Some(begins), Some(last)) => {
                let before = flow.between(Moment::before(begins), last)?;
                i128::from(before.moved.0) - i128::from(before.used.0)
            }
            _ => 0,
        };
        i64::try_from((counted - brought).clamp(0, counted)).ok().map(Qty)
    }
}

fn too_much() -> DbError {
    DbError::Invalid("These quantities add up to more than can be stored.".to_owned())
}

/// The business date of the first movement in some stores.
async fn first_movements(db: &Db, stores: &[String]) -> Result<HashMap<String, BusinessDay>, DbError> {
    let rows: Vec<(String, Option<BusinessDay>)> = db
        .sql(
            "select r.store_id, (select min(m.business_date) from stock_movements m \
             where m.place_kind = 'store' and m.place_id = r.store_id) from ",
        )
        .push_rows(&["store_id"], stores.iter().map(|id| (id,)))
        .push(" r")
        .all()
        .await?;
    Ok(rows.into_iter().filter_map(|(store, day)| Some((store, day?))).collect())
}
