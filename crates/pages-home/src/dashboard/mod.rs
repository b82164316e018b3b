//! `/dashboard`.

pub mod drp_new;
pub mod main;
