//! `/products`: the products, how much there is of them and where, and their pictures.
//!
//! The records are a list like the others ([`crate::lists::catalog`]); the stock is read from the stock book
//! and adjusted through it.

use crate::AppState;
use crate::http::Routes;
use crate::lists::catalog::Product;
use crate::lists::engine;

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    engine::routes::<Product>(state)
}
