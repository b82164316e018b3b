//! `/tools/services/replay`: what would have happened if orders had followed a policy. Days that are over are played
//! again, store by store, with what was really sold; a policy decides each morning by what was known then.
//!
//! | file | what it does |
//! |---|---|
//! | `policies` | what is asked of a policy, and how it orders |
//! | `items` | what holds for a root item in a store: pack, lead and review days, limits, shelf life, cost |
//! | `past` | what a store sold, received and had of each root item |
//! | `weekly` | forecasts by fitted methods, made anew every week |
//! | `play` | plays a store's root items on both processors |
//! | `sums` | what policies come to |
//! | `service` | the run, store by store |
//! | `answers` | what a run came to, and the days of one root item |
//! | `estimate` | how long a run would take |
//! | `choose` | makes a policy the setting that plans go by |

mod answers;
mod choose;
mod estimate;
mod items;
mod model;
mod past;
mod play;
mod policies;
mod queries;
mod service;
mod sums;
mod weekly;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::services::{PAGE, Services};

/// The page whose rights the settings of plans ask for.
const PLAN: &str = "dashboard/drpNew";

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(estimate::estimate_replay))
        .can(PAGE, View, routes!(answers::get_replay_result))
        .can(PAGE, View, routes!(answers::get_replay_path))
        .can(PLAN, Edit, routes!(choose::choose_replay_policy))
}

/// The service of this page.
#[must_use]
pub fn services(services: Services) -> Services {
    services.with::<service::Replay>()
}
