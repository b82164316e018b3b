//! BigQuery, against a server with its REST API: tokens, a slow query, pages, a broken one.

use rsa::pkcs8::{EncodePrivateKey as _, LineEnding};
use rstest::rstest;
use serde_json::{Value, json};

use super::server::{Hostile, Reply, Request};
use super::{Stage, draft, stage};
use crate::support::{Engine, one_engine};

const HOME: &str = "/api/tools/import-sales-product-bq";

fn rows(day: &str, from: usize, to: usize) -> Vec<Value> {
    (from..to)
        .map(|at| {
            let store = if at % 2 == 0 { "North" } else { "South" };
            let cells = [day, store, "Rice", "2", "21.00"];
            json!({ "f": cells.iter().map(|cell| json!({ "v": cell })).collect::<Vec<_>>() })
        })
        .collect()
}

fn google(request: &Request, before: usize) -> Reply {
    if request.target == "/token" {
        assert!(
            request
                .body
                .contains("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=ey"),
            "{}",
            request.body
        );
        return Reply::json(&json!({ "access_token": "ya29.never-seen", "expires_in": 3600 }));
    }
    assert!(request.headers.contains("Bearer ya29.never-seen"), "{}", request.headers);
    let names = ["business_date", "branch", "product", "quantity", "net_amount"];
    let fields: Vec<Value> = names.iter().map(|name| json!({ "name": name, "type": "STRING" })).collect();
    let schema = json!({ "fields": fields });
    let job = |day: &str| json!({ "jobId": format!("job-{day}"), "location": "asia-southeast1" });
    if request.method == "POST" {
        let asked: Value = serde_json::from_str(&request.body).expect("JSON");
        assert_eq!(asked["query"], "select * from `shop.sales` where `business_date` = @date");
        let day = asked["queryParameters"][0]["parameterValue"]["value"].as_str().expect("a day").to_owned();
        return Reply::json(&json!({ "jobComplete": false, "jobReference": job(&day) }));
    }
    let day = request.target.split("job-").nth(1).and_then(|it| it.get(..10)).expect("a day").to_owned();
    if before == 3 {
        return Reply::status(503);
    }
    let second = request.query("pageToken").is_some();
    let (rows, token) = if second { (rows(&day, 3, 5), None) } else { (rows(&day, 0, 3), Some("page-2")) };
    let body = json!({ "jobComplete": true, "jobReference": job(&day), "schema": schema, "totalRows": "5", "rows": rows, "pageToken": token });
    if before == 5 { Reply::Half(body.to_string(), 60) } else { Reply::json(&body) }
}

#[rstest]
#[tokio::test]
async fn a_table_is_read_day_by_day(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let server = Hostile::start(google).await;
    // Google's address is a server setting; the rest is the same.
    let mut config = stage.app.state.config.clone();
    config.bigquery_url.clone_from(&server.url);
    let state = larder_app::assemble_at(
        config,
        stage.app.db.clone(),
        larder_app::job_kinds(),
        stage.app.clock.clone(),
    )
    .expect("a second node");
    let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).expect("a key");
    let pem = key.to_pkcs8_pem(LineEnding::LF).expect("PEM").to_string();
    let account = json!({ "type": "service_account", "client_email": "reader@shop.example.com", "private_key": pem,
                          "token_uri": format!("{}/token", server.url) });
    let settings = json!({
        "kind": "bigquery", "project": "shop", "table": "shop.sales", "dateColumn": "business_date",
        "reading": { "fields": { "store": "branch", "item": "product", "quantity": "quantity", "net": "net_amount" } },
    });
    let mut body = draft("Warehouse", settings);
    body["secrets"] = json!({ "serviceAccount": "{ \"private_key\": \"x\" }" });
    assert_eq!(
        stage.admin.post(HOME, &body).await.expect(422)["fields"][0]["field"],
        "secrets.serviceAccount"
    );
    body["secrets"] = json!({ "serviceAccount": account.to_string() });
    let made = stage.admin.post(HOME, &body).await.expect(201);
    assert!(!made.to_string().contains("PRIVATE KEY"));
    let id = made["id"].as_str().expect("an id").to_owned();
    let run = run_on(&stage, &state, &id).await;
    assert_eq!(
        (run["run"]["state"].clone(), run["run"]["lines"].clone()),
        (json!("done"), json!(10)),
        "{run}"
    );
    assert_eq!(stage.posted("bigquery").await.len(), 4);
    assert!(!run.to_string().contains("ya29"), "{run}");
    let again = run_on(&stage, &state, &id).await;
    assert_eq!(again["run"]["daysUnchanged"], 4, "{again}");
}

async fn run_on(stage: &Stage, state: &larder_platform::AppState, id: &str) -> Value {
    let ask = json!({ "from": stage.today.plus(-2), "to": stage.today.plus(-1) });
    let run = stage.admin.post(&format!("{HOME}/{id}/runs"), &ask).await.expect(202);
    state.jobs.drain(state).await.expect("worked");
    stage.look(HOME, id, &run).await
}

#[rstest]
#[tokio::test]
async fn everyone_can_view_and_changes_need_the_import_permission(#[from(one_engine)] on: Engine) {
    use larder_domain::Action::{Import, View};
    let stage = stage(on).await;
    let services = stage.app.user(&[("tools/services", larder_domain::Action::ALL)], None).await;
    assert_eq!(services.get(HOME).await.expect(200)["canEdit"], false);
    assert_eq!(services.post(HOME, &json!({})).await.status, 403);
    let viewer = stage.app.user(&[("tools/importSalesProduct", &[View])], None).await;
    assert_eq!(viewer.get(HOME).await.expect(200)["canEdit"], false);
    assert_eq!(viewer.post(HOME, &json!({})).await.status, 403);
    let importer = stage.app.user(&[("tools/importSalesProduct", &[View, Import])], None).await;
    assert_eq!(importer.get(HOME).await.expect(200)["canEdit"], true);
}
