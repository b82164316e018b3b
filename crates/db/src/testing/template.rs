//! The migrated SQLite file that tests copy: applying all migrations takes longer than most tests.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use sqlx::{ConnectOptions, Connection, Executor};
use tempfile::TempDir;

use crate::{migrate, sqlite};

/// Unused templates are removed after this time.
const KEPT: Duration = Duration::from_hours(72);

/// Creates a migrated database at `path`.
///
/// There is one template per user and set of migrations. A process that finds none creates one under a name of its own
/// and renames it to the common name, atomically; of two that do so at once both are right.
pub(super) async fn copy_to(path: &Path) {
    let user = fs::metadata("/proc/self").expect("this process").uid();
    let folder = std::env::temp_dir().join(format!("larder-templates-{user}"));
    let template = folder.join(format!("{}.db", &migrate::fingerprint()[..16]));
    if fs::copy(&template, path).is_ok() {
        return;
    }
    fs::create_dir_all(&folder).expect("the temporary folder can be written to");
    remove_old(&folder);
    let making = TempDir::with_prefix_in("making-", &folder).expect("a folder for the template");
    let file = making.path().join("larder.db");
    let url = format!("sqlite:{}", file.display());
    migrate::run(&url).await.expect("the migrations apply");
    // In a single file.
    let options = sqlite::options(&url).expect("the URL is good");
    let mut connection = options.connect().await.expect("the template opens");
    connection.execute("pragma journal_mode = delete").await.expect("the log can be put away");
    connection.close().await.expect("the template closes");
    fs::rename(&file, &template).expect("the template gets its name");
    fs::copy(&template, path).expect("the template can be copied");
}

fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let unused = entry
            .metadata()
            .and_then(|found| found.accessed())
            .is_ok_and(|at| at.elapsed().is_ok_and(|ago| ago > KEPT));
        if unused {
            let path = entry.path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.ok();
        }
    }
}
