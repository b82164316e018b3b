//! Root items: the level of usage, forecasts and variance.

use larder_db::Tx;
use larder_domain::ledger::ItemKind;
use larder_domain::{Money, Qty};

use super::items::stock_moved;
use crate::engine::{Hidden, MovedUses, Retires, list};
use larder_ledgers::forecasts::overrides;
use larder_ledgers::{sales, stock, store_items};
use larder_platform::http::error::ApiError;

list! {
    /// A root item: the ingredient that sales are traced back to.
    RootItem = "rootItem" in "root_items", "lists/allLists", "/api/lists/root-items" {
        root_product_id: Option<String> = "Root product id" [keyed, searched, max(100)],
        name: String = "Name" [keyed, searched],
        item_type as "type": Option<String> = "Type" [searched, max(100)],
        weight_kg: Option<Qty> = "Weight (kg)" [decimal_comma],
        price: Option<Money> = "Price" [decimal_comma],
        production: bool = "In production" [on],
    }
    one: "root item", many: "Root items", icon: "IconCarrot", merges: true, unique: &[&["rootProductId"]],
    refreshes: &["lists/recipes/costs"], code: Some("rootProductId"), strips_empty: true,
    hidden: Some(Hidden { column: "production", when: false, unless: "includeHidden" }),
    retires: Some(Retires { field: "production", value: false, always: false }),
    ;

    async fn before_merge(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
        sales::replace_root_item(tx, id, into).await?;
        Ok(overrides::replace_root_item(tx, id, into).await?)
    }

    async fn move_uses(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<Vec<MovedUses>, ApiError> {
        store_items::replace_root(tx, id, into).await?;
        stock_moved(stock::move_stock(tx, ItemKind::RootItem, id, into).await?)
    }
}
