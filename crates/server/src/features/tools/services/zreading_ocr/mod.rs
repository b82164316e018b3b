//! `/tools/services/zreading-ocr`: pictures of Z-readings into readings that wait for review.

mod job;
mod read;
mod uploads;

use larder_domain::Action::{Create, View};

use crate::AppState;
use crate::books::readings::READ_JOB;
use crate::http::{Routes, routes};
use crate::jobs::JobKinds;

const PAGE: &str = "tools/zReadingOcr";

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can(PAGE, View, routes!(read::read_z_reading_picture)).can(
        PAGE,
        Create,
        routes!(uploads::upload_z_reading_pictures),
    )
}

/// The work that reads pictures.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with(READ_JOB, job::run)
}
