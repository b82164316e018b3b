//! What the page says on the wire.

mod batch;
mod day;
mod names;
mod review;

pub use crate::books::sales_names::Subject;
pub use batch::*;
pub use day::*;
pub use names::*;
pub use review::*;
