//! Where lots are, in base units of their products, and how much of them.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Query, Tx};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::on_hand::lots::Share;
use larder_domain::{BusinessDay, Factor, Qty, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use super::lots::{Figures, LotsOfRoots, in_base_units, lots_of_roots};
use super::products::{Content, contents};
use crate::stock::left_of_lots::{WITH_STOCK, left_of_lots};
use crate::stock::place_names;
use crate::stock::trace::LotKey;

/// A lot at a place, in base units of its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LotAt {
    pub product_id: String,
    pub lot: String,
    pub place: Place,
    /// What came, less what had come and was reversed.
    pub came: Qty,
    /// What came less what left by documents. At places that keep a balance, and in transit, all that follows is this.
    pub came_less_left: Qty,
    pub likely: Qty,
    pub at_least: Qty,
    pub at_most: Qty,
    /// Whether the stock it was allocated from is known.
    pub counted: bool,
}

/// A lot at a place.
pub type Spot = (LotKey, Place);

/// Limits lots at places to those a user with a scope may see. Kitchens and warehouses are seen by all, or by those with
/// access to all stores only.
pub(super) fn seen<'q>(query: Query<'q>, scope: &StoreScope, kitchens_by_all: bool) -> Query<'q> {
    let StoreScope::Only(stores) = scope else { return query };
    let stores: Vec<&str> = stores.iter().map(String::as_str).collect();
    let kitchens =
        if kitchens_by_all { " and (b.place_kind not in ('store', 'inTransit') or " } else { " and (" };
    query
        .push(kitchens)
        .push("(b.place_kind = 'store' and b.place_id in ")
        .push_ids(&stores)
        .push(") or (b.place_kind = 'inTransit' and exists (select 1 from locations s where s.id in ")
        .push_ids(&stores)
        .push(" and substr(b.place_id, 1, length(s.id) + 1) = s.id || '_')))")
}

/// Product, lot, place, what came less what left, and what came.
type Row = (String, String, PlaceKind, String, Qty, Qty);

const ROW: &str = "select b.product_id, b.lot, b.place_kind, b.place_id, b.qty, b.came from ";
const IN_ORDER: &str = " order by b.product_id, b.lot, b.place_kind, b.place_id";

/// Where some lots are at the end of a day, within a scope: all places where more came than left, and those where more
/// left.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_at(
    db: &Db,
    lots: &BTreeSet<LotKey>,
    scope: &StoreScope,
    day: BusinessDay,
) -> Result<Vec<LotAt>, DbError> {
    if lots.is_empty() {
        return Ok(Vec::new());
    }
    // «between» has SQLite seek the lot: with «=» it reads all lots of the product in the primary key.
    let query = db
        .sql(ROW)
        .push_rows(&["product_id", "lot"], lots.iter().map(|(product, lot)| (product.as_str(), lot.as_str())))
        .push(
            " wanted join lot_balances b on b.lot = wanted.lot \
             and b.product_id between wanted.product_id and wanted.product_id where b.qty <> 0",
        );
    let rows: Vec<Row> = seen(query, scope, true).push(IN_ORDER).all().await?;
    shares(db, rows, day).await
}

/// Some lots at some places at the end of a day.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_of_spots(db: &Db, spots: &BTreeSet<Spot>, day: BusinessDay) -> Result<Vec<LotAt>, DbError> {
    if spots.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row> = db
        .sql(ROW)
        .push_rows(
            &["product_id", "lot", "place_kind", "place_id"],
            spots.iter().map(|((product, lot), place)| {
                (product.as_str(), lot.as_str(), place.kind.as_str(), place.id.as_str())
            }),
        )
        .push(
            " wanted join lot_balances b on b.product_id = wanted.product_id and b.lot = wanted.lot \
             and b.place_kind = wanted.place_kind and b.place_id = wanted.place_id where b.qty <> 0",
        )
        .push(IN_ORDER)
        .all()
        .await?;
    shares(db, rows, day).await
}

/// How much of each lot is there: allocated for the stores and root items of these lots only.
async fn shares(db: &Db, rows: Vec<Row>, day: BusinessDay) -> Result<Vec<LotAt>, DbError> {
    let at_stores: Vec<(&str, &str)> = rows
        .iter()
        .filter(|row| row.2 == PlaceKind::Store)
        .map(|row| (row.0.as_str(), row.3.as_str()))
        .collect();
    let contents: HashMap<String, Content> = if at_stores.is_empty() {
        HashMap::new()
    } else {
        contents(db).await?.into_iter().map(|content| (content.id.clone(), content)).collect()
    };
    let mut wanted: BTreeSet<(String, String)> = BTreeSet::new();
    for (product, store) in at_stores {
        let parts = contents.get(product).map(|content| content.parts.as_slice());
        wanted.extend(parts.unwrap_or_default().iter().map(|(root, _)| (store.to_owned(), root.clone())));
    }
    let allocated = lots_of_roots(db, &wanted, day, Figures::Bounds).await?;
    let places: Vec<(&str, Place)> = rows
        .iter()
        .filter(|row| row.2.counts_to_product())
        .map(|row| (row.0.as_str(), Place { kind: row.2, id: row.3.clone() }))
        .collect();
    let pairs: BTreeSet<(&str, &Place)> = places.iter().map(|(product, place)| (*product, place)).collect();
    let left = left_of_lots(db.sql(WITH_STOCK), pairs).await?;
    let mut found = Vec::with_capacity(rows.len());
    for (product_id, lot, kind, place_id, qty, came) in &rows {
        let room = Qty(qty.0.max(0));
        let there = match kind {
            PlaceKind::Store => {
                let parts = contents.get(product_id).map(|content| content.parts.as_slice());
                let key = (product_id.as_str(), lot.as_str(), place_id.as_str());
                in_base(parts.unwrap_or_default(), key, &allocated, room)
            }
            _ => {
                let key = (product_id.clone(), Place { kind: *kind, id: place_id.clone() }, lot.clone());
                let share = match left.get(&key) {
                    Some(left) if *left < room => Share { likely: *left, at_least: Qty::ZERO, at_most: room },
                    _ => Share { likely: room, at_least: room, at_most: room },
                };
                Some((share, true))
            }
        };
        // A product without root items is not followed in stores.
        let (share, counted) =
            there.unwrap_or((Share { likely: room, at_least: Qty::ZERO, at_most: room }, false));
        found.push(LotAt {
            product_id: product_id.clone(),
            lot: lot.clone(),
            place: Place { kind: *kind, id: place_id.clone() },
            came: *came,
            came_less_left: *qty,
            likely: share.likely,
            at_least: share.at_least,
            at_most: share.at_most,
            counted,
        });
    }
    Ok(found)
}

/// A lot at a place, in base units.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotPlace {
    pub product_id: String,
    pub lot: String,
    pub place_kind: PlaceKind,
    pub place_id: String,
    pub place_name: String,
    /// What is likely there; exact at places that keep a balance.
    pub qty: Qty,
    pub at_least: Qty,
    pub at_most: Qty,
    /// What came, less what had come and was reversed.
    pub came: Qty,
    /// What left by documents.
    pub left: Qty,
    /// What came less what left, by documents.
    pub came_less_left: Qty,
    /// Whether the store counted the item, so that its stock is known.
    pub counted: bool,
}

/// Where some lots are, limited to the stores the user may see. A place where as much left as came is left out.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lot_places(
    db: &Db,
    lots: &BTreeSet<LotKey>,
    scope: &StoreScope,
    day: BusinessDay,
) -> Result<Vec<LotPlace>, DbError> {
    named(db, lots_at(db, lots, scope, day).await?).await
}

/// A store that may have a lot of a product that has not expired on a day, by name: more of it came than left. Its lots are
/// in base units, whatever the product consists of.
///
/// # Errors
/// If the database fails.
pub async fn store_with_lots(
    tx: &mut Tx<'_>,
    product_id: &str,
    day: BusinessDay,
) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = tx
        .sql(
            "select s.name from lot_balances b join lots l on l.product_id = b.product_id and l.lot = b.lot
             join locations s on s.id = b.place_id
             where b.product_id = $1 and b.place_kind = 'store' and b.qty > 0
               and (l.expiry is null or l.expiry >= $2) order by s.name limit 1",
        )
        .bind(product_id)
        .bind(day)
        .optional()
        .await?;
    Ok(found.map(|(name,)| name))
}

/// The names of places as people read them: stock in transit is named after its store.
///
/// # Errors
/// If the database fails.
pub(super) async fn place_words(
    db: &Db,
    places: &BTreeSet<&Place>,
) -> Result<HashMap<Place, String>, DbError> {
    let shown = |place: &Place| match place.kind {
        PlaceKind::InTransit => {
            let store = place.id.split('_').next().unwrap_or_default().to_owned();
            Place { kind: PlaceKind::Store, id: store }
        }
        _ => place.clone(),
    };
    let names = place_names(db, &places.iter().copied().map(shown).collect()).await?;
    let words = |place: &Place| {
        let name = names.get(&shown(place)).cloned().unwrap_or_default();
        let on_its_way = place.kind == PlaceKind::InTransit;
        (place.clone(), if on_its_way { format!("On its way to {name}") } else { name })
    };
    Ok(places.iter().copied().map(words).collect())
}

/// With the names of their places.
///
/// # Errors
/// If the database fails.
pub async fn named(db: &Db, found: Vec<LotAt>) -> Result<Vec<LotPlace>, DbError> {
    let words = place_words(db, &found.iter().map(|lot| &lot.place).collect()).await?;
    let place = |lot: LotAt| LotPlace {
        product_id: lot.product_id,
        lot: lot.lot,
        place_name: words.get(&lot.place).cloned().unwrap_or_default(),
        place_kind: lot.place.kind,
        place_id: lot.place.id,
        qty: lot.likely,
        at_least: lot.at_least,
        at_most: lot.at_most,
        came: lot.came,
        left: Qty(lot.came.0 - lot.came_less_left.0),
        came_less_left: lot.came_less_left,
        counted: lot.counted,
    };
    Ok(found.into_iter().map(place).collect())
}

/// A lot's share in base units of its product. Of several root items in it, the least that all of them allow.
fn in_base(
    parts: &[(String, Factor)],
    (product_id, lot, store): (&str, &str, &str),
    allocated: &LotsOfRoots,
    room: Qty,
) -> Option<(Share, bool)> {
    let mut whole: Option<(Share, bool)> = None;
    for (root, factor) in parts {
        let of_root = allocated.get(&(store.to_owned(), root.clone()))?;
        let found = of_root.lots.iter().find(|it| it.product_id == product_id && it.lot == lot)?;
        let base = |root: Qty| {
            // Rounding never makes more of it than came.
            Some(in_base_units(root, *factor)?.min(room))
        };
        let share = Share {
            likely: base(found.share.likely)?,
            at_least: base(found.share.at_least)?,
            at_most: base(found.share.at_most)?,
        };
        let counted = of_root.on_hand.is_some();
        whole = Some(match whole {
            None => (share, counted),
            Some((least, known)) => {
                let at_most = least.at_most.min(share.at_most);
                let at_least = least.at_least.max(share.at_least).min(at_most);
                let likely = least.likely.min(share.likely).max(at_least);
                (Share { likely, at_least, at_most }, known && counted)
            }
        });
    }
    whole
}
