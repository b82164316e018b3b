//! `/products`: the products, how much there is of them and where, and their pictures.
//!
//! The records are a list like the others ([`larder_lists::catalog`]); the stock is read from the stock book
//! and adjusted through it; pictures are made small before they are kept.

mod adjust;
mod model;
mod picture;
mod queries;
mod stock;

use larder_domain::Action::{Edit, View};

use larder_lists::catalog::Product;
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "products/products";

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    engine::routes::<Product>(state)
        .can(PAGE, Edit, routes!(adjust::adjust_product))
        .can(PAGE, View, routes!(stock::get_product_stock))
        .can(PAGE, View, routes!(stock::list_product_movements))
        .can(PAGE, Edit, routes!(picture::upload_product_picture))
        .can(PAGE, View, routes!(picture::get_product_picture))
        .can(PAGE, Edit, routes!(picture::delete_product_picture))
}
