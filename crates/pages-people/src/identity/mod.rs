//! Sign-in, sessions and the current user, compatible with the Identity Toolkit's REST interface: an
//! unmodified client of that interface works against this server.

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

/// The permissions that open the apps.
const APPS: &[(&str, Action)] =
    &[("apps/backOffice", Action::View), ("apps/branchOps", Action::View), ("apps/storeCount", Action::View)];

/// Prefixes where clients of the hosted interface expect the routes of [`wire`].
pub const HOSTED: [&str; 2] = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com"];

/// The interface's routes; also served under [`HOSTED`].
#[must_use]
pub fn wire(state: &AppState) -> Routes {
    Routes::new(state)
        .public("used to sign in", routes!(sign_in::sign_in_with_password))
        .public("used to sign in", routes!(mfa::finalize_mfa_sign_in))
        .public("used to sign in", routes!(google::idp::sign_in_with_idp))
        .public("authenticated by the refresh token", routes!(tokens::refresh_tokens))
        .public("authenticated by the ID token", routes!(tokens::look_up_account))
        .public("used when the password is forgotten", routes!(reset::send_reset_link))
        .public("authenticated by the link's code", routes!(reset::reset_password))
        .public("clients need it before sign-in", routes!(tokens::get_project))
        .public("public keys for verifying ID tokens", routes!(tokens::list_keys))
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    const OWN: &str = "users manage their own account";
    wire(state)
        .public("shown on the sign-in page", routes!(session::get_sign_in))
        .public("used to sign in", routes!(google::start_google_sign_in))
        .public("the redirect from Google carries no session", routes!(google::finish_google_sign_in))
        .public("signing out twice is not an error", routes!(session::sign_out))
        .public("signing out twice is not an error", routes!(session::close_session))
        .public("attestation precedes sign-in", routes!(device::make_device_nonce))
        .public("attestation precedes sign-in", routes!(device::attest_device))
        .own_account("users may read their own account", routes!(me::get_me).also("the apps that open", APPS))
        .own_account("an ID token opens a session of the same user", routes!(session::open_session))
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
