//! What usage, forecasts and variance are counted in.

use larder_domain::{Money, Qty};

use crate::lists::engine::{Hidden, list};

list! {
    /// A root item: the ingredient that sales are traced back to.
    RootItem = "rootItem" in "root_items", "lists/allLists", "/api/lists/root-items" {
        root_product_id: Option<String> = "Root product id" [keyed, searched, max(100)],
        name: String = "Name" [keyed, searched],
        item_type as "type": Option<String> = "Type" [searched, max(100)],
        weight_kg: Option<Qty> = "Weight (kg)",
        price: Option<Money> = "Price",
        production: bool = "In production" [on],
    }
    one: "root item", many: "Root items", code: Some("rootProductId"), strips_empty: true,
    hidden: Some(Hidden { column: "production", when: false, unless: "includeHidden" }),
    ;
}
