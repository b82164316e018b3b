//! The stores: every field, scope, tills.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::lists::{column, fields, make_all};
use crate::support::{App, Client, Engine, one_engine};

const PATH: &str = "/api/stores/locations";
const RIGHTS: &[Action] = &[Action::View, Action::Create, Action::Edit, Action::Export];

async fn make(client: &Client, body: Value) -> Value {
    client.post(PATH, &body).await.expect(201)
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

#[rstest]
#[tokio::test]
async fn every_field_of_a_store_is_saved(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let format = make_all(&app, "store-formats", &[json!({ "name": "Kiosk" })]).await.remove(0);
    let region = make_all(&app, "regional-areas", &[json!({ "name": "NCR" })]).await.remove(0);
    let area = make_all(&app, "operational-areas", &[json!({ "name": "South" })]).await.remove(0);
    let level = make_all(&app, "price-levels", &[json!({ "name": "Standard" })]).await.remove(0);
    let company = make_all(&app, "companies", &[json!({ "name": "Larder Foods" })]).await.remove(0);
    let unknown = admin.post(PATH, &json!({ "name": "Lost", "companyId": "c1" })).await.expect(422);
    let words = "This company does not exist; choose one from the list.";
    assert_eq!(unknown["fields"], json!([{ "field": "companyId", "message": words }]));
    let mut body = json!({
        "name": "Parañaque", "code": "PQ01", "storeFormatId": format, "companyId": company, "lessor": "SM Prime",
        "netsuiteCompanyName": "Larder Inc", "netsuiteLocationName": "L1", "netsuiteLocationInternalId": "11",
        "netsuiteClassName": "Retail", "netsuiteClassInternalId": "12", "netsuiteCustomerName": "Walk-in",
        "netsuiteCustomerId": "C-1", "netsuiteCustomerInternalId": "13", "posBranchName": "PQ Branch",
        "openingDate": "2019-08-03", "posCode": "07", "terminalId": "01",
        "posTerminals": [{ "posCode": "07", "terminalId": "02" }]
    });
    let figures = json!({
        "storeAreaM2": 45.25, "diningCapacityPax": 24, "frozenStorageKg": 500, "dryStorageCbm": 12.5,
        "regionalAreaId": region, "operationalAreaId": area, "priceLevelId": level,
        "leadTimeDays": 2, "reviewTimeDays": 7, "rentCostPerSqm": 1850.125, "rentPercent": 5.5,
        "cusaCostPerSqm": 210, "airconCostPerSqm": 120, "otherChargesCostPerSqm": 30.5,
        "electricityRateKwh": 11.4377, "waterRateM3": 58.1, "leaseStartDate": "2019-07-01",
        "streetAddress": "1 Dr. A. Santos Ave", "city": "Parañaque", "province": "Metro Manila",
        "postalCode": "1700", "country": "Philippines", "inactive": false, "mallOpens": "10:00"
    });
    let more = figures.as_object().expect("figures").clone();
    body.as_object_mut().expect("a body").extend(more);
    let made = make(&admin, body.clone()).await;
    for (name, value) in body.as_object().expect("a body") {
        assert_eq!(&made[name], value, "{name}");
    }
    let names: Vec<_> =
        made.as_object().expect("a record").keys().filter(|k| body.get(*k).is_none()).cloned().collect();
    assert_eq!(names, ["id", "createdAt", "updatedAt", "revision"], "only these are added");
    assert_eq!(admin.get(&format!("{PATH}/{}", id(&made))).await.expect(200), made);

    let plain = make(&admin, json!({ "name": "Plain" })).await;
    assert_eq!((&plain["leadTimeDays"], &plain["reviewTimeDays"]), (&json!(0), &json!(0)));
    assert_eq!((&plain["inactive"], &plain["posTerminals"]), (&json!(false), &json!([])));

    let csv = admin.get(&format!("{PATH}/export")).await.text();
    for text in ["Kiosk", "NCR", "Larder Foods", "South", "Standard", "2019-08-03", "11.4377", "1850.125"] {
        assert!(csv.contains(text), "{text} is missing in {csv}");
    }
}

#[rstest]
#[tokio::test]
async fn stores_are_deactivated_never_deleted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = make(&admin, json!({ "name": "Makati" })).await;
    make(&admin, json!({ "name": "Ayala" })).await;
    let path = format!("{PATH}/{}", id(&made));
    assert_eq!(admin.delete(&path).await.status, 405);
    let closed = admin.patch(&path, &json!({ "inactive": true, "revision": 1 })).await.expect(200);
    assert_eq!(closed["revision"], 2);
    assert_eq!(closed.get("updatedBy"), None);
    let names = async |query: &str| column(&admin.get(&format!("{PATH}?{query}")).await.expect(200), "name");
    assert_eq!(names("").await, ["Ayala"]);
    assert_eq!(names("includeInactive=true&sort=-name").await, ["Makati", "Ayala"]);
    assert_eq!(names("inactive=true").await, ["Makati"]);
    assert_eq!(names("q=AYA").await, ["Ayala"]);
    // The record does not reveal who changed it, the refusal does.
    let refusal = admin.patch(&path, &json!({ "inactive": false, "revision": 1 })).await.expect(409);
    assert_eq!(refusal["detail"], "This record was changed by Ana Cruz. Reload to continue.");
    assert_eq!(refusal["current"]["inactive"], true);
}

#[rstest]
#[tokio::test]
async fn a_user_accesses_their_stores_only(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mine = make(&admin, json!({ "name": "Mine" })).await;
    let other = make(&admin, json!({ "name": "Elsewhere" })).await;
    let scoped = app.user(&[("stores/storeList", RIGHTS)], Some(&[id(&mine)])).await;
    let nowhere = app.user(&[("stores/storeList", RIGHTS)], Some(&[])).await;

    let page = scoped.get(&format!("{PATH}?includeInactive=true")).await.expect(200);
    assert_eq!((column(&page, "name"), &page["total"]), (vec!["Mine".to_owned()], &json!(1)));
    assert_eq!(scoped.get(&format!("{PATH}?q=elsewhere")).await.expect(200)["total"], 0);
    let csv = scoped.get(&format!("{PATH}/export")).await.text();
    assert!(csv.contains("Mine") && !csv.contains("Elsewhere"));
    assert_eq!(nowhere.get(PATH).await.expect(200)["total"], 0);
    assert_eq!(nowhere.get(&format!("{PATH}/export")).await.text().lines().count(), 1);

    scoped.get(&format!("{PATH}/{}", id(&mine))).await.expect(200);
    scoped
        .patch(&format!("{PATH}/{}", id(&mine)), &json!({ "lessor": "SM", "revision": 1 }))
        .await
        .expect(200);
    let refusal = scoped.get(&format!("{PATH}/{}", id(&other))).await.expect(403);
    assert_eq!(
        (&refusal["code"], &refusal["detail"]),
        (&json!("outOfScope"), &json!("You don't have access to this store."))
    );
    let patch = json!({ "lessor": "X", "revision": 1 });
    assert_eq!(
        scoped.patch(&format!("{PATH}/{}", id(&other)), &patch).await.expect(403)["code"],
        "outOfScope"
    );
    // A store that does not exist looks the same as an inaccessible one.
    assert_eq!(scoped.get(&format!("{PATH}/none")).await.expect(403)["code"], "outOfScope");
    // Store-limited users cannot create stores.
    assert_eq!(scoped.post(PATH, &json!({ "name": "New" })).await.expect(403)["code"], "outOfScope");

    let lists_only = app.user(&[("lists/allLists", Action::ALL)], None).await;
    assert_eq!(lists_only.get(PATH).await.status, 403);
}

#[rstest]
#[tokio::test]
async fn tills_belong_to_one_store(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let till = |code: &str, terminal: &str| json!({ "posCode": code, "terminalId": terminal });
    let first = make(
        &admin,
        json!({ "name": "First", "posCode": "07", "terminalId": "01",
        "posTerminals": [till("07", "02"), till("", "")] }),
    )
    .await;
    assert_eq!(first["posTerminals"], json!([till("07", "02")]), "empty rows are dropped");
    let known = async || -> Vec<(String, String, String)> {
        let query = "select location_id, pos_code, terminal_id from location_terminals order by pos_code, terminal_id";
        app.db.sql(query).all().await.expect("terminals")
    };
    let row = |store: &Value, code: &str, terminal: &str| (id(store), code.to_owned(), terminal.to_owned());
    assert_eq!(known().await, [row(&first, "07", "01"), row(&first, "07", "02")]);

    let taken = json!({ "name": "Second", "posTerminals": [till("07", "02")] });
    let refusal = admin.post(PATH, &taken).await.expect(409);
    assert_eq!((fields(&refusal), &refusal["code"]), (vec!["posTerminals".to_owned()], &json!("duplicate")));
    assert_eq!(admin.get(PATH).await.expect(200)["total"], 1, "a refused store leaves nothing behind");

    let path = format!("{PATH}/{}", id(&first));
    admin.patch(&path, &json!({ "posTerminals": [till("07", "03")], "revision": 1 })).await.expect(200);
    let second = make(&admin, taken).await;
    assert_eq!(known().await, [row(&first, "07", "01"), row(&second, "07", "02"), row(&first, "07", "03")]);
    admin
        .patch(&path, &json!({ "posCode": null, "terminalId": null, "posTerminals": null, "revision": 2 }))
        .await
        .expect(200);
    assert_eq!(known().await, [row(&second, "07", "02")]);

    let wrong =
        json!({ "name": "Third", "posTerminals": [till("1", "1"), till("1", "1"), { "posCode": 5 }] });
    let refusal = admin.post(PATH, &wrong).await.expect(422);
    assert_eq!(fields(&refusal), ["posTerminals.1.terminalId", "posTerminals.2.posCode"]);
}

/// A till's number without a POS code is its store's own.
#[rstest]
#[tokio::test]
async fn every_store_may_have_a_till_1(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for name in ["First", "Second"] {
        make(&admin, json!({ "name": name, "posTerminals": [{ "posCode": "", "terminalId": "1" }] })).await;
    }
    make(&admin, json!({ "name": "Third", "terminalId": "1" })).await;
    let tills: i64 = app
        .db
        .sql("select cast(count(*) as bigint) from location_terminals where terminal_id = '1'")
        .scalar()
        .await
        .expect("a number");
    assert_eq!(tills, 3);
}

/// There is no permission to delete stores: the permission to create one also undoes the creation.
#[rstest]
#[tokio::test]
async fn a_user_who_may_create_a_store_can_undo_it(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let maker = app.user(&[("stores/storeList", &[Action::View, Action::Create, Action::Edit])], None).await;
    let editor = app.user(&[("stores/storeList", &[Action::View, Action::Edit])], None).await;
    let made = maker.post(PATH, &json!({ "name": "Maketi" })).await.expect(201);
    let undo = format!("{PATH}/{}/undo", made["id"].as_str().expect("an id"));
    let revision = json!({ "revision": made["revision"] });
    editor.post(&undo, &revision).await.expect(403);
    maker.post(&undo, &revision).await.expect(204);
}

#[rstest]
#[tokio::test]
async fn figures_of_a_store_are_validated(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "openingDate": "03/08/2019", "leadTimeDays": 1.5, "reviewTimeDays": -1, "storeAreaM2": "big",
        "leaseStartDate": "2019-02-30", "inactive": "no", "diningCapacityPax": "12 seats" });
    let refusal = admin.post(PATH, &body).await.expect(422);
    let expected = [
        "name",
        "openingDate",
        "storeAreaM2",
        "diningCapacityPax",
        "leadTimeDays",
        "reviewTimeDays",
        "leaseStartDate",
        "inactive",
    ];
    assert_eq!(fields(&refusal), expected);
    let refusal = admin.post(PATH, &json!({ "name": "A", "rentPercent": 100.5 })).await.expect(422);
    assert_eq!(fields(&refusal), ["rentPercent"]);
}
