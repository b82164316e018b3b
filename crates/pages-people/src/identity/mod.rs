//! Sign-in, sessions and «who am I», in the shapes of the Identity Toolkit's REST interface, so
//! that an unmodified client of that interface works against this server.

mod device;
pub mod envelope;
mod gate;
mod google;
mod me;
mod mfa;
pub mod model;
mod my_sessions;
mod proof;
mod reset;
mod session;
mod sign_in;
mod tokens;
mod totp;

pub use envelope::say_plainly;
pub use reset::job_kinds;

use larder_domain::Action;

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

/// The rights that open the apps.
const APPS: &[(&str, Action)] =
    &[("apps/backOffice", Action::View), ("apps/branchOps", Action::View), ("apps/storeCount", Action::View)];

/// Where clients of the hosted interface look for the routes of [`wire`].
pub const HOSTED: [&str; 2] = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com"];

/// The routes of the interface; also served under the names of [`HOSTED`].
#[must_use]
pub fn wire(state: &AppState) -> Routes {
    Routes::new(state)
        .public("nobody is signed in yet", routes!(sign_in::sign_in_with_password))
        .public("nobody is signed in yet", routes!(mfa::finalize_mfa_sign_in))
        .public("nobody is signed in yet", routes!(google::idp::sign_in_with_idp))
        .public("a refresh token is proof enough", routes!(tokens::refresh_tokens))
        .public("an ID token is proof enough", routes!(tokens::look_up_account))
        .public("who forgot the password cannot sign in", routes!(reset::send_reset_link))
        .public("the code of the link is proof enough", routes!(reset::reset_password))
        .public("what clients must know before they sign in", routes!(tokens::get_project))
        .public("keys that check ID tokens are no secret", routes!(tokens::list_keys))
}

/// The routes of this room.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    const OWN: &str = "everybody looks after their own account";
    wire(state)
        .public("the sign-in page shows it", routes!(session::get_sign_in))
        .public("nobody is signed in yet", routes!(google::start_google_sign_in))
        .public("the browser comes from Google's page", routes!(google::finish_google_sign_in))
        .public("signing out twice is no error", routes!(session::sign_out))
        .public("signing out twice is no error", routes!(session::close_session))
        .public("attestation comes before sign-in", routes!(device::make_device_nonce))
        .public("attestation comes before sign-in", routes!(device::attest_device))
        .own_account("everybody may know who they are", routes!(me::get_me).also("the apps that open", APPS))
        .own_account("an ID token opens a session of the same person", routes!(session::open_session))
        .own_account(OWN, routes!(session::reauthenticate))
        .own_account(OWN, routes!(session::make_session_token))
        .own_account(OWN, routes!(me::send_own_reset_link))
        .own_account(OWN, routes!(me::change_password))
        .own_account(OWN, routes!(me::put_notice_away))
        .own_account(OWN, routes!(my_sessions::list_my_sessions))
        .own_account(OWN, routes!(my_sessions::end_my_session))
        .own_account(OWN, routes!(my_sessions::end_my_other_sessions))
        .own_account_afresh(OWN, routes!(totp::begin_totp, totp::remove_totp))
        .own_account(OWN, routes!(totp::confirm_totp))
}
