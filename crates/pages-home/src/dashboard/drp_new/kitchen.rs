//! What a commissary has to make in the next days, and the ingredients needed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use axum::extract::State;
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::production::{Kitchen, Plan, base_of};
use larder_domain::{BusinessDay, Qty};
use larder_planning::drp::explode;

use super::chosen::chosen;
use super::grid::{Store, lines_of, refused};
use super::heat::dates;
use super::model::{KitchenIngredient, KitchenPlan, KitchenProduct, KitchenQuery, ToOrder};
use super::plan::{SHOWN, quantity};
use super::queries;
use larder_documents::orders::kitchen;
use larder_documents::productions::recipes;
use larder_documents::productions::recipes::Recipes;
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::place_stock;
use larder_ledgers::store_items::root_units;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// What a commissary has to make per day to cover store orders and planned orders: batches, and ingredients
/// to buy. Accessible stores only.
#[utoipa::path(get, path = "/api/dashboard/drp-new/kitchen", tag = "replenishment plan", params(KitchenQuery),
    responses((status = 200, body = KitchenPlan)))]
pub(crate) async fn get_kitchen_plan(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<KitchenQuery>,
) -> ApiResult<Json<KitchenPlan>> {
    let db = &state.db;
    if !queries::is_commissary(db, &query.commissary_id).await? {
        return Err(ApiError::field("commissaryId", "Choose a commissary."));
    }
    let chosen = chosen(&state, &who, None, query.date.as_deref(), None).await?;
    let Some(day) = chosen.date else { return Ok(Json(KitchenPlan::default())) };
    let mut released: Vec<BTreeMap<String, Qty>> = vec![BTreeMap::new(); SHOWN];
    for line in lines_of(&state, &chosen, None).await? {
        if line.source_type != "commissary" || line.source_id != query.commissary_id {
            continue;
        }
        let grid = Store::of(&line, day).plan(&line, day).map_err(refused)?;
        let late = grid.past_due.iter().map(|late| (0, late.quantity));
        for (at, qty) in grid.release.iter().copied().enumerate().chain(late).filter(|(_, qty)| *qty > 0.0) {
            add(&mut released[at], &line.product_id, quantity(qty));
        }
    }
    let orders = kitchen::open_orders(db, &query.commissary_id, None, who.stores(None)?.as_deref()).await?;
    let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
    let lines = kitchen::lines(db, &ids).await?;
    for due in kitchen::to_send(&orders, &lines) {
        if let Some(of_day) = released.get_mut(place(day, due.day)) {
            add(of_day, &due.product_id, due.qty);
        }
    }
    let commissary = Place { kind: PlaceKind::Commissary, id: query.commissary_id.clone() };
    let stock = place_stock::usable_balances(db, &commissary, BusinessDay::of(who.at)).await?;
    let on_hand: HashMap<String, Qty> = stock.into_iter().map(|(id, stock)| (id, stock.usable())).collect();
    let mut there: BTreeMap<String, Qty> =
        on_hand.iter().map(|(id, qty)| (id.clone(), Qty(qty.0.max(0)))).collect();
    let made = kitchen::being_made(db, &query.commissary_id).await?;
    let rows = kitchen::rows(&lines, |product| {
        let making = made.iter().filter(|batch| batch.product_id == product);
        let stock = on_hand.get(product).map_or(0, |qty| qty.0.max(0));
        Qty(making.fold(stock, |sum, batch| sum.saturating_add(batch.qty.0)))
    });
    take_off(&mut released, &mut there, day, &made);
    let recipes = recipes::read(db).await?;
    let at_work = Kitchen {
        recipes: recipes.of_product.iter().map(|(id, recipe)| (id.clone(), recipe.batch.clone())).collect(),
        makers: recipes.makers.clone(),
        there,
    };
    let plans = explode(&at_work, &released).ok_or_else(|| {
        let words = "These orders come to more than can be made. Look for a typing error.";
        ApiError::unprocessable("tooMuch", words)
    })?;
    let products = products_of(&state, &plans, &recipes, &on_hand, &rows).await?;
    let ingredients = ingredients(&state, &plans, &recipes, &on_hand).await?;
    Ok(Json(KitchenPlan { dates: dates(day), products, ingredients }))
}

fn add(of_day: &mut BTreeMap<String, Qty>, product: &str, qty: Qty) {
    let sum = of_day.entry(product.to_owned()).or_default();
    *sum = Qty(sum.0.saturating_add(qty.0));
}

/// Index of the due day; overdue quantities count on the first.
fn place(day: BusinessDay, due: BusinessDay) -> usize {
    usize::try_from(due.0 - day.0).unwrap_or(0)
}

/// Batches in progress cover releases from their own day on; for intermediates they count at once.
fn take_off(
    released: &mut [BTreeMap<String, Qty>],
    there: &mut BTreeMap<String, Qty>,
    day: BusinessDay,
    made: &[kitchen::Dated],
) {
    let mut pools: BTreeMap<&str, Vec<(usize, i64)>> = BTreeMap::new();
    for batch in made {
        if released.iter().any(|of_day| of_day.contains_key(&batch.product_id)) {
            pools.entry(&batch.product_id).or_default().push((place(day, batch.day), batch.qty.0));
        } else {
            add(there, &batch.product_id, batch.qty);
        }
    }
    for (product, mut made) in pools {
        for (at, of_day) in released.iter_mut().enumerate() {
            let Some(wanted) = of_day.get_mut(product) else { continue };
            for (_, left) in made.iter_mut().filter(|(from, _)| *from <= at) {
                let taken = (*left).min(wanted.0).max(0);
                *left -= taken;
                wanted.0 -= taken;
            }
        }
    }
}

async fn products_of(
    state: &AppState,
    plans: &[Plan],
    recipes: &Recipes,
    on_hand: &HashMap<String, Qty>,
    ordered: &HashMap<&str, kitchen::Row>,
) -> ApiResult<Vec<KitchenProduct>> {
    // By level, so that ingredients come after the products they go into.
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    for plan in plans {
        for run in &plan.runs {
            let level = levels.entry(&run.product).or_default();
            *level = (*level).max(run.level);
        }
        for id in plan.without_recipe.keys() {
            levels.entry(id).or_default();
        }
    }
    // What is ordered shows even where stock covers it.
    for id in ordered.keys() {
        levels.entry(*id).or_default();
    }
    let ids: Vec<&str> = levels.keys().copied().collect();
    let known = products::by_id_now(&state.db, &ids).await?;
    let codes: HashMap<String, String> = queries::unit_codes(&state.db).await?.into_iter().collect();
    let mut rows: Vec<(usize, KitchenProduct)> = Vec::new();
    for (id, level) in &levels {
        let Some(product) = known.get(*id) else { continue };
        let recipe = recipes.of_product.get(*id);
        let run = |plan: &Plan| {
            let run = plan.runs.iter().find(|run| run.product == *id);
            let net = run.map(|run| run.net).or_else(|| plan.without_recipe.get(*id).copied());
            (net.unwrap_or_default(), recipe.map(|_| run.map_or(0, |run| run.batches)))
        };
        let (net, batches): (Vec<Qty>, Vec<Option<i64>>) = plans.iter().map(run).unzip();
        let ordered = ordered.get(*id).copied().unwrap_or_default();
        let missing = Qty(net.iter().fold(0, |sum, qty| sum.saturating_add(qty.0)));
        let to_buy = product.covering(missing).filter(|_| recipe.is_none() && missing.0 > 0);
        let it = ordered.standing;
        let row = KitchenProduct {
            ordered: it.asked,
            cut: it.cut,
            approved: it.approved,
            sent: it.sent,
            closed_short: it.closed_short,
            to_send: it.to_send,
            covered: ordered.covered,
            short: ordered.short,
            to_buy: to_buy.map(|(qty, unit)| ToOrder {
                qty,
                unit: codes.get(&unit.uom_id).cloned().unwrap_or_default(),
            }),
            product_id: product.id.clone(),
            name: product.name.clone(),
            sku: product.sku.clone(),
            unit: unit(product, &codes),
            on_hand: on_hand.get(*id).copied().unwrap_or_default(),
            net,
            batches,
            recipe_id: recipe.map(|recipe| recipe.id.clone()),
            yields: recipe.map(|recipe| recipe.batch.yields),
        };
        rows.push((*level, row));
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.name.cmp(&b.1.name)));
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

fn unit(product: &Product, codes: &HashMap<String, String>) -> String {
    product.base_uom_id.as_ref().and_then(|id| codes.get(id)).cloned().unwrap_or_default()
}

/// The products whose batches take a root item, by name.
fn goes_into(root: &str, plans: &[Plan], recipes: &Recipes) -> Vec<String> {
    let takes = |product: &str| {
        let recipe = recipes.of_product.get(product);
        recipe.is_some_and(|recipe| recipe.batch.parts.iter().any(|(id, _)| id == root))
    };
    let made = plans.iter().flat_map(|plan| &plan.runs).filter(|run| run.batches > 0);
    let ids: BTreeSet<&str> = made.map(|run| run.product.as_str()).filter(|id| takes(id)).collect();
    let mut names: Vec<String> =
        ids.into_iter().filter_map(|id| Some(recipes.products.get(id)?.name.clone())).collect();
    names.sort_by_cached_key(|name| name.to_lowercase());
    names
}

async fn ingredients(
    state: &AppState,
    plans: &[Plan],
    recipes: &Recipes,
    on_hand: &HashMap<String, Qty>,
) -> ApiResult<Vec<KitchenIngredient>> {
    let mut needed: BTreeMap<&str, i64> = BTreeMap::new();
    for (root, qty) in plans.iter().flat_map(|plan| &plan.ingredients) {
        let sum = needed.entry(root).or_default();
        *sum = sum.saturating_add(qty.0);
    }
    let names: HashMap<String, String> = queries::root_names(&state.db).await?.into_iter().collect();
    let units = root_units(&state.db).await?;
    let codes: HashMap<String, String> = queries::unit_codes(&state.db).await?.into_iter().collect();
    let mut lying: HashMap<&str, i64> = HashMap::new();
    let products = products::orderable(&state.db).await?;
    let brings = products::bringing(&products);
    for product in &products {
        let [part] = product.root_item_conversions.as_slice() else { continue };
        if let Some(qty) = on_hand.get(&product.id) {
            let root = Qty(qty.0.max(0)).scaled(part.factor).unwrap_or_default();
            *lying.entry(&part.root_item_id).or_default() += root.0;
        }
    }
    let row = |(root, needed): (&str, i64)| {
        let there = lying.get(root).copied();
        let missing = Qty(needed.saturating_sub(there.unwrap_or(0)).max(0));
        let brought = brings.get(root);
        let order = brought.filter(|_| missing.0 > 0).and_then(|(product, factor)| {
            let (qty, unit) = product.covering(base_of(missing, *factor)?)?;
            Some(ToOrder { qty, unit: codes.get(&unit.uom_id).cloned().unwrap_or_default() })
        });
        KitchenIngredient {
            root_item_id: root.to_owned(),
            product_id: brought.map(|(product, _)| product.id.clone()),
            order,
            goes_into: goes_into(root, plans, recipes),
            name: names.get(root).cloned().unwrap_or_default(),
            unit: units.get(root).cloned(),
            needed: Qty(needed),
            on_hand: there.map(Qty),
            to_buy: missing,
        }
    };
    let mut rows: Vec<KitchenIngredient> = needed.into_iter().map(row).collect();
    rows.sort_by_key(|row| row.name.to_lowercase());
    Ok(rows)
}
