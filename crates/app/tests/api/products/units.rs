//! Units and conversions of a product, and its accounts.

use rstest::rstest;
use serde_json::json;

use super::{PATH, id, make, make_commissary, make_product, make_uom, path_of};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn conversions_must_agree(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (pc, pack, case) =
        (make_uom(&admin, "pc").await, make_uom(&admin, "pack").await, make_uom(&admin, "case").await);
    let line =
        |from: &str, to: &str, factor: &str| json!({ "fromUomId": from, "toUomId": to, "factor": factor });
    let body = |last: &str| {
        json!({
            "name": "Pandesal", "baseUom": pc, "defaultSellingUom": case,
            "otherUoms": [{ "uomId": pack, "whole": true }, { "uomId": case, "whole": false }],
            "conversions": [line(&pack, &pc, "6"), line(&case, &pack, "4"), line(&case, &pc, last)],
        })
    };
    let refusal = admin.post(PATH, &body("25")).await.expect(422);
    assert_eq!(
        refusal["fields"],
        json!([{ "field": "conversions.2.factor",
            "message": "By lines 1 and 2 this is 24; correct one of these lines." }])
    );
    let made = make(&admin, PATH, body("24")).await;
    assert_eq!(made["conversions"][2]["factor"], 24);

    // Removing the lines leaves units without a conversion to the base unit.
    let path = path_of(&made);
    let refusal = admin.patch(&path, &json!({ "revision": 1, "conversions": [] })).await.expect(422);
    let fields: Vec<_> = refusal["fields"].as_array().expect("fields").iter().map(|f| &f["field"]).collect();
    assert_eq!(fields, ["otherUoms.0.uomId", "otherUoms.1.uomId", "defaultSellingUom"]);
    let refusal = admin.patch(&path, &json!({ "revision": 1, "baseUom": null })).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "baseUom");
    let lines = json!([line(&pack, &pc, "0"), line(&case, &case, "1")]);
    admin.patch(&path, &json!({ "revision": 1, "conversions": lines })).await.expect(422);
    assert_eq!(admin.get(&path).await.expect(200)["revision"], 1);
}

/// Stocked products need a unit; imported records may still lack it.
#[rstest]
#[tokio::test]
async fn a_stocked_product_needs_a_base_unit(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let pc = make_uom(&admin, "pc").await;
    let words = "Choose the unit that stock of it is counted in.";
    let wanted = json!([{ "field": "baseUom", "message": words }]);
    for body in [json!({ "name": "Jam" }), json!({ "name": "Jam", "type": "Inventory", "baseUom": "" })] {
        assert_eq!(admin.post(PATH, &body).await.expect(422)["fields"], wanted);
    }
    let refusal = admin.post(PATH, &json!({ "shelfLife": -1 })).await.expect(422);
    let reported: Vec<_> =
        refusal["fields"].as_array().expect("fields").iter().map(|f| &f["field"]).collect();
    assert_eq!(reported, ["name", "shelfLife", "baseUom"], "all faults at once");
    let jam = make(&admin, PATH, json!({ "name": "Jam", "baseUom": pc })).await;
    let patch = json!({ "revision": 1, "baseUom": null });
    assert_eq!(admin.patch(&path_of(&jam), &patch).await.expect(422)["fields"], wanted);
    let bulk = json!({ "records": [{ "id": id(&jam), "revision": 1 }], "change": { "baseUom": null } });
    let answer = admin.post(&format!("{PATH}/bulk"), &bulk).await.expect(200);
    assert_eq!(answer["failed"].as_array().map(Vec::len), Some(1));
    let advice = make_product(&admin, "Advice").await;
    let patch = json!({ "revision": 1, "type": "Inventory" });
    assert_eq!(admin.patch(&path_of(&advice), &patch).await.expect(422)["fields"], wanted);
}

#[rstest]
#[tokio::test]
async fn the_base_unit_is_fixed_while_in_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (pc, kg) = (make_uom(&admin, "pc").await, make_uom(&admin, "kg").await);
    make_commissary(&admin, "Main").await;
    let made = make_product(&admin, "Flour").await;
    let path = path_of(&made);
    let adjust = async |quantity: i64| {
        admin.post(&format!("{path}/adjust"), &json!({ "quantity": quantity })).await.expect(200)
    };
    adjust(5).await;
    // A first unit can still be set, but not changed.
    let made = admin.patch(&path, &json!({ "revision": 1, "baseUom": pc })).await.expect(200);
    assert_eq!(made["quantity"], 5);
    let refusal = admin.patch(&path, &json!({ "revision": 2, "baseUom": kg })).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "baseUom");
    adjust(0).await;
    admin.patch(&path, &json!({ "revision": 2, "baseUom": kg })).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn accounts_are_named_beside_their_ids(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let account = json!({ "number": "1200", "name": "Inventory", "type": "Other Current Assets" });
    let account = id(&make(&admin, "/api/your-company/chart-of-accounts", account).await);
    let body = json!({ "name": "Flour", "type": "Service", "inventoryAssetAccountId": account,
        "inventoryAssetAccountNumber": "1200", "inventoryAssetAccountName": "Inventory", "quantity": 0 });
    let made = make(&admin, PATH, body.clone()).await;
    assert_eq!(made["inventoryAssetAccountNumber"], "1200");
    assert_eq!(made["inventoryAssetAccountName"], "Inventory");
    assert_eq!(made["quantity"], 0);
    for (field, value) in [
        ("inventoryAssetAccountName", json!("Something else")),
        ("expenseAccountNumber", json!("1200")),
        ("expenseAccountName", json!("Inventory")),
        ("quantity", json!(99)),
    ] {
        let mut body = body.clone();
        body[field] = value;
        let refusal = admin.post(PATH, &body).await.expect(422);
        assert_eq!(refusal["fields"][0]["field"], field, "{refusal}");
    }
    let emptied = admin
        .patch(&path_of(&made), &json!({ "revision": 1, "inventoryAssetAccountId": null }))
        .await
        .expect(200);
    assert_eq!(emptied.get("inventoryAssetAccountName"), None);
    let refusal =
        admin.patch(&path_of(&made), &json!({ "revision": 2, "expenseAccountId": "none" })).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "expenseAccountId");
}

/// A client that edits a record sends all of it back; nothing it sends is dropped silently.
#[rstest]
#[tokio::test]
async fn a_record_can_be_sent_back_as_read(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let account = json!({ "number": "1200", "name": "Inventory", "type": "Other Current Assets" });
    let account = id(&make(&admin, "/api/your-company/chart-of-accounts", account).await);
    let made =
        make(&admin, PATH, json!({ "name": "Haul", "type": "Service", "inventoryAssetAccountId": account }))
            .await;
    let mut body = made.clone();
    body["description"] = json!("By truck");
    let changed = admin.patch(&path_of(&made), &body).await.expect(200);
    assert_eq!((&changed["description"], &changed["revision"]), (&json!("By truck"), &json!(2)));
    for (field, value) in [
        ("id", json!("other")),
        ("createdAt", json!("2020-01-01T00:00:00Z")),
        ("quantity", json!(5)),
        ("inventoryAssetAccountName", json!("Something else")),
    ] {
        let mut body = changed.clone();
        body[field] = value;
        let refusal = admin.patch(&path_of(&made), &body).await.expect(422);
        assert_eq!(refusal["fields"][0]["field"], field, "{refusal}");
    }
    assert_eq!(admin.get(&path_of(&made)).await.expect(200), changed);
}
