//! A second file of a store-day: added, the same, or asked about; and taken back.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, agree, figures, upload, validate};
use crate::support::{App, Client, Engine, one_engine};

const HEAD: &str = "Date,Store,Terminal,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales\n";
const TILL1: &str = "2026-11-15,Larkspur Mall,T1,1,A1,Tapsilog,1,120.00,120.00\n\
    2026-11-15,Larkspur Mall,T1,2,A1,Tapsilog,2,120.00,240.00\n";
const TILL2: &str = "2026-11-15,Larkspur Mall,T2,1,A1,Tapsilog,5,120.00,600.00\n";
const GRAB: &str = "Date,Store,Channel,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales\n\
    2026-11-15,Larkspur Mall,GrabFood,GF-1,A1,Tapsilog,3,150.00,450.00\n";

struct Stage {
    app: App,
    admin: Client,
    store: String,
}

impl Stage {
    async fn new(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let store =
            admin.post("/api/stores/locations", &json!({ "name": "Larkspur Mall" })).await.expect(201);
        let store = store["id"].as_str().expect("an id").to_owned();
        Self { app, admin, store }
    }

    /// Uploads and checks a file, read as suggested.
    async fn checked(&self, name: &str, text: &str) -> Value {
        let batch = upload(&self.admin, name, text).await;
        let checked = validate(&self.app, &self.admin, &batch, &batch["layout"]["suggestion"]).await;
        assert_eq!(
            (&checked["state"], &checked["summary"]["problemLines"]),
            (&json!("validated"), &json!(0))
        );
        checked
    }

    /// Posts a checked file.
    async fn post(&self, batch: &Value, wish: Value) {
        self.admin.post(&format!("{}/post", path(batch)), &wish).await.expect(200);
        self.app.drain().await;
        assert_eq!(self.state(batch).await, "posted");
        agree(&self.app).await;
    }

    /// Imports a file that needs no answer.
    async fn import(&self, name: &str, text: &str) -> Value {
        let batch = self.checked(name, text).await;
        self.post(&batch, json!({})).await;
        batch
    }

    /// The only store-day that is asked about.
    async fn asked(&self, batch: &Value) -> Value {
        let refused = self.admin.post(&format!("{}/post", path(batch)), &json!({})).await.expect(409);
        assert_eq!((&refused["code"], &refused["storeDays"]), (&json!("alreadyImported"), &json!(1)));
        assert_eq!(self.state(batch).await, "validated", "nothing was posted");
        refused["days"][0].clone()
    }

    async fn revert(&self, batch: &Value) {
        self.admin.post(&format!("{}/revert", path(batch)), &json!({})).await.expect(200);
        self.app.drain().await;
        assert_eq!(self.state(batch).await, "reverted");
        agree(&self.app).await;
    }

    async fn state(&self, batch: &Value) -> String {
        let batch = self.admin.get(&path(batch)).await.expect(200);
        batch["state"].as_str().expect("a state").to_owned()
    }

    /// The files that posted the days of another one before.
    async fn posted_by(&self, batch: &Value) -> Value {
        self.admin.get(&path(batch)).await.expect(200)["postedBy"].clone()
    }

    async fn day(&self) -> Value {
        self.admin.get(&format!("{HOME}/days/{}/2026-11-15", self.store)).await.expect(200)
    }

    /// Net sales, receipts and lines of the day.
    async fn sums(&self) -> Value {
        let totals = self.day().await["totals"].clone();
        json!([totals["net"], totals["receipts"], totals["lines"]])
    }

    async fn parts(&self) -> i64 {
        self.app.db.sql("select count(*) from sales_day_parts").scalar().await.expect("a count")
    }
}

fn path(batch: &Value) -> String {
    format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"))
}

/// The day's net sales after each choice.
fn nets(asked: &Value) -> Vec<(&str, f64)> {
    let choices = asked["choices"].as_array().expect("choices").iter();
    choices.map(|it| (it["id"].as_str().expect("an id"), it["net"].as_f64().expect("a number"))).collect()
}

#[rstest]
#[tokio::test]
async fn a_second_till_is_added_unasked_and_taken_back(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    assert_eq!(stage.sums().await, json!([360, 2, 2]));
    assert_eq!(stage.parts().await, 0, "a day of one file has no parts");
    let alone = figures(&stage.app).await;
    let second = stage.import("till2.csv", &format!("{HEAD}{TILL2}")).await;
    assert_eq!(stage.sums().await, json!([960, 3, 3]));
    assert_eq!((stage.state(&first).await, stage.parts().await), ("posted".to_owned(), 2));
    let both = figures(&stage.app).await;

    // The same content again changes nothing, unasked, and the day stays with the first file.
    let again = stage.import("again.csv", &format!("{HEAD}{TILL1}")).await;
    assert_eq!(figures(&stage.app).await, both);
    assert_eq!(stage.state(&first).await, "posted");

    stage.revert(&second).await;
    assert_eq!(figures(&stage.app).await, alone);
    assert_eq!(stage.parts().await, 2, "the file and its copy");
    // A reverted file is posted anew.
    stage.post(&second, json!({})).await;
    assert_eq!(stage.sums().await, json!([960, 3, 3]));
    stage.revert(&first).await;
    assert_eq!(stage.sums().await, json!([960, 3, 3]), "the copy counts in its place");
    stage.revert(&again).await;
    assert_eq!(stage.sums().await, json!([600, 1, 1]));
    stage.revert(&second).await;
    assert!(figures(&stage.app).await.is_empty());
}

#[rstest]
#[tokio::test]
async fn a_copy_taken_back_leaves_the_sales_of_the_first_file(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    let before = figures(&stage.app).await;
    let again = stage.import("again.csv", &format!("{HEAD}{TILL1}")).await;
    assert_eq!(figures(&stage.app).await, before);
    assert_eq!(stage.day().await["sources"][0]["fileName"], "till1.csv", "the day stays with its file");
    assert_eq!([stage.state(&first).await, stage.state(&again).await], ["posted", "posted"]);
    // The second file says whose days they are.
    let posted_by = json!([{ "batchId": first["id"], "fileName": "till1.csv", "storeDays": 1,
        "firstDay": "2026-11-15", "lastDay": "2026-11-15" }]);
    assert_eq!(stage.posted_by(&again).await, posted_by);
    assert_eq!(stage.posted_by(&first).await, Value::Null);
    stage.revert(&again).await;
    assert_eq!(figures(&stage.app).await, before);
    assert_eq!((stage.state(&first).await, stage.parts().await), ("posted".to_owned(), 0));
    assert_eq!(stage.posted_by(&again).await, Value::Null, "it has no days");

    // Posted twice more, the first file taken back.
    stage.import("third.csv", &format!("{HEAD}{TILL1}")).await;
    stage.post(&again, json!({})).await;
    assert_eq!((figures(&stage.app).await, stage.parts().await), (before.clone(), 3));
    stage.revert(&first).await;
    assert_eq!(figures(&stage.app).await, before);

    // A corrected line is corrected in the day, which has no copies then.
    let day = stage.day().await;
    let change = json!({ "source": "file", "revision": day["sources"][0]["revision"],
        "lines": [{ "lineNo": day["lines"][0]["lineNo"], "qty": 3 }] });
    let lines = format!("{HOME}/days/{}/2026-11-15/lines", stage.store);
    let corrected = stage.admin.patch(&lines, &change).await.expect(200);
    assert_eq!(corrected["totals"]["net"], 360 + 240);
    assert_eq!(stage.parts().await, 0);
    agree(&stage.app).await;
}

#[rstest]
#[tokio::test]
async fn a_day_that_comes_again_in_other_rows_changes_nothing(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    let before = "2026-11-14,Larkspur Mall,T1,9,A1,Tapsilog,7,120.00,840.00\n";
    let both = stage.import("both.csv", &format!("{HEAD}{before}{TILL1}")).await;
    let there = figures(&stage.app).await;
    // The second day alone, then with its receipts in another order.
    let alone = stage.import("alone.csv", &format!("{HEAD}{TILL1}")).await;
    let turned: Vec<&str> = TILL1.lines().rev().collect();
    let turned = stage.import("turned.csv", &format!("{HEAD}{}\n", turned.join("\n"))).await;
    assert_eq!(figures(&stage.app).await, there);
    stage.revert(&both).await;
    assert_eq!(stage.sums().await, json!([360, 2, 2]));
    stage.revert(&alone).await;
    stage.revert(&turned).await;
    assert!(figures(&stage.app).await.is_empty());
}

#[rstest]
#[tokio::test]
async fn a_third_file_with_the_sales_of_the_first_is_asked_about(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    stage.import("till2.csv", &format!("{HEAD}{TILL2}")).await;
    let renamed = stage.checked("main.csv", &format!("{HEAD}{}", TILL1.replace(",T1,", ",Main,"))).await;
    let asked = stage.asked(&renamed).await;
    assert_eq!(asked["comes"], json!({ "tills": ["Main"], "receipts": 2, "qty": 3, "net": 360 }));
    assert_eq!(nets(&asked)[0], ("add", 1_320.0));
    assert_eq!(stage.sums().await, json!([960, 3, 3]));
}

#[rstest]
#[tokio::test]
async fn a_delivery_apps_file_is_asked_about(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    let second = stage.import("till2.csv", &format!("{HEAD}{TILL2}")).await;
    let grab = stage.checked("grab_delivery.csv", GRAB).await;
    let asked = stage.asked(&grab).await;
    assert_eq!((&asked["storeName"], &asked["day"]), (&json!("Larkspur Mall"), &json!("2026-11-15")));
    assert_eq!(
        asked["there"],
        json!({ "files": ["till1.csv", "till2.csv"], "tills": ["T1", "T2"], "receipts": 3, "qty": 8, "net": 960 })
    );
    assert_eq!(asked["comes"], json!({ "tills": [], "receipts": 1, "qty": 3, "net": 450 }));
    assert_eq!(asked["overlap"], json!({ "receipts": 0, "qty": 0, "net": 0 }));
    // Without receipts and tills in common, these choices would change nothing.
    assert_eq!(nets(&asked), [("add", 1_410.0), ("replaceDays", 450.0)]);

    stage.post(&grab, json!({ "onExisting": "add" })).await;
    assert_eq!(stage.sums().await, json!([1_410, 4, 4]));
    stage.revert(&grab).await;
    assert_eq!(stage.sums().await, json!([960, 3, 3]));

    // Replaced, the tills come back when the file that replaced them is taken back.
    let before = figures(&stage.app).await;
    stage.post(&grab, json!({ "onExisting": "replaceDays" })).await;
    assert_eq!(stage.sums().await, json!([450, 1, 1]));
    assert_eq!([stage.state(&first).await, stage.state(&second).await], ["superseded", "superseded"]);
    stage.revert(&grab).await;
    assert_eq!(figures(&stage.app).await, before);
    assert_eq!([stage.state(&first).await, stage.state(&second).await], ["posted", "posted"]);
    stage.revert(&first).await;
    assert_eq!(stage.sums().await, json!([600, 1, 1]));
}

#[rstest]
#[tokio::test]
async fn a_till_replaced_on_request_comes_back(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    let before = figures(&stage.app).await;
    for wish in [json!({ "onExisting": "replaceDays" }), json!({ "replace": true })] {
        let second = stage.checked("till2.csv", &format!("{HEAD}{TILL2}")).await;
        stage.post(&second, wish).await;
        assert_eq!(stage.sums().await, json!([600, 1, 1]));
        assert_eq!(stage.state(&first).await, "superseded");
        stage.revert(&second).await;
        assert_eq!(figures(&stage.app).await, before);
        assert_eq!(stage.state(&first).await, "posted");
    }
}

#[rstest]
#[tokio::test]
async fn an_export_with_other_numbers_is_never_added_unasked(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    let line = |number: &str, qty: i64| {
        format!("2026-11-15,Larkspur Mall,T1,{number},A1,Tapsilog,{qty},120.00,{}.00\n", qty * 120)
    };
    // The same receipts with zeros, and a third one.
    let more = format!("{HEAD}{}{}{}", line("0001", 1), line("0002", 2), line("0003", 4));
    let more = stage.checked("more.csv", &more).await;
    let asked = stage.asked(&more).await;
    assert_eq!(asked["overlap"], json!({ "receipts": 2, "qty": 3, "net": 360 }));
    assert_eq!(nets(&asked), [("add", 1_200.0), ("replaceReceipts", 840.0)]);
    stage.post(&more, json!({ "onExisting": "replaceReceipts" })).await;
    assert_eq!(stage.sums().await, json!([840, 3, 3]));

    // The rest of the day, in the same numbering.
    stage.import("evening.csv", &format!("{HEAD}{}", line("0004", 10))).await;
    assert_eq!(stage.sums().await, json!([2_040, 4, 4]));
    // A file of totals is asked about.
    let totals =
        "Date,Store,Item Code,Item Name,Qty,Net Sales\n2026-11-15,Larkspur Mall,A1,Tapsilog,2,240.00\n";
    let totals = stage.checked("totals.csv", totals).await;
    let asked = stage.asked(&totals).await;
    assert_eq!((&asked["comes"]["receipts"], nets(&asked)[1]), (&json!(0), ("replaceDays", 240.0)));
}

#[rstest]
#[tokio::test]
async fn lines_are_corrected_and_mapped_in_the_part_they_came_from(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let first = stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    let second = stage.import("till2.csv", &format!("{HEAD}{TILL2}")).await;
    let grab = stage.checked("grab_delivery.csv", GRAB).await;
    stage.post(&grab, json!({ "onExisting": "add" })).await;
    let day = stage.day().await;
    let numbers: Vec<&Value> =
        day["lines"].as_array().expect("lines").iter().map(|line| &line["lineNo"]).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let change = json!({ "source": "file", "revision": day["sources"][0]["revision"],
        "lines": [{ "lineNo": 1, "remove": true }, { "lineNo": 3, "qty": 4 }] });
    let lines = format!("{HOME}/days/{}/2026-11-15/lines", stage.store);
    let corrected = stage.admin.patch(&lines, &change).await.expect(200);
    assert_eq!(corrected["totals"]["net"], 1_410 - 120 - 120);
    assert_eq!(stage.admin.patch(&lines, &change).await.expect(409)["code"], "stale");
    agree(&stage.app).await;

    let wish = json!({ "items": [{ "key": "a1", "create": true }] });
    stage.admin.post(&format!("{HOME}/unmapped/resolve"), &wish).await.expect(200);
    stage.app.drain().await;
    agree(&stage.app).await;
    stage.revert(&grab).await;
    stage.revert(&first).await;
    // Corrected and mapped, also as the only file that is left.
    assert_eq!(stage.sums().await, json!([480, 1, 1]));
    assert_eq!(stage.day().await["lines"][0]["posItemName"], "Tapsilog");
    assert_eq!(stage.parts().await, 0);
    stage.revert(&second).await;
    assert!(figures(&stage.app).await.is_empty());
}

/// Number of statements of a request: the minimum of three attempts, because sessions are occasionally looked up.
async fn statements(stage: &Stage, batch: &Value) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..3 {
        let before = stage.app.db.statements();
        stage.admin.post(&format!("{}/post", path(batch)), &json!({})).await.expect(409);
        least = least.min(stage.app.db.statements() - before);
    }
    least
}

#[rstest]
#[tokio::test]
async fn many_days_are_asked_about_with_as_many_statements_as_few(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let days = |count: u32, net: u32| -> String {
        let row = |day: u32| format!("2026-10-{day:02},Larkspur Mall,T1,1,A1,Tapsilog,1,{net}.00,{net}.00\n");
        HEAD.to_owned() + &(1..=count).map(row).collect::<String>()
    };
    stage.import("there.csv", &days(30, 120)).await;
    let mut counts = Vec::new();
    for count in [2, 30] {
        let batch = stage.checked(&format!("{count}.csv"), &days(count, 150)).await;
        let refused = stage.admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(409);
        assert_eq!(refused["storeDays"], count);
        counts.push(statements(&stage, &batch).await);
    }
    assert_eq!(counts[0], counts[1], "statements for 2 and 30 days");
}

#[rstest]
#[tokio::test]
async fn a_correction_of_the_first_file_comes_again_by_receipt(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.import("till1.csv", &format!("{HEAD}{TILL1}")).await;
    // Receipt 2 corrected and receipt 3 new, by choice; then the first file with another correction of receipt 2.
    let second = "2026-11-15,Larkspur Mall,T1,2,A1,Tapsilog,4,120.00,480.00\n\
        2026-11-15,Larkspur Mall,T1,3,A1,Tapsilog,1,120.00,120.00\n";
    let second = stage.checked("more.csv", &format!("{HEAD}{second}")).await;
    stage.post(&second, json!({ "onExisting": "replaceReceipts" })).await;
    assert_eq!(stage.sums().await, json!([720, 3, 3]));
    let third = TILL1.replace(",2,120.00,240.00", ",3,120.00,360.00");
    let third = stage.checked("till1.csv", &format!("{HEAD}{third}")).await;
    let asked = stage.asked(&third).await;
    assert_eq!(asked["overlap"], json!({ "receipts": 2, "qty": 5, "net": 600 }));
    stage.post(&third, json!({ "onExisting": "replaceReceipts" })).await;
    assert_eq!(stage.sums().await, json!([600, 3, 3]));
    // Taken back in any order, the day is what the others make it.
    stage.revert(&second).await;
    assert_eq!(stage.sums().await, json!([480, 2, 2]));
    stage.revert(&third).await;
    assert_eq!(stage.sums().await, json!([360, 2, 2]));
}

#[rstest]
#[tokio::test]
async fn a_job_killed_while_it_adds_to_days_adds_once(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::new(on).await;
    let till = |till: &str, net: u32| -> String {
        let row = |at: i32| {
            let day = larder_domain::BusinessDay(19_000 + at);
            format!("{day},Larkspur Mall,{till},1,A1,Tapsilog,1,{net}.00,{net}.00\n")
        };
        HEAD.to_owned() + &(0..1_200).map(row).collect::<String>()
    };
    let first = stage.import("till1.csv", &till("T1", 120)).await;
    let alone = figures(&stage.app).await;
    let second = stage.checked("till2.csv", &till("T2", 500)).await;
    stage.admin.post(&format!("{}/post", path(&second)), &json!({})).await.expect(200);
    let written = stage.app.lose_a_job("select cast(count(*) as bigint) from sales_day_parts").await;
    assert!((1..2_400).contains(&written), "{written} of 2,400 parts is not the middle");
    stage.app.drain().await;
    let net = "select cast(sum(net) as bigint) from sales_days";
    let all: i64 = stage.app.db.sql(net).scalar().await.expect("a sum");
    assert_eq!((all, stage.parts().await), (1_200 * 62_000, 2_400));
    assert_eq!([stage.state(&first).await, stage.state(&second).await], ["posted", "posted"]);
    agree(&stage.app).await;

    // So does one that is killed while it takes them back.
    stage.admin.post(&format!("{}/revert", path(&second)), &json!({})).await.expect(200);
    let gone = stage.app.lose_a_job("select 2400 - cast(count(*) as bigint) from sales_day_parts").await;
    assert!((1..2_400).contains(&gone), "{gone} of 2,400 parts is not the middle");
    stage.app.drain().await;
    assert_eq!(figures(&stage.app).await, alone);
    agree(&stage.app).await;
}
