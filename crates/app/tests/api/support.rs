//! A server on a temporary database of either engine, and users to call it.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use larder_app as app;
use larder_db::testing::{Temp, clock};
use larder_db::{Actor, Db, DbError, Tx};
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{Action, Permissions, Timestamp};
use larder_platform::http::session::{COOKIE, token_hash};
use larder_platform::http::{Origin, codes};
use larder_platform::people::roles;
use larder_platform::people::sessions;
use larder_platform::people::sessions::{Device, NewSession};
use larder_platform::people::users;
use larder_platform::people::users::NewUser;
use larder_platform::{AppState, Clock, Config};
use reqwest::Method;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::contract;

pub use larder_db::Engine;

/// A decompressed file of `testdata`.
pub fn testdata(name: &str) -> Vec<u8> {
    let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).expect("gzip");
    unpacked
}

/// The engine for tests of features whose queries are plain or run on both engines elsewhere.
/// `LARDER_TEST_ENGINE=postgres` runs them all on PostgreSQL.
#[rstest::fixture]
pub fn one_engine() -> Engine {
    match std::env::var("LARDER_TEST_ENGINE").as_deref() {
        Ok("postgres") => Engine::Postgres,
        _ => Engine::Sqlite,
    }
}

/// A clock that starts at a fixed time (`larder_db::testing::clock`) and can be advanced.
#[derive(Default)]
pub struct TestClock {
    ahead: AtomicI64,
    /// The time at which it was stopped; 0 while it runs.
    stands: AtomicI64,
}

impl TestClock {
    /// Advances it.
    pub fn advance(&self, seconds: i64) {
        self.ahead.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    /// Advances it to the next time stores' clocks show this hour.
    pub fn advance_to_hour(&self, hour: i64) {
        let day = 24 * 3_600_000;
        let shown = self.now().0 + BUSINESS_UTC_OFFSET_HOURS * 3_600_000;
        self.ahead.fetch_add((hour * 3_600_000 - shown).rem_euclid(day), Ordering::SeqCst);
    }

    /// Stops it, so that only [`TestClock::advance`] moves it: on a slow machine rate limits would otherwise
    /// refill.
    pub fn stand_still(&self) {
        self.stands.store(clock::now().0, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let now = match self.stands.load(Ordering::SeqCst) {
            0 => clock::now(),
            moment => Timestamp(moment),
        };
        now.plus_ms(self.ahead.load(Ordering::SeqCst))
    }
}

/// A running server.
pub struct App {
    pub clock: Arc<TestClock>,
    pub state: AppState,
    pub url: String,
    pub db: Db,
    _temp: Temp,
    _folder: tempfile::TempDir,
    stop: CancellationToken,
    made: AtomicU64,
}

impl App {
    /// Starts a server with background jobs.
    pub async fn start(on: Engine) -> App {
        App::start_with(on, |_| ()).await
    }

    /// As [`App::start`], with another configuration.
    pub async fn start_with(on: Engine, set_up: impl FnOnce(&mut Config)) -> App {
        let app = App::start_idle_with(on, set_up).await;
        app::start_background(&app.state, &app.stop);
        app
    }

    /// Starts a server without background jobs; `drain` runs them on demand.
    pub async fn start_idle(on: Engine) -> App {
        App::start_idle_with(on, |_| ()).await
    }

    /// As [`App::start_idle`], with another configuration.
    pub async fn start_idle_with(on: Engine, set_up: impl FnOnce(&mut Config)) -> App {
        // The tests' HTTP client needs a provider to be installed, even without TLS.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let temp = Temp::new(on).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (db, clock) = (temp.db.clone(), Arc::<TestClock>::default());
        let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
        set_up(&mut config);
        let (state, url) = serve(&db, config, &clock).await;
        let (stop, made) = (CancellationToken::new(), AtomicU64::new(0));
        App { clock, state, url, db, _temp: temp, _folder: folder, stop, made }
    }

    /// The same database and files with a new server process, as after a restart.
    pub async fn restarted(&self) -> AppState {
        self.second_node().await.0
    }

    /// Another server process on the same database and files, and its URL. It runs no background jobs.
    pub async fn second_node(&self) -> (AppState, String) {
        serve(&self.db, self.state.config.clone(), &self.clock).await
    }

    /// A server process with its own connections to the same database, as on another machine.
    pub async fn other_machine(&self) -> (AppState, String) {
        serve(&self._temp.another().await, self.state.config.clone(), &self.clock).await
    }

    /// Runs all queued jobs.
    pub async fn drain(&self) {
        self.state.jobs.drain(&self.state).await.expect("jobs run");
    }

    /// Runs the queued jobs and loses the worker halfway: after a part has written something, before the next
    /// one. Returns the count that the query `written` gave then. The job can be resumed.
    pub async fn lose_a_job(&self, written: &'static str) -> i64 {
        let dying = self.restarted().await;
        let worker = tokio::spawn(async move { dying.jobs.drain(&dying).await });
        let by = actor(self.state.now());
        let lose = async |tx: &mut Tx<'_>| -> Result<i64, DbError> {
            // Every part records its progress in the job, so none is written meanwhile. SQLite has one writer
            // anyway.
            if tx.engine() == Engine::Postgres {
                tx.sql("lock table jobs in share row exclusive mode").execute().await?;
            }
            let count: i64 = tx.sql(written).scalar().await?;
            if count > 0 {
                let lost = "update jobs set lease_until = $1, lease_owner = 'gone' where state = 'running'";
                tx.sql(lost).bind(by.at.plus_seconds(60)).execute().await?;
            }
            Ok(count)
        };
        let mut count = 0;
        while count == 0 && !worker.is_finished() {
            count = self.db.write(&by, lose).await.expect("read jobs");
        }
        worker.await.expect("the worker ends").expect("job lost");
        assert_eq!(
            self.db.sql(written).scalar::<i64>().await.expect("a count"),
            count,
            "the lost worker kept writing"
        );
        self.clock.advance(120);
        count
    }

    /// A super admin.
    pub async fn admin(&self) -> Client {
        self.person(|new| new.super_admin = true, None).await
    }

    /// A user whose role allows these pages and actions, in these stores (`None`: all).
    pub async fn user(&self, rights: &[(&str, &[Action])], stores: Option<&[String]>) -> Client {
        let mut permissions = Permissions::default();
        for (page, actions) in rights {
            permissions.grant(page, actions);
        }
        let stores = stores.map(<[String]>::to_vec);
        self.person(
            |new| new.store_ids = stores.as_deref().map(|s| &*Box::leak(s.to_vec().into_boxed_slice())),
            Some(permissions),
        )
        .await
    }

    /// A user after the first sign-in: no role.
    pub async fn newcomer(&self) -> Client {
        self.person(|_| (), None).await
    }

    /// A client without a session.
    pub fn nobody(&self) -> Client {
        Client { http: http(), url: self.url.clone(), token: None, uid: String::new() }
    }

    async fn person(&self, shape: impl FnOnce(&mut NewUser<'_>), permissions: Option<Permissions>) -> Client {
        let n = self.made.fetch_add(1, Ordering::Relaxed);
        let (uid, id, token) =
            (self.state.new_id(), self.state.new_id(), format!("token-{n}-{}", self.state.new_id()));
        let email = format!("person{n}-{uid}@example.com");
        let role = permissions.map(|p| (self.state.new_id(), format!("Role {n} {uid}"), p));
        let mut new = NewUser {
            uid: &uid,
            id: &id,
            email: &email,
            name: "Ana Cruz",
            password_hash: "",
            role_id: role.as_ref().map(|r| r.0.as_str()),
            super_admin: false,
            store_ids: None,
        };
        shape(&mut new);
        let (new, role) = (&new, &role);
        let actor = actor(self.state.now());
        let session = &NewSession {
            token_hash: &token_hash(&token),
            id: &self.state.new_id(),
            uid: &uid,
            kind: "office",
            provider: "password",
            authenticated_at: actor.at,
            expires_at: actor.at.plus_ms(Device::Office.life_ms()),
            // Does not time out: tests advance their clock by hours and days.
            idle_ms: Device::Office.life_ms(),
            device_hash: None,
        };
        self.db
            .write(&actor, async |tx| {
                if let Some((id, name, permissions)) = role {
                    roles::add_role(tx, id, name, permissions).await?;
                }
                users::add_user(tx, new).await?;
                sessions::open(tx, &Origin::of_work("test"), session).await
            })
            .await
            .expect("a person is added");
        Client { http: http(), url: self.url.clone(), token: Some(token), uid }
    }
}

/// A client for plain HTTP: loading the machine's certificates would take 50 ms.
pub fn http() -> reqwest::Client {
    reqwest::Client::builder().tls_certs_only([]).build().expect("a client")
}

impl Drop for App {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn serve(db: &Db, config: Config, clock: &Arc<TestClock>) -> (AppState, String) {
    let state = app::assemble_at(config, db.clone(), app::job_kinds(), clock.clone()).expect("valid server");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let service = app::service(&state);
    tokio::spawn(larder_platform::http::serve::serve(listener, service, CancellationToken::new()));
    (state, url)
}

/// The actor that sets up test data.
pub fn actor(at: Timestamp) -> Actor {
    Actor {
        uid: "test".into(),
        name: "Test".into(),
        email: "test@example.com".into(),
        from: "test".into(),
        at,
    }
}

/// A client with a browser session.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    pub url: String,
    pub token: Option<String>,
    pub uid: String,
}

/// A response of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Checks that a problem has the members required by RFC 9457 and the contract. Applied to every response
    /// in every test.
    fn check_problem(&self) {
        let kind = self.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/problem+json") || self.bytes.is_empty() {
            return;
        }
        let body = self.json();
        assert_eq!(body["status"], self.status, "a problem has the status of its response: {body}");
        for member in ["type", "title", "detail", "code"] {
            assert!(body[member].is_string(), "a problem has a {member}: {body}");
        }
        assert!(body["fields"].is_array(), "a problem names fields, or none: {body}");
        let code = body["code"].as_str().unwrap_or_default();
        assert!(codes::is_known(code), "the contract does not have the code of this problem: {body}");
    }

    /// Checks that a response has no member missing from the contract. Applied to every response in every test.
    fn check_contract(&self, method: &Method, path: &str) {
        let kind = self.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.starts_with("application/json") {
            contract::check(method.as_str(), path, self.status, &self.json());
        }
    }

    /// The JSON body, if the response has this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }
}

impl Client {
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .header("x-larder", "1")
            .header("sec-fetch-site", "same-origin");
        if let Some(token) = &self.token {
            request = request.header("cookie", format!("{COOKIE}={token}"));
        }
        request
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let (http, request) = request.build_split();
        let request = request.expect("a request");
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = http.execute(request).await.expect("a response");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, bytes: response.bytes().await.expect("read body").to_vec() };
        answer.check_problem();
        answer.check_contract(&method, &path);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::PUT, path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::PATCH, path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Uploads a file as the console does.
    pub async fn upload(&self, path: &str, bytes: impl Into<reqwest::Body>) -> Answer {
        let request = self.request(Method::POST, path).header("content-type", "application/octet-stream");
        self.send(request.body(bytes)).await
    }
}

/// A seed that follows from the committed sources, so that every change is tried with a fresh one and what passed passes
/// again; any seed without a repository. The variable of this name sets it.
pub fn fresh_seed(variable: &str) -> u64 {
    if let Some(seed) = std::env::var(variable).ok().and_then(|text| text.parse().ok()) {
        return seed;
    }
    let tree = std::process::Command::new("git").args(["rev-parse", "HEAD^{tree}"]).output().ok();
    let tree = tree.and_then(|found| String::from_utf8(found.stdout).ok());
    let seed = tree.and_then(|tree| u64::from_str_radix(tree.get(..8)?, 16).ok());
    seed.unwrap_or_else(|| u64::from(rand::random::<u32>()))
}
