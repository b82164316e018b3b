//! `/stores/receive`: what stores take in. The document itself is [`crate::documents::receipts`]; here is what a store is to
//! expect.

mod expected;

use larder_domain::Action;

use crate::AppState;
use crate::documents::{self, receipts};
use crate::http::erased::routes;
use crate::http::guard::Routes;

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<receipts::Receipt>(state).merge(Routes::new(state).can(
        receipts::PAGE,
        Action::View,
        routes!(expected::list_expected_deliveries),
    ))
}
