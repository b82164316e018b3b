//! Sign-in, sessions and «who am I», in the shapes of the Identity Toolkit's REST interface, so
//! that an unmodified client of that interface works against this server.

pub mod envelope;

pub mod model;

pub mod routes;

use utoipa_axum::routes;

use crate::AppState;
use crate::http::Routes;

/// The routes of this room.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .public("nobody is signed in yet", routes!(routes::sign_in_with_password))
        .public("nobody is signed in yet", routes!(routes::sign_in_with_password_prefixed))
        .public("keys that check ID tokens are no secret", routes!(routes::list_keys))
        .public("signing out twice is no error", routes!(routes::sign_out))
        .signed_in("everybody may know who they are", routes!(routes::get_me))
}
