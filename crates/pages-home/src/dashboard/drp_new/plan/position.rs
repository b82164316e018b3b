//! A store's stock, arrivals and commitments per root item.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::delivery_calendar::{Due, counted};
use larder_domain::{BusinessDay, Qty};

use super::{MOST_ESTIMATED, PlanContext, number, quantity};
use larder_documents::orders::coming::{Coming, Horizon, due_by_root};
use larder_ledgers::place_stock::{self, RootStock};

/// A root item's position in a store, in its unit.
#[derive(Debug, Clone, Default)]
pub struct Position {
    pub stock: Option<RootStock>,
    /// What of the stock is recalled or expired.
    pub unusable: Qty,
    /// What trucks carry, and what of it does not arrive before the next truck.
    pub in_transit: Qty,
    pub in_transit_later: Qty,
    /// What counts as on order.
    pub on_order: Qty,
    /// Ordered, but not due before the next truck; and ordered, but on no truck. Neither counts.
    pub later: Qty,
    pub short: Qty,
    pub committed: Qty,
    /// Expected use on days whose sales are not known yet, and the number of such days.
    pub estimated: Qty,
    pub estimated_days: usize,
    /// Days since the last count whose sales are not known, and so many that they are not estimated.
    pub unknown_days: usize,
    due: Vec<Due>,
}

impl Position {
    /// Stock on hand; 0 if never counted.
    pub fn on_hand(&self) -> Qty {
        self.stock.as_ref().and_then(|stock| stock.on_hand).unwrap_or_default()
    }

    /// Usable stock less estimated use: the stock that a projection starts with, before what is committed.
    pub fn expected_on_hand(&self) -> Qty {
        Qty(self.on_hand().0.saturating_sub(self.unusable.0).saturating_sub(self.estimated.0))
    }

    /// What is in transit and arrives before the next truck.
    pub fn in_time(&self) -> Qty {
        Qty(self.in_transit.0.saturating_sub(self.in_transit_later.0))
    }

    /// Takes in what transfers that have not left are to take: at most what is there and usable, since nothing else can
    /// be sent.
    fn commit(&mut self, wanted: Qty) {
        self.committed = Qty(wanted.0.min(self.on_hand().0.saturating_sub(self.unusable.0)).max(0));
    }

    /// Inventory position: expected usable stock + in transit in time + on order − committed.
    pub fn total(&self) -> Qty {
        let coming = self.in_time().0.saturating_add(self.on_order.0);
        Qty(self.expected_on_hand().0.saturating_add(coming).saturating_sub(self.committed.0))
    }

    /// Expected arrivals per day from `first` on; overdue ones on the first.
    pub fn arrivals(&self, first: BusinessDay, days: usize) -> Vec<f64> {
        let mut arrivals = vec![0.0; days];
        for (day, due) in self.due.iter().filter_map(|due| Some((due.arrives?, due))) {
            let at = usize::try_from(day.0 - first.0).unwrap_or(0);
            if let Some(sum) = arrivals.get_mut(at) {
                *sum += number(due.qty);
            }
        }
        arrivals
    }

    /// Takes in the expected use of days whose sales are not known, as far as they come after the last count. Of very many
    /// such days nothing is known any more.
    pub fn estimate(&mut self, used: impl IntoIterator<Item = (BusinessDay, f64)>) {
        let since = used.into_iter().filter(|(day, _)| self.is_since(*day));
        let since: Vec<f64> = since.map(|(_, used)| used).collect();
        if since.len() <= MOST_ESTIMATED {
            self.estimated = Qty(self.estimated.0.saturating_add(quantity(since.iter().sum()).0));
            self.estimated_days += since.len();
        } else {
            self.unknown_days += since.len();
        }
    }

    /// Takes in days whose sales are not known and are not estimated.
    pub fn lack(&mut self, days: impl IntoIterator<Item = BusinessDay>) {
        self.unknown_days += days.into_iter().filter(|day| self.is_since(*day)).count();
    }

    /// Whether the stock lacks the sales of a day. Stock that was never counted is taken as nothing, not as less.
    fn is_since(&self, day: BusinessDay) -> bool {
        let stock = self.stock.as_ref().filter(|stock| stock.on_hand.is_some());
        stock.is_some_and(|stock| stock.lacks_sales_from().is_none_or(|first| first <= day))
    }

    /// Whether the last count was made after the sales of a day: all that was used on it is out of the stock.
    pub fn counted_after(&self, day: BusinessDay) -> bool {
        self.stock.as_ref().and_then(RootStock::lacks_sales_from).is_some_and(|from| from > day)
    }
}

/// What a store's positions consist of besides its stock.
#[derive(Clone, Copy)]
pub struct Besides<'a> {
    /// Expected deliveries to the store.
    pub coming: &'a [Coming],
    /// What draft transfers to other stores are to take: product, quantity in base units.
    pub committed: &'a [(String, Qty)],
    /// Recalled and expired stock by root item.
    pub unusable: Option<&'a HashMap<String, Qty>>,
}

/// The positions of all root items known in a store. `next`: the day until which an order has to last by the delivery
/// calendar; without one everything due counts.
///
/// # Errors
/// When the database does not answer.
pub async fn positions(
    db: &Db,
    context: &PlanContext,
    store_id: &str,
    Besides { coming, committed, unusable }: Besides<'_>,
    next: Option<BusinessDay>,
) -> Result<HashMap<String, Position>, DbError> {
    let stock = place_stock::with_use(db, store_id, context.day).await?;
    let mut found: HashMap<String, Position> = stock
        .into_iter()
        .map(|(root, stock)| {
            let unusable = unusable.and_then(|of_store| of_store.get(&root)).copied().unwrap_or_default();
            (root, Position { stock: Some(stock), unusable, ..Position::default() })
        })
        .collect();
    let parts = |product: &str| context.parts.get(product).map(Vec::as_slice).unwrap_or_default();
    let horizon = Horizon { calendars: &context.calendars, today: context.day, next };
    for (root, due) in due_by_root(coming, horizon, parts) {
        let position = found.entry(root).or_default();
        let counted = counted(&due, horizon.until());
        (position.in_transit, position.in_transit_later) = (counted.in_transit, counted.in_transit_later);
        (position.on_order, position.later, position.short) =
            (counted.on_order, counted.later, counted.short);
        position.due = due;
    }
    let mut wanted: HashMap<&str, Qty> = HashMap::new();
    for (product, qty) in committed {
        for (root, factor) in parts(product) {
            let sum = wanted.entry(root.as_str()).or_default();
            *sum = qty.scaled(*factor).and_then(|qty| sum.checked_add(qty)).unwrap_or(*sum);
        }
    }
    for (root, qty) in wanted {
        found.entry(root.to_owned()).or_default().commit(qty);
    }
    Ok(found)
}
