//! Wire shapes of stock and pictures.

use larder_domain::ledger::PlaceKind;
use larder_domain::{BusinessDay, Qty};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::stock::{Entry, PlaceStock};
use larder_lists::catalog::Product;
use larder_platform::files::pictures::PictureSize;

/// How much there is, as somebody counted it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdjustProduct {
    /// How much there is, in base units: at the place, or without one in all.
    #[schema(value_type = Qty)]
    pub quantity: Option<Value>,
    /// The revision of the product it was said of; without it the latest is meant.
    pub revision: Option<i64>,
    /// The place that was counted: a commissary, warehouse or cold storage.
    pub place_kind: Option<PlaceKind>,
    /// Its id; without a place the difference goes to the default commissary.
    pub place_id: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What an adjustment came to.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdjustedProduct {
    #[schema(schema_with = product)]
    pub product: Product,
    /// The difference as it was posted; nothing where there was none.
    pub movement: Option<Entry>,
}

/// The engine makes the schema of a record; here it is only named.
fn product() -> RefOr<Schema> {
    Ref::from_schema_name(Product::DEF.schema).into()
}

/// How much there is of a product, and where.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductStock {
    /// In commissaries, warehouses and cold storages together.
    pub quantity: Qty,
    /// Every place where some of it lies, stores within reach too.
    pub places: Vec<PlaceStock>,
    /// The commissary that an adjustment without a place changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_place: Option<StockPlace>,
}

/// A place where stock can lie.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockPlace {
    pub place_kind: PlaceKind,
    pub place_id: String,
    pub place_name: String,
}

/// Which movements are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MovementsQuery {
    /// The page, from one.
    pub page: Option<i64>,
    /// Movements a page, up to 1,000.
    pub page_size: Option<i64>,
    /// Only at places of this kind.
    pub place_kind: Option<PlaceKind>,
    /// Only at this place.
    pub place_id: Option<String>,
    /// From this day on.
    pub from: Option<BusinessDay>,
    /// Up to this day.
    pub to: Option<BusinessDay>,
}

/// A page of movements, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockMovements {
    /// The movements.
    pub items: Vec<Entry>,
    /// How many there are without paging.
    pub total: i64,
}

/// Which picture.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// As large as it is kept, or small enough for a row.
    #[param(inline)]
    pub size: Option<PictureSize>,
    /// Which one is meant, as `imageUrl` has it.
    #[expect(dead_code, reason = "each picture has an address of its own; the record says which is shown")]
    pub v: Option<String>,
}
