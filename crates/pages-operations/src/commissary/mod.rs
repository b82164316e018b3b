//! `/commissary`: production and deliveries of the commissaries, and returns to suppliers.

pub mod orders;

use larder_documents as documents;
use larder_documents::{productions, shipments, supplier_returns};
use larder_platform::AppState;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Delivery>(state)
        .merge(documents::routes::<productions::Production>(state))
        .merge(documents::routes::<supplier_returns::SupplierReturn>(state))
        .merge(orders::routes(state))
}
