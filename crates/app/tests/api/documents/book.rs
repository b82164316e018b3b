//! The store ledger: every document of a store, newest first, each type only with its permission.

use larder_domain::Action::{Export, View};
use larder_domain::ledger::{DocumentType, Item, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};
use larder_ledgers::stock::{Document, Posting, post};
use rstest::rstest;
use serde_json::{Value, json};

use super::{RECEIPTS, Site, made};
use crate::sales::z_reading;
use crate::support::{Client, Engine, actor, one_engine};

const PATH: &str = "/api/stores/transactions";
const TRANSFERS: &str = "/api/stores/transfers";
const WASTE: &str = "/api/stores/waste";

/// A store with every type of entry, and another store.
async fn busy(on: Engine) -> (Site, String) {
    let site = Site::start(on).await;
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    site.stock(&site.buns, 240).await;
    let sent = site.dispatched(&site.approved(4).await).await;
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]);
    for (from, to) in [(&site.store, &makati), (&makati, &site.store)] {
        let draft = json!({ "fromStoreId": from, "toStoreId": to, "lines": lines });
        site.admin.post(TRANSFERS, &draft).await.expect(201);
    }
    let today = BusinessDay::of(site.app.state.now());
    let waste = json!({
        "storeId": site.store, "businessDate": today,
        "lines": [{ "productId": site.buns, "uomId": site.piece, "qty": 2, "reason": "expired" }],
    });
    site.admin.post(WASTE, &waste).await.expect(201);
    z_reading::make(&site.admin, &z_reading::typed(&site.app, &site.store, 1, 1)).await;
    z_reading::sell(&site.app, &site.store, 1, 112_000).await;
    z_reading::sell(&site.app, &site.store, 2, 98_000).await;
    adjust(&site, today).await;
    for (ago, session) in [(1, "opening"), (1, "closing"), (3, "")] {
        count(&site, today.plus(-ago), session).await;
    }
    (site, makati)
}

async fn adjust(site: &Site, day: BusinessDay) {
    let movement = Movement {
        item: Item { kind: ItemKind::Product, id: site.buns.clone() },
        place: Place { kind: PlaceKind::Store, id: site.store.clone() },
        qty: Qty(3_000_000),
        unit_cost: None,
        line: 1,
        leg: Leg::Only,
        lot: None,
    };
    let posting = &Posting {
        document: Document::first(DocumentType::Adjustment, "adjusted1"),
        business_date: day,
        happened_at: None,
        reason: Some("Found behind the shelf"),
        movements: std::slice::from_ref(&movement),
    };
    let by = actor(site.app.state.now());
    let posted = site.app.db.write(&by, async |tx| post(tx, posting).await.map(drop));
    posted.await.expect("an adjustment");
}

async fn count(site: &Site, day: BusinessDay, session: &str) {
    let by = &larder_db::Json(json!({ "uid": "ana", "name": "Ana", "email": "ana@example.com" }));
    let store = &site.store;
    let actor = actor(site.app.state.now());
    let written = site.app.db.write(&actor, async |tx| {
        for item in ["one", "two"] {
            tx.sql(
                "insert into store_counts (store_id, date, session, item_id, qty, revision, op, stands_at, device_id, \
                 device_seq, late, counted_by, updated_at, updated_by) \
                 values ($1, $2, $3, $4, 1000000, 1, 'd:1', 1, 'd', 1, false, $5, 1, $5)",
            )
            .bind(store)
            .bind(day)
            .bind(session)
            .bind(item)
            .bind(by)
            .execute()
            .await?;
        }
        if session == "opening" {
            tx.sql(
                "insert into store_count_sessions (store_id, date, session, finished_at) values ($1, $2, $3, 1)",
            )
            .bind(store)
            .bind(day)
            .bind(session)
            .execute()
            .await?;
        }
        Ok::<_, larder_db::DbError>(())
    });
    written.await.expect("counts");
}

async fn book(client: &Client, store: &str, more: &str) -> Vec<Value> {
    let page = client.get(&format!("{PATH}?storeId={store}{more}")).await.expect(200);
    assert!(page["next"].is_null(), "{page}");
    page["items"].as_array().expect("entries").clone()
}

fn kinds(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["kind"].as_str().expect("a kind")).collect()
}

#[rstest]
#[tokio::test]
async fn the_ledger_has_every_document_of_a_store(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (site, makati) = busy(on).await;
    let (admin, store) = (&site.admin, &site.store);
    let all = book(admin, store, "").await;
    let dates: Vec<&str> = all.iter().map(|entry| entry["date"].as_str().expect("a date")).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
    let mut found = kinds(&all);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "adjustment",
            "count",
            "count",
            "count",
            "delivery",
            "order",
            "receipt",
            "salesDay",
            "salesDay",
            "transfer",
            "transfer",
            "waste",
            "zReading"
        ]
    );
    let of = |kind: &str| all.iter().find(|entry| entry["kind"] == kind).expect("an entry");
    assert_eq!((&of("salesDay")["amount"], &of("salesDay")["id"]), (&json!(1_120), &json!("file")));
    assert_eq!((&of("count")["lines"], &of("count")["by"]["name"]), (&json!(2), &json!("Ana")));
    assert_eq!(
        (&of("adjustment")["about"], &of("adjustment")["id"]),
        (&json!("Found behind the shelf"), &json!(site.buns))
    );
    assert_eq!((&of("zReading")["number"], &of("zReading")["amount"]), (&json!("1"), &json!(1_120)));
    let states: Vec<&Value> =
        all.iter().filter(|entry| entry["kind"] == "count").map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["finished", "counted", "counted"]);
    let sent: Vec<(&Value, &Value)> = all
        .iter()
        .filter(|entry| entry["kind"] == "transfer")
        .map(|entry| (&entry["sent"], &entry["otherId"]))
        .collect();
    assert!(
        sent.contains(&(&json!(true), &json!(makati))) && sent.contains(&(&json!(false), &json!(makati)))
    );

    // The same entries with any page size.
    for size in [1, 2, 5] {
        let (mut walked, mut after) = (Vec::new(), String::new());
        loop {
            let page =
                admin.get(&format!("{PATH}?storeId={store}&limit={size}&after={after}")).await.expect(200);
            let items = page["items"].as_array().expect("entries");
            assert!(items.len() <= size);
            walked.extend(items.iter().map(|entry| entry["key"].clone()));
            match page["next"].as_str() {
                Some(next) => after = next.to_owned(),
                None => break,
            }
        }
        let keys: Vec<Value> = all.iter().map(|entry| entry["key"].clone()).collect();
        assert_eq!(walked, keys, "pages of {size}");
    }

    // Filters.
    assert_eq!(
        kinds(&book(admin, store, "&kinds=salesDay,zReading").await),
        ["zReading", "salesDay", "salesDay"]
    );
    let cancelled = book(admin, store, "&stage=cancelled").await;
    assert_eq!(kinds(&cancelled), Vec::<&str>::new());
    let open = book(admin, store, "&stage=open").await;
    assert!(open.iter().all(|entry| entry["stage"] == "open") && kinds(&open).contains(&"waste"), "{open:?}");
    let done = book(admin, store, "&stage=done").await;
    assert!(done.iter().all(|entry| entry["stage"] == "done"), "{done:?}");
    assert_eq!(done.len() + open.len(), all.len());
    assert_eq!(kinds(&book(admin, store, "&kinds=count&state=finished").await), ["count"]);
    assert_eq!(kinds(&book(admin, store, "&person=ana").await), ["count", "count", "count"]);
    let number = of("receipt")["number"].as_str().expect("a number");
    assert_eq!(kinds(&book(admin, store, &format!("&q={}", number.to_lowercase())).await), ["receipt"]);
    let today = BusinessDay::of(site.app.state.now());
    let days = format!("&from={}&to={}", today.plus(-3), today.plus(-2));
    assert_eq!(kinds(&book(admin, store, &days).await), ["salesDay", "count"]);
    // The other store's ledger only has its side of the transfers.
    assert_eq!(kinds(&book(admin, &makati, "").await), ["transfer", "transfer"]);
}

#[rstest]
#[tokio::test]
async fn each_entry_type_needs_its_permission(#[from(one_engine)] on: Engine) {
    let (site, makati) = busy(on).await;
    let store = &site.store;
    let page = "stores/storeTransactions";
    let here = Some(std::slice::from_ref(store));
    let plain = site.app.user(&[(page, &[View])], here).await;
    let mut seen =
        kinds(&book(&plain, store, "").await).iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>();
    seen.sort_unstable();
    assert_eq!(seen, ["transfer", "transfer", "waste"]);
    let reply = plain.get(&format!("{PATH}?storeId={store}")).await.expect(200);
    assert_eq!(reply["kinds"], json!(["transfer", "waste"]));
    assert_eq!(book(&plain, store, "&kinds=order,zReading").await, Vec::<Value>::new());
    for (right, kind) in [
        ("stores/storeOrders", "order"),
        ("commissary/deliveries", "delivery"),
        ("stores/storeReceive", "receipt"),
        ("stores/storeInventory", "adjustment"),
        ("stores/storeCount", "count"),
        ("tools/importSalesProduct", "salesDay"),
        ("reports/reports", "salesDay"),
        ("sales/zReading", "zReading"),
    ] {
        let more = site.app.user(&[(page, &[View, Export]), (right, &[View])], here).await;
        let seen = book(&more, store, "").await;
        assert!(kinds(&seen).contains(&kind), "{right}: {seen:?}");
        // Exporting needs another permission.
        let file = more.get(&format!("{PATH}/export?storeId={store}")).await;
        let text = file.text();
        assert_eq!(text.lines().count(), 4, "{right}: {text}");
    }
    assert_eq!(plain.get(&format!("{PATH}/export?storeId={store}")).await.status, 403);
    assert_eq!(plain.get(&format!("{PATH}?storeId={makati}")).await.status, 403);
    assert_eq!(site.app.user(&[], None).await.get(&format!("{PATH}?storeId={store}")).await.status, 403);

    let file = site.admin.get(&format!("{PATH}/export?storeId={store}")).await.text();
    assert_eq!(file.lines().count(), 14, "{file}");
    assert!(file.contains(",Stock adjustment,,posted,Buns,Found behind the shelf,"), "{file}");
    assert_eq!(site.admin.get(&format!("{PATH}/export?storeId={store}&format=xlsx")).await.status, 200);
}

#[rstest]
#[tokio::test]
async fn invalid_parameters_are_field_errors(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let store = &site.store;
    for (ask, field) in [
        (String::new(), "storeId"),
        (format!("storeId={store}&kinds=order,invoice"), "kinds"),
        (format!("storeId={store}&stage=late"), "stage"),
        (format!("storeId={store}&from=yesterday"), "from"),
        (format!("storeId={store}&limit=0"), "limit"),
        (format!("storeId={store}&after=here"), "after"),
        (format!("storeId={store}&after=2026-01-01~99~x"), "after"),
        (format!("storeId={store}&person=%27"), "person"),
    ] {
        let wrong = site.admin.get(&format!("{PATH}?{ask}")).await.expect(422);
        assert_eq!(wrong["fields"][0]["field"], field, "{ask}");
    }
    assert_eq!(site.admin.get(&format!("{PATH}?storeId=nobody")).await.status, 404);
    let roots = site.admin.get(&format!("{PATH}/root-items?productId={}", site.buns)).await.expect(200);
    assert_eq!(roots, json!([]));
    let wrong = site.admin.get(&format!("{PATH}/root-items")).await.expect(422);
    assert_eq!(wrong["fields"][0]["field"], "productId");
    assert_eq!(book(&site.admin, store, "").await, Vec::<Value>::new());
}
