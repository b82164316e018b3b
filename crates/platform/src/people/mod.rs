//! Users: accounts, app users, roles and sessions. The only writer of their tables; sign-in, user management,
//! applications, the command line and the demo build on it.

pub mod accounts;
pub mod applications;
pub mod attestation;
pub mod authentication;
mod breached;
pub mod devices;
pub mod keys;
pub mod limits;
pub mod links;
pub mod lockout;
pub mod notices;
pub mod password;
pub mod person;
pub mod providers;
mod recorded;
pub mod refresh;
pub mod roles;
pub mod secret;
pub mod security;
pub mod session_cache;
mod session_ends;
mod session_lists;
pub mod sessions;
pub mod totp;
pub mod upkeep;
pub mod users;
pub mod visible_people;

/// The page of user accounts; its viewers may see addresses.
pub const USERS_PAGE: &str = "manageUsers/users";
