//! `/commissary`: production and deliveries of the commissaries, returns to suppliers, and stock-takes.

pub mod orders;

use larder_documents as documents;
use larder_documents::{productions, shipments, stock_takes, supplier_returns};
use larder_platform::AppState;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Delivery>(state)
        .merge(documents::routes::<productions::Production>(state))
        .merge(documents::routes::<supplier_returns::SupplierReturn>(state))
        .merge(documents::routes::<stock_takes::StockTake>(state))
        .merge(stock_takes::routes(state))
        .merge(orders::routes(state))
}
