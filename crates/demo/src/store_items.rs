//! Store inventory: the common count sheet, and each store's levels.

use std::collections::HashMap;

use larder_domain::units::{Conversion, Units};
use larder_domain::{Factor, Qty};
use larder_lists::catalog::{StoreInventoryItem, StoreRootItem};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::{Ids, Lists, rhythm, set_up};
use super::product_rows::{conversions, products};
use super::rng::{key, whole};
use super::root_items::{RootItemRow, root_items};

/// Number of root items with levels, by usage.
const LEVELS: usize = 60;
/// Mixed at the store: they count for recipes, not for a root item.
const MIXES: &[(&str, &str)] = &[("Cooked rice (tray)", "tray"), ("Halo-halo toppings (tub)", "tub")];
/// Not counted in stores.
const UNCOUNTED: &[&str] = &["langka-raw", "malagkit", "pinipig", "annatto", "bouillon", "shank", "tripe"];

/// Creates the count sheet, then every store's levels.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, lists: &Lists, ids: &Ids) -> Result<(), ApiError> {
    let day = set_up(world).plus(4);
    let sheet = sheet(lists);
    demo.add_as::<StoreInventoryItem>(1, moment(day, 9, 30), sheet).await?;
    let levels = (0..world.places.len()).flat_map(|store| levels(world, lists, ids, store));
    let levels = levels.collect();
    demo.add_as::<StoreRootItem>(1, moment(day, 14, 0), levels).await?;
    Ok(())
}

/// The storage area of an ingredient, in walking order.
const AREAS: &[(&str, &[&str])] = &[
    ("Freezer", &["Poultry", "Pork", "Beef", "Seafood", "Processed meat", "Sweets"]),
    ("Chiller", &["Eggs and dairy", "Vegetables", "Fruit"]),
    ("Dry store", &["Rice and grains", "Noodles", "Sauces and condiments", "Dry goods"]),
    ("Bread rack", &["Bread"]),
    ("Bar", &["Beverages"]),
    ("Packaging shelf", &["Packaging"]),
];

fn area(root: &RootItemRow) -> (usize, &'static str) {
    let found = AREAS.iter().position(|(_, types)| types.contains(&root.r#type));
    found.map_or((AREAS.len(), "Cleaning cupboard"), |at| (at, AREAS[at].0))
}

/// The unit in brackets after a root item's name.
fn unit(root: &RootItemRow) -> &'static str {
    let said = root.name.rsplit_once(" (").map_or("", |(_, unit)| unit.trim_end_matches(')'));
    match said {
        "kg" => "kg",
        "L" => "L",
        "can" => "can",
        "btl" => "btl",
        "bundle" => "bdl",
        said if said.starts_with("sleeve") || said.starts_with("pack") => "pack",
        _ => "pc",
    }
}

/// An item's count unit, its size in root units, and its packs.
fn counted(root: &RootItemRow) -> (&'static str, &'static str, Vec<(&'static str, &'static str)>) {
    match (unit(root), root.r#type) {
        ("kg", "Pork" | "Beef" | "Processed meat") => ("pack", "0.5", vec![("case", "20")]),
        ("kg", "Poultry" | "Seafood" | "Sweets") => ("pack", "1", vec![("case", "10")]),
        ("kg", "Rice and grains") => ("kg", "1", vec![("sack", "25")]),
        ("kg", "Noodles" | "Dry goods") => ("pack", "1", vec![("bag", "5")]),
        ("L", "Sauces and condiments") => ("L", "1", vec![("gal", "3.785"), ("btl", "1")]),
        ("L", _) => ("btl", "1", vec![("case", "12")]),
        ("pc", "Eggs and dairy") => ("pc", "1", vec![("tray", "30"), ("case", "360")]),
        ("pc", "Bread") => ("pc", "1", vec![("bag", "10")]),
        ("pc", _) => ("pc", "1", vec![("pack", "20")]),
        ("can", _) => ("can", "1", vec![("case", "24")]),
        ("btl", _) => ("btl", "1", vec![("case", "24")]),
        (unit, _) => (unit, "1", Vec::new()),
    }
}

/// How much of a root item a unit holds in the product that stores order; `None` if the product has no such unit.
fn ordered(root: &RootItemRow, unit: &str) -> Option<Qty> {
    let product =
        products(usize::MAX).into_iter().find(|row| row.root_item == root.code && row.is_stocked())?;
    let lines: Vec<Conversion<'_>> = conversions(product.packing.conversions)
        .filter_map(|(from, n, to)| Some(Conversion { from, to, factor: Factor::parse(n).ok()? }))
        .collect();
    let base = product.packing.base_uom;
    let each = Units::new(base, &lines).convert(Qty(1_000_000), unit, base)?;
    let millionths = i128::from(each.0) * i128::from(product.amount().0) / 1_000_000;
    i64::try_from(millionths).ok().map(Qty)
}

/// An item's count unit, its size in root units, and its packs in count units: each as large as the one ordered.
fn agreed(root: &RootItemRow) -> (&'static str, Qty, Vec<(&'static str, Qty)>) {
    let (count_unit, size, packs) = counted(root);
    let read = |text: &str| Qty::parse(text).unwrap_or_default();
    // One of the root item's own unit is one.
    let size = ordered(root, count_unit).filter(|_| count_unit != unit(root)).unwrap_or_else(|| read(size));
    let packs = packs.into_iter().filter_map(|(pack, units)| {
        let Some(ordered) = ordered(root, pack) else { return Some((pack, read(units))) };
        // A pack without an exact number of units is not counted in.
        let millionths = i128::from(ordered.0) * 1_000_000;
        let of = i128::from(size.0);
        let is_exact = of > 0 && millionths % of == 0;
        is_exact.then(|| Some((pack, Qty(i64::try_from(millionths / of).ok()?)))).flatten()
    });
    (count_unit, size, packs.collect())
}

fn sheet(lists: &Lists) -> Vec<Value> {
    let mut all: Vec<&RootItemRow> =
        root_items().iter().filter(|root| !UNCOUNTED.contains(&root.code)).collect();
    all.sort_by_key(|root| area(root).0);
    let items = all.iter().zip(1i64..).map(|(root, nth)| {
        let (unit, factor, packs) = agreed(root);
        let plain = root.name.rsplit_once(" (").map_or(root.name, |(name, _)| name);
        let packs: Vec<Value> = packs
            .into_iter()
            .map(|(unit, factor)| json!({ "uomId": lists.uoms.get(unit), "factor": factor }))
            .collect();
        json!({
            "name": plain,
            "code": format!("SI-{nth:03}"),
            "rootItemId": lists.roots.get(root.code),
            "rootQtyPerUnit": factor,
            "uomId": lists.uoms.get(unit),
            "packs": packs,
            "storageArea": area(root).1,
            "sortOrder": nth * 10,
            "barcode": matches!(unit, "can" | "btl").then(|| barcode(key(root.code))),
            "production": root.production,
        })
    });
    let mixes = MIXES.iter().zip(1i64..).map(|((name, unit), nth)| {
        json!({
            "name": name,
            "code": format!("SM-{nth:03}"),
            "uomId": lists.uoms.get(*unit),
            "storageArea": "Line",
            "sortOrder": 9_000 + nth * 10,
            "production": true,
        })
    });
    items.chain(mixes).collect()
}

/// Thirteen digits like those of a Philippine article, the last one the check digit.
fn barcode(from: u64) -> String {
    let digits = format!("480{:09}", from % 1_000_000_000);
    let sum: u32 =
        digits.bytes().zip([1u32, 3].into_iter().cycle()).map(|(b, n)| u32::from(b - b'0') * n).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

/// Levels of a store's most used items: enough until the delivery after the next one.
fn levels(world: &World, lists: &Lists, ids: &Ids, store: usize) -> Vec<Value> {
    let place = &world.places[store];
    let (lead, review) = rhythm(place);
    let by_code: HashMap<&str, &RootItemRow> = root_items().iter().map(|root| (root.code, root)).collect();
    let mut used: Vec<(&RootItemRow, i128)> = usage(world, store)
        .into_iter()
        .filter_map(|(code, week)| Some((*by_code.get(code)?, week)))
        .filter(|(root, week)| root.production && *week > 0)
        .collect();
    used.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.code.cmp(b.0.code)));
    used.truncate(LEVELS);
    used.iter()
        .map(|(root, week)| {
            let days = |n: i64| -> Qty {
                // Billionths per week → whole units for some days, rounded up.
                let units = (week * i128::from(n)).div_euclid(7_000_000_000) + 1;
                Qty(i64::try_from(units).unwrap_or(0) * 1_000_000)
            };
            let notes = (root.r#type == "Bread").then_some("Delivered every morning");
            json!({
                "storeId": ids.stores[store].as_ref(),
                "rootItemId": lists.roots.get(root.code),
                "parQty": days(lead + review + 1),
                "minQty": days(lead),
                "storageArea": area(root).1,
                "notes": notes,
            })
        })
        .collect()
}

/// Expected usage of each root item in a store's last trading week, in billionths.
fn usage(world: &World, store: usize) -> HashMap<&'static str, i128> {
    let end = world.closed(&world.places[store]).plus(-1);
    let mut sums: HashMap<&'static str, i128> = HashMap::new();
    for day in (0..7).map(|n| end.plus(-n)) {
        for (dish, sold) in world.dishes.iter().zip(world.expected(store, day).unwrap_or_default()) {
            let thousandths = i128::from(whole(sold * 1000.0));
            for (root, amount) in &dish.bom {
                *sums.entry(root).or_default() += thousandths * i128::from(amount.0) / 1000;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_lists::uoms;
    use crate::table::texts;

    #[test]
    fn every_root_item_has_a_storage_area_and_a_unit() {
        let units = texts(&uoms(), "code");
        let known = |unit: &str| units.iter().any(|code| code == unit);
        for root in root_items() {
            let (unit, _, packs) = counted(root);
            assert!(known(unit) && packs.iter().all(|(unit, _)| known(unit)), "{}", root.name);
            assert_eq!(area(root).1 == "Cleaning cupboard", root.r#type == "Supplies", "{}", root.name);
        }
        assert!(UNCOUNTED.iter().all(|code| root_items().iter().any(|root| root.code == *code)));
    }

    #[test]
    fn a_pack_is_counted_as_large_as_it_is_ordered() {
        let mut packs_ordered = 0;
        for root in root_items() {
            let (count_unit, size, packs) = agreed(root);
            assert!(size.0 > 0, "{}", root.name);
            let holds = |units: Qty| i128::from(units.0) * i128::from(size.0) / 1_000_000;
            let packs = packs.into_iter().map(|(pack, units)| (pack, holds(units)));
            let own = (count_unit != unit(root)).then_some((count_unit, i128::from(size.0)));
            for (pack, holds) in packs.chain(own) {
                if let Some(ordered) = ordered(root, pack) {
                    assert_eq!(i128::from(ordered.0), holds, "{} by the {pack}", root.name);
                    packs_ordered += 1;
                }
            }
        }
        assert!(packs_ordered > 20, "{packs_ordered}");
    }

    #[test]
    fn barcodes_check() {
        let code = barcode(key("water"));
        let sum: u32 =
            code.bytes().zip([1u32, 3].into_iter().cycle()).map(|(b, n)| u32::from(b - b'0') * n).sum();
        assert!(code.len() == 13 && sum.is_multiple_of(10), "{code}");
    }
}
