//! Store scope: a user of two stores sees only their figures. Runs every operation of the contract that takes stores as
//! this user, and compares the response with that of a user of all stores who asks for these two.

use std::collections::BTreeSet;

use larder_app as app;
use larder_domain::access::CATALOGUE;
use serde_json::{Value, json};

use super::people::PEOPLE;
use super::tests::{Client, Folder, Service};

/// Required query parameters of operations.
const ASKED: &[(&str, &str)] = &[
    ("from", "2026-11-02"),
    ("to", "2026-11-15"),
    ("year", "2026"),
    ("month", "2026-10"),
    ("date", "2026-11-12"),
    ("format", "csv"),
    ("q", "a"),
];

/// Names of stores may be read by every user with a role, so that no screen shows bare ids; and a transfer shows its
/// origin.
const NAMES: &[&str] = &[
    "/api/names",
    "/api/stock/in-transit",
    "/api/stores/receive",
    "/api/stores/receive/expected",
    "/api/stores/transfers",
    "/api/stores/transactions",
];

/// A store out of scope.
struct Store {
    id: String,
    name: String,
    code: String,
}

impl Store {
    /// Whether and where a response mentions it.
    fn named_in(&self, asked: &str, seen: &str) -> Option<String> {
        let at = seen.find(&self.id).or_else(|| seen.find(&self.name))?;
        let from = seen.floor_char_boundary(at.saturating_sub(120));
        let to = seen.ceil_char_boundary((at + 120).min(seen.len()));
        Some(format!("{asked} names {}: {}", self.name, &seen[from..to]))
    }
}

#[tokio::test]
async fn a_two_store_user_sees_only_those_stores() {
    let folder = Folder::new();
    let state = folder.demo(5).await;
    state.jobs.drain(&state).await.expect("what the demo began ends");
    let service = Service::open(&state).await;
    let (admin, limited) = (&PEOPLE[0], &PEOPLE[2]);
    let admin = service.sign_in(admin.email, admin.password).await;
    everything_is_allowed(&admin, limited.role.expect("a role")).await;
    let limited = service.sign_in(limited.email, limited.password).await;

    let me = limited.get("/api/me").await;
    let own: BTreeSet<String> = strings(&me["user"]["storeIds"]).collect();
    assert_eq!(own.len(), 2);
    let stores = admin.get("/api/stores/locations?includeInactive=true&pageSize=100").await;
    let others: Vec<Store> = (stores["items"].as_array().expect("stores").iter())
        .filter(|store| !own.contains(store["id"].as_str().expect("an id")))
        .map(|store| Store { id: text(&store["id"]), name: text(&store["name"]), code: text(&store["code"]) })
        .collect();
    assert!(!others.is_empty());

    let contract: Value =
        serde_json::from_str(&app::openapi_text().await.expect("a contract")).expect("JSON");
    let (mut compared, mut faults) = (0, Vec::new());
    for (path, names) in reads(&contract) {
        let query = query(&names);
        let (head, seen) = limited.ask("GET", &format!("{path}{query}"), None).await;
        if !NAMES.iter().any(|names| path.starts_with(names)) {
            for store in &others {
                // Goods in transit show their origin.
                let said = seen.replace(&format!("from {}\"", store.name), "");
                faults.extend(store.named_in(&path, &said));
            }
        }
        if names.iter().any(|name| name == "storeIds") && head.split(' ').nth(1) == Some("200") {
            let two = own.iter().cloned().collect::<Vec<_>>().join(",");
            let joint = if query.is_empty() { '?' } else { '&' };
            let (_, whole) = admin.ask("GET", &format!("{path}{query}{joint}storeIds={two}"), None).await;
            compared += 1;
            if seen != whole {
                faults.push(format!("{path}{query}: not the figures of the two stores\n{seen}\n{whole}"));
            }
        }
    }
    let mut papers = 0;
    for store in &others {
        papers += search_finds_nothing_of(store, &own, (&admin, &limited), &mut faults).await;
    }
    assert!(papers >= 20, "only {papers} papers of other stores are looked for");
    assert!(compared >= 20, "only {compared} operations are asked for stores");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    state.db.close().await;
}

/// Searches for a store out of scope, its documents, and in natural language. A user of all stores finds each of them.
/// Returns the number of documents.
async fn search_finds_nothing_of(
    store: &Store,
    own: &BTreeSet<String>,
    (admin, limited): (&Client, &Client),
    faults: &mut Vec<String>,
) -> usize {
    let search = |q: &str| format!("/api/search?limit=50&q={}", q.replace(' ', "%20"));
    for q in [&store.name, &store.code] {
        let found = admin.get(&search(q)).await;
        assert!(ids(&found["items"]).contains(&store.id), "{q}: {found}");
        faults.extend(store.named_in(q, &limited.get(&search(q)).await.to_string()));
    }
    // A search by a store's name finds its documents, by number.
    let found = admin.get(&search(&store.name)).await;
    let of_store = |paper: &&Value| text(&paper["subtitle"]).contains(&format!("{},", store.name));
    let papers: Vec<&Value> = found["items"].as_array().into_iter().flatten().filter(of_store).collect();
    for paper in &papers {
        let (number, id) = (text(&paper["title"]), text(&paper["id"]));
        let seen = limited.get(&search(&number)).await;
        if ids(&seen["items"]).contains(&id) {
            faults.push(format!("{number} of {} is found", store.name));
        }
        faults.extend(store.named_in(&number, &seen.to_string()));
    }
    for (q, names_it) in [
        (format!("sales {} last week", store.name), true),
        (format!("sales {} last week", store.code), true),
        (format!("waste chicken {} october", store.name), true),
        ("waste chicken october".to_owned(), false),
    ] {
        let understood = admin.get(&search(&q)).await["question"].clone();
        assert_eq!(ids(&understood["stores"]).contains(&store.id), names_it, "{q}: {understood}");
        let seen = limited.get(&search(&q)).await;
        if !ids(&seen["question"]["stores"]).is_subset(own) {
            faults.push(format!("{q} asks about stores out of reach: {seen}"));
        }
        faults.extend(store.named_in(&q, &seen.to_string()));
    }
    papers.len()
}

fn ids(records: &Value) -> BTreeSet<String> {
    records.as_array().into_iter().flatten().map(|record| text(&record["id"])).collect()
}

/// The role has every permission, so that only the stores limit what is visible.
async fn everything_is_allowed(admin: &Client, role: &str) {
    let roles = admin.get("/api/roles").await;
    let role =
        roles["items"].as_array().expect("roles").iter().find(|one| one["name"] == role).expect("the role");
    let actions: serde_json::Map<_, _> =
        larder_domain::Action::ALL.iter().map(|action| (action.as_str().to_owned(), json!(true))).collect();
    let pages = |pages: &[&str]| -> Value {
        pages
            .iter()
            .map(|page| ((*page).to_owned(), json!(actions)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let permissions: serde_json::Map<_, _> =
        CATALOGUE.iter().map(|(category, of)| ((*category).to_owned(), pages(of))).collect();
    let change = json!({ "permissions": permissions, "revision": role["revision"] });
    admin.send("PATCH", &format!("/api/roles/{}", text(&role["id"])), Some(&change)).await;
}

/// Every read operation without a record in its path, with its parameters.
fn reads(contract: &Value) -> Vec<(String, Vec<String>)> {
    let paths = contract["paths"].as_object().expect("paths").iter();
    let of = |(path, operations): (&String, &Value)| {
        let streams = operations.pointer("/get/responses/200/content/text~1event-stream").is_some();
        let asks = operations.get("get")?.get("parameters").and_then(Value::as_array);
        let names =
            asks.into_iter().flatten().filter(|ask| ask["in"] == "query").map(|ask| text(&ask["name"]));
        (path.starts_with("/api/") && !path.contains('{') && !streams)
            .then(|| (path.clone(), names.collect()))
    };
    paths.filter_map(of).collect()
}

fn query(names: &[String]) -> String {
    let asked = ASKED.iter().filter(|(name, _)| names.iter().any(|one| one == name));
    let query = asked.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&");
    if query.is_empty() { query } else { format!("?{query}") }
}

fn strings(list: &Value) -> impl Iterator<Item = String> + '_ {
    list.as_array().into_iter().flatten().map(text)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
