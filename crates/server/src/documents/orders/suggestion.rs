//! What a store is advised to order: what is missing to its par level, in whole packs, with every figure it was made of.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError};
use larder_domain::document::order::suggested_packs;
use larder_domain::{BusinessDay, Factor, Qty};

use super::Why;
use crate::books::store_items::{RootStock, root_stock, root_units};
use crate::documents::products::{Product, Unit};

/// What is known of a product in a store, in root units of the one root item it is counted in.
#[derive(Debug, Clone)]
pub struct Advice {
    pub par: Option<Qty>,
    pub on_hand: Option<Qty>,
    pub in_transit: Qty,
    pub on_order: Qty,
    /// What a day takes.
    pub daily_use: Qty,
    /// The root unit's code.
    pub unit: Option<String>,
    /// How many of the unit are suggested; nothing for a product without a par level, or one that another stands in for.
    pub suggested: Option<Qty>,
    pub why: Vec<Why>,
}

/// What is known of a store, before products are looked at.
pub struct Situation {
    day: BusinessDay,
    par: HashMap<String, Qty>,
    stock: HashMap<String, RootStock>,
    units: HashMap<String, String>,
    /// In base units, by product.
    in_transit: HashMap<String, Qty>,
    on_order: HashMap<String, Qty>,
    /// By root item: which products it is in, with how much of it is in a base unit.
    products_of: BTreeMap<String, Vec<(String, Factor)>>,
}

impl Situation {
    /// Reads a store. Lines of `but` do not count as on order: it is the order that is being written.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read(
        db: &Db,
        store_id: &str,
        day: BusinessDay,
        products: &[Product],
        but: Option<&str>,
    ) -> Result<Self, DbError> {
        let par: Vec<(String, Qty)> = db
            .sql("select root_item_id, par_qty from store_root_items where store_id = $1 and par_qty is not null")
            .bind(store_id)
            .all()
            .await?;
        let stock = root_stock(db, store_id, day).await?;
        let units = root_units(db).await?;
        let mut products_of: BTreeMap<String, Vec<(String, Factor)>> = BTreeMap::new();
        for product in products {
            for part in product.root_item_conversions.iter().filter(|part| part.factor.0 > 0) {
                products_of
                    .entry(part.root_item_id.clone())
                    .or_default()
                    .push((product.id.clone(), part.factor));
            }
        }
        Ok(Self {
            day,
            par: par.into_iter().collect(),
            stock,
            units,
            in_transit: in_transit(db, store_id).await?,
            on_order: on_order(db, store_id, but).await?,
            products_of,
        })
    }

    /// What is advised for a product, in one of its units. Of the products that a root item is in, the first by name is
    /// the one that is suggested, unless it is made of several root items.
    #[must_use]
    pub fn advise(&self, product: &Product, unit: &Unit) -> Option<Advice> {
        let [part] = product.root_item_conversions.as_slice() else { return None };
        let of_root = self.products_of.get(&part.root_item_id)?;
        let in_root = |found: &HashMap<String, Qty>| {
            let sum = |sum: i64, (id, factor): &(String, Factor)| {
                let qty = found.get(id).copied().unwrap_or_default();
                sum.saturating_add(qty.scaled(*factor).unwrap_or_default().0)
            };
            Qty(of_root.iter().fold(0, sum))
        };
        let (in_transit, on_order) = (in_root(&self.in_transit), in_root(&self.on_order));
        let stock = self.stock.get(&part.root_item_id);
        let par = self.par.get(&part.root_item_id).copied();
        let on_hand = stock.and_then(|stock| stock.on_hand);
        let pack =
            Qty(1_000_000).scaled(unit.factor).and_then(|base| base.scaled(part.factor)).unwrap_or_default();
        let first = of_root.first().is_some_and(|(id, _)| *id == product.id);
        let suggested = par.filter(|_| first && pack.0 > 0).map(|par| {
            let packs = suggested_packs(par, on_hand.unwrap_or_default(), in_transit, on_order, pack);
            Qty(packs.saturating_mul(1_000_000))
        });
        let mut why = Vec::new();
        let mut tell = |figure: &str, value: Qty, date: Option<BusinessDay>, source: String| {
            why.push(Why { figure: figure.to_owned(), value, date, source });
        };
        let unit_code = self.units.get(&part.root_item_id).cloned();
        if let (Some(par), Some(_)) = (par, suggested) {
            let counted = stock.and_then(|stock| stock.counted_on);
            tell("Par level", par, None, "the store's list of root items".to_owned());
            let source = match (on_hand, counted) {
                (None, _) => "never counted, taken as nothing".to_owned(),
                (Some(_), Some(day)) => {
                    format!("count of {}, and what came and was used since", day.display())
                }
                (Some(_), None) => "what came and was used".to_owned(),
            };
            tell("On hand", on_hand.unwrap_or_default(), Some(self.day), source);
            tell("In transit", in_transit, Some(self.day), "deliveries on their way".to_owned());
            tell("On order", on_order, Some(self.day), "orders that are not dispatched yet".to_owned());
            tell("Pack", pack, None, "the unit it is ordered in".to_owned());
        }
        Some(Advice {
            par,
            on_hand,
            in_transit,
            on_order,
            daily_use: stock.map(|stock| stock.daily_use).unwrap_or_default(),
            unit: unit_code,
            suggested,
            why,
        })
    }
}

/// What is on its way to a store, by product, in base units.
async fn in_transit(db: &Db, store_id: &str) -> Result<HashMap<String, Qty>, DbError> {
    let found: Vec<(String, Qty)> = db
        .sql(
            "select b.item_id, cast(sum(b.qty) as bigint) from documents d
             join stock_balances b on b.place_kind = 'inTransit' and b.place_id = d.store_id || '_' || d.id
             where d.store_id = $1 and d.kind in ('delivery', 'transfer')
               and d.state in ('dispatched', 'partiallyReceived')
               and b.item_kind = 'product' and b.qty <> 0 group by b.item_id",
        )
        .bind(store_id)
        .all()
        .await?;
    Ok(found.into_iter().collect())
}

/// What a store has ordered that is not dispatched yet, by product, in base units.
async fn on_order(db: &Db, store_id: &str, but: Option<&str>) -> Result<HashMap<String, Qty>, DbError> {
    let found: Vec<(String, Factor, Qty)> = db
        .sql(
            "select l.product_id, l.factor, coalesce(l.qty_approved, l.qty_ordered) - l.qty_dispatched
               - l.qty_short_closed
             from documents d join order_lines l on l.document_id = d.id
             where d.store_id = $1 and d.kind = 'storeOrder'
               and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived') and d.id <> $2",
        )
        .bind(store_id)
        .bind(but.unwrap_or_default())
        .all()
        .await?;
    let mut sums: HashMap<String, Qty> = HashMap::new();
    for (product, factor, qty) in found {
        let base = Qty(qty.0.max(0)).scaled(factor).unwrap_or_default();
        let sum = sums.entry(product).or_default();
        *sum = sum.checked_add(base).unwrap_or(*sum);
    }
    Ok(sums)
}
