//! The change history over all entity types.

use larder_db::{Actor, Change, ChangeAction};
use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Engine, actor, one_engine};

fn titles(page: &Value) -> Vec<(&str, &str)> {
    let items = page["items"].as_array().expect("items");
    let of = |item: &'_ Value| -> (String, String) {
        let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        (text("recordName"), text("action"))
    };
    items.iter().map(of).map(|(name, action)| (&*name.leak(), &*action.leak())).collect()
}

#[rstest]
#[tokio::test]
async fn the_history_is_limited_by_permissions(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let uom = admin.post("/api/lists/uoms", &json!({ "name": "Box", "code": "BX" })).await.expect(201);
    let path = format!("/api/lists/uoms/{}", uom["id"].as_str().expect("an id"));
    admin.patch(&path, &json!({ "name": "Crate", "revision": 1 })).await.expect(200);
    admin.post("/api/products", &json!({ "name": "Bread", "type": "Service" })).await.expect(201);
    assert_eq!(admin.delete(&path).await.status, 204);

    let of_uoms = admin.get("/api/history?kind=uom").await.expect(200);
    assert_eq!(titles(&of_uoms), [("Crate", "deleted"), ("Crate", "updated"), ("Box", "created")]);
    assert_eq!(
        of_uoms["items"][1]["changes"],
        json!([{ "field": "name", "before": "Box", "after": "Crate" }])
    );
    assert_eq!(of_uoms["items"][0]["kindLabel"], "Units of measure");
    let updated = admin.get("/api/history?action=updated&q=ana").await.expect(200);
    assert_eq!(titles(&updated), [("Crate", "updated")]);
    let of_one = admin.get(&format!("/api/history?kind=uom&id={}", uom["id"].as_str().expect("an id"))).await;
    assert_eq!(of_one.expect(200)["total"], 3);
    let nothing = admin.get("/api/history?kind=uom&to=2001-01-01").await.expect(200);
    assert_eq!(nothing["total"], 0);
    let paged = admin.get("/api/history?kind=uom&page=2&pageSize=2").await.expect(200);
    assert_eq!((paged["items"].as_array().map(Vec::len), &paged["total"]), (Some(1), &json!(3)));
    for wrong in ["kind=dragon", "action=eaten", "from=31/31/2019", "page=0", "pageSize=1000"] {
        assert_eq!(admin.get(&format!("/api/history?{wrong}")).await.status, 422, "{wrong}");
    }

    let baker = app.user(&[("products/products", &[Action::View])], None).await;
    let seen = baker.get("/api/history").await.expect(200);
    assert_eq!(titles(&seen), [("Bread", "created")]);
    assert_eq!(baker.get("/api/history?kind=uom").await.status, 403);
    let kinds: Vec<_> = seen["kinds"].as_array().expect("kinds").iter().map(|one| &one["kind"]).collect();
    assert!(kinds.contains(&&json!("product")) && !kinds.contains(&&json!("user")));
}

#[rstest]
#[tokio::test]
async fn the_history_excludes_inaccessible_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (own, _) = (crate::users::store(&app, "OWN").await, crate::users::store(&app, "OTHER").await);
    let person = app.user(&[("stores/storeList", &[Action::View])], Some(std::slice::from_ref(&own))).await;
    let seen = person.get("/api/history?kind=location").await.expect(200);
    assert_eq!(seen["total"], 1);
    assert_eq!(seen["items"][0]["storeId"], json!(own));
    assert_eq!(app.admin().await.get("/api/history?kind=location").await.expect(200)["total"], 2);
}

/// Some records belong to several stores, or to one that the change does not name.
#[rstest]
#[tokio::test]
async fn changes_without_a_store_are_visible_to_the_users_concerned(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let own = crate::users::store(&app, "OWN").await;
    let pages =
        ["tools/importSalesProduct", "tools/importData", "lists/storeInventoryItems", "lists/allLists"];
    let rights = pages.map(|page| (page, &[Action::View][..]));
    let person = app.user(&rights, Some(std::slice::from_ref(&own))).await;
    let everywhere = app.user(&rights, None).await;
    let mine = Actor { uid: person.uid.clone(), ..actor(app.state.now()) };
    let theirs = actor(app.state.now());
    for (by, id) in [(&mine, "mine"), (&theirs, "theirs")] {
        for kind in
            ["salesBatch", "importBatch", "storeItemGroup", "storeRootItem", "salesDay", "companyDocument"]
        {
            let change = Change {
                kind,
                id: id.to_owned(),
                store_id: None,
                action: ChangeAction::Created,
                before: None,
                after: Some(json!({ "name": "Secret" })),
            };
            app.db.write(by, async |tx| tx.record(change.clone()).await).await.expect("recorded");
        }
    }
    let seen = async |who: &crate::support::Client, kind: &str| -> Vec<String> {
        let page = who.get(&format!("/api/history?kind={kind}")).await.expect(200);
        let items = page["items"].as_array().expect("items");
        assert_eq!(page["total"], items.len());
        let mut ids: Vec<_> =
            items.iter().map(|item| item["recordId"].as_str().expect("an id").to_owned()).collect();
        ids.sort();
        ids
    };
    for (kind, reported) in [
        ("salesBatch", &["mine"][..]),
        ("importBatch", &["mine"]),
        ("storeItemGroup", &[]),
        ("storeRootItem", &[]),
        ("salesDay", &[]),
        ("companyDocument", &["mine", "theirs"]),
    ] {
        assert_eq!(seen(&person, kind).await, reported, "{kind}");
        assert_eq!(seen(&everywhere, kind).await, ["mine", "theirs"], "{kind}");
    }
    let gone = "/api/lists/store-root-items/theirs/history";
    assert_eq!((person.get(gone).await.status, everywhere.get(gone).await.status), (403, 200));
}

#[rstest]
#[tokio::test]
async fn uses_count_all_and_list_accessible_records(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (own, other) = (crate::users::store(&app, "OWN").await, crate::users::store(&app, "OTHER").await);
    let company = admin.post("/api/lists/companies", &json!({ "name": "House" })).await.expect(201);
    let company = company["id"].as_str().expect("an id");
    for store in [&own, &other] {
        let path = format!("/api/stores/locations/{store}");
        admin.patch(&path, &json!({ "revision": 1, "companyId": company })).await.expect(200);
    }
    let uses = async |rights: &[(&str, &[Action])], stores: Option<&[String]>| {
        let who = app.user(rights, stores).await;
        who.get(&format!("/api/lists/companies/{company}/uses")).await.expect(200)["uses"][0].clone()
    };
    let (lists, stores) =
        (("lists/allLists", &[Action::View][..]), ("stores/storeList", &[Action::View][..]));
    let near = uses(&[lists, stores], Some(std::slice::from_ref(&own))).await;
    assert_eq!((&near["count"], &near["hidden"]), (&json!(2), &json!(1)), "{near}");
    assert_eq!(near["records"], json!([{ "id": own, "name": "OWN" }]));
    let blind = uses(&[lists], None).await;
    assert_eq!((&blind["count"], &blind["hidden"], &blind["records"]), (&json!(2), &json!(2), &json!([])));
    let all = uses(&[lists, stores], None).await;
    assert_eq!((all["hidden"].as_i64(), all["records"].as_array().map(Vec::len)), (Some(0), Some(2)));
}
