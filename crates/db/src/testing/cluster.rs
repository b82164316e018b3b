//! The PostgreSQL cluster shared by test processes.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::migrate;

/// The test processes' common folder, and this process's share of it.
struct Cluster {
    folder: PathBuf,
    /// Held while this process lives; the script waits for the last holder.
    _share: File,
}

static CLUSTER: Mutex<Option<Cluster>> = Mutex::new(None);
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A database to be removed. The next test does so, because its connections are still open now, and waiting for them
/// would take longer than the test.
pub(super) struct Dropped {
    pub url: String,
    name: String,
}

static UNWANTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Drop for Dropped {
    fn drop(&mut self) {
        let mut unwanted = UNWANTED.lock().unwrap_or_else(PoisonError::into_inner);
        unwanted.push(std::mem::take(&mut self.name));
    }
}

/// Removes databases of finished tests; a few at a time, so that all processes share the work.
async fn sweep(connection: &mut PgConnection) {
    let left = "select datname from pg_database where datname like 'test\\_%' limit 100";
    let left: Vec<String> = sqlx::query_scalar(left).fetch_all(&mut *connection).await.unwrap_or_default();
    let ended = left.into_iter().filter(|name| {
        let process = name.split('_').nth(1).unwrap_or_default();
        !Path::new("/proc").join(process).exists()
    });
    let ours = std::mem::take(&mut *UNWANTED.lock().unwrap_or_else(PoisonError::into_inner));
    for name in ended.take(3).chain(ours) {
        // Another test may be removing it too.
        let text = format!("drop database if exists {name} with (force)");
        connection.execute(AssertSqlSafe(text)).await.ok();
    }
}

fn url(folder: &Path, database: &str) -> String {
    url_at(&folder.join("pg"), database)
}

/// The URL of a database of the cluster with this socket folder.
pub(super) fn url_at(socket: &Path, database: &str) -> String {
    let socket = socket.display().to_string().replace('/', "%2F");
    format!("postgres://larder@{socket}/{database}")
}

/// A new database, from the template or empty.
pub(super) async fn database(migrated: bool) -> Dropped {
    // The template is created under the start lock, so that no process copies half of it.
    let (folder, starting) = cluster();
    let server = url(&folder, "postgres");
    let mut connection = connect(&server, &folder).await;
    let template = format!("template_{}", &migrate::fingerprint()[..16]);
    let known: Option<i32> = sqlx::query_scalar("select 1 from pg_database where datname = $1")
        .bind(&template)
        .fetch_optional(&mut connection)
        .await
        .expect("the cluster answers");
    if known.is_none() {
        let making = format!("{template}_making");
        let steps = [
            format!("drop database if exists {making} with (force)"),
            format!("create database {making}"),
            format!("alter database {making} rename to {template}"),
        ];
        for (number, step) in steps.into_iter().enumerate() {
            if number == 2 {
                migrate::run(&url(&folder, &making)).await.expect("the migrations apply");
            }
            connection.execute(AssertSqlSafe(step)).await.expect("the template can be made");
        }
    }
    drop(starting);
    sweep(&mut connection).await;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{number}", std::process::id());
    let template = if migrated { template.as_str() } else { "template0" };
    let text = format!("create database {name} template {template}");
    connection.execute(AssertSqlSafe(text)).await.expect("a database from the template");
    connection.close().await.ok();
    Dropped { url: url(&folder, &name), name }
}

/// Waits for the started server.
async fn connect(server: &str, folder: &Path) -> PgConnection {
    let begun = Instant::now();
    loop {
        match PgConnection::connect(server).await {
            Ok(connection) => return connection,
            Err(error) if begun.elapsed() > Duration::from_secs(30) => panic!(
                "the temporary PostgreSQL does not answer: {error}\n{}",
                fs::read_to_string(folder.join("log")).unwrap_or_default()
            ),
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// Joins the cluster, starting it if needed. Returns the start lock's file.
fn cluster() -> (PathBuf, File) {
    let user = fs::metadata("/proc/self").expect("this process").uid();
    let folder = std::env::temp_dir().join(format!("larder-tests-{user}"));
    let mut cluster = CLUSTER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut was_left_behind = false;
    let starting = loop {
        fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        let path = folder.join("start.lock");
        let Ok(file) = File::options().create(true).append(true).open(&path) else { continue };
        file.lock().expect("a file can be locked");
        // The script may have removed the folder while we waited.
        let same = fs::metadata(&path).is_ok_and(|now| {
            file.metadata().is_ok_and(|ours| (ours.dev(), ours.ino()) == (now.dev(), now.ino()))
        });
        if !same {
            continue;
        }
        if !is_left_behind(&folder) {
            break file;
        }
        // Its script may still be cleaning up; if there is none, this process does.
        if was_left_behind {
            fs::remove_dir_all(&folder).expect("what a killed run left behind can be removed");
        }
        was_left_behind = !was_left_behind;
        drop(file);
        std::thread::sleep(Duration::from_secs(3));
    };
    fs::write(folder.join("used"), "").expect("the folder can be written to");
    if cluster.as_ref().is_none_or(|known| known.folder != folder) {
        let share = File::options()
            .create(true)
            .append(true)
            .open(folder.join("users.lock"))
            .expect("the folder can be written to");
        share.lock_shared().expect("a file can be locked");
        if !folder.join("pg").exists() {
            start(&folder);
        }
        *cluster = Some(Cluster { folder: folder.clone(), _share: share });
    }
    (folder, starting)
}

/// Whether an unused, unresponsive server was left here, as by a machine that was switched off. Call it under the start
/// lock.
fn is_left_behind(folder: &Path) -> bool {
    let socket = folder.join("pg/.s.PGSQL.5432");
    let Ok(users) = File::options().create(true).append(true).open(folder.join("users.lock")) else {
        return false;
    };
    folder.join("pg").exists() && users.try_lock().is_ok() && UnixStream::connect(socket).is_err()
}

/// Keeps the server running and stops it: `sh -c … folder command…`. Checking for remaining users and stopping happen
/// under the start lock, so that no process joins in between.
const SCRIPT: &str = r#"
folder=$0
"$@" &
server=$!
while sleep 2; do
  if kill -0 $server 2>/dev/null; then
    [ -n "$(find "$folder/used" -newermt '-15 seconds')" ] && continue
    exec 9>>"$folder/start.lock" && flock -n 9 || continue
    flock -n -x "$folder/users.lock" true || { exec 9>&-; continue; }
    kill -QUIT $server
    wait $server
  else
    exec 9>>"$folder/start.lock" && flock 9
  fi
  rm -rf "$folder"
  exit
done
"#;

/// How to start PostgreSQL's programs for a folder, and its cluster.
pub(super) struct Programs {
    folder: PathBuf,
    /// Command prefix: PostgreSQL refuses to run as root.
    as_user: Vec<String>,
    place: PathBuf,
}

impl Programs {
    /// The programs, for a cluster in this folder, which they get write access to.
    pub fn of(place: &Path) -> Programs {
        let folder = programs();
        let as_user: Vec<String> = match fs::metadata("/proc/self").expect("this process").uid() {
            0 => {
                let user = ["postgres", "nobody"].into_iter().find(|user| owned_by(place, user));
                let user = user.expect("running as root takes a user postgres or nobody to start as");
                let words = ["setpriv", &format!("--reuid={user}"), "--clear-groups", "--inh-caps=-all"]
                    .map(str::to_owned);
                words.to_vec()
            }
            _ => Vec::new(),
        };
        Programs { folder, as_user, place: place.to_owned() }
    }

    /// The command line of a program.
    fn words(&self, program: &str) -> Vec<String> {
        let program = self.folder.join(program).display().to_string();
        self.as_user.iter().cloned().chain([program]).collect()
    }

    /// A program, ready for its arguments.
    pub fn command(&self, program: &str) -> Command {
        let words = self.words(program);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(&self.place);
        command
    }

    /// The folder of the cluster's files.
    pub fn data(&self) -> String {
        self.place.join("data").display().to_string()
    }

    /// Creates a new cluster.
    pub fn initdb(&self) {
        let made = self
            .command("initdb")
            .args(["-D", &self.data(), "-U", "larder", "-A", "trust", "-E", "UTF8", "--locale=C"])
            .args(["--no-sync", "--no-instructions"])
            .output();
        match made {
            Ok(made) if made.status.success() => {}
            other => {
                fs::remove_dir_all(&self.place).ok();
                panic!("initdb made no cluster: {other:?}");
            }
        }
    }

    /// The arguments of a server listening at a socket in the folder, with these settings.
    pub fn settings(&self, settings: &[&str]) -> Vec<String> {
        let mut words = vec!["-D".into(), self.data(), "-k".into(), self.place.display().to_string()];
        for setting in ["listen_addresses=", "dynamic_shared_memory_type=mmap"].iter().chain(settings) {
            words.extend(["-c".into(), (*setting).to_owned()]);
        }
        words
    }
}

fn start(folder: &Path) {
    let place = folder.join("pg");
    fs::create_dir(&place).expect("the folder can be written to");
    let programs = Programs::of(&place);
    programs.initdb();
    let log = File::create(folder.join("log")).expect("the folder can be written to");
    let mut words = programs.words("postgres");
    words.extend(programs.settings(&[
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        "autovacuum=off",
        "max_connections=400",
        "shared_buffers=64MB",
        "max_wal_size=4GB",
        "log_min_messages=warning",
        "log_min_error_statement=panic",
    ]));
    let started = Command::new("setsid")
        .args(["--fork", "sh", "-c"])
        .arg(SCRIPT)
        .arg(folder)
        .args(words)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        // Its own session, because it outlives the test that starts it.
        .status();
    assert!(started.is_ok_and(|status| status.success()), "setsid and sh start the server");
}

/// Gives the folder to a user, if that user exists.
fn owned_by(place: &Path, user: &str) -> bool {
    let done = Command::new("chown").arg(user).arg(place).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// The folder of PostgreSQL's programs: Debian's, newest first, then PATH.
fn programs() -> PathBuf {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<_> = debian.map(|entry| entry.path()).collect();
    versions.sort_by_key(|path| {
        path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()).unwrap_or(0)
    });
    let debian = versions.into_iter().rev().map(|version| version.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    // initdb looks for the server in its own folder, so links are resolved.
    let linked = std::env::split_paths(&path)
        .filter_map(|folder| fs::canonicalize(folder.join("initdb")).ok())
        .filter_map(|program| Some(program.parent()?.to_owned()))
        .collect::<Vec<_>>();
    debian
        .chain(linked)
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
        .unwrap_or_else(|| {
            panic!(
                "tests on PostgreSQL need its programs initdb and postgres, and they are neither \
                 in /usr/lib/postgresql/*/bin nor in PATH: apt-get install postgresql"
            )
        })
}
