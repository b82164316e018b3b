//! What this page asks the database, by theme. Its other files hold no SQL.

pub mod batches;
pub mod days;
pub mod findings;
pub mod layouts;
pub mod review;
pub mod unmapped;

pub(crate) use larder_ledgers::sales_names::queries as directory;
