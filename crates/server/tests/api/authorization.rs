//! Every operation of the contract, tried by everybody: exactly those who may get in.

use larder_domain::Action;
use larder_domain::access::CATALOGUE;
use larder_server::app;
use larder_server::people::users::first_sight;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};
use crate::users::{path as path_of, record_of, store};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

struct Operation {
    method: &'static str,
    path: String,
    id: String,
    said: Value,
}

async fn operations() -> Vec<Operation> {
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

/// Who tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Person {
    Nobody,
    /// Signed in with Google for the first time: no role, and no list of stores, which alone would mean all.
    NewGoogleUser,
    /// Stores, but no role.
    NoRole,
    /// May see every page.
    ViewOnly,
    /// May do everything, in the store that is asked about.
    OwnStore,
    /// May do everything, in another store.
    OtherStore,
    /// May do everything, everywhere, by their role.
    AdminRole,
    /// As the one before, but disabled.
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

/// What the guard does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    In,
    /// 401.
    Unknown,
    /// 403 for want of a right.
    Forbidden,
    /// 403 for a store out of reach.
    OutOfScope,
}

/// What reaches every store at once, so that nobody limited to some may do it: a new store would lie outside their
/// reach, and a name that is mapped changes the sums of all.
const WHOLE_HOUSE: &[&str] = &["create_location", "resolve_unmapped_sales_items"];

/// What should happen: the contract's word on the operation, and who the person is.
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
    // The role comes before the store.
    let one_store = operation.path.contains("{storeId}");
    match person {
        _ if !granted => Verdict::Forbidden,
        Person::OtherStore if one_store => Verdict::OutOfScope,
        Person::OwnStore | Person::OtherStore if WHOLE_HOUSE.contains(&operation.id.as_str()) => {
            Verdict::OutOfScope
        }
        _ => Verdict::In,
    }
}

/// The house the requests are made in.
struct House {
    app: App,
    own: String,
    other: String,
}

impl House {
    async fn build(on: Engine) -> House {
        let app = App::start_idle(on).await;
        let (own, other) = (store(&app, "OWN").await, store(&app, "OTHER").await);
        House { app, own, other }
    }

    async fn person(&self, person: Person) -> Client {
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

    /// Somebody whom the house sees for the first time: the record is what the first sight makes.
    async fn new_google_user(&self) -> Client {
        let client = self.app.newcomer().await;
        let (state, uid) = (&self.app.state, &client.uid);
        let actor = crate::support::actor(state.now());
        let seen = self.app.db.write(&actor, async |tx| {
            tx.sql("delete from app_users where uid = $1").bind(uid).execute().await?;
            first_sight(tx, state, uid, &format!("{uid}@example.com"), "").await
        });
        seen.await.expect("a first sight");
        let record = record_of(&self.app, &client).await;
        assert_eq!((&record["roleId"], &record["storeIds"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&record["status"], &record["billable"], &record["name"]),
            (&json!("Active"), &json!(false), &json!(uid))
        );
        client
    }

    /// A request with every parameter filled in. An operation that this does not know how to ask fails the test.
    fn request(&self, client: &Client, operation: &Operation) -> reqwest::RequestBuilder {
        let fill = |part: &str| match part {
            "{storeId}" => self.own.clone(),
            "{date}" => "2020-01-01".to_owned(),
            "{kind}" | "{slug}" => "uoms".to_owned(),
            "{notice}" => "mailOutbox".to_owned(),
            "{id}" | "{sessionId}" | "{documentId}" | "{photo}" => "none".to_owned(),
            part if part.contains('{') => panic!("{}: what is {part}? Teach this test.", operation.path),
            part => part.to_owned(),
        };
        let path: Vec<String> = operation.path.split('/').map(fill).collect();
        let method = operation.method.to_uppercase().parse().expect("a method");
        let request = client.request(method, &path.join("/"));
        let content = operation.said["requestBody"]["content"].as_object();
        match content.and_then(|content| content.keys().next()).map(String::as_str) {
            None if matches!(operation.method, "get" | "delete") => request,
            None | Some("application/json") => request.json(&json!({})),
            Some(kind @ ("text/csv" | "application/octet-stream" | "application/x-www-form-urlencoded")) => {
                request.header("content-type", kind).body("")
            }
            Some(kind) => panic!("{}: how is {kind} sent? Teach this test.", operation.path),
        }
    }

    async fn verdict(&self, client: &Client, operation: &Operation) -> (Verdict, String) {
        let response = self.request(client, operation).send().await.expect("an answer");
        let status = response.status().as_u16();
        if status == 200 && operation.id == "live" {
            return (Verdict::In, "a stream".to_owned());
        }
        let text = response.text().await.expect("a whole body");
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

fn pages() -> impl Iterator<Item = String> {
    CATALOGUE.iter().flat_map(|(category, pages)| pages.iter().map(move |page| format!("{category}/{page}")))
}

#[tokio::test]
async fn every_operation_says_who_may_use_it_and_has_a_name() {
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

/// The whole matrix: every operation × everybody.
#[rstest]
#[tokio::test]
async fn exactly_those_who_may_get_in(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(0, 1, 2, 3, 4, 5, 6, 7, 8)] nth: usize,
) {
    let person = PEOPLE[nth];
    let house = House::build(on).await;
    let client = house.person(person).await;
    let mut wrong = Vec::new();
    for operation in operations().await {
        // What ends the session is tried by somebody of the same kind.
        let ends = operation.said.get("x-public").is_some() && operation.method != "get";
        let client = if ends { house.person(person).await } else { client.clone() };
        let (verdict, answer) = house.verdict(&client, &operation).await;
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

/// Who signed in a while ago proves again who they are, exactly where the contract says so.
#[rstest]
#[tokio::test]
async fn an_old_proof_is_no_longer_enough_where_the_contract_asks_for_a_new_one(
    #[from(one_engine)] on: Engine,
) {
    let house = House::build(on).await;
    let client = house.app.admin().await;
    house.app.clock.advance(16 * 60);
    let (mut asked, mut wrong) = (0, Vec::new());
    for operation in operations().await {
        let Some(permission) = operation.said.get("x-permission") else { continue };
        let fresh = permission["fresh"] == true;
        let (_, answer) = house.verdict(&client, &operation).await;
        asked += usize::from(fresh);
        if answer.contains("\"reauthenticate\"") != fresh {
            wrong.push(format!("{} {}: fresh is {fresh}, {answer}", operation.method, operation.path));
        }
    }
    assert!(asked > 10, "people and rights are changed afresh only");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
