//! `/commissary`: what the kitchens make ready for stores.

use crate::AppState;
use crate::documents::{self, shipments};
use crate::http::guard::Routes;

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Delivery>(state)
}
