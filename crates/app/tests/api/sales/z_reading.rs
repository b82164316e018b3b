//! Z-readings: entered, checked, verified, reconciled; a till's chain and the calendar; permissions.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};
use crate::users::store;

pub const PATH: &str = "/api/sales/z-reading";

pub fn day(app: &App, ago: i32) -> BusinessDay {
    BusinessDay::of(app.state.now()).plus(-ago)
}

/// A consistent reading: ₱1,120 net, of which ₱1,000 VATable and ₱120 VAT, after ₱80 of discounts.
pub fn typed(app: &App, store: &str, counter: i64, ago: i32) -> Value {
    let begun = 10_000 + (counter - 1) * 1_120;
    let invoice = (counter - 1) * 10 + 1;
    json!({
        "storeId": store, "terminalId": "T1", "businessDate": day(app, ago), "zCounter": counter,
        "firstSi": format!("{invoice:08}"), "lastSi": format!("{:08}", invoice + 9), "transactions": 10,
        "previousTotal": begun, "presentTotal": begun + 1_120, "gross": 1_200, "net": 1_120,
        "vatable": 1_000, "vat": 120, "exempt": 0, "zeroRated": 0, "senior": 50.5, "pwd": 29.5,
        "min": "17527501567630775", "tin": "607-747-140-00095",
        "tenders": [{ "kind": "cash", "label": "CASH", "amount": 1_000 }, { "kind": "card", "label": "VISA", "amount": 120 }],
    })
}

pub async fn make(client: &Client, draft: &Value) -> Value {
    client.post(PATH, draft).await.expect(201)
}

pub fn at(reading: &Value) -> String {
    format!("{PATH}/{}", reading["id"].as_str().expect("an id"))
}

pub async fn take(client: &Client, reading: &Value, step: &str) -> Value {
    let body = json!({ "revision": reading["revision"], "reason": "Seen on paper" });
    client.post(&format!("{}/{step}", at(reading)), &body).await.expect(200)
}

fn check<'a>(reading: &'a Value, name: &str) -> &'a Value {
    let checks = reading["checks"].as_array().expect("checks");
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} in {checks:?}"))
}

#[rstest]
#[tokio::test]
async fn a_reading_is_entered_verified_and_reconciled(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let made = make(&admin, &typed(&app, &shop, 1, 3)).await;
    assert_eq!(
        (&made["state"], &made["source"], &made["storeName"]),
        (&json!("needsReview"), &json!("typed"), &json!("AYA"))
    );
    assert_eq!(
        (&made["net"], &made["senior"], &made["tenders"][1]["amount"]),
        (&json!(1120), &json!(50.5), &json!(120))
    );
    let checks = made["checks"].as_array().expect("checks");
    assert!(!checks.is_empty() && checks.iter().all(|check| check["holds"] == true), "{made}");
    assert_eq!(made["can"], json!(["verify", "dispute", "discard"]));

    // A failed check names both figures and blocks verification until a reason is given.
    let changed = admin.patch(&at(&made), &json!({ "revision": 1, "net": 1_120.98 })).await.expect(200);
    let net = check(&changed, "net");
    assert_eq!((&net["holds"], &net["left"], &net["right"]), (&json!(false), &json!(1120.98), &json!(1120)));
    let verify = format!("{}/verify", at(&made));
    let refused = admin.post(&verify, &json!({ "revision": 2 })).await.expect(422);
    assert_eq!(refused["code"], "checksFail");
    let words = refused["detail"].as_str().expect("words");
    assert!(words.contains("₱1,120.98") && words.contains("₱1,120.00"), "{words}");
    assert_eq!(refused["fields"][0]["field"], "net");
    let back = admin.patch(&at(&made), &json!({ "revision": 2, "net": 1_120 })).await.expect(200);
    let verified = admin.post(&verify, &json!({ "revision": back["revision"] })).await.expect(200);
    assert_eq!((&verified["state"], &verified["steps"][0]["step"]), (&json!("verified"), &json!("verify")));
    // Once verified, it cannot be changed.
    assert_eq!(admin.post(&verify, &json!({})).await.expect(409)["code"], "wrongStep");
    let words =
        admin.patch(&at(&made), &json!({ "revision": verified["revision"], "net": 1 })).await.expect(409);
    assert!(words["detail"].as_str().expect("words").contains("reopen"), "{words}");

    // Cannot be reconciled before the day has sales.
    let reconcile = format!("{}/reconcile", at(&made));
    assert_eq!(admin.post(&reconcile, &json!({})).await.expect(422)["code"], "noSales");
    sell(&app, &shop, 3, 112_250).await;
    let shown = admin.get(&at(&made)).await.expect(200);
    assert_eq!(shown["imported"][0]["net"], 1122.5);
    assert_eq!(check(&shown, "receiptsNet")["holds"], false);
    assert_eq!(shown["salesDiffer"], 2.5);
    let refused = admin.post(&reconcile, &json!({})).await.expect(422);
    assert!(refused["detail"].as_str().expect("words").contains("₱1,122.50"), "{refused}");
    let done = admin.post(&reconcile, &json!({ "reason": "Rounding at the till" })).await.expect(200);
    assert_eq!((&done["state"], &done["reason"]), (&json!("reconciled"), &json!("Rounding at the till")));

    // The list counts by state and finds it; it is in the file.
    let page = admin
        .get(&format!("{PATH}?storeId={shop}&state=reconciled&q=z1&from={}", day(&app, 5)))
        .await
        .expect(200);
    assert_eq!((&page["total"], &page["counts"]["reconciled"]), (&json!(1), &json!(1)));
    assert_eq!(admin.get(&format!("{PATH}?state=verified")).await.expect(200)["total"], 0);
    let file = admin.get(&format!("{PATH}/export?format=csv")).await;
    assert_eq!(file.status, 200);
    assert!(
        file.text().contains(",T1,reconciled,1,0,00000001,00000010,10,10000,11120,1200,1120,"),
        "{}",
        file.text()
    );
    assert_eq!(admin.get(&format!("{PATH}/export?format=xlsx")).await.status, 200);
}

/// Sales of a store-day, as posted elsewhere.
pub async fn sell(app: &App, store: &str, ago: i32, net: i64) {
    let on = day(app, ago);
    let actor = crate::support::actor(app.state.now());
    let written = app.db.write(&actor, async |tx| {
        tx.sql(
            "insert into sales_days (store_id, business_date, source, lines, receipts, qty, gross, discount, net, digest,
               revision, posted_at) values ($1, $2, 'file', 1, 10, 1000000, $3, 8000, $4, 'x', 1, 0)",
        )
        .bind(store)
        .bind(on)
        .bind(net + 8_000)
        .bind(net)
        .execute()
        .await
    });
    written.await.expect("sales");
}

#[rstest]
#[tokio::test]
async fn a_counter_is_unique_and_the_chain_lists_its_gaps(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    for (counter, ago) in [(1, 9), (2, 8), (4, 6), (5, 5)] {
        let made = make(&admin, &typed(&app, &shop, counter, ago)).await;
        if counter == 5 {
            assert_eq!(made["before"]["zCounter"], 4);
            assert_eq!(check(&made, "previousTotal")["holds"], true);
        }
        if counter == 4 {
            assert_eq!(
                check(&made, "zCounter")["words"],
                "The Z counter is 4, but after the reading before it should be 3."
            );
        }
        take(&admin, &made, "verify").await;
    }
    let twice = admin.post(PATH, &typed(&app, &shop, 2, 4)).await.expect(409);
    assert_eq!((&twice["code"], &twice["fields"][0]["field"]), (&json!("counterTaken"), &json!("zCounter")));
    assert_eq!(twice["other"]["businessDate"], json!(day(&app, 8)));
    assert!(twice["detail"].as_str().expect("words").contains("verified"), "{twice}");

    let chain = admin.get(&format!("{PATH}/chain?storeId={shop}&terminalId=T1")).await.expect(200);
    let counters: Vec<i64> = chain["links"]
        .as_array()
        .expect("links")
        .iter()
        .filter_map(|link| link["zCounter"].as_i64())
        .collect();
    assert_eq!(counters, [1, 2, 4, 5]);
    assert_eq!(chain["gaps"].as_array().expect("gaps").len(), 1, "{chain}");
    assert_eq!((&chain["gaps"][0]["kind"], &chain["gaps"][0]["from"]), (&json!("missing"), &json!(3)));
    let next = &chain["next"];
    assert_eq!(
        (&next["zCounter"], &next["previousTotal"], &next["firstSi"]),
        (&json!(6), &json!(15_600), &json!("00000051"))
    );

    // The missing one's day is missing in the calendar, too; a discarded one no longer counts.
    let asked = format!("{PATH}/calendar?from={}&to={}&storeIds={shop}", day(&app, 10), day(&app, 4));
    let calendar = admin.get(&asked).await.expect(200);
    let states: Vec<&str> = calendar["stores"][0]["days"]
        .as_array()
        .expect("days")
        .iter()
        .filter_map(|day| day["state"].as_str())
        .collect();
    assert_eq!(states, ["missing", "verified", "verified", "missing", "verified", "verified", "missing"]);
    let third = make(&admin, &typed(&app, &shop, 3, 7)).await;
    let calendar = admin.get(&asked).await.expect(200);
    assert_eq!(calendar["stores"][0]["days"][3]["state"], "waiting");
    assert_eq!(calendar["counts"]["verified"], 4);
    let disputed = take(&admin, &third, "dispute").await;
    assert_eq!((&disputed["state"], &disputed["reason"]), (&json!("disputed"), &json!("Seen on paper")));
    let gone = take(&admin, &disputed, "discard").await;
    let again = make(&admin, &typed(&app, &shop, 3, 7)).await;
    assert_ne!(again["id"], gone["id"]);
    // The discarded one cannot be reopened while its counter is taken.
    let refused = admin.post(&format!("{}/reopen", at(&gone)), &json!({})).await.expect(409);
    assert_eq!(refused["code"], "counterTaken");
}

#[rstest]
#[tokio::test]
async fn tills_follow_their_settings_and_learn_their_machine_number(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let made = make(&admin, &typed(&app, &shop, 1, 3)).await;
    take(&admin, &made, "verify").await;
    let tills = admin.get(&format!("{PATH}/terminals?storeId={shop}")).await.expect(200);
    let till = &tills["items"][0];
    assert_eq!((&till["min"], &till["tin"]), (&json!("17527501567630775"), &json!("607-747-140-00095")));
    let path = format!("{PATH}/terminals/{shop}/T1");
    let set = json!({ "basis": "gross", "vat": "inclusive", "min": till["min"], "revision": 0 });
    let stale = admin.put(&path, &set).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["revision"]), (&json!("stale"), &json!(1)));
    let set = json!({ "basis": "gross", "vat": "inclusive", "min": till["min"], "revision": 1 });
    assert_eq!(admin.put(&path, &set).await.expect(200)["revision"], 2);
    let shown = admin.get(&at(&made)).await.expect(200);
    let present = check(&shown, "present");
    assert_eq!(
        (&shown["basis"], &present["holds"], &present["right"]),
        (&json!("gross"), &json!(false), &json!(11_200))
    );
    assert_eq!(check(&shown, "vat")["right"], 107.14);
    let wrong = json!({ "basis": "both", "vat": "some", "revision": 2, "template": { "labels": 1 } });
    let wrong = admin.put(&path, &wrong).await.expect(422);
    assert_eq!(wrong["fields"].as_array().expect("fields").len(), 3, "{wrong}");

    // A label of the till is taught, and a field it does not print.
    let teach = format!("{path}/teach");
    let taught = admin.post(&teach, &json!({ "label": "Kabuuan:", "field": "gross" })).await.expect(200);
    assert_eq!(taught["template"]["labels"]["gross"], json!(["Kabuuan"]));
    let taught =
        admin.post(&teach, &json!({ "label": "", "field": "zero", "absent": true })).await.expect(200);
    assert_eq!(taught["template"]["absent"], json!(["zero"]));
    admin.post(&teach, &json!({ "label": "x", "field": "nothing" })).await.expect(422);
}

#[rstest]
#[tokio::test]
async fn invalid_figures_are_field_errors(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let fields = async |draft: Value| -> Vec<String> {
        let refused = admin.post(PATH, &draft).await.expect(422);
        let fields = refused["fields"].as_array().expect("fields");
        fields.iter().map(|field| field["field"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(fields(json!({})).await, ["storeId", "terminalId", "businessDate"]);
    let tomorrow = day(&app, -1);
    let draft = json!({ "storeId": shop, "terminalId": "T1", "businessDate": tomorrow, "senior": -1, "zCounter": -3 });
    assert_eq!(fields(draft).await, ["businessDate", "zCounter", "senior"]);
    let draft = json!({ "storeId": shop, "gross": "a lot", "salary": 5 });
    assert_eq!(fields(draft).await, ["gross", "salary"]);
    let refused =
        admin.post(PATH, &json!({ "storeId": shop, "businessDate": "20250-04-10" })).await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "This cannot be taken: Enter a date as YYYY-MM-DD.");
    let mut draft = typed(&app, &shop, 1, 1);
    draft["tenders"] = json!([{ "kind": "shells", "label": "", "amount": 5 }]);
    assert_eq!(fields(draft).await, ["tenders.0.kind"]);
    let mut draft = typed(&app, &shop, 1, 1);
    draft["picture"] = json!("0123456789abcdef0123456789abcdef");
    assert_eq!(fields(draft).await, ["picture"]);
    // A missing figure cannot be verified, and an old revision changes nothing.
    let bare = json!({ "storeId": shop, "terminalId": "T1", "businessDate": day(&app, 1) });
    let made = make(&admin, &bare).await;
    let refused = admin.post(&format!("{}/verify", at(&made)), &json!({})).await.expect(422);
    assert_eq!(refused["fields"].as_array().expect("fields").len(), 3, "{refused}");
    assert_eq!(
        admin.post(&format!("{}/dispute", at(&made)), &json!({})).await.expect(422)["fields"][0]["field"],
        "reason"
    );
    admin.patch(&at(&made), &json!({ "revision": 1, "gross": 5 })).await.expect(200);
    let stale = admin.patch(&at(&made), &json!({ "revision": 1, "gross": 6 })).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["gross"]), (&json!("stale"), &json!(5)));
    for wrong in ["state=lost", "sort=colour", "page=0", "from=soon"] {
        admin.get(&format!("{PATH}?{wrong}")).await.expect(422);
    }
    admin.get(&format!("{PATH}/chain?storeId={shop}")).await.expect(422);
    admin.get(&format!("{PATH}/calendar?from=2020-01-01&to=2026-01-01")).await.expect(422);
}

#[rstest]
#[tokio::test]
async fn a_repeated_reading_is_created_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    let draft = typed(&app, &shop, 1, 1);
    let send = async || {
        let request =
            admin.request(reqwest::Method::POST, PATH).header("idempotency-key", "one").json(&draft);
        admin.send(request).await.expect(201)["id"].clone()
    };
    assert_eq!(send().await, send().await);
    assert_eq!(admin.get(PATH).await.expect(200)["total"], 1);
}

#[rstest]
#[tokio::test]
async fn other_stores_and_missing_permissions_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (own, other) = (store(&app, "OWN").await, store(&app, "OTHER").await);
    let far = make(&admin, &typed(&app, &other, 1, 2)).await;
    let near = make(&admin, &typed(&app, &own, 1, 2)).await;
    let rights: &[(&str, &[Action])] = &[("sales/zReading", &[Action::View, Action::Create, Action::Edit])];
    let clerk = app.user(rights, Some(std::slice::from_ref(&own))).await;
    assert_eq!(clerk.get(PATH).await.expect(200)["total"], 1);
    assert_eq!(clerk.get(&at(&far)).await.expect(403)["code"], "outOfScope");
    clerk.get(&format!("{PATH}?storeId={other}")).await.expect(403);
    clerk.get(&format!("{PATH}/chain?storeId={other}&terminalId=T1")).await.expect(403);
    clerk.post(PATH, &typed(&app, &other, 2, 1)).await.expect(403);
    // A reading cannot be moved to an inaccessible store either.
    clerk.patch(&at(&near), &json!({ "revision": 1, "storeId": other })).await.expect(403);
    let calendar = clerk.get(&format!("{PATH}/calendar")).await.expect(200);
    assert_eq!(calendar["stores"].as_array().expect("stores").len(), 1);
    let set = json!({ "basis": "net", "vat": "exclusive", "revision": 0 });
    clerk.put(&format!("{PATH}/terminals/{other}/T1"), &set).await.expect(403);
    // Entering is not verifying.
    let refusal = clerk.post(&format!("{}/verify", at(&near)), &json!({})).await.expect(403);
    assert_eq!(
        (&refusal["code"], &refusal["detail"]),
        (&json!("forbidden"), &json!("You may not verify readings."))
    );
    let reader = app.user(&[("sales/zReading", &[Action::View])], Some(std::slice::from_ref(&own))).await;
    let refusal = reader.post(PATH, &typed(&app, &own, 2, 1)).await.expect(403);
    assert_eq!(refusal["detail"], "You may not enter readings.");
    let none = app.user(&[("stores/storeList", &[Action::View])], Some(std::slice::from_ref(&own))).await;
    assert_eq!(none.get(PATH).await.expect(403)["detail"], "You don't have access to this page.");
    clerk.get(&format!("{PATH}/export")).await.expect(403);
}
