//! SQL queries of this page; other files contain none.

pub mod rows;
