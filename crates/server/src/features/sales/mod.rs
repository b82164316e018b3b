//! `/sales`.

pub mod z_reading;
