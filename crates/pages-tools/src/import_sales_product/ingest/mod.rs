//! `/tools/import-sales-product/ingest`: sales pushed by tills, and their keys.

mod keys;
mod queries;
mod take;

use larder_domain::Action::{Import, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = super::PAGE;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .public("authenticated by the till's push key", routes!(take::ingest_sales))
        .can(PAGE, View, routes!(keys::list_push_keys))
        .can(PAGE, Import, routes!(keys::create_push_key))
        .can(PAGE, Import, routes!(keys::revoke_push_key))
}
