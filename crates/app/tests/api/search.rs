//! The search of the top bar.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};

/// Phrases that users type, with what is understood; the console's tests read the pages that they open.
const PHRASES: &str = include_str!("../../../../testdata/questions.json");

async fn asked(client: &Client, q: &str) -> Value {
    client.get(&format!("/api/search?q={}", q.replace(' ', "%20"))).await.expect(200)["question"].clone()
}

async fn found(client: &Client, q: &str) -> Vec<(String, String)> {
    let answer = client.get(&format!("/api/search?q={q}")).await.expect(200);
    let items = answer["items"].as_array().expect("items");
    let text = |item: &Value, name: &str| item[name].as_str().expect("text").to_owned();
    items.iter().map(|item| (text(item, "kind"), text(item, "title"))).collect()
}

fn hit(kind: &str, title: &str) -> (String, String) {
    (kind.to_owned(), title.to_owned())
}

#[rstest]
#[tokio::test]
async fn records_of_every_type_are_found_by_their_identifiers(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let make = async |path: &str, body: Value| admin.post(path, &body).await.expect(201);
    make("/api/products", json!({ "name": "Pandesal, whole wheat", "sku": "PD-0104", "type": "Service" }))
        .await;
    make("/api/products", json!({ "name": "Ensaymada", "sku": "EN-0007", "type": "Service" })).await;
    make("/api/lists/suppliers", json!({ "name": "San Roque Mills", "phone": "+63 (917) 555-0142" })).await;
    make("/api/stores/locations", json!({ "name": "Parañaque South", "code": "PQS" })).await;
    make(
        "/api/your-company/chart-of-accounts",
        json!({ "name": "Petty cash", "type": "Bank", "number": "10010" }),
    )
    .await;
    assert_eq!(found(&admin, "pandesal").await, [hit("product", "Pandesal, whole wheat")]);
    assert_eq!(found(&admin, "pnadesal").await, [hit("product", "Pandesal, whole wheat")], "a typing error");
    assert_eq!(found(&admin, "en-0007").await[0], hit("product", "Ensaymada"));
    assert_eq!(found(&admin, "0917%20555%200142").await, [hit("supplier", "San Roque Mills")]);
    assert_eq!(found(&admin, "paranaque").await, [hit("location", "Parañaque South")]);
    assert_eq!(found(&admin, "10010").await, [hit("account", "Petty cash")]);
    assert!(found(&admin, "ana%20cruz").await.contains(&hit("user", "Ana Cruz")));
    assert_eq!(found(&admin, "zzzz").await, []);
    assert_eq!(found(&admin, "%20").await, []);
    assert_eq!(admin.get("/api/search?q=a&limit=51").await.status, 422);
    assert_eq!(admin.get(&format!("/api/search?q={}", "a".repeat(201))).await.status, 422);
}

#[rstest]
#[tokio::test]
async fn changes_are_searchable_on_every_node(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    assert_eq!(found(&admin, "croissant").await, []);
    let made =
        admin.post("/api/products", &json!({ "name": "Croissant", "type": "Service" })).await.expect(201);
    let path = format!("/api/products/{}", made["id"].as_str().expect("an id"));
    soon(&admin, "croissant", 1).await;
    admin.patch(&path, &json!({ "name": "Brioche", "revision": 1 })).await.expect(200);
    soon(&admin, "brioche", 1).await;
    soon(&admin, "croissant", 0).await;
    assert_eq!(admin.delete(&path).await.status, 204);
    soon(&admin, "brioche", 0).await;
}

/// Events arrive a moment after the commit.
async fn soon(client: &Client, q: &str, count: usize) {
    for _ in 0..100 {
        if found(client, q).await.len() == count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{q}: {count} expected, {:?} found", found(client, q).await);
}

#[rstest]
#[tokio::test]
async fn search_only_finds_records_the_user_may_open(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for path in
        ["/api/products", "/api/lists/suppliers", "/api/lists/commissaries", "/api/lists/regional-areas"]
    {
        // The other lists have «type» as a custom field.
        admin.post(path, &json!({ "name": "Makati thing", "type": "Service" })).await.expect(201);
    }
    let make = async |name: &str| {
        let made = admin.post("/api/stores/locations", &json!({ "name": name })).await.expect(201);
        made["id"].as_str().expect("an id").to_owned()
    };
    let own = make("Makati North").await;
    make("Makati South").await;
    let rights: &[(&str, &[Action])] =
        &[("products/products", &[Action::View]), ("stores/storeList", &[Action::View])];
    let person = app.user(rights, Some(&[own])).await;
    let mut seen = found(&person, "makati").await;
    seen.sort();
    assert_eq!(
        seen,
        [
            hit("location", "Makati North"),
            hit("product", "Makati thing"),
            hit("regionalArea", "Makati thing")
        ]
    );
    assert_eq!(app.newcomer().await.get("/api/search?q=makati").await.status, 403);
    assert_eq!(app.nobody().get("/api/search?q=makati").await.status, 401);
}

#[rstest]
#[tokio::test]
async fn a_question_is_returned_as_understood(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let make = async |path: &str, body: Value| {
        let made = admin.post(path, &body).await.expect(201);
        made["id"].as_str().expect("an id").to_owned()
    };
    let ayala = make("/api/stores/locations", json!({ "name": "Makati Ayala" })).await;
    let legazpi = make("/api/stores/locations", json!({ "name": "Legazpi, Makati" })).await;
    make("/api/stores/locations", json!({ "name": "Cebu" })).await;
    let area = make("/api/lists/regional-areas", json!({ "name": "Visayas" })).await;
    make("/api/lists/root-items", json!({ "rootProductId": "R1", "name": "Chicken thigh" })).await;
    make("/api/lists/root-items", json!({ "rootProductId": "R2", "name": "Chicken liver" })).await;
    make("/api/lists/pos-items", json!({ "description": "Adobo" })).await;
    let question = asked(&admin, "sales makati last week").await;
    assert_eq!((&question["topic"], &question["days"]["named"]), (&json!("sales"), &json!("last-week")));
    let both = json!([{ "id": legazpi, "name": "Legazpi, Makati" }, { "id": ayala, "name": "Makati Ayala" }]);
    assert_eq!(question["stores"], both);
    assert_eq!(question["unknown"], json!([]));
    let question = asked(&admin, "waste chicken cebu october").await;
    assert_eq!(question["items"], json!({ "q": "chicken", "rootItems": 2, "posItems": 0, "products": 0 }));
    assert_eq!((&question["topic"], &question["stores"][0]["name"]), (&json!("waste"), &json!("Cebu")));
    let question = asked(&admin, "visayas this month adobo zzzqqq").await;
    assert_eq!(question["topic"], "sales", "the default range");
    assert_eq!(question["areas"], json!([{ "id": area, "name": "Visayas" }]));
    assert_eq!((&question["items"]["name"], &question["unknown"]), (&json!("Adobo"), &json!(["zzzqqq"])));
    // Words of the vocabulary in names.
    let carry = make("/api/stores/locations", json!({ "name": "Cash & Carry" })).await;
    make("/api/lists/root-items", json!({ "rootProductId": "R3", "name": "Short ribs" })).await;
    let question = asked(&admin, "sales cash and carry yesterday").await;
    assert_eq!(question["stores"], json!([{ "id": carry, "name": "Cash & Carry" }]));
    assert_eq!(
        (&question["topic"], question.get("tender"), &question["unknown"]),
        (&json!("sales"), None, &json!([]))
    );
    let question = asked(&admin, "stock short ribs").await;
    assert_eq!((&question["topic"], question.get("only")), (&json!("stock"), None));
    assert_eq!(question["items"]["name"], "Short ribs");
    assert_eq!(asked(&admin, "sales not in makati").await["unknown"], json!(["not"]));
    let no_questions =
        ["makati", "sales", "chicken", "last week", "zzzqqq sales", "late", "cash", "missing yesterday"];
    for no_question in no_questions {
        let none = asked(&admin, no_question).await;
        assert!(none.is_null(), "{no_question}: {none}");
    }
    // Names of inaccessible stores and of items that may not be viewed are not recognized.
    let rights: &[(&str, &[Action])] = &[("reports/reports", &[Action::View])];
    let limited = app.user(rights, Some(std::slice::from_ref(&ayala))).await;
    let question = asked(&limited, "sales makati last week").await;
    assert_eq!(question["stores"], json!([{ "id": ayala, "name": "Makati Ayala" }]));
    assert_eq!(asked(&limited, "sales cebu last week").await["unknown"], json!(["cebu"]));
}

#[rstest]
#[tokio::test]
async fn the_known_phrases_are_understood(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let phrases: Value = serde_json::from_str(PHRASES).expect("phrases");
    let list = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.map(|one| one.as_str().expect("text").to_owned()).collect()
    };
    for name in list(&phrases["stores"]) {
        admin.post("/api/stores/locations", &json!({ "name": name })).await.expect(201);
    }
    for name in list(&phrases["items"]) {
        let item = json!({ "rootProductId": name, "name": name });
        admin.post("/api/lists/root-items", &item).await.expect(201);
    }
    for phrase in phrases["questions"].as_array().expect("questions") {
        let (q, said) = (phrase["q"].as_str().expect("a phrase"), &phrase["understood"]);
        let question = asked(&admin, q).await;
        assert_eq!(question["topic"].as_str(), Some(said["topic"].as_str().unwrap_or("sales")), "{q}");
        for slot in ["only", "by", "rank", "discount", "tender", "against"] {
            assert_eq!(question[slot], said[slot], "{q}: {slot}");
        }
        let days = &question["days"];
        let between = || Some(format!("{}..{}", days["from"].as_str()?, days["to"].as_str()?));
        let days = days["named"].as_str().map(str::to_owned).or_else(between);
        assert_eq!(days.as_deref(), said["days"].as_str(), "{q}");
        let stores = question["stores"].as_array().expect("stores").iter();
        let mut named: Vec<String> =
            stores.map(|store| store["name"].as_str().expect("a name").to_lowercase()).collect();
        named.extend(question["items"]["q"].as_str().map(str::to_owned));
        named.sort();
        let mut names: Vec<String> = list(&said["names"])
            .iter()
            .flat_map(|name| name.split(' ').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        names.sort();
        assert_eq!((named, &question["unknown"]), (names, &json!([])), "{q}");
    }
}

#[rstest]
#[tokio::test]
async fn short_words_never_match_inside_names(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for name in ["Salt", "Sabaw ng baka", "Nata de coco", "Smoked ham"] {
        let item = json!({ "rootProductId": name, "name": name });
        admin.post("/api/lists/root-items", &item).await.expect(201);
    }
    admin.post("/api/stores/locations", &json!({ "name": "SM North", "code": "X1" })).await.expect(201);
    let names = async |q: &str| {
        let question = asked(&admin, q).await;
        let stores = question["stores"].as_array().map_or(0, Vec::len);
        (stores, question["items"]["q"].clone(), question["unknown"].clone())
    };
    let none = Value::Null;
    assert_eq!(names("benta sa mga na ng kahapon").await, (0, none.clone(), json!([])));
    assert_eq!(names("benta sal kahapon").await, (0, none.clone(), json!(["sal"])));
    assert_eq!(names("benta alt kahapon").await, (0, none.clone(), json!(["alt"])));
    assert_eq!(names("benta sm kahapon").await, (1, none.clone(), json!([])), "a whole word");
    assert_eq!(names("benta x1 kahapon").await, (1, none, json!([])), "a code");
    assert_eq!(names("tapon salt kahapon").await, (0, json!("salt"), json!([])));
    assert_eq!(names("benta sm north store kahapon").await.2, json!([]), "a noun adds nothing");
    // A search for records still finds a beginning.
    assert!(found(&admin, "sal").await.contains(&hit("rootItem", "Salt")));
}
