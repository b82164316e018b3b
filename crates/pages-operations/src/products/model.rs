//! Stock and pictures: requests and responses.

use larder_domain::ledger::PlaceKind;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::barcodes::OfProduct;
use larder_ledgers::prices::START;
use larder_ledgers::prices::products::KeptAtLevel;
use larder_ledgers::stock::{Entry, PlaceStock};
use larder_lists::catalog::Product;
use larder_platform::audit::Editor;
use larder_platform::files::pictures::PictureSize;

/// A counted quantity.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdjustProduct {
    /// In base units: at the place or, without one, in total.
    #[schema(value_type = Qty)]
    pub quantity: Option<Value>,
    /// The product revision it is based on; the latest if omitted.
    pub revision: Option<i64>,
    /// The counted place: a commissary, warehouse or cold storage.
    pub place_kind: Option<PlaceKind>,
    /// Its id; without a place, the difference goes to the default commissary.
    pub place_id: Option<String>,
    pub reason: Option<String>,
}

/// Result of an adjustment.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdjustedProduct {
    #[schema(schema_with = product)]
    pub product: Product,
    /// The posted difference; null if there was none.
    pub movement: Option<Entry>,
}

/// References the record schema that the list engine generates.
fn product() -> RefOr<Schema> {
    Ref::from_schema_name(Product::DEF.schema).into()
}

/// A product's stock by place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductStock {
    /// Total of commissaries, warehouses and cold storages.
    pub quantity: Qty,
    /// Every place with a balance, and what is on its way to accessible stores.
    pub places: Vec<PlaceStock>,
    /// Accessible stores that it came to.
    pub stores: Vec<StoreStock>,
    /// The commissary that an adjustment without a place changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_place: Option<StockPlace>,
}

/// What a store's counts say of a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreStock {
    pub store_id: String,
    pub store_name: String,
    /// In base units: the last count plus all flows since. Null if never counted, or if the product does not consist of
    /// exactly one root item.
    pub qty: Option<Qty>,
    /// Whether the quantity was not rounded.
    pub exact: bool,
    /// Whether other products have the same root item: the quantity is that of all of them.
    pub shared: bool,
    /// When it was counted last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_at: Option<Timestamp>,
}

/// A place that holds stock.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockPlace {
    pub place_kind: PlaceKind,
    pub place_id: String,
    pub place_name: String,
}

/// Query parameters of movements.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MovementsQuery {
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, up to 1,000.
    pub page_size: Option<i64>,
    /// Only at places of this type.
    pub place_kind: Option<PlaceKind>,
    /// Only at this place.
    pub place_id: Option<String>,
    /// From this day on.
    pub from: Option<BusinessDay>,
    /// Up to this day.
    pub to: Option<BusinessDay>,
}

/// A page of movements, latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockMovements {
    pub items: Vec<Entry>,
    /// Number of movements on all pages.
    pub total: i64,
}

/// What one selling unit of a product costs at a price level from a day on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductPrice {
    pub price_level_id: String,
    /// The first day it holds for.
    pub from: BusinessDay,
    /// Whether it holds for all days before the next one; `from` is 1970-01-01 then.
    pub from_start: bool,
    /// Null if it has no price at this level from then on.
    pub price: Option<Money>,
    /// `start` (before prices were kept), `set` or `import`.
    pub source: String,
    pub updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl From<KeptAtLevel> for ProductPrice {
    fn from(kept: KeptAtLevel) -> Self {
        Self {
            price_level_id: kept.price_level_id,
            from: kept.from_date,
            from_start: kept.from_date == START,
            price: kept.price,
            source: kept.source,
            updated_at: kept.updated_at,
            updated_by: kept.updated_by.map(|by| by.0),
        }
    }
}

/// The prices of a product by day and price level.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductPrices {
    /// Newest first.
    pub items: Vec<ProductPrice>,
}

/// Query parameters of a picture.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// Full size, or a thumbnail for a row.
    #[param(inline)]
    pub size: Option<PictureSize>,
    /// The version, as in `imageUrl`.
    #[expect(dead_code, reason = "each picture has an address of its own; the record says which is shown")]
    pub v: Option<String>,
}

/// A code that scanners read, and what it stands for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductBarcode {
    pub code: String,
    pub product_id: String,
    /// The unit that it is printed on.
    pub uom_id: String,
}

impl From<OfProduct> for ProductBarcode {
    fn from(kept: OfProduct) -> Self {
        Self { code: kept.code, product_id: kept.product_id, uom_id: kept.uom_id }
    }
}

/// The barcodes of all active products.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductBarcodes {
    pub items: Vec<ProductBarcode>,
}
