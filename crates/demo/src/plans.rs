//! Replenishment rules, and the plan of the first morning.

use std::collections::HashMap;

use larder_domain::Qty;
use larder_domain::replenishment::{Place, Says};
use larder_ledgers::plans::rules;
use larder_platform::calculations::Ask;
use larder_platform::http::ApiError;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::masters::Ids;
use super::queries;

/// The user who sets the rules.
const HEAD_OFFICE: usize = 1;
/// The name of the service.
const PLAN: &str = "replenishment-plan";

/// A rule's place: a category by name, or a store by index.
struct Rule {
    store: Option<usize>,
    category: Option<&'static str>,
    says: Says,
}

const NOTHING: Says = Says {
    service_level: None,
    min: None,
    max: None,
    review_days: None,
    lead_days: None,
    shelf_life_days: None,
    method: None,
    priority: None,
    percent: None,
};

/// In millionths.
const fn percent(level: i64) -> Option<Qty> {
    Some(Qty(level * 10_000))
}

/// Meat must not run out, bread is made every other day, packaging may run out; the first store is the busiest.
fn said() -> Vec<Rule> {
    let of_category = |category, says| Rule { store: None, category: Some(category), says };
    vec![
        of_category("Marinated meats", Says { service_level: percent(98), ..NOTHING }),
        of_category("Breads and pastries", Says { review_days: Some(1), ..NOTHING }),
        of_category("Packaging", Says { service_level: percent(90), review_days: Some(7), ..NOTHING }),
        of_category("Fruit", Says { shelf_life_days: Some(5), ..NOTHING }),
        Rule { store: Some(0), category: None, says: Says { service_level: percent(97), ..NOTHING } },
    ]
}

/// Creates the rules and the plan.
pub async fn load(demo: &mut DemoActor<'_>, world: &World, ids: &Ids) -> Result<(), ApiError> {
    let at = moment(world.last, 15, 0);
    let categories: HashMap<String, String> =
        queries::category_ids(&demo.state.db).await?.into_iter().collect();
    let mut rows = Vec::new();
    for rule in said() {
        let place = Place {
            store_id: rule.store.and_then(|nth| ids.stores.get(nth)).map(|id| id.to_string()),
            category_id: rule.category.and_then(|name| categories.get(name)).cloned(),
            product_id: None,
        };
        if place != Place::default() {
            rows.push((demo.id(at), place, rule.says));
        }
    }
    let (actor, rows) = (demo.actor(HEAD_OFFICE, at), &rows);
    demo.state
        .db
        .write(&actor, async |tx| {
            for (id, place, says) in rows {
                rules::set(tx, id, place, says, None).await?;
            }
            Ok::<_, ApiError>(())
        })
        .await?;
    demo.state.calculations.start(demo.state, PLAN, Ask::default()).await?;
    demo.state.jobs.drain(demo.state).await
}
