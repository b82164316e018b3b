//! Every operation of the contract, requested by every kind of user: exactly the permitted ones succeed.

use larder_app as app;
use larder_domain::Action;
use larder_domain::access::{CATALOGUE, meaningful};
use larder_platform::people::users::first_sight;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};
use crate::users::{path as path_of, record_of, store};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) id: String,
    pub(super) said: Value,
}

impl Operation {
    pub(super) fn verb(&self) -> reqwest::Method {
        self.method.to_uppercase().parse().expect("a method")
    }
}

/// Bodies that do not match their media type, or of an unsupported type.
const JUNK: &[(&str, &str)] = &[
    ("", "x"),
    ("text/plain", "x"),
    ("application/json", "{"),
    ("application/json", "[]"),
    ("application/json; charset=\u{fe}", "{}"),
    ("multipart/form-data", "x"),
    ("multipart/form-data; boundary=x", "x"),
    ("application/x-www-form-urlencoded", "%ff=%00&"),
    ("application/octet-stream", ""),
];

/// Queries with only unknown or invalid parameters.
const JUNK_QUERIES: &[&str] = &[
    "limit=x&offset=x&page=x&from=x&to=x&date=x&year=x&storeId=x&storeIds=x&ids=x&after=x&sort=x",
    "limit=-1&offset=-1&year=-1&page=-1",
    "limit=9223372036854775807&offset=9223372036854775807&year=2147483647&from=9999-12-31&to=9999-12-31",
    "limit=1&limit=2&%ff=%00",
];

pub(super) async fn operations() -> Vec<Operation> {
    let api: Value = serde_json::from_str(&app::openapi_text().await.expect("a contract")).expect("JSON");
    let mut all = Vec::new();
    for (path, item) in api["paths"].as_object().expect("paths") {
        for method in METHODS {
            if let Some(said) = item.get(method) {
                all.push(Operation {
                    method,
                    path: path.clone(),
                    id: said["operationId"].as_str().unwrap_or_default().to_owned(),
                    said: said.clone(),
                });
            }
        }
    }
    assert!(all.len() > 5, "the contract lists its operations");
    all
}

/// Who makes the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Nobody,
    /// First sign-in with Google: no role and no store list, which alone would mean all stores.
    NewGoogleUser,
    /// Stores, but no role.
    NoRole,
    /// May view every page.
    ViewOnly,
    /// Has all permissions, in the requested store.
    OwnStore,
    /// Has all permissions, in another store.
    OtherStore,
    /// Has all permissions everywhere, by role.
    AdminRole,
    /// As the previous one, but disabled.
    Disabled,
    SuperAdmin,
}

const PEOPLE: &[Person] = &[
    Person::Nobody,
    Person::NewGoogleUser,
    Person::NoRole,
    Person::ViewOnly,
    Person::OwnStore,
    Person::OtherStore,
    Person::AdminRole,
    Person::Disabled,
    Person::SuperAdmin,
];

/// Expected decision of the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    In,
    /// 401.
    Unknown,
    /// 403, permission missing.
    Forbidden,
    /// 403, store not accessible.
    OutOfScope,
}

/// Operations that affect all stores at once, so that store-limited users may not use them: a new store would
/// be outside their scope, and mapping a name changes the totals of all stores.
const ALL_STORES: &[&str] = &[
    "create_location",
    // The example replaces every store.
    "load_example",
    "discard_example",
    "resolve_unmapped_sales_items",
    // A bank's file contains every store's payments.
    "list_settlements",
    "look_at_settlement",
    "import_settlement",
];

/// The expected decision, from the contract and the kind of user.
fn expected(operation: &Operation, person: Person) -> Verdict {
    if operation.said.get("x-public").is_some() {
        return Verdict::In;
    }
    let permission = &operation.said["x-permission"];
    let granted = match person {
        Person::Nobody | Person::Disabled => return Verdict::Unknown,
        Person::NewGoogleUser | Person::NoRole => permission.get("signedIn").is_some(),
        Person::ViewOnly => permission.get("page").is_none() || permission["action"] == "view",
        Person::OwnStore | Person::OtherStore | Person::AdminRole | Person::SuperAdmin => true,
    };
    // The role is checked before the store.
    let one_store = operation.path.contains("{storeId}");
    match person {
        _ if !granted => Verdict::Forbidden,
        Person::OtherStore if one_store => Verdict::OutOfScope,
        Person::OwnStore | Person::OtherStore if ALL_STORES.contains(&operation.id.as_str()) => {
            Verdict::OutOfScope
        }
        _ => Verdict::In,
    }
}

/// The server and records the requests use.
pub(super) struct Site {
    pub(super) app: App,
    pub(super) own: String,
    pub(super) other: String,
}

impl Site {
    pub(super) async fn build(on: Engine) -> Site {
        let app = App::start_idle(on).await;
        let (own, other) = (store(&app, "OWN").await, store(&app, "OTHER").await);
        Site { app, own, other }
    }

    pub(super) async fn person(&self, person: Person) -> Client {
        let everything: Vec<(String, &[Action])> = pages().map(|page| (page, Action::ALL)).collect();
        let sights: Vec<(String, &[Action])> = pages().map(|page| (page, &[Action::View] as &[_])).collect();
        let with = async |rights: &[(String, &[Action])], stores: Option<&[String]>| {
            let rights: Vec<(&str, &[Action])> =
                rights.iter().map(|(page, may)| (page.as_str(), *may)).collect();
            self.app.user(&rights, stores).await
        };
        match person {
            Person::Nobody => self.app.nobody(),
            Person::NewGoogleUser => self.new_google_user().await,
            Person::NoRole => {
                let client = self.app.newcomer().await;
                let record = record_of(&self.app, &client).await;
                let body = json!({ "revision": 1, "storeIds": [self.own] });
                self.app.admin().await.patch(&path_of(&record), &body).await.expect(200);
                client
            }
            Person::ViewOnly => with(&sights, None).await,
            Person::OwnStore => with(&everything, Some(std::slice::from_ref(&self.own))).await,
            Person::OtherStore => with(&everything, Some(std::slice::from_ref(&self.other))).await,
            Person::AdminRole => with(&everything, None).await,
            Person::Disabled => {
                let client = with(&everything, None).await;
                let record = record_of(&self.app, &client).await;
                let body = json!({ "revision": 1, "status": "Disabled" });
                self.app.admin().await.patch(&path_of(&record), &body).await.expect(200);
                client
            }
            Person::SuperAdmin => self.app.admin().await,
        }
    }

    /// A user signing in for the first time; the record is created by the sign-in.
    async fn new_google_user(&self) -> Client {
        let client = self.app.newcomer().await;
        let (state, uid) = (&self.app.state, &client.uid);
        let actor = crate::support::actor(state.now());
        let seen = self.app.db.write(&actor, async |tx| {
            tx.sql("delete from app_users where uid = $1").bind(uid).execute().await?;
            first_sight(tx, state, uid, &format!("{uid}@example.com"), "").await
        });
        seen.await.expect("a new user");
        let record = record_of(&self.app, &client).await;
        assert_eq!((&record["roleId"], &record["storeIds"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&record["status"], &record["billable"], &record["name"]),
            (&json!("Active"), &json!(false), &json!(uid))
        );
        client
    }

    /// The path with every parameter filled in. An unknown operation fails the test.
    fn filled(&self, operation: &Operation) -> String {
        let fill = |part: &str| match part {
            "{storeId}" => self.own.clone(),
            "{date}" | "{from}" => "2020-01-01".to_owned(),
            "{week}" => "2019-12-30".to_owned(),
            "{kind}" | "{slug}" => "uoms".to_owned(),
            "{sourceType}" => "commissary".to_owned(),
            "{service}" => "moving-average".to_owned(),
            "{notice}" => "mailOutbox".to_owned(),
            "{terminalId}" => "T1".to_owned(),
            "{id}" | "{run}" | "{entry}" | "{lot}" | "{sessionId}" | "{documentId}" | "{photo}"
            | "{sourceId}" => "none".to_owned(),
            part if part.contains('{') => panic!("{}: what is {part}? Teach this test.", operation.path),
            part => part.to_owned(),
        };
        let path: Vec<String> = operation.path.split('/').map(fill).collect();
        path.join("/")
    }

    fn request(&self, client: &Client, operation: &Operation) -> reqwest::RequestBuilder {
        self.request_with(client, operation, "")
    }

    /// As [`Site::request`], with a suffix on its URL.
    fn request_with(&self, client: &Client, operation: &Operation, more: &str) -> reqwest::RequestBuilder {
        let request = client.request(operation.verb(), &format!("{}{more}", self.filled(operation)));
        let content = operation.said["requestBody"]["content"].as_object();
        match content.and_then(|content| content.keys().next()).map(String::as_str) {
            None if matches!(operation.method, "get" | "delete") => request,
            None | Some("application/json") => request.json(&json!({})),
            Some(kind @ ("text/csv" | "application/octet-stream" | "application/x-www-form-urlencoded")) => {
                request.header("content-type", kind).body("")
            }
            Some("multipart/form-data") => {
                request.header("content-type", "multipart/form-data; boundary=x").body("--x--\r\n")
            }
            Some(kind) => panic!("{}: how is {kind} sent? Teach this test.", operation.path),
        }
    }

    pub(super) async fn verdict(&self, client: &Client, operation: &Operation) -> (Verdict, String) {
        let response = self.request(client, operation).send().await.expect("an answer");
        let status = response.status().as_u16();
        if status == 200 && operation.id == "live" {
            return (Verdict::In, "a stream".to_owned());
        }
        let text = response.text().await.expect("read body");
        assert_ne!(status, 500, "{} {}: {text}", operation.method, operation.path);
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        let verdict = match (status, problem["code"].as_str().unwrap_or_default()) {
            (401, "unauthenticated") => Verdict::Unknown,
            (403, "forbidden") => Verdict::Forbidden,
            (403, "outOfScope") => Verdict::OutOfScope,
            _ => Verdict::In,
        };
        (verdict, format!("{status} {text}"))
    }
}

pub(super) fn pages() -> impl Iterator<Item = String> {
    CATALOGUE.iter().flat_map(|(category, pages)| pages.iter().map(move |page| format!("{category}/{page}")))
}

#[tokio::test]
async fn every_operation_declares_its_access_and_name() {
    let mut names = std::collections::BTreeSet::new();
    for operation in operations().await {
        let (permission, public) = (operation.said.get("x-permission"), operation.said.get("x-public"));
        assert!(permission.is_some() != public.is_some(), "{} {}", operation.method, operation.path);
        assert!(
            public.is_none_or(|why| why.as_str().is_some_and(|w| w.len() > 5)),
            "{} gives no reason",
            operation.path
        );
        assert!(names.insert(operation.id.clone()), "{} is named twice", operation.id);
    }
}

/// Every permission used by a route or its handler (declared with `Handlers::also`) can be granted, and every
/// grantable permission is used.
#[tokio::test]
async fn every_permission_can_be_granted_and_is_used() {
    let right = |asked: &Value| {
        format!(
            "{}:{}",
            asked["page"].as_str().unwrap_or_default(),
            asked["action"].as_str().unwrap_or_default()
        )
    };
    let mut asked = std::collections::BTreeSet::new();
    for Operation { said, .. } in operations().await {
        asked.extend(said.get("x-permission").filter(|said| said.get("page").is_some()).map(right));
        asked.extend(said["x-also-permission"].as_array().into_iter().flatten().map(right));
    }
    let rights = |page: String| {
        let actions = meaningful(&page).iter().map(|action| format!("{page}:{}", action.as_str()));
        actions.collect::<Vec<_>>()
    };
    let offered: std::collections::BTreeSet<String> = pages().flat_map(rights).collect();
    let never_offered: Vec<&String> = asked.difference(&offered).collect();
    let never_asked: Vec<&String> = offered.difference(&asked).collect();
    assert!(
        never_offered.is_empty() && never_asked.is_empty(),
        "required, but not grantable: {never_offered:?}\ngrantable, but never required: {never_asked:?}"
    );
}

/// The complete matrix: every operation × every kind of user.
#[rstest]
#[tokio::test]
async fn every_operation_admits_exactly_the_permitted_users(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(0, 1, 2, 3, 4, 5, 6, 7, 8)] nth: usize,
) {
    let person = PEOPLE[nth];
    let site = Site::build(on).await;
    let client = site.person(person).await;
    let mut wrong = Vec::new();
    for operation in operations().await {
        // Operations that end the session are tried by another user of the same kind.
        let ends = operation.said.get("x-public").is_some() && operation.method != "get";
        let client = if ends { site.person(person).await } else { client.clone() };
        let (verdict, answer) = site.verdict(&client, &operation).await;
        let public = operation.said.get("x-public").is_some();
        let as_said =
            if public { verdict != Verdict::Forbidden } else { verdict == expected(&operation, person) };
        if !as_said || answer.starts_with("500") {
            let expected = expected(&operation, person);
            wrong.push(format!("{} {}: {expected:?} expected, {answer}", operation.method, operation.path));
        }
    }
    assert!(wrong.is_empty(), "{person:?}\n{}", wrong.join("\n"));
}

/// A misspelt filter would otherwise return everything.
#[rstest]
#[tokio::test]
async fn undeclared_parameters_are_refused(#[from(one_engine)] on: Engine) {
    let site = Site::build(on).await;
    let client = site.app.admin().await;
    let (mut lists, mut wrong) = (0, Vec::new());
    for operation in operations().await {
        // URLs called by other systems may carry additional parameters.
        if operation.said.get("x-public").is_some() {
            continue;
        }
        let request = site.request_with(&client, &operation, "?nonsense=1");
        let answer = client.send(request).await;
        let kind = answer.headers.get("content-type").cloned();
        let problem = serde_json::from_slice::<Value>(&answer.bytes).unwrap_or_default();
        let named = problem["fields"][0]["field"] == "nonsense";
        let a_problem = kind.is_some_and(|kind| kind == "application/problem+json");
        if answer.status != 422 || !named || !a_problem {
            wrong.push(format!("{} {}: {} {problem}", operation.method, operation.path, answer.status));
        }
        lists += usize::from(operation.method == "get");
    }
    assert!(lists > 100, "no readable operations in the contract");
    assert!(wrong.is_empty(), "{} of them\n{}", wrong.len(), wrong.join("\n"));
}

/// Reauthentication is required exactly where the contract says so.
#[rstest]
#[tokio::test]
async fn reauthentication_is_required_where_the_contract_says_so(#[from(one_engine)] on: Engine) {
    let site = Site::build(on).await;
    let client = site.app.admin().await;
    site.app.clock.advance(16 * 60);
    let (mut asked, mut wrong) = (0, Vec::new());
    for operation in operations().await {
        let Some(permission) = operation.said.get("x-permission") else { continue };
        let fresh = permission["fresh"] == true;
        let (_, answer) = site.verdict(&client, &operation).await;
        asked += usize::from(fresh);
        let asked_again = answer.starts_with("403") && answer.contains("\"reauthenticate\"");
        if asked_again != fresh {
            wrong.push(format!("{} {}: fresh is {fresh}, {answer}", operation.method, operation.path));
        }
    }
    assert!(asked > 10, "too few operations need reauthentication");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the body type and query, every refusal is a problem document, and none is a server error.
#[rstest]
#[tokio::test]
async fn every_refusal_is_a_problem_document(#[from(one_engine)] on: Engine) {
    let site = Site::build(on).await;
    let mut admin = site.app.admin().await;
    let mut wrong = Vec::new();
    // Paths of the identity interface use its own error format.
    let ours = |it: &Operation| it.path.starts_with("/api/") && it.id != "live";
    for operation in operations().await.into_iter().filter(ours) {
        let path = site.filled(&operation);
        let bodies = JUNK.iter().filter(|_| operation.method != "get").map(|(kind, body)| {
            let request = admin.request(operation.verb(), &path).body(*body);
            let request = if kind.is_empty() { request } else { request.header("content-type", *kind) };
            (format!("{kind} {body}"), request)
        });
        let queries = JUNK_QUERIES.iter().map(|query| {
            let request = admin.request(operation.verb(), &format!("{path}?{query}"));
            ((*query).to_owned(), request.header("content-type", "text/plain"))
        });
        let tries: Vec<_> = bodies.chain(queries).collect();
        for (what, request) in tries {
            let answer = admin.send(request).await;
            let kind = answer.headers.get("content-type").and_then(|kind| kind.to_str().ok());
            let is_problem = kind.is_some_and(|kind| kind.starts_with("application/problem+json"));
            if answer.status == 500 || (answer.status >= 400 && !is_problem) {
                let of = format!("{} {}", operation.method, operation.path);
                wrong.push(format!("{of} with {what}: {} {kind:?} {}", answer.status, answer.text()));
            }
            if answer.status == 401 {
                admin = site.app.admin().await;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
