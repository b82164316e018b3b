//! Counting under kills.

use std::sync::Arc;

use larder_db::testing::{OwnCluster, Temp};
use larder_db::{Db, Engine};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, Home, Server, kills, pause};

const WRITERS: i64 = 32;
const ITEMS: usize = 3;
const BATCH: &str = "/api/stores/count/batch";

impl Caller {
    /// Sends saves once.
    async fn send(&self, writer: i64, saves: &[Value]) -> Option<Vec<String>> {
        let answer = self.ask(Method::POST, BATCH, Some(&batch(writer, saves))).await?;
        Some(outcomes(&answer, saves.len()))
    }

    /// Sends saves until there is a response.
    async fn insist(&self, writer: i64, saves: &[Value]) -> Vec<String> {
        outcomes(&self.answer(Method::POST, BATCH, Some(&batch(writer, saves))).await, saves.len())
    }
}

fn batch(writer: i64, saves: &[Value]) -> Value {
    json!({ "sentAt": 2, "deviceId": format!("dev{writer}"), "entries": saves })
}

fn outcomes(answer: &Value, sent: usize) -> Vec<String> {
    let results = answer["results"].as_array().expect("answers");
    assert_eq!(results.len(), sent);
    results.iter().map(|one| one["outcome"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The store and its counted items.
struct Place {
    store: String,
    items: Vec<String>,
}

impl Place {
    async fn make(ana: &Caller) -> Place {
        let make = async |path: &str, body: Value| {
            let made = ana.ask(Method::POST, path, Some(&body)).await.expect("it is made");
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
        ana.ask(Method::PUT, &path, Some(&free)).await.expect("it counts at any time");
        Place { store, items }
    }

    /// Each writer counts its own day.
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

/// A writer's state: the number of its saves, and of acknowledged ones.
#[derive(Debug, Clone, Copy)]
struct Known {
    made: i64,
    answered: i64,
}

/// The writers, and their states when they wait for each other.
struct Writers {
    ana: Caller,
    place: Arc<Place>,
    known: Vec<Known>,
}

impl Writers {
    async fn of(server: &Server) -> Writers {
        let ana = Caller::sign_in(&server.url).await;
        let place = Arc::new(Place::make(&ana).await);
        Writers { ana, place, known: vec![Known { made: 0, answered: 0 }; WRITERS as usize] }
    }

    /// All of them write until the server or its database is stopped.
    async fn until(&mut self, stopped: impl AsyncFnOnce()) {
        let writers: Vec<_> = (0..WRITERS)
            .zip(&self.known)
            .map(|(writer, known)| {
                let (ana, place, mut known) = (self.ana.clone(), self.place.clone(), *known);
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
        stopped().await;
        for (known, writer) in self.known.iter_mut().zip(writers) {
            *known = writer.await.expect("a writer ends");
        }
    }

    async fn check(&mut self, kill: u64) {
        check(&self.ana, &self.place, &mut self.known, kill).await;
    }

    /// The tables match the server's responses: every save once, and their sum.
    async fn add_up(&self, db: &Db) {
        let stored = "select cast(count(*) as bigint), cast(count(distinct op) as bigint), cast(sum(qty) as bigint), \
                    (select cast(sum(qty) as bigint) from store_counts) from store_count_events";
        let stored: (i64, i64, i64, i64) = db.sql(stored).one().await.expect("an answer");
        let made: Vec<i64> = self.known.iter().map(|known| known.made).collect();
        let events: i64 = made.iter().sum();
        let sum: i64 = made.iter().map(|made| made * (made + 1) / 2).sum();
        // The last three saves of each writer are current, one per item.
        let stands: i64 = made.iter().map(|made| made * 3 - 3).sum();
        assert_eq!(stored, (events, events, sum * 1_000_000, stands * 1_000_000));
        assert!(events > WRITERS * 4, "the writers wrote");
        println!("{events} saves of {WRITERS} writers, all of them there once");
    }
}

/// Kills the server repeatedly.
async fn server_is_killed(home: &Home) -> Writers {
    let mut server = Server::start(home);
    let mut writers = Writers::of(&server).await;
    for kill in 0..kills() {
        let stop = async || {
            tokio::time::sleep(pause(kill)).await;
            server.kill();
        };
        writers.until(stop).await;
        server = Server::start(home);
        writers.ana.url.clone_from(&server.url);
        writers.check(kill).await;
    }
    server.kill();
    writers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_counts_survive_a_kill() {
    let home = Home::new(None);
    let writers = server_is_killed(&home).await;
    let db = home.open().await;
    writers.add_up(&db).await;
    let sound: Vec<(String,)> = db.sql("pragma integrity_check").all().await.expect("an answer");
    assert_eq!(sound, [("ok".to_owned(),)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_counts_survive_a_kill_on_postgres() {
    let temp = Temp::new(Engine::Postgres).await;
    let home = Home::new(Some(temp.url.clone()));
    let writers = server_is_killed(&home).await;
    writers.add_up(&temp.db).await;
}

/// The server stays, and PostgreSQL is killed: callers get an error, and are served again once it is back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_counts_survive_a_killed_database() {
    let mut cluster = OwnCluster::start().await;
    let home = Home::new(Some(cluster.url()));
    let server = Server::start(&home);
    let mut writers = Writers::of(&server).await;
    writers.ana.lenient = true;
    for kill in 0..kills() {
        let stop = async || {
            tokio::time::sleep(pause(kill)).await;
            cluster.kill();
        };
        writers.until(stop).await;
        cluster.again().await;
        writers.check(kill).await;
    }
    writers.add_up(&home.open().await).await;
}

/// Every acknowledged save exists; the others are sent again, and finally each exists once.
async fn check(ana: &Caller, place: &Place, known: &mut [Known], kill: u64) {
    for (writer, known) in (0..WRITERS).zip(known) {
        let answered: Vec<Value> = (1..=known.answered).map(|seq| place.save(writer, seq)).collect();
        for saves in answered.chunks(400) {
            let outcomes = ana.insist(writer, saves).await;
            assert!(outcomes.iter().all(|one| one == "duplicate"), "lost by kill {kill}: {outcomes:?}");
        }
        let rest: Vec<Value> = (known.answered + 1..=known.made).map(|seq| place.save(writer, seq)).collect();
        for saves in rest.chunks(400) {
            let outcomes = ana.insist(writer, saves).await;
            // A batch is one transaction: all of it was saved, or nothing.
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
            let answer = ana.answer(Method::GET, &path, None).await;
            let list = answer["events"].as_array().expect("events").clone();
            events += list.len();
            let last = list.iter().filter_map(|event| event["qty"].as_i64()).max();
            let stands = list.iter().filter(|event| event["stands"] == true);
            let stands: Vec<Option<i64>> = stands.map(|event| event["qty"].as_i64()).collect();
            assert_eq!(stands, last.map(Some).into_iter().collect::<Vec<_>>(), "the last save is current");
        }
        assert_eq!(events as i64, known.made, "each save is there once");
    }
}
