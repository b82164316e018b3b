use std::collections::BTreeMap;

use larder_domain::Qty;
use larder_domain::production::{Kitchen, Plan, base_of, plan};

/// What a kitchen has to make, and out of what, for what it releases in each bucket: every bucket's releases are taken
/// apart over all levels of recipes in whole batches (net ÷ yield, rounded up), and what a batch yields beyond its need
/// is there in the next bucket. What goes into a batch is needed in the bucket in which the batch is.
///
/// `releases`: per bucket and product, in base units. `kitchen.there` is the stock before the first bucket; of products
/// whose stock a [`super::Grid`] has already taken off, nothing may stand in it.
///
/// `None` when amounts are past what can be kept.
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

/// Leaves in the kitchen what a bucket's runs made and nobody needed.
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

/// What was needed of products that no recipe makes: what was released, and what went into runs.
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
