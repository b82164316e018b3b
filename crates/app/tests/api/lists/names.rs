//! Names of referenced records.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::CASES;
use crate::support::{App, Engine};

#[rstest]
#[tokio::test]
async fn any_role_reads_the_names_of_every_list(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let anyone = app.user(&[("dashboard/home", &[Action::View])], Some(&[])).await;
    for case in CASES {
        let made = case.make(&admin, "Second").await;
        case.make(&admin, "first").await;
        let names = anyone.get(&format!("/api/names/{}", case.slug)).await.expect(200);
        assert_eq!(names[0]["name"], "first", "{}", case.slug);
        assert_eq!(names[1]["id"], made["id"]);
        let coded = made.get("code").or(made.get("posItemId")).or(made.get("rootProductId"));
        assert_eq!(names[1].get("code"), coded, "{}", case.slug);
    }
    admin.post("/api/stores/locations", &json!({ "name": "Closed", "inactive": true })).await.expect(201);
    let stores = anyone.get("/api/names/stores").await.expect(200);
    assert_eq!(stores[0]["name"], "Closed", "old documents still name closed stores");
    assert_eq!(
        (&stores[0]["inactive"], stores[1].get("inactive")),
        (&json!(true), None),
        "and they are marked"
    );
    assert_eq!(stores[0].get("wholeOnly"), None, "which is of units alone");
    admin.post("/api/lists/uoms", &json!({ "name": "A kilogram", "code": "kg" })).await.expect(201);
    admin.post("/api/lists/uoms", &json!({ "name": "A tub", "code": "tub" })).await.expect(201);
    let units = anyone.get("/api/names/uoms").await.expect(200);
    assert_eq!((&units[0]["wholeOnly"], &units[1]["wholeOnly"]), (&json!(false), &json!(true)), "{units}");
    assert_eq!(anyone.get("/api/names/secrets").await.status, 404);
    assert_eq!(app.newcomer().await.get("/api/names/uoms").await.status, 403);
}
