//! Output of recipes, in base units.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError, FromRow, Json, Query, Tx};
use larder_domain::production::{Batch, Maker};
use larder_domain::{Factor, Qty};
use serde::Deserialize;

use crate::products;
use crate::products::Product;

/// A recipe that makes a product.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub id: String,
    pub name: String,
    pub product_id: String,
    pub batch: Batch,
}

/// All recipes with an output, and their products.
#[derive(Debug, Default)]
pub struct Recipes {
    /// By product; of several recipes the first by name.
    pub of_product: BTreeMap<String, Recipe>,
    /// By root item: the product made for it.
    pub makers: BTreeMap<String, Maker>,
    pub products: HashMap<String, Product>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    root_item_id: String,
    qty: Qty,
}

#[derive(FromRow)]
struct Kept {
    id: String,
    name: String,
    product_id: String,
    yield_qty: Qty,
    yield_uom_id: Option<String>,
    root_items: Json<Vec<Part>>,
}

const SELECT: &str = "select id, name, product_id, yield_qty, yield_uom_id, root_items from recipes r
     where product_id is not null and yield_qty > 0 and inactive = ";

/// Reads all active recipes whose yield converts to the base unit of an active product.
///
/// # Errors
/// If the database fails.
pub async fn read(db: &Db) -> Result<Recipes, DbError> {
    let products = products::made(db).await?;
    let kept: Vec<Kept> = ordered(db.sql(SELECT).push_bind(false)).all().await?;
    let mut found = Recipes::default();
    for kept in kept {
        let Some(recipe) = products.get(&kept.product_id).and_then(|product| recipe(kept, product)) else {
            continue;
        };
        let product = &products[&recipe.product_id];
        if let [part] = product.root_item_conversions.as_slice()
            && part.factor.0 > 0
        {
            let maker = Maker { product: product.id.clone(), factor: part.factor };
            found.makers.entry(part.root_item_id.clone()).or_insert(maker);
        }
        found.of_product.entry(recipe.product_id.clone()).or_insert(recipe);
    }
    found.products = products;
    Ok(found)
}

fn ordered(query: Query<'_>) -> Query<'_> {
    query.push(" order by name_key, id")
}

/// A recipe by its id, or the first by name that makes a product.
///
/// # Errors
/// If the database fails.
pub async fn find(
    tx: &mut Tx<'_>,
    recipe_id: Option<&str>,
    product_id: Option<&str>,
) -> Result<Option<(Recipe, Product)>, DbError> {
    let query = tx.sql(SELECT).push_bind(false);
    let query = match (recipe_id, product_id) {
        (Some(id), _) => query.push(" and id = ").push_bind(id.to_owned()),
        (None, Some(id)) => query.push(" and product_id = ").push_bind(id.to_owned()),
        (None, None) => return Ok(None),
    };
    let kept: Vec<Kept> = ordered(query).all().await?;
    let Some(first) = kept.into_iter().next() else { return Ok(None) };
    let mut products = products::by_id(tx, &[&first.product_id]).await?;
    let Some(product) = products.remove(&first.product_id) else { return Ok(None) };
    Ok(recipe(first, &product).map(|recipe| (recipe, product)))
}

/// Output of a recipe in base units; `None` if its yield does not convert.
fn recipe(kept: Kept, product: &Product) -> Option<Recipe> {
    let factor = match kept.yield_uom_id.as_deref() {
        Some(uom) => product.unit(uom)?.factor,
        None => Factor(1_000_000_000),
    };
    let yields = kept.yield_qty.scaled(factor).filter(|qty| qty.0 > 0)?;
    let parts = kept.root_items.0.into_iter().map(|part| (part.root_item_id, part.qty)).collect();
    Some(Recipe { id: kept.id, name: kept.name, product_id: kept.product_id, batch: Batch { yields, parts } })
}
