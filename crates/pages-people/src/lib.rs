//! The pages of accounts: `/users`, sign-in, requests for access and the first start.

pub mod apply;
pub mod first_start;
pub mod identity;
pub mod users;
