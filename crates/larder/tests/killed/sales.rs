//! Reading Z-readings and fetching sales under kills: each resumes with the next item, and ends with the figures of a
//! server that was never killed.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use larder_db::testing::{Temp, clock};
use larder_db::{Actor, Db, Engine};
use larder_domain::{BusinessDay, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, Home, Server, kills};

/// A job started more often than this is abandoned, so there are no more kills within one.
const MOST_KILLS: u64 = 4;

/// Kills the server, and starts another that need not wait to detect the first one's death.
async fn killed(home: &Home, server: &mut Server, more: &[(&str, &str)]) -> Caller {
    server.kill();
    let db = home.open().await;
    let text = String::new;
    let actor = Actor { uid: "test".into(), name: text(), email: text(), from: text(), at: Timestamp(0) };
    let freed = db.write(&actor, async |tx| {
        tx.sql("update jobs set lease_until = 0 where state = 'running'").execute().await
    });
    freed.await.expect("a change");
    drop(db);
    *server = Server::start_with(home, more);
    Caller::sign_in(&server.url).await
}

async fn count(db: &Db, sql: &'static str) -> i64 {
    db.sql(sql).scalar().await.expect("a number")
}

/// Waits for at least this many rows.
async fn until(home: &Home, sql: &'static str, least: i64) -> bool {
    let db = home.open().await;
    for _ in 0..1200 {
        if count(&db, sql).await >= least {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

async fn made(ana: &Caller, path: &str, body: Value) -> String {
    let made = ana.answer(Method::POST, path, Some(&body)).await;
    made["id"].as_str().expect("an id").to_owned()
}

/// A slow API with two records per day, always the same.
fn slow_api() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                let read = stream.read(&mut bytes).unwrap_or(0);
                let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
                let day = text.split("date=").nth(1).and_then(|rest| rest.get(..10)).unwrap_or_default();
                std::thread::sleep(Duration::from_millis(80));
                let line = |at: i32| json!({ "id": format!("{day}-{at}"), "store": "North", "item": "Rice", "qty": at, "net": 10 * at });
                let body = json!({ "data": [line(1), line(2)] }).to_string();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all((head + &body).as_bytes());
            });
        }
    });
    url
}

const DAYS: i64 = 40;

async fn fetched_once(home: &Home) {
    let allow = [("LARDER_OUTGOING_ALLOW", "127.0.0.1")];
    let url = slow_api();
    let mut server = Server::start_with(home, &allow);
    let mut ana = Caller::sign_in(&server.url).await;
    made(&ana, "/api/stores/locations", json!({ "name": "North", "code": "N" })).await;
    made(&ana, "/api/lists/pos-items", json!({ "description": "Rice" })).await;
    let base = "/api/tools/services/get-sales-api";
    let connector = json!({
        "name": "Tills", "schedule": { "enabled": false, "minutes": 180, "weekdays": 127 },
        "settings": { "kind": "api", "url": format!("{url}/sales?date={{date}}"), "paging": { "kind": "none" },
            "reading": { "key": "data[].id", "fields": { "store": "data[].store", "item": "data[].item",
                "quantity": "data[].qty", "net": "data[].net" } } },
    });
    let id = made(&ana, base, connector).await;
    let today = BusinessDay::of(clock::now());
    let ask = json!({ "from": today.plus(-i32::try_from(DAYS).expect("days")), "to": today.plus(-1) });
    let run = made(&ana, &format!("{base}/{id}/runs"), ask).await;
    let days = "select cast(count(*) as bigint) from sales_days";
    let rounds = kills().min(MOST_KILLS);
    for kill in 0..rounds {
        let least =
            DAYS * (i64::try_from(kill).expect("kills") + 1) / (i64::try_from(rounds).expect("kills") + 2);
        assert!(until(home, days, least).await, "days are fetched before kill {kill}");
        ana = killed(home, &mut server, &allow).await;
    }
    assert!(until(home, days, DAYS).await, "the rest is fetched");
    let mut stored = Value::Null;
    for _ in 0..200 {
        stored = ana.answer(Method::GET, &format!("{base}/{id}/runs/{run}"), None).await;
        if stored["run"]["state"] == "done" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        (&stored["run"]["state"], &stored["run"]["lines"]),
        (&json!("done"), &json!(2 * DAYS)),
        "{stored}"
    );
    let went_on = stored["log"]
        .as_array()
        .expect("a log")
        .iter()
        .any(|line| line["words"].as_str().is_some_and(|words| words.starts_with("Going on with")));
    assert!(went_on, "the log says that it went on: {stored}");
    let sums: Vec<(i64, i64, i64, i64)> = home
        .open()
        .await
        .sql("select cast(count(*) as bigint), cast(sum(lines) as bigint), cast(sum(qty) as bigint), cast(sum(net) as bigint) from sales_days")
        .all()
        .await
        .expect("sums");
    assert_eq!(sums, [(DAYS, 2 * DAYS, 3_000_000 * DAYS, 3_000 * DAYS)], "every line once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sales_are_fetched_once() {
    fetched_once(&Home::new(None)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sales_are_fetched_once_on_postgres() {
    let temp = Temp::new(Engine::Postgres).await;
    fetched_once(&Home::new(Some(temp.url.clone()))).await;
}

async fn upload(ana: &Caller, path: &str, kind: &str, body: Vec<u8>) -> Value {
    let request =
        ana.http.post(format!("{}{path}", ana.url)).bearer_auth(&ana.token).timeout(Duration::from_secs(120));
    let answer = request.header("content-type", kind).body(body).send().await.expect("an answer");
    let (status, text) = (answer.status(), answer.text().await.expect("text"));
    assert!(status.is_success(), "{path}: {status} {text}");
    serde_json::from_str(&text).expect("JSON")
}

/// Pictures generated for the reader's tests.
fn pictures() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tillread/tests/pictures");
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("pictures")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let is_picture = path.extension().is_some_and(|it| it == "png" || it == "jpg");
            is_picture.then(|| {
                (
                    path.file_name().expect("a name").to_string_lossy().into_owned(),
                    std::fs::read(&path).expect("a picture"),
                )
            })
        })
        .collect();
    found.sort();
    let drawn = image::load_from_memory(&found[0].1).expect("a picture").to_luma8();
    for border in [30, 60] {
        let mut wider = image::GrayImage::from_pixel(
            drawn.width() + 2 * border,
            drawn.height() + 2 * border,
            image::Luma([250]),
        );
        image::imageops::overlay(&mut wider, &drawn, i64::from(border), i64::from(border));
        let mut bytes = Vec::new();
        let format = image::ImageFormat::Png;
        wider.write_to(&mut std::io::Cursor::new(&mut bytes), format).expect("it is written");
        found.push((format!("wider{border}.png"), bytes));
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_are_read_once() {
    let home = Home::new(None);
    let mut server = Server::start(&home);
    let mut ana = Caller::sign_in(&server.url).await;
    let store = made(&ana, "/api/stores/locations", json!({ "name": "Cubao", "code": "CUB" })).await;
    let pictures = pictures();
    let mut truth: BTreeMap<String, Value> = BTreeMap::new();
    let mut body = Vec::new();
    for (name, bytes) in &pictures {
        let read =
            upload(&ana, "/api/tools/services/zreading-ocr/read", "application/octet-stream", bytes.clone())
                .await;
        truth.insert(name.clone(), json!([read["fields"]["gross"]["value"], read["fields"]["net"]["value"]]));
        let part = format!(
            "--cut\r\ncontent-disposition: form-data; name=\"pictures\"; filename=\"{name}\"\r\n\r\n"
        );
        body.extend_from_slice(part.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    let path = format!("/api/tools/services/zreading-ocr/uploads?storeId={store}");
    let sent = upload(&ana, &path, "multipart/form-data; boundary=cut", body).await;
    let all = i64::try_from(pictures.len()).expect("few");
    let read = "select cast(count(*) as bigint) from z_readings where state = 'needsReview'";
    for kill in 0..kills().min(MOST_KILLS).min(pictures.len() as u64 - 1) {
        assert!(until(&home, read, i64::try_from(kill).expect("few") + 1).await, "read before kill {kill}");
        server.kill();
        let left = all - count(&home.open().await, read).await;
        assert!(left > 0, "nothing was left to read at kill {kill}");
        ana = killed(&home, &mut server, &[]).await;
    }
    assert!(until(&home, read, all).await, "the rest is read");
    let page = ana.answer(Method::GET, "/api/sales/z-reading?pageSize=200", None).await;
    assert_eq!(page["total"], all, "each picture made one reading: {page}");
    let items = sent["items"].as_array().expect("items");
    assert_eq!(items.len(), pictures.len());
    for (item, (name, _)) in items.iter().zip(&pictures) {
        let id = item["id"].as_str().expect("an id");
        let one = ana.answer(Method::GET, &format!("/api/sales/z-reading/{id}"), None).await;
        let fields = &one["read"]["fields"];
        assert_eq!(json!([fields["gross"]["value"], fields["net"]["value"]]), truth[name], "{name}");
    }
}
