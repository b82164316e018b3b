//! Approved order lines that a kitchen leaves short: neither stock nor production covers them. Read once for Home and
//! the kitchen's list of them. And what a kitchen has to share out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Json};
use larder_domain::decimal::div_round;
use larder_domain::document::standing::{Figures, Standing, Want, cover};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};

use super::Share;
use super::kitchen;
use larder_ledgers::place_stock;

/// An approved order line that a kitchen leaves short; quantities are in its unit.
#[derive(Debug, Clone)]
pub struct ShortLine {
    pub id: String,
    pub order_id: String,
    pub order_no: String,
    pub store_id: String,
    pub store: String,
    pub commissary_id: String,
    pub commissary: String,
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub needed_date: BusinessDay,
    /// When its order was approved.
    pub approved_at: Timestamp,
    pub asked: Qty,
    pub approved: Qty,
    pub to_send: Qty,
    pub covered: Qty,
    pub short: Qty,
}

/// A product that a kitchen has to share out: there is some, and less than what stores may still be sent.
#[derive(Debug, Clone)]
pub struct ToShare {
    pub commissary_id: String,
    pub commissary: String,
    pub product_id: String,
    pub name: String,
    /// The first day on which it is not enough.
    pub needed_date: BusinessDay,
    /// How many stores may be sent some up to that day.
    pub stores: usize,
    /// When the last of their orders was submitted.
    pub asked_at: Timestamp,
}

/// A line of an open order to a kitchen.
#[derive(larder_db::FromRow)]
struct OpenLine {
    id: String,
    document_id: String,
    number: String,
    state: String,
    on_date: BusinessDay,
    /// As RFC 3339.
    submitted_at: Option<String>,
    approved_at: Option<String>,
    created_at: Timestamp,
    store_id: String,
    store: String,
    commissary_id: String,
    commissary: String,
    product_id: String,
    sku: Option<String>,
    name: String,
    uom_code: String,
    factor: Factor,
    qty_ordered: Qty,
    qty_approved: Option<Qty>,
    qty_dispatched: Qty,
    qty_short_closed: Qty,
    share: Option<Json<Share>>,
}

impl OpenLine {
    fn standing(&self) -> Standing {
        Standing::of(&Figures {
            ordered: self.qty_ordered,
            approved: self.qty_approved,
            dispatched: self.qty_dispatched,
            short_closed: self.qty_short_closed,
            shared_up_to: self.share.as_ref().and_then(|share| share.0.up_to),
        })
    }

    fn want(&self, loaded: &HashMap<String, Qty>) -> Want {
        let it = self.standing().in_base(self.factor).unwrap_or_default();
        kitchen::want(&self.id, it, loaded)
    }

    fn asked_at(&self) -> Timestamp {
        self.submitted_at.as_deref().and_then(Timestamp::parse).unwrap_or(self.created_at)
    }

    fn approved_at(&self) -> Timestamp {
        self.approved_at.as_deref().and_then(Timestamp::parse).unwrap_or_else(|| self.asked_at())
    }

    /// What may still be sent, in base units.
    fn sendable(&self) -> Qty {
        self.standing().in_base(self.factor).unwrap_or_default().sendable
    }

    fn waits(&self) -> bool {
        self.state == "submitted"
    }

    fn in_unit(&self, base: Qty) -> Qty {
        let units = div_round(i128::from(base.0) * 1_000_000_000, i128::from(self.factor.0.max(1)));
        Qty(units.unwrap_or_default())
    }

    /// `short` is in base units.
    fn left_short(&self, short: Qty) -> ShortLine {
        let it = self.standing();
        let short = self.in_unit(short).min(it.to_send);
        ShortLine {
            id: self.id.clone(),
            order_id: self.document_id.clone(),
            order_no: self.number.clone(),
            store_id: self.store_id.clone(),
            store: self.store.clone(),
            commissary_id: self.commissary_id.clone(),
            commissary: self.commissary.clone(),
            product_id: self.product_id.clone(),
            sku: self.sku.clone(),
            name: self.name.clone(),
            uom_code: self.uom_code.clone(),
            needed_date: self.on_date,
            approved_at: self.approved_at(),
            asked: it.asked,
            approved: it.approved,
            to_send: it.to_send,
            covered: Qty(it.to_send.0 - short.0),
            short,
        }
    }
}

/// The approved lines of some stores, or of all, that kitchens leave short; the earliest needed first. Stock and batches
/// go to the lines of all stores: first to what deliveries carry that have not left, then in the order of the days on which
/// they are needed. What waits for an answer comes last, and is not listed.
///
/// # Errors
/// If the database fails.
pub async fn short_lines(
    db: &Db,
    today: BusinessDay,
    stores: Option<&[String]>,
) -> Result<Vec<ShortLine>, DbError> {
    let lines = open_lines(db).await?;
    let ids: Vec<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    let loaded = kitchen::loaded(db, &ids).await?;
    let mut of_kitchens: BTreeMap<&str, BTreeMap<&str, Vec<&OpenLine>>> = BTreeMap::new();
    for line in &lines {
        let of_products = of_kitchens.entry(&line.commissary_id).or_default();
        of_products.entry(&line.product_id).or_default().push(line);
    }
    let mut found = Vec::new();
    for (commissary, of_products) in of_kitchens {
        if of_products.values().flatten().all(|line| line.waits()) {
            continue;
        }
        let there = there(db, commissary, today).await?;
        for (product, lines) in of_products {
            let wants: Vec<Want> = lines.iter().map(|line| line.want(&loaded)).collect();
            let supplies = cover(&wants, there.get(product).copied().unwrap_or_default());
            for (line, supply) in lines.iter().zip(supplies) {
                let is_theirs = stores.is_none_or(|stores| stores.contains(&line.store_id));
                if supply.short.0 > 0 && is_theirs && !line.waits() {
                    found.push(line.left_short(supply.short));
                }
            }
        }
    }
    found.sort_by_cached_key(|line| {
        (line.needed_date, line.order_no.clone(), line.name.to_lowercase(), line.id.clone())
    });
    Ok(found)
}

/// The products that kitchens have to share out among some stores, or all; the earliest needed first. Those of some stores
/// are the ones of which they may be sent some on the first day on which it is not enough, or later. Once stock is shared, no
/// more may be sent than there is.
///
/// # Errors
/// If the database fails.
pub async fn to_share(
    db: &Db,
    today: BusinessDay,
    stores: Option<&[String]>,
) -> Result<Vec<ToShare>, DbError> {
    let lines = open_lines(db).await?;
    let mut of_kitchens: BTreeMap<&str, BTreeMap<&str, Vec<&OpenLine>>> = BTreeMap::new();
    for line in &lines {
        let of_products = of_kitchens.entry(&line.commissary_id).or_default();
        of_products.entry(&line.product_id).or_default().push(line);
    }
    let mut found = Vec::new();
    for (commissary, of_products) in of_kitchens {
        let there = there(db, commissary, today).await?;
        for (product, lines) in of_products {
            let there = there.get(product).copied().unwrap_or_default();
            if there.0 > 0 {
                found.extend(not_enough(lines, there, stores));
            }
        }
    }
    found.sort_by_cached_key(|one| {
        (one.needed_date, one.commissary_id.clone(), one.name.to_lowercase(), one.product_id.clone())
    });
    Ok(found)
}

/// A product's lines at a kitchen, if what there is, in base units, does not last for all that may be sent, and some stores,
/// or any, are among those that it does not last for.
fn not_enough(mut lines: Vec<&OpenLine>, there: Qty, stores: Option<&[String]>) -> Option<ToShare> {
    lines.retain(|line| line.sendable().0 > 0);
    lines.sort_by_key(|line| line.on_date);
    let mut asked = 0_i64;
    let mut first = None;
    for line in &lines {
        asked = asked.saturating_add(line.sendable().0);
        if asked > there.0 {
            first = Some(*line);
            break;
        }
    }
    let first = first?;
    let touches = |line: &OpenLine| {
        line.on_date >= first.on_date && stores.is_none_or(|stores| stores.contains(&line.store_id))
    };
    if !lines.iter().any(|line| touches(line)) {
        return None;
    }
    let up_to = lines.iter().filter(|line| line.on_date <= first.on_date);
    let of_stores: BTreeSet<&str> = up_to.clone().map(|line| line.store_id.as_str()).collect();
    Some(ToShare {
        commissary_id: first.commissary_id.clone(),
        commissary: first.commissary.clone(),
        product_id: first.product_id.clone(),
        name: first.name.clone(),
        needed_date: first.on_date,
        stores: of_stores.len(),
        asked_at: up_to.map(|line| line.asked_at()).max().unwrap_or_else(|| first.asked_at()),
    })
}

/// Lines of open orders to kitchens: approved ones first, then by the day they are needed. Read from the open orders on,
/// as in [`kitchen::open_orders`].
async fn open_lines(db: &Db) -> Result<Vec<OpenLine>, DbError> {
    db.sql(
        "select l.id, l.document_id, d.number, d.state, d.on_date, d.details->>'submittedAt' as submitted_at,
           d.details->>'approvedAt' as approved_at, d.created_at, d.store_id, s.name as store,
           c.id as commissary_id, c.name as commissary, l.product_id, l.sku, l.name, l.uom_code, l.factor,
           l.qty_ordered, l.qty_approved, l.qty_dispatched, l.qty_short_closed, l.share
         from documents d cross join order_lines l cross join locations s cross join commissaries c
         where l.document_id = d.id and s.id = d.store_id and c.id = d.source_id and d.kind = 'storeOrder' and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived')
           and d.source_type = 'commissary'
         order by case d.state when 'submitted' then 1 else 0 end, d.on_date, d.id, l.position",
    )
    .all()
    .await
}

/// What can cover orders to a kitchen, by product, in base units: usable stock and batches.
async fn there(db: &Db, commissary: &str, today: BusinessDay) -> Result<HashMap<String, Qty>, DbError> {
    let place = Place { kind: PlaceKind::Commissary, id: commissary.to_owned() };
    let stock = place_stock::usable_balances(db, &place, today).await?;
    let mut there: HashMap<String, Qty> =
        stock.into_iter().map(|(product, stock)| (product, Qty(stock.usable().0.max(0)))).collect();
    for batch in kitchen::being_made(db, commissary).await? {
        let sum = there.entry(batch.product_id).or_default();
        *sum = Qty(sum.0.saturating_add(batch.qty.0));
    }
    Ok(there)
}
