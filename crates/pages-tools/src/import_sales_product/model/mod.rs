//! Requests and responses of the sales import.

mod batch;
mod day;
mod existing;
mod names;
mod review;

pub use batch::*;
pub use day::*;
pub use existing::*;
pub use larder_ledgers::sales_names::Subject;
pub use names::*;
pub use review::*;
