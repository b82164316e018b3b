//! Kitchen recipes.

use std::sync::LazyLock;

use larder_lists::catalog::Recipe;
use larder_platform::http::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::{Lists, set_up};
use super::products::{LoadedProduct, PLANNER, of_root};
use super::table::table;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: &'static str,
    r#yield: &'static str,
    uom: &'static str,
    /// Of the product it makes; empty for none.
    root_item: &'static str,
    /// `soy:8 vinegar:6`: root items with quantities.
    ingredients: &'static str,
    /// Separated by ` / `.
    steps: &'static str,
}

static RECIPES: LazyLock<Vec<Row>> = table!("recipes");

/// Creates the recipes.
pub async fn load(
    demo: &mut DemoActor<'_>,
    world: &World,
    lists: &Lists,
    products: &[LoadedProduct],
) -> Result<(), ApiError> {
    let bodies = RECIPES.iter().zip(1..).map(|(row, nth): (_, u32)| {
        json!({
            "name": row.name,
            "code": format!("R-{nth:03}"),
            "yieldQty": row.r#yield,
            "yieldUomId": lists.uoms.get(row.uom),
            "productId": of_root(products, row.root_item).map(|loaded| &loaded.id),
            "rootItems": root_items(lists, row.ingredients),
            "instructions": row.steps.replace(" / ", "\n"),
        })
    });
    demo.add_as::<Recipe>(PLANNER, moment(set_up(world).plus(3), 10, 20), bodies.collect()).await?;
    Ok(())
}

fn root_items(lists: &Lists, ingredients: &str) -> Vec<Value> {
    let words = ingredients.split_whitespace().filter_map(|word| word.split_once(':'));
    words.map(|(root, qty)| json!({ "rootItemId": lists.roots.get(root), "qty": qty })).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Qty;

    use super::*;
    use crate::root_items;
    use crate::small_lists::uoms;
    use crate::table::texts;

    #[test]
    fn every_recipe_is_made_of_known_root_items() {
        let known: HashSet<&str> = root_items::root_items().iter().map(|root| root.code).collect();
        let units = texts(&uoms(), "code");
        assert_eq!(RECIPES.len(), 20);
        for row in RECIPES.iter() {
            assert!(units.iter().any(|code| code == row.uom), "{}", row.name);
            let lines: Vec<&str> = row.ingredients.split_whitespace().collect();
            let roots: HashSet<&str> =
                lines.iter().filter_map(|word| Some(word.split_once(':')?.0)).collect();
            assert!(roots.len() == lines.len() && roots.is_subset(&known), "{}", row.name);
            assert!(lines.iter().all(|word| Qty::parse(word.split(':').nth(1).unwrap_or("")).is_ok()));
        }
    }
}
