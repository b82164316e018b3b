//! The server is killed while working: everything it acknowledged exists, and everything else can be sent again without
//! duplicates. The same holds when PostgreSQL is killed.
//!
//! `LARDER_KILLS` sets the number of kills (3), for each of the tests.

mod counts;
mod documents;
mod sales;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use larder_db::testing::clock;
use larder_db::{Db, DbConfig};
use reqwest::{Client, Method};
use serde_json::{Value, json};

const PASSWORD: &str = "sturdy-violet-harbour-29";
const EMAIL: &str = "ana@larder.example";

/// A server's data: a folder, and optionally a PostgreSQL.
pub struct Home {
    folder: tempfile::TempDir,
    database: Option<String>,
}

impl Home {
    /// A new home with an administrator.
    pub fn new(database: Option<String>) -> Home {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let home = Home { folder: tempfile::tempdir().expect("a temporary folder"), database };
        let args = ["admin", "create", "--email", EMAIL, "--name", "Ana Cruz", "--password-stdin"];
        let mut process = home.larder(&args).stdin(Stdio::piped()).spawn().expect("it starts");
        process.stdin.take().expect("its input").write_all(PASSWORD.as_bytes()).expect("it reads");
        assert!(process.wait().expect("it ends").success());
        home
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn larder(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
        let database = self.database.iter().flat_map(|url| ["--database", url]);
        command.args(args).arg("--data-dir").arg(self.path()).args(database);
        command.current_dir(self.path()).stdin(Stdio::null());
        // Variables that configure the tests are not passed to the server.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LARDER_"))
        {
            command.env_remove(name);
        }
        command.env("LARDER_CLOCK_SHIFT_MS", clock::shift_ms().to_string());
        command
    }

    /// Opens the database directly.
    pub async fn open(&self) -> Db {
        let file: PathBuf = self.path().join("larder.db");
        let url = self.database.clone().unwrap_or_else(|| format!("sqlite:{}", file.display()));
        Db::open(&DbConfig { url, readers: 1 }).await.expect("the database opens")
    }
}

/// A running server, killed with the test in any case.
pub struct Server {
    process: Child,
    pub url: String,
}

impl Server {
    pub fn start(home: &Home) -> Server {
        Server::start_with(home, &[])
    }

    /// With further settings.
    pub fn start_with(home: &Home, more: &[(&str, &str)]) -> Server {
        let mut process = home
            .larder(&["serve", "--listen", "127.0.0.1:0"])
            .env("LARDER_LOG", "error")
            .envs(more.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut said = BufReader::new(process.stdout.take().expect("its words"));
        let mut line = String::new();
        while !line.starts_with("Larder is at ") {
            line.clear();
            assert!(said.read_line(&mut line).expect("text") > 0, "the server ended before it listened");
        }
        let url = line.trim_start_matches("Larder is at ").trim().to_owned();
        // Drain the output so that the server never blocks on it.
        std::thread::spawn(move || said.lines().for_each(drop));
        Server { process, url }
    }

    /// Like a power cut: no shutdown.
    pub fn kill(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is gone");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An API client with a token.
#[derive(Clone)]
pub struct Caller {
    pub http: Client,
    pub url: String,
    pub token: String,
    /// Whether server errors are allowed: its database may be gone.
    pub lenient: bool,
}

impl Caller {
    pub async fn sign_in(url: &str) -> Caller {
        let http =
            Client::builder().timeout(Duration::from_secs(20)).tls_certs_only([]).build().expect("a client");
        let body = json!({ "email": EMAIL, "password": PASSWORD, "returnSecureToken": true });
        let answer = http.post(format!("{url}/v1/accounts:signInWithPassword")).json(&body).send().await;
        let answer: Value = answer.expect("an answer").json().await.expect("JSON");
        let token = answer["idToken"].as_str().expect("a token").to_owned();
        Caller { http, url: url.to_owned(), token, lenient: false }
    }

    /// The server's response; `None` without one.
    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Option<Value> {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.ok()?;
        let status = answer.status();
        if self.lenient && status.is_server_error() {
            return None;
        }
        let text = answer.text().await.ok()?;
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).ok()
    }

    /// The server's response, waiting until there is one.
    pub async fn answer(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let begun = Instant::now();
        loop {
            if let Some(answer) = self.ask(method.clone(), path, body).await {
                return answer;
            }
            assert!(self.lenient && begun.elapsed() < Duration::from_secs(30), "{path} is not answered");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

pub fn kills() -> u64 {
    std::env::var("LARDER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

/// How long to write before a kill.
pub fn pause(kill: u64) -> Duration {
    Duration::from_millis(200 + kill * 7919 % 900)
}
