//! Lots and shipments in transit: requests and responses.

use larder_db::Json;
use larder_domain::ledger::PlaceKind;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::place_stock::LotPlace;
use larder_ledgers::stock::trace::{TraceEvent, TracedLot};
use larder_platform::audit::Editor;

/// Query parameters of lots.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LotsQuery {
    /// Product.
    pub product_id: Option<String>,
    /// In stock at this type of place.
    #[param(inline)]
    pub place_kind: Option<PlaceKind>,
    /// In stock at this place.
    pub place_id: Option<String>,
    /// Expiring on this day or earlier.
    #[param(value_type = Option<String>, format = Date)]
    pub expires_by: Option<String>,
    /// Only recalled lots that a place may still have and has not answered about.
    #[serde(default)]
    pub recalled: bool,
    /// Part of the lot code or product name.
    pub q: Option<String>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, at most 200; default 50.
    pub page_size: Option<i64>,
}

/// A page of lots, earliest expiry first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotPage {
    pub items: Vec<LotItem>,
    pub total: i64,
    /// Number of lots in stock that expire within a week or have expired. One that was likely used up is not in stock.
    pub expires_soon: i64,
    /// Number of recalled lots that a place may still have and has not answered about.
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
    /// Last day of use.
    pub expiry: Option<BusinessDay>,
    /// Days until expiry; negative if expired.
    pub days_left: Option<i64>,
    /// Likely stock at all accessible places, in base units.
    pub qty: Qty,
    /// The places where it is; at stores what is likely there, because sales are not recorded by lot. Of a recalled lot also
    /// the stores that may have some.
    pub places: Vec<LotPlace>,
    pub first_seen: Timestamp,
    pub recalled_at: Option<Timestamp>,
    pub recall_reason: Option<String>,
}

/// Query parameters: the product, if several have a lot of the same code.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TraceQuery {
    pub product_id: Option<String>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A lot from its origin to its whereabouts.
#[derive(Debug, Serialize, ToSchema)]
pub struct LotTrace {
    pub lot: String,
    /// The requested lot first, then its ingredients and the lots made of it.
    pub lots: Vec<TracedLot>,
    /// Oldest first.
    pub events: Vec<TraceEvent>,
    pub there: Vec<LotPlace>,
    /// Whether the result was truncated.
    pub cut: bool,
}

/// Recall of a lot, with the reason.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallLot {
    pub product_id: String,
    pub reason: String,
}

/// Release of a lot, with the reason.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReleaseLot {
    pub product_id: String,
    pub reason: String,
}

/// A recalled or released lot, and the stores notified.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecalledLot {
    pub product_id: String,
    pub lot: String,
    /// Stores that have it in stock or in transit.
    pub store_ids: Vec<String>,
}

/// What a place found of a recalled lot.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallAnswer {
    pub product_id: String,
    pub lot: String,
    /// A store, commissary, warehouse or cold storage, or what is on its way to a store.
    pub place_kind: PlaceKind,
    pub place_id: String,
    /// In base units; 0 if nothing was found.
    pub found: Qty,
    #[serde(default)]
    pub note: Option<String>,
}

/// Query parameters: the store.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OfStore {
    pub store_id: Option<String>,
}

/// Query parameters: store and page.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RecallsQuery {
    pub store_id: Option<String>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, at most and by default 500.
    pub page_size: Option<i64>,
}

/// Recalled lots by place.
#[derive(Debug, Serialize, ToSchema)]
pub struct Recalls {
    pub items: Vec<Recall>,
    /// Number on all pages.
    pub total: usize,
}

/// A recalled lot at a place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recall {
    /// The store that has it or is to receive it; null for a commissary or warehouse.
    pub store_id: Option<String>,
    pub place_kind: PlaceKind,
    pub place_id: String,
    /// As text; also «On its way to …».
    pub place_name: String,
    pub product_id: String,
    pub name: String,
    pub lot: String,
    /// The likely quantity.
    pub qty: Qty,
    /// What is likely there, in base units, even if that is nothing; exact at places that keep a balance.
    pub likely: Qty,
    pub at_least: Qty,
    pub at_most: Qty,
    /// What came, and what left by documents.
    pub came: Qty,
    pub left: Qty,
    /// What came less what left, by documents.
    pub came_less_left: Qty,
    pub uom_id: Option<String>,
    pub uom_code: Option<String>,
    pub reason: Option<String>,
    pub recalled_at: Timestamp,
    #[schema(value_type = Option<Editor>)]
    pub recalled_by: Option<Json<Editor>>,
}

/// Shipments in transit.
#[derive(Debug, Serialize, ToSchema)]
pub struct InTransit {
    pub items: Vec<InTransitItem>,
    /// Number of overdue shipments.
    pub late: usize,
}

/// A delivery or transfer in transit.
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
    /// Days overdue; 0 if not late.
    pub days_late: i64,
    /// Whether everything is received, and what becomes of the difference is still to be said.
    pub undecided: bool,
    pub lines: Vec<InTransitLine>,
}

/// The quantity in transit on a line, in its unit.
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
