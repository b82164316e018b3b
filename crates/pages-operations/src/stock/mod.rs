//! `/api/stock`: lots and what is on its way, across all places.

mod in_transit;
mod lots;
mod model;
mod queries;
mod recall;
mod trace;

use larder_domain::Action::{Approve, Export, View};

use larder_documents::{productions, receipts};
use larder_platform::AppState;
use larder_platform::http::erased::routes;
use larder_platform::http::guard::Routes;

/// The page of products; lots belong to it.
const PRODUCTS: &str = "products/products";

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PRODUCTS, View, routes!(lots::list_lots))
        .can(PRODUCTS, View, routes!(trace::trace_lot))
        .can(PRODUCTS, Export, routes!(trace::export_lot_trace))
        .can(productions::PAGE, Approve, routes!(recall::recall_lot))
        .can(productions::PAGE, Approve, routes!(recall::release_lot))
        .can(receipts::PAGE, View, routes!(recall::list_recalls))
        .can(receipts::PAGE, View, routes!(in_transit::list_in_transit))
}
