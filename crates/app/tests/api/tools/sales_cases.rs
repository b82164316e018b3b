//! Files that tills wrote and that once gave wrong totals, each with the right ones.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, create_unknowns, post, upload};
use super::sales_layouts::adds_up;
use crate::support::{App, Client, Engine, one_engine};

/// A file's batch after it was checked with the suggested mapping and these answers.
async fn checked(app: &App, client: &Client, name: &str, text: &str, more: Value) -> Value {
    let batch = upload(client, name, text).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    for (member, value) in more.as_object().expect("members") {
        mapping[member] = value.clone();
    }
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    client.put(&format!("{path}/mapping"), &mapping).await.expect(200);
    app.drain().await;
    let batch = client.get(&path).await.expect(200);
    assert_eq!(batch["state"], "validated", "{batch}");
    assert!(adds_up(&batch["summary"]), "{name}: {}", batch["summary"]);
    batch
}

/// Posted quantity, posted net, and net in the file.
fn totals(batch: &Value) -> [f64; 3] {
    ["qty", "net", "fileNet"].map(|name| batch["summary"][name].as_f64().expect("a number"))
}

fn ids(batch: &Value) -> Vec<&str> {
    let asks = batch["summary"]["asks"].as_array().expect("asks");
    asks.iter().map(|ask| ask["id"].as_str().expect("an id")).collect()
}

const LOYVERSE: &str = "Date,Receipt number,Receipt type,Category,SKU,Item,Variant,Modifiers applied,Quantity,Gross sales,Discounts,Net sales,Cost of goods,Gross profit,Taxes,Dining option,POS,Store,Cashier name,Customer name,Customer contacts,Comment,Status
11/13/26 10:05,1-101,Sale,Drinks,10001,Cold Brew,,,2.000,240.00,0.00,240.00,0.00,0.00,0.00,Dine in,POS 1,Larkspur Mall,Owner,,,,Closed
11/13/26 11:05,1-102,Sale,Drinks,10002,Beef Tapa,,,1.000,500.00,0.00,500.00,0.00,0.00,0.00,Dine in,POS 1,Larkspur Mall,Owner,,,,Cancelled
11/13/26 12:05,1-103,Sale,Drinks,10003,Halo-halo,,,1.000,150.00,0.00,150.00,0.00,0.00,0.00,Dine in,POS 1,Larkspur Mall,Owner,,,,Closed
";
const DELIVERED: &str = "Date,Store,Receipt No,Status,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Delivered,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,2,Cancelled by customer,A1,Tapsilog,2,120.00,240.00
2026-11-13,Larkspur Mall,3,Delivered,A1,Tapsilog,1,120.00,120.00
";
const UNKNOWN: &str = "Date,Store,Receipt No,Status,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Completed,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,2,Cancelled,A1,Tapsilog,2,120.00,240.00
2026-11-13,Larkspur Mall,3,Preparing,A1,Tapsilog,1,120.00,120.00
2026-11-13,Larkspur Mall,4,Unpaid,A1,Tapsilog,1,120.00,120.00
";
const SHOPIFY: &str = "Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem discount,Cancelled at,Refunded Amount,Location
#1001,a@x.example,paid,2026-11-13 10:00:00 +0800,fulfilled,PHP,380.00,0,0,380.00,,0,,2026-11-13 10:00:00 +0800,2,Ensaymada Box,150.00,ENS-1,0,,0,Larkspur Mall
#1001,a@x.example,,,,,,,,,,,,2026-11-13 10:00:00 +0800,1,Barako Beans,80.00,BAR-1,0,,,Larkspur Mall
#1002,b@x.example,refunded,2026-11-13 11:00:00 +0800,fulfilled,PHP,450.00,0,0,450.00,,0,,2026-11-13 11:00:00 +0800,3,Ensaymada Box,150.00,ENS-1,0,,450.00,Larkspur Mall
#1003,c@x.example,voided,,,PHP,80.00,0,0,80.00,,0,,2026-11-13 12:00:00 +0800,1,Barako Beans,80.00,BAR-1,0,2026-11-13 12:10:00 +0800,0,Larkspur Mall
";
const SPLIT: &str =
    "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount
2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,Cash,100.00
2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,Cash,100.00
2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,GCash,80.00
2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,GCash,80.00
2026-11-13,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00,Cash,120.00
";
const EQUAL: &str =
    "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount
2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,GCash,90.00
2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,GCash,90.00
2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,GCash,90.00
2026-11-13,Larkspur Mall,1,A2,Coke,1,60.00,60.00,GCash,90.00
2026-11-13,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00,Cash,120.00
";
const MIXED: &str = "Date;Store;Receipt No;Item Name;Qty;Unit Price;Net Sales
2026-11-13;Larkspur Mall;1;Pork Belly;1.250;320,00;400,00
2026-11-13;Larkspur Mall;2;Pork Belly;0.500;320,00;160,00
";
const DISCOUNTS: &str = "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,A1,Tapsilog,2,120.00,240.00
2026-11-13,Larkspur Mall,1,DISC,Promo less 50,1,-50.00,-50.00
2026-11-13,Larkspur Mall,1,RND,Rounding,1,-0.25,-0.25
";
const BLANK: &str = "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,A1,Tapsilog,2,,240.00
2026-11-13,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00
";

#[rstest]
#[case::cancelled_in_a_second_column("loyverse.csv", LOYVERSE, [3.0, 390.0, 890.0])]
#[case::a_phrase("delivered.csv", DELIVERED, [2.0, 240.0, 480.0])]
#[case::orders_of_a_web_shop("shopify.csv", SHOPIFY, [3.0, 380.0, 910.0])]
#[case::lines_for_each_tender("split.csv", SPLIT, [3.0, 300.0, 480.0])]
#[case::lines_for_each_of_equal_tenders("equal.csv", EQUAL, [3.0, 300.0, 480.0])]
#[case::a_scales_decimal_point("mixed.csv", MIXED, [1.75, 560.0, 560.0])]
#[case::negative_lines("discounts.csv", DISCOUNTS, [2.0, 189.75, 189.75])]
#[case::no_price("blank.csv", BLANK, [3.0, 360.0, 360.0])]
#[tokio::test]
async fn a_file_is_read_rightly_unasked(
    #[from(one_engine)] on: Engine,
    #[case] name: &str,
    #[case] text: &str,
    #[case] right: [f64; 3],
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = checked(&app, &admin, name, text, json!({})).await;
    assert_eq!((totals(&batch), &batch["summary"]["problemLines"]), (right, &json!(0)), "{batch}");
    assert_eq!(ids(&batch), [""; 0], "{batch}");
    create_unknowns(&admin, &batch).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let days: Vec<(i64, i64)> = app.db.sql("select qty, net from sales_days").all().await.expect("a day");
    let [qty, net, _] = right.map(|figure| (figure * 1_000_000.0).round() as i64);
    assert_eq!(days, [(qty, net / 10_000)]);
    super::import_sales_product::agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn what_each_tender_paid_counts_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = checked(&app, &admin, "split.csv", SPLIT, json!({})).await;
    let paid: Vec<(&str, f64)> = batch["summary"]["tenders"]
        .as_array()
        .expect("tenders")
        .iter()
        .map(|one| (one["name"].as_str().expect("a name"), one["amount"].as_f64().expect("an amount")))
        .collect();
    assert_eq!(paid, [("Cash", 220.0), ("GCash", 80.0)]);
    let notes = batch["summary"]["notes"].to_string();
    assert!(notes.contains("The lines of 1 receipt are repeated for each tender"), "{notes}");
    // Told otherwise, every line counts.
    let each = checked(&app, &admin, "each.csv", SPLIT, json!({ "splitTenders": false })).await;
    assert_eq!((totals(&each), ids(&each)), ([5.0, 480.0, 480.0], vec!["splitTenders"]));
    let choices = &each["summary"]["asks"][0]["choices"];
    assert_eq!((&choices[0]["net"], &choices[1]["net"]), (&json!(480), &json!(300)), "{choices}");
}

#[rstest]
#[tokio::test]
async fn each_unknown_word_is_asked_about_and_remembered(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = checked(&app, &admin, "words.csv", UNKNOWN, json!({})).await;
    assert_eq!((totals(&batch), ids(&batch)), ([1.0, 120.0, 600.0], vec!["word:preparing"]), "{batch}");
    let ask = &batch["summary"]["asks"][0];
    assert_eq!(
        (&ask["rows"], &ask["choices"][0]["net"], &ask["choices"][1]["net"]),
        (&json!(1), &json!(120), &json!(240))
    );
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let left = admin.get(&format!("{path}/left-out?reason=unknownWord")).await.expect(200);
    assert_eq!(
        (&left["total"], &left["items"][0]["row"], &left["items"][0]["net"]),
        (&json!(1), &json!(4), &json!(120))
    );
    let all = admin.get(&format!("{path}/left-out?pageSize=2")).await.expect(200);
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(3), Some(2)));
    create_unknowns(&admin, &batch).await;
    let refused = admin.post(&format!("{path}/post"), &json!({})).await.expect(409);
    assert_eq!(
        (&refused["code"], &refused["asks"][0]["id"]),
        (&json!("asks"), &json!("word:preparing")),
        "{refused}"
    );
    let mut mapping = batch["mapping"].clone();
    mapping["answers"] = json!({ "word:preparing": "counts" });
    let batch = super::import_sales_product::validate(&app, &admin, &batch, &mapping).await;
    assert_eq!(totals(&batch), [2.0, 240.0, 600.0]);
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let next = upload(&admin, "next.csv", UNKNOWN.replace("-13,", "-14,")).await;
    let next = super::import_sales_product::validate(&app, &admin, &next, &next["mapping"]).await;
    assert_eq!(totals(&next), [2.0, 240.0, 600.0], "{next}");
    assert_eq!(post(&app, &admin, &next, false).await["state"], "posted");
}

#[rstest]
#[tokio::test]
async fn discount_lines_are_taken_off_their_receipt(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = checked(&app, &admin, "discounts.csv", DISCOUNTS, json!({})).await;
    assert_eq!(batch["summary"]["items"], 1, "a discount is no item: {batch}");
    create_unknowns(&admin, &batch).await;
    post(&app, &admin, &batch, false).await;
    let store: String =
        app.db.sql("select id from locations where name = 'Larkspur Mall'").scalar().await.expect("one");
    let day = admin.get(&format!("{HOME}/days/{store}/2026-11-13")).await.expect(200);
    let lines = day["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 1, "{day}");
    assert_eq!((&lines[0]["discount"], &lines[0]["net"]), (&json!(50.25), &json!(189.75)));
}

#[rstest]
#[tokio::test]
async fn a_refund_of_a_known_item_is_a_return(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let item = json!({ "posItemId": "A1", "description": "Tapsilog", "price": 120 });
    admin.post("/api/lists/pos-items", &item).await.expect(201);
    let text = "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,8,A2,Coke,2,60.00,120.00
2026-11-13,Larkspur Mall,9,A1,Tapsilog,1,120.00,-120.00
2026-11-13,Larkspur Mall,8,DISC,Promo less 20,1,-20.00,-20.00
";
    let batch = checked(&app, &admin, "refund.csv", text, json!({})).await;
    assert_eq!((totals(&batch), ids(&batch)), ([1.0, -20.0, -20.0], vec![]), "{batch}");
    create_unknowns(&admin, &batch).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let store: String =
        app.db.sql("select id from locations where name = 'Larkspur Mall'").scalar().await.expect("one");
    let day = admin.get(&format!("{HOME}/days/{store}/2026-11-13")).await.expect(200);
    let lines = day["lines"].as_array().expect("lines");
    let back = lines.iter().find(|line| line["sourceItem"] == "Tapsilog").expect("the refund");
    assert_eq!(
        (&back["kind"], &back["qty"], &back["net"]),
        (&json!("return"), &json!(-1), &json!(-120)),
        "{day}"
    );
}

#[rstest]
#[case::in_a_title("items.csv", "Larkspur Mall\nSales by item\nFrom 13 Nov 2026 to 13 Nov 2026\n\n")]
#[case::in_the_name("items-2026-11-13-2026-11-13.csv", "")]
#[tokio::test]
async fn a_file_without_dates_has_one_day(
    #[from(one_engine)] on: Engine,
    #[case] name: &str,
    #[case] above: &str,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": "Larkspur Mall" })).await.expect(201);
    let rows = "Item name,SKU,Category,Items sold,Gross sales,Discounts,Net sales\n\
                Ube Latte,10001,Drinks,12,1920.00,120.00,1800.00\nTapsilog,10002,Meals,20,2400.00,120.00,2280.00\n";
    let fixed = json!({ "fixed": store["id"] });
    let batch = checked(&app, &admin, name, &format!("{above}{rows}"), json!({ "store": fixed })).await;
    assert_eq!(totals(&batch), [32.0, 4080.0, 4080.0]);
    let summary = &batch["summary"];
    assert_eq!((&summary["firstDay"], &summary["lastDay"]), (&json!("2026-11-13"), &json!("2026-11-13")));
    let plain = upload(&admin, "items.csv", rows).await;
    let path = format!("{HOME}/batches/{}/mapping", plain["id"].as_str().expect("an id"));
    let mut mapping = plain["layout"]["suggestion"].clone();
    mapping["store"] = fixed;
    let refused = admin.put(&path, &mapping).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "columns.date", "{refused}");
    assert_eq!(
        refused["fields"][0]["message"],
        "Choose the column that holds the date, or one day for the whole file."
    );
}

#[rstest]
#[tokio::test]
async fn sales_after_today_and_spoiled_codes_are_problems(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let future = "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales\n\
                  2026-11-13,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00\n\
                  2062-11-13,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00\n\
                  2026-12-31,Larkspur Mall,3,A1,Tapsilog,1,120.00,120.00\n";
    let spoiled = "Date,Store,Receipt No,Item Code,Qty,Net Sales\n2026-11-13,Larkspur Mall,1,4.80002E+12,1,120.00\n\
                   2026-11-13,Larkspur Mall,2,4800012345678,1,60.00\n";
    for (name, text, code, rows, right) in [
        ("future.csv", future, "future", vec![3, 4], [1.0, 120.0, 360.0]),
        ("spoiled.csv", spoiled, "spoiled", vec![2], [1.0, 60.0, 180.0]),
    ] {
        let batch = checked(&app, &admin, name, text, json!({})).await;
        assert_eq!(totals(&batch), right, "{batch}");
        let path = format!("{HOME}/batches/{}/problems", batch["id"].as_str().expect("an id"));
        let problems = admin.get(&path).await.expect(200);
        let seen: Vec<(i64, &str)> = problems["items"]
            .as_array()
            .expect("problems")
            .iter()
            .map(|one| (one["row"].as_i64().expect("a row"), one["code"].as_str().expect("a code")))
            .collect();
        assert_eq!(seen, rows.into_iter().map(|row| (row, code)).collect::<Vec<_>>());
    }
}

#[rstest]
#[tokio::test]
async fn sizes_are_items_of_their_own(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = LOYVERSE
        .replace("10001,Cold Brew,,", ",Iced Latte,16oz,")
        .replace("10002,Beef Tapa,,", ",Iced Latte,22oz,")
        .replace("10003,Halo-halo,,", ",Halo-halo,,");
    let batch = checked(&app, &admin, "sizes.csv", &file, json!({})).await;
    let path = format!("{HOME}/batches/{}/unknowns", batch["id"].as_str().expect("an id"));
    let unknowns = admin.get(&path).await.expect(200);
    let mut names: Vec<&str> = unknowns["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["name"].as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Halo-halo", "Iced Latte (16oz)", "Iced Latte (22oz)"]);
}
