//! Plan lines: a store's product in a plan. The only writer of `plan_lines`.

use larder_db::{Db, DbError, Json, Query, Tx, table_row};
use larder_domain::{BusinessDay, Factor, Money, Qty};
use larder_planning::supply::{Lasts, Reserves, Supply, Window, ends};
use serde::{Deserialize, Serialize};

use super::Why;

/// What the plan of a line was made from, day by day, in the line's unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ahead {
    pub from: BusinessDay,
    /// Expected use per day from `from` on.
    pub forecast: Vec<f64>,
    /// Arrivals on the day they arrive, in transit or on order.
    pub arrivals: Vec<f64>,
    /// The delivery calendar; `None` where lead and review days apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trucks: Option<Trucks>,
    /// The suggestions of all products that supply the root item.
    #[serde(default)]
    pub ordered: f64,
    /// Days before `from` whose sales are not known yet, and the expected use on them since the last count.
    #[serde(default)]
    pub estimated_days: usize,
    #[serde(default)]
    pub estimated: Qty,
    /// What of the stock in transit does not arrive before the next truck.
    #[serde(default)]
    pub in_transit_later: Qty,
    /// Ordered and not sent yet, and not due before the next truck.
    #[serde(default)]
    pub later: Qty,
    /// Ordered, and on no truck.
    #[serde(default)]
    pub short: Qty,
    /// What of the stock is recalled or expired.
    #[serde(default)]
    pub unusable: Qty,
    /// Number of lines that came or left close to the last count and that nobody had answered about.
    #[serde(default)]
    pub close: usize,
}

/// The trucks of a delivery calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trucks {
    /// T₂: the truck after the one that the order is for.
    pub next: BusinessDay,
    /// The trucks that orders can still make: the day of arrival, and the day on which orders close.
    pub open: Vec<(BusinessDay, BusinessDay)>,
}

/// Whether the suggestion arrives in a projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suggestion {
    Without,
    With,
}

table_row! {
    /// A store's product in a plan, as planned. Quantities are in `unit`, the root item's; `suggested` is in
    /// `uom_id`.
    #[derive(Debug, Clone, larder_db::FromRow)]
    Line in "plan_lines" {
        /// `runId_storeId_productId`.
        id: String,
        run_id: String,
        store_id: String,
        product_id: String,
        name: String,
        sku: Option<String>,
        root_item_id: String,
        unit: Option<String>,
        uom_id: String,
        uom_code: String,
        /// Base units of the product in one of `uom_id`.
        factor: Factor,
        /// Root units in one base unit.
        root_factor: Factor,
        /// By a delivery calendar the days until the order's truck, and from it to the next one.
        lead_days: i64,
        review_days: i64,
        service_level: Qty,
        method: String,
        /// Over lead and review days; by a delivery calendar, up to the next truck.
        forecast: Qty,
        safety_stock: Qty,
        target: Qty,
        on_hand: Qty,
        in_transit: Qty,
        on_order: Qty,
        committed: Qty,
        position: Qty,
        /// Quantity in one of `uom_id`.
        pack: Qty,
        /// The product's share of the root item's need, in percent; 100 if it is the only product.
        share: Qty,
        suggested: Qty,
        /// Days that position and suggestion last, in tenths; `None` without use.
        cover_days: Option<Qty>,
        /// The first day that starts with stock and ends below zero, without the suggestion.
        stock_out_date: Option<BusinessDay>,
        /// Whether that is before the suggestion could arrive.
        at_risk: bool,
        /// `min`, `max`, `shelfLife`, `storage`.
        caps: Json<Vec<String>>,
        needed_date: BusinessDay,
        source_type: String,
        source_id: String,
        /// Cost of the suggestion at the store's price level.
        amount: Option<Money>,
        why: Json<Vec<Why>>,
        ahead: Json<Ahead>,
        note: Option<String>,
        /// Name and SKU, case-folded.
        search_key: String,
        /// The order created from it.
        order_id: Option<String>,
    }
}

impl Line {
    /// Remaining root item stock at the end of each day from `day` on.
    #[must_use]
    pub fn ends(&self, day: BusinessDay, days: usize, suggestion: Suggestion) -> Vec<f64> {
        let (used, mut arrives) = (self.ahead.forecast(day, days), self.ahead.arrivals(day, days));
        if suggestion == Suggestion::With
            && let Ok(at) = usize::try_from(self.needed_date.0 - day.0)
            && let Some(arrives) = arrives.get_mut(at)
        {
            *arrives += self.ahead.ordered;
        }
        ends(self.usable(), &used, &arrives).collect()
    }

    /// Root item stock before the first day ahead: on hand less what cannot be used, what is committed, and estimated
    /// use.
    #[must_use]
    pub fn usable(&self) -> f64 {
        let aside = self.ahead.unusable.0 + self.committed.0 + self.ahead.estimated.0;
        (self.on_hand.0 - aside) as f64 / 1e6
    }

    /// How long the stock lasts by the trucks, and the days it has to last; `None` where lead and review days apply.
    #[must_use]
    pub fn lasts(&self) -> Option<(Lasts, Window)> {
        let Ahead { from, forecast, arrivals, trucks, ordered, .. } = &self.ahead.0;
        let window = Window::new(*from, self.needed_date, trucks.as_ref()?.next)?;
        let supply =
            Supply { stock: self.usable(), used: forecast, arrives: arrivals, window, order: *ordered };
        Some((supply.lasts().ok()?, window))
    }

    /// The same as sentences, with what was estimated and what does not count.
    #[must_use]
    pub fn outlook(&self) -> Option<String> {
        let (lasts, window) = self.lasts()?;
        let Ahead { from, trucks, ordered, estimated_days, short, .. } = &self.ahead.0;
        let words = lasts.words(*from, window, *ordered > 0.0);
        let reserves = Reserves {
            estimated_days: *estimated_days,
            short: *short,
            later: self.ahead.too_late(),
            unit: self.unit.as_deref(),
        };
        let more = reserves.words(trucks.as_ref()?.next);
        Some(if more.is_empty() { words } else { format!("{words} {more}") })
    }
}

impl Ahead {
    /// What the position leaves aside: estimated use, and what is due too late or on no truck.
    #[must_use]
    pub fn aside(&self) -> Qty {
        Qty(self.estimated.0.saturating_add(self.too_late().0).saturating_add(self.short.0))
    }

    /// What is due, sent or not, but not before the next truck.
    #[must_use]
    pub fn too_late(&self) -> Qty {
        Qty(self.later.0.saturating_add(self.in_transit_later.0))
    }

    /// Expected use per day from `day` on.
    #[must_use]
    pub fn forecast(&self, day: BusinessDay, days: usize) -> Vec<f64> {
        self.on_days(&self.forecast, day, days)
    }

    /// Arrivals per day from `day` on.
    #[must_use]
    pub fn arrivals(&self, day: BusinessDay, days: usize) -> Vec<f64> {
        self.on_days(&self.arrivals, day, days)
    }

    fn on_days(&self, figures: &[f64], day: BusinessDay, days: usize) -> Vec<f64> {
        let before = self.from.0 - day.0;
        let at = |nth: usize| i32::try_from(nth).ok().and_then(|nth| usize::try_from(nth - before).ok());
        (0..days).map(|nth| at(nth).and_then(|at| figures.get(at)).copied().unwrap_or(0.0)).collect()
    }
}

/// Filter of plan lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Only {
    #[default]
    All,
    Order,
    /// Running out before the suggestion could arrive.
    Risk,
    /// Limited by a cap.
    Capped,
}

/// Query for plan lines.
#[derive(Debug, Clone, Default)]
pub struct Wanted<'a> {
    /// Pairs of run and store.
    pub of: &'a [(String, String)],
    pub product_id: Option<&'a str>,
    /// A `like` pattern over name and SKU, case-folded.
    pub like: Option<&'a str>,
    pub only: Only,
    /// Limit and offset; all when absent.
    pub page: Option<(i64, i64)>,
}

const COLUMNS: &str = "l.id, l.run_id, l.store_id, l.product_id, l.name, l.sku, l.root_item_id, l.unit, l.uom_id, \
     l.uom_code, l.factor, l.root_factor, l.lead_days, l.review_days, l.service_level, l.method, l.forecast, \
     l.safety_stock, l.target, l.on_hand, l.in_transit, l.on_order, l.committed, l.position, l.pack, l.share, \
     l.suggested, l.cover_days, l.stock_out_date, l.at_risk, l.caps, l.needed_date, l.source_type, l.source_id, \
     l.amount, l.why, l.ahead, l.note, l.search_key, l.order_id";

fn asked<'q>(query: Query<'q>, wanted: &Wanted<'_>) -> Query<'q> {
    let query = query.push(" from ").push_rows(&["run_id", "store_id"], wanted.of);
    let mut query =
        query.push(" w join plan_lines l on l.run_id = w.run_id and l.store_id = w.store_id where 1 = 1");
    if let Some(product) = wanted.product_id {
        query = query.push(" and l.product_id = ").push_bind(product.to_owned());
    }
    if let Some(like) = wanted.like {
        query = query.push(" and l.search_key like ").push_bind(like.to_owned()).push(" escape '\\'");
    }
    match wanted.only {
        Only::All => query,
        Only::Order => query.push(" and l.suggested > 0"),
        Only::Risk => query.push(" and l.at_risk"),
        Only::Capped => query.push(" and cast(l.caps as text) <> '[]'"),
    }
}

/// Lines of plans: at risk first, then least cover, by store and name.
///
/// # Errors
/// If the database fails.
pub async fn read(db: &Db, wanted: &Wanted<'_>) -> Result<Vec<Line>, DbError> {
    let query = asked(db.sql("select ").push(COLUMNS), wanted).push(
        " order by l.store_id, case when l.at_risk then 0 else 1 end, case when l.suggested > 0 then 0 else 1 end, \
         case when l.stock_out_date is null then 1 else 0 end, l.stock_out_date, l.name, l.id",
    );
    match wanted.page {
        Some((limit, offset)) => query.push(" limit ").push_bind(limit).push(" offset ").push_bind(offset),
        None => query,
    }
    .all()
    .await
}

/// The number of matching lines.
///
/// # Errors
/// If the database fails.
pub async fn count(db: &Db, wanted: &Wanted<'_>) -> Result<i64, DbError> {
    asked(db.sql("select cast(count(*) as bigint)"), wanted).scalar().await
}

/// Lines of a run and store by id, read in the transaction.
///
/// # Errors
/// If the database fails.
pub async fn find(tx: &mut Tx<'_>, run_id: &str, store_id: &str) -> Result<Vec<Line>, DbError> {
    tx.sql("select ")
        .push(COLUMNS)
        .push(" from plan_lines l where l.run_id = ")
        .push_bind(run_id)
        .push(" and l.store_id = ")
        .push_bind(store_id)
        .push(" order by l.id")
        .all()
        .await
}

/// Marks lines with the order created from them.
///
/// # Errors
/// If the statement fails.
pub async fn mark_ordered(tx: &mut Tx<'_>, line_ids: &[&str], order_id: &str) -> Result<(), DbError> {
    tx.sql("update plan_lines set order_id = ")
        .push_bind(order_id)
        .push(" where id in ")
        .push_ids(line_ids)
        .execute()
        .await?;
    Ok(())
}
