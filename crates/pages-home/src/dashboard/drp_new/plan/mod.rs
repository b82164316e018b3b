//! The planner: from what is expected in a store and what lies there to what it should order, with every figure.
//!
//! | file | what it does |
//! |---|---|
//! | `forecasts` | what is expected: the one place where forecasts come from |
//! | `house` | what holds for all stores: products, rules, calendars, names |
//! | `position` | what a store has, gets and owes of each root item |
//! | `store` | a store's plan |
//! | `line` | a root item's need, as packs of its products |
//! | `room` | what does not fit into the store's storage comes off again |
//! | `told` | why a line advises what it does |

pub mod forecasts;
mod house;
mod line;
mod position;
mod room;
mod store;
mod told;

pub use forecasts::Forecasts;
pub use house::{Delivery, House, upwards};
pub use store::{Asked, Planned, plan};

use larder_domain::Qty;

/// Days ahead that a plan looks at, at least.
pub const AHEAD: usize = 28;
/// Days of the heat map and the grid.
pub const SHOWN: usize = 14;

/// A quantity as a plain number.
pub fn number(qty: Qty) -> f64 {
    qty.0 as f64 / 1e6
}

/// A plain number as a quantity, rounded to the millionth; past what can be kept, the most.
pub fn quantity(value: f64) -> Qty {
    Qty((value * 1e6).round() as i64)
}
