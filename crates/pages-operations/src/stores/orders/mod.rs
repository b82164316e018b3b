//! `/stores/orders`: store orders. The document itself is [`larder_documents::orders`]; this is the order
//! guide.

mod guide;
mod model;
mod queries;

use larder_domain::Action;

use larder_documents as documents;
use larder_documents::orders;
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<orders::StoreOrder>(state).merge(Routes::new(state).can(
        orders::PAGE,
        Action::View,
        routes!(guide::get_order_guide),
    ))
}
