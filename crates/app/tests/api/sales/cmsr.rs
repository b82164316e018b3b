//! The certified month: what blocks it, what it keeps, and later differences.

use std::time::Duration;

use larder_db::DbError;
use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::doubled::put_sales;
use super::{Reading, change_reading, day, put_reading, store, z_reading};
use crate::support::{Answer, App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/sales/cmsr";

async fn month(client: &Client, store: &str) -> Value {
    client.get(&format!("{PATH}?storeId={store}&month=2025-02")).await.expect(200)
}

/// February 2025 with a daily reading, except on the given days.
async fn february(app: &App, store: &str, without: &[i32]) -> Vec<String> {
    let mut ids = Vec::new();
    for at in (0..28).filter(|at| !without.contains(at)) {
        ids.push(put_reading(app, store, day("2025-02-01").plus(at), &Reading::of(1_000)).await);
    }
    ids
}

fn certify(store: &str) -> Value {
    json!({ "storeId": store, "month": "2025-02", "name": "Ana Cruz", "position": "Finance manager" })
}

#[rstest]
#[tokio::test]
async fn a_month_is_certified_submitted_and_amended(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let ids = february(&app, &makati, &[26, 27]).await;
    let waits = Reading { terminal: "T2".into(), state: "needsReview".into(), ..Reading::of(1) };
    put_reading(&app, &makati, day("2025-02-28"), &waits).await;
    let shown = month(&admin, &makati).await;
    assert_eq!(shown["blocker"], "2 days lack a verified Z-reading.");
    assert_eq!(shown["missing"], json!(["2025-02-27", "2025-02-28"]));
    let refused = admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(422);
    assert_eq!(
        refused["detail"],
        "2 days lack a verified Z-reading. 27 Feb 2025: Till T1 has no Z-reading. 28 Feb 2025: Till T1 has no \
         Z-reading. Till T2 has a Z-reading that is not verified."
    );

    let closed = json!({ "storeId": makati, "date": "2025-02-27", "closed": true, "reason": "Typhoon" });
    let shown = admin.put(&format!("{PATH}/days"), &closed).await.expect(200);
    assert_eq!(shown["blocker"], "1 day lacks a verified Z-reading.");
    // The reading after the closed day continues from the one before it.
    let last = Reading { z: i64::from(day("2025-02-27").0), ..Reading::of(500) };
    put_reading(&app, &makati, day("2025-02-28"), &last).await;
    assert_eq!(
        month(&admin, &makati).await["missing"],
        json!(["2025-02-28"]),
        "another till's is still pending"
    );
    let who = crate::support::actor(larder_domain::Timestamp(0));
    let done = app.db.write(&who, async |tx| {
        tx.sql("update z_readings set state = 'discarded' where state = 'needsReview'").execute().await
    });
    done.await.expect("a change");

    // 26 days of 1,000 and one of 500 without VAT, at the store's 5%.
    let shown = month(&admin, &makati).await;
    assert_eq!(
        (&shown["content"]["foot"]["exVat"], &shown["content"]["foot"]["rent"]),
        (&json!(26_500), &json!(1_325))
    );
    assert_eq!(shown["content"]["termsFrom"], "store");
    let refused = admin
        .post(&format!("{PATH}/certify"), &json!({ "storeId": makati, "month": "2025-02" }))
        .await
        .expect(422);
    assert_eq!(refused["fields"].as_array().expect("fields").len(), 2);
    let early = admin
        .post(&format!("{PATH}/submit"), &json!({ "storeId": makati, "month": "2025-02" }))
        .await
        .expect(409);
    assert_eq!(early["detail"], "February 2025 is not certified yet. Certify it first.");
    let shown = admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(200);
    assert_eq!(
        (&shown["state"], &shown["version"], &shown["versions"][0]["readings"]),
        (&json!("certified"), &json!(1), &json!(27))
    );
    assert_eq!(admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.status, 409);
    let locked = json!({ "storeId": makati, "date": "2025-02-09", "closed": true, "reason": "x" });
    let locked = admin.put(&format!("{PATH}/days"), &locked).await.expect(409);
    assert_eq!(locked["detail"], "February 2025 is certified. Amend it first.");

    // A reading changes: the certified figures stay, and the difference is reported.
    change_reading(&app, &ids[0], 11_200).await;
    let shown = month(&admin, &makati).await;
    assert_eq!(shown["content"]["foot"]["exVat"], 26_500);
    assert_eq!(shown["differs"]["netSales"], 112);
    assert_eq!(shown["differs"]["rent"], 5);
    assert!(
        shown["differs"]["says"].as_str().expect("words").contains("differ by ₱112.00 on 1 day"),
        "{}",
        shown["differs"]
    );
    let refused =
        admin.post(&format!("{PATH}/submit"), &json!({ "storeId": makati, "month": "2025-02" })).await;
    assert_eq!(refused.status, 409, "a differing month must be amended first");
    let why = json!({ "storeId": makati, "month": "2025-02", "reason": "A Z-reading was corrected" });
    let shown = admin.post(&format!("{PATH}/amend"), &why).await.expect(200);
    assert_eq!((&shown["state"], &shown["version"]), (&json!("draft"), &json!(2)));
    assert_eq!(shown["content"]["foot"]["exVat"], 26_600);
    let shown = admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(200);
    let changes = shown["versions"][0]["changes"].as_array().expect("changes");
    assert!(changes.iter().all(|one| one["date"] == "2025-02-01") && changes.len() == 3, "{changes:?}");
    assert_eq!(shown["versions"][1]["amendReason"], "A Z-reading was corrected");
    let shown = admin
        .post(&format!("{PATH}/submit"), &json!({ "storeId": makati, "month": "2025-02" }))
        .await
        .expect(200);
    assert_eq!((&shown["state"], &shown["differs"]), (&json!("submitted"), &Value::Null));
    let old =
        admin.get(&format!("{PATH}/version?storeId={makati}&month=2025-02&version=1")).await.expect(200);
    assert_eq!(old["foot"]["exVat"], 26_500, "the old version is kept");
    let year = admin.get(&format!("{PATH}/year?year=2025")).await.expect(200);
    let glance = &year["items"][0]["months"];
    assert_eq!(
        (&glance[1]["state"], &glance[1]["version"], &glance[1]["rent"]),
        (&json!("submitted"), &json!(2), &json!(1_330))
    );
    assert_eq!(
        (&glance[0]["state"], &glance[0]["says"]),
        (&json!("draft"), &json!("31 days lack a verified Z-reading."))
    );
}

#[rstest]
#[tokio::test]
async fn a_day_is_corrected_with_a_reason(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    february(&app, &makati, &[]).await;
    let put = async |body: Value, status| admin.put(&format!("{PATH}/days"), &body).await.expect(status);
    let said =
        put(json!({ "storeId": makati, "date": "2025-02-02", "corrections": { "employee": 100 } }), 422)
            .await;
    assert_eq!(said["fields"][0], json!({ "field": "reason", "message": "Say why." }));
    let said = put(
        json!({ "storeId": makati, "date": "2025-02-02", "corrections": { "net": 100 }, "reason": "x" }),
        422,
    )
    .await;
    assert_eq!(said["fields"][0]["field"], "corrections.net");
    let body = json!({ "storeId": makati, "date": "2025-02-02", "corrections": { "employee": 112 }, "reason": "Staff meal" });
    let shown = put(body.clone(), 200).await;
    assert_eq!(shown["content"]["days"][1]["figures"]["net"], 1_008);
    assert_eq!(shown["content"]["foot"]["exVat"], 27_900);
    assert_eq!(put(body, 409).await["code"], "stale", "it was already corrected");
    let none = json!({ "storeId": makati, "date": "2025-02-02", "revision": 1 });
    assert_eq!(put(none, 200).await["content"]["foot"]["exVat"], 28_000);
}

#[rstest]
#[tokio::test]
async fn the_rent_follows_the_leases(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    february(&app, &makati, &[]).await;
    let lease = |from: &str, to: Option<&str>, fixed: i64| {
        json!({ "storeId": makati, "validFrom": from, "validTo": to, "terms": {
            "fixed": fixed, "percent": 10, "mode": "greaterOf", "breakpoints": [{ "over": 20_000, "percent": 5 }],
            "addBacks": [{ "name": "Promo fund", "amount": 1_000 }] } })
    };
    let first =
        admin.post("/api/stores/leases", &lease("2024-01-01", Some("2025-02-14"), 3_000)).await.expect(201);
    let over = admin.post("/api/stores/leases", &lease("2025-02-10", None, 1)).await.expect(422);
    assert!(
        over["fields"][0]["message"]
            .as_str()
            .expect("words")
            .starts_with("The lease from 1 Jan 2024 to 14 Feb 2025"),
        "{over}"
    );
    admin.post("/api/stores/leases", &lease("2025-02-15", None, 1_000)).await.expect(201);
    // 28,000 + 1,000: 10% of 20,000 and 5% of 9,000.
    let foot = month(&admin, &makati).await["content"]["foot"].clone();
    assert_eq!(
        (&foot["subject"], &foot["percentageRent"], &foot["rent"], &foot["greater"]),
        (&json!(29_000), &json!(2_450), &json!(2_450), &json!("percentage"))
    );
    let at = format!("/api/stores/leases/{}", first["id"].as_str().expect("an id"));
    let mut draft = lease("2024-01-01", Some("2025-02-13"), 3_000);
    draft["revision"] = json!(1);
    assert_eq!(admin.patch(&at, &draft).await.expect(200)["validTo"], "2025-02-13");
    assert_eq!(admin.patch(&at, &draft).await.status, 409);
    draft["terms"]["percent"] = json!(101);
    draft["revision"] = json!(2);
    let wrong = admin.patch(&at, &draft).await.expect(422);
    assert_eq!(wrong["fields"][0]["field"], "terms.percent");
    assert_eq!(admin.delete(&at).await.status, 204);
    assert_eq!(
        admin.get(&format!("/api/stores/leases?storeId={makati}")).await.expect(200)["items"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

#[rstest]
#[tokio::test]
async fn a_lessor_has_its_own_columns(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_reading(&app, &makati, day("2025-02-01"), &Reading::of(1_000)).await;
    let layout = json!({ "lessor": "BAYWALK malls", "layout": { "title": "Sworn sales", "statement": "I swear.",
        "columns": [{ "figure": "gross", "title": "=Gross" }, { "figure": "net", "title": "Net" }], "revision": 0 } });
    admin.put(&format!("{PATH}/layout"), &layout).await.expect(200);
    assert_eq!(admin.put(&format!("{PATH}/layout"), &layout).await.status, 409, "of an old revision");
    let shown = month(&admin, &makati).await;
    assert_eq!((&shown["layout"]["title"], &shown["layout"]["revision"]), (&json!("Sworn sales"), &json!(1)));
    let file = admin.get(&format!("{PATH}/export?storeId={makati}&month=2025-02")).await;
    let text = file.text();
    assert!(text.starts_with("\u{feff}Date,'=Gross,Net\r\n2025-02-01,1120,1120\r\n"), "{}", &text[..80]);
    assert!(text.contains("Net sales without VAT,1000"), "{text}");
    let mut wrong = layout;
    wrong["layout"]["columns"] = json!([]);
    wrong["layout"]["revision"] = json!(1);
    assert_eq!(
        admin.put(&format!("{PATH}/layout"), &wrong).await.expect(422)["fields"][0]["field"],
        "layout.columns"
    );
}

#[rstest]
#[tokio::test]
async fn a_month_needs_access_to_its_store(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati", "MKT").await, store(&admin, "Pasig", "PSG").await);
    let rights = [("sales/cmsr", &[Action::View, Action::Edit, Action::Approve, Action::Post][..])];
    let own = app.user(&rights, Some(std::slice::from_ref(&makati))).await;
    month(&own, &makati).await;
    let far = |path: &str| format!("{PATH}{path}storeId={pasig}&month=2025-02");
    assert_eq!(own.get(&far("?")).await.status, 403);
    assert_eq!(own.get(&far("/version?version=1&")).await.status, 403);
    assert_eq!(own.post(&format!("{PATH}/certify"), &certify(&pasig)).await.status, 403);
    let day = json!({ "storeId": pasig, "date": "2025-02-01", "closed": true, "reason": "x" });
    assert_eq!(own.put(&format!("{PATH}/days"), &day).await.status, 403);
    let year = own.get(&format!("{PATH}/year?year=2025")).await.expect(200);
    assert_eq!(year["items"].as_array().map(Vec::len), Some(1));
    let viewer = app.user(&[("sales/cmsr", &[Action::View])], None).await;
    assert_eq!(viewer.post(&format!("{PATH}/certify"), &certify(&makati)).await.status, 403);
    assert_eq!(admin.get(&format!("{PATH}?storeId={makati}&month=2025-13")).await.status, 422);
}

#[rstest]
#[tokio::test]
async fn a_store_starts_at_its_opening_date_or_an_earlier_sale(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = json!({ "name": "Late", "code": "LTE", "openingDate": "2025-02-20" });
    let late = admin.post("/api/stores/locations", &made).await.expect(201);
    let late = late["id"].as_str().expect("an id");
    let first_missing = async || month(&admin, late).await["missing"][0].clone();
    assert_eq!(first_missing().await, "2025-02-20");
    let who = crate::support::actor(larder_domain::Timestamp(0));
    let sold = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into sales_days (store_id, business_date, source, lines, receipts, qty, gross, discount, net,
               digest, revision, posted_at)
             values ($1, $2, 'file', 1, 0, 1000000, 1000, 0, 1000, 'x', 1, 0)",
        )
        .bind(late)
        .bind(day("2025-02-11"))
        .execute()
        .await
    });
    sold.await.expect("a sale");
    assert_eq!(first_missing().await, "2025-02-11");
    let exported = "/api/sales/netsuite?from=2025-02-01&to=2025-02-28&layout=cashSale";
    assert_eq!(admin.get(exported).await.expect(200)["items"][0]["date"], "2025-02-11");
}

#[rstest]
#[tokio::test]
async fn certifying_refuses_days_by_name(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    february(&app, &makati, &[]).await;
    let second = |z: i64| Reading { terminal: "T2".into(), z, ..Reading::of(500) };
    put_reading(&app, &makati, day("2025-02-10"), &second(7)).await;
    put_reading(&app, &makati, day("2025-02-12"), &second(9)).await;
    put_reading(&app, &makati, day("2025-02-28"), &second(10)).await;
    let refused = admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(422);
    assert_eq!(
        (&refused["code"], &refused["detail"]),
        (
            &json!("daysMissing"),
            &json!("1 day lacks a verified Z-reading. 11 Feb 2025: Till T2 has no Z-reading.")
        )
    );
    let lacking = json!([{ "date": "2025-02-11", "reasons": ["Till T2 has no Z-reading."] }]);
    assert_eq!((&refused["lacking"], &refused["days"]), (&lacking, &json!(["2025-02-11"])));
    let shown = month(&admin, &makati).await;
    assert_eq!(shown["lacking"], lacking);
    let of_day = &shown["content"]["days"][10];
    assert_eq!(
        (&of_day["settled"], &of_day["expected"], &of_day["missing"]),
        (&json!(1), &json!(2), &json!(true))
    );
    // What is recorded as absent is printed, and cannot be withdrawn from what was certified.
    let absent = format!("/api/sales/z-reading/absences/{makati}/2025-02-11?terminalId=T2");
    admin.put(&absent, &json!({ "reason": "The slip is lost" })).await.expect(200);
    let shown = admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(200);
    assert_eq!(shown["content"]["absences"][0]["reason"], "The slip is lost");
    let locked = admin.delete(&absent).await.expect(409);
    assert_eq!(locked["detail"], "February 2025 is certified. Amend it first.");
}

/// Certifies while a statement is being written that began before the month was read.
async fn certify_during(app: &App, admin: &Client, store: &str, change: &'static str) -> Answer {
    let began = tokio::sync::Notify::new();
    let (who, began) = (actor(app.state.now()), &began);
    let changes = app.db.write(&who, async |tx| -> Result<u64, DbError> {
        began.notify_one();
        // Long enough for the month to be read as it was.
        tokio::time::sleep(Duration::from_millis(500)).await;
        tx.sql(change).execute().await
    });
    let certifies = async {
        began.notified().await;
        admin.post(&format!("{PATH}/certify"), &certify(store)).await
    };
    let (changed, answer) = tokio::join!(changes, certifies);
    assert_eq!(changed.expect("a change"), 1);
    if answer.status == 200 {
        // It was read after the change.
        let why = json!({ "storeId": store, "month": "2025-02", "reason": "Once more" });
        admin.post(&format!("{PATH}/amend"), &why).await.expect(200);
    }
    answer
}

/// On SQLite, which writes one after the other: PostgreSQL may put the certificate before the change.
#[tokio::test]
async fn what_changes_meanwhile_is_not_certified_as_it_was() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    february(&app, &makati, &[]).await;
    put_sales(&app, &makati, ("api", "T1"), [112_000, 0, 0, 112_000]).await;
    let lease = json!({ "storeId": makati, "validFrom": "2025-01-01", "terms": {
        "fixed": 5_000, "percent": 0, "mode": "additive", "breakpoints": [], "addBacks": [] } });
    admin.post("/api/stores/leases", &lease).await.expect(201);
    assert_eq!(month(&admin, &makati).await["content"]["foot"]["rent"], 5_000);

    // A lease ends, then an import brings local tax.
    let answer = certify_during(&app, &admin, &makati, "update leases set valid_to = valid_from").await;
    let is_new = answer.json()["content"]["foot"]["rent"] == 1_400;
    assert!(answer.status == 409 || is_new, "{}", answer.text());
    let answer = certify_during(&app, &admin, &makati, "update sales_day_facts set local_tax = 5000").await;
    let is_new = answer.json()["content"]["days"][0]["figures"]["localTax"] == 50;
    assert!(answer.status == 409 || is_new, "{}", answer.text());
    admin.post(&format!("{PATH}/certify"), &certify(&makati)).await.expect(200);
    let kept = month(&admin, &makati).await["content"].clone();
    assert_eq!(kept["days"][0]["figures"]["localTax"], 50);
    assert_eq!(kept["termsFrom"], "store");
}

#[rstest]
#[tokio::test]
async fn the_year_and_the_month_say_the_same_of_a_running_one(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let today = z_reading::day(&app, 0);
    // To the 20th of a month.
    let first = today.plus(40).month();
    let twentieth = first.plus(19);
    app.clock.advance(i64::from(twentieth.0 - today.0) * 86_400);
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    for at in 3..19 {
        put_reading(&app, &makati, first.plus(at), &Reading::of(1_000)).await;
    }
    let (year, nth) = (&first.to_string()[..4], &first.to_string()[5..7]);
    let month = admin.get(&format!("{PATH}?storeId={makati}&month={year}-{nth}")).await.expect(200);
    let left = month["content"]["days"].as_array().expect("days").len() - 19;
    let words = format!("3 days lack a verified Z-reading. {left} days are not over.");
    assert_eq!(month["blocker"], json!(words));
    let board = admin.get(&format!("{PATH}/year?year={year}&storeIds={makati}")).await.expect(200);
    let glance = &board["items"][0]["months"][nth.parse::<usize>().expect("a month") - 1];
    assert_eq!(
        (&glance["state"], &glance["says"], &glance["missingDays"]),
        (&json!("running"), &json!(words), &json!(3))
    );
    let refused =
        json!({ "storeId": makati, "month": format!("{year}-{nth}"), "name": "Ana", "position": "Owner" });
    let refused = admin.post(&format!("{PATH}/certify"), &refused).await.expect(422);
    assert!(refused["detail"].as_str().expect("words").starts_with(&words), "{refused}");
}
