//! Stock in units of products.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Json};
use larder_domain::ledger::Place;
use larder_domain::on_hand::in_unit::in_unit;
use larder_domain::{BusinessDay, Factor, Qty};

use super::stores::{LastCounted, OfStores, of_stores};
use crate::store_items::Conversion;

/// Stock of a root item in a store, in base units of a product that consists of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductStock {
    pub store_id: String,
    /// All of the root item that is there. `None` if it was never counted, or the product does not consist of exactly one
    /// root item.
    pub qty: Option<Qty>,
    /// Whether the quantity was not rounded.
    pub exact: bool,
    /// Whether other products have the same root item, so that the stock may be of those.
    pub shared: bool,
    pub last: Option<LastCounted>,
}

/// The balances of products at a place that keeps one, in base units; without those that are zero.
///
/// # Errors
/// If the database fails.
pub async fn balances(db: &Db, place: &Place) -> Result<HashMap<String, Qty>, DbError> {
    debug_assert!(place.kind.counts_to_product(), "a store's balance is not its stock");
    let rows: Vec<(String, Qty)> = db
        .sql(
            "select item_id, qty from stock_balances
             where place_kind = $1 and place_id = $2 and item_kind = 'product' and qty <> 0",
        )
        .bind(place.kind.as_str())
        .bind(&place.id)
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// A product's root items.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub id: String,
    pub parts: Vec<(String, Factor)>,
    /// In days.
    pub shelf_life: Option<i64>,
}

impl Content {
    /// Its root item and how much of that is in a base unit, if there is exactly one.
    pub fn only(&self) -> Option<(&str, Factor)> {
        match self.parts.as_slice() {
            [(root, factor)] => Some((root, *factor)),
            _ => None,
        }
    }
}

/// The products that consist of root items.
pub(super) async fn contents(db: &Db) -> Result<Vec<Content>, DbError> {
    let rows: Vec<(String, Json<Vec<Conversion>>, Option<i64>)> =
        db.sql("select id, root_item_conversions, shelf_life from products order by id").all().await?;
    let content = |(id, conversions, shelf_life): (String, Json<Vec<Conversion>>, Option<i64>)| {
        let parts = conversions.0.into_iter().filter(|one| one.factor.0 > 0);
        Content { id, parts: parts.map(|one| (one.root_item_id, one.factor)).collect(), shelf_life }
    };
    Ok(rows.into_iter().map(content).filter(|content| !content.parts.is_empty()).collect())
}

/// A product's stock in some stores at the end of a day.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn of_product(
    db: &Db,
    product_id: &str,
    stores: &[String],
    day: BusinessDay,
) -> Result<Vec<ProductStock>, DbError> {
    let contents = contents(db).await?;
    let content = contents.iter().find(|content| content.id == product_id);
    let Some((root, factor)) = content.and_then(Content::only) else {
        let unknown = |store: &String| ProductStock {
            store_id: store.clone(),
            qty: None,
            exact: false,
            shared: false,
            last: None,
        };
        return Ok(stores.iter().map(unknown).collect());
    };
    let others = contents.iter().filter(|other| other.id != product_id);
    let shared = others.flat_map(|other| &other.parts).any(|(other, _)| other == root);
    let found: OfStores = of_stores(db, stores, Some(&BTreeSet::from([root])), day).await?;
    let stock = |store: &String| {
        let stock = found.get(store).and_then(|roots| roots.get(root));
        let unit = stock.and_then(|stock| in_unit(stock.on_hand?, factor));
        ProductStock {
            store_id: store.clone(),
            qty: unit.map(|unit| unit.qty),
            exact: unit.is_some_and(|unit| unit.exact),
            shared,
            last: stock.and_then(|stock| stock.last.clone()),
        }
    };
    Ok(stores.iter().map(stock).collect())
}
