//! Company documents, and recipe costs.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::fields;
use crate::support::{App, Engine, one_engine};

const PDF: &[u8] = b"%PDF-1.7\n%hello";

#[rstest]
#[tokio::test]
async fn documents_are_stored_with_their_expiry(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let company = admin.post("/api/lists/companies", &json!({ "name": "Panaderia" })).await.expect(201);
    let company = format!("/api/lists/companies/{}", company["id"].as_str().expect("an id"));
    let papers = format!("{company}/documents");
    let query = "kind=mayorPermit&title=Permit&number=2026-1&issued=2026-01-05&expires=2026-12-31&fileName=permit.pdf";
    let made = admin.upload(&format!("{papers}?{query}"), PDF).await.expect(201);
    assert_eq!((&made["contentType"], &made["size"]), (&json!("application/pdf"), &json!(PDF.len())));
    admin.upload(&format!("{papers}?kind=bir&fileName=bir%20%C3%B1%22.pdf"), PDF).await.expect(201);
    let listed = admin.get(&papers).await.expect(200);
    let titles: Vec<_> = listed.as_array().expect("a list").iter().map(|one| &one["title"]).collect();
    assert_eq!(titles, ["Permit", "bir ñ\".pdf"], "earliest expiry first");

    let one = format!("{papers}/{}", made["id"].as_str().expect("an id"));
    let file = admin.get(&format!("{one}/file")).await;
    assert_eq!((file.status, file.text().as_bytes()), (200, PDF));
    assert_eq!(file.headers["content-type"], "application/pdf");
    assert!(file.headers["content-disposition"].to_str().expect("text").starts_with("attachment"));

    let body =
        json!({ "title": "Permit 2027", "kind": "mayorPermit", "expires": "2027-12-31", "revision": 1 });
    let changed = admin.patch(&one, &body).await.expect(200);
    assert_eq!(
        (&changed["title"], &changed["revision"], changed.get("number")),
        (&json!("Permit 2027"), &json!(2), None)
    );
    assert_eq!(admin.patch(&one, &body).await.expect(409)["code"], "stale");
    let wrong = json!({ "kind": "licence", "issued": "2026-02-30", "revision": 2 });
    assert_eq!(fields(&admin.patch(&one, &wrong).await.expect(422)), ["kind", "issued"]);

    let refusal = admin.delete(&company).await.expect(409);
    assert_eq!((&refusal["code"], &refusal["uses"][0]["label"]), (&json!("inUse"), &json!("documents")));
    assert_eq!(admin.delete(&one).await.status, 204);
    assert_eq!(admin.get(&format!("{one}/file")).await.status, 404);
    assert_eq!(admin.delete(&one).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn only_supported_documents_and_permitted_users_are_accepted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let company = admin.post("/api/lists/companies", &json!({ "name": "Panaderia" })).await.expect(201);
    let papers = format!("/api/lists/companies/{}/documents", company["id"].as_str().expect("an id"));
    for bytes in [&b"<html><script>alert(1)</script>"[..], b"", b"MZ\x90"] {
        let answer = admin.upload(&format!("{papers}?fileName=a.pdf"), bytes.to_vec()).await;
        assert_eq!(answer.status, 415, "{}", answer.text());
    }
    assert_eq!(admin.upload(&papers, PDF).await.status, 422, "a file has a name");
    assert_eq!(admin.upload("/api/lists/companies/none/documents?fileName=a.pdf", PDF).await.status, 404);
    let mut large = PDF.to_vec();
    large.resize((20 << 20) + 1, b' ');
    assert_eq!(admin.upload(&format!("{papers}?fileName=a.pdf"), large).await.status, 413);
    let viewer = app.user(&[("lists/allLists", &[Action::View])], None).await;
    assert_eq!(viewer.get(&papers).await.status, 200);
    assert_eq!(viewer.upload(&format!("{papers}?fileName=a.pdf"), PDF).await.status, 403);
    assert_eq!(admin.get(&papers).await.expect(200), json!([]));
}

#[rstest]
#[tokio::test]
async fn a_recipe_costs_the_sum_of_its_ingredients(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let root = async |body| admin.post("/api/lists/root-items", &body).await.expect(201)["id"].clone();
    let flour = root(json!({ "name": "Flour", "price": "50,00" })).await;
    let salt = root(json!({ "name": "Salt" })).await;
    let lines = json!([{ "rootItemId": flour, "qty": 2.5 }, { "rootItemId": salt, "qty": 1 }]);
    let body = json!({ "name": "Bread", "yieldQty": 10, "rootItems": lines });
    let recipe = admin.post("/api/lists/recipes", &body).await.expect(201);
    let costs = admin.get("/api/lists/recipes/costs").await.expect(200);
    assert_eq!(
        costs,
        json!([{ "recipeId": recipe["id"], "cost": 125, "unitCost": 12.5, "missing": [salt] }])
    );
}

#[rstest]
#[tokio::test]
async fn at_most_one_commissary_is_the_default(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/lists/commissaries";
    let first = admin.post(path, &json!({ "name": "First", "isDefault": true })).await.expect(201);
    let second = admin.post(path, &json!({ "name": "Second", "isDefault": true })).await.expect(201);
    let at = |record: &serde_json::Value| format!("{path}/{}", record["id"].as_str().expect("an id"));
    assert_eq!(admin.get(&at(&first)).await.expect(200)["isDefault"], false);
    admin.patch(&at(&first), &json!({ "isDefault": true, "revision": 2 })).await.expect(200);
    assert_eq!(admin.get(&at(&second)).await.expect(200)["isDefault"], false);
}

#[rstest]
#[tokio::test]
async fn accounts_follow_their_rules(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = "/api/your-company/chart-of-accounts";
    let at = |record: &serde_json::Value| format!("{path}/{}", record["id"].as_str().expect("an id"));
    let body = json!({ "name": "Stock", "number": "1200", "type": "other current assets", "detailType": "inventory",
        "openingBalance": "-12.50" });
    let stock = admin.post(path, &body).await.expect(201);
    assert_eq!(
        (
            &stock["type"],
            &stock["detailType"],
            &stock["classification"],
            &stock["balance"],
            &stock["currency"]
        ),
        (&json!("Other current assets"), &json!("Inventory"), &json!("Asset"), &json!(-12.5), &json!("PHP"))
    );
    let taken =
        admin.post(path, &json!({ "name": "Other", "number": "1200", "type": "Bank" })).await.expect(409);
    assert_eq!(
        (&taken["detail"], &fields(&taken)[0]),
        (&json!("Account number already exists."), &"number".to_owned())
    );
    let wrong = json!({ "name": "Odd", "type": "Bank", "detailType": "Inventory" });
    assert_eq!(fields(&admin.post(path, &wrong).await.expect(422)), ["detailType"]);
    let below = json!({ "name": "Below", "type": "Bank", "parentId": stock["id"] });
    assert_eq!(fields(&admin.post(path, &below).await.expect(422)), ["parentId"]);

    // A used account keeps its type; its new name shows on the products; it cannot be deleted.
    let product = json!({ "name": "Flour", "type": "Service", "inventoryAssetAccountId": stock["id"] });
    let product = admin.post("/api/products", &product).await.expect(201);
    assert_eq!(product["inventoryAssetAccountName"], "Stock");
    let retyped = json!({ "type": "Bank", "detailType": null, "revision": 1 });
    assert_eq!(fields(&admin.patch(&at(&stock), &retyped).await.expect(422)), ["type"]);
    admin.patch(&at(&stock), &json!({ "name": "Goods", "revision": 1 })).await.expect(200);
    let product_path = format!("/api/products/{}", product["id"].as_str().expect("an id"));
    assert_eq!(admin.get(&product_path).await.expect(200)["inventoryAssetAccountName"], "Goods");
    let refusal = admin.delete(&at(&stock)).await.expect(409);
    assert_eq!(refusal["detail"], "Used by 1 product; reassign first.");

    // After a merge its uses move, and it becomes inactive.
    let other = json!({ "name": "Inventory", "type": "Other current assets", "detailType": "Inventory" });
    let other = admin.post(path, &other).await.expect(201);
    let merge = json!({ "into": other["id"], "revision": 2, "intoRevision": 1 });
    admin.post(&format!("{}/merge", at(&stock)), &merge).await.expect(200);
    assert_eq!(admin.get(&at(&stock)).await.expect(200)["active"], false);
    assert_eq!(admin.get(&product_path).await.expect(200)["inventoryAssetAccountName"], "Inventory");
    assert_eq!(admin.get(path).await.expect(200)["total"], 1);
    assert_eq!(admin.get(&format!("{path}?includeInactive=true")).await.expect(200)["total"], 2);
}
