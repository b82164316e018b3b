//! `/dashboard/main`: the day at a glance. Tasks come from [`crate::tasks`]; sales and the stores of the
//! day are computed here.
//!
//! | file | what it does |
//! |---|---|
//! | `page` | the whole page in one response |
//! | `sales` | today and this week against last week, up to the same time of day |
//! | `day` | each store's day: sales and counts |
//! | `arrange` | the user's tiles and their order |
//! | `since` | changes since the last visit |
//! | `first_steps` | what a new group needs first, and what is done of it; the example group |
//! | `waiting` | all items of a tile |

mod arrange;
mod day;
mod first_steps;
mod model;
mod page;
mod queries;
mod sales;
mod since;
mod waiting;

use first_steps::EXAMPLE;
use larder_domain::Action::View;

use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// The page whose permission is required.
const PAGE: &str = "dashboard/home";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(page::get_home))
        .can(PAGE, View, routes!(first_steps::list_first_steps))
        .can(EXAMPLE.0, EXAMPLE.1, routes!(first_steps::load_example))
        .can(EXAMPLE.0, EXAMPLE.1, routes!(first_steps::discard_example))
        .can(PAGE, View, routes!(arrange::arrange_home))
        .can(PAGE, View, routes!(since::note_visit))
        .any_role(
            "Only lists tasks the caller may see. Notifications and emails link to it.",
            routes!(waiting::list_waiting),
        )
}
