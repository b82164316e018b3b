//! The bell of the top bar: what waits for somebody, what they have read of it, what they want to be told, and a letter a
//! day to those who ask for one.
//!
//! | file | what it does |
//! |---|---|
//! | `list` | what waits, and marking it read |
//! | `settings` | which kinds somebody is told of, and whether by mail |
//! | `digest` | the daily letter |

mod digest;
mod list;
mod model;
mod queries;
mod settings;

pub use digest::follow;
pub use digest::send_due;

use larder_platform::AppState;
use larder_platform::http::erased::routes;
use larder_platform::http::guard::Routes;

/// Everybody's own; each kind asks for its right.
const OWN: &str = "Tells only of what whoever asks may see, in stores within reach.";

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role(OWN, routes!(list::list_notifications))
        .any_role(OWN, routes!(list::read_notifications))
        .any_role(OWN, routes!(settings::get_notification_settings, settings::set_notification_settings))
}
