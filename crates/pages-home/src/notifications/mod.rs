//! The notification bell: a user's open tasks, which of them were read, notification settings, and an
//! optional daily digest email.
//!
//! | file | what it does |
//! |---|---|
//! | `list` | open tasks, and marking them as read |
//! | `settings` | which types a user is notified of, and whether by email |
//! | `digest` | the daily digest |

mod digest;
mod list;
mod model;
mod queries;
mod settings;

pub use digest::follow;
pub use digest::send_due;

use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;

/// No page permission: each task type checks its own.
const OWN: &str = "Only returns tasks the caller may see, in accessible stores.";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role(OWN, routes!(list::list_notifications))
        .any_role(OWN, routes!(list::read_notifications))
        .any_role(OWN, routes!(settings::get_notification_settings, settings::set_notification_settings))
}
