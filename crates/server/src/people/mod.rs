//! People: accounts, app users, roles and sessions. The only writer of their tables; sign-in, user
//! management and applications stand on it, and so do the command line and the demo.

pub mod accounts;
pub mod keys;
pub mod password;
pub mod roles;
pub mod sessions;
pub mod users;
