//! Codes of stores in the place of their names, and the stores and days that a file is said to post.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, suggested, upload, validate};
use crate::support::{App, Client, Engine, one_engine};

/// Rows of two stores; some have the code and no name. The last row is void, and of a day of its own.
const FILE: &str = "transaction_id,transaction_date,transaction_time,transaction_qty,store_id,store_location,product_id,unit_price,product_category,Type,product_detail\n\
1,2026-11-13,10:05:00,1,3,Astoria,A1,120.00,Food,Sale,Tapsilog\n\
2,2026-11-13,11:05:00,2,3,,A1,120.00,Food,Sale,Tapsilog\n\
3,2026-11-14,10:05:00,1,3,,A1,120.00,Food,Sale,Tapsilog\n\
4,2026-11-14,10:15:00,1,5,Soho,A1,120.00,Food,Sale,Tapsilog\n\
5,2026-11-15,10:15:00,1,5,,A1,120.00,Food,Void,Tapsilog\n";

struct Stage {
    app: App,
    admin: Client,
}

impl Stage {
    async fn new(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        Self { app, admin }
    }

    async fn store(&self, name: &str, code: &str) -> String {
        let body = json!({ "name": name, "posCode": code });
        let store = self.admin.post("/api/stores/locations", &body).await.expect(201);
        store["id"].as_str().expect("an id").to_owned()
    }

    async fn checked(&self) -> Value {
        let batch = upload(&self.admin, "coffee.csv", FILE).await;
        let mut mapping = suggested(&batch, None);
        mapping["columns"] = json!({ "receipt": 0, "date": 1, "time": 2, "quantity": 3, "storeCode": 4, "store": 5,
            "item": 6, "unitPrice": 7, "category": 8, "kind": 9, "itemName": 10 });
        let checked = validate(&self.app, &self.admin, &batch, &mapping).await;
        assert_eq!(
            (&checked["state"], &checked["summary"]["problemLines"]),
            (&json!("validated"), &json!(0))
        );
        checked
    }

    /// The unknown store names: what they are the code of, and what is suggested.
    async fn unknown(&self, batch: &Value) -> Vec<(String, Value, Value)> {
        let found = self.admin.get(&format!("{}/unknowns", path(batch))).await.expect(200);
        let stores = found["stores"].as_array().expect("stores").iter();
        let mut names: Vec<(String, Value, Value)> = stores
            .map(|it| {
                let name = it["name"].as_str().expect("a name").to_owned();
                (name, it["codeOf"].clone(), it["suggestion"]["name"].clone())
            })
            .collect();
        names.sort_by(|one, two| one.0.cmp(&two.0));
        names
    }

    async fn resolve(&self, batch: &Value, stores: Value) -> Value {
        let wish = json!({ "stores": stores, "items": [] });
        self.admin.post(&format!("{}/resolve", path(batch)), &wish).await.expect(200)
    }
}

fn path(batch: &Value) -> String {
    format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"))
}

/// Store-days, stores and days of a file.
fn counts(batch: &Value) -> Value {
    let summary = &batch["summary"];
    json!([summary["storeDays"], summary["stores"], summary["days"]])
}

#[rstest]
#[tokio::test]
async fn two_names_of_a_store_are_one_store(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    let batch = stage.checked().await;
    assert_eq!(counts(&batch), json!([5, 4, 3]), "each name may be a store");
    let none = Value::Null;
    let of = |name: &str, code_of: &Value, suggested: &Value| {
        (name.to_owned(), code_of.clone(), suggested.clone())
    };
    let (astoria, soho) = (json!("Astoria"), json!("Soho"));
    assert_eq!(
        stage.unknown(&batch).await,
        [
            of("3", &astoria, &none),
            of("5", &soho, &none),
            of("Astoria", &none, &none),
            of("Soho", &none, &none)
        ]
    );

    // What is made new are the names; the codes are then those of the new stores, and not decided.
    let new = json!([{ "name": "Astoria", "create": true }, { "name": "Soho", "create": true }]);
    let after = stage.resolve(&batch, new).await;
    assert_eq!(after["summary"]["unmappedStores"], 2);
    assert_eq!(stage.unknown(&batch).await, [of("3", &astoria, &astoria), of("5", &soho, &soho)]);
    let found = stage.admin.get(&format!("{}/unknowns", path(&batch))).await.expect(200);
    let chosen = found["stores"].as_array().expect("stores").iter();
    let chosen: Vec<Value> =
        chosen.map(|it| json!({ "name": it["name"], "storeId": it["suggestion"]["storeId"] })).collect();
    let after = stage.resolve(&batch, json!(chosen)).await;
    assert_eq!(after["summary"]["unmappedStores"], 0);
    assert_eq!(counts(&after), json!([4, 2, 3]), "{after}");

    stage.admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(200);
    stage.app.drain().await;
    let posted = stage.admin.get(&path(&batch)).await.expect(200);
    assert_eq!(posted["state"], "posted", "{posted}");
    assert_eq!(counts(&posted), json!([3, 2, 2]), "a day of a void alone has no sales");
}

#[rstest]
#[tokio::test]
async fn a_code_of_a_known_store_is_suggested_and_decides_nothing(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.store("Astoria", "3").await;
    stage.store("Larkspur Mall", "5").await;
    let batch = stage.checked().await;
    let unknown = stage.unknown(&batch).await;
    let named = |name: &str| unknown.iter().find(|it| it.0 == name).cloned();
    assert_eq!(named("3"), Some(("3".to_owned(), json!("Astoria"), json!("Astoria"))));
    // The name beside the code in the file says more than the code of another system's store.
    assert_eq!(named("5"), Some(("5".to_owned(), json!("Soho"), Value::Null)));
    assert_eq!(named("Astoria"), None);
    let refused = stage.admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(409);
    assert_eq!(refused["code"], "unknownStores");
}

/// Every name is made a store, as the user asked, whatever codes the file and other stores have.
#[rstest]
#[tokio::test]
async fn stores_are_made_of_names_that_share_a_code(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on).await;
    stage.store("Larkspur Mall", "5").await;
    let batch = stage.checked().await;
    let names = ["3", "5", "Astoria", "Soho"].map(|name| json!({ "name": name, "create": true }));
    let after = stage.resolve(&batch, json!(names)).await;
    assert_eq!(after["summary"]["unmappedStores"], 0);
    let stores = stage.admin.get("/api/stores/locations?sort=name").await.expect(200);
    let made = stores["items"].as_array().expect("stores").iter();
    let made: Vec<(&str, &Value)> =
        made.map(|store| (store["name"].as_str().expect("a name"), &store["posCode"])).collect();
    let (three, five, none) = (json!("3"), json!("5"), Value::Null);
    assert_eq!(
        made,
        [("3", &three), ("5", &none), ("Astoria", &none), ("Larkspur Mall", &five), ("Soho", &none)],
        "a code belongs to the first store that has it"
    );
}
