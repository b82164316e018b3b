//! `/tools/services/zreading-ocr`: reads pictures of Z-readings into readings pending review.

mod job;
mod read;
mod sort_job;
mod unsorted;
mod uploads;

use larder_domain::Action::{Create, View};

use larder_ledgers::readings::{READ_JOB, SORT_JOB};
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;

const PAGE: &str = "tools/zReadingOcr";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(read::read_z_reading_picture))
        .can(PAGE, Create, routes!(uploads::upload_z_reading_pictures))
        .can(PAGE, View, routes!(unsorted::list_unsorted_pictures))
        .can(PAGE, View, routes!(unsorted::get_unsorted_picture))
        .can(PAGE, Create, routes!(unsorted::place_unsorted_picture))
        .can(PAGE, Create, routes!(unsorted::discard_unsorted_picture))
}

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with(READ_JOB, job::run).with(SORT_JOB, sort_job::run)
}
