//! Lots of a store's stock. Documents say what came of a lot and what left; what is still there is allocated, for each
//! root item over the lots of all its products: [`larder_domain::on_hand::lots`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::decimal::div_round;
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::on_hand::lots::{Lot, Share, allocate};
use larder_domain::{BusinessDay, Factor, Qty, StoreScope, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::products::{Content, contents};
use super::stores::of_stores;
use super::without_lot::{self, Key, Known};
use crate::stock::place_names;
use crate::stock::trace::LotKey;

/// A lot of a root item in a store, in root units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocatedLot {
    pub product_id: String,
    pub lot: String,
    pub expiry: Option<BusinessDay>,
    pub recalled: bool,
    /// What came less what left by documents.
    pub came_less_left: Qty,
    pub share: Share,
}

impl AllocatedLot {
    /// Whether it must not be used on a day: recalled, or expired before it.
    #[must_use]
    pub fn is_unusable(&self, day: BusinessDay) -> bool {
        self.recalled || self.expiry.is_some_and(|expiry| expiry < day)
    }
}

/// The lots of a root item in a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LotsOfRoot {
    /// Stock that is allocated; `None` if never counted: then anything that came can be there.
    pub on_hand: Option<Qty>,
    pub lots: Vec<AllocatedLot>,
    pub without_lot: Share,
    /// Whether there is more than documents brought.
    pub unexplained: bool,
}

/// By store and root item.
pub type LotsOfRoots = HashMap<(String, String), LotsOfRoot>;

#[derive(larder_db::FromRow)]
struct LotRow {
    place_id: String,
    product_id: String,
    lot: String,
    qty: Qty,
    expiry: Option<BusinessDay>,
    received: Option<BusinessDay>,
    first_seen: Timestamp,
    recalled: bool,
}

/// The lots of some root items in some stores at the end of a day.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_of_roots(
    db: &Db,
    stores: &[String],
    roots: &BTreeSet<&str>,
    day: BusinessDay,
) -> Result<LotsOfRoots, DbError> {
    if stores.is_empty() || roots.is_empty() {
        return Ok(LotsOfRoots::new());
    }
    let contents: HashMap<String, Content> = contents(db)
        .await?
        .into_iter()
        .filter(|content| content.parts.iter().any(|(root, _)| roots.contains(root.as_str())))
        .map(|content| (content.id.clone(), content))
        .collect();
    let products: Vec<&str> = contents.keys().map(String::as_str).collect();
    let rows: Vec<LotRow> = db
        .sql(
            "select b.place_id, b.product_id, b.lot, b.qty, l.expiry, b.received, l.first_seen, \
             l.recalled_at is not null as recalled from lot_balances b \
             join lots l on l.product_id = b.product_id and l.lot = b.lot \
             where b.place_kind = 'store' and b.qty <> 0 and b.place_id in ",
        )
        .push_ids(stores)
        .push(" and b.product_id in ")
        .push_ids(&products)
        .push(" order by b.place_id, l.expiry nulls last, b.received nulls first, b.product_id, b.lot")
        .all()
        .await?;
    let balances: Vec<(String, String, Qty)> = db
        .sql("select place_id, item_id, qty from stock_balances where place_kind = 'store' and item_kind = 'product' and place_id in ")
        .push_ids(stores)
        .push(" and item_id in ")
        .push_ids(&products)
        .all()
        .await?;
    let stock = of_stores(db, stores, Some(roots), day).await?;
    let mut groups: BTreeMap<(String, String), Group> = BTreeMap::new();
    for row in rows {
        let Some(content) = contents.get(&row.product_id) else { continue };
        for (root, factor) in content.parts.iter().filter(|(root, _)| roots.contains(root.as_str())) {
            let group = groups.entry((row.place_id.clone(), root.clone())).or_default();
            group.add_lot(&row, content.shelf_life, *factor)?;
        }
    }
    // What came without a lot: the balance less the lots.
    for (store, product, qty) in balances {
        let Some(content) = contents.get(&product) else { continue };
        for (root, factor) in content.parts.iter().filter(|(root, _)| roots.contains(root.as_str())) {
            let group = groups.entry((store.clone(), root.clone())).or_default();
            group.without_lot += i128::from(in_root(qty, *factor)?.0);
        }
    }
    for (store, of_store) in stock {
        for (root, root_stock) in of_store {
            groups.entry((store.clone(), root)).or_default().on_hand = root_stock.on_hand;
        }
    }
    let asked =
        groups.iter().filter_map(|(key, group)| Some((key.clone(), group.asks_what_it_began_with()?)));
    let most: HashMap<Key, Qty> = without_lot::most(db, &asked.collect(), &contents, day).await?;
    let allocated = |(key, group): (Key, Group)| {
        let most = most.get(&key).copied();
        Ok::<_, DbError>((key, group.allocated(most)?))
    };
    groups.into_iter().map(allocated).collect()
}

fn in_root(qty: Qty, factor: Factor) -> Result<Qty, DbError> {
    qty.scaled(factor).ok_or_else(too_much)
}

fn too_much() -> DbError {
    DbError::Invalid("These quantities add up to more than can be stored.".to_owned())
}

/// The lots of a root item in a store, before allocation.
#[derive(Default)]
struct Group {
    on_hand: Option<Qty>,
    lots: Vec<(AllocatedLot, Lot)>,
    /// Base quantities of all products in root units, less those of lots.
    without_lot: i128,
}

impl Group {
    fn add_lot(&mut self, row: &LotRow, shelf_life: Option<i64>, factor: Factor) -> Result<(), DbError> {
        let came_less_left = in_root(row.qty, factor)?;
        self.without_lot -= i128::from(came_less_left.0);
        let lot = Lot {
            came_less_left,
            expiry: row.expiry,
            received: Some(row.received.unwrap_or_else(|| BusinessDay::of(row.first_seen))),
            shelf_life: shelf_life.and_then(|days| i32::try_from(days).ok()),
        };
        let allocated = AllocatedLot {
            product_id: row.product_id.clone(),
            lot: row.lot.clone(),
            expiry: lot.expires(),
            recalled: row.recalled,
            came_less_left,
            share: Share::default(),
        };
        self.lots.push((allocated, lot));
        Ok(())
    }

    /// If something of a lot seems to be there for certain: that may be what the store began with, and no document tells.
    fn asks_what_it_began_with(&self) -> Option<Known> {
        let on_hand = self.on_hand?;
        let rooms = || self.lots.iter().map(|(_, lot)| i128::from(lot.room().0));
        let without_the_largest = rooms().sum::<i128>() - rooms().max()?;
        let certain = i128::from(on_hand.0) > without_the_largest + self.without_lot.max(0);
        let with_room = self.lots.iter().filter(|(_, lot)| lot.room().0 > 0);
        let first = with_room.filter_map(|(_, lot)| lot.received).min()?;
        certain.then_some(Known { first, on_hand })
    }

    /// `most_without` can be there without a lot; if that is not known, all of it.
    fn allocated(self, most_without: Option<Qty>) -> Result<LotsOfRoot, DbError> {
        let (mut lots, known): (Vec<AllocatedLot>, Vec<Lot>) = self.lots.into_iter().unzip();
        let without = Qty(i64::try_from(self.without_lot).map_err(|_| too_much())?);
        // Goods without a lot are taken for the oldest: they are used up first.
        let without_lot =
            Lot { came_less_left: without, expiry: Some(BusinessDay(i32::MIN)), ..Lot::default() };
        let Some(on_hand) = self.on_hand else {
            // Unknown stock: everything that came can be there, or nothing of it.
            let all = |lot: &Lot| Share { likely: lot.room(), at_least: Qty::ZERO, at_most: lot.room() };
            for (lot, known) in lots.iter_mut().zip(&known) {
                lot.share = all(known);
            }
            let without_lot = all(&without_lot);
            return Ok(LotsOfRoot { on_hand: None, lots, without_lot, unexplained: false });
        };
        let found = allocate(on_hand, &known, &without_lot, most_without.unwrap_or(on_hand));
        for (lot, share) in lots.iter_mut().zip(found.lots) {
            lot.share = share;
        }
        let (without_lot, unexplained) = (found.without_lot, found.unexplained);
        Ok(LotsOfRoot { on_hand: Some(on_hand), lots, without_lot, unexplained })
    }
}

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

impl LotAt {
    /// Whether some of it is there, as far as is known: likely at a store, by the balance elsewhere.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match self.place.kind {
            PlaceKind::Store => self.likely.0 > 0,
            _ => self.came_less_left.0 != 0,
        }
    }

    /// Whether a user with this scope may see it. Kitchens and warehouses are seen by all.
    #[must_use]
    pub fn is_within(&self, scope: &StoreScope) -> bool {
        match self.place.kind {
            PlaceKind::Store => scope.contains(&self.place.id),
            PlaceKind::InTransit => {
                self.place.id.split('_').next().is_some_and(|store| scope.contains(store))
            }
            PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage => true,
        }
    }
}

/// Where some lots are, or all of them, at the end of a day: all places where more came than left, and those where more
/// left.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_at(
    db: &Db,
    lots: Option<&BTreeSet<LotKey>>,
    day: BusinessDay,
) -> Result<Vec<LotAt>, DbError> {
    if lots.is_some_and(BTreeSet::is_empty) {
        return Ok(Vec::new());
    }
    let query = db.sql("select b.product_id, b.lot, b.place_kind, b.place_id, b.qty, b.came from ");
    let query = match lots {
        None => query.push("lot_balances b"),
        Some(lots) => query
            .push_rows(
                &["product_id", "lot"],
                lots.iter().map(|(product, lot)| (product.as_str(), lot.as_str())),
            )
            .push(" wanted join lot_balances b on b.product_id = wanted.product_id and b.lot = wanted.lot"),
    };
    let rows: Vec<(String, String, PlaceKind, String, Qty, Qty)> =
        query.push(" where b.qty <> 0 order by b.product_id, b.lot, b.place_kind, b.place_id").all().await?;
    let contents: HashMap<String, Content> =
        contents(db).await?.into_iter().map(|content| (content.id.clone(), content)).collect();
    let at_stores = || rows.iter().filter(|row| row.2 == PlaceKind::Store);
    let stores: BTreeSet<&str> = at_stores().map(|row| row.3.as_str()).collect();
    let stores: Vec<String> = stores.into_iter().map(str::to_owned).collect();
    let roots: BTreeSet<&str> = at_stores()
        .filter_map(|row| contents.get(&row.0))
        .flat_map(|content| &content.parts)
        .map(|(root, _)| root.as_str())
        .collect();
    let allocated = lots_of_roots(db, &stores, &roots, day).await?;
    let mut found = Vec::with_capacity(rows.len());
    for (product_id, lot, kind, place_id, qty, came) in &rows {
        let room = Qty(qty.0.max(0));
        let there = match kind {
            PlaceKind::Store => {
                let parts = contents.get(product_id).map(|content| content.parts.as_slice());
                let key = (product_id.as_str(), lot.as_str(), place_id.as_str());
                in_base(parts.unwrap_or_default(), key, &allocated, room)
            }
            _ => Some((Share { likely: room, at_least: room, at_most: room }, true)),
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
    let mut found = lots_at(db, Some(lots), day).await?;
    found.retain(|lot| lot.is_within(scope));
    named(db, found).await
}

/// With the names of their places.
///
/// # Errors
/// If the database fails.
pub async fn named(db: &Db, found: Vec<LotAt>) -> Result<Vec<LotPlace>, DbError> {
    // The place of stock in transit is named after its store.
    let shown = |place: &Place| match place.kind {
        PlaceKind::InTransit => {
            let store = place.id.split('_').next().unwrap_or_default().to_owned();
            Place { kind: PlaceKind::Store, id: store }
        }
        _ => place.clone(),
    };
    let names = place_names(db, &found.iter().map(|lot| shown(&lot.place)).collect()).await?;
    let place = |lot: LotAt| {
        let name = names.get(&shown(&lot.place)).cloned().unwrap_or_default();
        let on_its_way = lot.place.kind == PlaceKind::InTransit;
        LotPlace {
            product_id: lot.product_id,
            lot: lot.lot,
            place_kind: lot.place.kind,
            place_id: lot.place.id,
            place_name: if on_its_way { format!("On its way to {name}") } else { name },
            qty: lot.likely,
            at_least: lot.at_least,
            at_most: lot.at_most,
            came: lot.came,
            left: Qty(lot.came.0 - lot.came_less_left.0),
            came_less_left: lot.came_less_left,
            counted: lot.counted,
        }
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
            let qty = div_round(i128::from(root.0) * 1_000_000_000, factor.0.into()).map(Qty)?;
            // Rounding never makes more of it than came.
            Some(qty.min(room))
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

/// The likely quantity of recalled and expired lots, by store and root item, in root units: stock that cannot be used.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn unusable(
    db: &Db,
    stores: &[String],
    roots: &BTreeSet<&str>,
    day: BusinessDay,
) -> Result<HashMap<(String, String), Qty>, DbError> {
    let found = lots_of_roots(db, stores, roots, day).await?;
    let sum = |of_root: LotsOfRoot| {
        let lots = of_root.lots.iter().filter(|lot| of_root.on_hand.is_some() && lot.is_unusable(day));
        Qty(lots.map(|lot| lot.share.likely.0).sum())
    };
    let sums = found.into_iter().map(|(key, of_root)| (key, sum(of_root)));
    Ok(sums.filter(|(_, qty)| qty.0 > 0).collect())
}
