//! What a kitchen must produce to fulfil orders: recipes exploded through all levels, in whole batches.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Factor, Qty};

/// A batch: its yield and its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Base units of its product per batch; above zero.
    pub yields: Qty,
    /// Root items per batch, in root units.
    pub parts: Vec<(String, Qty)>,
}

/// A product that represents a root item in recipes, and is made by a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    pub product: String,
    /// Root units per base unit; above zero.
    pub factor: Factor,
}

/// A kitchen: its recipes and its stock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kitchen {
    /// By product.
    pub recipes: BTreeMap<String, Batch>,
    /// By root item: the product made for it. Purchased root items are not in it.
    pub makers: BTreeMap<String, Maker>,
    /// Stock and work in progress of products, in base units.
    pub there: BTreeMap<String, Qty>,
}

/// A production run of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub product: String,
    /// 0 for store orders, 1 for their inputs, and so on.
    pub level: usize,
    /// Base units required by stores and by other runs.
    pub needed: Qty,
    /// `needed` less what is available.
    pub net: Qty,
    /// net ÷ yield, rounded up.
    pub batches: i64,
    /// batches × yield.
    pub makes: Qty,
}

/// A kitchen's work for some orders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// By level, so that inputs come after the products they go into.
    pub runs: Vec<Run>,
    /// Shortage of products without a recipe, in base units.
    pub without_recipe: BTreeMap<String, Qty>,
    /// Purchased root items for all runs, in root units.
    pub ingredients: BTreeMap<String, Qty>,
}

/// Explodes orders. A recipe that needs itself, directly or indirectly, takes that part as purchased: it must be in
/// stock.
///
/// # Errors
/// `None` on overflow.
#[must_use]
pub fn plan(kitchen: &Kitchen, ordered: &BTreeMap<String, Qty>) -> Option<Plan> {
    let (order, bought) = order(kitchen, ordered);
    let mut needed = ordered.clone();
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    let mut plan = Plan::default();
    for product in &order {
        let wanted = needed.get(product.as_str()).copied().unwrap_or_default();
        let there = kitchen.there.get(product).copied().unwrap_or_default();
        let net = Qty(wanted.0.saturating_sub(there.0.max(0)).max(0));
        let level = levels.get(product.as_str()).copied().unwrap_or_default();
        let Some(batch) = kitchen.recipes.get(product) else {
            if net.0 > 0 {
                plan.without_recipe.insert(product.clone(), net);
            }
            continue;
        };
        let batches = batches(net, batch.yields)?;
        let makes = Qty(batches.checked_mul(batch.yields.0)?);
        for (root, qty) in &batch.parts {
            let qty = Qty(qty.0.checked_mul(batches)?);
            let maker =
                kitchen.makers.get(root).filter(|_| !bought.contains(&(product.clone(), root.clone())));
            match maker {
                Some(maker) => {
                    let base = base_of(qty, maker.factor)?;
                    let sum = needed.entry(maker.product.clone()).or_default();
                    *sum = sum.checked_add(base)?;
                    let deeper = levels.entry(maker.product.as_str()).or_default();
                    *deeper = (*deeper).max(level + 1);
                }
                None => {
                    let sum = plan.ingredients.entry(root.clone()).or_default();
                    *sum = sum.checked_add(qty)?;
                }
            }
        }
        if wanted.0 > 0 {
            plan.runs.push(Run { product: product.clone(), level, needed: wanted, net, batches, makes });
        }
    }
    plan.ingredients.retain(|_, qty| !qty.is_zero());
    plan.runs.sort_by_key(|run| run.level);
    Some(plan)
}

/// Batches to make at least this much; `None` for a batch without yield.
#[must_use]
pub fn batches(net: Qty, yields: Qty) -> Option<i64> {
    if yields.0 <= 0 {
        return None;
    }
    Some(net.0.max(0) / yields.0 + i64::from(net.0.max(0) % yields.0 > 0))
}

/// Base units of a product for these root units, rounded up to the millionth.
#[must_use]
pub fn base_of(root_qty: Qty, factor: Factor) -> Option<Qty> {
    let factor = i128::from(factor.0);
    if factor <= 0 {
        return None;
    }
    let scaled = i128::from(root_qty.0) * 1_000_000_000;
    i64::try_from((scaled + factor - 1).div_euclid(factor)).ok().map(Qty)
}

/// A product and a root item in its recipe.
type Part = (String, String);

/// All products that the orders touch, each after everything it goes into, and the parts that would form a cycle.
fn order(kitchen: &Kitchen, ordered: &BTreeMap<String, Qty>) -> (Vec<String>, BTreeSet<Part>) {
    let (mut done, mut back) = (Vec::new(), BTreeSet::new());
    let mut seen = BTreeSet::new();
    for product in ordered.keys() {
        visit(kitchen, product, &mut Vec::new(), &mut seen, &mut done, &mut back);
    }
    done.reverse();
    (done, back)
}

fn visit(
    kitchen: &Kitchen,
    product: &str,
    path: &mut Vec<String>,
    seen: &mut BTreeSet<String>,
    done: &mut Vec<String>,
    back: &mut BTreeSet<Part>,
) {
    if !seen.insert(product.to_owned()) {
        return;
    }
    path.push(product.to_owned());
    for (root, _) in kitchen.recipes.get(product).map(|batch| batch.parts.as_slice()).unwrap_or_default() {
        let Some(maker) = kitchen.makers.get(root) else { continue };
        if path.contains(&maker.product) {
            back.insert((product.to_owned(), root.clone()));
        } else {
            visit(kitchen, &maker.product, path, seen, done, back);
        }
    }
    path.pop();
    done.push(product.to_owned());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn qty(whole: i64) -> Qty {
        Qty(whole * 1_000_000)
    }

    fn batch(yields: i64, parts: &[(&str, i64)]) -> Batch {
        let parts = parts.iter().map(|(root, n)| ((*root).to_owned(), qty(*n))).collect();
        Batch { yields: qty(yields), parts }
    }

    /// Buns of dough and sugar; dough, kept in kilos of 1,000 g, of flour and itself (a starter).
    fn kitchen() -> Kitchen {
        let maker = Maker { product: "dough".into(), factor: Factor(1_000_000_000_000) };
        Kitchen {
            recipes: BTreeMap::from([
                ("buns".to_owned(), batch(40, &[("dough g", 2_400), ("sugar g", 100)])),
                ("dough".to_owned(), batch(10, &[("flour g", 6_000), ("dough g", 500)])),
            ]),
            makers: BTreeMap::from([("dough g".to_owned(), maker)]),
            there: BTreeMap::from([("buns".to_owned(), qty(30)), ("dough".to_owned(), qty(2))]),
        }
    }

    #[test]
    fn orders_are_exploded_through_all_levels() {
        let ordered = BTreeMap::from([("buns".to_owned(), qty(200)), ("napkins".to_owned(), qty(5))]);
        let plan = plan(&kitchen(), &ordered).expect("within reach");
        // 170 buns are 5 batches: 12 kg of dough of which 2 are there, so one batch of 10.
        let runs: Vec<(&str, usize, i64, i64, i64)> = plan
            .runs
            .iter()
            .map(|run| (run.product.as_str(), run.level, run.needed.0, run.net.0, run.batches))
            .collect();
        let m = 1_000_000;
        assert_eq!(runs, [("buns", 0, 200 * m, 170 * m, 5), ("dough", 1, 12 * m, 10 * m, 1)]);
        assert_eq!(plan.without_recipe, BTreeMap::from([("napkins".to_owned(), qty(5))]));
        // The starter is taken as purchased: making it would need itself.
        let ingredients: Vec<(&str, Qty)> =
            plan.ingredients.iter().map(|(root, qty)| (root.as_str(), *qty)).collect();
        assert_eq!(ingredients, [("dough g", qty(500)), ("flour g", qty(6_000)), ("sugar g", qty(500))]);
    }

    proptest! {
        #[test]
        fn batches_are_enough_and_not_one_too_many(net in 0i64..5_000_000_000, yields in 1i64..90_000_000) {
            let batches = batches(Qty(net), Qty(yields)).expect("it yields something");
            prop_assert!(batches * yields >= net);
            prop_assert!(batches == 0 || (batches - 1) * yields < net);
        }

        #[test]
        fn production_covers_the_orders(
            ordered in 0i64..5_000, there in 0i64..5_000, dough in 0i64..900,
        ) {
            let mut kitchen = kitchen();
            kitchen.there = BTreeMap::from([("buns".into(), qty(there)), ("dough".into(), qty(dough))]);
            let plan = plan(&kitchen, &BTreeMap::from([("buns".to_owned(), qty(ordered))])).expect("within reach");
            for run in &plan.runs {
                let there = kitchen.there[&run.product];
                prop_assert!(run.makes.0 + there.0 >= run.needed.0);
                prop_assert_eq!(run.makes.0, run.batches * kitchen.recipes[&run.product].yields.0);
            }
            let of = |product: &str| {
                plan.runs.iter().find(|run| run.product == product).map_or(0, |run| run.batches)
            };
            let flour = plan.ingredients.get("flour g").map_or(0, |qty| qty.0);
            prop_assert_eq!(flour, of("dough") * 6_000_000_000);
            prop_assert_eq!(plan.ingredients.get("sugar g").map_or(0, |qty| qty.0), of("buns") * 100_000_000);
        }
    }
}
