//! Records of another store: no user of some stores reads or changes them, whatever the path.

use std::collections::HashMap;

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use crate::authorization::{Operation, Person, Site, operations};
use crate::support::{App, Client, Engine};

/// Path prefixes with an id whose records belong to no store. Lists declare this themselves.
const OF_NO_STORE: &[&str] = &[
    "/api/applications/{id}",
    "/api/commissary/production/{id}",
    "/api/commissary/stock-takes/{id}",
    "/api/lists/companies/{id}/documents",
    "/api/me/",
    "/api/names/",
    "/api/products/{id}",
    // A report belongs to its owner and its recipients; its figures are limited to the reader's stores.
    "/api/reports/custom/{id}",
    "/api/roles/{id}",
    "/api/stock/lots/{lot}/",
    "/api/tools/import-data/lists/",
    // Connectors and push keys work for all stores, so they need access to all.
    "/api/tools/import-sales-product-bq/{id}",
    "/api/tools/import-sales-product/ingest/keys/{id}",
    "/api/tools/services/get-sales-api/{id}",
    "/api/tools/services/w3p-ingest/{id}",
    // Weeks are visible to everyone; their figures are limited to accessible stores.
    "/api/tools/root-item-weekly-snapshot/weeks/{week}",
    "/api/users/{id}",
];

/// As [`OF_NO_STORE`], for complete paths: services are visible to everyone, their runs are not.
const WHOLE_PATHS_OF_NO_STORE: &[&str] =
    &["/api/tools/services/{service}/runs", "/api/tools/services/{service}/schedule"];

/// Ids of records of another store, by path prefix.
struct FarRecords(Vec<(String, String)>);

impl FarRecords {
    async fn make(site: &Site) -> Self {
        let (app, other) = (&site.app, &site.other);
        let admin = app.admin().await;
        let made = async |path: &str, body: Value| {
            let record = admin.post(path, &body).await.expect(201);
            record["id"].as_str().expect("an id").to_owned()
        };
        let item = made("/api/lists/store-inventory-items", json!({ "name": "Soup" })).await;
        let root = made("/api/lists/root-items", json!({ "name": "Chicken" })).await;
        let stored = json!({ "storeId": other, "rootItemId": root });
        let mut records = vec![
            ("/api/lists/store-root-items/{id}", made("/api/lists/store-root-items", stored).await),
            (
                "/api/lists/order-templates/{id}",
                made("/api/lists/order-templates", json!({ "storeId": other, "name": "Weekend" })).await,
            ),
            ("/api/lists/store-inventory-items/mixes/{id}", format!("{other}_{item}")),
        ];
        let group = json!({ "name": "Far", "storeIds": [other] });
        records.push((
            "/api/lists/store-inventory-items/groups/{id}",
            made("/api/lists/store-inventory-items/groups", group).await,
        ));
        let batch =
            crate::tools::import_data::upload(&admin, "uoms", "units.csv", "name,code\nCase,cs\n").await;
        let id = batch["id"].as_str().expect("an id").to_owned();
        records.push(("/api/tools/import-data/batches/{id}", id));
        let file = "date,item,quantity,net\n2026-11-01,Soup,1,10\n";
        let batch = crate::tools::import_sales_product::upload(&admin, "sales.csv", file).await;
        let mapping = crate::tools::import_sales_product::suggested(&batch, Some(other));
        let batch = crate::tools::import_sales_product::validate(app, &admin, &batch, &mapping).await;
        let id = batch["id"].as_str().expect("an id").to_owned();
        records.push(("/api/tools/import-sales-product/batches/{id}", id));
        let job: Option<(String,)> =
            app.db.sql("select id from jobs limit 1").optional().await.expect("jobs");
        records.push(("/api/jobs/{id}", job.expect("the check of the file").0));
        let photo = crate::products::pictures::encoded(
            &crate::products::pictures::photo(60, 40),
            image::ImageFormat::Png,
        );
        let photo =
            admin.upload(&format!("/api/stores/count/photos?storeId={other}"), photo).await.expect(201);
        records.push((
            "/api/stores/count/photos/{photo}",
            format!("{}?storeId={other}", photo["photo"].as_str().expect("a name")),
        ));
        let picture = crate::products::pictures::encoded(
            &crate::products::pictures::photo(60, 40),
            image::ImageFormat::Png,
        );
        let of_document =
            admin.upload(&format!("/api/stores/photos?storeId={other}"), picture).await.expect(201);
        records.push(("/api/stores/photos/{id}", of_document["id"].as_str().expect("an id").to_owned()));
        let rule = json!({ "storeId": other, "leadDays": 2 });
        let rule = admin.put("/api/dashboard/drp-new/settings", &rule).await.expect(200);
        records
            .push(("/api/dashboard/drp-new/settings/{id}", rule["id"].as_str().expect("an id").to_owned()));
        let ask = json!({ "storeIds": [other] });
        let run = admin.post("/api/tools/services/moving-average/runs", &ask).await.expect(202);
        records
            .push(("/api/tools/services/{service}/runs/{id}", run["id"].as_str().expect("an id").to_owned()));
        let ask = json!({ "storeIds": [other], "policies": [{ "name": "Plain" }] });
        let run = admin.post("/api/tools/services/replay/runs", &ask).await.expect(202);
        records.push(("/api/tools/services/replay/runs/{id}", run["id"].as_str().expect("an id").to_owned()));
        let day = "2026-01-01";
        let known = json!({ "storeId": other, "rootItemId": root, "from": day, "to": day, "qty": 1, "reason": "Feast" });
        records
            .push(("/api/tools/forecast/overrides/{id}", made("/api/tools/forecast/overrides", known).await));
        let event = json!({ "name": "Feast", "kind": "promotion", "from": day, "storeIds": [other] });
        records.push(("/api/tools/forecast/events/{id}", made("/api/tools/forecast/events", event).await));
        let reading = json!({ "storeId": other, "terminalId": "T1", "businessDate": day });
        records.push(("/api/sales/z-reading/{id}", made("/api/sales/z-reading", reading).await));
        let pictures = [("z.png", crate::sales::z_reading_pictures::blank())];
        let sent = crate::sales::z_reading_pictures::send_all(&admin, "", &pictures).await;
        let id = sent["items"][0]["pictureId"].as_str().expect("an id").to_owned();
        records.push(("/api/tools/services/zreading-ocr/pictures/{id}", id));
        records.extend(documents(app, &admin, other).await);
        records.extend(money(app, &admin, other).await);
        Self(records.into_iter().map(|(begin, id)| (begin.to_owned(), id)).collect())
    }

    /// A request for one of the records that reaches its handler, and its path.
    fn request(client: &Client, operation: &Operation, id: &str) -> (String, reqwest::RequestBuilder) {
        let place = operation.path.replace("{id}", id).replace("{photo}", id);
        let place = place.replace("{service}", "moving-average");
        let request = client.request(operation.verb(), &place);
        let has_body = operation.said.get("requestBody").is_some();
        let request = if has_body { request.json(&body_for(operation)) } else { request };
        (place, request)
    }

    fn id_for(&self, path: &str) -> Option<&str> {
        let of = |begin: &str| path == begin || path.starts_with(&format!("{begin}/"));
        self.0.iter().find(|(begin, _)| of(begin)).map(|(_, id)| id.as_str())
    }
}

/// A lease, a declaration, a deposit and a NetSuite export of another store.
async fn money(app: &App, admin: &Client, other: &str) -> Vec<(&'static str, String)> {
    let made = async |path: &str, body: Value| {
        let record = admin.post(path, &body).await.expect(201);
        record["id"].as_str().expect("an id").to_owned()
    };
    let day = BusinessDay::of(larder_platform::Clock::now(&*app.clock)).plus(-1);
    let terms = json!({ "fixed": 1, "percent": 1, "mode": "additive", "breakpoints": [], "addBacks": [] });
    let lease = json!({ "storeId": other, "validFrom": "2020-01-01", "terms": terms });
    let drawer = json!({ "storeId": other, "businessDate": day.to_string(),
        "pieces": [{ "denomination": 100, "pieces": 1 }] });
    let paid = json!({ "storeId": other, "depositedOn": day.to_string(), "bank": "BPI",
        "days": [{ "businessDate": day.to_string(), "amount": 100 }] });
    crate::sales::put_reading(app, other, day, &crate::sales::Reading::of(100)).await;
    let far = admin.get(&format!("/api/stores/locations/{other}")).await.expect(200);
    let named = json!({ "posCode": "FAR", "revision": far["revision"] });
    admin.patch(&format!("/api/stores/locations/{other}"), &named).await.expect(200);
    let files = json!({ "layout": "journalEntry", "from": day.to_string(), "to": day.to_string(), "storeIds": [other] });
    vec![
        ("/api/stores/leases/{id}", made("/api/stores/leases", lease).await),
        (
            "/api/sales/tender-report/declarations/{id}",
            made("/api/sales/tender-report/declarations", drawer).await,
        ),
        ("/api/sales/tender-report/deposits/{id}", made("/api/sales/tender-report/deposits", paid).await),
        ("/api/sales/netsuite/exports/{id}", made("/api/sales/netsuite/export", files).await),
    ]
}

/// An order, a delivery in transit, a receipt, a transfer, waste and a supplier return of another store.
async fn documents(app: &App, admin: &Client, other: &str) -> Vec<(&'static str, String)> {
    let made = async |path: &str, body: Value| admin.post(path, &body).await.expect(201);
    let id = |record: &Value| record["id"].as_str().expect("an id").to_owned();
    let kitchen = id(&made("/api/lists/commissaries", json!({ "name": "Kitchen" })).await);
    let piece = id(&made("/api/lists/uoms", json!({ "name": "Far piece", "code": "fp" })).await);
    let buns = id(&made("/api/products", json!({ "name": "Far buns", "baseUom": piece })).await);
    let adjust = json!({ "quantity": 100, "placeKind": "commissary", "placeId": kitchen });
    admin.post(&format!("/api/products/{buns}/adjust"), &adjust).await.expect(200);
    let lines = json!([{ "productId": buns, "uomId": piece, "qty": 5 }]);
    let needed = BusinessDay::of(app.state.now()).plus(2);
    let order = json!({
        "storeId": other, "sourceType": "commissary", "sourceId": kitchen, "neededDate": needed, "lines": lines,
    });
    let order = made("/api/stores/orders", order).await;
    let body = json!({ "commissaryId": kitchen, "storeId": other, "lines": lines });
    let mut delivery = made("/api/commissary/deliveries", body).await;
    for step in ["pick", "pack", "dispatch"] {
        let at = format!("/api/commissary/deliveries/{}/{step}", id(&delivery));
        delivery = admin.post(&at, &json!({ "revision": delivery["revision"] })).await.expect(200);
    }
    let body = json!({ "storeId": other, "sourceType": "delivery", "sourceId": id(&delivery) });
    let receipt = made("/api/stores/receive", body).await;
    let third = id(&made("/api/stores/locations", json!({ "name": "Third", "code": "3RD" })).await);
    let transfer = json!({ "fromStoreId": third, "toStoreId": other, "lines": lines });
    let transfer = made("/api/stores/transfers", transfer).await;
    let lines = json!([{ "productId": buns, "uomId": piece, "qty": 5, "reason": "expired" }]);
    let waste = made("/api/stores/waste", json!({ "storeId": other, "lines": lines })).await;
    let supplier = id(&made("/api/lists/suppliers", json!({ "name": "Far supplier" })).await);
    let back = json!({ "placeKind": "store", "placeId": other, "supplierId": supplier, "lines": lines });
    let back = made("/api/commissary/supplier-returns", back).await;
    vec![
        ("/api/commissary/supplier-returns/{id}", id(&back)),
        ("/api/stores/transfers/{id}", id(&transfer)),
        ("/api/stores/waste/{id}", id(&waste)),
        ("/api/stores/orders/{id}", id(&order)),
        ("/api/commissary/deliveries/{id}", id(&delivery)),
        ("/api/stores/receive/{id}", id(&receipt)),
    ]
}

/// Whether the records of a path belong to the whole group. An undeclared path fails the test.
fn of_no_store(path: &str) -> bool {
    let list = larder_lists::catalog::ALL.iter().find(|def| {
        path.strip_prefix(def.path).is_some_and(|rest| rest == "/{id}" || rest.starts_with("/{id}/"))
    });
    list.is_some_and(|def| def.store.is_none())
        || WHOLE_PATHS_OF_NO_STORE.contains(&path)
        || OF_NO_STORE.iter().any(|begin| path.starts_with(begin))
}

/// Operations that refuse unknown members in their bodies.
const CLOSED: &[&str] = &[
    "/api/stores/orders/",
    "/api/commissary/deliveries/",
    "/api/stores/receive/",
    "/api/stores/transfers/",
    "/api/stores/waste/",
    "/api/commissary/supplier-returns/",
    "/api/lists/store-inventory-items/groups/",
    "/api/sales/tender-report/",
];

/// A request for an existing record that reaches its handler.
fn body_for(operation: &Operation) -> Value {
    match operation.path.rsplit('/').next().unwrap_or_default() {
        "restore" => json!({ "seq": 1, "revision": 1 }),
        "undo" if operation.path.starts_with("/api/lists") => json!({ "revision": 1 }),
        "merge" => json!({ "into": "none", "revision": 1, "intoRevision": 1 }),
        "mapping" if operation.path.contains("import-sales-product") => {
            json!({ "hasHeader": true, "columns": { "date": 0 }, "dateFormat": "ymd" })
        }
        "mapping" => json!({
            "hasHeader": true, "columns": { "name": 0 }, "match": "name", "decimal": ".", "dateFormat": "ymd",
        }),
        _ if CLOSED.iter().any(|base| operation.path.starts_with(base)) => json!({ "revision": 1 }),
        "{id}" if operation.method == "put" => json!({ "splits": [] }),
        "{id}" => json!({ "revision": 1, "note": "mine" }),
        _ => json!({}),
    }
}

/// What a refusal says; only the status of other answers.
fn problem_of(status: u16, text: &str) -> String {
    let problem: Value = serde_json::from_str(text).unwrap_or_default();
    format!("{status} {}", problem["detail"].as_str().unwrap_or_default())
}

/// Paths are also tried with the id of another store's record: no store-limited user can read or change it.
#[rstest]
#[tokio::test]
async fn records_of_another_store_cannot_be_read_or_changed(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::build(on).await;
    let far = FarRecords::make(&site).await;
    let client = site.person(Person::OwnStore).await;
    let written = async || -> i64 {
        let query = site.app.db.sql("select cast(count(*) as bigint) from audit");
        query.scalar().await.expect("a count")
    };
    let before = written().await;
    let (mut tried, mut wrong) = (0, Vec::new());
    let mut refused: HashMap<(String, String), String> = HashMap::new();
    for operation in operations().await {
        let Operation { method, path, .. } = &operation;
        let named = path.contains('{') && !path.contains("{storeId}");
        if !named || of_no_store(path) {
            continue;
        }
        let Some(id) = far.id_for(path) else {
            wrong.push(format!("{method} {path}: whose are its records? Teach this test."));
            continue;
        };
        let (place, request) = FarRecords::request(&client, &operation, id);
        let response = request.send().await.expect("an answer");
        let status = response.status().as_u16();
        let text = response.text().await.expect("read body");
        // Groups are visible to everyone, but only with their accessible stores.
        let may_read =
            *method == "get" && status == 200 && path.contains("/groups/") && !text.contains(&site.other);
        if !may_read {
            refused.insert(((*method).to_owned(), path.clone()), problem_of(status, &text));
        }
        if !(matches!(status, 403 | 404) || may_read) {
            wrong.push(format!("{method} {place}: {status} {text}"));
        }
        tried += 1;
    }
    assert!(tried > 25, "{tried} operations on records of stores");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(written().await, before, "something was written");

    // The same requests get another answer from a user who may reach the records, or their refusals would prove nothing:
    // from the store's own user, or from the one who made them. What deletes a record comes last.
    let others = [site.person(Person::OtherStore).await, site.app.admin().await];
    let mut all = operations().await;
    all.sort_by_key(|operation| (operation.method == "delete", operation.method != "get"));
    let mut unreached = Vec::new();
    for operation in all {
        let key = (operation.method.to_owned(), operation.path.clone());
        let (Some(refusal), Some(id)) = (refused.get(&key), far.id_for(&operation.path)) else { continue };
        let mut reached = false;
        for other in &others {
            let (_, request) = FarRecords::request(other, &operation, id);
            let response = request.send().await.expect("an answer");
            let status = response.status().as_u16();
            let text = response.text().await.expect("read body");
            reached = problem_of(status, &text) != *refusal;
            if reached {
                break;
            }
        }
        if !reached {
            unreached.push(format!("{} {}: {refusal}", operation.method, operation.path));
        }
    }
    assert!(unreached.is_empty(), "{}", unreached.join("\n"));
}
