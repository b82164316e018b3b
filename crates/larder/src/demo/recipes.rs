//! What the kitchens make in a batch, a line a recipe.

use larder_server::http::ApiError;
use larder_server::lists::catalog::Recipe;
use serde_json::{Value, json};

use super::author::{Author, moment};
use super::demand::World;
use super::masters::{Lists, set_up};
use super::products::{Made, PLANNER, of_root};

/// Enters the recipes.
pub async fn load(
    author: &mut Author<'_>,
    world: &World,
    lists: &Lists,
    products: &[Made],
) -> Result<(), ApiError> {
    let bodies = RECIPES.lines().zip(1..).map(|(line, nth): (_, u32)| {
        let mut fields = line.split('|').map(str::trim);
        let mut next = || fields.next().unwrap_or_default();
        let (name, amount, unit, root, lines, how) = (next(), next(), next(), next(), next(), next());
        json!({
            "name": name,
            "code": format!("R-{nth:03}"),
            "yieldQty": amount,
            "yieldUomId": lists.uoms.get(unit),
            "productId": of_root(products, root).map(|made| &made.id),
            "rootItems": root_items(lists, lines),
            "instructions": how.replace(" / ", "\n"),
        })
    });
    author.add_as::<Recipe>(PLANNER, moment(set_up(world).plus(3), 10, 20), bodies.collect()).await?;
    Ok(())
}

fn root_items(lists: &Lists, text: &str) -> Vec<Value> {
    let words = text.split_whitespace().filter_map(|word| word.split_once(':'));
    words.map(|(root, qty)| json!({ "rootItemId": lists.roots.get(root), "qty": qty })).collect()
}

/// name | yield | unit | root item of the product | root items | steps
const RECIPES: &str = "\
Adobo sauce base, kettle of 20 L|20|L|adobo-base|soy:8 vinegar:6 garlic:1.6 pepper:0.12 sugar:0.9 chix-stock:5|Brown the garlic. / Add vinegar, do not stir until it boils. / Simmer 40 minutes. / Cool below 4 °C within two hours.
Barbecue glaze, kettle of 18 L|18|L|bbq-sauce|ketchup:7 soy:4.5 brown-sugar:3.6 calamansi:1.2 garlic:0.8|Simmer to 65 °Brix. / Fill hot.
Pork tocino, 25 kg|25|kg|tocino|kasim:24 sugar:2.6 salt:0.4 annatto:0.08 pineapple:1.5|Slice 5 mm. / Tumble 20 minutes. / Cure 24 hours at 2 °C. / Pack and freeze.
Beef tapa, 20 kg|20|kg|tapa|brisket:20 soy:1.8 garlic:0.6 vinegar:0.7 pepper:0.06|Slice 3 mm across the grain. / Marinate 12 hours. / Pack and freeze.
Longganisa, 400 pieces|400|pc|longganisa|ground-pork:17 garlic:0.9 vinegar:0.5 sugar:0.8 pepper:0.08|Mix cold. / Stuff to 45 g. / Blast freeze.
Chicken inasal marinade, 10 L|10|L|-|vinegar:3 calamansi:2.5 ginger:0.8 garlic:0.7 sugar:0.5 annatto:0.05|Blend and strain. / Use the same day.
Pork barbecue, 300 sticks|300|pc|bbq|kasim:24 bbq-sauce:3.5|Cube 20 mm. / Marinate 12 hours. / Skewer 80 g a stick.
Sisig mix, 30 kg|30|kg|sisig|kasim:22 chix-liver:4 onion:3 calamansi:1.2 green-chili:0.5 chicharon:2|Boil, grill, chop. / Fold in onion when cold. / Pack 2 kg.
Lechon kawali, 20 kg|20|kg|lechon|kasim:28 salt:0.5 pepper:0.08 oil:2.4|Boil until tender. / Dry overnight. / Fry at 180 °C.
Pork meatballs, 600 pieces|600|pc|meatball|ground-pork:15 breadcrumbs:2 egg:24 onion:1.2|Mix cold. / Form 30 g. / Steam to 75 °C.
Gravy base, 10 kg|10|kg|gravy|flour:2.2 butter:1.6 chix-stock:6 pepper:0.05 evap:1|Cook the roux brown. / Whisk in stock.
Liver sauce, 20 L|20|L|liver-sauce|chix-liver:4 vinegar:2.5 brown-sugar:3 breadcrumbs:2.5 chix-stock:8|Grill the livers. / Blend and simmer 20 minutes.
Palabok sauce, 25 kg|25|kg|palabok-sauce|cornstarch:1.8 chix-stock:18 shrimp:2 annatto:0.15 tinapa:10 fish-sauce:0.6|Steep annatto. / Thicken with starch.
Sweet spaghetti sauce, 30 kg|30|kg|spag-sauce|ketchup:14 ground-pork:5 hotdog:60 sugar:2 onion:1.5 condensed:2|Brown the pork. / Simmer 30 minutes.
Chicken stock, 40 L|40|L|chix-stock|breast:6 onion:2 carrot:1.5 ginger:0.4 salt:0.2|Simmer four hours. / Skim and strain.
Pandesal, 500 pieces|500|pc|pandesal|flour:14 sugar:2.2 butter:0.9 egg:30 breadcrumbs:1.2 milk:3|Ferment 90 minutes. / Scale 35 g. / Bake 14 minutes at 180 °C.
Ensaymada, 120 pieces|120|pc|ensaymada|flour:5.5 butter:2.2 egg:48 sugar:1.4 cheese:1.2|Coil, proof, bake. / Butter while warm.
Ube halaya, 20 kg|20|kg|ube|condensed:6 evap:5 butter:1.2 sugar:1.5 kamote:9|Stir without pause for 50 minutes.
Leche flan, 90 pieces|90|pc|leche|egg:180 condensed:4 evap:3.5 sugar:2|Steam at 85 °C for 40 minutes.
Puto bumbong, 200 portions|200|portion|puto-bumbong|puto-bumbong:22 butter:1.5 brown-sugar:2 coconut:3|Only in December.
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Qty;

    use super::*;
    use crate::demo::pantry::roots;
    use crate::demo::words::UOMS;

    #[test]
    fn every_recipe_is_made_of_known_root_items() {
        let known: HashSet<&str> = roots().iter().map(|root| root.code).collect();
        assert_eq!(RECIPES.lines().count(), 20);
        for line in RECIPES.lines() {
            let fields: Vec<&str> = line.split('|').collect();
            assert!(UOMS.iter().any(|(code, _)| *code == fields[2]) && fields.len() == 6, "{line}");
            let lines: Vec<&str> = fields[4].split_whitespace().collect();
            let roots: HashSet<&str> =
                lines.iter().filter_map(|word| Some(word.split_once(':')?.0)).collect();
            assert!(roots.len() == lines.len() && roots.is_subset(&known), "{line}");
            assert!(lines.iter().all(|word| Qty::parse(word.split(':').nth(1).unwrap_or("")).is_ok()));
        }
    }
}
