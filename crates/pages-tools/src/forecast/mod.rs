//! Forecasts: the six services, their figures and series, manual overrides and events, accuracy, and an ad
//! hoc forecast.

mod accuracy;
mod evaluate;
mod events;
mod figures;
mod kinds;
mod model;
mod overrides;
mod run;
mod series;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::calculations::{Calculations, PAGE};
use larder_platform::http::{Routes, routes};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(figures::list_forecast_figures))
        .can(PAGE, View, routes!(figures::export_forecast_figures))
        .can(PAGE, View, routes!(series::get_forecast_series))
        .can(PAGE, View, routes!(evaluate::evaluate_forecast))
        .can(PAGE, View, routes!(accuracy::list_forecast_accuracy))
        .can(PAGE, View, routes!(accuracy::get_forecast_accuracy_series))
        .can(PAGE, View, routes!(overrides::list_forecast_overrides))
        .can(PAGE, Edit, routes!(overrides::create_forecast_override))
        .can(PAGE, Edit, routes!(overrides::update_forecast_override, overrides::delete_forecast_override))
        .can(PAGE, View, routes!(events::list_forecast_events))
        .can(PAGE, Edit, routes!(events::create_forecast_event))
        .can(PAGE, Edit, routes!(events::update_forecast_event, events::delete_forecast_event))
}

/// Registers the forecast services.
#[must_use]
pub fn calculations(calculations: Calculations) -> Calculations {
    calculations
        .with::<kinds::MovingAverage>()
        .with::<kinds::DailyMovingAverage>()
        .with::<kinds::W3pMovingAverage>()
        .with::<kinds::Monthly>()
        .with::<kinds::Weekly>()
        .with::<kinds::Advanced>()
}
