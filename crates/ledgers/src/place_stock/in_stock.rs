//! Which lots are in stock at all places. Documents never say that a lot is used up in a store, so all that ever came there
//! stay in its book. Lots are used up in the order of expiry: where those that have not expired come to the stock, all
//! expired ones are used up, and are not read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, Qty, StoreScope};

use super::lots::{Group, IN_ORDER, LOT_ROW, LotRow, in_base_units, lot_rows, with_roots};
use super::lots_at::{Spot, lots_of_spots, seen};
use super::products::{Content, contents};
use super::stores::{OfStores, of_stores};
use super::without_lot::Key;

/// The lots in stock at the end of a day, with their places: at stores those that are likely there.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_in_stock(db: &Db, scope: &StoreScope, day: BusinessDay) -> Result<BTreeSet<Spot>, DbError> {
    let booked = "select b.product_id, b.lot, b.place_kind, b.place_id from lot_balances b \
                  where b.place_kind <> 'store' and b.qty <> 0";
    let rows: Vec<(String, String, PlaceKind, String)> = seen(db.sql(booked), scope, true).all().await?;
    let mut found: BTreeSet<Spot> =
        rows.into_iter().map(|(product, lot, kind, id)| ((product, lot), Place { kind, id })).collect();
    let stores = stores_with_lots(db, scope).await?;
    if stores.is_empty() {
        return Ok(found);
    }
    let products: BTreeSet<String> = products_with_lots(db).await?.into_iter().collect();
    let (contents, untracked) = split(contents(db).await?, products);
    found.extend(of_products(db, &stores, &untracked).await?);
    let (single, several): (Vec<&Content>, Vec<&Content>) =
        contents.values().partition(|content| content.parts.len() == 1);
    found.extend(of_several(db, &stores, &several, day).await?);
    if !single.is_empty() {
        found.extend(of_single(db, &stores, &contents, day).await?);
    }
    Ok(found)
}

/// The products that consist of root items, and the others.
fn split(contents: Vec<Content>, products: BTreeSet<String>) -> (HashMap<String, Content>, Vec<String>) {
    let contents: HashMap<String, Content> = contents
        .into_iter()
        .filter(|content| products.contains(&content.id))
        .map(|content| (content.id.clone(), content))
        .collect();
    let untracked = products.into_iter().filter(|id| !contents.contains_key(id)).collect();
    (contents, untracked)
}

async fn stores_with_lots(db: &Db, scope: &StoreScope) -> Result<Vec<String>, DbError> {
    let query = db.sql(
        "select s.id from locations s where exists (select 1 from lot_balances b \
         where b.place_id = s.id and b.place_kind = 'store' and b.qty > 0)",
    );
    let query = match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            query.push(" and s.id in ").push_ids(&ids)
        }
    };
    let rows: Vec<(String,)> = query.push(" order by s.id").all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

async fn products_with_lots(db: &Db) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select p.id from products p where exists (select 1 from lot_balances b \
             where b.product_id = p.id and b.place_kind = 'store' and b.qty > 0)",
        )
        .all()
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Where more came than left of products without root items: those are not followed in stores.
async fn of_products(db: &Db, stores: &[String], products: &[String]) -> Result<Vec<Spot>, DbError> {
    let pairs: BTreeSet<(&str, &str)> = stores
        .iter()
        .flat_map(|store| products.iter().map(move |id| (store.as_str(), id.as_str())))
        .collect();
    let rows = lot_rows(db, &pairs).await?;
    Ok(rows.into_iter().filter(|row| row.qty.0 > 0).map(spot).collect())
}

fn spot(row: LotRow) -> Spot {
    ((row.product_id, row.lot), Place { kind: PlaceKind::Store, id: row.place_id })
}

/// Lots of products with several root items: what is there at least of one of them decides too.
async fn of_several(
    db: &Db,
    stores: &[String],
    several: &[&Content],
    day: BusinessDay,
) -> Result<Vec<Spot>, DbError> {
    let pairs: BTreeSet<(&str, &str)> = stores
        .iter()
        .flat_map(|store| several.iter().map(move |one| (store.as_str(), one.id.as_str())))
        .collect();
    let rows = lot_rows(db, &pairs).await?;
    let spots: BTreeSet<Spot> = rows.into_iter().filter(|row| row.qty.0 > 0).map(spot).collect();
    let lots = lots_of_spots(db, &spots, day).await?;
    let there = lots.into_iter().filter(|lot| lot.likely.0 > 0);
    Ok(there.map(|lot| ((lot.product_id, lot.lot), lot.place)).collect())
}

/// Lots of products with one root item.
async fn of_single(
    db: &Db,
    stores: &[String],
    contents: &HashMap<String, Content>,
    day: BusinessDay,
) -> Result<Vec<Spot>, DbError> {
    let roots: BTreeSet<&str> =
        contents.values().flat_map(|content| &content.parts).map(|(root, _)| root.as_str()).collect();
    let stock = of_stores(db, stores, Some(&roots), day).await?;
    let mut groups = grouped(unexpired(db, stores, contents, day).await?, contents, |_| true)?;
    let mut unexplained: BTreeSet<Key> = BTreeSet::new();
    for store in stores {
        for root in &roots {
            let key = (store.clone(), (*root).to_owned());
            let explained = match on_hand(&stock, &key) {
                None => false,
                Some(qty) => {
                    qty.0 <= 0
                        || groups.get(&key).is_some_and(|group| group.room_from(day) >= i128::from(qty.0))
                }
            };
            if !explained {
                groups.remove(&key);
                unexplained.insert(key);
            }
        }
    }
    let rows = lot_rows(db, &with_roots(&unexplained, contents.values())).await?;
    groups.extend(grouped(rows, contents, |key| unexplained.contains(key))?);
    let mut found = Vec::new();
    for (key, mut group) in groups {
        group.on_hand = on_hand(&stock, &key);
        for lot in group.allocated(None)?.lots {
            let Some([(_, factor)]) = contents.get(&lot.product_id).map(|content| content.parts.as_slice())
            else {
                continue;
            };
            // What cannot be said in its unit counts as there.
            if lot.share.likely.0 > 0 && in_base_units(lot.share.likely, *factor).is_none_or(|qty| qty.0 > 0)
            {
                let place = Place { kind: PlaceKind::Store, id: key.0.clone() };
                found.push(((lot.product_id, lot.lot), place));
            }
        }
    }
    Ok(found)
}

fn on_hand(stock: &OfStores, (store, root): &Key) -> Option<Qty> {
    stock.get(store)?.get(root)?.on_hand
}

/// The lots that have not expired on a day, and those without an expiry date.
async fn unexpired(
    db: &Db,
    stores: &[String],
    contents: &HashMap<String, Content>,
    day: BusinessDay,
) -> Result<Vec<LotRow>, DbError> {
    let products: Vec<&str> = contents.keys().map(String::as_str).collect();
    // The few lots first, then the stores that got them.
    db.sql(LOT_ROW)
        .push(
            "lots l cross join lot_balances b where b.lot = l.lot and b.product_id = l.product_id \
             and b.place_kind = 'store' and b.qty > 0 and (l.expiry is null or l.expiry >= ",
        )
        .push_bind(day)
        .push(") and b.product_id in ")
        .push_ids(&products)
        .push(" and b.place_id in ")
        .push_ids(stores)
        .push(IN_ORDER)
        .all()
        .await
}

/// Lots by store and root item, of the pairs that are wanted.
fn grouped(
    rows: Vec<LotRow>,
    contents: &HashMap<String, Content>,
    is_wanted: impl Fn(&Key) -> bool,
) -> Result<BTreeMap<Key, Group>, DbError> {
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    for row in rows {
        let Some(content) = contents.get(&row.product_id) else { continue };
        for (root, factor) in &content.parts {
            let key = (row.place_id.clone(), root.clone());
            if is_wanted(&key) {
                groups.entry(key).or_default().add_lot(&row, content.shelf_life, *factor)?;
            }
        }
    }
    Ok(groups)
}
