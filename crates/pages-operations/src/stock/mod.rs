//! `/api/stock`: lots and shipments in transit, across all places.

mod in_transit;
mod lots;
mod model;
mod queries;
mod recall;
mod trace;

use larder_domain::Action::{Approve, Edit, Export, View};

use larder_documents::{productions, receipts};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The products page, whose permission covers lots.
const PRODUCTS: &str = "products/products";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PRODUCTS, View, routes!(lots::list_lots))
        .can(PRODUCTS, View, routes!(trace::trace_lot))
        .can(PRODUCTS, Export, routes!(trace::export_lot_trace))
        .can(productions::PAGE, Approve, routes!(recall::recall_lot))
        .can(productions::PAGE, Approve, routes!(recall::release_lot))
        .any_role(
            "Lists stores for those who receive, kitchens also for those who change or recall what they make.",
            routes!(recall::list_recalls)
                .also("either of them: the recalls of stores", &[(receipts::PAGE, View), (receipts::PAGE, Edit)])
                .also(
                    "either of them: the recalls of other places",
                    &[(productions::PAGE, Edit), (productions::PAGE, Approve)],
                ),
        )
        .any_role(
            "A store answers with the right to receive, a kitchen with that to change or recall what it makes.",
            routes!(recall::answer_recall)
                .also("the answer of a store", &[(receipts::PAGE, Edit)])
                .also(
                    "either of them: the answer of another place",
                    &[(productions::PAGE, Edit), (productions::PAGE, Approve)],
                ),
        )
        .can(receipts::PAGE, View, routes!(in_transit::list_in_transit))
}
