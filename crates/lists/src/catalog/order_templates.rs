//! Recurring orders of a store.

use std::collections::HashSet;

use larder_db::Json;
use larder_domain::Qty;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::items::{decimal, id, read_items, repeated};
use crate::engine::Part::{Member, Says};
use crate::engine::{FieldType, Found, Items, Kind, list};

/// A product in a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderTemplateItem {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub product_id: String,
    pub uom_id: String,
    /// Quantity in the unit.
    pub qty: Qty,
}

/// The lines of an order template, as stored.
pub type OrderTemplateItems = Json<Vec<OrderTemplateItem>>;

impl FieldType for OrderTemplateItems {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[("productId", "products"), ("uomId", "uoms")],
        line: &[Member("qty"), Says(" "), Member("uomId"), Says(" "), Member("productId")],
        schema: OrderTemplateItem::schema,
        read: read_lines,
    });
    const REQUIRED: bool = false;
}

list! {
    /// A store's named order, used as a template for others.
    OrderTemplate = "orderTemplate" in "order_templates", "stores/storeOrders", "/api/lists/order-templates" {
        store_id: String = "Store" [to("locations")],
        name: String = "Name" [keyed, searched],
        items: OrderTemplateItems = "Items",
    }
    one: "order template", many: "Order templates", icon: "IconTemplate",
    unique: &[&["storeId", "name"]], store: Some("store_id"),
    ;
}

fn read_lines(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "items", |row, _| {
        let product = id(row, "productId", "Choose a product.");
        let uom = id(row, "uomId", "Choose a unit.");
        let qty = match decimal::<Qty>(row, "qty", "Enter a quantity above zero.") {
            Ok(Qty(..=0)) => Err(("qty".to_owned(), "Enter a quantity above zero.".to_owned())),
            Ok(Qty(1_000_000_000_000_000..)) => {
                Err(("qty".to_owned(), "This quantity is too large.".to_owned()))
            }
            other => other,
        };
        match (product, uom, qty) {
            (Ok(product), Ok(_), Ok(_)) if repeated(&mut seen, &product) => {
                let message = "This product is listed already; keep one line.";
                Err(vec![("productId".to_owned(), message.to_owned())])
            }
            (Ok(product), Ok(uom), Ok(qty)) => {
                Ok(Some(json!({ "productId": product, "uomId": uom, "qty": qty })))
            }
            (product, uom, qty) => Err([product.err(), uom.err(), qty.err()].into_iter().flatten().collect()),
        }
    })
}
