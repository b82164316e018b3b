//! `/tools/import-data`: import of any list from a file, in steps that can be reviewed and undone.
//!
//! upload (detect columns) → mapping (job `importData.check`: what every row would do) → commit (job
//! `importData.commit`) → undo (job `importData.undo`). [`plan`] decides what a row does without the
//! database; writing uses the list engine's operations, so that rules, hooks and history apply to imported
//! rows as to manual changes.

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

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds
        .with(CHECK.job, |ctx| run(ctx, &CHECK, jobs::check::check))
        .with(COMMIT.job, |ctx| run(ctx, &COMMIT, jobs::commit::commit))
        .with(UNDO.job, |ctx| run(ctx, &UNDO, jobs::undo::undo))
}
