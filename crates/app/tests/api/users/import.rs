//! Users from a file.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::{invited, role, store, user};
use crate::support::{Answer, App, Client, Engine, one_engine};

async fn send(client: &Client, path: &str, file: &'static str) -> Answer {
    let request = client.request(reqwest::Method::POST, path).header("content-type", "text/csv");
    client.send(request.body(file)).await
}

const FILE: &str = "email,name,role,stores,status,billable\n\
    new@example.com,New One,Cashier,MKT01|PSG01,,yes\n\
    ben@example.com,Benjamin,,,Disabled,\n\
    cat@example.com,Ben Reyes,,,,\n\
    bad,Bad,Chief,X,Gone,maybe\n\
    wide@example.com,Wide,Cashier,,,\n";

#[rstest]
#[tokio::test]
async fn a_file_is_dry_run_then_applied(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    role(&app, "Cashier", json!({})).await;
    let (makati, pasig) = (store(&app, "MKT01").await, store(&app, "PSG01").await);
    user(&app, &invited("ben@example.com")).await;
    user(&app, &invited("cat@example.com")).await;
    app.drain().await;
    let before = admin.get("/api/users").await.expect(200);
    let tried = send(&admin, "/api/users/import?dryRun=true", FILE).await.expect(200);
    assert_eq!(admin.get("/api/users").await.expect(200), before, "a dry run changed something");
    let done = send(&admin, "/api/users/import", FILE).await.expect(200);
    assert_eq!(tried, done, "the dry run reported something else");
    let counts = ["created", "updated", "unchanged", "failed"].map(|name| done[name].clone());
    assert_eq!(json!(counts), json!([1, 1, 1, 2]));
    let rows = done["rows"].as_array().expect("rows");
    assert_eq!(json!(rows.iter().map(|row| &row["row"]).collect::<Vec<_>>()), json!([2, 3, 4, 5, 6]));
    let fields: Vec<_> = rows[3]["fields"].as_array().expect("fields").iter().map(|f| &f["field"]).collect();
    assert_eq!(json!(fields), json!(["role", "stores", "status", "billable"]));
    assert_eq!(rows[4]["fields"][0]["field"], "stores", "an empty cell does not give access to all stores");
    let new = admin.get("/api/users?q=new@example.com").await.expect(200)["items"][0].clone();
    let mut both = [makati, pasig];
    both.sort();
    assert_eq!((&new["storeIds"], &new["billable"]), (&json!(both), &json!(true)));
    let emails: i64 = app
        .db
        .sql("select cast(count(*) as bigint) from jobs where kind = 'mail.send' and state = 'queued'")
        .scalar()
        .await
        .expect("a count");
    assert_eq!(emails, 1, "only the new one is invited, once");
    let again = send(&admin, "/api/users/import", FILE).await.expect(200);
    assert_eq!((&again["created"], &again["unchanged"]), (&json!(0), &json!(3)));
}

#[rstest]
#[tokio::test]
async fn a_file_does_not_bypass_permissions(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    role(&app, "Boss", json!({ "reports": { "reports": { "view": true } } })).await;
    let importer =
        app.user(&[("manageUsers/users", &[Action::View, Action::Import, Action::Edit])], None).await;
    let done = send(&importer, "/api/users/import", "email,name\nnew@example.com,New\n").await.expect(200);
    assert_eq!((&done["failed"], &done["rows"][0]["message"]), (&json!(1), &json!("You may not add users.")));
    let maker = app.user(&[("manageUsers/users", Action::ALL)], None).await;
    let file = "email,name,role,stores\nnew@example.com,New,Boss,all\n";
    let done = send(&maker, "/api/users/import", file).await.expect(200);
    assert!(done["rows"][0]["message"].as_str().expect("words").contains("«Reports: view»"), "{done}");
    assert_eq!(super::events(&app, "grantRefused").await.len(), 1);
    assert_eq!(send(&maker, "/api/users/import", "name\nAna\n").await.status, 422);
}
