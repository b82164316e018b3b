//! What lies on the disk is read by the operator's account alone: files 0600, folders 0700.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Makes a folder, or closes one that is there to others.
///
/// # Errors
/// When it cannot be made.
pub fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)?;
    close(path);
    Ok(())
}

/// Makes a file that is not there yet; whether it was not.
///
/// # Errors
/// When it cannot be made.
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

/// Closes a file or folder to others. One that belongs to somebody else stays as it is, and the log says so.
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
        tracing::warn!(%error, path = %path.display(), "others may read this, and that cannot be changed");
    }
}

/// Closes a folder and everything in it.
pub fn close_all(path: &Path) {
    close(path);
    // What is linked to from here lies elsewhere, and is another's business.
    if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
        && let Ok(entries) = std::fs::read_dir(path)
    {
        entries.flatten().for_each(|entry| close_all(&entry.path()));
    }
}

/// Closes a file and the folders it lies in, up to `root`.
pub fn close_within(root: &Path, path: &Path) {
    path.ancestors().take_while(|part| *part != root).for_each(close);
}

/// What Larder keeps in the data folder. Nothing else there is touched: somebody may have named their home.
const OWN_FOLDERS: [&str; 2] = ["files", "outbox"];
const OWN_FILES: [&str; 4] = ["larder.db", "larder.db-wal", "larder.db-shm", "import-report.json"];

/// Makes the data folder and the file of a database that lies in one, closed to others, and closes what is there.
///
/// # Errors
/// When the folder or the file cannot be made.
pub fn prepare(data_dir: &Path, database_url: &str) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(data_dir)?;
    // A folder for everybody's files, such as /tmp, stays one.
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
    // The files beside it are made with the rights that it has.
    new_file(Path::new(file))?;
    for beside in ["-wal", "-shm"] {
        close(Path::new(&format!("{file}{beside}")));
    }
    Ok(())
}
