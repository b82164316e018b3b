//! Creates the products of their table: units, prices, weights, accounts, pictures.

use std::collections::HashMap;

use larder_domain::{Factor, Money, Qty};
use larder_lists::catalog::Product;
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::{Lists, set_up};
use super::pictures;
use super::product_rows::{ProductRow, conversions, products};
use super::rng::{Rng, key, whole};
use super::root_items::{RootItemRow, root_items};

/// The commissary's planner maintains the products.
pub const PLANNER: usize = 3;

/// A product and its id.
#[derive(Debug, Clone)]
pub struct LoadedProduct {
    pub row: ProductRow,
    pub id: String,
}

/// Creates the products.
pub async fn load(
    demo: &mut DemoActor<'_>,
    world: &World,
    lists: &Lists,
) -> Result<Vec<LoadedProduct>, ApiError> {
    let at = moment(set_up(world).plus(2), 9, 15);
    let bodies = Bodies { seed: world.seed, lists };
    let mut loaded = Vec::new();
    let mut rows = Vec::new();
    for row in products(world.extent.products) {
        let id = demo.id(at);
        let mut body = bodies.body(&row);
        if row.is('p') {
            body["imageUrl"] = json!(picture(demo, &row, &id, &bodies.name(&row)).await?);
        }
        rows.push((id.clone(), body));
        loaded.push(LoadedProduct { row, id });
    }
    demo.write::<Product>(PLANNER, at, &rows).await?;
    Ok(loaded)
}

/// Stores a picture like an uploaded one, and returns its URL.
async fn picture(
    demo: &DemoActor<'_>,
    row: &ProductRow,
    id: &str,
    name: &str,
) -> Result<Option<String>, ApiError> {
    let Some(picture) = pictures::picture(name, key(row.section.sku_prefix)) else { return Ok(None) };
    let version = format!("{:016x}", key(name) ^ key(row.section.sku_prefix));
    demo.state.files.put(&format!("products/{id}/{version}-full"), picture.full.into()).await?;
    demo.state.files.put(&format!("products/{id}/{version}-thumb"), picture.thumb.into()).await?;
    Ok(Some(format!("/api/products/{id}/picture?v={version}")))
}

fn root_of(row: &ProductRow) -> Option<&'static RootItemRow> {
    root_items().iter().find(|root| root.code == row.root_item)
}

/// The cost of a base unit, in centavos.
pub fn cost(row: &ProductRow) -> Money {
    let of_root = || Money::parse(root_of(row)?.price).ok();
    let each = row.own_price().or_else(of_root).unwrap_or_default();
    row.amount().times(each).unwrap_or_default()
}

/// Minimum and actual stock, in selling units.
pub fn kept(seed: u64, row: &ProductRow) -> (i64, i64) {
    let mut rng = Rng::of(seed, &[key("stock"), key(&row.sku())]);
    let least = 4 + whole(rng.between(0.0, 20.0));
    let low = rng.happens(0.13);
    let times = if low { rng.between(0.3, 0.9) } else { rng.between(1.2, 4.0) };
    let there = whole(f64::from(i32::try_from(least).unwrap_or(0)) * times);
    (least, there.max(1))
}

struct Bodies<'a> {
    seed: u64,
    lists: &'a Lists,
}

/// Prices in thousandths of the first price level's, in the order of the levels.
const LEVELS: [i128; 3] = [1000, 1030, 1060];
/// Price as a percentage of cost.
const MARKUP: i128 = 115;

impl Bodies<'_> {
    fn name(&self, row: &ProductRow) -> String {
        let root = root_of(row).map_or("", |root| root.name);
        let plain = root.rsplit_once(" (").map_or(root, |(name, _)| name);
        let name = if row.name.is_empty() { plain } else { row.name };
        match row.packing.suffix {
            "" => name.to_owned(),
            suffix => format!("{name}, {suffix}"),
        }
    }

    fn body(&self, row: &ProductRow) -> Value {
        let (section, packing, lists) = (row.section, row.packing, self.lists);
        let mut rng = Rng::of(self.seed, &[key("product"), key(&row.sku())]);
        let kind = match (row.is('s'), row.is('n')) {
            (true, _) => "Service",
            (_, true) => "Non-inventory",
            _ => "Inventory",
        };
        let stocked = row.is_stocked();
        let lines = conversions(packing.conversions)
            .map(|(from, n, to)| json!({ "fromUomId": lists.uoms.get(from), "toUomId": lists.uoms.get(to), "factor": n }));
        let (least, _) = kept(self.seed, row);
        // Some fields are left empty.
        let reorder = (stocked && !rng.happens(0.05)).then_some(least * packing.base_per_selling);
        let weight = self.weight(row);
        json!({
            "sku": row.sku(),
            "name": self.name(row),
            "type": kind,
            "category": lists.categories.get(section.category).filter(|_| !row.is('c')),
            "productType": lists.product_types.get(section.product_type).filter(|_| !row.is('s')),
            "foodType": lists.food_types.get(section.food_type),
            "storageRequirement": lists.storage.get(section.storage).filter(|_| !row.is('s')),
            "baseUom": lists.uoms.get(packing.base_uom),
            "defaultSellingUom": lists.uoms.get(packing.selling_uom),
            "otherUoms": self.others(row),
            "conversions": lines.collect::<Vec<_>>(),
            "rootItemConversions": self.root_items(row),
            "priceLevelPrices": self.prices(row, rng.happens(0.025)),
            "baseUomWeight": weight,
            "baseUomVolume": weight.map(|weight| Qty(weight.0 * section.litres_per_kg / 1000)),
            "shelfLife": (section.shelf_life > 0).then_some(section.shelf_life),
            "description": self.description(row),
            "reorderPoint": reorder,
            "inactive": row.is('i'),
            "inventoryAssetAccountId": lists.accounts.get(section.inventory_account).filter(|_| stocked),
            "expenseAccountId": lists.accounts.get(section.expense_account).filter(|_| !row.is('e')),
        })
    }

    /// Its other order units: whole packs, not grams.
    fn others(&self, row: &ProductRow) -> Vec<Value> {
        let units = conversions(row.packing.conversions).flat_map(|(from, _, to)| [from, to]);
        let mut whole: Vec<&str> = Vec::new();
        for unit in units.filter(|unit| !["kg", "g", "L", "mL", row.packing.base_uom].contains(unit)) {
            if !whole.contains(&unit) {
                whole.push(unit);
            }
        }
        whole.into_iter().map(|unit| json!({ "uomId": self.lists.uoms.get(unit), "whole": true })).collect()
    }

    fn root_items(&self, row: &ProductRow) -> Vec<Value> {
        let factor = Factor(row.amount().0 * 1000);
        let root = self.lists.roots.get(row.root_item);
        root.map(|root| json!({ "rootItemId": root, "factor": factor })).into_iter().collect()
    }

    /// Prices per selling unit, to the quarter of a peso; one level may be missing.
    fn prices(&self, row: &ProductRow, forgotten: bool) -> Vec<Value> {
        let base = i128::from(cost(row).0) * i128::from(row.packing.base_per_selling) * MARKUP;
        let levels = self.lists.levels.iter().zip(LEVELS).take(if forgotten { 2 } else { LEVELS.len() });
        levels
            .map(|(level, thousandths)| {
                let quarters = (base * thousandths + 1_250_000) / 2_500_000;
                json!({ "priceLevelId": level, "price": Money(i64::try_from(quarters * 25).unwrap_or(0)) })
            })
            .collect()
    }

    /// Kilograms per base unit; none for services.
    fn weight(&self, row: &ProductRow) -> Option<Qty> {
        if row.is('s') {
            return None;
        }
        let one = root_of(row).and_then(|root| Qty::parse(root.weight_kg).ok()).unwrap_or(Qty(400_000));
        let grams = i128::from(one.0) * i128::from(row.amount().0) / 1_000_000;
        i64::try_from(grams).ok().map(Qty)
    }

    fn description(&self, row: &ProductRow) -> Option<String> {
        let section = row.section;
        let made = section.inventory_account == "1320";
        let keep = format!("Keeps {} days, {}.", section.shelf_life, section.storage.to_lowercase());
        match (made, row.is('p'), row.is('i')) {
            (.., true) => Some("Not made any more; what is left is sold off.".to_owned()),
            (true, true, _) => Some(format!("Made in our own kitchen. {keep}")),
            (true, false, _) if section.shelf_life < 10 => {
                Some(format!("{keep} Order for the next morning."))
            }
            _ => None,
        }
    }
}

/// The first product made from a root item.
pub fn of_root<'a>(products: &'a [LoadedProduct], root: &str) -> Option<&'a LoadedProduct> {
    let by: HashMap<&str, &LoadedProduct> =
        products.iter().rev().map(|loaded| (loaded.row.root_item, loaded)).collect();
    by.get(root).copied().filter(|loaded| !loaded.row.root_item.is_empty())
}
