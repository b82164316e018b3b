//! What a commissary has to make for a day: recipes exploded over all levels.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::production::{Kitchen, Plan, base_of, plan};
use larder_domain::{Factor, Qty};

use super::matrix::OpenOrders;
use super::model::{Ingredient, MatrixQuery, NotMade, ProductionList, ToBuy, ToMake};
use super::queries;
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::store_items::root_units;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// What a commissary has to make for a day's orders, and the ingredients needed.
#[utoipa::path(get, path = "/api/commissary/orders/production", tag = "commissary orders", params(MatrixQuery),
    responses((status = 200, body = ProductionList)))]
pub(crate) async fn get_production_list(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<MatrixQuery>,
) -> ApiResult<Json<ProductionList>> {
    let open_orders = OpenOrders::read(&state, &who, &query.commissary_id, &query.needed_date).await?;
    let rows = open_orders.rows();
    let ordered: BTreeMap<String, Qty> =
        rows.iter().map(|(id, row)| ((*id).to_owned(), row.standing.to_send)).collect();
    let all: Vec<&String> =
        open_orders.recipes.of_product.keys().chain(ordered.keys()).chain(open_orders.stock.keys()).collect();
    let there = all.into_iter().map(|id| (id.clone(), open_orders.covers(id)));
    let kitchen = Kitchen {
        recipes: open_orders
            .recipes
            .of_product
            .iter()
            .map(|(id, recipe)| (id.clone(), recipe.batch.clone()))
            .collect(),
        makers: open_orders.recipes.makers.clone(),
        there: there.collect(),
    };
    let planned = plan(&kitchen, &ordered).ok_or_else(|| {
        ApiError::unprocessable(
            "tooMuch",
            "These orders come to more than can be made. Look for a typing error.",
        )
    })?;
    let db = &state.db;
    let ids: Vec<&str> = ordered.keys().map(String::as_str).collect();
    let mut known = products::by_id_now(db, &ids).await?;
    known.extend(open_orders.recipes.products.clone());
    let names: HashMap<String, String> = queries::names(db).await?.into_iter().collect();
    let unit = |product: &Product| {
        product.base_uom_id.as_ref().and_then(|id| names.get(id)).cloned().unwrap_or_default()
    };
    let items = planned.runs.iter().filter_map(|run| {
        let (product, recipe) = (known.get(&run.product)?, open_orders.recipes.of_product.get(&run.product)?);
        let (on_hand, incoming) = open_orders.there(&run.product);
        Some(ToMake {
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            uom_code: unit(product),
            recipe_id: recipe.id.clone(),
            recipe_name: recipe.name.clone(),
            level: run.level,
            needed: run.needed,
            on_hand,
            incoming,
            net: run.net,
            yield_qty: recipe.batch.yields,
            batches: run.batches,
            makes: run.makes,
        })
    });
    let without = planned.without_recipe.iter().filter_map(|(id, net)| {
        let product = known.get(id)?;
        Some(NotMade {
            to_buy: to_buy(product, *net, &names),
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            uom_code: unit(product),
            net: *net,
        })
    });
    let (items, without_recipe) = (items.collect(), without.collect());
    let ingredients = ingredients(&state, &open_orders, &planned, &names).await?;
    Ok(Json(ProductionList { items, ingredients, without_recipe }))
}

/// How much of a product to buy for a shortage, in the unit it is ordered in.
fn to_buy(product: &Product, missing: Qty, names: &HashMap<String, String>) -> Option<ToBuy> {
    let (qty, unit) = product.covering(missing)?;
    Some(ToBuy {
        product_id: product.id.clone(),
        name: product.name.clone(),
        qty,
        uom_code: names.get(&unit.uom_id).cloned().unwrap_or_default(),
    })
}

/// The products whose batches take a root item, by name.
fn goes_into(root: &str, planned: &Plan, open_orders: &OpenOrders) -> Vec<String> {
    let recipes = &open_orders.recipes;
    let mut into: Vec<String> = planned
        .runs
        .iter()
        .filter(|run| run.batches > 0)
        .filter(|run| {
            let recipe = recipes.of_product.get(&run.product);
            recipe.is_some_and(|recipe| recipe.batch.parts.iter().any(|(id, _)| id == root))
        })
        .filter_map(|run| Some(recipes.products.get(&run.product)?.name.clone()))
        .collect();
    into.sort_by_cached_key(|name| name.to_lowercase());
    into
}

/// The ingredients needed, against the stock of products mapped to them, and what to buy.
async fn ingredients(
    state: &AppState,
    open_orders: &OpenOrders,
    planned: &Plan,
    codes: &HashMap<String, String>,
) -> ApiResult<Vec<Ingredient>> {
    let db = &state.db;
    let ids: Vec<&str> = planned.ingredients.keys().map(String::as_str).collect();
    let names: HashMap<String, String> = queries::root_names(db, &ids).await?.into_iter().collect();
    let units = root_units(db).await?;
    let there: Vec<&str> = open_orders.stock.keys().map(String::as_str).collect();
    let lying = products::by_id_now(db, &there).await?;
    let mut on_hand: HashMap<&str, i64> = HashMap::new();
    for product in lying.values() {
        let [part] = product.root_item_conversions.as_slice() else { continue };
        let (qty, _) = open_orders.there(&product.id);
        let root = qty.scaled(Factor(part.factor.0)).unwrap_or_default();
        *on_hand.entry(&part.root_item_id).or_default() += root.0.max(0);
    }
    let orderable = products::orderable(db).await?;
    let brings = products::bringing(&orderable);
    let mut items: Vec<Ingredient> = planned
        .ingredients
        .iter()
        .map(|(id, needed)| {
            let on_hand = Qty(on_hand.get(id.as_str()).copied().unwrap_or_default());
            let missing = Qty((needed.0 - on_hand.0).max(0));
            let bought = brings.get(id.as_str()).filter(|_| missing.0 > 0);
            Ingredient {
                name: names.get(id).cloned().unwrap_or_default(),
                uom_code: units.get(id).cloned(),
                root_item_id: id.clone(),
                needed: *needed,
                on_hand,
                missing,
                to_buy: bought
                    .and_then(|(product, factor)| to_buy(product, base_of(missing, *factor)?, codes)),
                goes_into: goes_into(id, planned, open_orders),
            }
        })
        .collect();
    items.sort_by_key(|item| item.name.to_lowercase());
    Ok(items)
}
