//! Kitchen recipes per batch.

use std::collections::HashSet;

use larder_db::Json;
use larder_db::Tx;
use larder_domain::Qty;
use larder_domain::mix::Batch;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::items::{decimal, id, read_items, repeated};
use super::store_items::listed;
use crate::engine::Part::{Member, Says};
use crate::engine::{FieldType, Found, Hidden, Items, Kind, MovedUses, list};
use larder_ledgers::store_items as book;
use larder_platform::http::error::ApiError;

/// A root item in a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecipeLine {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub root_item_id: String,
    /// Quantity per batch.
    pub qty: Qty,
}

/// The lines of a recipe, as stored.
pub type RecipeLines = Json<Vec<RecipeLine>>;

impl FieldType for RecipeLines {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[("rootItemId", "root_items")],
        line: &[Member("rootItemId"), Says(" = "), Member("qty")],
        schema: RecipeLine::schema,
        read: read_lines,
    });
    const REQUIRED: bool = false;
}

list! {
    /// A recipe: a batch, its yield and its ingredients.
    Recipe = "recipe" in "recipes", "lists/allLists", "/api/lists/recipes" {
        name: String = "Name" [keyed, searched],
        code: Option<String> = "Code" [keyed, searched, max(50)],
        yield_qty: Option<Qty> = "Yield",
        yield_uom_id: Option<String> = "Yield unit" [to("uoms")],
        root_items: RecipeLines = "Root items",
        product_id: Option<String> = "Product" [to("products")],
        instructions: Option<String> = "Instructions" [lines],
        inactive: bool = "Inactive",
    }
    one: "recipe", many: "Recipes", icon: "IconChefHat", merges: true, unique: &[&["name"], &["code"]], code: Some("code"),
    hidden: Some(Hidden { column: "inactive", when: true, unless: "includeInactive" }),
    ;

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        let Some(before) = before else { return Ok(()) };
        book::note_recipe(tx, &after.id, &batch(before), &batch(after)).await?;
        Ok(())
    }

    async fn move_uses(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<Vec<MovedUses>, ApiError> {
        listed(book::replace_recipe(tx, id, into).await?)
    }
}

fn batch(recipe: &Recipe) -> Batch {
    let lines = recipe.root_items.iter().map(|line| (line.root_item_id.clone(), line.qty));
    Batch { yields: recipe.yield_qty, lines: lines.collect() }
}

fn read_lines(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "root items", |row, _| {
        let root = id(row, "rootItemId", "Choose a root item.");
        let qty = match decimal::<Qty>(row, "qty", "Enter a quantity above zero.") {
            Ok(Qty(..=0)) => Err(("qty".to_owned(), "Enter a quantity above zero.".to_owned())),
            Ok(Qty(1_000_000_000_000_000..)) => {
                Err(("qty".to_owned(), "This quantity is too large.".to_owned()))
            }
            other => other,
        };
        match (root, qty) {
            (Ok(root), Ok(_)) if repeated(&mut seen, &root) => {
                let message = "This root item is listed already; keep one line.";
                Err(vec![("rootItemId".to_owned(), message.to_owned())])
            }
            (Ok(root), Ok(qty)) => Ok(Some(json!({ "rootItemId": root, "qty": qty }))),
            (root, qty) => Err([root.err(), qty.err()].into_iter().flatten().collect()),
        }
    })
}
