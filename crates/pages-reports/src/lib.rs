//! `/reports`: reports on the sales ledger and on counts, each defined for the engine in `larder_engines::reports`.
//! Sales reports read stored sums only, and can break each figure down.

mod breakdown;
mod count_compliance;
mod count_people;
mod count_queries;
mod count_variance;
pub mod custom;
mod food_cost;
mod food_parts;
mod movement_parts;
mod movement_rows;
mod occupancy;
mod person_counts;
mod product_sales_by_store;
mod queries;
mod root_item_movement_by_store;
mod root_item_weekly_snapshot;
mod sales_by_root_items;
mod sales_comparison;
mod sales_terminal;
mod score_parts;
mod smbcd;
mod store_queries;
mod store_rows;
mod store_scorecard;
mod weekly_root_item_sales;

use larder_domain::Action;

use larder_engines::reports::{PAGE, routes as report};
use larder_platform::AppState;
use larder_platform::http::Routes;
use larder_platform::http::routes as handlers;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(report::<weekly_root_item_sales::WeeklyRootItemSales>(state))
        .merge(report::<product_sales_by_store::ProductSalesByStore>(state))
        .merge(report::<sales_by_root_items::SalesByRootItems>(state))
        .merge(report::<smbcd::Smbcd>(state))
        .merge(report::<sales_terminal::SalesTerminal>(state))
        .can(PAGE, Action::View, handlers!(breakdown::list_breakdown))
        .merge(report::<root_item_movement_by_store::RootItemMovementByStore>(state))
        .can(PAGE, Action::View, handlers!(movement_parts::list_movement_parts))
        .merge(report::<root_item_weekly_snapshot::RootItemWeeklySnapshot>(state))
        .merge(report::<count_compliance::CountComplianceReport>(state))
        .merge(report::<count_variance::CountVarianceReport>(state))
        .merge(report::<count_people::CountPeopleReport>(state))
        .can(PAGE, Action::View, handlers!(person_counts::list_person_counts))
        .merge(report::<sales_comparison::SalesComparisonReport>(state))
        .merge(report::<food_cost::FoodCostReport>(state))
        .merge(report::<occupancy::OccupancyReport>(state))
        .merge(report::<store_scorecard::StoreScorecard>(state))
        .merge(custom::routes(state))
}
