//! A store's stock, arrivals and commitments per root item.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Qty};

use super::{PlanContext, number};
use larder_documents::orders::coming::Coming;
use larder_ledgers::store_items::{RootStock, root_stock};

/// A root item's position in a store, in its unit.
#[derive(Debug, Clone, Default)]
pub struct Position {
    pub stock: Option<RootStock>,
    pub in_transit: Qty,
    pub on_order: Qty,
    pub committed: Qty,
    /// Quantities due by day; overdue ones are due today.
    pub due: Vec<(BusinessDay, Qty)>,
}

impl Position {
    /// Stock on hand; 0 if never counted.
    pub fn on_hand(&self) -> Qty {
        self.stock.and_then(|stock| stock.on_hand).unwrap_or_default()
    }

    /// Inventory position: on hand + in transit + on order − committed.
    pub fn total(&self) -> Qty {
        let coming = self.in_transit.0.saturating_add(self.on_order.0);
        Qty(self.on_hand().0.saturating_add(coming).saturating_sub(self.committed.0))
    }

    /// Expected arrivals per day from `first` on.
    pub fn arrivals(&self, first: BusinessDay, days: usize) -> Vec<f64> {
        let mut arrivals = vec![0.0; days];
        for (due, qty) in &self.due {
            let at = usize::try_from(due.0 - first.0).unwrap_or(0);
            if let Some(sum) = arrivals.get_mut(at) {
                *sum += number(*qty);
            }
        }
        arrivals
    }
}

/// The positions of all root items known in a store.
///
/// # Errors
/// When the database does not answer.
pub async fn positions(
    db: &Db,
    context: &PlanContext,
    store_id: &str,
    coming: &[Coming],
    committed: &[(String, Qty)],
) -> Result<HashMap<String, Position>, DbError> {
    let stock = root_stock(db, store_id, context.day).await?;
    let mut found: HashMap<String, Position> = stock
        .into_iter()
        .map(|(root, stock)| (root, Position { stock: Some(stock), ..Position::default() }))
        .collect();
    let parts = |product: &str| context.parts.get(product).map(Vec::as_slice).unwrap_or_default();
    let plus = |sum: &mut Qty, qty: Qty| *sum = sum.checked_add(qty).unwrap_or(*sum);
    for it in coming {
        for (root, factor) in parts(&it.product_id) {
            let qty = it.qty.scaled(*factor).unwrap_or_default();
            let position = found.entry(root.clone()).or_default();
            plus(if it.on_the_way { &mut position.in_transit } else { &mut position.on_order }, qty);
            position.due.push((it.due, qty));
        }
    }
    for (product, qty) in committed {
        for (root, factor) in parts(product) {
            let qty = qty.scaled(*factor).unwrap_or_default();
            plus(&mut found.entry(root.clone()).or_default().committed, qty);
        }
    }
    Ok(found)
}
