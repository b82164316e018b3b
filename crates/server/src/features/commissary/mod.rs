//! `/commissary`: what the kitchens make, and make ready for stores.

pub mod orders;

use crate::AppState;
use crate::documents::{self, productions, shipments};
use crate::http::guard::Routes;

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Delivery>(state)
        .merge(documents::routes::<productions::Production>(state))
        .merge(orders::routes(state))
}
