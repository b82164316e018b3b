//! Devices that lose their signal, responses and memory, against the real handlers.
//!
//! Each seed is a store-day: two or three devices with wrong clocks save counts, send them over a network
//! that loses, repeats, delays and reorders, crash, send from two tabs at once, are signed out and refused,
//! while the session is locked and reopened. In the end every save must be stored once, and the current
//! counts must be those of an oracle that knows when everything was really made. The devices follow the
//! protocol; with one part of it left out ([`Without`]) the same checks must fail.
//!
//! `LARDER_COUNT_SEEDS` sets the number of seeds (1,000); a failure reports its seed, `LARDER_COUNT_SEED`
//! runs it alone.

mod device;
mod oracle;
mod world;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{Request, header};
use larder_app as app;
use larder_db::testing::clock;
use larder_domain::Timestamp;
use larder_platform::Clock;
use larder_platform::http::session::COOKIE;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tower::ServiceExt;

use self::world::World;
use super::{PATH, id};
use crate::support::{App, Client, Engine};

/// A part of the protocol to leave out, to check that it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Without {
    /// The complete protocol.
    Nothing,
    /// The server cannot tell the order of a device's saves.
    Seq,
    /// The server cannot correct a device's clock.
    SentAt,
    /// The server cannot recognize duplicates.
    Names,
    /// Devices forget a save when they send it.
    Answers,
    /// Devices forget a save that is refused.
    Patience,
}

tokio::task_local! {
    /// Time in the current seed.
    static NOW: Cell<i64>;
}

/// Each seed has its own time.
struct Hourglass;

impl Clock for Hourglass {
    fn now(&self) -> Timestamp {
        NOW.try_with(|now| Timestamp(now.get())).unwrap_or_else(|_| clock::now())
    }
}

const STORES: usize = 8;
/// The seeds are distributed over this many parallel tests per engine.
const SHARDS: u64 = 4;
const ITEMS: usize = 3;

/// A server with stores, shared by seeds: each has its own store and day.
struct Stage {
    app: App,
    on: Engine,
    router: axum::Router,
    counter: Client,
    manager: Client,
    stores: Vec<String>,
    items: Vec<String>,
}

impl Stage {
    async fn set(on: Engine) -> Arc<Stage> {
        let app = App::start_idle(on).await;
        let (counter, manager) = (app.admin().await, app.admin().await);
        let (mut stores, mut items) = (Vec::new(), Vec::new());
        for n in 0..STORES {
            stores.push(crate::users::store(&app, &format!("S{n}")).await);
        }
        for n in 0..ITEMS {
            let item = json!({ "name": format!("Item {n}") });
            items.push(id(&manager.post("/api/lists/store-inventory-items", &item).await.expect(201)));
        }
        let config = app.state.config.clone();
        let state = app::assemble_at(config, app.db.clone(), app::job_kinds(), Arc::new(Hourglass));
        let router = app::service(&state.expect("valid server"));
        Arc::new(Stage { app, on, router, counter, manager, stores, items })
    }

    /// Updates PostgreSQL's statistics as the tables grow. Elsewhere autovacuum does; the tests' server runs
    /// without it, and would keep scanning whole tables with plans for empty ones.
    async fn grown(&self) {
        if self.on == Engine::Postgres {
            let reported = self.app.db.sql("analyze store_counts, store_count_events").execute().await;
            reported.expect("analyzed");
        }
    }

    /// Calls the service like a browser, without a network in between.
    async fn ask(
        &self,
        who: Option<&Client>,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> (u16, Value) {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{PATH}{path}"))
            .header("x-larder", "1")
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = who.and_then(|who| who.token.as_ref()) {
            request = request.header(header::COOKIE, format!("{COOKIE}={token}"));
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.body(body).expect("a request");
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.expect("read body");
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

/// Runs seeds in parallel; returns errors by seed.
async fn run(stage: &Arc<Stage>, seeds: impl Iterator<Item = u64>, without: Without) -> Vec<String> {
    let mut running: JoinSet<Result<(), String>> = JoinSet::new();
    let mut wrong = Vec::new();
    for (n, seed) in seeds.enumerate() {
        if n % 250 == 50 {
            stage.grown().await;
        }
        if running.len() >= 6 {
            wrong.extend(running.join_next().await.and_then(|done| done.expect("seed completed").err()));
        }
        let stage = stage.clone();
        running.spawn(NOW.scope(Cell::new(0), async move {
            let ended = World::new(&stage, seed, without).live().await;
            ended.map_err(|what| format!("seed {seed}: {what}"))
        }));
    }
    while let Some(done) = running.join_next().await {
        wrong.extend(done.expect("seed completed").err());
    }
    wrong
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// No save is lost or stored twice, and the current counts are correct.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_save_is_lost_doubled_or_wrong(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(0, 1, 2, 3)] shard: u64,
) {
    let seeds = number("LARDER_COUNT_SEEDS").unwrap_or(1_000);
    let seeds = number("LARDER_COUNT_SEED").map_or(0..seeds, |seed| seed..seed + 1);
    let stage = Stage::set(on).await;
    let (begun, dealt) = (Instant::now(), || seeds.clone().filter(|seed| seed % SHARDS == shard));
    let wrong = run(&stage, dealt(), Without::Nothing).await;
    println!("{} seeds in {:.1} s", dealt().count(), begun.elapsed().as_secs_f64());
    assert!(wrong.is_empty(), "{} of {} seeds failed:\n{}", wrong.len(), dealt().count(), wrong.join("\n"));
}

/// Every part of the protocol is needed: without it these checks fail.
#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_part_of_the_protocol_is_needed(
    #[values(Without::Seq, Without::SentAt, Without::Names, Without::Answers, Without::Patience)]
    without: Without,
) {
    let stage = Stage::set(Engine::Sqlite).await;
    let wrong = run(&stage, 0..40, without).await;
    assert!(!wrong.is_empty(), "no check fails without {without:?}");
}
