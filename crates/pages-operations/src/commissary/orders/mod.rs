//! `/commissary/orders`: store orders to a commissary: allocation, production and delivery.

mod deliver;
mod matrix;
mod model;
mod queries;
mod share;
mod short;
mod to_make;

use larder_domain::Action::{Approve, Create, View};

use larder_documents::{productions, shipments};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(productions::PAGE, View, routes!(matrix::get_commissary_orders))
        .can(productions::PAGE, View, routes!(to_make::get_production_list))
        .can(productions::PAGE, View, routes!(short::list_short_lines))
        .can(productions::PAGE, Approve, routes!(share::share_commissary_orders))
        .can(shipments::PAGE, Create, routes!(deliver::make_commissary_deliveries))
}
