//! Lists of names.

use larder_db::Tx;
use larder_domain::units;
use serde_json::{Map, Value};

use crate::engine::{Reads, list};
use larder_ledgers::prices;
use larder_platform::http::error::ApiError;

list! {
    /// A unit of measure.
    Uom = "uom" in "uoms", "lists/allLists", "/api/lists/uoms" {
        name: String = "Name" [keyed, searched],
        code: String = "Code" [keyed, searched, max(20)],
        whole_only: bool = "Comes whole"
            [follows("Without it: false where code or name is a measure such as kg, L or hour, else true.")],
    }
    one: "unit of measure", many: "Units of measure", icon: "IconRulerMeasure", merges: true,
    unique: &[&["name"], &["code"]], code: Some("code"),
    ;

    fn begin(body: &mut Map<String, Value>) {
        if body.get("wholeOnly").is_none_or(Value::is_null) {
            let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
            let whole = !units::is_measure(text("code"), text("name"));
            body.insert("wholeOnly".to_owned(), whole.into());
        }
    }
}

list! {
    /// A kind of food, for grouping products.
    FoodType = "foodType" in "food_types", "lists/allLists", "/api/lists/food-types" {
        name: String = "Name" [keyed, searched],
    }
    one: "food type", many: "Food types", icon: "IconSoup", merges: true,
    ;
}

list! {
    /// A kind of product.
    ProductType = "productType" in "product_types", "lists/allLists", "/api/lists/product-types" {
        name: String = "Name" [keyed, searched],
    }
    one: "product type", many: "Product types", icon: "IconBoxMultiple", merges: true,
    ;
}

list! {
    /// A storage requirement: dry, chilled, frozen.
    StorageRequirement = "storageRequirement" in "storage_requirements", "lists/allLists",
        "/api/lists/storage-requirements" {
        name: String = "Name" [keyed, searched],
    }
    one: "storage requirement", many: "Storage requirements", icon: "IconSnowflake", merges: true,
    ;
}

list! {
    /// A set of prices that stores buy at.
    PriceLevel = "priceLevel" in "price_levels", "lists/allLists", "/api/lists/price-levels" {
        name: String = "Name" [keyed, searched],
    }
    one: "price level", many: "Price levels", icon: "IconTags", merges: true,
    ;

    async fn before_delete(tx: &mut Tx<'_>, record: &Self) -> Result<(), ApiError> {
        Ok(prices::products::forget_level(tx, &record.id).await?)
    }
}

list! {
    /// A kind of store: kiosk, counter, dine-in.
    StoreFormat = "storeFormat" in "store_formats", "lists/allLists", "/api/lists/store-formats" {
        name: String = "Name" [keyed, searched],
    }
    one: "store format", many: "Store formats", icon: "IconBuildingStore", merges: true,
    ;
}

list! {
    /// A region of the country.
    RegionalArea = "regionalArea" in "regional_areas", "lists/allLists", "/api/lists/regional-areas" {
        name: String = "Name" [keyed, searched],
    }
    one: "regional area", many: "Regional areas", icon: "IconMap2", merges: true, reads: Reads::SignedIn,
    ;
}
