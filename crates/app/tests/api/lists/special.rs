//! Specifics of root items and POS items.

use larder_domain::{BusinessDay, Factor};
use rstest::rstest;
use serde_json::{Value, json};

use super::{column, fields, make_all};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn root_items_take_decimal_commas(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/root-items";
    for (given, weight, price) in [
        (json!({ "weightKg": "1,5", "price": "12,95" }), json!(1.5), json!(12.95)),
        (json!({ "weightKg": "1.250,5", "price": "1,234.50" }), json!(1250.5), json!(1234.5)),
        (json!({ "weightKg": "1,250", "price": "1,25" }), json!(1.25), json!(1.25)),
        (json!({ "weightKg": 0.1, "price": 0.3 }), json!(0.1), json!(0.3)),
        (json!({ "weightKg": "0,000001", "price": 7 }), json!(0.000_001), json!(7)),
    ] {
        let mut body = given.clone();
        body["name"] = json!("Flour");
        let made = admin.post(path, &body).await.expect(201);
        assert_eq!((&made["weightKg"], &made["price"]), (&weight, &price), "{given}");
    }
    for (given, field) in [
        (json!({ "price": "1,005" }), "price"),
        (json!({ "weightKg": "1,0000001" }), "weightKg"),
        (json!({ "weightKg": "-1" }), "weightKg"),
        (json!({ "weightKg": 1e300 }), "weightKg"),
        (json!({ "price": "NaN" }), "price"),
        (json!({ "price": true }), "price"),
    ] {
        let mut body = given.clone();
        body["name"] = json!("Flour");
        assert_eq!(fields(&admin.post(path, &body).await.expect(422)), [field], "{given}");
    }
}

#[rstest]
#[tokio::test]
async fn a_single_comma_groups_money_and_is_ambiguous_in_quantities(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let platter = json!({ "posItemId": "1", "description": "Platter", "price": "1,250" });
    assert_eq!(admin.post("/api/lists/pos-items", &platter).await.expect(201)["price"], json!(1250));
    let unit = admin.post("/api/lists/uoms", &json!({ "name": "Kilogram", "code": "kg" })).await.expect(201);
    let flour = |point: &str| json!({ "name": "Flour", "baseUom": unit["id"], "reorderPoint": point });
    assert_eq!(fields(&admin.post("/api/products", &flour("1,250")).await.expect(422)), ["reorderPoint"]);
    // Whole numbers have no decimals.
    let life = |days: &str| json!({ "name": "Salt", "baseUom": unit["id"], "shelfLife": days });
    assert_eq!(admin.post("/api/products", &life("1,250")).await.expect(201)["shelfLife"], json!(1250));
    assert_eq!(fields(&admin.post("/api/products", &life("1,25")).await.expect(422)), ["shelfLife"]);
    let plain = flour("1,5");
    assert_eq!(admin.post("/api/products", &plain).await.expect(201)["reorderPoint"], json!(1.5));
}

#[rstest]
#[tokio::test]
async fn empty_values_of_root_items_are_stripped(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "name": "Salt", "type": "", "weightKg": "", "price": null, "rootProductId": " ",
        "note": "", "tags": [], "more": {}, "zero": 0, "no": false });
    let made = admin.post("/api/lists/root-items", &body).await.expect(201);
    let mut names: Vec<_> = made.as_object().expect("a record").keys().cloned().collect();
    names.sort();
    let kept = ["createdAt", "id", "name", "no", "production", "revision", "updatedAt", "updatedBy", "zero"];
    assert_eq!(names, kept);
    assert_eq!(made["production"], true);
}

#[rstest]
#[tokio::test]
async fn inactive_root_items_are_hidden_but_remain(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let bodies = [json!({ "name": "Old", "production": false }), json!({ "name": "New" })];
    let ids = make_all(&app, "root-items", &bodies).await;
    let path = "/api/lists/root-items";
    let names = async |query: &str| column(&admin.get(&format!("{path}?{query}")).await.expect(200), "name");
    assert_eq!(names("").await, ["New"]);
    assert_eq!(names("includeHidden=true").await, ["New", "Old"]);
    assert_eq!(names("production=false").await, ["Old"]);
    assert_eq!(admin.get(&format!("{path}/{}", ids[0])).await.expect(200)["production"], false);
    let csv = admin.get(&format!("{path}/export")).await.text();
    assert!(csv.contains("New") && !csv.contains("Old"));
    let back = admin
        .patch(&format!("{path}/{}", ids[0]), &json!({ "production": true, "revision": 1 }))
        .await
        .expect(200);
    assert_eq!(back["production"], true);
    assert_eq!(names("").await, ["New", "Old"]);
}

#[rstest]
#[tokio::test]
async fn a_pos_item_has_a_bill_of_materials(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let roots = make_all(
        &app,
        "root-items",
        &[json!({ "name": "Bun", "rootProductId": "R-1" }), json!({ "name": "Patty" })],
    )
    .await;
    let bom = json!([{ "rootProductId": "r-1", "multiplier": "1" }, { "rootProductId": roots[1], "multiplier": 0.125 }]);
    let path = "/api/lists/pos-items";
    let made =
        admin.post(path, &json!({ "description": "Burger", "price": "99,50", "bom": bom })).await.expect(201);
    let read = json!([{ "rootProductId": roots[0], "multiplier": 1 }, { "rootProductId": roots[1], "multiplier": 0.125 }]);
    assert_eq!(made["bom"], read);
    let one = format!("{path}/{}", made["id"].as_str().expect("an id"));
    let changed = admin.patch(&one, &json!({ "price": 100, "revision": 1 })).await.expect(200);
    assert_eq!((&changed["bom"], &changed["price"]), (&read, &json!(100)));

    let refusal = admin.delete(&format!("/api/lists/root-items/{}", roots[0])).await.expect(409);
    assert_eq!(refusal["uses"], json!([{ "kind": "posItem", "label": "POS items", "count": 1 }]));

    let emptied = admin.patch(&one, &json!({ "bom": [], "revision": 2 })).await.expect(200);
    assert_eq!(emptied["bom"], json!([]));
}

#[rstest]
#[tokio::test]
async fn a_bill_of_materials_is_validated_line_by_line(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let root =
        make_all(&app, "root-items", &[json!({ "name": "Bun", "rootProductId": "R-1" })]).await.remove(0);
    let attempt = async |bom: Value| {
        let body = json!({ "description": "Burger", "bom": bom });
        fields(&admin.post("/api/lists/pos-items", &body).await.expect(422))
    };
    let line = |id: &str, multiplier: Value| json!({ "rootProductId": id, "multiplier": multiplier });
    assert_eq!(attempt(json!("bun")).await, ["bom"]);
    assert_eq!(
        attempt(json!([line("", json!(0)), 5])).await,
        ["bom.0.rootProductId", "bom.0.multiplier", "bom.1.rootProductId", "bom.1.multiplier"]
    );
    assert_eq!(attempt(json!([line("gone", json!(1))])).await, ["bom.0.rootProductId"]);
    assert_eq!(attempt(json!([line(&root, json!(1)), line(&root, json!(2))])).await, ["bom.1.rootProductId"]);
    assert_eq!(attempt(json!([line(&root, json!(1)), line("R-1", json!(2))])).await, ["bom.1.rootProductId"]);
    assert_eq!(attempt(json!([line(&root, json!(-1))])).await, ["bom.0.multiplier"]);
    let body = json!({ "description": "Burger", "bomFrom": "soon", "recompute": 1 });
    let refusal = admin.post("/api/lists/pos-items", &body).await.expect(422);
    assert_eq!(fields(&refusal), ["bomFrom", "recompute"]);
}

#[rstest]
#[tokio::test]
async fn each_edit_of_a_bill_of_materials_is_a_version(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let bun = make_all(&app, "root-items", &[json!({ "name": "Bun" })]).await.remove(0);
    let bom = |multiplier: f64| json!([{ "rootProductId": bun, "multiplier": multiplier }]);
    let path = "/api/lists/pos-items";
    let plain = admin.post(path, &json!({ "description": "Water" })).await.expect(201);
    let made = admin.post(path, &json!({ "description": "Burger", "bom": bom(1.0) })).await.expect(201);
    let id = made["id"].as_str().expect("an id");
    let one = format!("{path}/{id}");
    let versions = async || -> Vec<(i64, BusinessDay, Factor)> {
        app.db
            .sql(
                "select v.seq, v.valid_from, l.multiplier from bom_versions v
                 join bom_lines l on l.bom_id = v.id order by v.seq",
            )
            .all()
            .await
            .expect("versions")
    };
    let first = versions().await;
    assert_eq!((first.len(), first[0].2), (1, Factor(1_000_000_000)));
    // Saving it unchanged adds no version; an empty one has none.
    admin.patch(&one, &json!({ "price": 5, "bom": bom(1.0), "revision": 1 })).await.expect(200);
    assert_eq!(versions().await, first);
    let today = BusinessDay::of(app.state.now());
    admin.patch(&one, &json!({ "bom": bom(2.0), "revision": 2 })).await.expect(200);
    let day = BusinessDay::from_ymd(2024, 2, 29).expect("a day");
    let patch = json!({ "bom": bom(3.0), "bomFrom": "2024-02-29", "recompute": true, "revision": 3 });
    let changed = admin.patch(&one, &patch).await.expect(200);
    assert_eq!((changed.get("bomFrom"), changed.get("recompute")), (None, None));
    let since: Vec<_> = versions().await.into_iter().skip(1).collect();
    assert_eq!(since, [(2, today, Factor(2_000_000_000)), (3, day, Factor(3_000_000_000))]);

    let refusal = admin.patch(&one, &json!({ "recompute": true, "revision": 4 })).await.expect(422);
    assert_eq!(fields(&refusal), ["bomFrom"]);

    // Nothing was sold yet: the item is deleted with its versions.
    assert_eq!(admin.delete(&one).await.status, 204);
    assert_eq!(versions().await, []);
    assert_eq!(admin.delete(&format!("/api/lists/root-items/{bun}")).await.status, 204);

    let sold = plain["id"].as_str().expect("an id").to_owned();
    app.db
        .write(&crate::support::actor(app.state.now()), async |tx| {
            tx.sql(
                "insert into sales_rollup_pos (grain, period, pos_item_id, qty, gross, net, lines)
                 values (30, 0, $1, 1, 1, 1, 1)",
            )
            .bind(&sold)
            .execute()
            .await
        })
        .await
        .expect("a sale");
    let refusal = admin.delete(&format!("{path}/{sold}")).await.expect(409);
    assert_eq!(refusal["uses"], json!([{ "kind": "sales", "label": "months of sales", "count": 1 }]));
}
