//! Stock due to stores, and stock reserved for others: read for all stores at once.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json};
use larder_domain::delivery_calendar::{Due, Rule, Stage, arrival};
use larder_domain::document::quantity;
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};
use larder_ledgers::delivery_calendar::{self, Kept};
use larder_ledgers::{place_stock, stock};

use super::Share;

/// A product due to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coming {
    pub store_id: String,
    pub product_id: String,
    /// In base units.
    pub qty: Qty,
    /// Due date: the delivery's, or the day an order is needed.
    pub due: BusinessDay,
    /// Whether it is in transit; otherwise ordered and not dispatched yet.
    pub on_the_way: bool,
    /// Where it comes from; a transfer's is the sending store.
    pub source: (String, String),
    pub stage: Stage,
}

/// The delivery calendars of stores.
#[derive(Debug, Clone, Default)]
pub struct Calendars {
    of_store: HashMap<String, Vec<Kept>>,
    /// The default commissary.
    kitchen: Option<String>,
}

impl Calendars {
    /// Reads those of some stores, or of all.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: Option<&[String]>) -> Result<Self, DbError> {
        let mut of_store: HashMap<String, Vec<Kept>> = HashMap::new();
        for kept in delivery_calendar::all(db, stores).await? {
            of_store.entry(kept.store_id.clone()).or_default().push(kept);
        }
        Ok(Self { of_store, kitchen: stock::usual_commissary(db).await?.map(|(place, _)| place.id) })
    }

    /// The default commissary.
    #[must_use]
    pub fn kitchen(&self) -> Option<&str> {
        self.kitchen.as_deref()
    }

    /// The calendar of the source that a store is usually supplied from.
    #[must_use]
    pub fn usual(&self, store_id: &str) -> Option<&Kept> {
        delivery_calendar::usual(self.of_store.get(store_id)?, self.kitchen())
    }

    /// The day until which an order of a store that is sent now has to last: T₂. `None` with fewer than two trucks in
    /// view.
    #[must_use]
    pub fn next(&self, store_id: &str, now: Timestamp, first: BusinessDay) -> Option<BusinessDay> {
        Some(self.usual(store_id)?.rule().cycle(now, first)?.next.date)
    }

    /// The calendar of a source for a store.
    fn of(&self, store_id: &str, source: &(String, String)) -> Option<Rule> {
        let known = self.of_store.get(store_id)?;
        let of_source = |kept: &&Kept| kept.source_type == source.0 && kept.source_id == source.1;
        known.iter().find(of_source).map(Kept::rule)
    }
}

/// Until when what is due counts.
#[derive(Clone, Copy)]
pub struct Horizon<'a> {
    pub calendars: &'a Calendars,
    pub today: BusinessDay,
    /// The day until which an order has to last by the delivery calendar; without one everything due counts.
    pub next: Option<BusinessDay>,
}

impl Horizon<'_> {
    /// For [`larder_domain::delivery_calendar::counted`]: without a calendar there is no day from which on something
    /// comes too late.
    #[must_use]
    pub fn until(&self) -> BusinessDay {
        self.next.unwrap_or(BusinessDay(i32::MAX))
    }

    fn arrives(&self, it: &Coming) -> Option<BusinessDay> {
        match self.next {
            Some(_) => arrival(it.stage, it.due, self.today, self.calendars.of(&it.store_id, &it.source)),
            None => Some(it.due),
        }
    }
}

/// What is due to a store, per root item and in its unit. The plan and the order guide both count from here. `parts`: what
/// a base unit of a product contains.
#[must_use]
pub fn due_by_root<'a>(
    coming: &[Coming],
    horizon: Horizon<'_>,
    parts: impl Fn(&str) -> &'a [(String, Factor)],
) -> HashMap<String, Vec<Due>> {
    let mut found: HashMap<String, Vec<Due>> = HashMap::new();
    for it in coming {
        let arrives = horizon.arrives(it);
        for (root, factor) in parts(&it.product_id) {
            let qty = it.qty.scaled(*factor).unwrap_or_default();
            found.entry(root.clone()).or_default().push(Due { arrives, qty, sent: it.on_the_way });
        }
    }
    found
}

/// What makes due quantities differ: the fields of [`Coming`] but the quantity.
type Key = (String, BusinessDay, String, Stage, (String, String));

/// An order line that is not fully dispatched.
#[derive(larder_db::FromRow)]
struct Ordered {
    id: String,
    store_id: String,
    product_id: String,
    on_date: BusinessDay,
    factor: Factor,
    open: Qty,
    dispatched: Qty,
    share: Option<Json<Share>>,
    source_type: Option<String>,
    source_id: Option<String>,
}

/// A line of a delivery that has not left.
#[derive(larder_db::FromRow)]
struct Loading {
    order_line_id: String,
    on_date: BusinessDay,
    state: String,
    factor: Factor,
    qty: Qty,
}

/// Stock in transit to some stores, and their orders not dispatched yet, by store, day, product, source and stage. Lines
/// of `but`, the order being written, are left out.
///
/// What a delivery that has not left is to carry is due with it. The rest of its order is due on the day it was ordered
/// for, unless that truck was packed or has left without it, or sharing leaves it short.
///
/// # Errors
/// If the database fails.
pub async fn coming(
    db: &Db,
    stores: &[String],
    but: Option<&str>,
    today: BusinessDay,
) -> Result<Vec<Coming>, DbError> {
    type Sent = (String, String, BusinessDay, Option<String>, Option<String>);
    let sent: Vec<Sent> = db
        .sql(
            "select id, store_id, on_date, source_type, source_id from documents
             where kind in ('delivery', 'transfer') and state in ('dispatched', 'partiallyReceived')
               and store_id in ",
        )
        .push_ids(stores)
        .all()
        .await?;
    let ids: Vec<(&str, &str)> = sent.iter().map(|(id, store, ..)| (store.as_str(), id.as_str())).collect();
    let in_transit = place_stock::on_the_way(db, &ids).await?;
    let ordered: Vec<Ordered> = db
        .sql(
            "select l.id, d.store_id, l.product_id, d.on_date, l.factor, coalesce(l.qty_approved, l.qty_ordered) \
               - l.qty_dispatched - l.qty_short_closed as open, l.qty_dispatched as dispatched, l.share, \
               d.source_type, d.source_id
             from documents d join order_lines l on l.document_id = d.id
             where d.kind = 'storeOrder' and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived')
               and d.id <> ",
        )
        .push_bind(but.unwrap_or_default().to_owned())
        .push(" and d.store_id in ")
        .push_ids(stores)
        .push(" order by l.id")
        .all()
        .await?;
    let loading: Vec<Loading> = db
        .sql(
            "select l.order_line_id, d.on_date, d.state, l.factor, coalesce(l.picked, l.ordered) as qty
             from documents d join shipment_lines l on l.document_id = d.id
             where d.kind = 'delivery' and d.state in ('draft', 'picking', 'packed') and l.order_line_id is not null
               and d.store_id in ",
        )
        .push_ids(stores)
        .push(" order by d.on_date, l.id")
        .all()
        .await?;
    let mut loads: HashMap<String, Vec<Loading>> = HashMap::new();
    for load in loading {
        loads.entry(load.order_line_id.clone()).or_default().push(load);
    }
    let mut sums: HashMap<Key, Qty> = HashMap::new();
    let mut add = |key: Key, qty: Qty| {
        let sum = sums.entry(key).or_default();
        *sum = sum.checked_add(qty).unwrap_or(*sum);
    };
    let source =
        |kind: Option<String>, id: Option<String>| (kind.unwrap_or_default(), id.unwrap_or_default());
    for (id, store, due, kind, from) in sent {
        let source = source(kind, from);
        for (product, qty) in in_transit.get(&(store.clone(), id)).into_iter().flatten() {
            add((store.clone(), due, product.clone(), Stage::Sent, source.clone()), *qty);
        }
    }
    // It is on the shelf already.
    for early in place_stock::counted_early(db, stores).await? {
        let source = source(early.source_type, early.source_id);
        add((early.store_id, early.due, early.product_id, Stage::Sent, source), Qty(-early.qty.0));
    }
    for line in ordered {
        let source = source(line.source_type, line.source_id);
        let base = |qty: Qty, factor| quantity::base(qty, factor).unwrap_or_default();
        let mut rest = base(line.open, line.factor);
        // What sharing leaves for the line.
        let up_to = line.share.as_ref().and_then(|share| share.0.up_to);
        let mut shared = up_to.map_or(rest, |most| {
            let sent = base(line.dispatched, line.factor);
            Qty((base(most, line.factor).0 - sent.0).clamp(0, rest.0.max(0)))
        });
        let mut left_behind = line.dispatched.0 > 0 && line.on_date <= today;
        let mut due = |day: BusinessDay, stage, qty: Qty| {
            if qty.0 > 0 {
                add((line.store_id.clone(), day, line.product_id.clone(), stage, source.clone()), qty);
            }
        };
        for load in loads.remove(&line.id).unwrap_or_default() {
            let qty = base(load.qty, load.factor).min(rest);
            rest.0 -= qty.0.max(0);
            shared.0 = (shared.0 - qty.0.max(0)).max(0);
            left_behind |= load.state == "packed";
            due(load.on_date, Stage::Loading, qty);
        }
        due(line.on_date, if left_behind { Stage::LeftBehind } else { Stage::Ordered }, shared.min(rest));
        due(line.on_date, Stage::LeftBehind, Qty(rest.0 - shared.min(rest).0));
    }
    let mut coming: Vec<Coming> = sums
        .into_iter()
        .filter(|(_, qty)| !qty.is_zero())
        .map(|((store_id, due, product_id, stage, source), qty)| Coming {
            store_id,
            product_id,
            qty,
            due,
            on_the_way: stage == Stage::Sent,
            source,
            stage,
        })
        .collect();
    coming.sort_by(|a, b| {
        let key =
            |it: &Coming| (it.store_id.clone(), it.due, it.product_id.clone(), it.stage, it.source.clone());
        key(a).cmp(&key(b))
    });
    Ok(coming)
}

/// Stock of some stores that transfers to another one, not sent yet, are to take: store, product, base units. It is what
/// was typed: no more than what is there can be promised.
///
/// # Errors
/// If the database fails.
pub async fn committed(db: &Db, stores: &[String]) -> Result<Vec<(String, String, Qty)>, DbError> {
    let rows: Vec<(String, String, Factor, Qty)> = db
        .sql(
            "select d.source_id, l.product_id, l.factor, coalesce(l.picked, l.ordered)
             from documents d join shipment_lines l on l.document_id = d.id
             where d.kind = 'transfer' and d.state = 'draft' and d.source_id in ",
        )
        .push_ids(stores)
        .push(" order by d.source_id, l.product_id, l.id")
        .all()
        .await?;
    let base = |(store, product, factor, qty): (String, String, Factor, Qty)| {
        (store, product, quantity::base(qty, factor).unwrap_or_default())
    };
    Ok(rows.into_iter().map(base).collect())
}
