use std::collections::BTreeMap;

use larder_domain::Qty;
use larder_domain::production::{Kitchen, Plan, base_of, plan};

/// Explodes a kitchen's releases of each bucket into production and ingredients: through all levels of recipes, in
/// whole batches (net ÷ yield, rounded up); a batch's surplus is available in the next bucket. A batch's ingredients
/// are needed in its own bucket.
///
/// `releases`: per bucket and product, in base units. `kitchen.there` is the stock before the first bucket; leave out
/// products whose stock a [`super::Grid`] already used.
///
/// `None` on overflow.
#[must_use]
pub fn explode(kitchen: &Kitchen, releases: &[BTreeMap<String, Qty>]) -> Option<Vec<Plan>> {
    let mut kitchen = kitchen.clone();
    releases
        .iter()
        .map(|released| {
            let plan = plan(&kitchen, released)?;
            take(&mut kitchen, released, &plan)?;
            Some(plan)
        })
        .collect()
}

/// Leaves the surplus of a bucket's runs in the kitchen's stock.
fn take(kitchen: &mut Kitchen, released: &BTreeMap<String, Qty>, plan: &Plan) -> Option<()> {
    for run in &plan.runs {
        let there = kitchen.there.entry(run.product.clone()).or_default();
        *there = Qty(there.0.max(0)).checked_add(run.makes)?.checked_sub(run.needed)?;
    }
    for (product, needed) in without_recipe(kitchen, released, plan)? {
        let there = kitchen.there.entry(product).or_default();
        *there = Qty(there.0.checked_sub(needed.0)?.max(0));
    }
    Some(())
}

/// The requirements of products without a recipe: releases and inputs of runs.
fn without_recipe(
    kitchen: &Kitchen,
    released: &BTreeMap<String, Qty>,
    plan: &Plan,
) -> Option<BTreeMap<String, Qty>> {
    let bought = |product: &str| !kitchen.recipes.contains_key(product);
    let mut needed: BTreeMap<String, Qty> = released
        .iter()
        .filter(|(product, _)| bought(product))
        .map(|(product, qty)| (product.clone(), *qty))
        .collect();
    for run in &plan.runs {
        for (root, qty) in &kitchen.recipes.get(&run.product)?.parts {
            let Some(maker) = kitchen.makers.get(root).filter(|maker| bought(&maker.product)) else {
                continue;
            };
            let base = base_of(Qty(qty.0.checked_mul(run.batches)?), maker.factor)?;
            let sum = needed.entry(maker.product.clone()).or_default();
            *sum = sum.checked_add(base)?;
        }
    }
    Some(needed)
}
