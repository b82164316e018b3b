//! Every operation of the contract, tried by people who may not.

use larder_domain::Action;
use larder_server::app;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, App, Client, Engine};

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

/// Sends a plausible request: parameters filled in, an empty body where one is taken.
async fn attempt(client: &Client, operation: &Operation) -> Answer {
    let mut path = String::new();
    for part in operation.path.split('/').skip(1) {
        path.push('/');
        path.push_str(match part {
            "{year}" | "{date}" => "2020-01-01",
            part if part.starts_with('{') => "none",
            part => part,
        });
    }
    let method = operation.method.to_uppercase().parse().expect("a method");
    let mut request = client.request(method, &path);
    if operation.method != "get" && operation.method != "delete" {
        request = request.json(&json!({}));
    }
    client.send(request).await
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

#[rstest]
#[tokio::test]
async fn nobody_gets_in_without_signing_in(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let nobody = app.nobody();
    for operation in operations().await.iter().filter(|o| o.said.get("x-public").is_none()) {
        let answer = attempt(&nobody, operation).await;
        assert_eq!(answer.status, 401, "{} {}: {}", operation.method, operation.path, answer.text());
    }
}

#[rstest]
#[tokio::test]
async fn a_right_on_one_page_opens_no_other(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let lists_only = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let newcomer = app.newcomer().await;
    let disabled = app.user(&[("lists/allLists", Action::ALL)], None).await;
    let uid = disabled.uid.clone();
    app.db
        .write(&crate::support::actor(app.state.now()), async |tx| {
            tx.sql("update app_users set status = 'Disabled' where uid = $1").bind(&uid).execute().await
        })
        .await
        .expect("disabled");
    for operation in operations().await {
        let Some(permission) = operation.said.get("x-permission") else { continue };
        let what = format!("{} {}", operation.method, operation.path);
        assert_eq!(attempt(&disabled, &operation).await.status, 401, "disabled: {what}");
        if let Some(page) = permission.get("page") {
            assert_eq!(attempt(&newcomer, &operation).await.status, 403, "no role: {what}");
            let granted = page == "lists/allLists" && permission["action"] == "view";
            let status = attempt(&lists_only, &operation).await.status;
            assert_eq!(status == 403, !granted, "view on lists only: {what} answered {status}");
        } else if permission.get("anyRole").is_some() {
            assert_eq!(attempt(&newcomer, &operation).await.status, 403, "no role: {what}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_super_admin_is_refused_nothing(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let operations = operations().await;
    let ordinary = |o: &&Operation| o.said.get("x-public").is_none() && !o.path.ends_with("/live");
    for operation in operations.iter().filter(ordinary) {
        let answer = attempt(&admin, operation).await;
        assert!(
            !matches!(answer.status, 401 | 403) && answer.status < 500,
            "{} {}: {} {}",
            operation.method,
            operation.path,
            answer.status,
            answer.text()
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_store_in_the_path_must_be_in_scope(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    for operation in operations().await.iter().filter(|o| o.path.contains("{storeId}")) {
        let page = operation.said["x-permission"]["page"].as_str().expect("a page").to_owned();
        let elsewhere = app.user(&[(&page, Action::ALL)], Some(&["elsewhere".into()])).await;
        let answer = attempt(&elsewhere, operation).await;
        assert_eq!(answer.status, 403, "{} {}", operation.method, operation.path);
        assert_eq!(answer.json()["code"], "outOfScope");
    }
}
