//! Lots: batches of a product made or delivered together. Products with a shelf life are tracked by lot.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::ledger::{DocumentType, ItemKind, Movement, Place};
use larder_domain::{BusinessDay, Qty, Timestamp};

use super::left_of_lots::{WITH_STOCK, left_of_lots};
use super::recall_answers;
use larder_platform::audit::Editor;
use larder_platform::http::ApiError;

/// A lot as a document refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lot {
    /// Its code, as printed on the pack.
    pub code: String,
    /// Expiry date.
    pub expiry: Option<BusinessDay>,
}

/// Stock of a lot at a place.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LotStock {
    pub product_id: String,
    pub lot: String,
    pub expiry: Option<BusinessDay>,
    /// In base units.
    pub qty: Qty,
}

/// A recalled lot.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct RecalledLot {
    pub product_id: String,
    pub name: String,
    pub lot: String,
    pub uom_id: Option<String>,
    pub uom_code: Option<String>,
    pub reason: Option<String>,
    pub recalled_at: Timestamp,
    pub recalled_by: Option<Json<Editor>>,
}

/// The lot that most stores received: product and code.
///
/// # Errors
/// If the database fails.
pub async fn most_spread(db: &Db) -> Result<Option<(String, String)>, DbError> {
    let found: Option<(String, String, i64)> = db
        .sql(
            "select product_id, lot, cast(count(*) as bigint) as places from lot_balances
             where place_kind = 'store' and qty > 0 group by product_id, lot order by places desc, lot, product_id
             limit 1",
        )
        .optional()
        .await?;
    Ok(found.map(|(product, lot, _)| (product, lot)))
}

/// What a posting moves of a lot at a place.
#[derive(Default)]
struct Moved {
    qty: i64,
    /// What came, less what had come and is reversed.
    came: i64,
    arrived: bool,
}

/// Adds movements to lot balances, each with whether it reverses another one. The caller has locked the balances in their
/// global order.
pub(super) async fn move_balances(
    tx: &mut Tx<'_>,
    day: BusinessDay,
    movements: impl Iterator<Item = (&Movement, bool)>,
) -> Result<(), ApiError> {
    let mut sums: BTreeMap<(&str, &str, &str, &str), Moved> = BTreeMap::new();
    for (movement, reverses) in movements.filter(|(movement, _)| movement.item.kind == ItemKind::Product) {
        let Some(lot) = &movement.lot else { continue };
        let key = (
            movement.item.id.as_str(),
            movement.place.id.as_str(),
            movement.place.kind.as_str(),
            lot.as_str(),
        );
        let sum = sums.entry(key).or_default();
        let is_arrival = movement.qty.0 > 0;
        sum.qty += movement.qty.0;
        if is_arrival != reverses {
            sum.came += movement.qty.0;
        }
        sum.arrived |= is_arrival && !reverses;
    }
    let taken_back: Vec<_> = sums
        .iter()
        .filter(|(_, sum)| sum.came < 0)
        .map(|((product, place, kind, lot), _)| (*product, *kind, *place, *lot))
        .collect();
    let rows: Vec<_> = sums
        .into_iter()
        .map(|((product, place, kind, lot), sum)| {
            (product, kind, place, lot, sum.qty, sum.came, sum.arrived.then_some(day))
        })
        .collect();
    tx.insert_rows(
        "lot_balances",
        &["product_id", "place_kind", "place_id", "lot", "qty", "came", "received"],
        rows,
        "on conflict (product_id, place_id, place_kind, lot) do update set \
         qty = lot_balances.qty + excluded.qty, came = lot_balances.came + excluded.came, \
         received = case when excluded.received < lot_balances.received then excluded.received \
           else coalesce(lot_balances.received, excluded.received) end",
    )
    .await?;
    for (product, kind, place, lot) in taken_back {
        // What was answered about goods that did not come says nothing of those that come later.
        tx.sql(
            "update recall_answers set came = b.came from lot_balances b
             where b.product_id = recall_answers.product_id and b.lot = recall_answers.lot
               and b.place_kind = recall_answers.place_kind and b.place_id = recall_answers.place_id
               and b.came < recall_answers.came and recall_answers.product_id = $1
               and recall_answers.place_kind = $2 and recall_answers.place_id = $3 and recall_answers.lot = $4",
        )
        .bind(product)
        .bind(kind)
        .bind(place)
        .bind(lot)
        .execute()
        .await?;
    }
    Ok(())
}

/// Registers a lot unless known. A known lot keeps its expiry date, unless the document that registered it corrects that; one
/// without gets it.
///
/// # Errors
/// If the database fails.
pub async fn register(
    tx: &mut Tx<'_>,
    product_id: &str,
    lot: &Lot,
    kind: DocumentType,
    document_id: &str,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into lots (product_id, lot, expiry, first_seen, document_type, document_id)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (product_id, lot) do update set expiry = case
           when lots.document_type = excluded.document_type and lots.document_id = excluded.document_id
             then coalesce(excluded.expiry, lots.expiry)
           else coalesce(lots.expiry, excluded.expiry) end",
    )
    .bind(product_id)
    .bind(&lot.code)
    .bind(lot.expiry)
    .bind(at)
    .bind(kind.as_str())
    .bind(document_id)
    .execute()
    .await?;
    Ok(())
}

/// Lots of some products in stock at a place, earliest expiry first, the order for dispatch. Recalled lots
/// are left out, and those expired on a day.
///
/// # Errors
/// If the database fails.
pub async fn first_to_expire(
    tx: &mut Tx<'_>,
    place: &Place,
    product_ids: &[&str],
    day: Option<BusinessDay>,
) -> Result<Vec<LotStock>, DbError> {
    let mut found: Vec<LotStock> = tx
        .sql(
            "select b.product_id, b.lot, l.expiry, b.qty from lot_balances b
             join lots l on l.product_id = b.product_id and l.lot = b.lot
             where l.recalled_at is null and b.qty > 0 and b.place_kind = $1 and b.place_id = $2 and b.product_id in ",
        )
        .bind(place.kind.as_str())
        .bind(&place.id)
        .push_ids(product_ids)
        .push(" and (l.expiry is null or l.expiry >= ")
        .push_bind(day.unwrap_or(BusinessDay(i32::MIN)))
        .push(") order by b.product_id, l.expiry nulls last, l.first_seen, b.lot")
        .all()
        .await?;
    if !found.is_empty() && place.kind.counts_to_product() {
        let pairs = product_ids.iter().map(|id| (*id, place));
        let left = left_of_lots(tx.sql(WITH_STOCK), pairs).await?;
        for lot in &mut found {
            let key = (lot.product_id.clone(), place.clone(), lot.lot.clone());
            lot.qty = left.get(&key).map_or(lot.qty, |left| lot.qty.min(*left));
        }
        found.retain(|lot| lot.qty.0 > 0);
    }
    Ok(found)
}

/// Stock of a product's lot at a place, in base units.
///
/// # Errors
/// If the database fails.
pub async fn at(tx: &mut Tx<'_>, place: &Place, product_id: &str, lot: &str) -> Result<Qty, DbError> {
    let found: Option<(Qty,)> = tx
        .sql(
            "select qty from lot_balances
             where product_id = $1 and place_kind = $2 and place_id = $3 and lot = $4",
        )
        .bind(product_id)
        .bind(place.kind.as_str())
        .bind(&place.id)
        .bind(lot)
        .optional()
        .await?;
    Ok(found.map_or(Qty::ZERO, |(qty,)| qty))
}

/// What a place has of each lot of some products, in base units, the one that expires first before the others: product,
/// lot, quantity.
///
/// # Errors
/// If the database fails.
pub async fn all_at(
    tx: &mut Tx<'_>,
    place: &Place,
    product_ids: &[&str],
) -> Result<Vec<(String, String, Qty)>, DbError> {
    if product_ids.is_empty() {
        return Ok(Vec::new());
    }
    tx.sql(
        "select b.product_id, b.lot, b.qty from lot_balances b
         left join lots l on l.product_id = b.product_id and l.lot = b.lot
         where b.qty <> 0 and b.place_kind = $1 and b.place_id = $2 and b.product_id in ",
    )
    .bind(place.kind.as_str())
    .bind(&place.id)
    .push_ids(product_ids)
    .push(" order by b.product_id, l.expiry nulls last, l.first_seen, b.lot")
    .all()
    .await
}

/// How lots (product and code) are registered, by product and code in small letters.
///
/// # Errors
/// If the database fails.
pub async fn spellings(
    tx: &mut Tx<'_>,
    lots: &[(&str, &str)],
) -> Result<BTreeMap<(String, String), Vec<String>>, DbError> {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    if lots.is_empty() {
        return Ok(found);
    }
    let wanted: BTreeSet<(&str, String)> =
        lots.iter().map(|(product, lot)| (*product, lot.to_lowercase())).collect();
    let products: BTreeSet<&str> = wanted.iter().map(|(product, _)| *product).collect();
    let products: Vec<&str> = products.into_iter().collect();
    let codes: BTreeSet<&str> = wanted.iter().map(|(_, lot)| lot.as_str()).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let rows: Vec<(String, String)> = tx
        .sql("select product_id, lot from lots where product_id in ")
        .push_ids(&products)
        .push(" and lower(lot) in ")
        .push_ids(&codes)
        .push(" order by product_id, lot")
        .all()
        .await?;
    for (product, lot) in rows {
        found.entry((product, lot.to_lowercase())).or_default().push(lot);
    }
    Ok(found)
}

/// Those of these lots (product and code) that are registered, with their expiry dates.
///
/// # Errors
/// If the database fails.
pub async fn expiries(
    tx: &mut Tx<'_>,
    lots: &[(String, String)],
) -> Result<BTreeMap<(String, String), Option<BusinessDay>>, DbError> {
    if lots.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(String, String, Option<BusinessDay>)> = tx
        .sql("select l.product_id, l.lot, l.expiry from lots l join ")
        .push_rows(&["product_id", "lot"], lots.iter().map(|(product, lot)| (product.as_str(), lot.as_str())))
        .push(" wanted on wanted.product_id = l.product_id and wanted.lot = l.lot")
        .all()
        .await?;
    Ok(rows.into_iter().map(|(product, lot, expiry)| ((product, lot), expiry)).collect())
}

/// The lots (product and code) that a document registered.
///
/// # Errors
/// If the database fails.
pub async fn registered_by(
    tx: &mut Tx<'_>,
    kind: DocumentType,
    document_id: &str,
) -> Result<Vec<(String, String)>, DbError> {
    let query = tx.sql("select product_id, lot from lots where document_type = $1 and document_id = $2");
    query.bind(kind.as_str()).bind(document_id).all().await
}

/// Which of these lots (product and code) are recalled.
///
/// # Errors
/// If the database fails.
pub async fn recalled(tx: &mut Tx<'_>, lots: &[(String, String)]) -> Result<Vec<(String, String)>, DbError> {
    if lots.is_empty() {
        return Ok(Vec::new());
    }
    tx.sql("select l.product_id, l.lot from lots l join ")
        .push_rows(&["product_id", "lot"], lots.iter().map(|(product, lot)| (product.as_str(), lot.as_str())))
        .push(" wanted on wanted.product_id = l.product_id and wanted.lot = l.lot where l.recalled_at is not null")
        .all()
        .await
}

/// Marks a lot as recalled, or not. A recall asks every place, whatever was answered before. Returns `false` if there is no such lot or nothing changed.
///
/// # Errors
/// If the database fails.
pub async fn set_recalled(
    tx: &mut Tx<'_>,
    product_id: &str,
    lot: &str,
    reason: Option<&str>,
) -> Result<bool, DbError> {
    let at = reason.map(|_| tx.actor().at);
    let by = reason.map(|_| Json(Editor::from(tx.actor())));
    let changed = tx
        .sql(
            "update lots set recalled_at = $1, recalled_by = $2, recall_reason = $3
             where product_id = $4 and lot = $5 and (recalled_at is null) = $6",
        )
        .bind(at)
        .bind(by)
        .bind(reason)
        .bind(product_id)
        .bind(lot)
        .bind(reason.is_some())
        .execute()
        .await?;
    if changed == 1 && reason.is_some() {
        recall_answers::ask_again(tx, product_id, lot).await?;
    }
    Ok(changed == 1)
}

/// The stores with stock of a lot, or with some in transit.
///
/// # Errors
/// If the database fails.
pub async fn stores_with(tx: &mut Tx<'_>, product_id: &str, lot: &str) -> Result<Vec<String>, DbError> {
    let found: Vec<(String, String)> = tx
        .sql(
            "select place_kind, place_id from lot_balances
             where product_id = $1 and lot = $2 and qty > 0 and place_kind in ('store', 'inTransit')",
        )
        .bind(product_id)
        .bind(lot)
        .all()
        .await?;
    let store = |(kind, id): (String, String)| {
        if kind == "store" { id } else { id.split('_').next().unwrap_or_default().to_owned() }
    };
    let stores: std::collections::BTreeSet<String> = found.into_iter().map(store).collect();
    Ok(stores.into_iter().collect())
}

/// Whether the lot is registered.
///
/// # Errors
/// If the database fails.
pub async fn exists(tx: &mut Tx<'_>, product_id: &str, lot: &str) -> Result<bool, DbError> {
    let query = tx.sql("select cast(count(*) as bigint) from lots where product_id = $1 and lot = $2");
    Ok(query.bind(product_id).bind(lot).scalar::<i64>().await? > 0)
}
