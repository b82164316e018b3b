//! A till's file, from upload to posted store-days and back.

use std::collections::BTreeSet;

use larder_db::DbError;
use larder_domain::Action;
use larder_domain::sales::sums;
use larder_ledgers::sales::{numbers, rebuild, verify};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor, one_engine, testdata};
use crate::users::store;

pub const HOME: &str = "/api/tools/import-sales-product";

/// A real-world file.
pub fn real_file(name: &str) -> Vec<u8> {
    testdata(&format!("sales/{name}.gz"))
}

pub async fn upload(client: &Client, name: &str, bytes: impl Into<Vec<u8>>) -> Value {
    client.upload(&format!("{HOME}/uploads?fileName={name}"), bytes.into()).await.expect(201)
}

/// The suggested mapping.
pub fn suggested(batch: &Value, store: Option<&str>) -> Value {
    let layout = &batch["layout"];
    let mut columns = serde_json::Map::new();
    for column in layout["columns"].as_array().expect("columns") {
        if let Some(field) = column["suggested"].as_str() {
            columns.insert(field.to_owned(), column["index"].clone());
        }
    }
    json!({
        "hasHeader": layout["hasHeader"],
        "columns": columns,
        "dateFormat": layout["dateFormats"][0]["format"],
        "decimal": layout["decimal"],
        "store": store.map(|id| json!({ "fixed": id })),
        "priceMeans": "unit",
        "source": "file",
    })
}

/// Maps a file and waits for the check.
pub async fn validate(app: &App, client: &Client, batch: &Value, mapping: &Value) -> Value {
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    client.put(&format!("{path}/mapping"), mapping).await.expect(200);
    app.drain().await;
    client.get(&path).await.expect(200)
}

/// Creates records for all unknown names in the file.
pub async fn create_unknowns(client: &Client, batch: &Value) -> Value {
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let unknowns = client.get(&format!("{path}/unknowns")).await.expect(200);
    let all = |list: &str, key: &str| -> Vec<Value> {
        let names = unknowns[list].as_array().expect("a list");
        names.iter().map(|name| json!({ key: name[key], "create": true })).collect()
    };
    let wish = json!({ "stores": all("stores", "name"), "items": all("items", "key") });
    client.post(&format!("{path}/resolve"), &wish).await.expect(200)
}

pub async fn post(app: &App, client: &Client, batch: &Value, replace: bool) -> Value {
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    client.post(&format!("{path}/post"), &json!({ "replace": replace })).await.expect(200);
    app.drain().await;
    client.get(&path).await.expect(200)
}

/// Imports a file into store-days, creating records for all names. Its dates have the order that is suggested.
pub async fn import(app: &App, client: &Client, name: &str, bytes: impl Into<Vec<u8>>) -> Value {
    let batch = upload(client, name, bytes).await;
    let mut mapping = suggested(&batch, None);
    mapping["answers"] = json!({ "dateOrder": mapping["dateFormat"] });
    let batch = validate(app, client, &batch, &mapping).await;
    assert_eq!(batch["state"], "validated", "{batch}");
    create_unknowns(client, &batch).await;
    let posted = post(app, client, &batch, true).await;
    assert_eq!(posted["state"], "posted", "{posted}");
    posted
}

/// Every row of every sum, as one comparable text.
pub async fn figures(app: &App) -> Vec<String> {
    let mut all = Vec::new();
    type Row = (i64, i64, String, i64, i64, i64, i64);
    let pos: Vec<Row> = app
        .db
        .sql("select grain, period, pos_item_id, qty, gross, net, lines from sales_rollup_pos")
        .all()
        .await
        .expect("sums");
    all.extend(pos.iter().map(|row| format!("{row:?}")));
    all.extend(packed_sums::<4>(app, "select store_id, grain, block, packed from sales_sums_pos").await);
    all.extend(packed_sums::<1>(app, "select store_id, grain, block, packed from sales_sums_root").await);
    let days: Vec<(String, i64, i64, i64, i64, String)> = app
        .db
        .sql("select store_id, business_date, lines, qty, net, digest from sales_days")
        .all()
        .await
        .expect("store-days");
    all.extend(days.iter().map(|row| format!("{row:?}")));
    all.sort();
    all
}

/// Stored sums item by item, by item id.
async fn packed_sums<const N: usize>(app: &App, sql: &'static str) -> Vec<String> {
    let rows: Vec<(String, i64, i64, Vec<u8>)> = app.db.sql(sql).all().await.expect("sums");
    let ids = numbers::all(&app.db).await.expect("numbers");
    let mut all = Vec::new();
    for (store, grain, block, packed) in rows {
        for sum in sums::unpack::<N>(&packed).expect("sums") {
            let id = &ids[&sum.item];
            all.push(format!("{store} {grain} {block} {} {id} {:?}", sum.slot, sum.figures));
        }
    }
    all
}

pub async fn agree(app: &App) {
    let differences = verify(&app.db).await.expect("counted");
    assert!(differences.is_empty(), "{} differ, first {:?}", differences.len(), differences.first());
}

async fn scalar(app: &App, sql: &'static str) -> i64 {
    app.db.sql(sql).scalar().await.expect("a number")
}

const SMALL: &str = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
    25/12/2019 10:00,Makati,T1,1,Rice,2,10.50\n\
    25/12/2019 10:00,Makati,T1,1,Tea,1,20\n\
    25/12/2019 11:00,Makati,T2,1,Rice,1,10.50\n\
    26/12/2019 09:00,Makati,T1,1,Tea,3,20\n\
    26/12/2019 09:30,Pasig,T9,1,Rice,-1,10.50\n";

#[rstest]
#[tokio::test]
async fn a_restaurants_four_years_are_imported(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let bytes = real_file("restaurant_orders.csv");
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "restaurant_orders.csv", bytes.clone()).await;
    assert_eq!(batch["state"], "uploaded");
    assert_eq!(batch["layout"]["delimiter"], ",");
    assert_eq!(batch["layout"]["hasHeader"], true);
    assert_eq!(batch["layout"]["rows"], 74_818);
    assert_eq!(batch["layout"]["dateFormats"][0]["format"], "dmy");
    assert_eq!(batch["layout"]["dateFormats"][0]["certain"], true);
    let mapping = suggested(&batch, None);
    assert_eq!(
        mapping["columns"],
        json!({ "receipt": 0, "date": 1, "item": 2, "quantity": 3, "unitPrice": 4, "store": 6 })
    );

    let batch = validate(&app, &admin, &batch, &mapping).await;
    let summary = &batch["summary"];
    for (what, expected) in [
        ("lines", json!(74_818)),
        ("goodLines", json!(74_818)),
        ("problemLines", json!(0)),
        ("qty", json!(93_041)),
        ("net", json!(446_517.45)),
        ("receipts", json!(15_175)),
        ("firstDay", json!("2015-09-01")),
        ("lastDay", json!("2019-08-03")),
        ("days", json!(1_207)),
        ("stores", json!(6)),
        ("items", json!(248)),
        ("storeDays", json!(1_563)),
        ("replaces", json!(0)),
        ("unmappedItems", json!(248)),
        ("unmappedStores", json!(6)),
    ] {
        assert_eq!(summary[what], expected, "{what}");
    }
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = admin.post(&format!("{path}/post"), &json!({})).await.expect(409);
    assert_eq!(refused["code"], "unknownStores");

    let resolved = create_unknowns(&admin, &batch).await;
    assert_eq!(resolved["summary"]["unmappedItems"], 0);
    assert_eq!(resolved["summary"]["unmappedStores"], 0);
    let posted = post(&app, &admin, &batch, false).await;
    assert_eq!(posted["state"], "posted", "{posted}");
    assert_eq!(scalar(&app, "select cast(sum(net) as bigint) from sales_days").await, 44_651_745);
    assert_eq!(scalar(&app, "select cast(sum(lines) as bigint) from sales_days").await, 74_818);
    assert_eq!(scalar(&app, "select cast(sum(receipts) as bigint) from sales_tills").await, 15_175);
    agree(&app).await;
    let before = figures(&app).await;

    // The same file again: no figure changes, and the store-days stay with the first batch.
    let again = upload(&admin, "again.csv", bytes).await;
    assert_eq!(again["layout"]["rememberedFrom"], "restaurant_orders.csv");
    assert_eq!(again["mapping"]["columns"], mapping["columns"]);
    let again = validate(&app, &admin, &again, &again["mapping"]).await;
    assert_eq!(again["summary"]["replaces"], 1_563);
    let path = format!("{HOME}/batches/{}", again["id"].as_str().expect("an id"));
    let again = post(&app, &admin, &again, false).await;
    assert_eq!(again["state"], "posted");
    assert_eq!(figures(&app).await, before);
    let first =
        admin.get(&format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!(first["state"], "posted");

    // One of them reverted, the other stands for the store-days; with both reverted, nothing is left.
    admin.post(&format!("{path}/revert"), &json!({})).await.expect(200);
    app.drain().await;
    assert_eq!(admin.get(&path).await.expect(200)["state"], "reverted");
    assert_eq!(figures(&app).await, before);
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    admin.post(&format!("{path}/revert"), &json!({})).await.expect(200);
    app.drain().await;
    assert_eq!(admin.get(&path).await.expect(200)["state"], "reverted");
    assert!(figures(&app).await.is_empty());
    assert_eq!(scalar(&app, "select cast(count(*) as bigint) from sales_lines").await, 0);
    assert_eq!(scalar(&app, "select cast(count(*) as bigint) from sales_tills").await, 0);
}

#[rstest]
#[tokio::test]
async fn a_killed_job_ends_with_the_same_figures(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let bytes = real_file("restaurant_orders.csv");
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "orders.csv", bytes).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    create_unknowns(&admin, &batch).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    admin.post(&format!("{path}/post"), &json!({})).await.expect(200);

    let written = app.lose_a_job("select cast(count(*) as bigint) from sales_days").await;
    assert!((1..1_563).contains(&written), "{written} of 1,563 store-days is not the middle");
    assert_eq!(admin.get(&path).await.expect(200)["state"], "posting");
    app.drain().await;
    assert_eq!(admin.get(&path).await.expect(200)["state"], "posted");
    assert_eq!(scalar(&app, "select cast(sum(net) as bigint) from sales_days").await, 44_651_745);
    assert_eq!(scalar(&app, "select cast(count(*) as bigint) from sales_days").await, 1_563);
    agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn a_bakery_without_header_price_and_quantity_is_imported(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let bytes = real_file("bakery_transactions.csv");
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": "The bakery" })).await.expect(201);
    let batch = upload(&admin, "bakery.csv", bytes).await;
    assert_eq!(batch["layout"]["hasHeader"], false);
    assert_eq!(batch["layout"]["dateFormats"][0]["format"], "ymd");
    let mapping = suggested(&batch, store["id"].as_str());
    assert_eq!(mapping["columns"], json!({ "date": 0, "time": 1, "receipt": 2, "item": 3 }));
    let batch = validate(&app, &admin, &batch, &mapping).await;
    let summary = &batch["summary"];
    assert_eq!(summary["goodLines"], 21_293);
    assert_eq!(summary["qty"], 21_293);
    assert_eq!(summary["net"], 0);
    assert_eq!(summary["items"], 95);
    assert_eq!(summary["unmappedStores"], 0);
    // Items may stay unmapped.
    let posted = post(&app, &admin, &batch, false).await;
    assert_eq!(posted["state"], "posted", "{posted}");
    agree(&app).await;
    let unmapped = admin.get(&format!("{HOME}/unmapped")).await.expect(200);
    assert_eq!(unmapped["total"], 95);
    assert_eq!(unmapped["message"], "95 items are not mapped.");

    // Mapped later, the sums move.
    let coffee =
        admin.post("/api/lists/pos-items", &json!({ "description": "Barako coffee" })).await.expect(201);
    let wish = json!({ "items": [{ "key": "coffee", "posItemId": coffee["id"] }, { "key": "bread", "create": true }] });
    admin.post(&format!("{HOME}/unmapped/resolve"), &wish).await.expect(200);
    app.drain().await;
    let unmapped = admin.get(&format!("{HOME}/unmapped")).await.expect(200);
    assert_eq!(unmapped["total"], 93);
    let id = coffee["id"].as_str().expect("an id");
    let cups: i64 = app
        .db
        .sql("select cast(sum(qty) as bigint) from sales_rollup_pos where grain = 30 and pos_item_id = $1")
        .bind(id)
        .scalar()
        .await
        .expect("a sum");
    assert_eq!(cups, 5_471_000_000);
    agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn receipts_with_the_same_number_stay_separate(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let posted = import(&app, &admin, "small.csv", SMALL).await;
    assert_eq!(posted["summary"]["receipts"], 4);
    assert_eq!(posted["summary"]["net"], 101);
    let terminals = posted["summary"]["terminals"].as_array().expect("terminals");
    assert_eq!(terminals.len(), 3);

    let coverage = admin.get(&format!("{HOME}/coverage?from=2019-12-24&to=2019-12-26")).await.expect(200);
    let makati = &coverage["stores"][0];
    assert_eq!(makati["name"], "Makati");
    let states: Vec<&str> =
        makati["cells"].as_array().expect("cells").iter().filter_map(|c| c["state"].as_str()).collect();
    assert_eq!(states, ["none", "posted", "posted"]);
    assert_eq!(makati["cells"][1]["net"], 51.5);

    let store = makati["id"].as_str().expect("an id");
    let day = admin.get(&format!("{HOME}/days/{store}/2019-12-25")).await.expect(200);
    assert_eq!(
        day["totals"],
        json!({ "lines": 3, "receipts": 2, "qty": 4, "gross": 51.5, "discount": 0, "net": 51.5 })
    );
    assert_eq!(day["sources"][0]["fileName"], "small.csv");
    let line = &day["lines"][0];
    assert_eq!((line["receiptNo"].as_str(), line["lineNo"].as_i64()), (Some("1"), Some(2)));
    assert_eq!(line["soldAt"], "2019-12-25T02:00:00.000Z");
    assert_eq!((line["sourceItem"].as_str(), line["posItemName"].as_str()), (Some("Rice"), Some("Rice")));

    let tills =
        admin.get(&format!("{HOME}/terminal-summary?from=2019-12-25&to=2019-12-26")).await.expect(200);
    let tills = tills["items"].as_array().expect("rows");
    assert_eq!(tills.len(), 3);
    let first = tills.iter().find(|t| t["terminalId"] == "T1").expect("a till");
    assert_eq!(
        (first["days"].as_i64(), first["receipts"].as_i64(), first["net"].as_i64()),
        (Some(2), Some(2), Some(101 - 10 + 20 - 10))
    );
    assert_eq!(first["message"], "Unknown terminal T1.");
}

#[rstest]
#[tokio::test]
async fn correcting_a_posted_line_updates_all_sums(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    import(&app, &admin, "small.csv", SMALL).await;
    let store: (String,) =
        app.db.sql("select id from locations where name = 'Makati'").one().await.expect("a store");
    let path = format!("{HOME}/days/{}/2019-12-25", store.0);
    let day = admin.get(&path).await.expect(200);
    let revision = day["sources"][0]["revision"].clone();
    let change = json!({ "source": "file", "revision": revision, "lines": [{ "lineNo": 2, "qty": 5 }, { "lineNo": 3, "remove": true }] });
    let after = admin.patch(&format!("{path}/lines"), &change).await.expect(200);
    assert_eq!(after["totals"]["net"], 63);
    assert_eq!(after["totals"]["lines"], 2);
    assert!(after["sources"][0]["correctedAt"].is_string());
    agree(&app).await;
    // With an old revision nothing changes.
    let stale = admin.patch(&format!("{path}/lines"), &change).await.expect(409);
    assert_eq!(stale["code"], "stale");
    let wrong = json!({ "source": "file", "revision": after["sources"][0]["revision"], "lines": [{ "lineNo": 2, "unitPrice": -1 }] });
    let wrong = admin.patch(&format!("{path}/lines"), &wrong).await.expect(422);
    assert_eq!(wrong["fields"][0]["field"], "lines.0");
    agree(&app).await;
    let audit = scalar(&app, "select cast(count(*) as bigint) from audit where kind = 'salesDay'").await;
    assert_eq!(audit, 1);
}

#[rstest]
#[tokio::test]
async fn the_bill_of_materials_of_the_day_is_used(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let flour = admin.post("/api/lists/root-items", &json!({ "name": "Flour" })).await.expect(201);
    let flour = flour["id"].as_str().expect("an id");
    let bread = admin.post("/api/lists/pos-items", &json!({ "description": "Bread" })).await.expect(201);
    let bread = bread["id"].as_str().expect("an id").to_owned();
    let set = async |multiplier: &str, from: larder_ledgers::sales::bom::BomFrom| {
        let lines = vec![(flour.to_owned(), larder_domain::Factor::parse(multiplier).expect("a factor"))];
        let (bread, lines) = (&bread, &lines);
        app.db
            .write(&actor(app.state.now()), async |tx| {
                larder_ledgers::sales::bom::set(tx, bread, lines, from).await
            })
            .await
            .expect("a bill of materials")
    };
    use larder_ledgers::sales::bom::BomFrom;
    set("0.333333333", BomFrom::Now).await;
    let file = "Date,Store,Receipt,Item,Qty,Price\n25/12/2019,Makati,1,Bread,3,10\n26/12/2019,Makati,2,Bread,1,10\n27/12/2019,Pasig,3,Bread,2,10\n";
    import(&app, &admin, "bread.csv", file).await;
    // All days of all stores together.
    let used = async || {
        let rows: Vec<(Vec<u8>,)> = app
            .db
            .sql("select packed from sales_sums_root where store_id = '*' and grain = 1")
            .all()
            .await
            .expect("sums");
        let sums = rows.iter().flat_map(|(packed,)| sums::unpack::<1>(packed).expect("sums"));
        sums.map(|sum| sum.figures[0]).sum::<i64>()
    };
    // Rounded per store-day: 3, 1 and 2 times a third.
    assert_eq!(used().await, 1_000_000 + 333_333 + 666_667);
    agree(&app).await;

    let day = |text: &str| text.parse::<larder_domain::BusinessDay>().expect("a day");
    set("0.5", BomFrom::Day(day("2019-12-26"))).await;
    assert_eq!(used().await, 2_000_000, "an edit rewrites nothing");
    agree(&app).await;
    let (bread_id, from) = (&bread, day("2019-12-26"));
    let changed = app
        .db
        .write(&actor(app.state.now()), async |tx| {
            larder_ledgers::sales::bom::recompute(tx, bread_id, from).await
        })
        .await
        .expect("recalculated");
    assert_eq!(changed, 2);
    assert_eq!(used().await, 1_000_000 + 500_000 + 1_000_000);
    agree(&app).await;

    // Lost sums are rebuilt, past ones with the versions they were calculated with.
    let before = figures(&app).await;
    let hours = async || -> Vec<(i64, i64)> {
        let of_days =
            "select first_sold, last_sold from sales_days where first_sold is not null order by 1, 2";
        app.db.sql(of_days).all().await.expect("hours")
    };
    let kept = hours().await;
    assert!(!kept.is_empty());
    app.db
        .write(&actor(app.state.now()), async |tx| -> Result<u64, DbError> {
            tx.sql("update sales_rollup_pos set qty = qty + 1 where grain = 30").execute().await?;
            let nothing = sums::pack(&[sums::Sum { item: 1, slot: 0, figures: [1_000_000, 5, 5, 1] }]);
            tx.sql("update sales_sums_pos set packed = $1 where grain = 7").bind(nothing).execute().await?;
            tx.sql("delete from sales_sums_root where grain = 1").execute().await?;
            tx.sql("update sales_tills set net = net + 1").execute().await?;
            // As on days imported before hours were kept.
            tx.sql("update sales_days set first_sold = null, last_sold = null").execute().await?;
            tx.sql("update sales_day_items set unmapped = 9").execute().await
        })
        .await
        .expect("damage");
    let tables: BTreeSet<&str> =
        verify(&app.db).await.expect("counted").iter().map(|difference| difference.table).collect();
    let damaged = ["sales_day_items", "sales_rollup_pos", "sales_sums_pos", "sales_sums_root", "sales_tills"];
    assert_eq!(tables, BTreeSet::from(damaged));
    assert_eq!(hours().await, []);
    rebuild(&app.db, &actor(app.state.now())).await.expect("rebuilt");
    assert_eq!(hours().await, kept);
    assert_eq!(figures(&app).await, before);
    agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn rows_with_errors_are_left_out_and_reported(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Date,Store,Item,Qty,Price\n\
        25/12/2019,Makati,Rice,2,10.50\n\
        31/31/2019,Makati,Rice,2,10.50\n\
        25/12/2019,Makati,Rice,2,10.50.1\n\
        25/12/2019,Makati,\"=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",1,1\n\
        25/12/2019;Makati;Rice;2;10,50\n\
        25/12/2019,Makati,Ri\0ce,1,1\n\
        25/12/2019,Makati,,x,1\n";
    let batch = upload(&admin, "bad.csv", file).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(batch["summary"]["goodLines"], 2, "{batch}");
    assert_eq!(batch["summary"]["problemLines"], 5);
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let problems = admin.get(&format!("{path}/problems?pageSize=100")).await.expect(200);
    assert_eq!(problems["total"], 6);
    let reply: Vec<(i64, &str)> = problems["items"]
        .as_array()
        .expect("problems")
        .iter()
        .map(|p| (p["row"].as_i64().expect("a row"), p["code"].as_str().expect("a code")))
        .collect();
    assert_eq!(
        reply,
        [(3, "date"), (4, "number"), (6, "columns"), (7, "control"), (8, "number"), (8, "empty")]
    );
    assert_eq!(problems["items"][0]["value"], "31/31/2019");
    let export = admin.get(&format!("{path}/problems/export?format=csv")).await;
    assert_eq!(export.status, 200);
    assert!(export.text().contains("31/31/2019"));
    assert!(export.text().contains("4,Price,"), "columns have the file's titles");
    // The formula is just a name; it is an item like any other.
    let unknowns = admin.get(&format!("{path}/unknowns")).await.expect(200);
    let names: Vec<&str> =
        unknowns["items"].as_array().expect("items").iter().filter_map(|i| i["name"].as_str()).collect();
    assert!(names.contains(&"=HYPERLINK(\"http://x\",\"y\")"), "{names:?}");
    create_unknowns(&admin, &batch).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn a_file_without_a_table_is_refused_with_a_reason(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let long = format!("Date,Item\n25/12/2019,{}\n", "x".repeat(2 << 20));
    let cases: [(&str, Vec<u8>, &str); 12] = [
        ("empty.csv", Vec::new(), "empty"),
        ("blank.csv", b"\n\n  \n".to_vec(), "empty"),
        ("header.csv", b"Date,Item,Qty\n".to_vec(), "no rows"),
        ("one.csv", b"Hello\nWorld\n".to_vec(), "columns"),
        ("a.pdf", b"%PDF-1.7 ....".to_vec(), "PDF"),
        ("a.png", b"\x89PNG\r\n\x1a\n....".to_vec(), "picture"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....".to_vec(), "old"),
        ("b.xls", b"<html><table><tr><td>1</td></tr></table></html>".to_vec(), "web page"),
        ("a.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(), "compressed"),
        ("cut.xlsx", b"PK\x03\x04 and then nothing".to_vec(), "damaged"),
        ("long.csv", long.into_bytes(), "longer than 1 MiB"),
        ("binary.csv", (0..4_000u32).map(|n| (n % 7) as u8).collect(), "not text"),
    ];
    for (name, bytes, words) in cases {
        let refused = admin.upload(&format!("{HOME}/uploads?fileName={name}"), bytes).await.expect(422);
        let detail = refused["detail"].as_str().unwrap_or_default().to_owned();
        assert!(detail.contains(words), "{name}: {detail}");
    }
    assert_eq!(admin.upload(&format!("{HOME}/uploads"), b"a,b".to_vec()).await.status, 422);
    let batches = admin.get(&format!("{HOME}/batches")).await.expect(200);
    assert_eq!(batches["total"], 0, "refused files leave nothing behind");
}

#[tokio::test]
async fn an_endless_line_is_reported_by_its_number() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let mut file = String::from("Date,Store,Item\n");
    file.push_str(&"25/12/2019,Makati,Rice\n".repeat(120_000));
    file.push_str(&"x".repeat(2 << 20));
    let batch = upload(&admin, "deep.csv", file).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(batch["state"], "failed");
    let words = batch["error"].as_str().unwrap_or_default();
    assert!(words.contains("Line 120002 is longer than 1 MiB"), "{words}");
    // An unposted upload can be deleted.
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(admin.get(&path).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn other_encodings_delimiters_and_decimals_are_understood() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let text = "Fecha;Date;Store;Item;Qty;Price\nx;25/12/2019;Peñafrancia;Café;1,5;10,50\nx;26/12/2019;Peñafrancia;Café;1;2,25\n";
    let latin: Vec<u8> =
        text.chars().map(|c| u8::try_from(u32::from(c)).expect("a western letter")).collect();
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let bare16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    let tabs = text.replace(';', "\t").into_bytes();
    let bars = text.replace(';', "|").into_bytes();
    let cases = [
        ("latin", latin),
        ("utf16", utf16),
        ("bare16", bare16),
        ("marked", marked),
        ("tabs", tabs),
        ("bars", bars),
    ];
    for (name, bytes) in cases {
        let batch = upload(&admin, &format!("{name}.csv"), bytes).await;
        assert_eq!(batch["layout"]["decimal"], ",", "{name}");
        let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
        assert_eq!(batch["summary"]["net"], 18, "{name}: {batch}");
        let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
        let unknowns = admin.get(&format!("{path}/unknowns")).await.expect(200);
        assert_eq!(unknowns["stores"][0]["name"], "Peñafrancia", "{name}");
        assert_eq!(unknowns["items"][0]["name"], "Café", "{name}");
    }
}

/// A workbook with real dates, a formula-like name and a number stored as text.
fn workbook() -> Vec<u8> {
    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let date = Format::new().set_num_format("dd/mm/yyyy hh:mm");
    let header = ["Date", "Store", "Item", "Qty", "Price"];
    for (at, name) in (0u16..).zip(header) {
        sheet.write_string(0, at, name).expect("a cell");
    }
    for row in 1..=3u32 {
        let day = ExcelDateTime::from_ymd(2019, 12, u8::try_from(row).expect("small") + 20).expect("a day");
        let moment = day.and_hms(20, 25, 0).expect("a time");
        sheet.write_datetime_with_format(row, 0, &moment, &date).expect("a cell");
        sheet.write_string(row, 1, "Makati").expect("a cell");
        sheet.write_string(row, 2, "=1+1").expect("a cell");
        sheet.write_number(row, 3, 1.5).expect("a cell");
        sheet.write_number(row, 4, 0.1 + 0.2).expect("a cell");
    }
    book.save_to_buffer().expect("a workbook")
}

#[rstest]
#[tokio::test]
async fn a_workbook_is_imported_and_a_damaged_one_refused(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let bytes = workbook();
    for cut in [bytes.len() / 4, bytes.len() / 2, bytes.len() - 30] {
        let refused = admin
            .upload(&format!("{HOME}/uploads?fileName=cut.xlsx"), bytes[..cut].to_vec())
            .await
            .expect(422);
        assert!(refused["detail"].as_str().is_some_and(|d| d.contains("damaged")), "{refused}");
    }
    // Any byte may be wrong; there is always a response.
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(97) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        let answer = admin.upload(&format!("{HOME}/uploads?fileName=wrong.xlsx"), wrong).await;
        assert!(matches!(answer.status, 201 | 422), "byte {at}: {}", answer.text());
        refused += usize::from(answer.status == 422);
    }
    assert!(refused > 10, "{refused} damaged workbooks were refused");
    let batch = upload(&admin, "good.xlsx", bytes).await;
    assert_eq!(batch["layout"]["format"], "xlsx");
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    let summary = &batch["summary"];
    assert_eq!(summary["goodLines"], 3, "{batch}");
    assert_eq!((&summary["firstDay"], &summary["lastDay"]), (&json!("2019-12-21"), &json!("2019-12-23")));
    assert_eq!(summary["qty"], 4.5);
    assert_eq!(summary["net"], 1.35);
}

#[rstest]
#[tokio::test]
async fn a_store_limited_user_imports_and_sees_only_their_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = import(&app, &admin, "all.csv", SMALL).await;
    let rows: Vec<(String, String)> =
        app.db.sql("select name, id from locations").all().await.expect("stores");
    let id = |name: &str| rows.iter().find(|row| row.0 == name).expect("a store").1.clone();
    let page = [("tools/importSalesProduct", Action::ALL)];
    let pasig = app.user(&page, Some(&[id("Pasig")])).await;

    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    assert_eq!(pasig.get(&path).await.status, 404, "the file holds other stores");
    assert_eq!(pasig.get(&format!("{HOME}/batches")).await.expect(200)["total"], 0);
    assert_eq!(pasig.get(&format!("{HOME}/days/{}/2019-12-26", id("Makati"))).await.status, 403);
    pasig.get(&format!("{HOME}/days/{}/2019-12-26", id("Pasig"))).await.expect(200);
    let coverage = pasig.get(&format!("{HOME}/coverage?from=2019-12-25&to=2019-12-26")).await.expect(200);
    assert_eq!(coverage["stores"].as_array().map(Vec::len), Some(1));
    let refused =
        pasig.get(&format!("{HOME}/coverage?from=2019-12-25&to=2019-12-26&storeIds={}", id("Makati"))).await;
    assert_eq!(refused.status, 403);

    let own = upload(&pasig, "own.csv", SMALL).await;
    let own = validate(&app, &pasig, &own, &suggested(&own, None)).await;
    let path = format!("{HOME}/batches/{}", own["id"].as_str().expect("an id"));
    let refused = pasig.post(&format!("{path}/post"), &json!({ "replace": true })).await.expect(403);
    assert_eq!(refused["code"], "outOfScope");
    let viewer = app.user(&[("tools/importSalesProduct", &[Action::View])], None).await;
    assert_eq!(viewer.post(&format!("{path}/post"), &json!({ "replace": true })).await.status, 403);
    assert_eq!(viewer.upload(&format!("{HOME}/uploads?fileName=x.csv"), SMALL).await.status, 403);
}

/// The records and the terminal summary are open to every signed-in user, limited to accessible stores.
#[rstest]
#[tokio::test]
async fn pages_without_permission_only_show_accessible_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let [near, far] = [store(&app, "NEAR").await, store(&app, "FAR").await];
    for (name, store, net) in [("near.csv", "NEAR", 10), ("far.csv", "FAR", 300)] {
        let file = format!(
            "Date,Store,Terminal,Receipt,Item,Qty,Price\n27/02/2020 10:00,{store},T1,1,Soup,1,{net}\n"
        );
        import(&app, &admin, name, file).await;
    }
    let counts: &[(&str, &[Action])] = &[("stores/storeCount", &[Action::View])];
    let everywhere = app.user(counts, None).await;
    let here = app.user(counts, Some(std::slice::from_ref(&near))).await;
    // Without a role, a missing store list does not mean all stores.
    let newcomer = app.newcomer().await;
    let both = (vec!["far.csv", "near.csv"], 310, json!([]), None);
    let one = (vec!["near.csv"], 10, json!([]), Some(true));
    let none = (vec![], 0, json!([]), Some(true));
    for (client, (files, net, items, limited)) in [(&everywhere, both), (&here, one), (&newcomer, none)] {
        let records = client.get(&format!("{HOME}/batches")).await.expect(200);
        let mut reply: Vec<&str> = (records["items"].as_array().expect("records").iter())
            .filter_map(|record| record["fileName"].as_str())
            .collect();
        reply.sort_unstable();
        assert_eq!((reply, records["total"].as_u64()), (files.clone(), Some(files.len() as u64)));
        let range = "from=2020-02-27&to=2020-02-27";
        let tills = client.get(&format!("{HOME}/terminal-summary?{range}")).await.expect(200);
        let tills = tills["items"].as_array().expect("tills").clone();
        let sum: f64 = tills.iter().filter_map(|till| till["net"].as_f64()).sum();
        assert_eq!((tills.len(), sum), (files.len(), f64::from(net)));
        let bigquery = client.get("/api/tools/import-sales-product-bq").await.expect(200);
        assert_eq!((&bigquery["items"], &bigquery["canEdit"]), (&items, &json!(false)));
        assert_eq!(bigquery.get("outOfReach").map(Value::is_string), limited);
        // Writing, and a file's own page, need permission.
        client.post("/api/tools/import-sales-product-bq", &json!({})).await.expect(403);
        let id = records["items"][0]["id"].as_str().unwrap_or("none");
        client.get(&format!("{HOME}/batches/{id}")).await.expect(403);
        client.post(&format!("{HOME}/batches/{id}/post"), &json!({})).await.expect(403);
    }
    let range = "from=2020-02-27&to=2020-02-27";
    let wished = format!("{HOME}/terminal-summary?{range}&storeIds={far}");
    here.get(&wished).await.expect(403);
    newcomer.get(&wished).await.expect(403);
}

/// A coffee shop's file with as many rows as the real one, and the totals of its own columns: quantity and
/// centavos.
fn coffee(rows: usize) -> (String, i64, i64) {
    let places = [("5", "Lower Manhattan"), ("8", "Hell's Kitchen"), ("3", "Astoria")];
    let products = [
        ("32", 300, "Coffee", "Gourmet brewed coffee", "Ethiopia Rg"),
        ("57", 310, "Tea", "Brewed Chai tea", "Spicy Eye Opener Chai Lg"),
        ("59", 450, "Drinking Chocolate", "Hot chocolate", "Dark chocolate Lg"),
        ("22", 200, "Coffee", "Drip coffee", "Our Old Time Diner Blend Sm"),
        ("77", 300, "Bakery", "Scone", "Oatmeal Scone"),
        ("78", 375, "Bakery", "Scone", "Oatmeal Scone"),
    ];
    let mut text = String::from(
        "transaction_id,transaction_date,transaction_time,transaction_qty,store_id,store_location,product_id,\
         unit_price,product_category,product_type,product_detail\n",
    );
    let (mut qty, mut net) = (0, 0);
    for at in 0..rows {
        let (store, place) = places[at / 2 % 3];
        let (code, price, category, kind, name) = products[(at * 5 + at / 11) % 6];
        let sold = [1, 1, 2, 1, 3, 1, 2][at % 7];
        qty += sold;
        net += sold * price;
        let day = at * 28 / rows + 1;
        text += &format!(
            "{},{day:02}/02/2023,{:02}:06:11,{sold},{store},{place},{code},{}.{:02},{category},{kind},{name}\n",
            at / 2 + 1,
            7 + at % 12,
            price / 100,
            price % 100,
        );
    }
    (text, qty, net)
}

#[tokio::test]
async fn a_file_posts_its_own_quantity_and_net_as_it_is_suggested() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let (text, qty, net) = coffee(9_998);
    let batch = upload(&admin, "coffee.csv", text).await;
    let columns = &batch["layout"]["columns"];
    assert_eq!((&columns[3]["suggested"], &columns[3]["sum"]), (&json!("quantity"), &json!(qty)));
    let mapping = suggested(&batch, None);
    assert_eq!(
        mapping["columns"],
        json!({ "receipt": 0, "date": 1, "time": 2, "quantity": 3, "storeCode": 4, "store": 5, "item": 6,
            "unitPrice": 7, "category": 8, "itemName": 10 })
    );
    let batch = validate(&app, &admin, &batch, &mapping).await;
    let summary = &batch["summary"];
    assert_eq!(summary["goodLines"], 9_998, "{batch}");
    assert_eq!((&summary["qty"], &summary["fileQty"]), (&json!(qty), &json!(qty)));
    let cents = |value: &Value| (value.as_f64().expect("an amount") * 100.0).round() as i64;
    assert_eq!((cents(&summary["net"]), cents(&summary["fileNet"])), (net, net));

    // Both are kept, for stores and items: the code besides the name.
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let unknowns = admin.get(&format!("{path}/unknowns")).await.expect(200);
    let pairs = |list: &str| -> BTreeSet<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all = unknowns[list].as_array().expect("names");
        all.iter().map(|one| (text(&one["code"]), text(&one["name"]))).collect()
    };
    let of = |code: &str, name: &str| (code.to_owned(), name.to_owned());
    assert_eq!(
        pairs("stores"),
        BTreeSet::from([of("3", "Astoria"), of("5", "Lower Manhattan"), of("8", "Hell's Kitchen")])
    );
    assert!(pairs("items").is_superset(&[of("77", "Oatmeal Scone"), of("78", "Oatmeal Scone")].into()));
    create_unknowns(&admin, &batch).await;
    let store: (String, String) = app
        .db
        .sql("select name, pos_code from locations where name = 'Astoria'")
        .one()
        .await
        .expect("a store");
    assert_eq!(store, ("Astoria".to_owned(), "3".to_owned()));
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let posted: (i64, i64) = app
        .db
        .sql("select cast(sum(qty) as bigint), cast(sum(net) as bigint) from sales_days")
        .one()
        .await
        .expect("sums");
    assert_eq!(posted, (qty * 1_000_000, net));
    agree(&app).await;
}

#[tokio::test]
async fn a_possible_quantity_column_needs_confirmation() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let (text, qty, _) = coffee(400);
    let batch = upload(&admin, "coffee.csv", text).await;
    let mut mapping = suggested(&batch, None);
    mapping["columns"].as_object_mut().expect("columns").remove("quantity");
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = admin.put(&format!("{path}/mapping"), &mapping).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let reply = refused.json();
    assert_eq!(reply["fields"][0]["field"], "columns.quantity", "{reply}");
    assert!(reply["fields"][0]["message"].as_str().is_some_and(|words| words.contains("transaction_qty")));
    // Confirmed explicitly, each row counts as one; the file's own total is shown as well.
    mapping["eachRowIsOne"] = json!(true);
    let batch = validate(&app, &admin, &batch, &mapping).await;
    assert_eq!(batch["summary"]["qty"], 400);
    assert_eq!(batch["layout"]["columns"][3]["mayBeQuantity"], true);
    assert_eq!(batch["layout"]["columns"][3]["sum"], qty);
}

#[tokio::test]
async fn one_column_per_product_is_previewed_confirmed_and_unpivoted() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let file = "datetime,day of week,total,place,angbutter,plain bread,jam,croissant,gateau\n\
        2019-07-11 15:35,Thur,23800,Station,1,,,3,\n\
        2019-07-11 16:10,Thur,15800,Station,,1,2,,\n\
        2019-07-12 11:49,Fri,58000,Market,,,,14,\n\
        2019-07-12 11:49,Fri,58000,Market,,,,14,\n";
    let batch = upload(&admin, "bakery.csv", file).await;
    assert_eq!(batch["layout"]["productColumns"], json!([4, 5, 6, 7, 8]));
    assert_eq!(batch["layout"]["firstRows"][0][7], "3");
    let mut mapping = suggested(&batch, None);
    assert_eq!(mapping["columns"], json!({ "date": 0, "store": 3 }));
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = admin.put(&format!("{path}/mapping"), &mapping).await;
    assert_eq!(refused.status, 422);
    let asked = refused.json()["fields"].as_array().expect("fields").clone();
    assert!(asked.iter().any(|field| field["field"] == "products"), "{asked:?}");

    let columns = batch["layout"]["columns"].as_array().expect("columns");
    let product = |at: usize| json!({ "column": at, "name": columns[at]["header"] });
    mapping["products"] = json!((4..9).map(product).collect::<Vec<_>>());
    let batch = validate(&app, &admin, &batch, &mapping).await;
    let summary = &batch["summary"];
    assert_eq!(
        (&summary["lines"], &summary["goodLines"], &summary["problemLines"]),
        (&json!(4), &json!(6), &json!(0))
    );
    assert_eq!((&summary["qty"], &summary["fileQty"]), (&json!(35), &json!(35)));
    assert_eq!(summary["items"], 4, "an unsold product has no line");
    assert_eq!(summary["repeatedRows"], 1, "a repeated row is reported");
    create_unknowns(&admin, &batch).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    agree(&app).await;
}

#[rstest]
#[case("restaurant_orders.csv", 93_041, 44_651_745)]
#[case("bakery_transactions.csv", 21_293, 0)]
#[tokio::test]
async fn a_real_file_previews_its_totals(#[case] name: &str, #[case] qty: i64, #[case] net: i64) {
    let bytes = real_file(name);
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": "The bakery" })).await.expect(201);
    let batch = upload(&admin, name, bytes).await;
    let fixed = store["id"].as_str().filter(|_| net == 0);
    let batch = validate(&app, &admin, &batch, &suggested(&batch, fixed)).await;
    let summary = &batch["summary"];
    let cents = |value: &Value| (value.as_f64().expect("an amount") * 100.0).round() as i64;
    assert_eq!((&summary["qty"], &summary["fileQty"]), (&json!(qty), &json!(qty)), "{batch}");
    assert_eq!((cents(&summary["net"]), cents(&summary["fileNet"])), (net, net));
}

/// Leaving out a sheet silently would lose a store's sales.
#[rstest]
#[tokio::test]
async fn all_sheets_with_the_table_are_read_or_the_workbook_refused(#[from(one_engine)] on: Engine) {
    use rust_xlsxwriter::Workbook;
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let book = |sheets: usize| {
        let mut book = Workbook::new();
        for n in 1..=sheets {
            let page = book.add_worksheet().set_name(format!("Store {n}")).expect("a name");
            for (column, title) in (0..).zip(["Date", "Item", "Qty", "Net sales"]) {
                page.write_string(0, column, title).expect("a cell");
            }
            for (row, item) in (1..).zip(["Rice", "Soup"]) {
                page.write_string(row, 0, "2026-11-12").expect("a cell");
                page.write_string(row, 1, item).expect("a cell");
                page.write_number(row, 2, 2).expect("a cell");
                page.write_number(row, 3, 100).expect("a cell");
            }
        }
        book.save_to_buffer().expect("a workbook")
    };
    let batch = upload(&admin, "stores.xlsx", book(70)).await;
    let sheets = batch["layout"]["suggestion"]["sheets"].as_array().map(Vec::len);
    assert_eq!(sheets, Some(70), "{}", batch["layout"]["suggestion"]);
    let answer = admin.upload(&format!("{HOME}/uploads?fileName=more.xlsx"), book(401)).await;
    let refused = answer.expect(422);
    let words = refused["detail"].as_str().expect("words");
    assert!(words.contains("401 sheets") && words.contains("at most 400"), "{words}");
}
