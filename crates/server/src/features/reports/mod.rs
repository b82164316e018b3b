//! `/reports`: questions to the sales book and to the counts. Every report takes a range of business dates and stores;
//! those of sales read kept sums only, and say what each figure is made of.

mod breakdown;
mod count_compliance;
mod count_people;
mod count_queries;
mod count_variance;
mod product_sales_by_store;
mod queries;
mod question;
mod sales_by_root_items;
mod weekly_root_item_sales;

use larder_domain::Action;

use crate::AppState;
use crate::http::{Routes, routes};

const PAGE: &str = "reports/reports";

/// The routes of these pages.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    use {
        product_sales_by_store as by_store, sales_by_root_items as by_root, weekly_root_item_sales as weekly,
    };
    Routes::new(state)
        .can(PAGE, Action::View, routes!(weekly::weekly_root_item_sales))
        .can(PAGE, Action::Export, routes!(weekly::export_weekly_root_item_sales))
        .can(PAGE, Action::View, routes!(by_store::product_sales_by_store))
        .can(PAGE, Action::Export, routes!(by_store::export_product_sales_by_store))
        .can(PAGE, Action::View, routes!(by_root::sales_by_root_items))
        .can(PAGE, Action::Export, routes!(by_root::export_sales_by_root_items))
        .can(PAGE, Action::View, routes!(breakdown::list_breakdown))
        .can(PAGE, Action::View, routes!(count_compliance::count_compliance))
        .can(PAGE, Action::Export, routes!(count_compliance::export_count_compliance))
        .can(PAGE, Action::View, routes!(count_variance::count_variance))
        .can(PAGE, Action::Export, routes!(count_variance::export_count_variance))
        .can(PAGE, Action::View, routes!(count_people::count_people))
        .can(PAGE, Action::Export, routes!(count_people::export_count_people))
}
