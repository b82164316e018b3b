//! Variants, which have or inherit a bill of materials, and modifiers, which may have one.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, agree, create_unknowns, post, upload, validate};
use crate::support::{App, Client, Engine, one_engine};

const ITEMS: &str = "/api/lists/pos-items";
const SIZES: &str = "Date,Store,Receipt No,Item Name,Variation,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Iced Latte,16oz,2,120.00,240.00
2026-11-13,Larkspur Mall,2,Iced Latte,22oz,3,150.00,450.00
2026-11-13,Larkspur Mall,3,Iced Latte,,1,110.00,110.00
";
const ADDED: &str = "Date,Store,Receipt No,Item Name,Modifiers Applied,Qty,Unit Price,Net Sales
2026-11-13,Larkspur Mall,1,Iced Latte,\"Oat milk (+₱20), 2x Extra shot\",2,120.00,240.00
2026-11-13,Larkspur Mall,1,Pandesal,,5,10.00,50.00
2026-11-13,Larkspur Mall,2,Iced Latte,Oat milk,1,140.00,140.00
";

/// Creates a record; returns its id.
async fn made(admin: &Client, path: &str, body: &Value) -> String {
    admin.post(path, body).await.expect(201)["id"].as_str().expect("an id").to_owned()
}

/// A POS item made of so much of a new root item; returns the ids of both.
async fn item(admin: &Client, name: &str, root: &str, multiplier: f64) -> (String, String) {
    let root = made(admin, "/api/lists/root-items", &json!({ "name": root })).await;
    let bom = json!([{ "rootProductId": root, "multiplier": multiplier }]);
    (made(admin, ITEMS, &json!({ "description": name, "bom": bom })).await, root)
}

/// Uploads a file and checks it as suggested.
async fn checked(app: &App, admin: &Client, text: &str) -> Value {
    let batch = upload(admin, "sales.csv", text).await;
    let checked = validate(app, admin, &batch, &batch["layout"]["suggestion"]).await;
    assert_eq!(
        (&checked["state"], &checked["summary"]["problemLines"]),
        (&json!("validated"), &json!(0)),
        "{checked}"
    );
    checked
}

/// How much of each root item was used on 13 November 2026, by name.
async fn used(admin: &Client) -> Vec<(String, f64)> {
    let path = "/api/reports/sales-by-root-items?from=2026-11-13&to=2026-11-13";
    let report = admin.get(path).await.expect(200);
    let rows = report["items"].as_array().expect("items").iter();
    let row = |row: &Value| {
        let name = row["name"].as_str().expect("a name").to_owned();
        (name, row["qty"].as_f64().expect("a number"))
    };
    let mut used: Vec<(String, f64)> = rows.map(row).collect();
    used.sort_by(|a, b| a.0.cmp(&b.0));
    used
}

fn of(name: &str, qty: f64) -> (String, f64) {
    (name.to_owned(), qty)
}

/// The POS item with this description.
async fn called(admin: &Client, description: &str) -> Value {
    let list = admin.get(&format!("{ITEMS}?pageSize=all")).await.expect(200);
    let items = list["items"].as_array().expect("items");
    items.iter().find(|item| item["description"] == description).expect("the item").clone()
}

/// How much of its only root item a POS item needs.
fn needs(item: &Value) -> f64 {
    assert_eq!(item["bom"].as_array().map(Vec::len), Some(1), "{item}");
    item["bom"][0]["multiplier"].as_f64().expect("a number")
}

/// Changes a POS item's bill of materials.
async fn change(admin: &Client, item: &Value, bom: Value, more: Value) -> Value {
    let mut patch = more;
    patch["bom"] = bom;
    patch["revision"] = item["revision"].clone();
    let id = item["id"].as_str().expect("an id");
    admin.patch(&format!("{ITEMS}/{id}"), &patch).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn variants_have_a_bill_of_materials_or_inherit(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (latte, milk) = item(&admin, "Iced Latte", "Milk", 0.2).await;
    let bom = |multiplier: f64| json!([{ "rootProductId": milk, "multiplier": multiplier }]);
    let batch = checked(&app, &admin, SIZES).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let unknowns = admin.get(&format!("{path}/unknowns")).await.expect(200);
    let items = unknowns["items"].as_array().expect("items");
    assert_eq!(items.len(), 2, "the item itself is known: {unknowns}");
    for item in items {
        assert_eq!(item["suggestion"]["posItemId"], latte);
        let about = "A variant of «Iced Latte». A new item inherits its bill of materials.";
        assert_eq!(item["suggestion"]["about"], about);
    }
    create_unknowns(&admin, &batch).await;
    let small = called(&admin, "Iced Latte (16oz)").await;
    let large = called(&admin, "Iced Latte (22oz)").await;
    for size in [&small, &large] {
        assert_eq!((&size["variantOf"], needs(size)), (&json!(latte), 0.2));
    }
    // The large one has its own from now on, before its sales.
    change(&admin, &large, bom(0.3), json!({ "bomFrom": "2026-11-01" })).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    // 2 small and 1 without a size of 0.2 each, 3 large of 0.3.
    assert_eq!(used(&admin).await, [of("Milk", 1.5)]);
    agree(&app).await;

    // A change of the item changes the variant that inherits, and no other.
    let first = called(&admin, "Iced Latte").await;
    let from = json!({ "bomFrom": "2026-11-01", "recompute": true });
    change(&admin, &first, bom(0.25), from).await;
    let large = called(&admin, "Iced Latte (22oz)").await;
    assert_eq!((needs(&called(&admin, "Iced Latte (16oz)").await), needs(&large)), (0.25, 0.3));
    assert_eq!(used(&admin).await, [of("Milk", 1.65)]);
    agree(&app).await;

    // Without its own it inherits again, and its past sales stay as they were.
    assert_eq!(needs(&change(&admin, &large, json!([]), json!({})).await), 0.25);
    assert_eq!(used(&admin).await, [of("Milk", 1.65)]);
    agree(&app).await;
}

#[rstest]
#[tokio::test]
async fn a_variant_inherits_the_history_of_its_item(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (latte, milk) = item(&admin, "Iced Latte", "Milk", 0.2).await;
    let bom = json!([{ "rootProductId": milk, "multiplier": 0.5 }]);
    // From the day after the file on.
    change(&admin, &called(&admin, "Iced Latte").await, bom, json!({ "bomFrom": "2026-11-14" })).await;
    let batch = checked(&app, &admin, SIZES).await;
    create_unknowns(&admin, &batch).await;
    assert_eq!(needs(&called(&admin, "Iced Latte (22oz)").await), 0.5);
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    assert_eq!(used(&admin).await, [of("Milk", 1.2)], "six of 0.2 each");
    agree(&app).await;

    // A variant has no variants, and is none of itself.
    let small = called(&admin, "Iced Latte (16oz)").await["id"].clone();
    for (wrong, body) in [
        ("a variant of a variant", json!({ "description": "Small latte", "variantOf": small })),
        ("an unknown item", json!({ "description": "Small latte", "variantOf": "nothing" })),
    ] {
        let refused = admin.post(ITEMS, &body).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], "variantOf", "{wrong}: {refused}");
    }
    let itself = json!({ "variantOf": latte });
    let refused = admin.patch(&format!("{ITEMS}/{latte}"), &itself).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "variantOf", "{refused}");
}

#[rstest]
#[tokio::test]
async fn modifiers_use_goods_if_the_user_says_so(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    made(&admin, "/api/stores/locations", &json!({ "name": "Larkspur Mall" })).await;
    item(&admin, "Iced Latte", "Beans", 0.02).await;
    item(&admin, "Oat milk", "Oat drink", 0.2).await;
    let batch = checked(&app, &admin, ADDED).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let ask = &batch["summary"]["asks"][0];
    let about = "Modifiers Applied names 2 modifiers, such as «Oat milk». Do they use goods of their own?";
    assert_eq!((&ask["id"], &ask["about"], &ask["rows"]), (&json!("modifiers"), &json!(about), &json!(2)));
    assert_eq!((&ask["choices"][0]["qty"], &ask["choices"][1]["qty"]), (&json!(8), &json!(15)), "{ask}");
    assert_eq!(batch["summary"]["qty"], 8, "until then they are part of their item");
    assert_eq!(admin.post(&format!("{path}/post"), &json!({})).await.expect(409)["code"], "asks");

    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["answers"] = json!({ "modifiers": "yes" });
    let batch = validate(&app, &admin, &batch, &mapping).await;
    let summary = &batch["summary"];
    assert_eq!((&summary["qty"], &summary["net"]), (&json!(15), &json!(430)));
    assert_eq!((&summary["fileQty"], &summary["fileNet"]), (&json!(8), &json!(430)));
    let left = &summary["leftOut"];
    assert_eq!(left.as_array().map(Vec::len), Some(1), "{left}");
    assert_eq!((&left[0]["reason"], &left[0]["rows"]), (&json!("modifier"), &json!(2)));
    assert_eq!((&left[0]["qty"], &left[0]["net"]), (&json!(-7), &json!(0)));
    let rows = admin.get(&format!("{path}/left-out?reason=modifier")).await.expect(200);
    assert_eq!((&rows["total"], &rows["items"][0]["text"]), (&json!(2), &json!("Oat milk, Extra shot")));

    // The shots and the pandesal stay unmapped.
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    assert_eq!(used(&admin).await, [of("Beans", 0.06), of("Oat drink", 0.6)]);
    agree(&app).await;
    let sums: (i64, i64, i64) =
        app.db.sql("select lines, qty, net from sales_days").one().await.expect("a store-day");
    assert_eq!(sums, (6, 15_000_000, 43_000));

    // The answer is that of all files with these columns.
    let next = upload(&admin, "next.csv", ADDED.replace("-13,", "-14,")).await;
    assert_eq!(next["mapping"]["modifiers"], true);
    let next = validate(&app, &admin, &next, &next["mapping"]).await;
    assert_eq!(
        (&next["summary"]["qty"], &next["mapping"]["answers"]["modifiers"]),
        (&json!(15), &json!("yes"))
    );
}
