//! Behaviour common to all lists.

use larder_domain::Action;
use larder_lists::engine::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use super::{CASES, column, fields};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn a_record_is_created_read_changed_and_deleted(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let made = case.make(&admin, "First").await;
        assert_eq!(made[case.name], "First", "{}", case.slug);
        assert_eq!(made["revision"], 1);
        assert_eq!(made["updatedBy"]["name"], "Ana Cruz");
        assert_eq!(made["createdAt"], made["updatedAt"]);
        let path = format!("{}/{}", case.path(), made["id"].as_str().expect("an id"));
        assert_eq!(admin.get(&path).await.expect(200), made, "{}", case.slug);

        let changed = admin.patch(&path, &json!({ case.name: "Second", "revision": 1 })).await.expect(200);
        assert_eq!((&changed[case.name], &changed["revision"]), (&json!("Second"), &json!(2)));
        assert_eq!(admin.get(&path).await.expect(200), changed);

        assert_eq!(admin.delete(&path).await.status, 204);
        assert_eq!(admin.get(&path).await.status, 404);
        assert_eq!(admin.delete(&path).await.status, 404);
        assert_eq!(admin.patch(&path, &json!({ "revision": 2 })).await.status, 404);
    }
}

#[rstest]
#[tokio::test]
async fn the_history_lists_changes_field_by_field(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = CASES[0].make(&admin, "Box").await;
    let path = format!("/api/lists/uoms/{}", made["id"].as_str().expect("an id"));
    admin.patch(&path, &json!({ "name": "Crate", "revision": 1 })).await.expect(200);
    assert_eq!(admin.delete(&path).await.status, 204);
    let rows: Vec<(String, String, larder_db::Json<Value>)> = app
        .db
        .sql("select uid, action, changes from audit where kind = 'uom' order by seq")
        .all()
        .await
        .expect("an audit");
    let actions: Vec<_> = rows.iter().map(|row| row.1.as_str()).collect();
    assert_eq!(actions, ["created", "updated", "deleted"]);
    assert_eq!(rows[1].0, admin.uid);
    assert_eq!(rows[1].2.0, json!({ "name": ["Box", "Crate"] }));
    assert_eq!(rows[2].2["name"], json!(["Crate", null]));
}

#[rstest]
#[tokio::test]
async fn an_old_revision_is_refused_with_the_current_record(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let made = case.make(&admin, "First").await;
        let path = format!("{}/{}", case.path(), made["id"].as_str().expect("an id"));
        let current = admin.patch(&path, &json!({ case.name: "Second", "revision": 1 })).await.expect(200);
        let refusal = admin.patch(&path, &json!({ case.name: "Third", "revision": 1 })).await.expect(409);
        assert_eq!(refusal["code"], "stale");
        assert_eq!(refusal["detail"], "This record was changed by Ana Cruz. Reload to continue.");
        assert_eq!(refusal["current"], current);
        // Saving the same values is no change.
        let same = admin.patch(&path, &json!({ case.name: "Second", "revision": 2 })).await.expect(200);
        assert_eq!(same, current);
    }
}

#[rstest]
#[tokio::test]
async fn of_concurrent_writers_of_a_revision_one_wins(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = CASES[0].make(&admin, "Box").await;
    let path = format!("/api/lists/uoms/{}", made["id"].as_str().expect("an id"));
    let bodies: Vec<_> = (0..8).map(|n| json!({ "name": format!("Box {n}"), "revision": 1 })).collect();
    let tries = bodies.iter().map(|body| admin.patch(&path, body));
    let mut statuses: Vec<_> = futures::future::join_all(tries).await.iter().map(|a| a.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(admin.get(&path).await.expect(200)["revision"], 2);
}

#[rstest]
#[tokio::test]
async fn names_are_unique_ignoring_case(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        case.make(&admin, "Parañaque  South").await;
        let mut body = case.body("  PARAÑAQUE SOUTH ");
        let field = match case.slug {
            "root-items" => "rootProductId",
            "pos-items" => "posItemId",
            // Their names are free.
            "store-inventory-items" => "code",
            _ => "name",
        };
        // If two are taken, the engines report different ones.
        if field == "name" && body["code"].is_string() {
            body["code"] = json!("OTHER");
        }
        let refusal = admin.post(&case.path(), &body).await.expect(409);
        assert_eq!(refusal["code"], "duplicate", "{}", case.slug);
        assert_eq!(fields(&refusal), [field], "{}: {refusal}", case.slug);
        assert!(refusal["detail"].as_str().expect("words").starts_with("«PARAÑAQUE SOUTH» is already taken"));
    }
}

#[rstest]
#[tokio::test]
async fn lists_are_searched_sorted_filtered_and_paged(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        for name in ["delta 100%", "Alpha", "ÑANDU", "bravo_x", "Charlie"] {
            case.make(&admin, name).await;
        }
        let path = case.path();
        let all = async |query: &str| {
            let page = admin.get(&format!("{path}?{query}")).await.expect(200);
            (column(&page, case.name), page["total"].as_i64().expect("a total"))
        };
        let sorted = ["Alpha", "bravo_x", "Charlie", "delta 100%", "ÑANDU"].map(str::to_owned).to_vec();
        assert_eq!(all("").await, (sorted.clone(), 5), "{}", case.slug);
        let sort = case.name;
        let mut turned = sorted.clone();
        turned.reverse();
        assert_eq!(all(&format!("sort=-{sort}&pageSize=all")).await, (turned, 5));
        assert_eq!(all("page=2&pageSize=2").await, (sorted[2..4].to_vec(), 5));
        assert_eq!(all("page=3&pageSize=2").await, (sorted[4..].to_vec(), 5));
        assert_eq!(all("page=9&pageSize=2").await, (vec![], 5));
        assert_eq!(all("q=%C3%B1andu").await, (vec!["ÑANDU".to_owned()], 1), "{}", case.slug);
        // % and _ are characters, not wildcards.
        assert_eq!(all("q=%25").await, (vec!["delta 100%".to_owned()], 1));
        assert_eq!(all("q=O_X").await, (vec!["bravo_x".to_owned()], 1));
        assert_eq!(all("q=a_p").await, (vec![], 0));
        assert_eq!(all(&format!("{sort}=ALPHA")).await, (vec!["Alpha".to_owned()], 1));
        assert_eq!(all(&format!("{sort}=alpha&{sort}=charlie")).await.1, 2);
        assert_eq!(all("sort=-createdAt&pageSize=1").await.0, ["Charlie"]);
    }
}

#[rstest]
#[tokio::test]
async fn invalid_query_parameters_are_reported_at_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let query = "sort=colour&page=0&pageSize=1001&flavour=sweet&q=%00";
        let refusal = admin.get(&format!("{}?{query}", case.path())).await.expect(422);
        assert_eq!(fields(&refusal), ["sort", "page", "pageSize", "flavour", "q"]);
        let message = refusal["fields"][0]["message"].as_str().expect("words");
        assert!(message.starts_with("Sort by one of: ") && message.contains(case.name));
    }
}

#[rstest]
#[tokio::test]
async fn a_retried_create_gets_the_first_response(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        let body = case.body("Once");
        let attempt = || {
            let request = admin.request(reqwest::Method::POST, &case.path());
            admin.send(request.header("idempotency-key", format!("key-{}", case.slug)).json(&body))
        };
        let first = attempt().await.expect(201);
        assert_eq!(attempt().await.expect(201), first, "{}", case.slug);
        assert_eq!(admin.get(&case.path()).await.expect(200)["total"], 1);

        let request = admin.request(reqwest::Method::POST, &case.path());
        let request =
            request.header("idempotency-key", format!("key-{}", case.slug)).json(&case.body("Twice"));
        assert_eq!(admin.send(request).await.expect(422)["code"], "keyReused");
        // The key belongs to the user; with another user it is another request.
        let other = app.admin().await;
        let request = other.request(reqwest::Method::POST, &case.path());
        let request =
            request.header("idempotency-key", format!("key-{}", case.slug)).json(&case.body("Other"));
        assert_ne!(other.send(request).await.expect(201)["id"], first["id"]);
    }
}

#[rstest]
#[tokio::test]
async fn concurrent_retries_create_one_record(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = CASES[1].body("Once");
    let tries = (0..6).map(|_| {
        let request = admin.request(reqwest::Method::POST, "/api/lists/categories");
        admin.send(request.header("idempotency-key", "same").json(&body))
    });
    let answers = futures::future::join_all(tries).await;
    let first = answers[0].json();
    for answer in answers {
        assert_eq!(answer.expect(201), first);
    }
    assert_eq!(admin.get("/api/lists/categories").await.expect(200)["total"], 1);
}

#[rstest]
#[tokio::test]
async fn every_action_needs_its_permission(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let pages = ["lists/allLists", "lists/commissaries", "lists/storeInventoryItems"];
    let mut views: Vec<(&str, &[Action])> =
        pages.iter().map(|page| (*page, &[Action::View] as &[_])).collect();
    views.push(("yourCompany/chartOfAccounts", &[Action::View]));
    let viewer = app.user(&views, None).await;
    let newcomer = app.newcomer().await;
    for case in CASES {
        let made = case.make(&admin, "First").await;
        let (path, body) = (case.path(), case.body("Second"));
        let one = format!("{path}/{}", made["id"].as_str().expect("an id"));
        assert_eq!(viewer.get(&path).await.status, 200);
        assert_eq!(viewer.get(&one).await.status, 200);
        assert_eq!(viewer.post(&path, &body).await.status, 403);
        assert_eq!(viewer.patch(&one, &json!({ "revision": 1 })).await.status, 403);
        assert_eq!(viewer.delete(&one).await.status, 403);
        assert_eq!(viewer.get(&format!("{path}/export")).await.status, 403);
        // The pages of two lists need no permission: every signed-in user reads them.
        let open = matches!(case.slug, "regional-areas" | "operational-areas");
        assert_eq!(newcomer.get(&path).await.status, if open { 200 } else { 403 }, "{}", case.slug);
        assert_eq!(newcomer.post(&path, &body).await.status, 403);
    }
}

#[rstest]
#[tokio::test]
async fn a_list_is_exported_as_filtered(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for case in CASES {
        for name in ["=cmd()", "Bravo, \"x\"", "Charlie"] {
            case.make(&admin, name).await;
        }
        let answer = admin.get(&format!("{}/export?format=csv&sort={}", case.path(), case.name)).await;
        assert_eq!(answer.status, 200, "{}: {}", case.slug, answer.text());
        assert_eq!(answer.headers["content-type"], "text/csv; charset=utf-8");
        let disposition = answer.headers["content-disposition"].to_str().expect("text").to_owned();
        assert!(disposition.starts_with(&format!("attachment; filename=\"{}-", case.slug)), "{disposition}");
        let text = answer.text();
        let text = text.strip_prefix('\u{feff}').expect("a byte order mark");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let title = if case.slug == "pos-items" { "Description" } else { "Name" };
        let at =
            reader.headers().expect("titles").iter().position(|t| t == title).expect("the name's column");
        let names: Vec<_> = reader.records().map(|r| r.expect("a row")[at].to_owned()).collect();
        assert_eq!(names, ["'=cmd()", "Bravo, \"x\"", "Charlie"], "{}", case.slug);

        let filtered = admin.get(&format!("{}/export?q=charlie", case.path())).await.text();
        assert_eq!(filtered.lines().count(), 2, "{filtered}");
        assert_eq!(admin.get(&format!("{}/export?format=pdf", case.path())).await.status, 422);
    }
}

#[rstest]
#[tokio::test]
async fn a_workbook_keeps_text_and_numbers_apart(#[from(one_engine)] on: Engine) {
    use calamine::{Data, Reader};
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "name": "=1+1", "weightKg": "1,5", "price": 12.5 });
    admin.post("/api/lists/root-items", &body).await.expect(201);
    let answer = admin.get("/api/lists/root-items/export?format=xlsx").await;
    assert_eq!(answer.status, 200);
    let mut book: calamine::Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(answer.bytes)).expect("a workbook");
    let sheet = book.worksheet_range_at(0).expect("a sheet").expect("readable");
    let titles: Vec<_> = sheet.rows().next().expect("titles").iter().map(ToString::to_string).collect();
    let row = sheet.rows().nth(1).expect("a row");
    let cell = |title: &str| &row[titles.iter().position(|t| t == title).expect("a column")];
    assert_eq!(cell("Name"), &Data::String("=1+1".into()));
    assert_eq!(cell("Weight (kg)"), &Data::Float(1.5));
    assert_eq!(cell("Price"), &Data::Float(12.5));
    assert_eq!(cell("In production"), &Data::Bool(true));
    assert!(matches!(cell("Created at (UTC+8)"), Data::DateTime(_)));
}

#[rstest]
#[tokio::test]
async fn records_in_use_cannot_be_deleted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let references = [
        ("store-formats", "storeFormatId"),
        ("regional-areas", "regionalAreaId"),
        ("operational-areas", "operationalAreaId"),
        ("price-levels", "priceLevelId"),
    ];
    for (slug, field) in references {
        let body = json!({ "name": "Used", "code": "U" });
        let used = admin.post(&format!("/api/lists/{slug}"), &body).await.expect(201);
        let id = used["id"].as_str().expect("an id");
        for n in 0..2 {
            let store = json!({ "name": format!("{slug} {n}"), field: id });
            admin.post("/api/stores/locations", &store).await.expect(201);
        }
        let refusal = admin.delete(&format!("/api/lists/{slug}/{id}")).await.expect(409);
        assert_eq!(refusal["code"], "inUse");
        assert_eq!(refusal["uses"], json!([{ "kind": "location", "label": "Stores", "count": 2 }]));
        assert!(refusal["detail"].as_str().expect("words").contains("is used by 2 stores"), "{refusal}");
        assert_eq!(admin.get(&format!("/api/lists/{slug}/{id}")).await.status, 200);
    }
}

#[rstest]
#[tokio::test]
async fn references_must_exist(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (slug, field, body) in [
        ("/api/lists/categories", "parentId", json!({ "name": "A", "parentId": "none" })),
        ("/api/stores/locations", "priceLevelId", json!({ "name": "A", "priceLevelId": "none" })),
        ("/api/stores/locations", "regionalAreaId", json!({ "name": "A", "regionalAreaId": "none" })),
    ] {
        let refusal = admin.post(slug, &body).await.expect(422);
        assert_eq!(fields(&refusal), [field], "{refusal}");
        assert!(refusal["detail"].as_str().expect("words").contains("choose one from the list"));
    }
}

#[rstest]
#[tokio::test]
async fn the_overview_counts_visible_records(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    CASES[0].make(&admin, "Kilogram").await;
    admin.post("/api/lists/root-items", &json!({ "name": "Old", "production": false })).await.expect(201);
    let hub = admin.get("/api/lists").await.expect(200);
    let slugs: Vec<_> =
        hub.as_array().expect("a list").iter().map(|list| list["slug"].as_str().expect("a slug")).collect();
    for case in CASES.iter().filter(|case| case.path().starts_with("/api/lists/")) {
        assert!(slugs.contains(&case.slug), "{}", case.slug);
    }
    assert_eq!(
        hub[0],
        json!({ "slug": "uoms", "label": "Units of measure", "count": 1, "permission": "lists/allLists" })
    );
    let roots = hub.as_array().expect("a list").iter().find(|list| list["slug"] == "root-items");
    assert_eq!(roots.expect("root items")["count"], 0, "hidden root items are not counted");
    let other = app.user(&[("products/products", &[Action::View])], None).await;
    let seen = other.get("/api/lists").await.expect(200);
    assert_eq!(seen.as_array().expect("a list").len(), 2, "only the lists without a permission");
}

/// The overview counts what its lists then show: no records of inaccessible stores.
#[rstest]
#[tokio::test]
async fn the_overview_counts_records_of_accessible_stores(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let root = admin.post("/api/lists/root-items", &json!({ "name": "Salt" })).await.expect(201);
    let mut stores = Vec::new();
    for name in ["Near", "Far", "Farther"] {
        let store = admin.post("/api/stores/locations", &json!({ "name": name })).await.expect(201);
        let body = json!({ "storeId": store["id"], "rootItemId": root["id"], "parQty": 5 });
        admin.post("/api/lists/store-root-items", &body).await.expect(201);
        stores.push(store["id"].as_str().expect("an id").to_owned());
    }
    let rights: &[(&str, &[Action])] =
        &[("lists/storeInventoryItems", &[Action::View]), ("lists/allLists", &[Action::View])];
    let near = app.user(rights, Some(&stores[..1])).await;
    for (client, expected) in [(&admin, 3), (&near, 1)] {
        let hub = client.get("/api/lists").await.expect(200);
        for list in hub.as_array().expect("lists") {
            let slug = list["slug"].as_str().expect("a slug");
            let page = client.get(&format!("/api/lists/{slug}?pageSize=1")).await.expect(200);
            assert_eq!(list["count"], page["total"], "{slug}");
        }
        let own = hub.as_array().expect("lists").iter().find(|list| list["slug"] == "store-root-items");
        assert_eq!(own.expect("the list")["count"], expected);
    }
}

/// Misspelt text is matched as in the top bar search if there is no exact match.
#[rstest]
#[tokio::test]
async fn search_tolerates_typing_errors(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/suppliers";
    for name in ["Chicken House", "Kitchen Supply", "Chico Traders"] {
        admin.post(path, &json!({ "name": name })).await.expect(201);
    }
    let names = async |q: &str| column(&admin.get(&format!("{path}?q={q}")).await.expect(200), "name");
    assert_eq!(names("chicken").await, ["Chicken House"]);
    assert_eq!(names("chiken").await, ["Chicken House"]);
    assert_eq!(names("suply%20kitchn").await, ["Kitchen Supply"]);
    assert_eq!(names("hic").await, ["Chicken House", "Chico Traders"], "as it was typed");
    assert!(names("xyzzyx").await.is_empty());
    let file = admin.get(&format!("{path}/export?format=csv&q=chiken")).await.text();
    assert!(file.contains("Chicken House") && !file.contains("Kitchen Supply"), "{file}");
}

/// Fields named as ids refer to their list, so that records are chosen and shown by name; ids of other
/// systems are listed here.
#[test]
fn every_reference_is_declared() {
    const ELSEWHERE: [&str; 8] = [
        "netsuiteLocationInternalId",
        "netsuiteClassInternalId",
        "netsuiteCustomerId",
        "netsuiteCustomerInternalId",
        "terminalId",
        "rootProductId",
        "posItemId",
        "taxId",
    ];
    let lists = larder_lists::catalog::ALL.iter();
    let undeclared: Vec<String> = lists
        .flat_map(|def| def.fields.iter().map(move |field| (def, field)))
        .filter(|(_, field)| field.name.ends_with("Id") && !matches!(field.kind, Kind::Ref))
        .filter(|(_, field)| !ELSEWHERE.contains(&field.name))
        .map(|(def, field)| format!("{} {}", def.kind, field.name))
        .collect();
    assert!(undeclared.is_empty(), "{undeclared:?}");
}
