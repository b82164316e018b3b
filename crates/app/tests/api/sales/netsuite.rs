//! Store days as NetSuite records: export, External IDs, results.

use futures::future::join_all;
use larder_domain::{Action, BusinessDay};
use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Reading, change_reading, day, put_reading, store};
use crate::support::{App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/sales/netsuite";
const RANGE: &str = "from=2025-02-01&to=2025-02-02";

async fn days(client: &Client, layout: &str) -> Vec<Value> {
    let days = client.get(&format!("{PATH}?{RANGE}&layout={layout}")).await.expect(200);
    days["items"].as_array().expect("days").clone()
}

fn export(layout: &str) -> Value {
    json!({ "layout": layout, "from": "2025-02-01", "to": "2025-02-02" })
}

#[rstest]
#[tokio::test]
async fn days_are_exported_once_and_confirmed_or_failed(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let reading = Reading { other: 5_600, gross: 117_600, ..Reading::of(1_000) };
    let id = put_reading(&app, &makati, day("2025-02-01"), &reading).await;
    let seen = days(&admin, "cashSale").await;
    assert_eq!(
        (&seen[0]["state"], &seen[0]["externalId"], &seen[0]["total"]),
        (&json!("ready"), &json!("CS-MKT-20250201"), &json!(1_120))
    );
    let lacks = json!(["Z not verified.", "Till T1 has no Z-reading."]);
    assert_eq!((&seen[1]["state"], &seen[1]["reasons"]), (&json!("blocked"), &lacks));

    let made = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    assert_eq!((&made["records"], &made["left"][0]["reasons"]), (&json!(1), &lacks));
    let at = format!("{PATH}/exports/{}/file", made["id"].as_str().expect("an id"));
    let file = admin.get(&at).await;
    let text = file.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("External ID,Date,Customer,"), "{}", lines[0]);
    // 1,000 and the discount of 56 ÷ 1.12 = 50 deducted from it.
    assert!(
        lines[1].ends_with("VATable sales,VATable sales,1,1050,1050,VAT_PH:S-PH,126,1176"),
        "{}",
        lines[1]
    );
    assert!(lines[2].ends_with("Other discount,Other discount,1,-50,-50,VAT_PH:S-PH,-6,-56"), "{}", lines[2]);
    assert!(lines[1].starts_with("CS-MKT-20250201,02/01/2025,Makati walk-in,"), "{}", lines[1]);
    assert_eq!(lines.len(), 3);
    let none = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(422);
    assert_eq!(none["detail"], "Nothing can be exported. Z not verified.");

    let result = "External ID,Internal ID,Status,Error Message\nCS-MKT-20250201,,Error,Invalid item reference key\nCS-X-1,9,Success,\n";
    let said = admin.upload(&format!("{PATH}/results?fileName=results.csv"), result).await.expect(200);
    assert_eq!(
        (&said["confirmed"], &said["failed"][0]["message"], &said["unknown"]),
        (&json!(0), &json!("Invalid item reference key"), &json!(["CS-X-1"]))
    );
    let seen = days(&admin, "cashSale").await;
    assert_eq!(
        (&seen[0]["state"], &seen[0]["message"]),
        (&json!("failed"), &json!("Invalid item reference key"))
    );

    // It is exported again with its External ID, whatever the store's code is now.
    let location = admin.get(&format!("/api/stores/locations/{makati}")).await.expect(200);
    admin
        .patch(
            &format!("/api/stores/locations/{makati}"),
            &json!({ "posCode": "NEW", "revision": location["revision"] }),
        )
        .await
        .expect(200);
    let made = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    assert_eq!(made["records"], 1);
    let good = "External ID;Status\nCS-MKT-20250201;Success\n";
    let said = admin.upload(&format!("{PATH}/results?fileName=results.csv"), good).await.expect(200);
    assert_eq!(said["confirmed"], 1);
    assert_eq!(days(&admin, "cashSale").await[0]["state"], "confirmed");

    // A reading changed afterwards is detected, and may be exported again.
    change_reading(&app, &id, 100).await;
    let seen = days(&admin, "cashSale").await;
    assert_eq!((&seen[0]["changed"], &seen[0]["externalId"]), (&json!(true), &json!("CS-MKT-20250201")));
    assert_eq!(admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201)["records"], 1);
    let seen = days(&admin, "invoice").await;
    assert_eq!(
        (&seen[0]["state"], &seen[0]["externalId"]),
        (&json!("elsewhere"), &json!("INV-NEW-20250201")),
        "each layout has its own names"
    );
}

/// Withdraws days of a store from a layout.
fn withdrawal(layout: &str, store: &str, days: &[&str]) -> Value {
    let days: Vec<Value> = days.iter().map(|date| json!({ "storeId": store, "date": date })).collect();
    json!({ "layout": layout, "days": days, "reason": "Wrong layout" })
}

/// The day on which the tests export, as it is shown.
fn today(app: &App) -> String {
    BusinessDay::of(app.clock.now()).display()
}

#[rstest]
#[tokio::test]
async fn a_day_goes_once_in_one_layout(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_reading(&app, &makati, day("2025-02-01"), &Reading::of(100)).await;
    admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    let words = format!("Went out as Cash Sale (CS-MKT-20250201) on {}. Withdraw it first.", today(&app));
    for layout in ["invoice", "journalEntry"] {
        let seen = days(&admin, layout).await;
        assert_eq!(
            (&seen[0]["state"], &seen[0]["reasons"]),
            (&json!("elsewhere"), &json!([words])),
            "{layout}"
        );
        let sent = seen[0]["sentAs"].as_array().expect("records");
        assert_eq!(sent.len(), 1, "{layout}");
        assert_eq!(
            (&sent[0]["layout"], &sent[0]["externalId"], &sent[0]["state"], &sent[0]["withdrawn"]),
            (&json!("cashSale"), &json!("CS-MKT-20250201"), &json!("exported"), &Value::Null)
        );
        for again in [false, true] {
            let mut body = export(layout);
            body["again"] = json!(again);
            let refused = admin.post(&format!("{PATH}/export"), &body).await.expect(422);
            assert_eq!(refused["detail"], format!("Nothing can be exported. {words}"));
        }
    }

    // The next day can go as an invoice; the one that went is named beside it.
    put_reading(&app, &makati, day("2025-02-02"), &Reading::of(200)).await;
    let made = admin.post(&format!("{PATH}/export"), &export("invoice")).await.expect(201);
    let left = made["left"].as_array().expect("days");
    assert_eq!((&made["records"], left.len(), &left[0]["reasons"]), (&json!(1), 1, &json!([words])));
    let list = admin.get(&format!("{PATH}?{RANGE}&layout=cashSale")).await.expect(200);
    assert_eq!(list["counts"], json!({ "exported": 1, "elsewhere": 1 }));
}

#[rstest]
#[tokio::test]
async fn withdrawn_it_goes_in_another(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati", "MKT").await, store(&admin, "Pasig", "PSG").await);
    for date in ["2025-02-01", "2025-02-02"] {
        put_reading(&app, &makati, day(date), &Reading::of(100)).await;
    }
    let at = format!("{PATH}/withdraw");
    let one = withdrawal("cashSale", &makati, &["2025-02-01"]);
    assert_eq!(admin.post(&at, &one).await.expect(409)["code"], "state", "nothing went yet");
    assert_eq!(admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201)["records"], 2);

    // It needs a reason, days of the layout, the right to export, and access to the store.
    let mut bare = one.clone();
    (bare["days"], bare["reason"]) = (json!([]), json!("  "));
    let said = admin.post(&at, &bare).await.expect(422);
    let fields: Vec<&Value> =
        said["fields"].as_array().expect("fields").iter().map(|field| &field["field"]).collect();
    assert_eq!(fields, ["days", "reason"]);
    let mut many = one.clone();
    many["days"] = json!(vec![one["days"][0].clone(); 1_001]);
    let said = admin.post(&at, &many).await.expect(422);
    assert_eq!(said["fields"][0]["message"], "Withdraw at most 1000 days at once.");
    let other = withdrawal("invoice", &makati, &["2025-02-01"]);
    let refused = admin.post(&at, &other).await.expect(409);
    let words = "Makati, 1 Feb 2025 did not go as Invoice, or was withdrawn already. Nothing was withdrawn.";
    assert_eq!((&refused["code"], &refused["detail"]), (&json!("state"), &json!(words)));
    let viewer = app.user(&[("sales/netsuite", &[Action::View, Action::Import][..])], None).await;
    assert_eq!(viewer.post(&at, &one).await.expect(403)["code"], "forbidden");
    let rights = [("sales/netsuite", &[Action::View, Action::Export][..])];
    let far = app.user(&rights, Some(std::slice::from_ref(&pasig))).await;
    assert_eq!(far.post(&at, &one).await.expect(403)["code"], "outOfScope");

    let own = app.user(&rights, Some(std::slice::from_ref(&makati))).await;
    let done = own.post(&at, &one).await.expect(200);
    assert_eq!(done["externalIds"], json!(["CS-MKT-20250201"]));
    assert_eq!(admin.post(&at, &one).await.expect(409)["code"], "state", "once");
    let both = withdrawal("cashSale", &makati, &["2025-02-01", "2025-02-02"]);
    assert_eq!(admin.post(&at, &both).await.expect(409)["code"], "state", "all or none");
    let seen = days(&admin, "cashSale").await;
    let of_makati = seen.iter().filter(|one| one["storeName"] == "Makati");
    let states: Vec<&Value> = of_makati.map(|one| &one["state"]).collect();
    assert_eq!(states, ["ready", "exported"]);
    let withdrawn = &seen[0]["sentAs"][0]["withdrawn"];
    assert_eq!((&withdrawn["reason"], &withdrawn["by"]), (&json!("Wrong layout"), &json!("Ana Cruz")));
    let past = admin.get("/api/history?kind=netsuiteExport&id=CS-MKT-20250201").await.expect(200);
    let changes = past["items"][0]["changes"].as_array().expect("changes");
    let state = json!({ "field": "state", "before": "exported", "after": "withdrawn" });
    let reason = json!({ "field": "reason", "before": "", "after": "Wrong layout" });
    assert!(changes.contains(&state) && changes.contains(&reason), "{changes:?}");

    // NetSuite's late answer does not bring it back.
    let result = "External ID,Status\nCS-MKT-20250201,Success\n";
    let said = admin.upload(&format!("{PATH}/results?fileName=r.csv"), result).await.expect(200);
    assert_eq!((&said["confirmed"], &said["withdrawn"]), (&json!(0), &json!(["CS-MKT-20250201"])));
    assert_eq!(days(&admin, "cashSale").await[0]["state"], "ready");

    // In another layout it goes under that one's name, and back again under the first one.
    assert_eq!(admin.post(&format!("{PATH}/export"), &export("invoice")).await.expect(201)["records"], 1);
    assert_eq!(days(&admin, "invoice").await[0]["state"], "exported");
    assert_eq!(days(&admin, "cashSale").await[0]["state"], "elsewhere");
    admin.post(&at, &withdrawal("invoice", &makati, &["2025-02-01"])).await.expect(200);
    let location = admin.get(&format!("/api/stores/locations/{makati}")).await.expect(200);
    let named = json!({ "posCode": "NEW", "revision": location["revision"] });
    admin.patch(&format!("/api/stores/locations/{makati}"), &named).await.expect(200);
    assert_eq!(days(&admin, "cashSale").await[0]["externalId"], "CS-MKT-20250201");
    assert_eq!(admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201)["records"], 1);
    let seen = days(&admin, "cashSale").await;
    assert_eq!((&seen[0]["state"], &seen[0]["externalId"]), (&json!("exported"), &json!("CS-MKT-20250201")));
    assert_eq!(seen[0]["sentAs"][0]["withdrawn"], Value::Null);
}

/// Exports tried at the same time.
const AT_ONCE: usize = 16;

#[rstest]
#[tokio::test]
async fn two_exports_at_once_send_a_day_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_reading(&app, &makati, day("2025-02-01"), &Reading::of(100)).await;
    let client = &admin;
    let tries = (0..AT_ONCE).map(|nth| async move {
        let layout = ["cashSale", "invoice"][nth % 2];
        let answer = client.post(&format!("{PATH}/export"), &export(layout)).await;
        (answer.status, answer.json())
    });
    let mut answers = join_all(tries).await;
    answers.sort_by_key(|(status, _)| *status);
    assert_eq!((answers[0].0, &answers[0].1["records"]), (201, &json!(1)));
    for (status, refused) in &answers[1..] {
        let late = matches!(
            (*status, refused["code"].as_str()),
            (409, Some("exported")) | (422, Some("nothingToExport"))
        );
        assert!(late, "{status} {refused}");
    }
    assert_eq!(admin.get(&format!("{PATH}/exports")).await.expect(200)["total"], 1);
    let sent = days(&admin, "cashSale").await[0]["sentAs"].clone();
    assert_eq!((sent.as_array().map(Vec::len), &sent[0]["layout"]), (Some(1), &answers[0].1["layout"]));
}

#[rstest]
#[tokio::test]
async fn days_that_went_twice_are_named(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_reading(&app, &makati, day("2025-02-01"), &Reading::of(100)).await;
    admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    let (first, second) = (BusinessDay::of(app.clock.now()), BusinessDay::of(app.clock.now()).plus(1));
    // As in a database from before the rule: the younger record has no key.
    let who = actor(app.clock.now());
    let copied = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into netsuite_records (layout, store_id, business_date, external_id, state, message, export_id,
               total, digest, exported_at)
             select 'invoice', store_id, business_date, 'INV-MKT-20250201', 'confirmed', '', export_id, total, digest,
               exported_at + 86400000 from netsuite_records",
        )
        .execute()
        .await
    });
    assert_eq!(copied.await.expect("a copy"), 1);

    let words = format!(
        "Went out as Cash Sale (CS-MKT-20250201) on {} and as Invoice (INV-MKT-20250201) on {}. Withdraw one.",
        first.display(),
        second.display()
    );
    for (layout, state) in [("cashSale", "exported"), ("invoice", "confirmed"), ("journalEntry", "elsewhere")]
    {
        let seen = days(&admin, layout).await;
        assert_eq!((&seen[0]["state"], &seen[0]["reasons"]), (&json!(state), &json!([words])), "{layout}");
        let mut again = export(layout);
        again["again"] = json!(true);
        let refused = admin.post(&format!("{PATH}/export"), &again).await.expect(422);
        assert_eq!(refused["detail"], format!("Nothing can be exported. {words}"));
    }
    let live = async || -> Vec<(String, String)> {
        let query =
            app.db.sql("select external_id, live_key from netsuite_records where live_key is not null");
        query.all().await.expect("records")
    };
    let key = format!("{makati}|{}", day("2025-02-01").0);
    assert_eq!(live().await, [("CS-MKT-20250201".to_owned(), key.clone())]);

    // The one that remains counts.
    admin
        .post(&format!("{PATH}/withdraw"), &withdrawal("cashSale", &makati, &["2025-02-01"]))
        .await
        .expect(200);
    assert_eq!(live().await, [("INV-MKT-20250201".to_owned(), key)]);
    let seen = days(&admin, "invoice").await;
    assert_eq!((&seen[0]["state"], &seen[0]["reasons"]), (&json!("confirmed"), &json!([])));
    let refused = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(422);
    let words = format!("Went out as Invoice (INV-MKT-20250201) on {}. Withdraw it first.", second.display());
    assert_eq!(refused["detail"], format!("Nothing can be exported. {words}"));
}

#[rstest]
#[tokio::test]
async fn the_reasons_blocking_a_day_are_listed(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let bare = admin
        .post("/api/stores/locations", &json!({ "name": "Bare", "openingDate": "2025-02-01" }))
        .await
        .expect(201);
    let bare = bare["id"].as_str().expect("an id");
    put_reading(&app, bare, day("2025-02-01"), &Reading::of(10)).await;
    let waits = Reading { terminal: "T2".into(), state: "disputed".into(), ..Reading::of(1) };
    put_reading(&app, bare, day("2025-02-01"), &waits).await;
    let disputed = "Till T2 has a Z-reading that is disputed.";
    let all = json!(["Z not verified.", disputed, "Bare has no NetSuite customer.", "Bare has no POS code."]);
    assert_eq!(days(&admin, "cashSale").await[0]["reasons"], all);
    assert_eq!(
        days(&admin, "journalEntry").await[0]["reasons"],
        json!(["Z not verified.", disputed, "Bare has no POS code."])
    );
    let (one, two) = (store(&admin, "One", "SAME").await, store(&admin, "Two", "OTHER").await);
    // As a store from before codes had to be unique.
    let (who, id) = (crate::support::actor(larder_domain::Timestamp(0)), &two);
    let same = app.db.write(&who, async |tx| {
        tx.sql("update locations set pos_code = 'SAME' where id = $1").bind(id).execute().await
    });
    same.await.expect("a change");
    put_reading(&app, &one, day("2025-02-01"), &Reading::of(10)).await;
    let seen = days(&admin, "cashSale").await;
    let of_one = seen.iter().find(|one| one["storeName"] == "One").expect("a day");
    assert_eq!(of_one["reasons"], json!(["One has the POS code of Two."]));
}

#[rstest]
#[tokio::test]
async fn columns_are_chosen_and_previewed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "=Makati", "MKT").await;
    let tenders = json!([{ "kind": "cash", "label": "CASH", "amount": 1_000 }]);
    put_reading(&app, &makati, day("2025-02-01"), &Reading { tenders, ..Reading::of(1_000) }).await;
    let kept = admin.get(&format!("{PATH}/mapping?layout=journalEntry")).await.expect(200);
    let mut mapping = kept["mapping"].clone();
    mapping["columns"] = json!([
        { "title": "Key", "field": "externalId" }, { "title": "Day", "field": "date" },
        { "title": "Place", "field": "storeName" }, { "title": "Account", "field": "lineName" },
        { "title": "Dr", "field": "debit" }, { "title": "Cr", "field": "credit" },
        { "title": "Book", "field": "constant", "value": "=Main" },
    ]);
    mapping["names"]["cash"] = json!("10100 Undeposited funds");
    mapping["dates"] = json!("ymd");
    let ask =
        json!({ "storeId": makati, "date": "2025-02-01", "layout": "journalEntry", "mapping": mapping });
    let shown = admin.post(&format!("{PATH}/preview"), &ask).await.expect(200);
    assert_eq!(shown["total"], 0);
    let rows = shown["rows"].as_array().expect("rows");
    assert_eq!(
        rows[0],
        json!(["JE-MKT-20250201", "2025-02-01", "'=Makati", "10100 Undeposited funds", "1000", "", "'=Main"])
    );
    let cells = |row: usize| json!([rows[row][3], rows[row][4], rows[row][5]]);
    assert_eq!(cells(1), json!(["Cash over and short", "120", ""]));
    assert_eq!(cells(3), json!(["Output VAT", "", "120"]));
    let save = json!({ "layout": "journalEntry", "mapping": mapping });
    admin.put(&format!("{PATH}/mapping"), &save).await.expect(200);
    assert_eq!(admin.put(&format!("{PATH}/mapping"), &save).await.status, 409, "of an old revision");
    let made = admin.post(&format!("{PATH}/export"), &export("journalEntry")).await.expect(201);
    let text =
        admin.get(&format!("{PATH}/exports/{}/file", made["id"].as_str().expect("an id"))).await.text();
    assert!(
        text.starts_with("Key,Day,Place,Account,Dr,Cr,Book\r\nJE-MKT-20250201,2025-02-01,'=Makati,"),
        "{text}"
    );
    let mut wrong = save;
    wrong["mapping"]["revision"] = json!(1);
    wrong["mapping"]["columns"] = json!([{ "title": "", "field": "date" }]);
    let said = admin.put(&format!("{PATH}/mapping"), &wrong).await.expect(422);
    assert_eq!(said["fields"].as_array().map(Vec::len), Some(2), "{said}");
}

/// More records than NetSuite accepts at once: several files, each within the limit, singly and as one ZIP.
#[rstest]
#[tokio::test]
async fn large_exports_are_split() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let first = store(&admin, "Store 0", "S0").await;
    put_reading(&app, &first, day("2025-03-01"), &Reading::of(1_000)).await;
    let who = actor(app.clock.now());
    // 280 stores on 91 days, as copies of the first.
    let copied = app.db.write(&who, async |tx| {
        for (table, changed) in [
            ("locations", &["id", "name", "name_key", "code", "code_key", "pos_code"][..]),
            ("z_readings", &["id", "store_id", "business_date", "z_counter"][..]),
        ] {
            let columns: Vec<(String,)> =
                tx.sql("select name from pragma_table_info(").push_bind(table).push(")").all().await?;
            let all: Vec<&str> = columns.iter().map(|(name,)| name.as_str()).collect();
            let value = |name: &&str| match (table, *name) {
                (_, name) if !changed.contains(&name) => format!("t.{name}"),
                ("locations", name) => format!("t.{name} || n.i"),
                (_, "id") => "'z' || s.id || '-' || n.i".to_owned(),
                (_, "store_id") => "s.id".to_owned(),
                (_, name) => format!("t.{name} + n.i"),
            };
            let values: Vec<String> = all.iter().map(value).collect();
            let (columns, values) = (all.join(", "), values.join(", "));
            let (more, most) = if table == "locations" { ("", 279) } else { (", locations s", 90) };
            let from = if table == "locations" { 1 } else { 0 };
            let keep = if table == "locations" { "" } else { " where not (s.id = t.store_id and n.i = 0)" };
            let sql = format!(
                "with recursive n(i) as (select {from} union all select i + 1 from n where i < {most})
                 insert into {table} ({columns}) select {values} from {table} t, n{more}{keep}"
            );
            tx.sql(Box::leak(sql.into_boxed_str())).execute().await?;
        }
        Ok::<_, larder_db::DbError>(())
    });
    copied.await.expect("copies");
    let body = json!({ "layout": "cashSale", "from": "2025-03-01", "to": "2025-05-30" });
    let made = admin.post(&format!("{PATH}/export"), &body).await.expect(201);
    assert_eq!(made["records"], 280 * 91, "{made}");
    let files = made["files"].as_array().expect("files");
    let records: Vec<i64> = files.iter().map(|file| file["records"].as_i64().expect("a number")).collect();
    assert_eq!(records, [25_000, 480]);
    let id = made["id"].as_str().expect("an id");
    let mut names = std::collections::BTreeSet::new();
    let zip = admin.get(&format!("{PATH}/exports/{id}/zip")).await;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes.clone())).expect("a ZIP");
    assert_eq!(zip.len(), 2);
    for (at, file) in files.iter().enumerate() {
        let text = admin.get(&format!("{PATH}/exports/{id}/file?number={}", at + 1)).await.text();
        let mut zipped = String::new();
        let mut part = zip.by_name(file["name"].as_str().expect("a name")).expect("the file");
        std::io::Read::read_to_string(&mut part, &mut zipped).expect("text");
        assert!(zipped == text && text.starts_with("External ID,"), "as it is alone, with the heads");
        names.extend(text.lines().skip(1).filter_map(|line| line.split(',').next()).map(str::to_owned));
    }
    assert_eq!(names.len(), 280 * 91, "every record in one of them");
}

#[rstest]
#[tokio::test]
async fn export_files_need_access_to_their_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati", "MKT").await, store(&admin, "Pasig", "PSG").await);
    for store in [&makati, &pasig] {
        put_reading(&app, store, day("2025-02-01"), &Reading::of(100)).await;
    }
    let both = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    let rights = [("sales/netsuite", &[Action::View, Action::Export, Action::Import][..])];
    let own = app.user(&rights, Some(std::slice::from_ref(&makati))).await;
    let theirs = days(&own, "cashSale").await;
    let theirs: Vec<&Value> = theirs.iter().map(|one| &one["storeName"]).collect();
    assert_eq!(theirs, ["Makati", "Makati"], "both days of the range, one of them without a reading");
    let at = |made: &Value| format!("{PATH}/exports/{}/file", made["id"].as_str().expect("an id"));
    assert_eq!(own.get(&at(&both)).await.status, 403, "it contains another store's day");
    assert_eq!(own.get(&format!("{PATH}/exports")).await.expect(200)["items"], json!([]));
    let mut again = export("cashSale");
    again["again"] = json!(true);
    let made = own.post(&format!("{PATH}/export"), &again).await.expect(201);
    assert_eq!(made["records"], 1);
    assert!(!own.get(&at(&made)).await.text().contains("PSG"));
    for (client, page, found, total) in [
        (&own, "limit=1", Some(&made), 1),
        (&own, "limit=1&offset=1", None, 1),
        (&admin, "limit=1", Some(&made), 2),
        (&admin, "limit=1&offset=1", Some(&both), 2),
    ] {
        let list = client.get(&format!("{PATH}/exports?{page}")).await.expect(200);
        let ids: Vec<&Value> =
            list["items"].as_array().expect("items").iter().map(|one| &one["id"]).collect();
        let wished: Vec<&Value> = found.into_iter().map(|one| &one["id"]).collect();
        assert_eq!((ids, &list["total"]), (wished, &json!(total)), "{page}");
    }
    let result = "External ID,Error\nCS-PSG-20250201,\nCS-MKT-20250201,\n";
    let said = own.upload(&format!("{PATH}/results?fileName=r.csv"), result).await.expect(200);
    assert_eq!((&said["confirmed"], &said["unknown"]), (&json!(1), &json!(["CS-PSG-20250201"])));
    assert_eq!(said["unknownTotal"], 1);
    again["storeIds"] = json!([pasig]);
    assert_eq!(own.post(&format!("{PATH}/export"), &again).await.status, 403);
    let none = admin.upload(&format!("{PATH}/results?fileName=r.csv"), "a,b\n1,2\n").await.expect(422);
    assert_eq!(none["code"], "noExternalId");
}

#[rstest]
#[tokio::test]
async fn a_day_that_lacks_a_till_is_blocked_by_name(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let second = |z: i64| Reading { terminal: "T2".into(), z, ..Reading::of(500) };
    for date in ["2025-02-01", "2025-02-02", "2025-02-03"] {
        put_reading(&app, &makati, day(date), &Reading::of(1_000)).await;
    }
    put_reading(&app, &makati, day("2025-02-01"), &second(7)).await;
    put_reading(&app, &makati, day("2025-02-03"), &second(9)).await;
    let seen = days(&admin, "cashSale").await;
    assert_eq!(seen[0]["state"], "ready");
    assert_eq!(
        (&seen[1]["state"], &seen[1]["reasons"]),
        (&json!("blocked"), &json!(["Z not verified.", "Till T2 has no Z-reading."])),
        "one of two tills"
    );
    let tills = &seen[1]["tills"];
    assert_eq!((&tills["settled"], &tills["expected"]), (&json!(1), &json!(2)));
    let made = admin.post(&format!("{PATH}/export"), &export("cashSale")).await.expect(201);
    assert_eq!((&made["records"], &made["left"][0]["date"]), (&json!(1), &json!("2025-02-02")));
    put_reading(&app, &makati, day("2025-02-02"), &second(8)).await;
    assert_eq!(days(&admin, "cashSale").await[1]["state"], "ready");
}
