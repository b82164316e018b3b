//! The planner: from a store's expected demand and stock to what it should order, with every figure.
//!
//! | file | what it does |
//! |---|---|
//! | `forecasts` | expected demand: the only source of forecasts |
//! | `context` | data shared by all stores: products, rules, calendars, names |
//! | `position` | a store's stock, arrivals and commitments per root item |
//! | `store` | a store's plan |
//! | `line` | a root item's requirement, as packs of its products |
//! | `storage_fit` | reduces orders that exceed the store's storage |
//! | `explanation` | explains each suggestion |

mod context;
mod explanation;
pub mod forecasts;
mod line;
mod position;
mod storage_fit;
mod store;

pub use context::{Delivery, PlanContext, upwards};
pub use forecasts::Forecasts;
pub use position::Besides;
pub use store::{PlanInput, Planned, plan};

use larder_domain::Qty;

/// Minimum planning horizon, in days.
pub const AHEAD: usize = 28;
/// Maximum number of days without sales that are estimated.
const MOST_ESTIMATED: usize = 14;
/// Days shown in the heat map and the grid.
pub const SHOWN: usize = 14;

/// A quantity as a float.
pub fn number(qty: Qty) -> f64 {
    qty.0 as f64 / 1e6
}

/// A float as a quantity, rounded to six decimals; saturates at the limits of a quantity.
pub fn quantity(value: f64) -> Qty {
    Qty((value * 1e6).round() as i64)
}
