//! What bodies may hold: custom fields, hostile values, everything wrong at once.

use rstest::rstest;
use serde_json::{Value, json};

use super::{CASES, fields};
use crate::support::{App, Engine};

#[rstest]
#[tokio::test]
async fn custom_fields_are_kept_and_given_back(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
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
async fn custom_fields_have_bounds(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
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

#[rstest]
#[tokio::test]
async fn hostile_names_are_refused_with_what_to_do(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
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
        // Text that would be code elsewhere is only text here.
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
async fn every_wrong_field_is_named_at_once(#[values(Engine::Sqlite)] on: Engine) {
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
