//! `/tools/import-data`: any list from a file, in steps that can each be looked at and taken back.
//!
//! upload (what are these columns?) → mapping (job `importData.check`: what would every row do?) → commit
//! (job `importData.commit`: just that) → undo (job `importData.undo`). What a row does is decided in
//! [`plan`] without the database; what is written goes through the operations that every list has, so that its
//! rules, hooks and history hold for rows of files as for people's work.

mod batches;
mod fields;
mod import;
mod jobs;
mod layout;
mod lists;
mod model;
mod plan;
mod queries;
mod rows;
mod steps;
mod uploads;

use larder_domain::Action::{Import, View};

use import::{CHECK, COMMIT, DataImport, UNDO};
use larder_lists::imports::Import as _;
use larder_lists::imports::jobs::run;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;

const PAGE: &str = DataImport::PAGE;

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(lists::list_import_lists))
        .can(PAGE, Import, routes!(lists::get_import_template))
        .can(PAGE, Import, routes!(uploads::upload_import_file))
        .can(PAGE, View, routes!(batches::list_import_batches))
        .can(PAGE, View, routes!(batches::get_import_batch))
        .can(PAGE, Import, routes!(batches::delete_import_batch))
        .can(PAGE, Import, routes!(steps::map_import_batch))
        .can(PAGE, Import, routes!(steps::commit_import_batch))
        .can(PAGE, Import, routes!(steps::undo_import_batch))
        .can(PAGE, View, routes!(rows::list_import_rows))
        .can(PAGE, View, routes!(rows::export_import_errors))
}

/// The background work of this page.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds
        .with(CHECK.job, |ctx| run(ctx, &CHECK, jobs::check::check))
        .with(COMMIT.job, |ctx| run(ctx, &COMMIT, jobs::commit::commit))
        .with(UNDO.job, |ctx| run(ctx, &UNDO, jobs::undo::undo))
}
