//! Larder's rules: values in, values out. No IO, no async, no clock, no SQL.
//!
//! A module is named after its concept. Time, randomness and connections are passed in as values.

pub mod access;
pub mod account;
pub mod backdating;
pub mod barcode;
pub mod business_day;
pub mod cmsr;
pub mod count;
pub mod day_starts;
pub mod decimal;
pub mod delivery_calendar;
pub mod document;
pub mod holidays;
pub mod id;
mod in_force;
pub mod ledger;
pub mod mix;
pub mod netsuite;
pub mod occupancy;
pub mod on_hand;
pub mod opening_days;
mod plural;
pub mod prices;
pub mod production;
pub mod quantity;
pub mod replenishment;
pub mod sales;
pub mod sales_coverage;
pub mod schedule;
pub mod search_query;
pub mod sheet;
pub mod span;
pub mod tender;
pub mod till_day;
pub mod till_expectations;
pub mod timestamp;
pub mod units;
mod words;
mod worth;
pub mod zreading;

#[cfg(feature = "sql")]
mod sql;

pub use access::{Action, Permission, Permissions, StoreScope};
pub use business_day::BusinessDay;
pub use id::Id;
pub use plural::{plural, with_article};
pub use quantity::{Factor, Money, Qty};
pub use span::Span;
pub use timestamp::Timestamp;
pub use words::{UnknownWord, Word};
pub use worth::Worth;
