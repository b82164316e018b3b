//! A PostgreSQL cluster for a single test, which may kill it.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use super::cluster::{Programs, url_at};

/// A cluster with durable commits, like a production one. Removed on drop.
pub struct OwnCluster {
    folder: TempDir,
    programs: Programs,
    server: Child,
}

impl OwnCluster {
    /// Creates a cluster and starts it.
    ///
    /// # Panics
    /// If it cannot be created; the message names what is missing.
    pub async fn start() -> OwnCluster {
        let folder = TempDir::with_prefix("larder-pg-").expect("a temporary folder");
        // The server's user needs access.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("our folder");
        let place = folder.path().join("pg");
        fs::create_dir(&place).expect("the folder can be written to");
        let programs = Programs::of(&place);
        programs.initdb();
        let server = serve(&programs, &folder);
        let cluster = OwnCluster { folder, programs, server };
        cluster.wait().await;
        cluster
    }

    /// The URL of its empty database.
    pub fn url(&self) -> String {
        url_at(&self.folder.path().join("pg"), "postgres")
    }

    /// Simulates a crash: `pg_ctl stop -m immediate`, without finishing or flushing anything.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn kill(&mut self) {
        let stop = ["stop", "-m", "immediate", "-w", "-D", &self.programs.data()];
        let done = self.programs.command("pg_ctl").args(stop).stdout(Stdio::null()).status();
        assert!(done.is_ok_and(|status| status.success()), "the cluster stops");
        self.server.wait().expect("it is gone");
    }

    /// Starts it again after [`kill`](Self::kill); it recovers from its log.
    ///
    /// # Panics
    /// If it does not answer within half a minute.
    pub async fn again(&mut self) {
        self.server = serve(&self.programs, &self.folder);
        self.wait().await;
    }

    async fn wait(&self) {
        let begun = Instant::now();
        while let Err(error) = PgConnection::connect(&self.url()).await {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not answer: {error}\n{log}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The log is written to the operating system with every commit; it survives the server's crash, which is enough.
fn serve(programs: &Programs, folder: &TempDir) -> Child {
    let log = File::options().create(true).append(true).open(folder.path().join("log"));
    programs
        .command("postgres")
        .args(programs.settings(&["fsync=off", "synchronous_commit=on", "shared_buffers=64MB"]))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.expect("the folder can be written to"))
        .spawn()
        .expect("the server starts")
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        let stop = ["stop", "-m", "immediate", "-w", "-D", &self.programs.data()];
        let _ =
            self.programs.command("pg_ctl").args(stop).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = self.server.wait();
    }
}
