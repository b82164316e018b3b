//! Content of bodies: custom fields, hostile values, all errors at once.

use rstest::rstest;
use serde_json::{Value, json};

use super::{CASES, fields};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn custom_fields_are_stored_and_returned(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let mut body = case.body("Custom");
        body["Colour"] = json!("red");
        body["nested"] = json!({ "deep": [1, 2.5, { "x": null }], "ñ": "₱" });
        body["note"] = json!("two\nlines");
        let made = admin.post(&case.path(), &body).await.expect(201);
        let path = format!("{}/{}", case.path(), made["id"].as_str().expect("an id"));
        let read = admin.get(&path).await.expect(200);
        for name in ["Colour", "nested", "note"] {
            assert_eq!(read[name], body[name], "{}", case.slug);
        }
        let patch = json!({ "Colour": null, "size": 3, "revision": 1 });
        let changed = admin.patch(&path, &patch).await.expect(200);
        assert_eq!(
            (changed.get("Colour"), &changed["size"], &changed["note"]),
            (None, &json!(3), &body["note"])
        );
        let page = admin.get(&case.path()).await.expect(200);
        assert_eq!(page["items"][0], changed);
    }
}

#[rstest]
#[tokio::test]
async fn custom_fields_are_limited(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let refused = [
        ("id", json!("mine")),
        ("createdAt", json!("2020-01-01T00:00:00Z")),
        ("updatedBy", json!({})),
        ("revision", json!(1)),
        ("_secret", json!(1)),
        ("$where", json!(1)),
        ("__proto__", json!({})),
        ("constructor", json!({})),
        (" ", json!(1)),
        ("extra", json!({})),
        ("nul", json!("a\u{0}b")),
        ("deep", json!([{ "x": "a\u{0}b" }])),
        ("deepName", json!({ "a\u{0}b": 1 })),
    ];
    for (name, value) in refused {
        let mut body = CASES[2].body("Bounds");
        body[name] = value;
        let refusal = admin.post("/api/lists/food-types", &body).await.expect(422);
        assert_eq!(fields(&refusal), [name], "{refusal}");
    }
    let mut body = CASES[2].body("Bounds");
    body["long"] = json!("x".repeat(60 * 1024));
    let made = admin.post("/api/lists/food-types", &body).await.expect(201);
    let path = format!("/api/lists/food-types/{}", made["id"].as_str().expect("an id"));
    let more = json!({ "more": "x".repeat(10 * 1024), "revision": 1 });
    assert_eq!(fields(&admin.patch(&path, &more).await.expect(422)), ["extra"]);
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!([inner]))
}

#[rstest]
#[tokio::test]
async fn bodies_have_a_maximum_depth(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (depth, status) in [(31, 201), (32, 422), (126, 422), (5_000, 422)] {
        // Written as text, because the tests' JSON writer does not go this deep.
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!(r#"{{"name":"Deep {depth}","deep":{deep}}}"#);
        let request = admin.request(reqwest::Method::POST, "/api/lists/food-types");
        let answer = admin.send(request.header("content-type", "application/json").body(body)).await;
        assert_eq!(answer.status, status, "{depth}: {}", answer.text());
        if status == 422 {
            assert_eq!(answer.json()["code"], "tooDeep", "{depth}");
        }
    }
    // Values stored before the limit existed can be read everywhere.
    let made = admin.post("/api/lists/food-types", &json!({ "name": "Old", "deep": 1 })).await.expect(201);
    let id = made["id"].as_str().expect("an id");
    let (changes, extra) =
        (json!({ "name": ["a", "b"], "deep": [null, nested(126)] }), json!({ "deep": nested(126) }));
    let actor = crate::support::actor(app.state.now());
    app.db
        .write(&actor, async |tx| {
            tx.sql("update audit set changes = $1 where record_id = $2")
                .bind(larder_db::Json(&changes))
                .bind(id)
                .execute()
                .await?;
            let query = tx.sql("update food_types set extra = $1 where id = $2");
            query.bind(larder_db::Json(&extra)).bind(id).execute().await
        })
        .await
        .expect("written");
    let path = format!("/api/lists/food-types/{id}");
    for path in ["/api/history", &path, &format!("{path}/history"), "/api/lists/food-types"] {
        let answer = admin.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    let reply = admin.get("/api/history?kind=foodType").await.text();
    assert!(reply.contains("…") && reply.contains("Old"), "too deep values are cut, the rest remains");
}

/// Every operation that takes JSON, so that none reads a body by itself.
#[tokio::test]
async fn every_operation_refuses_too_deep_bodies() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let api: Value =
        serde_json::from_str(&larder_app::openapi_text().await.expect("a contract")).expect("JSON");
    let body = format!(r#"{{"x":{}1{}}}"#, "[".repeat(100), "]".repeat(100));
    let mut tried = 0;
    for (path, item) in api["paths"].as_object().expect("paths") {
        for method in ["post", "put", "patch", "delete"] {
            if item[method]["requestBody"]["content"].get("application/json").is_none()
                || path.contains("sign-out")
            {
                continue;
            }
            let path = path.split('/').map(|part| if part.starts_with('{') { "a" } else { part });
            let path = path.collect::<Vec<_>>().join("/");
            let request = admin.request(method.to_uppercase().parse().expect("a method"), &path);
            let answer =
                admin.send(request.header("content-type", "application/json").body(body.clone())).await;
            assert!(
                (400..500).contains(&answer.status),
                "{method} {path}: {} {}",
                answer.status,
                answer.text()
            );
            let refused = answer.json()["code"] == "tooDeep" || answer.text().contains("levels deep");
            // Errors in the path or of the user come first.
            let before =
                [401, 403, 404, 415, 429].contains(&answer.status) || answer.json()["code"] == "badRequest";
            assert!(refused || before, "{method} {path}: {} {}", answer.status, answer.text());
            tried += usize::from(refused);
        }
    }
    assert!(tried > 50, "{tried} operations were tried");
}

#[rstest]
#[tokio::test]
async fn an_empty_id_counts_as_missing(#[values(Engine::Sqlite)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (n, id) in [json!(""), json!("  "), Value::Null].into_iter().enumerate() {
        let body = json!({ "id": id, "name": format!("New {n}") });
        let made = admin.post("/api/lists/food-types", &body).await.expect(201);
        assert!(made["id"].as_str().is_some_and(|id| !id.trim().is_empty()));
        let product = json!({ "id": id, "name": format!("Product {n}"), "type": "Service" });
        let made = admin.post("/api/products", &product).await.expect(201);
        assert!(made["id"].as_str().is_some_and(|id| !id.trim().is_empty()));
    }
}

#[rstest]
#[tokio::test]
async fn a_recipe_is_saved_under_an_id(#[values(Engine::Sqlite)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/recipes/bread-1";
    let made = admin.put(path, &json!({ "id": "bread-1", "name": "Bread" })).await.expect(201);
    assert_eq!((&made["id"], &made["revision"]), (&json!("bread-1"), &json!(1)));
    assert_eq!(fields(&admin.put(path, &json!({ "name": "White bread" })).await.expect(422)), ["revision"]);
    let changed = admin.put(path, &json!({ "name": "White bread", "revision": 1 })).await.expect(200);
    assert_eq!((&changed["name"], &changed["revision"]), (&json!("White bread"), &json!(2)));
    assert_eq!(
        admin.put(path, &json!({ "name": "Bread", "revision": 1 })).await.expect(409)["code"],
        "stale"
    );
    admin.put("/api/lists/recipes/gone", &json!({ "name": "Bread", "revision": 1 })).await.expect(404);
    assert_eq!(
        fields(&admin.put("/api/lists/recipes/a%20b", &json!({ "name": "Bread" })).await.expect(422)),
        ["id"]
    );
    let editor = app
        .user(&[("lists/allLists", &[larder_domain::Action::View, larder_domain::Action::Edit])], None)
        .await;
    editor.put("/api/lists/recipes/other", &json!({ "name": "Other" })).await.expect(403);
    editor.put(path, &json!({ "name": "Rye bread", "revision": 2 })).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn hostile_names_are_refused_with_advice(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let hostile = [
        ("a\u{0}b".to_owned(), "Remove the characters"),
        ("a\u{1b}[31m".to_owned(), "Remove the characters"),
        ("two\nlines".to_owned(), "Remove the characters"),
        ("evil\u{202e}txt".to_owned(), "Remove the characters"),
        ("x".repeat(1_000_000), "Use at most 200 characters; these are 1000000."),
        ("ñ".repeat(201), "Use at most 200 characters; these are 201."),
        ("   ".to_owned(), "Enter the "),
        (String::new(), "Enter the "),
    ];
    for case in CASES {
        for (value, words) in &hostile {
            let mut body = case.body("Plain");
            body[case.name] = json!(value);
            let refusal = admin.post(&case.path(), &body).await.expect(422);
            assert_eq!(fields(&refusal), [case.name], "{}", case.slug);
            let message = refusal["fields"][0]["message"].as_str().expect("words");
            assert!(message.starts_with(words), "{}: {message}", case.slug);
        }
        for value in [json!(1), json!(true), json!([]), json!({}), Value::Null] {
            let mut body = case.body("Plain");
            body[case.name] = value;
            assert_eq!(fields(&admin.post(&case.path(), &body).await.expect(422)), [case.name]);
        }
        // Text that would be code elsewhere is plain text here.
        for (n, text) in ["'; drop table uoms; --", "<script>alert(1)</script>", "${7*7}", "Halo-halo 🍧"]
            .iter()
            .enumerate()
        {
            let mut body = case.body(&format!("T{n}"));
            body[case.name] = json!(text);
            assert_eq!(admin.post(&case.path(), &body).await.expect(201)[case.name], *text);
        }
        for body in [json!([]), json!("x"), json!(1), Value::Null] {
            assert_eq!(admin.post(&case.path(), &body).await.status, 422, "{body}");
        }
        for id in ["%00", "..%2F", "a%27b", &"x".repeat(5000)] {
            assert_eq!(admin.get(&format!("{}/{id}", case.path())).await.status, 404, "{id}");
            assert_eq!(admin.delete(&format!("{}/{id}", case.path())).await.status, 404, "{id}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn all_field_errors_are_reported_at_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body =
        json!({ "name": 5, "type": [], "weightKg": "heavy", "price": -1, "production": "maybe", "_x": 1 });
    let refusal = admin.post("/api/lists/root-items", &body).await.expect(422);
    assert_eq!(fields(&refusal), ["name", "type", "weightKg", "price", "production", "_x"]);
    assert_eq!(refusal["detail"], "6 fields need a change.");
    for field in refusal["fields"].as_array().expect("fields") {
        assert!(field["message"].as_str().expect("words").ends_with('.'), "{field}");
    }
}

/// SPEC 7: an update merges the fields it names, by id. Of two changes to a composite value, one would be
/// lost silently.
#[rstest]
#[tokio::test]
async fn single_values_are_merged_without_a_revision(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    const ASK: [&str; 2] = ["tender-types", "chart-of-accounts"];
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let made = case.make(&admin, "Merged").await;
        let path = format!("{}/{}", case.path(), made["id"].as_str().expect("an id"));
        let patch = json!({ case.name: "Merged again", "colour": "red" });
        if ASK.contains(&case.slug) {
            assert_eq!(fields(&admin.patch(&path, &patch).await.expect(422)), ["revision"], "{}", case.slug);
            continue;
        }
        let merged = admin.patch(&path, &patch).await.expect(200);
        assert_eq!((&merged[case.name], &merged["revision"]), (&json!("Merged again"), &json!(2)));
        let second = admin.patch(&path, &json!({ "colour": null, "size": 3 })).await.expect(200);
        assert_eq!(
            (second.get("colour"), &second["size"], &second["revision"]),
            (None, &json!(3), &json!(3))
        );
        assert_eq!(second[case.name], "Merged again");
        let parts = json!({ "tags": ["a"], "revision": null });
        assert_eq!(
            fields(&admin.patch(&path, &parts).await.expect(422)),
            ["revision", "tags"],
            "{}",
            case.slug
        );
        let old = admin.patch(&path, &json!({ "size": 4, "revision": 1 })).await.expect(409);
        assert_eq!(old["code"], "stale");
    }
    let item = admin.post("/api/lists/pos-items", &json!({ "description": "Burger" })).await.expect(201);
    let path = format!("/api/lists/pos-items/{}", item["id"].as_str().expect("an id"));
    for patch in [json!({ "bom": [] }), json!({ "bom": null, "price": 5 })] {
        let refusal = admin.patch(&path, &patch).await.expect(422);
        assert_eq!(fields(&refusal), ["revision", "bom"]);
        assert!(refusal["fields"][0]["message"].as_str().expect("words").contains("Bill of materials"));
    }
}

/// Programs identify the lines inside a field by their ids.
#[rstest]
#[tokio::test]
async fn lines_keep_the_ids_they_were_sent_with(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let make = async |slug: &str, body: Value| {
        let made = admin.post(&format!("/api/{slug}"), &body).await.expect(201);
        made["id"].as_str().expect("an id").to_owned()
    };
    let (kg, case) = (
        make("lists/uoms", json!({ "name": "Kilogram", "code": "kg" })).await,
        make("lists/uoms", json!({ "name": "Case", "code": "cs" })).await,
    );
    let (root, level, store) = (
        make("lists/root-items", json!({ "name": "Flour" })).await,
        make("lists/price-levels", json!({ "name": "Regular" })).await,
        make("stores/locations", json!({ "name": "Makati" })).await,
    );
    let product = json!({ "name": "Flour", "baseUom": kg,
        "otherUoms": [{ "id": "u1", "uomId": case, "whole": true }],
        "conversions": [{ "id": "c1", "fromUomId": case, "toUomId": kg, "factor": 12 }],
        "rootItemConversions": [{ "id": "r1", "rootItemId": root, "factor": 1 }],
        "priceLevelPrices": [{ "id": "p1", "priceLevelId": level, "price": 100 }] });
    let flour = make("products", product.clone()).await;
    let lines: &[(&str, &str, Value)] = &[
        (
            "products",
            "otherUoms",
            json!({ "name": "Salt", "baseUom": kg, "otherUoms": product["otherUoms"],
            "conversions": product["conversions"] }),
        ),
        ("products", "conversions", product.clone()),
        ("products", "rootItemConversions", product.clone()),
        ("products", "priceLevelPrices", product),
        (
            "lists/pos-items",
            "bom",
            json!({ "description": "Bread",
            "bom": [{ "id": "line-7", "rootProductId": root, "multiplier": 0.5 }] }),
        ),
        (
            "lists/recipes",
            "rootItems",
            json!({ "name": "Bread",
            "rootItems": [{ "id": "i1", "rootItemId": root, "qty": 2 }] }),
        ),
        (
            "lists/store-inventory-items",
            "packs",
            json!({ "name": "Flour",
            "packs": [{ "id": "k1", "uomId": case, "factor": 12 }] }),
        ),
        (
            "lists/order-templates",
            "items",
            json!({ "name": "Weekly", "storeId": store,
            "items": [{ "id": "t1", "productId": flour, "uomId": kg, "qty": 5 }] }),
        ),
        (
            "stores/locations",
            "posTerminals",
            json!({ "name": "Ortigas",
            "posTerminals": [{ "id": "till", "posCode": "ORT", "terminalId": "1" }] }),
        ),
    ];
    for (slug, field, body) in lines {
        let made = admin.post(&format!("/api/{slug}"), body).await.expect(201);
        assert_eq!(made[field], body[field], "{slug}");
        let one = format!("/api/{slug}/{}", made["id"].as_str().expect("an id"));
        assert_eq!(admin.get(&one).await.expect(200)[field], body[field], "{slug}");
        // Fields a line does not have are refused.
        let mut odd = body[field].clone();
        odd[0]["note"] = json!("fresh");
        let refusal = admin.patch(&one, &json!({ *field: odd, "revision": 1 })).await.expect(422);
        assert_eq!(fields(&refusal), [format!("{field}.0.note")], "{slug}");
        let mut odd = body[field].clone();
        odd[0]["id"] = json!(5);
        let refusal = admin.patch(&one, &json!({ *field: odd, "revision": 1 })).await.expect(422);
        assert_eq!(fields(&refusal), [format!("{field}.0.id")], "{slug}");
    }
}
