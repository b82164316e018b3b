//! Documents: a header, lines, a state, and steps between states. The life cycle is a value, so that every pair of
//! state and step can be tested.

pub mod batch;
pub mod flow;
pub mod kind;
pub mod order;
pub mod quantity;
pub mod receipt;
pub mod share;
pub mod shipment;
pub mod standing;
pub mod stock_take;
pub mod supplier_return;
pub mod waste;

pub use flow::{Flow, Refused, Stage, State, Step};
pub use kind::{Declaration, DocumentKind};
