//! Actions on records besides writing: uses, merging, moving, bulk changes, undo.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{CASES, fields};
use crate::support::{App, Client, Engine, one_engine};

fn id(record: &Value) -> &str {
    record["id"].as_str().expect("an id")
}

async fn made(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201)
}

const PRODUCTS: &str = "/api/products";
const UOMS: &str = "/api/lists/uoms";
const CATEGORIES: &str = "/api/lists/categories";

async fn uom(client: &Client, name: &str) -> Value {
    made(client, UOMS, json!({ "name": name, "code": name })).await
}

#[rstest]
#[tokio::test]
async fn uses_are_counted_and_listed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (piece, case, spare) =
        (uom(&admin, "Piece").await, uom(&admin, "Case").await, uom(&admin, "Spare").await);
    for n in 0..3 {
        let conversions = json!([{ "fromUomId": id(&case), "toUomId": id(&piece), "factor": 24 }]);
        let body = json!({ "name": format!("Product {n}"), "baseUom": id(&piece), "defaultSellingUom": id(&piece),
            "otherUoms": [{ "uomId": id(&case), "whole": true }], "conversions": conversions });
        made(&admin, PRODUCTS, body).await;
    }
    made(&admin, "/api/lists/recipes", json!({ "name": "Batch", "yieldUomId": id(&piece) })).await;
    let ids = format!("{},{},{}", id(&piece), id(&case), id(&spare));
    let counted = admin.get(&format!("{UOMS}/uses?ids={ids}")).await.expect(200);
    assert_eq!((&counted[1]["total"], &counted[1]["uses"][0]["label"]), (&json!(3), &json!("Products")));
    assert_eq!((&counted[2]["total"], &counted[2]["uses"]), (&json!(0), &json!([])));
    let whole = admin.get(&format!("{UOMS}/{}/uses", id(&case))).await.expect(200);
    let names: Vec<_> =
        whole["uses"][0]["records"].as_array().expect("records").iter().map(|r| &r["name"]).collect();
    assert_eq!(names, ["Product 0", "Product 1", "Product 2"]);
    let refusal = admin.delete(&format!("{UOMS}/{}", id(&case))).await.expect(409);
    assert_eq!((&refusal["code"], &refusal["uses"][0]["count"]), (&json!("inUse"), &json!(3)));
    assert_eq!(admin.get(&format!("{UOMS}/none/uses")).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn merging_keeps_every_use(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (kg, kilo, pack) = (uom(&admin, "kg").await, uom(&admin, "kilo").await, uom(&admin, "pack").await);
    let conversions = json!([{ "fromUomId": id(&pack), "toUomId": id(&kilo), "factor": 5 }]);
    let body = json!({ "name": "Flour", "baseUom": id(&kilo), "otherUoms": [{ "uomId": id(&pack), "whole": true }],
        "conversions": conversions });
    let flour = made(&admin, PRODUCTS, body).await;
    let bread = made(&admin, "/api/lists/recipes", json!({ "name": "Bread", "yieldUomId": id(&kilo) })).await;
    let body = json!({ "into": id(&kg), "revision": 1, "intoRevision": 1 });
    let answer = admin.post(&format!("{UOMS}/{}/merge", id(&kilo)), &body).await.expect(200);
    assert_eq!(answer["record"]["id"], kg["id"]);
    let counts: i64 =
        answer["moved"].as_array().expect("moved").iter().map(|m| m["count"].as_i64().expect("n")).sum();
    assert_eq!(counts, 2, "{answer}");
    assert_eq!(admin.get(&format!("{UOMS}/{}", id(&kilo))).await.status, 404);
    let flour = admin.get(&format!("{PRODUCTS}/{}", id(&flour))).await.expect(200);
    assert_eq!((&flour["baseUom"], &flour["conversions"][0]["toUomId"]), (&kg["id"], &kg["id"]));
    assert_eq!(
        admin.get(&format!("/api/lists/recipes/{}", id(&bread))).await.expect(200)["yieldUomId"],
        kg["id"]
    );
    let past = admin.get(&format!("{PRODUCTS}/{}/history", id(&flour))).await.expect(200);
    assert_eq!((&past["total"], &past["items"][0]["action"]), (&json!(2), &json!("updated")));

    // Wrong revisions, the record itself, and a deleted one are refused.
    let merge = |into: &str, revision: i64, other: i64| json!({ "into": into, "revision": revision, "intoRevision": other });
    let path = format!("{UOMS}/{}/merge", id(&pack));
    assert_eq!(admin.post(&path, &merge(id(&kg), 2, 1)).await.expect(409)["code"], "stale");
    assert_eq!(admin.post(&path, &merge(id(&kg), 1, 7)).await.expect(409)["code"], "stale");
    assert_eq!(fields(&admin.post(&path, &merge(id(&pack), 1, 1)).await.expect(422)), ["into"]);
    assert_eq!(fields(&admin.post(&path, &merge(id(&kilo), 1, 1)).await.expect(422)), ["into"]);
}

#[rstest]
#[tokio::test]
async fn merging_a_branch_into_its_descendant_makes_no_cycle(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let food = made(&admin, CATEGORIES, json!({ "name": "Food" })).await;
    let dry = made(&admin, CATEGORIES, json!({ "name": "Dry", "parentId": id(&food) })).await;
    let flour = made(&admin, CATEGORIES, json!({ "name": "Flour", "parentId": id(&dry) })).await;
    let body = json!({ "into": id(&flour), "revision": 1, "intoRevision": 1 });
    let answer = admin.post(&format!("{CATEGORIES}/{}/merge", id(&food)), &body).await.expect(200);
    assert_eq!(answer["record"].get("parentId"), None);
    let dry = admin.get(&format!("{CATEGORIES}/{}", id(&dry))).await.expect(200);
    assert_eq!(dry["parentId"], flour["id"]);
}

#[rstest]
#[tokio::test]
async fn siblings_keep_their_position(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut ids = Vec::new();
    for name in ["A", "B", "C", "D"] {
        ids.push(id(&made(&admin, CATEGORIES, json!({ "name": name })).await).to_owned());
    }
    let order = async || {
        let page = admin.get(&format!("{CATEGORIES}?pageSize=all")).await.expect(200);
        let mut items = page["items"].as_array().expect("items").clone();
        items.retain(|item| item.get("parentId").is_none());
        items.sort_by_key(|item| (item["position"].as_i64(), item["name"].as_str().map(str::to_owned)));
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect::<String>()
    };
    assert_eq!(order().await, "ABCD");
    let to = |parent: Option<&str>, before: Option<&str>, revision: i64| json!({ "parentId": parent, "before": before, "revision": revision });
    let path = |n: usize| format!("{CATEGORIES}/{}/move", ids[n]);
    admin.post(&path(3), &to(None, Some(&ids[0]), 1)).await.expect(200);
    assert_eq!(order().await, "DABC");
    admin.post(&path(0), &to(None, None, 1)).await.expect(200);
    assert_eq!(order().await, "DBCA");
    // Later records are sorted last.
    made(&admin, CATEGORIES, json!({ "name": "AA" })).await;
    assert_eq!(order().await, "DBCAAA");
    let below = admin.post(&path(1), &to(Some(&ids[2]), None, 1)).await.expect(200);
    assert_eq!((&below["parentId"], &below["revision"]), (&json!(ids[2]), &json!(2)));
    assert_eq!(order().await, "DCAAA");
    assert_eq!(fields(&admin.post(&path(2), &to(Some(&ids[1]), None, 1)).await.expect(422)), ["parentId"]);
    assert_eq!(admin.post(&path(1), &to(None, None, 1)).await.expect(409)["code"], "stale");
    assert_eq!(fields(&admin.post(&path(3), &to(None, Some(&ids[1]), 1)).await.expect(422)), ["before"]);
}

#[rstest]
#[tokio::test]
async fn a_bulk_change_skips_refused_records(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut records = Vec::new();
    for n in 0..4 {
        let made = made(&admin, PRODUCTS, json!({ "name": format!("Product {n}"), "type": "Service" })).await;
        records.push(json!({ "id": id(&made), "revision": 1 }));
    }
    records[2]["revision"] = json!(9);
    let body = json!({ "records": records, "change": { "inactive": true } });
    let answer = admin.post(&format!("{PRODUCTS}/bulk"), &body).await.expect(200);
    assert_eq!(answer["done"].as_array().expect("done").len(), 3);
    assert_eq!(
        (&answer["failed"][0]["id"], &answer["failed"][0]["code"]),
        (&records[2]["id"], &json!("stale"))
    );
    assert_eq!(admin.get(&format!("{PRODUCTS}?inactive=true")).await.expect(200)["total"], 3);
    let wrong = json!({ "records": records, "change": { "type": "Magic" } });
    let answer = admin.post(&format!("{PRODUCTS}/bulk"), &wrong).await.expect(200);
    assert_eq!(answer["failed"].as_array().expect("failed").len(), 4);
    let nothing = json!({ "records": records, "change": {} });
    assert_eq!(fields(&admin.post(&format!("{PRODUCTS}/bulk"), &nothing).await.expect(422)), ["change"]);
}

#[rstest]
#[tokio::test]
async fn every_list_can_restore_earlier_versions(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let first = case.make(&admin, "First").await;
        let path = format!("{}/{}", case.path(), id(&first));
        admin
            .patch(&path, &json!({ case.name: "Second", "note": "custom", "revision": 1 }))
            .await
            .expect(200);
        admin.patch(&path, &json!({ case.name: "Third", "note": null, "revision": 2 })).await.expect(200);
        let past = admin.get(&format!("{path}/history")).await.expect(200);
        assert_eq!(past["total"], 3, "{}", case.slug);
        let change = &past["items"][0]["changes"];
        let named = change.as_array().expect("changes").iter().find(|one| one["field"] == case.name);
        assert_eq!(named.expect("the name")["before"], "Second");

        // An earlier version is restored, including custom fields.
        let body = json!({ "seq": past["items"][1]["seq"], "revision": 3 });
        let back = admin.post(&format!("{path}/restore"), &body).await.expect(200);
        assert_eq!(
            (&back[case.name], &back["note"], &back["revision"]),
            (&json!("Second"), &json!("custom"), &json!(4))
        );
        assert_eq!(admin.post(&format!("{path}/restore"), &body).await.expect(409)["code"], "stale");

        let unknown = json!({ "seq": i64::MIN, "revision": 4 });
        admin.post(&format!("{path}/restore"), &unknown).await.expect(404);

        // The last change is undone, and a deleted record is restored with its id.
        let undone = admin.post(&format!("{path}/undo"), &json!({ "revision": 4 })).await.expect(200);
        assert_eq!((&undone[case.name], undone.get("note")), (&json!("Third"), None));
        assert_eq!(admin.delete(&path).await.status, 204);
        let back = admin.post(&format!("{path}/undo"), &json!({})).await.expect(200);
        assert_eq!(
            (&back["id"], &back[case.name], &back["createdAt"]),
            (&first["id"], &json!("Third"), &first["createdAt"])
        );
        assert_eq!(admin.get(&path).await.expect(200), back);
        assert!(back["revision"].as_i64() > undone["revision"].as_i64());

        // Undoing the creation of a record deletes it.
        let other = case.make(&admin, "Other").await;
        let undo = format!("{}/{}/undo", case.path(), id(&other));
        assert_eq!(admin.post(&undo, &json!({ "revision": 1 })).await.status, 204);
        assert_eq!(admin.post(&format!("{}/none/undo", case.path()), &json!({})).await.status, 404);
    }
}

#[rstest]
#[tokio::test]
async fn undoing_needs_the_permission_of_its_effect(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let editor = app.user(&[("lists/allLists", &[Action::View, Action::Edit, Action::Create])], None).await;
    let piece = uom(&editor, "Piece").await;
    let undo = format!("{UOMS}/{}/undo", id(&piece));
    assert_eq!(editor.post(&undo, &json!({ "revision": 1 })).await.status, 403, "that would delete it");
    let other = uom(&editor, "Other").await;
    let merge = json!({ "into": id(&other), "revision": 1, "intoRevision": 1 });
    assert_eq!(editor.post(&format!("{UOMS}/{}/merge", id(&piece)), &merge).await.status, 403);
    let admin = app.admin().await;
    assert_eq!(admin.delete(&format!("{UOMS}/{}", id(&piece))).await.status, 204);
    let changer = app.user(&[("lists/allLists", &[Action::View, Action::Edit])], None).await;
    assert_eq!(changer.post(&undo, &json!({})).await.status, 403, "that would make it");
    assert_eq!(editor.post(&undo, &json!({})).await.status, 200);
}

#[rstest]
#[tokio::test]
async fn records_of_a_store_need_access_to_it(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/store-root-items";
    let root = made(&admin, "/api/lists/root-items", json!({ "name": "Salt" })).await;
    let (own, other) = (crate::users::store(&app, "OWN").await, crate::users::store(&app, "OTHER").await);
    let body = |store: &str| json!({ "storeId": store, "rootItemId": id(&root), "parQty": 5 });
    let mine = made(&admin, path, body(&own)).await;
    let far = made(&admin, path, body(&other)).await;
    let twice = admin.post(path, &body(&own)).await.expect(409);
    assert_eq!(twice["code"], "duplicate");
    let person =
        app.user(&[("lists/storeInventoryItems", Action::ALL)], Some(std::slice::from_ref(&own))).await;
    assert_eq!(person.get(path).await.expect(200)["total"], 1);
    let far_path = format!("{path}/{}", id(&far));
    for status in [
        person.get(&far_path).await.status,
        person.patch(&far_path, &json!({ "parQty": 1, "revision": 1 })).await.status,
        person.delete(&far_path).await.status,
        person.get(&format!("{far_path}/history")).await.status,
        person.get(&format!("{far_path}/uses")).await.status,
        person.post(&format!("{far_path}/undo"), &json!({ "revision": 1 })).await.status,
        person.post(path, &body(&other)).await.status,
        person
            .patch(&format!("{path}/{}", id(&mine)), &json!({ "storeId": other, "revision": 1 }))
            .await
            .status,
    ] {
        assert_eq!(status, 403);
    }
    let bulk = json!({ "records": [{ "id": id(&far), "revision": 1 }], "change": { "parQty": 1 } });
    assert_eq!(person.post(&format!("{path}/bulk"), &bulk).await.status, 403);
    assert_eq!(admin.delete(&far_path).await.status, 204);
    assert_eq!(person.get(&format!("{far_path}/history")).await.status, 403, "not even when it is gone");
    assert_eq!(person.post(&format!("{far_path}/undo"), &json!({})).await.status, 403);
}

#[rstest]
#[tokio::test]
async fn merging_products_moves_their_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let kg = uom(&admin, "kg").await;
    made(&admin, "/api/lists/commissaries", json!({ "name": "Kitchen" })).await;
    let cold = made(&admin, "/api/lists/cold-storages", json!({ "name": "Freezer" })).await;
    let product =
        async |name: &str| made(&admin, PRODUCTS, json!({ "name": name, "baseUom": id(&kg) })).await;
    let (flour, harina) = (product("Flour").await, product("Harina").await);
    let adjust = async |record: &Value, body: Value| {
        admin.post(&format!("{PRODUCTS}/{}/adjust", id(record)), &body).await.expect(200)["product"].clone()
    };
    adjust(&flour, json!({ "quantity": 5 })).await;
    adjust(&harina, json!({ "quantity": "2.5" })).await;
    adjust(&harina, json!({ "quantity": 7.5, "placeKind": "coldStorage", "placeId": id(&cold) })).await;
    let body = json!({ "into": id(&flour), "revision": 1, "intoRevision": 1 });
    let path = format!("{PRODUCTS}/{}", id(&harina));
    let answer = admin.post(&format!("{path}/merge"), &body).await.expect(200);
    assert_eq!((&answer["record"]["quantity"], &answer["moved"][0]["count"]), (&json!(15), &json!(2)));
    // Its movements remain, and so does the record, as inactive.
    let gone = admin.get(&path).await.expect(200);
    assert_eq!((&gone["inactive"], &gone["quantity"]), (&json!(true), &json!(0)));
    assert_eq!(larder_ledgers::stock::verify(&app.db).await.expect("counted"), []);

    // Quantities in different units cannot be added up.
    let piece = uom(&admin, "piece").await;
    let egg = made(&admin, PRODUCTS, json!({ "name": "Egg", "baseUom": id(&piece) })).await;
    adjust(&egg, json!({ "quantity": 3 })).await;
    let refusal = admin.post(&format!("{PRODUCTS}/{}/merge", id(&egg)), &body).await.expect(422);
    assert_eq!(fields(&refusal), ["into"]);
}

/// Whatever is merged in any order: each record refers to the remaining ones, and none is lost.
#[rstest]
#[tokio::test]
async fn merging_in_any_order_keeps_every_use(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(1, 2, 3)] seed: u64,
) {
    use std::collections::{BTreeMap, BTreeSet};

    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    let mut random = rand::rngs::StdRng::seed_from_u64(seed);
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (mut uoms, mut levels, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..6 {
        uoms.push(id(&uom(&admin, &format!("Unit {n}")).await).to_owned());
        let name = json!({ "name": format!("Level {n}") });
        levels.push(id(&made(&admin, "/api/lists/price-levels", name).await).to_owned());
        let name = json!({ "name": format!("Root {n}") });
        roots.push(id(&made(&admin, "/api/lists/root-items", name).await).to_owned());
    }
    // Record → referenced records, by field.
    let mut refers: BTreeMap<String, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
    for n in 0..10 {
        let base = uoms.choose(&mut random).expect("a unit").clone();
        let some = |all: &[String], random: &mut rand::rngs::StdRng| -> BTreeSet<String> {
            all.iter().filter(|_| random.random_bool(0.4)).cloned().collect()
        };
        let (prices, used) = (some(&levels, &mut random), some(&roots, &mut random));
        let body = json!({
            "name": format!("Product {n}"), "baseUom": base,
            "priceLevelPrices": prices.iter().map(|id| json!({ "priceLevelId": id, "price": n })).collect::<Vec<_>>(),
            "rootItemConversions": used.iter().map(|id| json!({ "rootItemId": id, "factor": 2 })).collect::<Vec<_>>(),
        });
        let product = made(&admin, PRODUCTS, body).await;
        let fields = BTreeMap::from([
            ("baseUom", BTreeSet::from([base])),
            ("priceLevelPrices", prices),
            ("rootItemConversions", used),
        ]);
        refers.insert(format!("{PRODUCTS}/{}", id(&product)), fields);
    }
    for (path, all) in
        [(UOMS, &mut uoms), ("/api/lists/price-levels", &mut levels), ("/api/lists/root-items", &mut roots)]
    {
        for _ in 0..4 {
            let gone = all.remove(random.random_range(0..all.len()));
            let stays = all.choose(&mut random).expect("another").clone();
            let revision =
                async |id: &str| admin.get(&format!("{path}/{id}")).await.expect(200)["revision"].clone();
            let body = json!({
                "into": stays, "revision": revision(&gone).await, "intoRevision": revision(&stays).await,
            });
            admin.post(&format!("{path}/{gone}/merge"), &body).await.expect(200);
            for ids in refers.values_mut().flat_map(BTreeMap::values_mut) {
                if ids.remove(&gone) {
                    ids.insert(stays.clone());
                }
            }
        }
    }
    for (path, fields) in refers {
        let record = admin.get(&path).await.expect(200);
        for (field, expected) in fields {
            let found: BTreeSet<String> = match &record[field] {
                Value::String(one) => BTreeSet::from([one.clone()]),
                Value::Array(items) => items
                    .iter()
                    .flat_map(|item| item.as_object().expect("an item").iter())
                    .filter(|(member, _)| member.ends_with("Id"))
                    .map(|(_, id)| id.as_str().expect("an id").to_owned())
                    .collect(),
                _ => BTreeSet::new(),
            };
            assert_eq!(found, expected, "{path} {field}");
        }
    }
}
