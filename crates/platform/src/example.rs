//! The example group: fills a group that has nothing yet, and is thrown away whole. A user asks for either; the server
//! stops serving, does it while nothing else uses the database, and serves again. Only with SQLite, whose file is kept as
//! it was.

use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

/// The database as it was before the example, in the data folder.
const BEFORE: &str = "before-example.db";
/// What was asked for, in the data folder.
const ASKED: &str = "example-asked";

/// What to do with the example at the next start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Load,
    Discard,
}

/// Whether this server has an example, and how to start it again.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// None where there is no example: without the demo data, and with PostgreSQL.
    restart: Option<CancellationToken>,
}

impl Example {
    /// An example that is loaded when the server has stopped after this token was cancelled.
    #[must_use]
    pub fn with_restart(restart: CancellationToken) -> Self {
        Self { restart: Some(restart) }
    }

    /// Whether an example can be loaded.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.restart.is_some()
    }

    /// Asks for an example, or to throw it away, and has the server start again. Returns false where there is none.
    ///
    /// # Errors
    /// If the data folder cannot be written.
    pub fn ask(&self, data_dir: &Path, wish: Wish) -> io::Result<bool> {
        let Some(restart) = &self.restart else { return Ok(false) };
        let word = match wish {
            Wish::Load => "load",
            Wish::Discard => "discard",
        };
        write_whole(data_dir, ASKED, |path| std::fs::write(path, word))?;
        restart.cancel();
        Ok(true)
    }
}

/// What was asked for before the server stopped.
#[must_use]
pub fn asked(data_dir: &Path) -> Option<Wish> {
    match std::fs::read_to_string(data_dir.join(ASKED)).ok()?.as_str() {
        "load" => Some(Wish::Load),
        "discard" => Some(Wish::Discard),
        _ => None,
    }
}

/// Forgets what was asked for: it is done.
///
/// # Errors
/// If the data folder cannot be written.
pub fn done(data_dir: &Path) -> io::Result<()> {
    remove(&data_dir.join(ASKED))
}

/// Whether the group is an example, or was to become one.
#[must_use]
pub fn is_there(data_dir: &Path) -> bool {
    data_dir.join(BEFORE).exists()
}

/// Keeps the database as it is, closed. After a load that did not end, puts back what was kept then.
///
/// # Errors
/// If the data folder cannot be written, or changes are in the write-ahead log still: the file alone would lack them.
pub fn keep(data_dir: &Path) -> io::Result<()> {
    if is_there(data_dir) {
        drop_log(data_dir)?;
        return write_whole(data_dir, "larder.db", |path| {
            std::fs::copy(data_dir.join(BEFORE), path).map(drop)
        });
    }
    if std::fs::metadata(data_dir.join("larder.db-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(io::Error::other("the database was not closed"));
    }
    write_whole(data_dir, BEFORE, |path| std::fs::copy(data_dir.join("larder.db"), path).map(drop))
}

/// Puts the kept database back, closed; the example is gone. Nothing happens if it was put back already.
///
/// # Errors
/// If the data folder cannot be written.
pub fn put_back(data_dir: &Path) -> io::Result<()> {
    if !is_there(data_dir) {
        return Ok(());
    }
    drop_log(data_dir)?;
    std::fs::rename(data_dir.join(BEFORE), data_dir.join("larder.db"))
}

/// The write-ahead log belongs to the database that goes.
fn drop_log(data_dir: &Path) -> io::Result<()> {
    remove(&data_dir.join("larder.db-wal"))?;
    remove(&data_dir.join("larder.db-shm"))
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file beside its place, so that it is there whole or not at all.
fn write_whole(data_dir: &Path, name: &str, write: impl Fn(&PathBuf) -> io::Result<()>) -> io::Result<()> {
    let part = data_dir.join(format!("{name}.part"));
    write(&part)?;
    std::fs::File::open(&part)?.sync_all()?;
    std::fs::rename(part, data_dir.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(database: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("larder.db"), database).expect("a database");
        folder
    }

    fn read(folder: &tempfile::TempDir, name: &str) -> Option<String> {
        std::fs::read_to_string(folder.path().join(name)).ok()
    }

    #[test]
    fn what_was_asked_for_is_known_until_it_is_done() {
        let folder = folder("own");
        let restart = CancellationToken::new();
        assert!(!Example::default().ask(folder.path(), Wish::Load).expect("an answer"), "there is none");
        assert_eq!(asked(folder.path()), None);
        assert!(Example::with_restart(restart.clone()).ask(folder.path(), Wish::Discard).expect("an answer"));
        assert_eq!((asked(folder.path()), restart.is_cancelled()), (Some(Wish::Discard), true));
        done(folder.path()).expect("a folder that can be written");
        assert_eq!(asked(folder.path()), None);
    }

    #[test]
    fn the_own_database_comes_back() {
        let folder = folder("own");
        keep(folder.path()).expect("kept");
        std::fs::write(folder.path().join("larder.db"), "example").expect("written");
        std::fs::write(folder.path().join("larder.db-wal"), "its log").expect("written");
        assert!(is_there(folder.path()));
        for _ in 0..2 {
            put_back(folder.path()).expect("put back, once");
            assert_eq!(read(&folder, "larder.db").as_deref(), Some("own"));
            assert_eq!((read(&folder, "larder.db-wal"), is_there(folder.path())), (None, false));
        }
    }

    #[test]
    fn a_database_with_changes_in_its_log_is_not_kept() {
        let folder = folder("own");
        std::fs::write(folder.path().join("larder.db-wal"), "changes").expect("written");
        keep(folder.path()).expect_err("the copy would lack them");
        assert!(!is_there(folder.path()));
    }

    #[test]
    fn a_load_that_did_not_end_begins_with_the_own_database() {
        let folder = folder("own");
        keep(folder.path()).expect("kept");
        std::fs::write(folder.path().join("larder.db"), "half an example").expect("written");
        keep(folder.path()).expect("kept still");
        assert_eq!(read(&folder, "larder.db").as_deref(), Some("own"));
        assert!(is_there(folder.path()));
    }
}
