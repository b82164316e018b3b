//! `/sales/z-reading`: end-of-day readings of tills, from picture to reconciliation.

mod absences;
mod calendar;
mod chain;
mod list;
mod model;
mod one;
mod picture;
mod steps;
mod terminals;

use larder_domain::Action::{Approve, Create, Edit, Export, Override, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "sales/zReading";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(list::list_z_readings))
        .can(PAGE, Export, routes!(list::export_z_readings))
        .can(PAGE, View, routes!(chain::get_z_reading_chain))
        .can(PAGE, View, routes!(calendar::get_z_reading_calendar))
        .can(PAGE, Override, routes!(absences::set_z_absence))
        .can(PAGE, Override, routes!(absences::delete_z_absence))
        .can(PAGE, View, routes!(terminals::list_z_terminals))
        .can(PAGE, Edit, routes!(terminals::set_z_terminal))
        .can(PAGE, Edit, routes!(terminals::teach_z_terminal))
        .can(PAGE, Create, routes!(picture::upload_z_reading_picture))
        .can(PAGE, Create, routes!(one::create_z_reading))
        .can(PAGE, View, routes!(one::get_z_reading))
        .can(PAGE, Edit, routes!(one::update_z_reading))
        .can(PAGE, View, routes!(picture::get_z_reading_picture))
        .can(PAGE, Edit, routes!(steps::read_z_reading_again))
        .can(PAGE, Approve, routes!(steps::verify_z_reading))
        .can(PAGE, Edit, routes!(steps::dispute_z_reading))
        .can(PAGE, Approve, routes!(steps::reconcile_z_reading))
        .can(PAGE, Approve, routes!(steps::reopen_z_reading))
        .can(PAGE, Edit, routes!(steps::discard_z_reading))
}
