//! `/dashboard`.

pub mod drp_new;
