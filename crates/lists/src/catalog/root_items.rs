//! Root items: the level of usage, forecasts and variance.

use larder_db::{Reader, Tx};
use larder_domain::ledger::ItemKind;
use larder_domain::{Money, Qty};
use serde_json::{Map, Value};

use super::items::stock_moved;
use crate::engine::{Hidden, MovedUses, Retires, list};
use larder_ledgers::forecasts::overrides;
use larder_ledgers::{prices, sales, snapshots, stock, store_items};
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

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        if before.and_then(|before| before.price) == after.price {
            return Ok(());
        }
        let frozen_until = snapshots::frozen_until(&mut Reader::Tx(tx)).await?;
        Ok(prices::follow(tx, &after.id, after.price, frozen_until).await?)
    }

    async fn before_delete(tx: &mut Tx<'_>, record: &Self) -> Result<(), ApiError> {
        Ok(prices::forget(tx, &record.id).await?)
    }

    async fn before_merge(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
        sales::replace_root_item(tx, id, into).await?;
        Ok(overrides::replace_root_item(tx, id, into).await?)
    }

    async fn move_uses(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<Vec<MovedUses>, ApiError> {
        store_items::replace_root(tx, id, into).await?;
        prices::proposals::replace_root(tx, id, into).await?;
        stock_moved(stock::move_stock(tx, ItemKind::RootItem, id, into).await?)
    }
}
