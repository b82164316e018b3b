//! The unit of a root item.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError, Json};
use larder_domain::Factor;

use super::versions::Conversion;

const ONE: Factor = Factor(1_000_000_000);

/// Units of root items, by id: the one its name ends with, `Palm oil (L)`; else that of the item counted one
/// to one; else that of the product bought one to one. `None` if those differ.
///
/// # Errors
/// If the database fails.
pub async fn root_units(db: &Db) -> Result<HashMap<String, String>, DbError> {
    let counted = db.sql(
        "select i.root_item_id, u.code, i.root_qty_per_unit from store_inventory_items i \
         join uoms u on u.id = i.uom_id where i.root_item_id is not null",
    );
    let counted: Vec<(String, String, Option<Factor>)> = counted.all().await?;
    let bought = db.sql(
        "select p.root_item_conversions, u.code from products p join uoms u on u.id = p.base_uom_id \
         where not p.inactive",
    );
    let bought: Vec<(Json<Vec<Conversion>>, String)> = bought.all().await?;
    let counted = counted
        .into_iter()
        .filter(|(_, _, factor)| factor.is_none_or(|factor| factor.0 <= 0 || factor == ONE))
        .map(|(root, unit, _)| (root, unit));
    let mut units = agreed(counted);
    let bought = bought.into_iter().flat_map(|(conversions, unit)| {
        let ones = conversions.0.into_iter().filter(|conversion| conversion.factor == ONE);
        ones.map(move |conversion| (conversion.root_item_id, unit.clone()))
    });
    for (root, unit) in agreed(bought) {
        units.entry(root).or_insert(unit);
    }
    let mut units: HashMap<String, String> =
        units.into_iter().filter_map(|(root, unit)| Some((root, unit?))).collect();
    let codes: Vec<(String,)> = db.sql("select code from uoms").all().await?;
    let codes: HashMap<String, String> =
        codes.into_iter().map(|(code,)| (code.to_lowercase(), code)).collect();
    let names: Vec<(String, String)> = db.sql("select id, name from root_items").all().await?;
    for (root, name) in names {
        if let Some(unit) = in_brackets(&name).and_then(|unit| codes.get(&unit.to_lowercase())) {
            units.insert(root, unit.clone());
        }
    }
    Ok(units)
}

/// The text in brackets at the end of a name.
fn in_brackets(name: &str) -> Option<&str> {
    let (_, unit) = name.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    Some(unit.trim())
}

/// The unit of each root item if all sources agree.
fn agreed(said: impl Iterator<Item = (String, String)>) -> HashMap<String, Option<String>> {
    let mut all: HashMap<String, HashSet<String>> = HashMap::new();
    for (root, unit) in said {
        all.entry(root).or_default().insert(unit);
    }
    let one = |units: HashSet<String>| if units.len() == 1 { units.into_iter().next() } else { None };
    all.into_iter().map(|(root, units)| (root, one(units))).collect()
}
