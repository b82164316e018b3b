//! The steps of an import: upload, mapping, commit, undo, and failures between them.

use larder_platform::jobs::JobState;
use rstest::rstest;
use serde_json::{Value, json};

use super::{check, commit, counts, make, path, problem, rows, suggested, try_out, undo, upload};
use crate::support::{App, Engine, actor, one_engine};

#[rstest]
#[tokio::test]
async fn products_are_imported_changed_and_undone(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let kilo = make(&admin, "/api/lists/uoms", &json!({ "name": "Kilogram", "code": "kg" })).await;
    make(&admin, "/api/lists/categories", &json!({ "name": "Meat" })).await;
    let old = make(
        &admin,
        "/api/products",
        &json!({ "sku": "P1", "name": "Pork", "type": "Non-inventory", "shelfLife": 3 }),
    )
    .await;
    let file = "SKU,Name,Category,UOM,Shelf life (days),Reorder point,Inactive\n\
                p1,Pork belly,meat,KG,,10,no\n\
                P2,Chicken,Meat,kilogram,5,\"1,250.5\",yes\n\
                P3,Fish,Seafood,kg,2,,\n\
                P2,Chicken again,Meat,kg,,,\n\
                P4,,Meat,kg,,,\n\
                P5,Beef,Meat,kg,soon,-1,perhaps\n";
    let batch = upload(&admin, "products", "products.csv", file).await;
    assert_eq!(batch["layout"]["rows"], 6);
    let fields: Vec<&str> = batch["layout"]["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .map(|column| column["suggested"].as_str().unwrap_or("-"))
        .collect();
    assert_eq!(fields, ["sku", "name", "category", "baseUom", "shelfLife", "reorderPoint", "inactive"]);
    let checked = check(&app, &admin, &batch, &suggested(&batch, "code")).await;
    assert_eq!(counts(&checked), (1, 1, 0, 4), "{checked}");
    let failed = rows(&admin, &batch, "failed").await;
    let found: Vec<(i64, String)> =
        failed.iter().map(|row| (row["row"].as_i64().unwrap_or(0), problem(row))).collect();
    assert_eq!(found[0], (4, "category: There is no category «Seafood».".to_owned()));
    assert_eq!(found[1], (5, "sku: Row 3 is about the same product.".to_owned()));
    assert_eq!(found[2], (6, "name: Enter the name.".to_owned()));
    let messages: Vec<&Value> = failed[3]["problems"].as_array().expect("problems").iter().collect();
    let at: Vec<&str> = messages.iter().map(|p| p["field"].as_str().unwrap_or("")).collect();
    assert_eq!(
        (at, &failed[3]["problems"][0]["value"]),
        (vec!["shelfLife", "inactive", "reorderPoint"], &json!("soon"))
    );
    let changed = rows(&admin, &batch, "updated").await;
    let changes = changed[0]["changes"].as_array().expect("changes");
    let of =
        |field: &str| changes.iter().find(|change| change["field"] == field).cloned().unwrap_or_default();
    assert_eq!(of("name"), json!({ "field": "name", "before": "Pork", "after": "Pork belly" }));
    assert_eq!(of("baseUom"), json!({ "field": "baseUom", "before": null, "after": "Kilogram" }));
    assert!(
        changes.iter().all(|change| change["field"] != "shelfLife"),
        "an empty cell leaves a field as it is"
    );
    assert_eq!(admin.get("/api/products").await.expect(200)["total"], 1, "nothing is written yet");

    let committed = commit(&app, &admin, &batch).await;
    assert_eq!(counts(&committed), (1, 1, 0, 4));
    let id = old["id"].as_str().expect("an id");
    let pork = admin.get(&format!("/api/products/{id}")).await.expect(200);
    assert_eq!(
        (&pork["name"], &pork["baseUom"], &pork["shelfLife"]),
        (&json!("Pork belly"), &kilo["id"], &json!(3))
    );
    let made = rows(&admin, &batch, "created").await[0]["recordId"].as_str().expect("an id").to_owned();
    let chicken = admin.get(&format!("/api/products/{made}")).await.expect(200);
    assert_eq!((&chicken["reorderPoint"], &chicken["inactive"]), (&json!(1250.5), &json!(true)));

    let again = try_out(&app, &admin, "products", "code", "again.csv", file).await;
    assert_eq!(counts(&again), (0, 0, 2, 4), "importing the file again changes nothing");
    let refused = admin.post(&format!("{}/commit", path(&again)), &json!({})).await;
    assert_eq!(refused.status, 422);

    let undone = undo(&app, &admin, &batch).await;
    assert_eq!((&undone["summary"]["undone"], &undone["summary"]["kept"]), (&json!(2), &json!(0)));
    let pork = admin.get(&format!("/api/products/{id}")).await.expect(200);
    assert_eq!((&pork["name"], &pork["baseUom"]), (&json!("Pork"), &Value::Null));
    assert_eq!(admin.get(&format!("/api/products/{made}")).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn records_changed_or_used_since_are_kept(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Name\nMeat\nFish\nBread\n";
    let batch = try_out(&app, &admin, "categories", "name", "categories.csv", file).await;
    commit(&app, &admin, &batch).await;
    let created = rows(&admin, &batch, "created").await;
    let id = |at: usize| created[at]["recordId"].as_str().expect("an id").to_owned();
    admin
        .patch(&format!("/api/lists/categories/{}", id(0)), &json!({ "revision": 1, "name": "All meat" }))
        .await
        .expect(200);
    make(&admin, "/api/products", &json!({ "name": "Cod", "type": "Service", "category": id(1) })).await;
    let undone = undo(&app, &admin, &batch).await;
    assert_eq!((&undone["summary"]["undone"], &undone["summary"]["kept"]), (&json!(1), &json!(2)));
    let notes: Vec<Value> =
        rows(&admin, &batch, "created").await.iter().map(|row| row["note"].clone()).collect();
    assert_eq!(notes[0], "Changed by Ana Cruz since the import.");
    assert!(notes[1].as_str().is_some_and(|note| note.contains("1 products")), "{notes:?}");
    assert_eq!(notes[2], Value::Null);
    let left = admin.get("/api/lists/categories").await.expect(200);
    assert_eq!(left["total"], 2);
}

#[rstest]
#[tokio::test]
async fn missing_names_are_created_if_requested(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Name,Category,UOM\nPork,Food:Meat,kg\nBeef,food:meat,kg\nSalt,Food,sack\nOdd,,a unit with far too long a name\n";
    let batch = upload(&admin, "products", "new.csv", file).await;
    let mut mapping = suggested(&batch, "name");
    mapping["missing"] = json!("create");
    let checked = check(&app, &admin, &batch, &mapping).await;
    assert_eq!(counts(&checked), (3, 0, 0, 1), "{checked}");
    let made = json!([
        { "list": "categories", "names": ["Food", "Meat"] }, { "list": "uoms", "names": ["kg", "sack"] },
    ]);
    assert_eq!(checked["summary"]["willCreate"], made);
    commit(&app, &admin, &batch).await;
    let categories = admin.get("/api/lists/categories?sort=name").await.expect(200);
    assert_eq!(categories["total"], 2);
    assert_eq!(categories["items"][1]["parentId"], categories["items"][0]["id"]);
    undo(&app, &admin, &batch).await;
    for list in ["/api/lists/categories", "/api/lists/uoms", "/api/products"] {
        assert_eq!(admin.get(list).await.expect(200)["total"], 0, "{list}");
    }
}

#[rstest]
#[tokio::test]
async fn changes_since_the_check_are_not_overwritten(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let kept = make(&admin, "/api/lists/uoms", &json!({ "name": "Box", "code": "BX" })).await;
    let file = "Code,Name\nBX,Big box\nPC,Piece\nCS,Case\n";
    let batch = try_out(&app, &admin, "uoms", "code", "uoms.csv", file).await;
    assert_eq!(counts(&batch), (2, 1, 0, 0));
    let id = kept["id"].as_str().expect("an id");
    admin
        .patch(&format!("/api/lists/uoms/{id}"), &json!({ "revision": 1, "name": "My box" }))
        .await
        .expect(200);
    make(&admin, "/api/lists/uoms", &json!({ "name": "piece", "code": "pce" })).await;
    let committed = commit(&app, &admin, &batch).await;
    assert_eq!(counts(&committed), (1, 0, 0, 2), "{committed}");
    let failed = rows(&admin, &batch, "failed").await;
    assert!(
        failed[0]["problems"][0]["message"].as_str().is_some_and(|m| m.contains("changed by")),
        "{failed:?}"
    );
    assert!(problem(&failed[1]).contains("already taken"), "{failed:?}");
    assert_eq!(admin.get(&format!("/api/lists/uoms/{id}")).await.expect(200)["name"], "My box");
}

#[rstest]
#[tokio::test]
async fn a_killed_commit_resumes_and_writes_nothing_twice(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut file = String::from("Name\n");
    for n in 0..1_000 {
        file.push_str(&format!("Type {n}\n"));
    }
    let batch = try_out(&app, &admin, "product-types", "name", "types.csv", file).await;
    admin.post(&format!("{}/commit", path(&batch)), &json!({})).await.expect(200);
    // Another server starts the job and loses it after its first rows.
    let done = app.lose_a_job("select cast(count(*) as bigint) from import_rows where state = 'done'").await;
    assert!((1..1_000).contains(&done), "{done} of 1,000 rows is not the middle");
    app.drain().await;
    let end = admin.get(&path(&batch)).await.expect(200);
    assert_eq!((end["state"].as_str(), counts(&end)), (Some("committed"), (1_000, 0, 0, 0)));
    assert_eq!(admin.get("/api/lists/product-types").await.expect(200)["total"], 1_000);
    let written = "select cast(count(*) as bigint) from audit where kind = 'productType'";
    assert_eq!(app.db.sql(written).scalar::<i64>().await.expect("a count"), 1_000);
}

#[rstest]
#[tokio::test]
async fn of_two_concurrent_steps_one_succeeds(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (one, two) = (app.admin().await, app.admin().await);
    let batch = try_out(&app, &one, "food-types", "name", "types.csv", "Name\nDry\nWet\n").await;
    let mapping = suggested(&batch, "name");
    let home = path(&batch);
    let (map, post) = (format!("{home}/mapping"), format!("{home}/commit"));
    for round in 0..3 {
        let nothing = json!({});
        let (a, b) = match round {
            0 => tokio::join!(one.post(&post, &nothing), two.post(&post, &nothing)),
            1 => tokio::join!(one.put(&map, &mapping), two.post(&post, &nothing)),
            _ => tokio::join!(one.post(&post, &nothing), two.delete(&home)),
        };
        let mut answers = [a.status, b.status];
        answers.sort_unstable();
        assert!(matches!(answers, [200 | 204, 404 | 409]), "round {round}: {answers:?}");
        let open = "select cast(count(*) as bigint) from jobs where state in ('queued', 'running')";
        let jobs: i64 = app.db.sql(open).scalar().await.expect("a count");
        assert_eq!(jobs, i64::from(answers[0] == 200), "round {round}");
        let id = batch["id"].as_str().expect("an id");
        let kept: i64 = app
            .db
            .sql("select cast(count(*) as bigint) from import_rows where batch_id = $1")
            .bind(id)
            .scalar()
            .await
            .expect("a count");
        assert_eq!(kept, if answers[0] == 204 { 0 } else { 2 }, "round {round}");
        if answers[0] == 204 {
            return;
        }
        let job = one.get(&path(&batch)).await.expect(200)["jobId"].as_str().expect("a job").to_owned();
        one.post(&format!("/api/jobs/{job}/cancel"), &json!({})).await;
        two.post(&format!("/api/jobs/{job}/cancel"), &json!({})).await;
        check(&app, &one, &batch, &mapping).await;
    }
}

#[rstest]
#[tokio::test]
async fn a_job_that_lost_its_batch_writes_nothing(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = try_out(&app, &admin, "food-types", "name", "types.csv", "Name\nDry\n").await;
    admin.post(&format!("{}/commit", path(&batch)), &json!({})).await.expect(200);
    let id = batch["id"].as_str().expect("an id");
    app.db
        .write(&actor(app.state.now()), async |tx| {
            let text = "update import_batches set state = 'checking', job_id = 'another' where id = $1";
            tx.sql(text).bind(id).execute().await
        })
        .await
        .expect("another job has it");
    app.drain().await;
    assert_eq!(admin.get(&path(&batch)).await.expect(200)["state"], "checking");
    assert_eq!(admin.get("/api/lists/food-types").await.expect(200)["total"], 0);
}

#[tokio::test]
async fn a_cancelled_step_can_be_resumed() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let batch = try_out(&app, &admin, "food-types", "name", "types.csv", "Name\nDry\nWet\n").await;
    let started = admin.post(&format!("{}/commit", path(&batch)), &json!({})).await.expect(200);
    assert_eq!(started["state"], "committing");
    let job = started["jobId"].as_str().expect("a job");
    admin.post(&format!("/api/jobs/{job}/cancel"), &json!({})).await;
    let stopped = admin.get(&path(&batch)).await.expect(200);
    assert_eq!(stopped["state"], "failed");
    assert_eq!(commit(&app, &admin, &batch).await["state"], "committed");
    let job = larder_platform::jobs::queries::find(&app.db, job).await.expect("jobs").expect("a job");
    assert_eq!(job.state, JobState::Cancelled);
}

#[tokio::test]
async fn only_unwritten_files_can_be_deleted_or_remapped() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "food-types", "types.csv", "Name\nDry\n").await;
    let mapping = suggested(&batch, "name");
    assert_eq!(admin.post(&format!("{}/commit", path(&batch)), &json!({})).await.status, 409);
    assert_eq!(admin.post(&format!("{}/undo", path(&batch)), &json!({})).await.status, 409);
    check(&app, &admin, &batch, &mapping).await;
    check(&app, &admin, &batch, &mapping).await;
    commit(&app, &admin, &batch).await;
    assert_eq!(admin.put(&format!("{}/mapping", path(&batch)), &mapping).await.status, 409);
    assert_eq!(admin.delete(&path(&batch)).await.status, 409);
    let other = upload(&admin, "food-types", "other.csv", "Name\nDry\n").await;
    assert_eq!(admin.delete(&path(&other)).await.status, 204);
    assert_eq!(admin.get(&path(&other)).await.status, 404);
    let all = admin.get(&format!("{}/batches", super::HOME)).await.expect(200);
    assert_eq!((all["total"].as_i64(), &all["items"][0]["id"]), (Some(1), &batch["id"]));
}

#[tokio::test]
async fn an_invalid_mapping_is_refused_with_a_reason() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "food-types", "types.csv", "Name,Note\nDry,x\n").await;
    let mapping = suggested(&batch, "name");
    for (name, value, field) in [
        ("columns", json!({ "shoeSize": 0, "name": 0 }), "shoeSize"),
        ("columns", json!({ "name": 7 }), "name"),
        ("match", json!("code"), "match"),
        ("columns", json!({}), "match"),
    ] {
        let mut wrong = mapping.clone();
        wrong[name] = value;
        let refused = admin.put(&format!("{}/mapping", path(&batch)), &wrong).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field, "{refused}");
    }
    let wish = admin.upload(&format!("{}/uploads?list=shoes&fileName=a.csv", super::HOME), "a\n1\n").await;
    assert_eq!(wish.status, 404);
}

#[rstest]
#[tokio::test]
async fn a_failed_step_is_reported_until_retried_or_deleted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let batch = upload(&admin, "food-types", "types.csv", "Name\nDry\n").await;
    let mapping = suggested(&batch, "name");
    let reported = async || {
        let reported = admin.get("/api/notifications").await.expect(200);
        reported["items"].as_array().expect("items").iter().filter(|one| one["kind"] == "failedWork").count()
    };
    let fail = async || {
        admin.put(&format!("{}/mapping", path(&batch)), &mapping).await.expect(200);
        assert_eq!(reported().await, 0, "it is being retried");
        let who = actor(app.state.now());
        let broken = app.db.write(&who, async |tx| {
            tx.sql("update jobs set args = '{}' where state = 'queued'").execute().await
        });
        assert_eq!(broken.await.expect("written"), 1);
        app.drain().await;
        assert_eq!(reported().await, 1);
    };
    fail().await;
    fail().await;
    assert_eq!(admin.delete(&path(&batch)).await.status, 204);
    assert_eq!(reported().await, 0);
}
