//! `/tools/import-sales-product`: imports a till's file into store-days, in four reviewable steps.
//!
//! upload (detect the layout) → mapping (meaning of columns; job `sales.validate`) → resolve (match stores
//! and items) → post (job `sales.post`; `sales.revert` undoes it). Daily quantities of root items
//! (`/root-item-qty`) use the same steps; their items are root items. Also: posted store-days and their
//! corrections, tills, and unmapped names.

mod answers;
mod batches;
mod days;
mod duplicates;
mod existing;
mod import;
mod ingest;
mod jobs;
mod kept_days;
mod layout;
mod memory;
mod midnight;
mod model;
mod problems;
mod queries;
mod questions;
mod reading;
mod resolve;
mod review;
mod sayings;
mod steps;
mod summary;
mod tickets;
mod unmapped;
mod uploads;

use larder_domain::Action::{Edit, Import, View};

pub use duplicates::settle_duplicates;
pub use tickets::count_tickets;

use import::{POST, REVERT, SalesImport, VALIDATE};
use larder_lists::imports::Import as _;
use larder_lists::imports::jobs::run;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;

const PAGE: &str = SalesImport::PAGE;
/// For records and the terminal summary.
const NO_GUARD: &str = "Viewing needs no permission: every signed-in user sees their accessible stores.";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, Import, routes!(uploads::upload_sales_file))
        .can(PAGE, Import, routes!(uploads::upload_root_item_qty))
        .can(PAGE, View, routes!(batches::list_root_item_qty_batches))
        .signed_in(NO_GUARD, routes!(batches::list_sales_batches))
        .can(PAGE, View, routes!(batches::get_sales_batch))
        .can(PAGE, Import, routes!(batches::delete_sales_batch))
        .can(PAGE, Import, routes!(steps::map_sales_batch))
        .can(PAGE, Import, routes!(steps::post_sales_batch))
        .can(PAGE, Import, routes!(steps::revert_sales_batch))
        .can(PAGE, View, routes!(problems::list_sales_problems))
        .can(PAGE, View, routes!(problems::export_sales_problems))
        .can(PAGE, View, routes!(problems::list_sales_left_out))
        .can(PAGE, View, routes!(resolve::list_sales_unknowns))
        .can(PAGE, Import, routes!(resolve::resolve_sales_unknowns))
        .can(PAGE, View, routes!(review::get_sales_coverage))
        .signed_in(NO_GUARD, routes!(review::get_terminal_summary))
        .can(PAGE, View, routes!(unmapped::list_unmapped_sales_items))
        .can(PAGE, Edit, routes!(resolve::resolve_unmapped_sales_items))
        .can(PAGE, View, routes!(days::get_sales_day))
        .can(PAGE, Edit, routes!(days::correct_sales_lines))
        .merge(ingest::routes(state))
}

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds
        .with(VALIDATE.job, |ctx| run(ctx, &VALIDATE, jobs::validate::validate))
        .with(POST.job, |ctx| run(ctx, &POST, jobs::post::post))
        .with(REVERT.job, |ctx| run(ctx, &REVERT, jobs::revert::revert))
        .with("sales.map", jobs::map::run)
}
