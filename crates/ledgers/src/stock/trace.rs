//! Traces a lot: its movements, and those of the lots it was made of and went into.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError, Json, Query};
use larder_domain::document::kind::Traced;
use larder_domain::ledger::{DocumentType, Leg, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty, StoreScope, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::places;
use super::read::By;

/// The most lots traced, and the most movements returned.
const MOST_LOTS: usize = 2_000;
const MOST_EVENTS: i64 = 20_000;

/// A lot of a product: product, code.
pub type LotKey = (String, String);

/// A lot in a trace.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct TracedLot {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub lot: String,
    pub uom_code: Option<String>,
    pub expiry: Option<BusinessDay>,
    pub recalled_at: Option<Timestamp>,
    #[schema(value_type = Option<By>)]
    pub recalled_by: Option<Json<By>>,
    pub recall_reason: Option<String>,
    /// `asked` for the code itself, `madeOf` for its ingredients, `wentInto` for products made of it.
    #[sqlx(default)]
    pub side: String,
}

/// Type of a movement in a lot's trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TraceKind {
    Made,
    /// Used as an ingredient.
    Used,
    Sent,
    Received,
    Returned,
    Wasted,
    Adjusted,
}

impl TraceKind {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Used => "used",
            Self::Sent => "sent",
            Self::Received => "received",
            Self::Returned => "returned",
            Self::Wasted => "wasted",
            Self::Adjusted => "adjusted",
        }
    }
}

/// An event of a lot.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceEvent {
    pub at: Timestamp,
    /// Its business date.
    pub date: BusinessDay,
    pub event: TraceKind,
    pub product_id: String,
    pub name: String,
    pub lot: String,
    /// Base units; negative for a downward adjustment.
    pub qty: Qty,
    pub uom_code: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub document_kind: String,
    pub document_id: String,
    pub document_no: Option<String>,
}

/// A lot from its origin to its last movement.
#[derive(Debug, Clone)]
pub struct LotTrace {
    /// The requested lot first, then its ingredients and the lots made of it.
    pub lots: Vec<TracedLot>,
    /// Oldest first.
    pub events: Vec<TraceEvent>,
    /// The keys of the lots.
    pub all: BTreeSet<LotKey>,
    /// Whether the result was truncated.
    pub cut: bool,
}

/// Traces a code, of one product or of all that have it. Limited to the stores the user may see.
///
/// # Errors
/// If the database fails.
pub async fn trace(
    db: &Db,
    lot: &str,
    product_id: Option<&str>,
    scope: &StoreScope,
) -> Result<LotTrace, DbError> {
    let mut query = db.sql("select product_id, lot from lots where lot = ").push_bind(lot);
    if let Some(id) = product_id {
        query = query.push(" and product_id = ").push_bind(id);
    }
    let query = query.push(" order by product_id limit ").push_bind(MOST_LOTS as i64);
    let asked: BTreeSet<LotKey> = query.all().await?.into_iter().collect();
    let back = closure(db, &asked, Direction::Back).await?;
    let forward = closure(db, &asked, Direction::Forward).await?;
    let all: BTreeSet<LotKey> = asked.iter().chain(&back).chain(&forward).cloned().collect();
    let side = |key: &LotKey| match () {
        () if asked.contains(key) => "asked",
        () if back.contains(key) => "madeOf",
        () => "wentInto",
    };
    let mut lots = lots_of(db, &all).await?;
    for lot in &mut lots {
        lot.side = side(&(lot.product_id.clone(), lot.lot.clone())).to_owned();
    }
    let order = |lot: &TracedLot| ["asked", "madeOf", "wentInto"].iter().position(|side| *side == lot.side);
    lots.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| (&a.name, &a.lot).cmp(&(&b.name, &b.lot))));
    let rows = movements(db, &all).await?;
    let cut = rows.len() as i64 >= MOST_EVENTS || all.len() >= MOST_LOTS;
    let events = events(db, rows, &lots, scope).await?;
    Ok(LotTrace { lots, events, all, cut })
}

#[derive(Clone, Copy)]
enum Direction {
    Back,
    Forward,
}

/// Lots made of some lots, or their ingredients, over all levels; without the lots themselves.
async fn closure(
    db: &Db,
    asked: &BTreeSet<LotKey>,
    direction: Direction,
) -> Result<BTreeSet<LotKey>, DbError> {
    let (known_sign, found_sign) = match direction {
        Direction::Forward => (" and known.qty < 0 ", " and found.qty > 0 "),
        Direction::Back => (" and known.qty > 0 ", " and found.qty < 0 "),
    };
    let mut found: BTreeSet<LotKey> = BTreeSet::new();
    let mut edge: BTreeSet<LotKey> = asked.clone();
    while !edge.is_empty() && found.len() < MOST_LOTS {
        let next: Vec<LotKey> = wanted(db.sql("select distinct found.item_id, found.lot from "), &edge)
            .push(
                " wanted join stock_movements known on known.lot = wanted.lot and known.item_id = wanted.product_id
                 join documents d on d.id = known.document_id and d.state = 'posted'
                 join stock_movements found on found.document_type = known.document_type
                   and found.document_id = known.document_id
                 where known.document_type = 'production' and known.reverses is null and found.reverses is null
                   and found.lot is not null",
            )
            .push(known_sign)
            .push(found_sign)
            .push(" limit ")
            .push_bind(MOST_LOTS as i64)
            .all()
            .await?;
        edge = next.into_iter().filter(|key| !asked.contains(key) && !found.contains(key)).collect();
        found.extend(edge.iter().cloned());
    }
    Ok(found)
}

fn wanted<'q>(query: Query<'q>, lots: &BTreeSet<LotKey>) -> Query<'q> {
    let rows = lots.iter().take(MOST_LOTS).map(|(product, lot)| (product.as_str(), lot.as_str()));
    query.push_rows(&["product_id", "lot"], rows)
}

/// Details of some lots.
async fn lots_of(db: &Db, lots: &BTreeSet<LotKey>) -> Result<Vec<TracedLot>, DbError> {
    if lots.is_empty() {
        return Ok(Vec::new());
    }
    let query = db.sql(
        "select l.product_id, p.sku, p.name, l.lot, (select coalesce(u.code, u.name) from uoms u
           where u.id = p.base_uom_id) as uom_code, l.expiry, l.recalled_at, l.recalled_by, l.recall_reason, '' as side
         from ",
    );
    wanted(query, lots)
        .push(
            " wanted join lots l on l.product_id = wanted.product_id and l.lot = wanted.lot
             join products p on p.id = l.product_id",
        )
        .all()
        .await
}

#[derive(larder_db::FromRow)]
struct Moved {
    posted_at: Timestamp,
    business_date: BusinessDay,
    item_id: String,
    lot: String,
    qty: Qty,
    place_kind: PlaceKind,
    place_id: String,
    leg: Leg,
    document_type: DocumentType,
    document_id: String,
    number: Option<String>,
    store_id: Option<String>,
    source_type: Option<String>,
    source_id: Option<String>,
    supplier: Option<String>,
    sender_type: Option<String>,
    sender_id: Option<String>,
}

/// Movements of some lots, without reversed ones and reversals.
async fn movements(db: &Db, lots: &BTreeSet<LotKey>) -> Result<Vec<Moved>, DbError> {
    if lots.is_empty() {
        return Ok(Vec::new());
    }
    let query = db.sql(
        "select m.posted_at, m.business_date, m.item_id, m.lot, m.qty, m.place_kind, m.place_id, m.leg,
           m.document_type, m.document_id, d.number, d.store_id, d.source_type, d.source_id,
           (select s.name from suppliers s where s.id = d.source_id) as supplier,
           sent.source_type as sender_type, sent.source_id as sender_id
         from ",
    );
    wanted(query, lots)
        .push(
            " wanted join stock_movements m on m.lot = wanted.lot and m.item_id = wanted.product_id
               and m.item_kind = 'product'
             left join documents d on d.id = m.document_id
             left join documents sent on sent.id = d.source_id
             where m.reverses is null
               and not exists (select 1 from stock_movements r where r.reverses = m.seq)
             order by m.posted_at, m.seq limit ",
        )
        .push_bind(MOST_EVENTS)
        .all()
        .await
}

async fn events(
    db: &Db,
    rows: Vec<Moved>,
    lots: &[TracedLot],
    scope: &StoreScope,
) -> Result<Vec<TraceEvent>, DbError> {
    let place = |kind: &str, id: &str| Some(Place { kind: PlaceKind::parse(kind)?, id: id.to_owned() });
    let mut named: BTreeSet<Place> = BTreeSet::new();
    for row in &rows {
        named.insert(Place { kind: row.place_kind, id: row.place_id.clone() });
        named.extend(row.store_id.as_deref().and_then(|id| place("store", id)));
        named.extend(
            row.source_type.as_deref().zip(row.source_id.as_deref()).and_then(|(k, id)| place(k, id)),
        );
        named.extend(
            row.sender_type.as_deref().zip(row.sender_id.as_deref()).and_then(|(k, id)| place(k, id)),
        );
    }
    let names = places::names(db, &named).await?;
    let name = |place: Option<Place>| place.and_then(|place| names.get(&place).cloned());
    let of: BTreeMap<LotKey, &TracedLot> =
        lots.iter().map(|lot| ((lot.product_id.clone(), lot.lot.clone()), lot)).collect();
    let event = |row: Moved| {
        let at_transit = row.place_kind == PlaceKind::InTransit;
        let store = if at_transit { row.place_id.split('_').next() } else { Some(row.place_id.as_str()) };
        let of_store = at_transit || row.place_kind == PlaceKind::Store;
        if of_store && !store.is_some_and(|id| scope.contains(id)) {
            return None;
        }
        let here = name(Some(Place { kind: row.place_kind, id: row.place_id.clone() }));
        let store = name(row.store_id.as_deref().and_then(|id| place("store", id)));
        let source =
            name(row.source_type.as_deref().zip(row.source_id.as_deref()).and_then(|(k, id)| place(k, id)));
        // A receipt's source is the delivery or transfer, so the sender is the place that one left.
        let sender =
            name(row.sender_type.as_deref().zip(row.sender_id.as_deref()).and_then(|(k, id)| place(k, id)));
        let came = row.qty.0 > 0;
        let at_home = row.place_kind == PlaceKind::Store && row.store_id.as_deref() == Some(&row.place_id);
        let (event, from, to) = match row.document_type.posts().traced {
            Traced::Made if came => (TraceKind::Made, None, here),
            Traced::Made => (TraceKind::Used, here, None),
            Traced::Sent if came && at_transit => (TraceKind::Sent, source, store),
            // No transit: the goods leave for good, with one movement.
            Traced::Sent if row.leg == Leg::Only => (TraceKind::Sent, here, row.supplier.clone()),
            Traced::TakenIn if came && at_home => {
                (TraceKind::Received, row.supplier.clone().or(sender), here)
            }
            Traced::TakenIn if came => (TraceKind::Returned, store, here),
            Traced::TakenIn if row.leg == Leg::Only => (TraceKind::Wasted, store, None),
            Traced::Wasted => (TraceKind::Wasted, here, None),
            Traced::Adjusted => (TraceKind::Adjusted, None, here),
            // The other side of an event already included.
            Traced::Sent | Traced::TakenIn => return None,
        };
        let lot = of.get(&(row.item_id.clone(), row.lot.clone()))?;
        Some(TraceEvent {
            at: row.posted_at,
            date: row.business_date,
            event,
            product_id: row.item_id,
            name: lot.name.clone(),
            lot: row.lot,
            qty: if event == TraceKind::Adjusted { row.qty } else { Qty(row.qty.0.abs()) },
            uom_code: lot.uom_code.clone(),
            from,
            to,
            document_kind: row.document_type.as_str().to_owned(),
            document_id: row.document_id,
            document_no: row.number,
        })
    };
    Ok(rows.into_iter().filter_map(event).collect())
}
