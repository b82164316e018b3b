//! Reads balances and movements.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::ledger::{DocumentType, Item, ItemKind, Place, PlaceKind};
use larder_domain::{BusinessDay, Money, Qty, StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::places;

/// Stock of an item at a place that keeps a balance, or on its way.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceStock {
    pub place_kind: PlaceKind,
    pub place_id: String,
    pub place_name: String,
    /// In base units; may be negative.
    pub qty: Qty,
    /// Time of the last movement.
    pub last_moved_at: Timestamp,
}

/// The author of a posting.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = StockEditor)]
pub struct By {
    /// Account id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// A movement of an item.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockMovement)]
pub struct Entry {
    /// Its number; later ones are higher.
    pub seq: i64,
    pub posted_at: Timestamp,
    /// Its business date.
    pub business_date: BusinessDay,
    pub place_kind: PlaceKind,
    pub place_id: String,
    pub place_name: String,
    /// Base units received; negative if issued.
    pub qty: Qty,
    /// Balance of the place after it; not at stores, which use up stock without movements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance_after: Option<Qty>,
    /// Cost of one base unit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_cost: Option<Money>,
    /// Type of the posting document.
    pub document_type: String,
    /// Id of that document.
    pub document_id: String,
    /// Reason, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[schema(value_type = By)]
    pub by: Json<By>,
    /// The number of the movement it reverses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
}

/// Filter of movements.
#[derive(Debug, Clone)]
pub struct Filter<'a> {
    pub item: &'a Item,
    pub place_kind: Option<PlaceKind>,
    pub place_id: Option<&'a str>,
    /// Inclusive.
    pub from: Option<BusinessDay>,
    /// Inclusive.
    pub to: Option<BusinessDay>,
    /// Limits to the stores a user may see.
    pub scope: &'a StoreScope,
}

/// Stock of an item by place, grouped by kind; empty places are left out, and stores, which keep no balance.
///
/// # Errors
/// If the database fails.
pub async fn places_of(db: &Db, item: &Item, scope: &StoreScope) -> Result<Vec<PlaceStock>, DbError> {
    let query = db
        .sql(
            "select place_kind, place_id, qty, moved_at from stock_balances s \
             where qty <> 0 and place_kind <> 'store' and item_kind = ",
        )
        .push_bind(item.kind.as_str())
        .push(" and item_id = ")
        .push_bind(&item.id);
    let rows: Vec<(PlaceKind, String, Qty, Timestamp)> = within(query, scope).all().await?;
    let rows: Vec<(Place, Qty, Timestamp)> =
        rows.into_iter().map(|(kind, id, qty, at)| (Place { kind, id }, qty, at)).collect();
    let mut names = places::names(db, &rows.iter().map(|row| row.0.clone()).collect()).await?;
    let mut found: Vec<PlaceStock> = rows
        .into_iter()
        .map(|(place, qty, last_moved_at)| PlaceStock {
            place_name: names.remove(&place).unwrap_or_else(|| unnamed(&place)),
            place_kind: place.kind,
            place_id: place.id,
            qty,
            last_moved_at,
        })
        .collect();
    // Places that can dispatch first, then what is on its way.
    let order = |stock: &PlaceStock| (!stock.place_kind.counts_to_product(), stock.place_kind);
    found.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.place_name.cmp(&b.place_name)));
    Ok(found)
}

/// The stores that an item moved to or from, by name.
///
/// # Errors
/// If the database fails.
pub async fn stores_of(db: &Db, item: &Item, scope: &StoreScope) -> Result<Vec<(String, String)>, DbError> {
    let query = db
        .sql(
            "select s.place_id, l.name from stock_balances s join locations l on l.id = s.place_id \
             where s.place_kind = 'store' and s.item_kind = ",
        )
        .push_bind(item.kind.as_str())
        .push(" and s.item_id = ")
        .push_bind(&item.id);
    within(query, scope).push(" order by l.name_key, l.id").all().await
}

/// Balance of an item at a place, locked until the transaction ends. A store's is not its stock.
///
/// # Errors
/// If the database fails.
pub async fn hold_balance(tx: &mut Tx<'_>, item: &Item, place: &Place) -> Result<Qty, DbError> {
    let held: Option<(Qty,)> = tx
        .sql(
            "update stock_balances set qty = qty
             where item_id = $1 and item_kind = $2 and place_id = $3 and place_kind = $4 returning qty",
        )
        .bind(&item.id)
        .bind(item.kind.as_str())
        .bind(&place.id)
        .bind(place.kind.as_str())
        .optional()
        .await?;
    Ok(held.map_or(Qty::ZERO, |(qty,)| qty))
}

/// Balances of some products at a place, in base units. A store's are not its stock.
///
/// # Errors
/// If the database fails.
pub async fn balances_of(
    tx: &mut Tx<'_>,
    place: &Place,
    products: &[&str],
) -> Result<HashMap<String, Qty>, DbError> {
    let rows: Vec<(String, Qty)> = tx
        .sql(
            "select item_id, qty from stock_balances
             where item_kind = 'product' and place_kind = $1 and place_id = $2 and item_id in ",
        )
        .bind(place.kind.as_str())
        .bind(&place.id)
        .push_ids(products)
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// Whether some of an item is at a place that keeps a balance, or in transit.
///
/// # Errors
/// If the database fails.
pub async fn is_kept(tx: &mut Tx<'_>, item: &Item) -> Result<bool, DbError> {
    let found: Option<(String,)> = tx
        .sql(
            "select item_id from stock_balances where item_id = $1 and item_kind = $2 and place_kind <> 'store'
             and qty <> 0 limit 1",
        )
        .bind(&item.id)
        .bind(item.kind.as_str())
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Whether some of an item is in the book of any place, stores included. A merge moves the book of stores too; it does not
/// say what they have.
///
/// # Errors
/// If the database fails.
pub async fn is_booked(tx: &mut Tx<'_>, item: &Item) -> Result<bool, DbError> {
    let found: Option<(String,)> = tx
        .sql("select item_id from stock_balances where item_id = $1 and item_kind = $2 and qty <> 0 limit 1")
        .bind(&item.id)
        .bind(item.kind.as_str())
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Places that count towards a product's quantity: name and stock, largest first.
///
/// # Errors
/// If the database fails.
pub async fn counted_places(tx: &mut Tx<'_>, item: &Item) -> Result<Vec<(String, Qty)>, DbError> {
    tx.sql(
        "select p.name, b.qty from stock_balances b join (
           select id, name, 'commissary' as kind from commissaries
           union all select id, name, 'warehouse' from warehouses
           union all select id, name, 'coldStorage' from cold_storages
         ) p on p.id = b.place_id and p.kind = b.place_kind
         where b.item_id = $1 and b.item_kind = $2 and b.qty <> 0 order by b.qty desc, p.name",
    )
    .bind(&item.id)
    .bind(item.kind.as_str())
    .all()
    .await
}

/// A page of movements, latest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn movements(
    db: &Db,
    filter: &Filter<'_>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Entry>, i64), DbError> {
    let total: i64 =
        conditions(db.sql("select cast(count(*) as bigint) from stock_movements s where true"), filter)
            .scalar()
            .await?;
    let rows: Vec<Row> = conditions(db.sql(SELECT), filter)
        .push(" order by seq desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    Ok((named(db, rows).await?, total))
}

/// A movement by its number.
///
/// # Errors
/// If the database fails.
pub async fn entry(db: &Db, seq: i64) -> Result<Option<Entry>, DbError> {
    let rows: Vec<Row> = db.sql(SELECT).push(" and seq = ").push_bind(seq).all().await?;
    Ok(named(db, rows).await?.pop())
}

const SELECT: &str = "select seq, posted_at, business_date, place_kind, place_id, qty, balance, unit_cost, \
     document_type, document_id, reason, actor, reverses from stock_movements s where true";

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    posted_at: Timestamp,
    business_date: BusinessDay,
    place_kind: PlaceKind,
    place_id: String,
    qty: Qty,
    balance: Qty,
    unit_cost: Option<Money>,
    document_type: DocumentType,
    document_id: String,
    reason: Option<String>,
    actor: Json<By>,
    reverses: Option<i64>,
}

async fn named(db: &Db, rows: Vec<Row>) -> Result<Vec<Entry>, DbError> {
    let place = |row: &Row| Place { kind: row.place_kind, id: row.place_id.clone() };
    let names = places::names(db, &rows.iter().map(place).collect::<BTreeSet<_>>()).await?;
    let entry = |row: Row| {
        let place = place(&row);
        Entry {
            seq: row.seq,
            posted_at: row.posted_at,
            business_date: row.business_date,
            place_name: names.get(&place).cloned().unwrap_or_else(|| unnamed(&place)),
            place_kind: place.kind,
            place_id: place.id,
            qty: row.qty,
            balance_after: (row.place_kind != PlaceKind::Store).then_some(row.balance),
            unit_cost: row.unit_cost,
            document_type: row.document_type.as_str().to_owned(),
            document_id: row.document_id,
            reason: row.reason,
            by: row.actor,
            reverses: row.reverses,
        }
    };
    Ok(rows.into_iter().map(entry).collect())
}

fn conditions<'q>(query: Query<'q>, filter: &Filter<'_>) -> Query<'q> {
    let mut query = query
        .push(" and item_kind = ")
        .push_bind(filter.item.kind.as_str())
        .push(" and item_id = ")
        .push_bind(&filter.item.id);
    if let Some(kind) = filter.place_kind {
        query = query.push(" and place_kind = ").push_bind(kind.as_str());
    }
    if let Some(id) = filter.place_id {
        query = query.push(" and place_id = ").push_bind(id);
    }
    if let Some(from) = filter.from {
        query = query.push(" and business_date >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query = query.push(" and business_date <= ").push_bind(to);
    }
    within(query, filter.scope)
}

/// Leaves out stores the user may not see and stock in transit to them, whose place begins with the store's
/// id.
fn within<'q>(query: Query<'q>, scope: &StoreScope) -> Query<'q> {
    match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => {
            let stores: Vec<&str> = ids.iter().map(String::as_str).collect();
            let query = query
                .push(" and (s.place_kind not in ('store', 'inTransit') or s.place_kind = 'store' and s.place_id in ")
                .push_ids(&stores);
            let on_its_way = ids.iter().fold(query, |query, id| {
                let begin = format!("{id}_");
                query
                    .push(" or s.place_kind = 'inTransit' and substr(s.place_id, 1, length(")
                    .push_bind(begin.clone())
                    .push(")) = ")
                    .push_bind(begin)
            });
            on_its_way.push(")")
        }
    }
}

fn unnamed(place: &Place) -> String {
    match place.kind {
        PlaceKind::InTransit => "In transit".to_owned(),
        _ => place.id.clone(),
    }
}

/// A product as a ledger item.
#[must_use]
pub fn product(id: &str) -> Item {
    Item { kind: ItemKind::Product, id: id.to_owned() }
}
