//! The server that the command plays worlds on. Its clock is set: a running server would refuse what is dated back.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tokio::process::{Child, Command};

use crate::client::{Client, Done, Failure, failed, http};
use crate::play::Host;

/// The user that the command acts as.
const EMAIL: &str = "world@example.com";
const PASSWORD: &str = "plovers wade at the mudflat";

/// A session is renewed after this time: it ends after twelve idle hours.
const SESSION_MS: i64 = 6 * 3_600_000;

fn machine_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Signs in and returns the session token.
async fn sign_in(url: &str, email: &str, password: &str) -> Done<String> {
    let request = http()?
        .post(format!("{url}/v1/accounts:signInWithPassword"))
        .header("x-larder", "1")
        .header("sec-fetch-site", "same-origin")
        .json(&json!({ "email": email, "password": password }));
    let answer = request.send().await.map_err(|why| Failure(format!("Nobody answers at {url}: {why}")))?;
    let mut cookies = answer.headers().get_all("set-cookie").iter();
    let session = cookies.find_map(|cookie| cookie.to_str().ok()?.strip_prefix("__Host-sid="));
    match session.and_then(|cookie| cookie.split(';').next()) {
        Some(session) => Ok(session.to_owned()),
        None => failed(format!("{email} cannot sign in at {url}: status {}.", answer.status())),
    }
}

/// A server that the command starts, and restarts with a later clock whenever time goes on.
pub struct Started {
    program: PathBuf,
    folder: PathBuf,
    listen: String,
    server: Option<Child>,
    shift_ms: i64,
    client: Option<Client>,
    /// When the session was opened, by the server's clock.
    signed_in: i64,
}

impl Started {
    /// Prepares an empty folder: creates the user.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn new(program: &Path, folder: &Path, listen: &str) -> Done<Self> {
        let mut create = std::process::Command::new(program)
            .args(["admin", "create", "--email", EMAIL, "--name", "World", "--password-stdin", "--data-dir"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|why| Failure(format!("{} cannot be run: {why}", program.display())))?;
        if let Some(mut input) = create.stdin.take() {
            let written = input.write_all(PASSWORD.as_bytes());
            written.map_err(|why| Failure(format!("The password is not taken: {why}")))?;
        }
        if !create.wait().is_ok_and(|status| status.success()) {
            return failed(format!("No user could be created in {}; is it empty?", folder.display()));
        }
        Ok(Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            listen: listen.to_owned(),
            server: None,
            shift_ms: 0,
            client: None,
            signed_in: i64::MIN / 2,
        })
    }

    async fn restart(&mut self, shift_ms: i64) -> Done<()> {
        if let Some(mut server) = self.server.take() {
            // No job is under way: each was waited for.
            server.kill().await.map_err(|why| Failure(format!("The server cannot be stopped: {why}")))?;
        }
        self.shift_ms = shift_ms;
        let server = Command::new(&self.program)
            .args(["serve", "--listen", &self.listen, "--data-dir"])
            .arg(&self.folder)
            .env("LARDER_CLOCK_SHIFT_MS", shift_ms.to_string())
            .env("LARDER_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        self.server = Some(server.map_err(|why| Failure(format!("The server does not start: {why}")))?);
        let ready = format!("http://{}/readyz", self.listen);
        for _ in 0..400 {
            let answer = http()?.get(&ready).send().await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        failed("The server is not ready after ten seconds.")
    }
}

impl Host for Started {
    fn now(&self) -> i64 {
        machine_ms() + self.shift_ms
    }

    async fn reach(&mut self, at_ms: i64) -> Done<Client> {
        if at_ms > self.now() || self.server.is_none() {
            let shift_ms = self.shift_ms + (at_ms - self.now()).max(0);
            self.restart(shift_ms).await?;
        }
        let url = format!("http://{}", self.listen);
        if self.client.is_none() || self.now() - self.signed_in > SESSION_MS {
            let session = sign_in(&url, EMAIL, PASSWORD).await?;
            self.signed_in = self.now();
            self.client = Some(Client::new(&url, &session)?);
        }
        match &self.client {
            Some(client) => Ok(client.clone()),
            None => failed("Nobody is signed in."),
        }
    }
}
