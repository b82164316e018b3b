//! Files on disk are readable by the operator's account only: files 0600, folders 0700.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Creates a folder, or restricts an existing one.
///
/// # Errors
/// If it cannot be created.
pub fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)?;
    close(path);
    Ok(())
}

/// Creates a file; `None` if it exists.
///
/// # Errors
/// If it cannot be created.
pub fn new_file(path: &Path) -> io::Result<Option<File>> {
    match OpenOptions::new().write(true).create_new(true).mode(FILE).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            close(path);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Restricts a file or folder. One owned by another account stays as it is, with a warning.
pub fn close(path: &Path) {
    let Ok(found) = std::fs::symlink_metadata(path) else { return };
    if found.is_symlink() {
        return;
    }
    let wanted = if found.is_dir() { FOLDER } else { FILE };
    if found.permissions().mode() & 0o777 == wanted {
        return;
    }
    if let Err(error) = std::fs::set_permissions(path, Permissions::from_mode(wanted)) {
        tracing::warn!(%error, path = %path.display(), "other accounts may read this, and its permissions cannot be changed");
    }
}

/// Restricts a folder and everything in it.
pub fn close_all(path: &Path) {
    close(path);
    // Symbolic links are not followed.
    if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
        && let Ok(entries) = std::fs::read_dir(path)
    {
        entries.flatten().for_each(|entry| close_all(&entry.path()));
    }
}

/// Restricts a file and its parent folders up to `root`.
pub fn close_within(root: &Path, path: &Path) {
    path.ancestors().take_while(|part| *part != root).for_each(close);
}

/// Larder's own folders in the data folder. Nothing else is touched: it could be a home directory.
const OWN_FOLDERS: [&str; 2] = ["files", "outbox"];
const OWN_FILES: [&str; 4] = ["larder.db", "larder.db-wal", "larder.db-shm", "import-report.json"];

/// Creates the data folder and the file of an SQLite database, restricted, and restricts existing ones.
///
/// # Errors
/// If the folder or the file cannot be created.
pub fn prepare(data_dir: &Path, database_url: &str) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(data_dir)?;
    // A shared folder such as /tmp stays shared.
    let everybodys = std::fs::metadata(data_dir).is_ok_and(|found| found.permissions().mode() & 0o1000 != 0);
    if !everybodys {
        close(data_dir);
    }
    OWN_FOLDERS.iter().for_each(|name| close_all(&data_dir.join(name)));
    OWN_FILES.iter().for_each(|name| close(&data_dir.join(name)));
    let Some(file) = database_url.strip_prefix("sqlite:") else { return Ok(()) };
    let file = file.trim_start_matches("//").split('?').next().unwrap_or_default();
    if file.is_empty() || file.starts_with(':') {
        return Ok(());
    }
    // SQLite creates its other files with the permissions of this one.
    new_file(Path::new(file))?;
    for beside in ["-wal", "-shm"] {
        close(Path::new(&format!("{file}{beside}")));
    }
    Ok(())
}
