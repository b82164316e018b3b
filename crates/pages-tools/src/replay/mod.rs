//! `/tools/services/replay`: what would have happened if orders had followed a policy. Replays past days
//! store by store with the actual sales; a policy decides each morning with what was known then.
//!
//! | file | what it does |
//! |---|---|
//! | `policies` | parameters of a policy, and how it orders |
//! | `items` | parameters of a root item in a store: pack, lead time and review period, limits, shelf life, cost |
//! | `past` | a store's past sales, receipts and stock per root item |
//! | `weekly` | forecasts by fitted methods, updated weekly |
//! | `play` | replays a store's root items on both processors |
//! | `sums` | totals of policies |
//! | `calculation` | the run, store by store |
//! | `answers` | results of a run, and the days of one root item |
//! | `estimate` | estimated duration of a run |
//! | `choose` | applies a policy as planning rule |

mod answers;
mod calculation;
mod choose;
mod estimate;
mod items;
mod model;
mod past;
mod play;
mod policies;
mod queries;
mod sums;
mod weekly;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::calculations::{Calculations, PAGE};
use larder_platform::http::{Routes, routes};

/// The page whose permission planning rules need.
const PLAN: &str = "dashboard/drpNew";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(estimate::estimate_replay))
        .can(PAGE, View, routes!(answers::get_replay_result))
        .can(PAGE, View, routes!(answers::get_replay_path))
        .can(
            PLAN,
            Edit,
            routes!(choose::choose_replay_policy).also("the run whose policy it is", &[(PAGE, View)]),
        )
}

/// Registers the replay.
#[must_use]
pub fn calculations(calculations: Calculations) -> Calculations {
    calculations.with::<calculation::Replay>()
}
