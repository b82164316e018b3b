//! Posts and reverses the movements of a document.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::BoxFuture;
use larder_db::Json;
use larder_db::{DbError, Tx, ViolationKind};
use larder_domain::ledger::{DocumentType, Item, ItemAt, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::ledger::{product_sums, sums};
use larder_domain::quantity::MOST;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};

use super::{lots, places};
use larder_platform::audit::Editor;
use larder_platform::http::ApiError;

/// A posting document.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    pub kind: DocumentType,
    pub id: &'a str,
    /// Number of the posting, from one: a dispatch that was undone can be posted again.
    pub posting: i64,
}

impl<'a> Document<'a> {
    /// The first posting of a document.
    #[must_use]
    pub const fn first(kind: DocumentType, id: &'a str) -> Self {
        Self { kind, id, posting: 1 }
    }
}

/// A document's movements.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    pub document: Document<'a>,
    /// Their business date.
    pub business_date: BusinessDay,
    /// When they happened; by default now if that is their business date, else unknown. Kept at stores only: other
    /// places have a running balance.
    pub happened_at: Option<Timestamp>,
    /// Reason, if given.
    pub reason: Option<&'a str>,
    /// Both sides of each line.
    pub movements: &'a [Movement],
}

/// Posts a document's movements together with balances and product quantities. Returns the numbers of the
/// movements, in order.
///
/// # Errors
/// 404 for an unknown item or place, 409 if the document is posted already, 422 if a quantity overflows.
pub fn post<'a>(tx: &'a mut Tx<'_>, posting: &'a Posting<'a>) -> BoxFuture<'a, Result<Vec<i64>, ApiError>> {
    Box::pin(async move {
        let now = Some(tx.actor().at).filter(|at| BusinessDay::of(*at) == posting.business_date);
        let happened_at = posting.happened_at.or(now);
        let rows = posting.movements.iter().map(|movement| Row {
            movement,
            happened_at: happened_at.filter(|_| movement.place.kind == PlaceKind::Store),
            reverses: None,
        });
        write(tx, posting, &rows.collect::<Vec<_>>()).await
    })
}

/// Posts the opposite of everything `original` posted, on behalf of another document. It happened when the original did,
/// so that counts include both or neither. A reversal happens once and cannot itself be reversed: post again instead.
///
/// # Errors
/// 404 if the document posted nothing, 409 if it is reversed already.
pub fn reverse<'a>(
    tx: &'a mut Tx<'_>,
    original: Document<'a>,
    by: Document<'a>,
    business_date: BusinessDay,
    reason: Option<&'a str>,
) -> BoxFuture<'a, Result<Vec<i64>, ApiError>> {
    Box::pin(async move {
        let posted = of_document(tx, original).await?;
        if posted.is_empty() {
            return Err(ApiError::not_found("posted document"));
        }
        if posted.iter().any(|row| row.reverses.is_some()) {
            let words = "This document reverses another one already; post a new one instead.";
            return Err(ApiError::conflict("reversal", words));
        }
        let movements: Vec<Movement> = posted.iter().map(Posted::opposite).collect();
        let rows = movements.iter().zip(&posted).map(|(movement, row)| Row {
            movement,
            happened_at: row.happened_at,
            reverses: Some(row.seq),
        });
        let posting = Posting { document: by, business_date, happened_at: None, reason, movements: &[] };
        write(tx, &posting, &rows.collect::<Vec<_>>()).await
    })
}

/// The business date of a posting; `None` if it posted nothing.
///
/// # Errors
/// If the database fails.
pub async fn posted_on(tx: &mut Tx<'_>, document: Document<'_>) -> Result<Option<BusinessDay>, DbError> {
    tx.sql("select max(business_date) from stock_movements where document_type = $1 and document_id = $2 and posting = $3")
        .bind(document.kind.as_str())
        .bind(document.id)
        .bind(document.posting)
        .scalar()
        .await
}

/// A posted movement.
#[derive(sqlx::FromRow)]
struct Posted {
    seq: i64,
    item_kind: ItemKind,
    item_id: String,
    place_kind: PlaceKind,
    place_id: String,
    qty: Qty,
    unit_cost: Option<Money>,
    document_line: i64,
    leg: Leg,
    lot: Option<String>,
    happened_at: Option<Timestamp>,
    reverses: Option<i64>,
}

impl Posted {
    fn opposite(&self) -> Movement {
        Movement {
            item: Item { kind: self.item_kind, id: self.item_id.clone() },
            place: Place { kind: self.place_kind, id: self.place_id.clone() },
            qty: Qty(-self.qty.0),
            unit_cost: self.unit_cost,
            line: self.document_line,
            leg: self.leg,
            lot: self.lot.clone(),
        }
    }
}

async fn of_document(tx: &mut Tx<'_>, document: Document<'_>) -> Result<Vec<Posted>, DbError> {
    tx.sql(
        "select seq, item_kind, item_id, place_kind, place_id, qty, unit_cost, document_line, leg, lot,
           happened_at, reverses
         from stock_movements where document_type = $1 and document_id = $2 and posting = $3 order by seq",
    )
    .bind(document.kind.as_str())
    .bind(document.id)
    .bind(document.posting)
    .all()
    .await
}

/// A movement to write.
struct Row<'a> {
    movement: &'a Movement,
    happened_at: Option<Timestamp>,
    /// The number of the movement it reverses.
    reverses: Option<i64>,
}

/// Balances first: the holder of their locks posts the next number, so that a place's movements are numbered
/// in the order they changed its balance.
async fn write(tx: &mut Tx<'_>, posting: &Posting<'_>, rows: &[Row<'_>]) -> Result<Vec<i64>, ApiError> {
    let all: Vec<Movement> = rows.iter().map(|row| row.movement.clone()).collect();
    if all.iter().any(|movement| movement.qty.is_zero() || movement.qty.0.abs() >= MOST) {
        return Err(too_large());
    }
    let sums = sums(&all).ok_or_else(too_large)?;
    if sums.values().any(|sum| sum.0.abs() >= MOST) {
        return Err(too_large());
    }
    refuse_unknown(tx, &sums).await?;
    let after = add_to_balances(tx, &sums).await?;
    if after.values().any(|balance| balance.abs() >= MOST) {
        return Err(too_large());
    }
    let seqs = insert(tx, posting, rows, &sums, after).await?;
    let moves = rows.iter().map(|row| (row.movement, row.reverses.is_some()));
    lots::move_balances(tx, posting.business_date, moves).await?;
    for (id, sum) in product_sums(&sums).ok_or_else(too_large)? {
        add_to_product(tx, id, sum).await?;
    }
    let items: BTreeSet<&Item> = sums.keys().map(|(item, _)| item).collect();
    for item in items {
        tx.announce(item.kind.as_str(), &item.id, None);
    }
    Ok(seqs)
}

async fn refuse_unknown(tx: &mut Tx<'_>, sums: &BTreeMap<ItemAt, Qty>) -> Result<(), ApiError> {
    let items: BTreeSet<&Item> = sums.keys().map(|(item, _)| item).collect();
    for (kind, table, one) in
        [(ItemKind::Product, "products", "product"), (ItemKind::RootItem, "root_items", "root item")]
    {
        let ids: Vec<&str> = items.iter().filter(|i| i.kind == kind).map(|i| i.id.as_str()).collect();
        if ids.is_empty() {
            continue;
        }
        let query = tx.sql("select cast(count(*) as bigint) from ").push(table).push(" where id in ");
        let known: i64 = query.push_ids(&ids).scalar().await?;
        if known < ids.len() as i64 {
            return Err(ApiError::not_found(one));
        }
    }
    let places: BTreeSet<&Place> = sums.keys().map(|(_, place)| place).collect();
    for place in places {
        if !places::find(tx, place).await? {
            return Err(ApiError::not_found(places::one(place.kind)));
        }
    }
    Ok(())
}

/// Adds to the balances in order, and returns the new ones.
async fn add_to_balances(
    tx: &mut Tx<'_>,
    sums: &BTreeMap<ItemAt, Qty>,
) -> Result<HashMap<(String, String, String, String), i64>, DbError> {
    let at = tx.actor().at;
    let rows = sums.iter().map(|((item, place), sum)| {
        (item.kind.as_str(), item.id.as_str(), place.kind.as_str(), place.id.as_str(), sum.0, at)
    });
    let after: Vec<(String, String, String, String, i64)> = tx
        .sql(
            "insert into stock_balances (item_kind, item_id, place_kind, place_id, qty, moved_at) \
             select * from ",
        )
        .push_rows(&["item_kind", "item_id", "place_kind", "place_id", "qty", "moved_at"], rows)
        // Without `where` SQLite parses `on conflict` as a join condition.
        .push(
            " loaded where true on conflict (item_id, item_kind, place_id, place_kind) do update set \
             qty = stock_balances.qty + excluded.qty, moved_at = excluded.moved_at \
             returning item_kind, item_id, place_kind, place_id, qty",
        )
        .all()
        .await?;
    Ok(after.into_iter().map(|(a, b, c, d, qty)| ((a, b, c, d), qty)).collect())
}

async fn insert(
    tx: &mut Tx<'_>,
    posting: &Posting<'_>,
    written: &[Row<'_>],
    sums: &BTreeMap<ItemAt, Qty>,
    mut after: HashMap<(String, String, String, String), i64>,
) -> Result<Vec<i64>, ApiError> {
    let actor = tx.actor();
    let by = Json(Editor::from(actor));
    let key = |item: &Item, place: &Place| {
        (item.kind.as_str().to_owned(), item.id.clone(), place.kind.as_str().to_owned(), place.id.clone())
    };
    // From the new balances back to the old ones, then forward movement by movement.
    for ((item, place), sum) in sums {
        *after.entry(key(item, place)).or_default() -= sum.0;
    }
    let mut rows = Vec::with_capacity(written.len());
    for Row { movement, happened_at, reverses } in written {
        let (item, place) = (&movement.item, &movement.place);
        let balance = after.entry(key(item, place)).or_default();
        *balance += movement.qty.0;
        rows.push((
            item.kind.as_str(),
            item.id.as_str(),
            place.kind.as_str(),
            place.id.as_str(),
            posting.business_date,
            actor.at,
            movement.qty,
            *balance,
            movement.unit_cost,
            posting.document.kind.as_str(),
            posting.document.id,
            movement.line,
            movement.leg.as_str(),
            posting.reason,
            by.clone(),
            *reverses,
            posting.document.posting,
            movement.lot.as_deref(),
            *happened_at,
        ));
    }
    let posted: Vec<(i64, i64, String)> = tx
        .sql(
            "insert into stock_movements (item_kind, item_id, place_kind, place_id, business_date, posted_at, \
             qty, balance, unit_cost, document_type, document_id, document_line, leg, reason, actor, reverses, \
             posting, lot, happened_at) select * from ",
        )
        .push_rows(COLUMNS, rows)
        .push(" loaded returning seq, document_line, leg")
        .all()
        .await
        .map_err(posted_already)?;
    let seqs: HashMap<(i64, String), i64> =
        posted.into_iter().map(|(seq, line, leg)| ((line, leg), seq)).collect();
    let seq = |movement: &Movement| seqs.get(&(movement.line, movement.leg.as_str().to_owned())).copied();
    Ok(written.iter().filter_map(|row| seq(row.movement)).collect())
}

const COLUMNS: &[&str] = &[
    "item_kind",
    "item_id",
    "place_kind",
    "place_id",
    "business_date",
    "posted_at",
    "qty",
    "balance",
    "unit_cost",
    "document_type",
    "document_id",
    "document_line",
    "leg",
    "reason",
    "actor",
    "reverses",
    "posting",
    "lot",
    "happened_at",
];

async fn add_to_product(tx: &mut Tx<'_>, id: &str, sum: Qty) -> Result<(), ApiError> {
    let quantity: i64 = tx
        .sql("update products set quantity = quantity + $1 where id = $2 returning quantity")
        .bind(sum)
        .bind(id)
        .scalar()
        .await?;
    if quantity.abs() >= MOST { Err(too_large()) } else { Ok(()) }
}

fn posted_already(error: DbError) -> ApiError {
    match &error {
        DbError::Violation(violation) if violation.kind == ViolationKind::Unique => {
            if violation.fields.iter().any(|field| field == "reverses") {
                ApiError::conflict("reversed", "This document was taken back already.")
            } else {
                ApiError::conflict("posted", "This document is posted already.")
            }
        }
        _ => error.into(),
    }
}

fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "A quantity is nothing, or past what can be stored. Check the quantities.",
    )
}
