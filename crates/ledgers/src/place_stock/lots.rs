//! Lots of a store's stock. Documents say what came of a lot and what left; what is still there is allocated, for each
//! root item over the lots of all its products: [`larder_domain::on_hand::lots`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::decimal::div_round;
use larder_domain::on_hand::lots::{Lot, Share, allocate};
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};

use super::products::{Content, contents};
use super::stores::of_stores;
use super::without_lot::{self, Key, Known};

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
pub type LotsOfRoots = HashMap<Key, LotsOfRoot>;

#[derive(larder_db::FromRow)]
pub(super) struct LotRow {
    pub place_id: String,
    pub product_id: String,
    pub lot: String,
    pub qty: Qty,
    pub expiry: Option<BusinessDay>,
    pub received: Option<BusinessDay>,
    pub first_seen: Timestamp,
    pub recalled: bool,
}

/// The columns of a [`LotRow`].
pub(super) const LOT_ROW: &str = "select b.place_id, b.product_id, b.lot, b.qty, l.expiry, b.received, l.first_seen, \
     l.recalled_at is not null as recalled from ";

/// The order of lots in a store: among those used up at the same time, what comes later is left.
pub(super) const IN_ORDER: &str =
    " order by b.place_id, l.expiry nulls last, b.received nulls first, b.product_id, b.lot";

/// The lots of some products in some stores: pairs of a store and a product.
pub(super) async fn lot_rows(db: &Db, of: &BTreeSet<(&str, &str)>) -> Result<Vec<LotRow>, DbError> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    db.sql(LOT_ROW)
        .push_rows(&["place_id", "product_id"], of)
        .push(
            " wanted join lot_balances b on b.product_id = wanted.product_id and b.place_id = wanted.place_id \
             and b.place_kind = 'store' join lots l on l.product_id = b.product_id and l.lot = b.lot \
             where b.qty <> 0",
        )
        .push(IN_ORDER)
        .all()
        .await
}

/// What is asked about lots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figures {
    /// How much is likely there.
    Likely,
    /// Also how much at least and at most: that takes the counts of the last months.
    Bounds,
}

/// The lots of root items in stores at the end of a day: of pairs of a store and a root item.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn lots_of_roots(
    db: &Db,
    wanted: &BTreeSet<Key>,
    day: BusinessDay,
    figures: Figures,
) -> Result<LotsOfRoots, DbError> {
    if wanted.is_empty() {
        return Ok(LotsOfRoots::new());
    }
    let stores: BTreeSet<&String> = wanted.iter().map(|(store, _)| store).collect();
    let stores: Vec<String> = stores.into_iter().cloned().collect();
    let roots: BTreeSet<&str> = wanted.iter().map(|(_, root)| root.as_str()).collect();
    let contents: HashMap<String, Content> = contents(db)
        .await?
        .into_iter()
        .filter(|content| content.parts.iter().any(|(root, _)| roots.contains(root.as_str())))
        .map(|content| (content.id.clone(), content))
        .collect();
    let mut groups = groups(db, wanted, &contents).await?;
    for (store, of_store) in of_stores(db, &stores, Some(&roots), day).await? {
        for (root, root_stock) in of_store {
            let key = (store.clone(), root);
            if wanted.contains(&key) {
                groups.entry(key).or_default().on_hand = root_stock.on_hand;
            }
        }
    }
    let most: HashMap<Key, Qty> = match figures {
        Figures::Likely => HashMap::new(),
        Figures::Bounds => {
            let asks = |(key, group): (&Key, &Group)| Some((key.clone(), group.asks_what_it_began_with()?));
            let asked: BTreeMap<Key, Known> = groups.iter().filter_map(asks).collect();
            without_lot::most(db, &asked, &contents, day).await?
        }
    };
    let allocated = |(key, group): (Key, Group)| {
        let most = most.get(&key).copied();
        Ok::<_, DbError>((key, group.allocated(most)?))
    };
    groups.into_iter().map(allocated).collect()
}

/// What documents brought of root items to stores, with lots and without.
async fn groups(
    db: &Db,
    wanted: &BTreeSet<Key>,
    contents: &HashMap<String, Content>,
) -> Result<BTreeMap<Key, Group>, DbError> {
    let pairs = with_roots(wanted, contents.values());
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    if pairs.is_empty() {
        return Ok(groups);
    }
    for row in lot_rows(db, &pairs).await? {
        let Some(content) = contents.get(&row.product_id) else { continue };
        for (root, factor) in &content.parts {
            let key = (row.place_id.clone(), root.clone());
            if wanted.contains(&key) {
                groups.entry(key).or_default().add_lot(&row, content.shelf_life, *factor)?;
            }
        }
    }
    let balances: Vec<(String, String, Qty)> = db
        .sql("select b.place_id, b.item_id, b.qty from ")
        .push_rows(&["place_id", "item_id"], &pairs)
        .push(
            " wanted join stock_balances b on b.item_id = wanted.item_id and b.place_id = wanted.place_id \
             where b.place_kind = 'store' and b.item_kind = 'product'",
        )
        .all()
        .await?;
    // What came without a lot: the balance less what lots can hold. Of a lot of which more left than came, the difference
    // came without a lot, or its receipt is not entered yet.
    for (store, product, qty) in balances {
        let Some(content) = contents.get(&product) else { continue };
        for (root, factor) in &content.parts {
            let key = (store.clone(), root.clone());
            if wanted.contains(&key) {
                groups.entry(key).or_default().without_lot += i128::from(in_root(qty, *factor)?.0);
            }
        }
    }
    Ok(groups)
}

/// The stores of some root items, each with the products that consist of them.
pub(super) fn with_roots<'a>(
    wanted: &'a BTreeSet<Key>,
    contents: impl Iterator<Item = &'a Content>,
) -> BTreeSet<(&'a str, &'a str)> {
    let mut products: HashMap<&str, Vec<&str>> = HashMap::new();
    for content in contents {
        for (root, _) in &content.parts {
            products.entry(root).or_default().push(&content.id);
        }
    }
    let mut found = BTreeSet::new();
    for (store, root) in wanted {
        let products = products.get(root.as_str()).into_iter().flatten();
        found.extend(products.map(|product| (store.as_str(), *product)));
    }
    found
}

fn in_root(qty: Qty, factor: Factor) -> Result<Qty, DbError> {
    qty.scaled(factor).ok_or_else(too_much)
}

/// In base units of a product; `None` on overflow.
pub(super) fn in_base_units(root: Qty, factor: Factor) -> Option<Qty> {
    div_round(i128::from(root.0) * 1_000_000_000, factor.0.into()).map(Qty)
}

fn too_much() -> DbError {
    DbError::Invalid("These quantities add up to more than can be stored.".to_owned())
}

/// The lots of a root item in a store, before allocation.
#[derive(Default)]
pub(super) struct Group {
    pub on_hand: Option<Qty>,
    lots: Vec<(AllocatedLot, Lot)>,
    /// Base quantities of all products in root units, less what lots can hold.
    without_lot: i128,
}

impl Group {
    /// Adds a lot of a product, by how much of the root item is in a base unit of it.
    pub fn add_lot(&mut self, row: &LotRow, shelf_life: Option<i64>, factor: Factor) -> Result<(), DbError> {
        let came_less_left = in_root(row.qty, factor)?;
        self.without_lot -= i128::from(came_less_left.0.max(0));
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

    /// What can be there of the lots that have not expired on a day: those used up last.
    pub fn room_from(&self, day: BusinessDay) -> i128 {
        let later = self.lots.iter().filter(|(_, lot)| lot.expires().is_none_or(|expiry| expiry >= day));
        later.map(|(_, lot)| i128::from(lot.room().0)).sum()
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
    pub fn allocated(self, most_without: Option<Qty>) -> Result<LotsOfRoot, DbError> {
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

/// The likely quantity of recalled and expired lots, of pairs of a store and a root item, in root units: stock that cannot
/// be used.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn unusable(
    db: &Db,
    wanted: &BTreeSet<Key>,
    day: BusinessDay,
) -> Result<HashMap<Key, Qty>, DbError> {
    let found = lots_of_roots(db, wanted, day, Figures::Likely).await?;
    let sum = |of_root: LotsOfRoot| {
        let lots = of_root.lots.iter().filter(|lot| of_root.on_hand.is_some() && lot.is_unusable(day));
        Qty(lots.map(|lot| lot.share.likely.0).sum())
    };
    let sums = found.into_iter().map(|(key, of_root)| (key, sum(of_root)));
    Ok(sums.filter(|(_, qty)| qty.0 > 0).collect())
}
