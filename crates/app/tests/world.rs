//! A simulated group that knows the truth, played on both engines. Its seeds follow from the committed sources: every
//! change is tried with fresh ones, and what passed passes again.
//!
//! `WORLD_SEED=7` plays that seed alone, `WORLD_MINUTES` changes how long seeds are begun after the planted errors.

#[allow(dead_code)]
#[path = "api/contract.rs"]
mod contract;
#[allow(dead_code)]
#[path = "api/support.rs"]
mod support;

use std::time::Duration;

use larder_platform::Clock as _;
use larder_world::client::{Client, Done};
use larder_world::play::Host;
use larder_world::{Options, run};

use support::{App, Engine, fresh_seed};

/// A session that has been open for longer is replaced: sessions last 14 days.
const SESSION_MS: i64 = 24 * 3_600_000;

/// A server of the test with a clock that can be advanced.
struct Server {
    app: App,
    client: Option<Client>,
    signed_in: i64,
}

impl Host for Server {
    fn now(&self) -> i64 {
        self.app.clock.now().0
    }

    async fn reach(&mut self, at_ms: i64) -> Done<Client> {
        let ahead = at_ms - self.now();
        if ahead > 0 {
            self.app.clock.advance(ahead.div_euclid(1000) + 1);
        }
        match &self.client {
            Some(client) if self.now() - self.signed_in < SESSION_MS => Ok(client.clone()),
            _ => {
                let admin = self.app.admin().await;
                let client = Client::new(&admin.url, &admin.token.unwrap_or_default())?;
                (self.client, self.signed_in) = (Some(client.clone()), self.now());
                Ok(client)
            }
        }
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

async fn hold(on: Engine, seeds: u64, errors: usize, minutes: u64) {
    let mut server = Server { app: App::start(on).await, client: None, signed_in: 0 };
    let seeds = if setting("WORLD_SEED").is_some() { 1 } else { seeds };
    let first = fresh_seed("WORLD_SEED");
    println!("Seeds {first} to {}", first + seeds - 1);
    let options = Options {
        seeds: (first..first + seeds).collect(),
        days: 28,
        at_once: 4,
        errors,
        shorten: true,
        most: Some(Duration::from_secs(60 * setting("WORLD_MINUTES").unwrap_or(minutes))),
        tag: "t".to_owned(),
    };
    let report = run(&mut server, &options).await.unwrap_or_else(|failure| panic!("{failure}"));
    println!("{}", report.text);
    assert!(!report.failed, "{}", report.text);
    assert!(report.compared > 1_000, "{}", report.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_differs_from_the_truth() {
    hold(Engine::Sqlite, 12, 1, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_differs_from_the_truth_on_postgres() {
    hold(Engine::Postgres, 1, 0, 2).await;
}
