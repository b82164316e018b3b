//! Import from the previous system.

use std::collections::BTreeSet;
use std::path::Path;

use larder_legacy as import_documents;
use larder_legacy::{Options, Report};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor, one_engine};

pub(super) fn write(folder: &Path, collection: &str, documents: &[Value]) {
    let lines: Vec<String> = documents.iter().map(Value::to_string).collect();
    std::fs::write(folder.join(format!("{collection}.jsonl")), lines.join("\n")).expect("write file");
}

pub(super) async fn import(app: &App, folder: &Path, options: Options) -> Report {
    let actor = actor(app.state.now());
    import_documents::import(&app.state, &actor, folder, options, |_| ()).await.expect("it runs")
}

pub(super) fn tally<'r>(report: &'r Report, collection: &str) -> &'r import_documents::Tally {
    report.collections.iter().find(|tally| tally.collection == collection).expect("a collection")
}

async fn ids(client: &Client, path: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for page in 1.. {
        let list = client.get(&format!("{path}?pageSize=1000&page={page}&includeInactive=true")).await;
        let list = if list.status == 422 {
            client.get(&format!("{path}?pageSize=1000&page={page}")).await.expect(200)
        } else {
            list.expect(200)
        };
        let items = list["items"].as_array().expect("items").clone();
        ids.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
        if items.len() < 1_000 {
            break;
        }
    }
    ids
}

/// An export of 20,000 documents, and the size of each collection.
fn export(folder: &Path) -> Vec<(&'static str, &'static str, usize)> {
    let by = json!({ "uid": "old-1", "name": "Rosa Reyes", "email": "rosa@example.com" });
    let at = |n: usize| json!({ "_seconds": 1_600_000_000 + n as i64, "_nanoseconds": 0 });
    let many = |count: usize, one: &dyn Fn(usize) -> Value| -> Vec<Value> {
        let stamped = |n: usize| {
            let mut document = one(n);
            document["createdAt"] = at(n);
            document["updatedAt"] = at(n + 60);
            document["updatedBy"] = by.clone();
            document["legacyNote"] = json!({ "n": n, "tags": ["a", null] });
            document
        };
        (0..count).map(stamped).collect()
    };
    let sizes = [
        ("uoms", "/api/lists/uoms", 40),
        ("categories", "/api/lists/categories", 200),
        ("priceLevels", "/api/lists/price-levels", 10),
        ("suppliers", "/api/lists/suppliers", 400),
        ("rootProducts", "/api/lists/root-items", 1_200),
        ("posItems", "/api/lists/pos-items", 1_500),
        ("locations", "/api/stores/locations", 150),
        ("products", "/api/products", 3_000),
        ("recipes", "/api/lists/recipes", 300),
        ("storeInventoryItems", "/api/lists/store-inventory-items", 1_200),
    ];
    let size = |name: &str| sizes.iter().find(|(known, ..)| *known == name).map_or(0, |(_, _, size)| *size);
    write(
        folder,
        "uoms",
        &many(
            size("uoms"),
            &|n| json!({ "id": format!("uom-{n}"), "name": format!("Unit {n}"), "code": format!("u{n}") }),
        ),
    );
    // Children come before their parents.
    let last = size("categories") - 1;
    write(
        folder,
        "categories",
        &many(size("categories"), &|n| {
            let parent = if n == last { json!("") } else { json!(format!("cat-{}", last.min(n * 2 + 1))) };
            json!({ "id": format!("cat-{n}"), "name": format!("Category {n}"), "parentId": parent })
        }),
    );
    write(
        folder,
        "priceLevels",
        &many(size("priceLevels"), &|n| json!({ "id": format!("pl-{n}"), "name": format!("Level {n}") })),
    );
    write(
        folder,
        "suppliers",
        &many(size("suppliers"), &|n| {
            json!({
                "id": format!("sup-{n}"), "name": format!("Supplier {n}"), "openingBalance": 0.1 * n as f64,
                "openingBalanceDate": at(0), "phone": 9_170_000_000_i64 + n as i64,
            })
        }),
    );
    write(
        folder,
        "rootProducts",
        &many(size("rootProducts"), &|n| {
            json!({
                "id": format!("root-{n}"), "rootProductId": format!("RP{n}"), "name": format!("Root {n}"), "weightKg": "0,25", "price": 12.5,
            })
        }),
    );
    write(
        folder,
        "posItems",
        &many(size("posItems"), &|n| {
            json!({
                "id": format!("pos-{n}"), "posItemId": n, "description": format!("Dish {n}"), "price": 99,
                "bom": [{ "rootProductId": format!("RP{}", n % 1_200), "multiplier": 0.5 }],
            })
        }),
    );
    write(
        folder,
        "locations",
        &many(size("locations"), &|n| {
            json!({
                "id": format!("{n}"), "name": format!("Store {n}"), "code": format!("S{n}"), "priceLevelId": "Level 1",
                "posTerminals": [{ "posCode": format!("P{n}"), "terminalId": "1" }], "inactive": n % 9 == 0,
            })
        }),
    );
    write(
        folder,
        "products",
        &many(size("products"), &|n| {
            json!({
                "id": format!("prod-{n}"), "sku": format!("SKU-{n}"), "name": format!("Product {n}"), "baseUom": format!("U{}", n % 39),
                "category": format!("cat-{}", n % 200), "quantity": 0, "reorderPoint": n, "inactive": false,
                "conversions": [{ "fromUom": "u39", "toUom": format!("u{}", n % 39), "factor": 12 }],
                "priceLevelPrices": [{ "priceLevelId": "pl-3", "price": 10.25 }], "imageUrl": "",
            })
        }),
    );
    write(
        folder,
        "recipes",
        &many(size("recipes"), &|n| {
            json!({
                "id": format!("rec-{n}"), "name": format!("Recipe {n}"), "yieldQty": 10, "yieldUomId": "u3",
                "rootItems": [{ "rootProductId": "root-1", "qty": 0.3 }], "steps": ["boil", "serve"],
            })
        }),
    );
    write(
        folder,
        "storeInventoryItems",
        &many(size("storeInventoryItems"), &|n| {
            json!({
                "id": format!("sii-{n}"), "name": format!("Item {n}"), "rootItemId": format!("root-{n}"), "production": true,
                "createdBy": by,
            })
        }),
    );
    write(
        folder,
        "storeCounts",
        &many(12_000, &|n| {
            let (store, item, day) = (n % 150, n % 1_200, n / 1_200 + 11);
            json!({ "id": format!("{store}_2024-01-{day}_sii-{item}"), "storeId": store, "qty": n })
        }),
    );
    sizes.to_vec()
}

#[rstest]
#[tokio::test]
async fn twenty_thousand_documents_are_imported(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    let sizes = export(folder.path());
    assert_eq!(sizes.iter().map(|(.., size)| size).sum::<usize>() + 12_000, 20_000);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(report.broken, []);
    for (collection, path, size) in &sizes {
        let tally = tally(&report, collection);
        assert_eq!((tally.documents, tally.created), (*size as u64, *size as u64), "{collection}");
        let prefix = |n: usize| match *collection {
            "uoms" => format!("uom-{n}"),
            "categories" => format!("cat-{n}"),
            "priceLevels" => format!("pl-{n}"),
            "suppliers" => format!("sup-{n}"),
            "rootProducts" => format!("root-{n}"),
            "posItems" => format!("pos-{n}"),
            "locations" => n.to_string(),
            "products" => format!("prod-{n}"),
            "recipes" => format!("rec-{n}"),
            _ => format!("sii-{n}"),
        };
        let wanted: BTreeSet<String> = (0..*size).map(prefix).collect();
        assert_eq!(ids(&admin, path).await, wanted, "{collection}");
    }
    assert_eq!(tally(&report, "storeCounts").created, 12_000);

    let product = admin.get("/api/products/prod-7").await.expect(200);
    assert_eq!((&product["baseUom"], &product["category"]), (&json!("uom-7"), &json!("cat-7")));
    assert_eq!(product["conversions"], json!([{ "fromUomId": "uom-39", "toUomId": "uom-7", "factor": 12 }]));
    assert_eq!(product["legacyNote"], json!({ "n": 7, "tags": ["a", null] }), "unknown fields are preserved");
    assert_eq!(
        (&product["createdAt"], &product["updatedAt"]),
        (&json!("2020-09-13T12:26:47.000Z"), &json!("2020-09-13T12:27:47.000Z"))
    );
    assert_eq!(product["updatedBy"]["name"], "Rosa Reyes");
    let dish = admin.get("/api/lists/pos-items/pos-3").await.expect(200);
    assert_eq!((&dish["posItemId"], &dish["bom"][0]["rootProductId"]), (&json!("3"), &json!("root-3")));
    let supplier = admin.get("/api/lists/suppliers/sup-3").await.expect(200);
    assert_eq!(
        (&supplier["openingBalance"], &supplier["openingBalanceDate"]),
        (&json!(0.3), &json!("2020-09-13"))
    );
    assert_eq!(admin.get("/api/lists/root-items/root-0").await.expect(200)["weightKg"], 0.25);
    assert_eq!(admin.get("/api/lists/recipes/rec-0").await.expect(200)["steps"], json!(["boil", "serve"]));

    let again = import(&app, folder.path(), Options::default()).await;
    for (collection, _, size) in &sizes {
        let tally = tally(&again, collection);
        assert_eq!((tally.created, tally.updated, tally.unchanged), (0, 0, *size as u64), "{collection}");
    }
    assert_eq!((again.broken.len(), tally(&again, "storeCounts").unchanged), (0, 12_000));
}

#[rstest]
#[tokio::test]
async fn invalid_documents_are_reported_and_the_rest_is_imported(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    let lines = [
        r#"{"id":"a","name":"Box","code":"bx"}"#,
        "{\"id\":\"b\",\"name\":",
        r#"["id"]"#,
        r#"{"name":"No id","code":"ni"}"#,
        r#"{"id":"a b","name":"Odd id","code":"oi"}"#,
        r#"{"id":"a","name":"Again","code":"ag"}"#,
        r#"{"id":"c","name":"BOX","code":"bx2"}"#,
        r#"{"id":"d","code":"dd"}"#,
        r#"{"id":"e","name":"Sack","code":"sk","_private":1,"$odd":2,"createdBy":{"uid":"x"}}"#,
        &format!(r#"{{"id":"f","name":"{}"}}"#, "x".repeat(5 << 20)),
        r#"{"id":"g","name":"Tray","code":"tr"}"#,
    ];
    std::fs::write(folder.path().join("uoms.jsonl"), lines.join("\n")).expect("write file");
    write(folder.path(), "commissaries", &[json!({ "id": "com", "name": "Main", "isDefault": true })]);
    write(
        folder.path(),
        "products",
        &[
            json!({ "id": "p1", "name": "Pork", "quantity": 12.5, "baseUom": "bx" }),
            json!({ "id": "p2", "name": "Ghost", "baseUom": { "path": "uoms/zz" } }),
            json!({ "id": "p3", "name": "Path", "baseUom": { "path": "uoms/g" }, "quantity": "3" }),
        ],
    );
    let report = import(&app, folder.path(), Options::default()).await;
    let found: Vec<(u64, &str, &str)> = report
        .broken
        .iter()
        .filter(|found| found.file == "uoms.jsonl")
        .map(|found| (found.line, found.id.as_str(), found.reason.as_str()))
        .collect();
    let words = [
        (2, "", "no JSON"),
        (3, "", "JSON object"),
        (4, "", "no id"),
        (5, "a b", "letters"),
        (6, "a", "Line 1"),
        (7, "c", "already taken"),
        (8, "d", "Enter the name"),
        (10, "", "longer than"),
    ];
    let mut sorted = found.clone();
    sorted.sort_unstable();
    assert_eq!(sorted.len(), words.len(), "{found:?}");
    for ((line, id, reason), (wanted, whose, part)) in sorted.iter().zip(words) {
        assert!(*line == wanted && *id == whose && reason.contains(part), "{line} {id} {reason}");
    }
    assert_eq!(ids(&admin, "/api/lists/uoms").await, ["a", "e", "g"].map(str::to_owned).into());
    let sack = admin.get("/api/lists/uoms/e").await.expect(200);
    assert_eq!(
        (&sack["private"], &sack["odd"], &sack["formerCreatedBy"]["uid"]),
        (&json!(1), &json!(2), &json!("x"))
    );
    assert_eq!(ids(&admin, "/api/products").await, ["p1", "p3"].map(str::to_owned).into());
    let pork = admin.get("/api/products/p1/stock").await.expect(200);
    assert_eq!((&pork["quantity"], &pork["places"][0]["placeName"]), (&json!(12.5), &json!("Main")));
    assert_eq!(admin.get("/api/products/p3").await.expect(200)["quantity"], 3);

    // Changed here since: an older document does not overwrite it, a newer one does.
    let tray = admin.get("/api/lists/uoms/g").await.expect(200);
    let patch = json!({ "revision": tray["revision"], "name": "Big tray" });
    admin.patch("/api/lists/uoms/g", &patch).await.expect(200);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!((tally(&report, "uoms").left_alone, tally(&report, "uoms").unchanged), (1, 2));
    write(
        folder.path(),
        "uoms",
        &[json!({ "id": "g", "name": "Tin tray", "code": "tr", "updatedAt": "2099-01-01T00:00:00Z" })],
    );
    assert_eq!(tally(&import(&app, folder.path(), Options::default()).await, "uoms").updated, 1);
    assert_eq!(admin.get("/api/lists/uoms/g").await.expect(200)["name"], "Tin tray");
    assert_eq!(admin.get("/api/products/p1/stock").await.expect(200)["quantity"], 12.5, "stock opens once");
}

#[rstest]
#[tokio::test]
async fn users_are_imported_without_passwords(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "locations", &[json!({ "id": "s1", "name": "Makati", "code": "MK" })]);
    write(
        folder.path(),
        "appRoles",
        &[
            json!({ "id": "r1", "name": "Clerk", "permissions": {
            "lists": { "allLists": { "view": true, "edit": true, "fly": true } }, "moon": { "base": { "view": true } },
        } }),
            json!({ "id": "r2", "name": "clerk" }),
        ],
    );
    write(
        folder.path(),
        "appUsers",
        &[
            json!({ "id": "u1", "uid": "old", "email": "Ana@Example.com", "name": "Ana", "roleId": "r1", "storeIds": ["MK"],
                "tempPassword": "secret-1", "passwordResetLink": "https://x/secret-2", "shirt": "M" }),
            json!({ "id": "u2", "email": "ben@example.com", "status": "Inactive", "roleId": "" }),
            json!({ "id": "u3", "email": "cy@example.com", "storeIds": ["nowhere"] }),
            json!({ "id": "u4", "email": "dee@example.com", "roleId": "r9" }),
            json!({ "id": "u5", "email": "nobody" }),
            json!({ "id": "u6", "email": "ANA@example.com" }),
        ],
    );
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(
        (tally(&report, "appRoles").created, tally(&report, "appUsers").created),
        (1, 2),
        "{:?}",
        report.broken
    );
    let broken: Vec<&str> = report.broken.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(broken, ["r2", "u3", "u4", "u5", "u6"], "{:?}", report.broken);
    assert!(
        report.notes[0].reason.contains("lists/allLists/fly") && report.notes[0].reason.contains("moon/base")
    );
    let ana = admin.get("/api/users/u1").await.expect(200);
    assert_eq!(
        (&ana["roleId"], &ana["storeIds"], &ana["shirt"]),
        (&json!("r1"), &json!(["s1"]), &json!("M"))
    );
    assert!(!ana.to_string().contains("secret"));
    assert_eq!(admin.get("/api/users/u2").await.expect(200)["status"], "Disabled");
    let kept: Vec<(String,)> =
        app.db.sql("select cast(document as text) from imported_documents").all().await.expect("documents");
    assert!(kept.len() == 3 && kept.iter().all(|(document,)| !document.contains("secret")), "{kept:?}");
    let mails = "select cast(count(*) as bigint) from jobs where kind = 'mail.send'";
    assert_eq!(app.db.sql(mails).scalar::<i64>().await.expect("a count"), 0);

    let again = import(&app, folder.path(), Options::default()).await;
    assert_eq!((tally(&again, "appRoles").unchanged, tally(&again, "appUsers").unchanged), (1, 2));
    write(folder.path(), "appUsers", &[json!({ "id": "u7", "email": "eve@example.com" })]);
    import(&app, folder.path(), Options { send_reset_links: true }).await;
    assert_eq!(app.db.sql(mails).scalar::<i64>().await.expect("a count"), 1);
}
