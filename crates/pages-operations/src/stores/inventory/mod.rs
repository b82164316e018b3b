//! `/stores/inventory`: a store's expected stock, its derivation, counts by day, and the count sheet.
//!
//! Nothing is stored here: `place_stock` computes stock from counts, movements and sales on each
//! request, so late documents and counts are always reflected.

mod grid;
mod ledger;
mod model;
mod on_hand;
mod queries;
mod rows;
mod sheet;

use larder_domain::Action::{Export, View};

use larder_platform::AppState;
use larder_platform::http::question::is_id;
use larder_platform::http::{ApiError, ApiResult, Routes, Who, routes};

const PAGE: &str = "stores/storeInventory";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(on_hand::list_store_inventory))
        .can(PAGE, Export, routes!(on_hand::export_store_inventory))
        .can(PAGE, View, routes!(ledger::get_inventory_ledger))
        .can(PAGE, Export, routes!(ledger::export_inventory_ledger))
        .can(PAGE, View, routes!(grid::get_count_grid))
        .can(PAGE, View, routes!(sheet::get_count_sheet))
}

/// The requested store: id, name and code.
async fn store(state: &AppState, who: &Who, id: Option<&str>) -> ApiResult<queries::Store> {
    let id = id.filter(|id| !id.is_empty()).ok_or_else(|| ApiError::field("storeId", "Choose a store."))?;
    who.check_store(id)?;
    let found = if is_id(id) { queries::store(&state.db, id).await? } else { None };
    found.ok_or_else(|| ApiError::not_found("store"))
}
