//! `/lists/recipes`: the cost of a batch, from the prices of its ingredients.

mod queries;

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::Action::{Create, Edit, View};
use larder_domain::{Money, Permission, Qty, Worth};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use larder_lists::catalog::{Recipe, RecipeLine};
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::is_id;
use larder_platform::http::{ApiError, ApiResult, Json, Routes, Who, routes};

/// The cost of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecipeCost {
    pub recipe_id: String,
    /// Ingredients of a batch at today's prices.
    pub cost: Money,
    /// Cost per unit of the yield; omitted without a yield.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_cost: Option<Money>,
    /// Ingredients without a price; the cost is too low by them.
    pub missing: Vec<String>,
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, View, routes!(list_recipe_costs)).can(PAGE, Edit, routes!(save_recipe))
}

const PAGE: &str = "lists/allLists";

/// Save a recipe under an id: an existing one is changed (send the `revision` you changed, as with PATCH), a
/// missing one is created with this id. For programs with their own ids; POST assigns one.
#[utoipa::path(put, path = "/api/lists/recipes/{id}", tag = "lists", params(("id" = String, Path)),
    request_body(content = ref("#/components/schemas/RecipePatch"), content_type = "application/json"),
    responses((status = 200, body = ref("#/components/schemas/Recipe")),
        (status = 201, body = ref("#/components/schemas/Recipe"))))]
pub(crate) async fn save_recipe(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Recipe>)> {
    if id.is_empty() || !is_id(&id) {
        return Err(ApiError::field("id", "Use up to 100 letters, digits, - and _."));
    }
    if body.get("id").is_some_and(|said| said.as_str() == Some(&id)) {
        body.remove("id");
    }
    let (id, body) = (&id, &body);
    let saved = state
        .db
        .write(&who.actor(), async |tx| {
            if queries::is_there(tx, id).await? {
                return Ok((StatusCode::OK, engine::update::<Recipe>(tx, id, body.clone()).await?));
            }
            if body.contains_key("revision") {
                // A caller that sends a revision changes an existing recipe, and it was deleted.
                return Err(ApiError::not_found("recipe"));
            }
            if !who.can(PAGE, Create) {
                return Err(ApiError::lacks(Permission { page: PAGE, action: Create }));
            }
            Ok((StatusCode::CREATED, engine::create::<Recipe>(tx, id, body.clone()).await?))
        })
        .await?;
    Ok((saved.0, Json(saved.1)))
}

/// The cost of every recipe from the prices of its root items.
#[utoipa::path(get, path = "/api/lists/recipes/costs", tag = "lists",
    responses((status = 200, body = Vec<RecipeCost>)))]
pub(crate) async fn list_recipe_costs(State(state): State<AppState>) -> ApiResult<Json<Vec<RecipeCost>>> {
    let prices: HashMap<String, Money> = queries::prices(&state.db).await?.into_iter().collect();
    let recipes = queries::recipes(&state.db).await?;
    let cost = |(id, yields, lines): (String, Option<Qty>, larder_db::Json<Vec<RecipeLine>>)| {
        cost(id, yields, &lines.0, &prices)
    };
    Ok(Json(recipes.into_iter().map(cost).collect()))
}

/// Σ price × quantity, rounded once, half away from zero. The cost of a unit comes from the exact sum.
fn cost(
    id: String,
    yields: Option<Qty>,
    lines: &[RecipeLine],
    prices: &HashMap<String, Money>,
) -> RecipeCost {
    let (mut sum, mut missing) = (Worth::ZERO, Vec::new());
    for line in lines {
        let part = prices.get(&line.root_item_id).map(|price| sum.plus(Worth::of(line.qty, *price)));
        match part.filter(|sum| sum.money().is_some()) {
            Some(more) => sum = more,
            None => missing.push(line.root_item_id.clone()),
        }
    }
    RecipeCost {
        recipe_id: id,
        cost: sum.money().unwrap_or_default(),
        unit_cost: yields.and_then(|yields| sum.each(yields)),
        missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_costs_the_sum_of_its_ingredients() {
        let prices = HashMap::from([("flour".to_owned(), Money(5_000)), ("salt".to_owned(), Money(2_033))]);
        let line = |root: &str, qty| RecipeLine { id: None, root_item_id: root.to_owned(), qty: Qty(qty) };
        let lines = [line("flour", 2_500_000), line("salt", 500_000), line("yeast", 1_000_000)];
        let found = cost("a".to_owned(), Some(Qty(3_000_000)), &lines, &prices);
        // 125.00 + 10.165, rounded up; then a third of 135.165, not of 135.17.
        assert_eq!((found.cost, found.unit_cost), (Money(13_517), Some(Money(4_506))));
        assert_eq!(found.missing, ["yeast"]);
        let halves = [line("salt", 500_000), line("salt", 500_000)];
        let found = cost("b".to_owned(), Some(Qty(0)), &halves, &prices);
        assert_eq!((found.cost, found.unit_cost), (Money(2_033), None), "twice 10.165 is 20.33");
    }
}
