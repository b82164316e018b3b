//! What stores count: own items, groups, mixes.

use std::collections::BTreeSet;

use larder_domain::Action;
use larder_ledgers::store_items;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};

const PATH: &str = "/api/lists/store-inventory-items";

async fn make(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201)["id"].as_str().expect("an id").to_owned()
}

async fn store(client: &Client, name: &str) -> String {
    make(client, "/api/stores/locations", json!({ "name": name })).await
}

async fn item(client: &Client, name: &str) -> String {
    make(client, PATH, json!({ "name": name })).await
}

async fn shown(app: &App, store: &str) -> Vec<String> {
    let items = store_items::visible(&app.db, store).await.expect("items");
    items.into_iter().map(|item| item.name).collect()
}

fn visibility(store: &str) -> String {
    format!("{PATH}/visibility/{store}")
}

#[rstest]
#[tokio::test]
async fn a_store_counts_its_own_items_or_its_groups_or_all(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati").await, store(&admin, "Pasig").await);
    let rice = make(&admin, PATH, json!({ "name": "Rice", "sortOrder": 2 })).await;
    let buns = make(&admin, PATH, json!({ "name": "Buns", "sortOrder": 10 })).await;
    let tea = item(&admin, "Tea").await;
    make(&admin, PATH, json!({ "name": "Gone", "production": false })).await;
    // In sheet order, then by name.
    assert_eq!(shown(&app, &makati).await, ["Rice", "Buns", "Tea"]);
    let all = admin.get(&visibility(&makati)).await.expect(200);
    assert_eq!(
        all,
        json!({ "storeId": makati, "itemIds": null, "groupId": null, "source": "all", "revision": 0 })
    );

    let body = json!({ "name": "Kiosks", "itemIds": [tea, rice, tea], "storeIds": [makati, pasig] });
    let group = admin.post(&format!("{PATH}/groups"), &body).await.expect(201);
    assert_eq!(group["itemIds"], json!(BTreeSet::from([&tea, &rice])));
    assert_eq!(group["storeIds"], json!(BTreeSet::from([&makati, &pasig])));
    assert_eq!(shown(&app, &makati).await, ["Rice", "Tea"]);

    let own = json!({ "itemIds": [buns, buns], "groupId": group["id"], "revision": 1 });
    let put = admin.put(&visibility(&makati), &own).await.expect(200);
    assert_eq!(
        (&put["source"], &put["itemIds"], &put["revision"]),
        (&json!("own"), &json!([buns]), &json!(2))
    );
    assert_eq!(shown(&app, &makati).await, ["Buns"]);
    assert_eq!(shown(&app, &pasig).await, ["Rice", "Tea"]);
    let stale = admin.put(&visibility(&makati), &own).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["revision"]), (&json!("stale"), &json!(2)));
    // An empty list is a valid choice.
    admin.put(&visibility(&makati), &json!({ "itemIds": [] })).await.expect(200);
    assert!(shown(&app, &makati).await.is_empty());
    let rows = admin.get(&format!("{PATH}/visibility")).await.expect(200);
    let counted: Vec<&Value> = rows.as_array().expect("rows").iter().map(|row| &row["counted"]).collect();
    assert_eq!(counted, [&json!(0), &json!(2)]);

    let copied = admin
        .post(&format!("{}/copy", visibility(&makati)), &json!({ "fromStoreId": pasig }))
        .await
        .expect(200);
    assert_eq!((&copied["source"], &copied["groupId"]), (&json!("group"), &group["id"]));
    let path = format!("{PATH}/groups/{}", group["id"].as_str().expect("an id"));
    let body = json!({ "storeIds": [pasig], "revision": group["revision"] });
    admin.patch(&path, &body).await.expect(200);
    assert_eq!(shown(&app, &makati).await, ["Rice", "Buns", "Tea"]);
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(shown(&app, &pasig).await.len(), 3);

    for (body, field) in [
        (json!({ "itemIds": ["nothing"] }), "itemIds"),
        (json!({ "itemIds": [null] }), "itemIds.0"),
        (json!({ "groupId": "nothing" }), "groupId"),
    ] {
        let refused = admin.put(&visibility(&makati), &body).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field, "{body}");
    }
    assert_eq!(admin.get(&visibility("nowhere")).await.status, 404);
    let history = admin.get(&format!("/api/history?kind=storeItemVisibility&id={makati}")).await.expect(200);
    assert_eq!(history["items"][0]["recordName"], "Makati");
}

#[rstest]
#[tokio::test]
async fn a_mix_splits_an_item_over_recipes(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati").await, store(&admin, "Pasig").await);
    let (soup, drink) = (item(&admin, "Soup").await, item(&admin, "Drink").await);
    let red = make(&admin, "/api/lists/recipes", json!({ "name": "Red" })).await;
    let green = make(&admin, "/api/lists/recipes", json!({ "name": "Green" })).await;
    let path = format!("{PATH}/mixes/{makati}_{soup}");
    let none = admin.get(&path).await.expect(200);
    assert_eq!((&none["splits"], &none["revision"]), (&json!([]), &json!(0)));
    let splits = json!([{ "recipeId": red, "percent": "60,5" }, { "recipeId": green, "percent": "some" }]);
    let put = admin.put(&path, &json!({ "splits": splits, "revision": 0 })).await.expect(200);
    assert_eq!(put["id"], format!("{makati}_{soup}"));
    assert_eq!(put["splits"][1], json!({ "recipeId": green, "percent": 0 }));
    assert_eq!((&put["total"], &put["whole"], &put["revision"]), (&json!(60.5), &json!(false), &json!(1)));
    assert_eq!(admin.put(&path, &json!({ "splits": [], "revision": 0 })).await.status, 409);

    let half = json!([{ "recipeId": red, "percent": 50 }, { "recipeId": green, "percent": 50 }]);
    let body = json!({ "storeIds": [makati, pasig, makati], "itemId": soup, "splits": half });
    let set = admin.post(&format!("{PATH}/mixes/bulk"), &body).await.expect(200);
    assert_eq!((&set["total"], &set["items"][0]["whole"]), (&json!(2), &json!(true)));
    let of_store = admin.get(&format!("{PATH}/mixes?storeId={pasig}")).await.expect(200);
    assert_eq!(of_store["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(admin.get(&format!("{PATH}/mixes?itemId={soup}")).await.expect(200)["total"], 2);
    assert_eq!(admin.get(&format!("{PATH}/mixes")).await.status, 422);
    assert_eq!(admin.get(&format!("{PATH}/mixes/{makati}_nothing")).await.status, 404);

    for (splits, field) in [
        (json!([{ "recipeId": "nothing", "percent": 1 }]), "splits.0.recipeId"),
        (json!([{ "recipeId": red }, { "recipeId": red }]), "splits.1.recipeId"),
        (json!([{ "recipeId": red, "percent": -1 }]), "splits.0.percent"),
    ] {
        let refused = admin.put(&path, &json!({ "splits": splits })).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field, "{refused}");
    }

    // A recipe in a mix cannot be deleted, and a merged one keeps its shares.
    assert_eq!(admin.delete(&format!("/api/lists/recipes/{red}")).await.status, 409);
    let into = json!({ "into": green, "revision": 1, "intoRevision": 1 });
    admin.post(&format!("/api/lists/recipes/{red}/merge"), &into).await.expect(200);
    let mix = admin.get(&path).await.expect(200);
    assert_eq!(mix["splits"], json!([{ "recipeId": green, "percent": 100 }]));
    let into = json!({ "into": drink, "revision": 1, "intoRevision": 1 });
    admin.post(&format!("{PATH}/{soup}/merge"), &into).await.expect(200);
    let mix = admin.get(&format!("{PATH}/mixes/{pasig}_{drink}")).await.expect(200);
    assert_eq!(mix["total"], 100);
    assert_eq!(admin.delete(&format!("{PATH}/mixes/{pasig}_{drink}")).await.status, 204);
    assert_eq!(admin.get(&format!("{PATH}/mixes?storeId={pasig}")).await.expect(200)["total"], 0);
}

#[rstest]
#[tokio::test]
async fn store_limited_users_only_change_their_stores(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (own, far) = (store(&admin, "Own").await, store(&admin, "Far").await);
    let soup = item(&admin, "Soup").await;
    let rights = [("lists/storeInventoryItems", Action::ALL)];
    let user = app.user(&rights, Some(std::slice::from_ref(&own))).await;
    let group =
        make(&admin, &format!("{PATH}/groups"), json!({ "name": "Both", "storeIds": [own, far] })).await;

    let seen = user.get(&format!("{PATH}/groups/{group}")).await.expect(200);
    assert_eq!((&seen["storeIds"], &seen["storesOutOfReach"]), (&json!([own]), &json!(1)));
    assert_eq!(user.get(&format!("{PATH}/visibility")).await.expect(200).as_array().map(Vec::len), Some(1));
    let far_ones = [
        user.put(&visibility(&far), &json!({})).await,
        user.post(&format!("{}/copy", visibility(&own)), &json!({ "fromStoreId": far })).await,
        user.patch(&format!("{PATH}/groups/{group}"), &json!({ "name": "Mine", "revision": 1 })).await,
        user.delete(&format!("{PATH}/groups/{group}")).await,
        user.post(&format!("{PATH}/groups"), &json!({ "name": "New", "storeIds": [far] })).await,
        user.get(&format!("{PATH}/mixes?storeId={far}")).await,
        user.put(&format!("{PATH}/mixes/{far}_{soup}"), &json!({ "splits": [] })).await,
        user.post(
            &format!("{PATH}/mixes/bulk"),
            &json!({ "storeIds": [own, far], "itemId": soup, "splits": [] }),
        )
        .await,
    ];
    for refused in far_ones {
        assert_eq!(refused.expect(403)["code"], "outOfScope");
    }
    user.put(&visibility(&own), &json!({ "itemIds": [soup] })).await.expect(200);
    let taken = user.post(&format!("{PATH}/groups"), &json!({ "name": "both " })).await.expect(409);
    assert_eq!(taken["fields"][0]["field"], "name");
}
