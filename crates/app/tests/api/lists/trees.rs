//! Lists with hierarchical records.

use rstest::rstest;
use serde_json::json;

use super::{column, fields, make_all};
use crate::support::{App, Engine};

#[rstest]
#[tokio::test]
async fn a_tree_has_no_cycles(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values("categories", "operational-areas")] slug: &str,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("/api/lists/{slug}");
    let top = make_all(&app, slug, &[json!({ "name": "Top" })]).await.remove(0);
    let middle = make_all(&app, slug, &[json!({ "name": "Middle", "parentId": top })]).await.remove(0);
    let leaf = make_all(&app, slug, &[json!({ "name": "Leaf", "parentId": middle })]).await.remove(0);

    for below in [&top, &middle, &leaf] {
        let refusal = admin
            .patch(&format!("{path}/{top}"), &json!({ "parentId": below, "revision": 1 }))
            .await
            .expect(422);
        assert_eq!(fields(&refusal), ["parentId"]);
        assert!(refusal["detail"].as_str().expect("words").contains("cannot be below itself"), "{refusal}");
    }
    assert_eq!(admin.get(&format!("{path}/{top}")).await.expect(200).get("parentId"), None);

    // A branch moves as a whole, and back to the top.
    admin.patch(&format!("{path}/{leaf}"), &json!({ "parentId": top, "revision": 1 })).await.expect(200);
    admin.patch(&format!("{path}/{middle}"), &json!({ "parentId": leaf, "revision": 1 })).await.expect(200);
    let moved = admin
        .patch(&format!("{path}/{middle}"), &json!({ "parentId": null, "revision": 2 }))
        .await
        .expect(200);
    assert_eq!(moved.get("parentId"), None);

    let refusal = admin.delete(&format!("{path}/{top}")).await.expect(409);
    assert_eq!(refusal["uses"][0]["count"], 1);
    let below = admin.get(&format!("{path}?parentId={top}")).await.expect(200);
    assert_eq!(column(&below, "name"), ["Leaf"]);
    let tops = admin.get(&format!("{path}?parentId=&sort=parentId")).await.expect(200);
    assert_eq!(tops["total"], 2);
}

#[rstest]
#[tokio::test]
async fn a_name_is_unique_among_its_siblings(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let ids = make_all(&app, "categories", &[json!({ "name": "Food" }), json!({ "name": "Drinks" })]).await;
    let path = "/api/lists/categories";
    admin.post(path, &json!({ "name": "Others", "parentId": ids[0] })).await.expect(201);
    admin.post(path, &json!({ "name": "Others", "parentId": ids[1] })).await.expect(201);
    let refusal = admin.post(path, &json!({ "name": "OTHERS", "parentId": ids[1] })).await.expect(409);
    assert_eq!(fields(&refusal), ["name"]);
    let refusal = admin.post(path, &json!({ "name": "food" })).await.expect(409);
    assert_eq!(fields(&refusal), ["name"]);
    let sorted = admin.get(&format!("{path}?sort=-parentId")).await.expect(200);
    assert_eq!(
        column(&sorted, "name")[2..],
        ["Drinks", "Food"].map(str::to_owned),
        "those without a parent come last"
    );
}

#[rstest]
#[tokio::test]
async fn concurrent_moves_make_no_cycle(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for n in 0..5 {
        let bodies = [json!({ "name": format!("A{n}") }), json!({ "name": format!("B{n}") })];
        let ids = make_all(&app, "categories", &bodies).await;
        let paths = ids.iter().map(|id| format!("/api/lists/categories/{id}")).collect::<Vec<_>>();
        let below = |id: &str| json!({ "parentId": id, "revision": 1 });
        let (one, other) = (below(&ids[1]), below(&ids[0]));
        let (one, other) = tokio::join!(admin.patch(&paths[0], &one), admin.patch(&paths[1], &other));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422]);
    }
}
