//! `/dashboard/main`: the day at a glance. What waits comes from [`crate::waiting`]; sales and the stores of the day are
//! its own.
//!
//! | file | what it does |
//! |---|---|
//! | `page` | the whole page in one answer |
//! | `sales` | today and this week against last, until the same time of day |
//! | `day` | each store's day: sold, counted |
//! | `arrange` | which tiles somebody sees, in which order |
//! | `since` | what changed since they were last here |

mod arrange;
mod day;
mod model;
mod page;
mod queries;
mod sales;
mod since;

use larder_domain::Action::View;

use larder_platform::AppState;
use larder_platform::http::erased::routes;
use larder_platform::http::guard::Routes;

/// The page's right.
const PAGE: &str = "dashboard/home";

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(page::get_home))
        .can(PAGE, View, routes!(arrange::arrange_home))
        .can(PAGE, View, routes!(since::note_visit))
}
