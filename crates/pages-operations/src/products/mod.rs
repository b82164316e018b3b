//! `/products`: products, their stock by place, and pictures.
//!
//! The records are an ordinary list ([`larder_lists::catalog`]); stock is read from the stock ledger and
//! adjusted through it; prices are looked up by day; pictures are scaled down before they are stored.

mod adjust;
mod barcodes;
mod model;
mod picture;
mod prices;
mod queries;
mod stock;

use larder_domain::Action::{Edit, View};

use larder_lists::catalog::Product;
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "products/products";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    engine::routes::<Product>(state)
        .can(PAGE, Edit, routes!(adjust::adjust_product))
        .can(PAGE, View, routes!(stock::get_product_stock))
        .can(PAGE, View, routes!(stock::list_product_movements))
        .can(PAGE, View, routes!(prices::list_product_prices))
        .any_role(
            "Names of products are visible to every role; codes are printed on their packs.",
            routes!(barcodes::list_product_barcodes),
        )
        .can(PAGE, Edit, routes!(picture::upload_product_picture))
        .can(PAGE, View, routes!(picture::get_product_picture))
        .can(PAGE, Edit, routes!(picture::delete_product_picture))
}
