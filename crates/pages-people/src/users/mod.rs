//! `/users`: accounts, roles, sessions and access requests.
//!
//! | file | what it does |
//! |---|---|
//! | `people`, `draft`, `write` | list, read, create, change; validation; rules for writing |
//! | `grants`, `refusals` | limits on granting permissions; audit of refused attempts |
//! | `credentials`, `job` | temporary passwords, reset links, signing out, second factors |
//! | `bulk`, `import`, `sheet`, `export` | bulk changes, import and export |
//! | `roles`, `applications`, `sessions`, `activity` | the other tabs of the page |

mod activity;
mod applications;
mod bulk;
mod credentials;
mod draft;
mod export;
mod grants;
mod import;
mod job;
mod model;
mod people;
mod queries;
mod question;
mod refusals;
mod roles;
mod sessions;
mod sheet;
mod write;

use larder_domain::Action::{Approve, Create, Edit, Export, Import, View};
use tokio_util::sync::CancellationToken;

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;
use larder_platform::people::USERS_PAGE as PAGE;

const APPLICATIONS: &str = "manageUsers/applications";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(people::list_users))
        .can(PAGE, View, routes!(people::get_user))
        .can_afresh(PAGE, Create, routes!(people::create_user))
        .can_afresh(PAGE, Edit, routes!(people::update_user))
        .can(PAGE, Export, routes!(export::export_users))
        .can_afresh(PAGE, Import, routes!(import::import_users))
        .can_afresh(PAGE, Edit, routes!(bulk::change_users))
        .can_afresh(PAGE, Edit, routes!(credentials::make_temporary_password))
        .can_afresh(PAGE, Edit, routes!(credentials::make_reset_link))
        .can_afresh(PAGE, Edit, routes!(credentials::sign_user_out))
        .can_afresh(PAGE, Edit, routes!(credentials::end_user_session))
        .can_afresh(PAGE, Edit, routes!(credentials::remove_user_totp))
        .can(PAGE, View, routes!(sessions::list_user_sessions))
        .can(PAGE, View, routes!(sessions::list_sessions))
        .can(PAGE, View, routes!(activity::list_activity))
        .can(PAGE, View, routes!(roles::list_roles))
        .can(PAGE, View, routes!(roles::get_role))
        .can(PAGE, View, routes!(roles::list_role_users))
        .can_afresh(PAGE, Create, routes!(roles::create_role))
        .can_afresh(PAGE, Edit, routes!(roles::update_role))
        .any_role("the permission catalogue is the same for everyone", routes!(roles::list_permissions))
        .can(APPLICATIONS, View, routes!(applications::list_applications))
        .can_afresh(APPLICATIONS, Approve, routes!(applications::approve_application))
        .can_afresh(APPLICATIONS, Approve, routes!(applications::reject_application))
}

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with(job::KIND, job::run)
}

/// Deletes expired secrets, for as long as the server runs.
pub async fn tidy(state: AppState, stop: CancellationToken) {
    job::tidy(state, stop).await;
}
