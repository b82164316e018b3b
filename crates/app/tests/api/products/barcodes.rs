//! Barcodes: several of a product, each with its unit; one product of the group has a code.

use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, id, make, make_commissary, make_uom, path_of};
use crate::support::{App, Client, Engine, one_engine};

const EAN: &str = "4800012345678";
/// A number of twelve digits, which some scanners read with zeros before it.
const UPC: &str = "036000291452";

/// A product in pieces and cases of twelve.
async fn product(client: &Client, (pc, case): (&str, &str), name: &str, codes: Value) -> Value {
    let conversion = json!([{ "fromUomId": case, "toUomId": pc, "factor": 12 }]);
    let others = json!([{ "uomId": case, "whole": true }]);
    let body = json!({ "name": name, "baseUom": pc, "otherUoms": others, "conversions": conversion, "barcodes": codes });
    make(client, PATH, body).await
}

/// Codes and their products, as devices keep them.
async fn kept(client: &Client) -> Vec<(String, String, String)> {
    let answer = client.get("/api/products/barcodes").await.expect(200);
    let text = |row: &Value, name: &str| row[name].as_str().expect("a text").to_owned();
    let rows = answer["items"].as_array().expect("items");
    rows.iter().map(|row| (text(row, "code"), text(row, "productId"), text(row, "uomId"))).collect()
}

#[rstest]
#[tokio::test]
async fn a_code_names_one_product_and_its_unit(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (pc, case) = (make_uom(&admin, "pc").await, make_uom(&admin, "case").await);
    let codes = json!([{ "code": EAN, "uomId": pc }, { "code": format!(" {UPC} "), "uomId": case }]);
    let soda = product(&admin, (&pc, &case), "Soda", codes).await;
    assert_eq!(soda["barcodes"], json!([{ "code": EAN, "uomId": pc }, { "code": UPC, "uomId": case }]));
    let of_soda = |code: &str, unit: &str| (code.to_owned(), id(&soda), unit.to_owned());
    assert_eq!(kept(&admin).await, [of_soda(UPC, &case), of_soda(EAN, &pc)]);

    // Taken codes are refused at their field, with the name of the product; with any number of zeros before.
    let tea = product(&admin, (&pc, &case), "Tea", json!([])).await;
    let lines = json!([{ "code": "111", "uomId": pc }, { "code": format!("00{UPC}"), "uomId": pc }]);
    let refusal = admin.patch(&path_of(&tea), &json!({ "revision": 1, "barcodes": lines })).await.expect(409);
    let words = format!("«Soda» has the barcode 00{UPC} already. Remove it there first.");
    assert_eq!(refusal["fields"], json!([{ "field": "barcodes.1.code", "message": words }]));
    assert_eq!(kept(&admin).await.len(), 2, "nothing of it is kept");

    // A code, a unit of the product, and once each.
    let lines = json!([
        { "code": "", "uomId": pc }, { "code": "222" }, { "code": "4.80002E+12", "uomId": pc },
        { "code": "333", "uomId": pc }, { "code": "333", "uomId": case },
    ]);
    let refusal = admin.patch(&path_of(&tea), &json!({ "revision": 1, "barcodes": lines })).await.expect(422);
    assert_eq!(
        refusal["fields"],
        json!([
            { "field": "barcodes.0.code", "message": "Enter a barcode." },
            { "field": "barcodes.1.uomId", "message": "Choose a unit." },
            { "field": "barcodes.2.code",
              "message": "A spreadsheet changed this code. Enter it again, in a column formatted as text." },
            { "field": "barcodes.4.code", "message": "This barcode is listed already." },
        ])
    );
    let kilo = make_uom(&admin, "kg").await;
    let lines = json!([{ "code": "333", "uomId": kilo }]);
    let refusal = admin.patch(&path_of(&tea), &json!({ "revision": 1, "barcodes": lines })).await.expect(422);
    let words = "The product does not have the unit of 333. Add the unit first.";
    assert_eq!(refusal["fields"], json!([{ "field": "barcodes.0.uomId", "message": words }]));

    // Free again once it is removed, and when the product is inactive it is not scanned.
    admin
        .patch(&path_of(&soda), &json!({ "revision": 1, "barcodes": [{ "code": EAN, "uomId": pc }] }))
        .await
        .expect(200);
    let lines = json!([{ "code": UPC, "uomId": pc }]);
    admin.patch(&path_of(&tea), &json!({ "revision": 1, "barcodes": lines })).await.expect(200);
    admin.patch(&path_of(&tea), &json!({ "revision": 2, "inactive": true })).await.expect(200);
    assert_eq!(kept(&admin).await, [of_soda(EAN, &pc)]);
}

#[rstest]
#[tokio::test]
async fn codes_follow_undo_deletion_and_merging(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make_commissary(&admin, "Pasig").await;
    let (pc, case) = (make_uom(&admin, "pc").await, make_uom(&admin, "case").await);
    let units = (pc.as_str(), case.as_str());
    let old = product(&admin, units, "Soda (old)", json!([{ "code": "111", "uomId": case }])).await;
    let codes = || async {
        kept(&admin).await.into_iter().map(|(code, product, _)| (code, product)).collect::<Vec<_>>()
    };

    // Undone and deleted, the code is free; undoing the deletion takes it back.
    let changed = admin.patch(&path_of(&old), &json!({ "revision": 1, "barcodes": [] })).await.expect(200);
    assert_eq!((changed["barcodes"].clone(), codes().await), (json!([]), Vec::new()));
    admin.post(&format!("{}/undo", path_of(&old)), &json!({ "revision": 2 })).await.expect(200);
    assert_eq!(codes().await, [("111".to_owned(), id(&old))]);
    assert_eq!(admin.delete(&path_of(&old)).await.status, 204);
    assert_eq!(codes().await, Vec::new());
    admin.post(&format!("{}/undo", path_of(&old)), &json!({})).await.expect(200);
    assert_eq!(codes().await, [("111".to_owned(), id(&old))]);

    // A merge moves the codes to the product that stays, even if the other is kept for its movements.
    admin.post(&format!("{}/adjust", path_of(&old)), &json!({ "quantity": 3 })).await.expect(200);
    let old = admin.get(&path_of(&old)).await.expect(200);
    let soda = product(&admin, units, "Soda", json!([{ "code": "222", "uomId": pc }])).await;
    let body = json!({ "into": id(&soda), "revision": old["revision"], "intoRevision": soda["revision"] });
    let merged = admin.post(&format!("{}/merge", path_of(&old)), &body).await.expect(200);
    let lines = json!([{ "code": "222", "uomId": pc }, { "code": "111", "uomId": case }]);
    assert_eq!(merged["record"]["barcodes"], lines);
    let moved = merged["moved"].as_array().expect("uses");
    assert!(moved.contains(&json!({ "kind": "product", "label": "barcodes", "count": 1 })), "{merged}");
    let gone = admin.get(&path_of(&old)).await.expect(200);
    assert_eq!((&gone["inactive"], &gone["barcodes"]), (&json!(true), &json!([])));
    assert_eq!(codes().await, [("111".to_owned(), id(&soda)), ("222".to_owned(), id(&soda))]);

    // One without the unit refuses them, by name.
    let tea = make(&admin, PATH, json!({ "name": "Tea", "baseUom": pc })).await;
    let soda = admin.get(&path_of(&soda)).await.expect(200);
    let body = json!({ "into": id(&tea), "revision": soda["revision"], "intoRevision": tea["revision"] });
    let refusal = admin.post(&format!("{}/merge", path_of(&soda)), &body).await.expect(422);
    let words =
        "«Tea» does not have the unit of the barcode 111. Add the unit there, or remove the barcode here.";
    assert_eq!(refusal["fields"], json!([{ "field": "into", "message": words }]));
}

#[rstest]
#[tokio::test]
async fn merged_units_keep_all_codes(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (pc, case, carton) =
        (make_uom(&admin, "pc").await, make_uom(&admin, "case").await, make_uom(&admin, "carton").await);
    let codes = json!([{ "code": "111", "uomId": case }, { "code": "222", "uomId": pc }, { "code": "333", "uomId": case }]);
    let soda = product(&admin, (&pc, &case), "Soda", codes).await;
    let body = json!({ "into": carton, "revision": 1, "intoRevision": 1 });
    admin.post(&format!("/api/lists/uoms/{case}/merge"), &body).await.expect(200);
    let now = admin.get(&path_of(&soda)).await.expect(200);
    let lines = json!([{ "code": "111", "uomId": carton }, { "code": "222", "uomId": pc }, { "code": "333", "uomId": carton }]);
    assert_eq!(now["barcodes"], lines);
    let units: Vec<_> = kept(&admin).await.into_iter().map(|(_, _, unit)| unit).collect();
    assert_eq!(units, [carton.clone(), pc, carton]);
}

#[rstest]
#[tokio::test]
async fn a_product_is_found_by_its_codes(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (pc, case) = (make_uom(&admin, "pc").await, make_uom(&admin, "case").await);
    let soda = product(&admin, (&pc, &case), "Soda", json!([{ "code": EAN, "uomId": pc }])).await;
    product(&admin, (&pc, &case), "Tea", json!([])).await;
    let listed = admin.get(&format!("{PATH}?q={EAN}")).await.expect(200);
    assert_eq!((&listed["total"], &listed["items"][0]["id"]), (&json!(1), &soda["id"]));
    let found = admin.get(&format!("/api/search?q={EAN}")).await.expect(200);
    assert_eq!((&found["items"][0]["kind"], &found["items"][0]["id"]), (&json!("product"), &soda["id"]));
}
