//! SQL queries of this page by topic; other files contain none.

pub mod batches;
pub mod days;
pub mod findings;
pub mod layouts;
pub mod review;
pub mod unmapped;

pub use larder_ledgers::sales_names::queries as directory;
