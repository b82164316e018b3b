//! Open store orders to a commissary, its stock and its batches: read once for the matrix, the kitchen plan and Home.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json};
use larder_domain::document::quantity;
use larder_domain::document::standing::{Figures, Standing, Want, cover};
use larder_domain::{BusinessDay, Factor, Qty};

use super::{OrderDetails, Share};

/// An order not fully sent.
#[derive(larder_db::FromRow)]
pub struct OpenOrder {
    pub id: String,
    pub number: String,
    pub store_id: String,
    pub store: String,
    pub state: String,
    pub on_date: BusinessDay,
    pub revision: i64,
    pub details: Json<OrderDetails>,
}

/// Orders to a commissary needed up to a day, or on any day, and not fully sent, by store and day. Selected by status:
/// few are open, however long the history. `CROSS JOIN` fixes SQLite's join order; otherwise it starts with the stores
/// and reads every order they ever placed.
///
/// # Errors
/// If the database fails.
pub async fn open_orders(
    db: &Db,
    commissary_id: &str,
    until: Option<BusinessDay>,
    stores: Option<&[String]>,
) -> Result<Vec<OpenOrder>, DbError> {
    let mut query = db
        .sql(
            "select d.id, d.number, d.store_id, l.name as store, d.state, d.on_date, d.revision, d.details
             from documents d cross join locations l
             where l.id = d.store_id and d.kind = 'storeOrder' and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived')
               and d.source_type = 'commissary' and coalesce(d.source_id, '') = ",
        )
        .push_bind(commissary_id.to_owned());
    if let Some(until) = until {
        query = query.push(" and d.on_date <= ").push_bind(until);
    }
    if let Some(stores) = stores {
        query = query.push(" and d.store_id in ").push_ids(stores);
    }
    query.push(" order by l.name_key, d.store_id, d.on_date, d.id").all().await
}

/// A line of an open order.
#[derive(larder_db::FromRow)]
pub struct OpenLine {
    pub id: String,
    pub document_id: String,
    pub product_id: String,
    pub uom_id: String,
    pub uom_code: String,
    pub factor: Factor,
    pub qty_ordered: Qty,
    pub qty_approved: Option<Qty>,
    pub qty_dispatched: Qty,
    pub qty_short_closed: Qty,
    pub share: Option<Json<Share>>,
}

impl OpenLine {
    /// Where it stands, in its unit.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing::of(&Figures {
            ordered: self.qty_ordered,
            approved: self.qty_approved,
            dispatched: self.qty_dispatched,
            short_closed: self.qty_short_closed,
            shared_up_to: self.share.as_ref().and_then(|share| share.0.up_to),
        })
    }

    /// Where it stands, in base units.
    #[must_use]
    pub fn in_base(&self) -> Standing {
        self.standing().in_base(self.factor).unwrap_or_default()
    }
}

/// The lines of some orders.
///
/// # Errors
/// If the database fails.
pub async fn lines(db: &Db, order_ids: &[&str]) -> Result<Vec<OpenLine>, DbError> {
    db.sql(
        "select id, document_id, product_id, uom_id, uom_code, factor, qty_ordered, qty_approved, qty_dispatched,
           qty_short_closed, share
         from order_lines where document_id in ",
    )
    .push_ids(order_ids)
    .push(" order by document_id, position")
    .all()
    .await
}

/// What deliveries that have not left carry of some order lines, in base units.
///
/// # Errors
/// If the database fails.
pub async fn loaded(db: &Db, order_lines: &[&str]) -> Result<HashMap<String, Qty>, DbError> {
    let rows: Vec<(String, Factor, Qty)> = db
        .sql(
            "select l.order_line_id, l.factor, coalesce(l.picked, l.ordered)
             from documents d join shipment_lines l on l.document_id = d.id
             where d.kind = 'delivery' and d.state in ('draft', 'picking', 'packed') and l.order_line_id in ",
        )
        .push_ids(order_lines)
        .all()
        .await?;
    let mut loaded: HashMap<String, Qty> = HashMap::new();
    for (line, factor, qty) in rows {
        let sum = loaded.entry(line).or_default();
        *sum = Qty(sum.0.saturating_add(quantity::base(qty, factor).unwrap_or_default().0));
    }
    Ok(loaded)
}

/// A quantity of a product on a day, in base units.
pub struct Dated {
    pub product_id: String,
    pub day: BusinessDay,
    pub qty: Qty,
}

/// Batches in progress at a commissary.
///
/// # Errors
/// If the database fails.
pub async fn being_made(db: &Db, commissary_id: &str) -> Result<Vec<Dated>, DbError> {
    let rows: Vec<(String, BusinessDay, Qty, Factor)> = db
        .sql(
            "select l.product_id, d.on_date, coalesce(l.actual, l.planned), l.factor
             from documents d join production_lines l on l.document_id = d.id
             where d.kind = 'production' and d.state in ('draft', 'inProgress')
               and coalesce(d.source_id, '') = $1 and l.side = 'made'",
        )
        .bind(commissary_id)
        .all()
        .await?;
    let making = rows.into_iter().map(|(product_id, day, qty, factor)| Dated {
        product_id,
        day,
        qty: quantity::base(qty, factor).unwrap_or_default(),
    });
    Ok(making.collect())
}

/// What is still to be sent of some orders, on the days it is needed.
#[must_use]
pub fn to_send(orders: &[OpenOrder], lines: &[OpenLine]) -> Vec<Dated> {
    let days: HashMap<&str, BusinessDay> =
        orders.iter().map(|order| (order.id.as_str(), order.on_date)).collect();
    let dated = |line: &OpenLine| {
        let day = *days.get(line.document_id.as_str())?;
        Some(Dated { product_id: line.product_id.clone(), day, qty: line.in_base().to_send })
    };
    lines.iter().filter_map(dated).filter(|it| it.qty.0 > 0).collect()
}

/// A product's row: its open orders against stock and batches, in base units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Row {
    pub standing: Standing,
    /// Of what is to be sent: what stock and batches cover.
    pub covered: Qty,
    /// The rest of it. Sharing does not change it.
    pub short: Qty,
}

/// The rows of all products in some lines. `there`: stock and batches of a product.
#[must_use]
pub fn rows(lines: &[OpenLine], there: impl Fn(&str) -> Qty) -> HashMap<&str, Row> {
    let mut rows: HashMap<&str, Row> = HashMap::new();
    for line in lines {
        let row = rows.entry(&line.product_id).or_default();
        row.standing = row.standing.checked_add(line.in_base()).unwrap_or(row.standing);
        let supply = row.standing.supply(there(line.product_id.as_str()));
        (row.covered, row.short) = (supply.covered, supply.short);
    }
    rows
}

/// What a line wants: it stands like that in base units.
#[must_use]
pub fn want(line_id: &str, it: Standing, loaded: &HashMap<String, Qty>) -> Want {
    let loaded = loaded.get(line_id).copied().unwrap_or_default();
    Want { to_send: it.to_send, sendable: it.sendable, loaded }
}

/// How much of the shortage of each product waits for an answer, in base units: approved lines come first, as in the list
/// of what is short, which names the rest. `there`: stock and batches of a product.
#[must_use]
pub fn short_waiting<'l>(
    orders: &[OpenOrder],
    lines: &'l [OpenLine],
    loaded: &HashMap<String, Qty>,
    there: impl Fn(&str) -> Qty,
) -> HashMap<&'l str, Qty> {
    let of_orders: HashMap<&str, (bool, BusinessDay)> =
        orders.iter().map(|order| (order.id.as_str(), (order.state == "submitted", order.on_date))).collect();
    let mut of_products: HashMap<&str, Vec<(bool, BusinessDay, &OpenLine)>> = HashMap::new();
    for line in lines {
        let Some((waits, day)) = of_orders.get(line.document_id.as_str()) else { continue };
        of_products.entry(&line.product_id).or_default().push((*waits, *day, line));
    }
    let mut waiting = HashMap::new();
    for (product, mut lines) in of_products {
        // Stable: within an order by position.
        lines.sort_by_cached_key(|(waits, day, line)| (*waits, *day, line.document_id.clone()));
        let wants: Vec<Want> =
            lines.iter().map(|(_, _, line)| want(&line.id, line.in_base(), loaded)).collect();
        let short = lines
            .iter()
            .zip(cover(&wants, there(product)))
            .filter(|((waits, ..), _)| *waits)
            .fold(0_i64, |sum, (_, supply)| sum.saturating_add(supply.short.0));
        waiting.insert(product, Qty(short));
    }
    waiting
}
