//! Makes the products of the [`goods`](super::goods) table: units, prices, weights, accounts, pictures.

use std::collections::HashMap;

use larder_domain::{Factor, Money, Qty};
use larder_server::http::ApiError;
use larder_server::lists::catalog::Product;
use serde_json::{Value, json};

use super::author::{Author, moment};
use super::chance::{Chance, key, whole};
use super::demand::World;
use super::goods::{Good, conversions, goods};
use super::masters::{Lists, set_up};
use super::pantry::{Root, roots};
use super::tiles;

/// The commissary's planner keeps the products.
pub const PLANNER: usize = 3;

/// A product and its id.
#[derive(Debug, Clone)]
pub struct Made {
    /// What it is.
    pub good: Good,
    /// The id the list gave it.
    pub id: String,
}

/// Enters the products.
pub async fn load(author: &mut Author<'_>, world: &World, lists: &Lists) -> Result<Vec<Made>, ApiError> {
    let at = moment(set_up(world).plus(2), 9, 15);
    let larder = Larder { seed: world.seed, lists, roots: roots() };
    let mut made = Vec::new();
    let mut rows = Vec::new();
    for good in goods(world.extent.products) {
        let id = author.id(at);
        let mut body = larder.body(&good);
        if good.is('p') {
            body["imageUrl"] = json!(picture(author, &good, &id, &larder.name(&good)).await?);
        }
        rows.push((id.clone(), body));
        made.push(Made { good, id });
    }
    author.write::<Product>(PLANNER, at, &rows).await?;
    Ok(made)
}

/// Keeps a picture as an uploaded one is kept, and answers its address.
async fn picture(author: &Author<'_>, good: &Good, id: &str, name: &str) -> Result<Option<String>, ApiError> {
    let Some(tile) = tiles::tile(name, key(good.section.prefix)) else { return Ok(None) };
    let version = format!("{:016x}", key(name) ^ key(good.section.prefix));
    author.state.files.put(&format!("products/{id}/{version}-full"), tile.full.into()).await?;
    author.state.files.put(&format!("products/{id}/{version}-thumb"), tile.thumb.into()).await?;
    Ok(Some(format!("/api/products/{id}/picture?v={version}")))
}

/// What a base unit costs to make or buy, in centavos.
pub fn cost(good: &Good, roots: &[Root]) -> Money {
    let root = roots.iter().find(|root| root.code == good.root);
    let each = good.own_price().or_else(|| Money::parse(root?.price).ok()).unwrap_or_default();
    good.amount().times(each).unwrap_or_default()
}

/// How many selling units are kept at least, and how many there are.
pub fn kept(seed: u64, good: &Good) -> (i64, i64) {
    let mut chance = Chance::of(seed, &[key("stock"), key(&good.sku())]);
    let least = 4 + whole(chance.between(0.0, 20.0));
    let low = chance.happens(0.13);
    let times = if low { chance.between(0.3, 0.9) } else { chance.between(1.2, 4.0) };
    let there = whole(f64::from(i32::try_from(least).unwrap_or(0)) * times);
    (least, there.max(1))
}

struct Larder<'a> {
    seed: u64,
    lists: &'a Lists,
    roots: Vec<Root>,
}

/// Thousandths of the first price level's price, in the order of the levels.
const LEVELS: [i128; 3] = [1000, 1030, 1060];
/// What is added to the cost, in hundredths of it.
const MARKUP: i128 = 115;

impl Larder<'_> {
    fn root(&self, good: &Good) -> Option<&Root> {
        self.roots.iter().find(|root| root.code == good.root)
    }

    fn name(&self, good: &Good) -> String {
        let root = self.root(good).map_or("", |root| root.name);
        let plain = root.rsplit_once(" (").map_or(root, |(name, _)| name);
        let name = if good.name.is_empty() { plain } else { good.name };
        match good.form.suffix {
            "" => name.to_owned(),
            suffix => format!("{name}, {suffix}"),
        }
    }

    fn body(&self, good: &Good) -> Value {
        let (section, form, lists) = (good.section, good.form, self.lists);
        let mut chance = Chance::of(self.seed, &[key("product"), key(&good.sku())]);
        let kind = match (good.is('s'), good.is('n')) {
            (true, _) => "Service",
            (_, true) => "Non-inventory",
            _ => "Inventory",
        };
        let stocked = good.is_stocked();
        let lines = conversions(form.conversions)
            .map(|(from, n, to)| json!({ "fromUomId": lists.uoms.get(from), "toUomId": lists.uoms.get(to), "factor": n }));
        let (least, _) = kept(self.seed, good);
        // Not everything has been thought of.
        let reorder = (stocked && !chance.happens(0.05)).then_some(least * form.each);
        let weight = self.weight(good);
        json!({
            "sku": good.sku(),
            "name": self.name(good),
            "type": kind,
            "category": lists.categories.get(section.category).filter(|_| !good.is('c')),
            "productType": lists.product_types.get(section.product_type).filter(|_| !good.is('s')),
            "foodType": lists.food_types.get(section.food_type),
            "storageRequirement": lists.storage.get(section.storage).filter(|_| !good.is('s')),
            "baseUom": lists.uoms.get(form.base),
            "defaultSellingUom": lists.uoms.get(form.selling),
            "otherUoms": self.others(good),
            "conversions": lines.collect::<Vec<_>>(),
            "rootItemConversions": self.root_items(good),
            "priceLevelPrices": self.prices(good, chance.happens(0.025)),
            "baseUomWeight": weight,
            "baseUomVolume": weight.map(|weight| Qty(weight.0 * section.litres / 1000)),
            "shelfLife": (section.shelf_life > 0).then_some(section.shelf_life),
            "description": self.description(good),
            "reorderPoint": reorder,
            "inactive": good.is('i'),
            "inventoryAssetAccountId": lists.accounts.get(section.accounts.0).filter(|_| stocked),
            "expenseAccountId": lists.accounts.get(section.accounts.1).filter(|_| !good.is('e')),
        })
    }

    /// What it can be ordered in besides: whole packs, not grams.
    fn others(&self, good: &Good) -> Vec<Value> {
        let units = conversions(good.form.conversions).flat_map(|(from, _, to)| [from, to]);
        let mut whole: Vec<&str> = Vec::new();
        for unit in units.filter(|unit| !["kg", "g", "L", "mL", good.form.base].contains(unit)) {
            if !whole.contains(&unit) {
                whole.push(unit);
            }
        }
        whole.into_iter().map(|unit| json!({ "uomId": self.lists.uoms.get(unit), "whole": true })).collect()
    }

    fn root_items(&self, good: &Good) -> Vec<Value> {
        let factor = Factor(good.amount().0 * 1000);
        let root = self.lists.roots.get(good.root);
        root.map(|root| json!({ "rootItemId": root, "factor": factor })).into_iter().collect()
    }

    /// Of one selling unit, to the quarter of a peso; one level may have been forgotten.
    fn prices(&self, good: &Good, forgotten: bool) -> Vec<Value> {
        let base = i128::from(cost(good, &self.roots).0) * i128::from(good.form.each) * MARKUP;
        let levels = self.lists.levels.iter().zip(LEVELS).take(if forgotten { 2 } else { LEVELS.len() });
        levels
            .map(|(level, thousandths)| {
                let quarters = (base * thousandths + 1_250_000) / 2_500_000;
                json!({ "priceLevelId": level, "price": Money(i64::try_from(quarters * 25).unwrap_or(0)) })
            })
            .collect()
    }

    /// Kilograms of a base unit; nobody weighs services.
    fn weight(&self, good: &Good) -> Option<Qty> {
        if good.is('s') {
            return None;
        }
        let one = self.root(good).and_then(|root| Qty::parse(root.weight).ok()).unwrap_or(Qty(400_000));
        let grams = i128::from(one.0) * i128::from(good.amount().0) / 1_000_000;
        i64::try_from(grams).ok().map(Qty)
    }

    fn description(&self, good: &Good) -> Option<String> {
        let section = good.section;
        let made = section.accounts.0 == "1320";
        let keep = format!("Keeps {} days, {}.", section.shelf_life, section.storage.to_lowercase());
        match (made, good.is('p'), good.is('i')) {
            (.., true) => Some("Not made any more; what is left is sold off.".to_owned()),
            (true, true, _) => Some(format!("Made in our own kitchen. {keep}")),
            (true, false, _) if section.shelf_life < 10 => {
                Some(format!("{keep} Order for the next morning."))
            }
            _ => None,
        }
    }
}

/// The first product made of a root item.
pub fn of_root<'a>(products: &'a [Made], root: &str) -> Option<&'a Made> {
    let by: HashMap<&str, &Made> = products.iter().rev().map(|made| (made.good.root, made)).collect();
    by.get(root).copied().filter(|made| made.good.root != "-")
}
