//! The pages under `/sales`.

pub mod z_reading;
pub mod z_reading_pictures;
