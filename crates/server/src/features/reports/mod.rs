//! `/reports`: questions to the sales book and to the counts, each a declaration of the engine in `crate::reports`.
//! Those of sales read kept sums only, and say what each figure is made of.

mod breakdown;
mod count_compliance;
mod count_people;
mod count_queries;
mod count_variance;
pub mod custom;
mod movement_parts;
mod movement_rows;
mod product_sales_by_store;
mod queries;
mod root_item_movement_by_store;
mod root_item_weekly_snapshot;
mod sales_by_root_items;
mod smbcd;
mod weekly_root_item_sales;

use larder_domain::Action;

use crate::AppState;
use crate::http::Routes;
use crate::http::routes as handlers;
use crate::reports::{PAGE, routes as report};

/// The routes of these pages.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(report::<weekly_root_item_sales::WeeklyRootItemSales>(state))
        .merge(report::<product_sales_by_store::ProductSalesByStore>(state))
        .merge(report::<sales_by_root_items::SalesByRootItems>(state))
        .merge(report::<smbcd::Smbcd>(state))
        .can(PAGE, Action::View, handlers!(breakdown::list_breakdown))
        .merge(report::<root_item_movement_by_store::RootItemMovementByStore>(state))
        .can(PAGE, Action::View, handlers!(movement_parts::list_movement_parts))
        .merge(report::<root_item_weekly_snapshot::RootItemWeeklySnapshot>(state))
        .merge(report::<count_compliance::CountComplianceReport>(state))
        .merge(report::<count_variance::CountVarianceReport>(state))
        .merge(report::<count_people::CountPeopleReport>(state))
        .merge(custom::routes(state))
}
