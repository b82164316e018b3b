//! The server is killed in the middle of taking counts: whatever it answered is there, and whatever it did not answer
//! can be sent again without being there twice.
//!
//! `LARDER_KILLS` says how often (3).

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

const WRITERS: i64 = 32;
const ITEMS: usize = 3;
const PASSWORD: &str = "sturdy-violet-harbour-29";
const EMAIL: &str = "ana@larder.example";

/// A running server. It dies with the test, however that ends.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(folder: &std::path::Path) -> Server {
        let mut process = larder(folder, &["serve", "--listen", "127.0.0.1:0"])
            .env("LARDER_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut said = BufReader::new(process.stdout.take().expect("its words"));
        let mut line = String::new();
        while !line.starts_with("Larder is at ") {
            line.clear();
            assert!(said.read_line(&mut line).expect("text") > 0, "the server ended before it listened");
        }
        let url = line.trim_start_matches("Larder is at ").trim().to_owned();
        // Nobody may be stopped by words that are not read.
        std::thread::spawn(move || said.lines().for_each(drop));
        Server { process, url }
    }

    /// As a power cut does: nothing is finished, nothing is told.
    fn kill(&mut self) {
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

fn larder(folder: &std::path::Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_larder"));
    command.args(args).arg("--data-dir").arg(folder).current_dir(folder).stdin(Stdio::null());
    // What tells the tests how much to do is no setting of the server.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LARDER_")) {
        command.env_remove(name);
    }
    command
}

fn make_admin(folder: &std::path::Path) {
    let args = ["admin", "create", "--email", EMAIL, "--name", "Ana Cruz", "--password-stdin"];
    let mut process = larder(folder, &args).stdin(Stdio::piped()).spawn().expect("it starts");
    process.stdin.take().expect("its input").write_all(PASSWORD.as_bytes()).expect("it reads");
    assert!(process.wait().expect("it ends").success());
}

/// Somebody with a token.
#[derive(Clone)]
struct Caller {
    http: Client,
    url: String,
    token: String,
}

impl Caller {
    async fn sign_in(url: &str) -> Caller {
        let http = Client::builder().timeout(Duration::from_secs(20)).build().expect("a client");
        let body = json!({ "email": EMAIL, "password": PASSWORD, "returnSecureToken": true });
        let answer = http.post(format!("{url}/v1/accounts:signInWithPassword")).json(&body).send().await;
        let answer: Value = answer.expect("an answer").json().await.expect("JSON");
        let token = answer["idToken"].as_str().expect("a token").to_owned();
        Caller { http, url: url.to_owned(), token }
    }

    /// What the server answers; nothing when it did not.
    async fn ask(&self, method: reqwest::Method, path: &str, body: Option<&Value>) -> Option<Value> {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.ok()?;
        let good = answer.status().is_success();
        let text = answer.text().await.ok()?;
        assert!(good, "{path}: {text}");
        serde_json::from_str(&text).ok()
    }

    async fn send(&self, writer: i64, saves: &[Value]) -> Option<Vec<String>> {
        let batch = json!({ "sentAt": 2, "deviceId": format!("dev{writer}"), "entries": saves });
        let answer = self.ask(reqwest::Method::POST, "/api/stores/count/batch", Some(&batch)).await?;
        let results = answer["results"].as_array().expect("answers");
        let outcomes: Vec<String> =
            results.iter().map(|one| one["outcome"].as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(outcomes.len(), saves.len());
        Some(outcomes)
    }
}

/// The store and what is counted there.
struct Place {
    store: String,
    items: Vec<String>,
}

impl Place {
    async fn make(ana: &Caller) -> Place {
        let make = async |path: &str, body: Value| {
            let made = ana.ask(reqwest::Method::POST, path, Some(&body)).await.expect("it is made");
            made["id"].as_str().expect("an id").to_owned()
        };
        let store = make("/api/stores/locations", json!({ "name": "Makati" })).await;
        let mut items = Vec::new();
        for n in 0..ITEMS {
            items
                .push(make("/api/lists/store-inventory-items", json!({ "name": format!("Item {n}") })).await);
        }
        let free = json!({ "restrictDate": false, "timeLockEnabled": false, "enforceTimeWindow": false });
        let path = format!("/api/stores/count/settings/{store}");
        ana.ask(reqwest::Method::PUT, &path, Some(&free)).await.expect("it counts at any time");
        Place { store, items }
    }

    /// Each writer counts a day of its own.
    fn date(writer: i64) -> String {
        format!("2026-01-{:02}", writer % 31 + 1)
    }

    fn session(writer: i64) -> &'static str {
        if writer < 31 { "opening" } else { "closing" }
    }

    fn save(&self, writer: i64, seq: i64) -> Value {
        let item = &self.items[usize::try_from(seq).expect("small") % ITEMS];
        json!({ "op": format!("dev{writer}:{seq}"), "seq": seq, "storeId": self.store, "itemId": item,
            "date": Place::date(writer), "session": Place::session(writer), "qty": seq, "at": 1 })
    }
}

/// What a writer knows: how many saves it made, and up to which it had answers.
#[derive(Debug, Clone, Copy)]
struct Known {
    made: i64,
    answered: i64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_was_answered_is_there_after_a_kill() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    make_admin(folder.path());
    let mut server = Server::start(folder.path());
    let mut ana = Caller::sign_in(&server.url).await;
    let place = std::sync::Arc::new(Place::make(&ana).await);
    let mut known = vec![Known { made: 0, answered: 0 }; 32];
    let kills: u64 = std::env::var("LARDER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    for kill in 0..kills {
        let writers: Vec<_> = (0..WRITERS)
            .zip(&known)
            .map(|(writer, known)| {
                let (ana, place, mut known) = (ana.clone(), place.clone(), *known);
                tokio::spawn(async move {
                    loop {
                        let saves: Vec<Value> = (1..=4).map(|n| place.save(writer, known.made + n)).collect();
                        known.made += 4;
                        match ana.send(writer, &saves).await {
                            Some(outcomes) => {
                                assert!(outcomes.iter().all(|one| one == "applied"), "{outcomes:?}");
                                known.answered = known.made;
                            }
                            None => return known,
                        }
                    }
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200 + kill * 7919 % 900)).await;
        server.kill();
        for (known, writer) in known.iter_mut().zip(writers) {
            *known = writer.await.expect("a writer ends");
        }
        server = Server::start(folder.path());
        ana.url.clone_from(&server.url);
        check(&ana, &place, &mut known, kill).await;
    }
    let made: i64 = known.iter().map(|known| known.made).sum();
    assert!(made > WRITERS * 4, "the writers wrote");
}

/// Everything that was answered is there; the rest is sent again, and in the end everything is there once.
async fn check(ana: &Caller, place: &Place, known: &mut [Known], kill: u64) {
    for (writer, known) in (0..WRITERS).zip(known) {
        let answered: Vec<Value> = (1..=known.answered).map(|seq| place.save(writer, seq)).collect();
        for saves in answered.chunks(400) {
            let outcomes = ana.send(writer, saves).await.expect("an answer");
            assert!(outcomes.iter().all(|one| one == "duplicate"), "lost by kill {kill}: {outcomes:?}");
        }
        let rest: Vec<Value> = (known.answered + 1..=known.made).map(|seq| place.save(writer, seq)).collect();
        for saves in rest.chunks(400) {
            let outcomes = ana.send(writer, saves).await.expect("an answer");
            // A batch is one transaction: all of it was there, or nothing.
            assert!(outcomes.iter().all(|one| *one == outcomes[0]), "half a batch: {outcomes:?}");
            assert!(["applied", "duplicate"].contains(&outcomes[0].as_str()), "{outcomes:?}");
        }
        known.answered = known.made;
        let (date, session) = (Place::date(writer), Place::session(writer));
        let mut events = 0;
        for item in &place.items {
            let path = format!(
                "/api/stores/count/history?storeId={}&date={date}&session={session}&itemId={item}",
                place.store
            );
            let answer = ana.ask(reqwest::Method::GET, &path, None).await.expect("an answer");
            let list = answer["events"].as_array().expect("events").clone();
            events += list.len();
            let last = list.iter().filter_map(|event| event["qty"].as_i64()).max();
            let stands = list.iter().filter(|event| event["stands"] == true);
            let stands: Vec<Option<i64>> = stands.map(|event| event["qty"].as_i64()).collect();
            assert_eq!(stands, last.map(Some).into_iter().collect::<Vec<_>>(), "the last word stands");
        }
        assert_eq!(events as i64, known.made, "each save is there once");
    }
}
