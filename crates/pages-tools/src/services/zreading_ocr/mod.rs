//! `/tools/services/zreading-ocr`: reads pictures of Z-readings into readings pending review.

mod job;
mod read;
mod uploads;

use larder_domain::Action::{Create, View};

use larder_ledgers::readings::READ_JOB;
use larder_platform::AppState;
use larder_platform::http::{Routes, routes};
use larder_platform::jobs::JobKinds;

const PAGE: &str = "tools/zReadingOcr";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, View, routes!(read::read_z_reading_picture)).can(
        PAGE,
        Create,
        routes!(uploads::upload_z_reading_pictures),
    )
}

/// Background jobs.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with(READ_JOB, job::run)
}
