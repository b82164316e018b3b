//! Renders the pages of a PDF with poppler's pdftoppm, limited in time, memory, pages and size.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::Duration;

use axum::http::StatusCode;
use bytes::Bytes;
use tokio::process::Command;

use super::Turn;
use larder_platform::http::{ApiError, ApiResult};

/// The most pages read per file.
pub const MOST_PAGES: usize = 10;
/// Limit of elapsed time, for a program that waits for ever; the limit that counts is processor time.
const WITHIN: Duration = Duration::from_mins(15);
/// The longest side of a page, in pixels.
const LONGEST_SIDE: &str = "2400";
/// Limits of memory in KiB and processor seconds, set by the shell that execs pdftoppm.
const LIMITED: &str = "ulimit -v 1048576 2>/dev/null; ulimit -S -t 40; ulimit -H -t 41; exec \"$@\"";
/// The signal for a spent processor limit (SIGXCPU).
const OUT_OF_TIME: i32 = 24;

/// The pages as PNG pictures, in order.
///
/// # Errors
/// 503 if pdftoppm is not installed, 422 if it cannot be rendered or has too many pages.
pub async fn pages(_: &Turn, pdf: Bytes) -> ApiResult<Vec<Bytes>> {
    let folder = tempfile::tempdir().map_err(ApiError::internal)?;
    let file = folder.path().join("in.pdf");
    tokio::fs::write(&file, &pdf).await.map_err(ApiError::internal)?;
    let last = (MOST_PAGES + 1).to_string();
    let mut command = Command::new("sh");
    command
        .args(["-c", LIMITED, "sh", "pdftoppm", "-png", "-scale-to", LONGEST_SIDE, "-l", &last])
        .arg(&file)
        .arg(folder.path().join("page"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let ended = tokio::time::timeout(WITHIN, command.status()).await;
    let too_slow = || ApiError::unprocessable("tooSlow", "Drawing this PDF took too long. Send fewer pages.");
    let ended = ended.map_err(|_| too_slow())?.map_err(ApiError::internal)?;
    if ended.signal() == Some(OUT_OF_TIME) {
        return Err(too_slow());
    }
    match ended.code() {
        Some(0) => {}
        Some(127) => {
            return Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "notInstalled",
                "PDF files cannot be read here: pdftoppm is not installed on this server (Debian: poppler-utils). Send a picture \
                 of the page.",
            ));
        }
        _ => {
            return Err(ApiError::unprocessable(
                "broken",
                "This PDF is damaged or locked. Choose another file.",
            ));
        }
    }
    collect(folder.path()).await
}

async fn collect(folder: &std::path::Path) -> ApiResult<Vec<Bytes>> {
    let mut names = Vec::new();
    let mut entries = tokio::fs::read_dir(folder).await.map_err(ApiError::internal)?;
    while let Some(entry) = entries.next_entry().await.map_err(ApiError::internal)? {
        if entry.path().extension().is_some_and(|ending| ending == "png") {
            names.push(entry.path());
        }
    }
    // Numbers are zero-padded.
    names.sort();
    if names.len() > MOST_PAGES {
        let words = format!("This PDF has more than {MOST_PAGES} pages. Send the ones you need.");
        return Err(ApiError::unprocessable("tooManyPages", words));
    }
    let mut pages = Vec::with_capacity(names.len());
    for name in names {
        pages.push(Bytes::from(tokio::fs::read(name).await.map_err(ApiError::internal)?));
    }
    Ok(pages)
}
