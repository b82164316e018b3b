//! `/stores`: features of a store.

pub mod count;
pub mod day_starts;
pub mod delivery_calendar;
pub mod inventory;
pub mod leases;
pub mod locations;
mod marks;
pub mod opening_days;
pub mod orders;
pub mod receive;
pub mod setup;
pub mod transactions;

use larder_platform::AppState;
use larder_platform::http::guard::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    locations::routes(state)
        .merge(count::routes(state))
        .merge(inventory::routes(state))
        .merge(leases::routes(state))
        .merge(orders::routes(state))
        .merge(delivery_calendar::routes(state))
        .merge(opening_days::routes(state))
        .merge(day_starts::routes(state))
        .merge(receive::routes(state))
        .merge(setup::routes(state))
        .merge(transactions::routes(state))
}
