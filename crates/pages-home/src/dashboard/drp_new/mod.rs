//! `/dashboard/drp-new`: the replenishment plan: what every store should order and why, projected stock-outs,
//! the resulting demand on commissaries, and the orders created from it.
//!
//! | file | what it does |
//! |---|---|
//! | `calculation` | the calculation, store by store |
//! | `plan` | the planner |
//! | `chosen` | which plan a query refers to |
//! | `lines`, `stores`, `heat` | a plan by line, by store, by day |
//! | `grid`, `kitchen` | a product over the next days; what a commissary has to make |
//! | `orders` | orders created from a plan |
//! | `settings` | planning rules |

mod calculation;
mod chosen;
mod grid;
mod heat;
mod kitchen;
mod lines;
mod model;
mod orders;
mod plan;
mod queries;
mod settings;
mod stores;

use larder_domain::Action::{Approve, Edit, Export, View};

use larder_platform::AppState;
use larder_platform::calculations::Calculations;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "dashboard/drpNew";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(lines::get_replenishment_plan))
        .can(PAGE, Export, routes!(lines::export_replenishment_plan))
        .can(PAGE, View, routes!(stores::list_plan_stores))
        .can(PAGE, View, routes!(heat::get_stock_outs))
        .can(PAGE, View, routes!(grid::get_plan_grid))
        .can(PAGE, View, routes!(kitchen::get_kitchen_plan))
        .can(PAGE, Approve, routes!(orders::make_plan_orders))
        .can(PAGE, View, routes!(settings::list_plan_settings))
        .can(PAGE, Edit, routes!(settings::set_plan_rule))
        .can(PAGE, Edit, routes!(settings::remove_plan_rule))
}

/// Registers the scheduled calculation of the plan.
#[must_use]
pub fn calculations(calculations: Calculations) -> Calculations {
    calculations.with::<calculation::ReplenishmentPlan>()
}
