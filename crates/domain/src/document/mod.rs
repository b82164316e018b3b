//! Documents: a head, lines, a state, steps from state to state. What a document may do next is a value, so that every
//! pair of state and step can be tried.

pub mod batch;
pub mod flow;
pub mod order;
pub mod quantity;
pub mod receipt;
pub mod share;
pub mod shipment;
pub mod waste;

pub use flow::{Flow, Refused, State, Step};
