//! Lots and what is on its way, on the wire.

use larder_db::Json;
use larder_domain::ledger::PlaceKind;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::stock::trace::LotPlace;
use larder_platform::audit::Editor;

/// Which lots are asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LotsQuery {
    /// Of this product.
    pub product_id: Option<String>,
    /// That lie at such a place.
    #[param(inline)]
    pub place_kind: Option<PlaceKind>,
    /// That lie at this place.
    pub place_id: Option<String>,
    /// Whose last day is this one or earlier.
    #[param(value_type = Option<String>, format = Date)]
    pub expires_by: Option<String>,
    /// Only recalled ones.
    #[serde(default)]
    pub recalled: bool,
    /// Part of the code or of the product's name.
    pub q: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// At most 200, usually 50.
    pub page_size: Option<i64>,
}

/// A page of lots, those that expire first before the others.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotPage {
    pub items: Vec<LotItem>,
    pub total: i64,
    /// How many lie somewhere whose last day is within a week, or past.
    pub expires_soon: i64,
    /// How many recalled lots still lie somewhere.
    pub recalled: i64,
}

/// A lot.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotItem {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub lot: String,
    pub uom_code: Option<String>,
    /// The last day it may be used.
    pub expiry: Option<BusinessDay>,
    /// Days to that day; below nothing where it is past.
    pub days_left: Option<i64>,
    /// What lies everywhere within reach, in base units.
    pub qty: Qty,
    /// Where; at a store at most so much, since what was sold of it bears no lot.
    pub places: Vec<LotPlace>,
    pub first_seen: Timestamp,
    pub recalled_at: Option<Timestamp>,
    pub recall_reason: Option<String>,
}

/// Of which product, where several have a lot of the same code.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TraceQuery {
    pub product_id: Option<String>,
    /// Of a file: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// What is recalled, and why.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallLot {
    pub product_id: String,
    pub reason: String,
}

/// What is released again, and why.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReleaseLot {
    pub product_id: String,
    pub reason: String,
}

/// A lot that was recalled or released, and who was told.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecalledLot {
    pub product_id: String,
    pub lot: String,
    /// The stores where something of it lies or is on its way.
    pub store_ids: Vec<String>,
}

/// Of which store.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OfStore {
    pub store_id: Option<String>,
}

/// Of which store, and which page.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RecallsQuery {
    pub store_id: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// At most 500, which is usual.
    pub page_size: Option<i64>,
}

/// Recalled lots, place by place.
#[derive(Debug, Serialize, ToSchema)]
pub struct Recalls {
    pub items: Vec<Recall>,
    /// How many there are on all pages.
    pub total: usize,
}

/// A recalled lot at a place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recall {
    /// The store where it lies or that it is on its way to; none for a kitchen or a warehouse.
    pub store_id: Option<String>,
    pub place_kind: PlaceKind,
    /// In words: also «On its way to …».
    pub place_name: String,
    pub product_id: String,
    pub name: String,
    pub lot: String,
    /// At most so much lies there, in base units.
    pub qty: Qty,
    pub uom_id: Option<String>,
    pub uom_code: Option<String>,
    pub reason: Option<String>,
    pub recalled_at: Timestamp,
    #[schema(value_type = Option<Editor>)]
    pub recalled_by: Option<Json<Editor>>,
}

/// What is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct InTransit {
    pub items: Vec<InTransitItem>,
    /// How many were to arrive before today.
    pub late: usize,
}

/// A delivery or a transfer on its way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InTransitItem {
    pub id: String,
    /// `delivery` or `transfer`.
    pub kind: String,
    pub number: String,
    /// `dispatched` or `partiallyReceived`.
    pub status: String,
    pub store_id: String,
    pub store_name: Option<String>,
    pub source_name: Option<String>,
    pub dispatched_at: Option<Timestamp>,
    pub planned_date: BusinessDay,
    /// Days since it was to arrive; nothing where it is not late.
    pub days_late: i64,
    pub lines: Vec<InTransitLine>,
}

/// What is on its way of a line, in its unit.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct InTransitLine {
    #[serde(skip)]
    pub document_id: String,
    pub product_id: String,
    pub name: String,
    pub qty: Qty,
    pub uom_code: String,
    pub lot: Option<String>,
    pub expiry: Option<BusinessDay>,
}
