//! The pages under `/dashboard`.

pub mod drp_new;
mod first_steps;
pub mod home;
mod home_of_two;
mod home_sales;
mod late;
mod open_days;
mod since;
