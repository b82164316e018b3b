//! What the page says on the wire.

mod batch;
mod day;
mod names;
mod review;

pub use batch::*;
pub use day::*;
pub use names::*;
pub use review::*;
