//! Setting quantities, and reading stock by place and its movements.

use larder_domain::Action;
use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};
use larder_ledgers::stock;
use larder_ledgers::stock::{Document, Posting};
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, id, make, make_commissary, make_product, path_of};
use crate::support::{App, Engine, actor, one_engine};

const PRODUCTS: &str = "products/products";

fn fields(problem: &Value) -> Vec<&str> {
    let fields = problem["fields"].as_array().expect("fields");
    fields.iter().map(|field| field["field"].as_str().expect("a field")).collect()
}

#[rstest]
#[tokio::test]
async fn the_difference_is_posted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let product = make_product(&admin, "Flour").await;
    let adjust = format!("{}/adjust", path_of(&product));

    let refusal = admin.post(&adjust, &json!({ "quantity": 5 })).await.expect(409);
    assert_eq!(refusal["code"], "noCommissary");
    assert_eq!(refusal["detail"], "Add a commissary first: stock needs a place.");

    let oldest = make_commissary(&admin, "Oldest").await;
    let other = make_commissary(&admin, "Chosen").await;
    let first = admin.post(&adjust, &json!({ "quantity": "12,5", "reason": " Counted " })).await.expect(200);
    assert_eq!(first["product"]["quantity"], 12.5);
    assert_eq!(first["product"]["revision"], 1, "stock does not change the record");
    let movement = &first["movement"];
    assert_eq!((&movement["qty"], &movement["balanceAfter"]), (&json!(12.5), &json!(12.5)));
    assert_eq!((&movement["placeId"], &movement["placeName"]), (&oldest["id"], &json!("Oldest")));
    assert_eq!((&movement["documentType"], &movement["reason"]), (&json!("adjustment"), &json!("Counted")));
    assert_eq!(movement["by"]["uid"], admin.uid);

    // The default commissary comes before the oldest one, and its stock does not become negative.
    let path = format!("/api/lists/commissaries/{}", id(&other));
    admin.patch(&path, &json!({ "revision": 1, "isDefault": true })).await.expect(200);
    let refusal = admin.post(&adjust, &json!({ "quantity": 10, "revision": 1 })).await.expect(422);
    let words = "Chosen would go below zero; there is 12.5 at Oldest. Choose the place you counted.";
    assert_eq!(refusal["fields"], json!([{ "field": "quantity", "message": words }]));
    let second = admin.post(&adjust, &json!({ "quantity": 20, "revision": 1 })).await.expect(200);
    assert_eq!(
        (&second["movement"]["qty"], &second["movement"]["placeName"]),
        (&json!(7.5), &json!("Chosen"))
    );
    assert_eq!(second["movement"]["balanceAfter"], 7.5);

    // Repeating the request posts nothing.
    let same = admin.post(&adjust, &json!({ "quantity": 20 })).await.expect(200);
    assert_eq!((&same["movement"], &same["product"]["quantity"]), (&Value::Null, &json!(20)));

    let stock = admin.get(&format!("{}/stock", path_of(&product))).await.expect(200);
    let places: Vec<_> =
        stock["places"].as_array().expect("places").iter().map(|p| (&p["placeName"], &p["qty"])).collect();
    assert_eq!((&stock["quantity"], &stock["defaultPlace"]["placeName"]), (&json!(20), &json!("Chosen")));
    assert_eq!(places, [(&json!("Chosen"), &json!(7.5)), (&json!("Oldest"), &json!(12.5))]);
    assert_eq!(stock::verify(&app.db).await.expect("counted"), []);
}

#[rstest]
#[tokio::test]
async fn a_place_can_be_named(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let product = make_product(&admin, "Flour").await;
    let adjust = format!("{}/adjust", path_of(&product));
    let warehouse = make(&admin, "/api/lists/warehouses", json!({ "name": "North" })).await;
    let store = make(&admin, "/api/stores/locations", json!({ "name": "Makati" })).await;
    let body = json!({ "quantity": 3, "placeKind": "warehouse", "placeId": warehouse["id"] });
    let done = admin.post(&adjust, &body).await.expect(200);
    assert_eq!(done["movement"]["placeName"], "North");
    assert_eq!(done["product"]["quantity"], 3);
    for (body, field) in [
        (json!({ "quantity": 3, "placeKind": "warehouse", "placeId": "none" }), "placeId"),
        (json!({ "quantity": 3, "placeKind": "warehouse" }), "placeId"),
        (json!({ "quantity": 3, "placeId": warehouse["id"] }), "placeKind"),
        (json!({ "quantity": 3, "placeKind": "store", "placeId": store["id"] }), "placeKind"),
        (json!({ "quantity": 3, "placeKind": "inTransit", "placeId": "x" }), "placeKind"),
    ] {
        assert_eq!(fields(&admin.post(&adjust, &body).await.expect(422)), [field], "{body}");
    }
    // A place with movements cannot be deleted.
    let refusal = admin.delete(&format!("/api/lists/warehouses/{}", id(&warehouse))).await.expect(409);
    assert_eq!(refusal["code"], "inUse");
}

/// A count at one place says nothing about another.
#[rstest]
#[tokio::test]
async fn a_quantity_at_a_place_sets_its_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let jars = make_product(&admin, "Sauce").await;
    let (pasig, mandaue) = (make_commissary(&admin, "Pasig").await, make_commissary(&admin, "Mandaue").await);
    let at = |place: &Value, quantity: Value| json!({ "quantity": quantity, "placeKind": "commissary", "placeId": place["id"] });
    let adjust = format!("{}/adjust", path_of(&jars));
    admin.post(&adjust, &at(&pasig, json!(36))).await.expect(200);
    let done = admin.post(&adjust, &at(&mandaue, json!(5))).await.expect(200);
    assert_eq!((&done["movement"]["qty"], &done["movement"]["balanceAfter"]), (&json!(5), &json!(5)));
    assert_eq!(done["product"]["quantity"], 41);
    let done = admin.post(&adjust, &at(&pasig, json!(30))).await.expect(200);
    assert_eq!((&done["movement"]["qty"], &done["product"]["quantity"]), (&json!(-6), &json!(35)));
    assert_eq!(admin.post(&adjust, &at(&pasig, json!(30))).await.expect(200)["movement"], Value::Null);
    // Without a place, only the default one's stock can be reduced.
    assert_eq!(fields(&admin.post(&adjust, &json!({ "quantity": 4 })).await.expect(422)), ["quantity"]);
    let done = admin.post(&adjust, &json!({ "quantity": 5 })).await.expect(200);
    assert_eq!(
        (&done["movement"]["placeName"], &done["movement"]["balanceAfter"]),
        (&json!("Pasig"), &json!(0))
    );
    assert_eq!(stock::verify(&app.db).await.expect("counted"), []);
}

#[rstest]
#[tokio::test]
async fn invalid_quantities_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make_commissary(&admin, "Main").await;
    let product = make_product(&admin, "Flour").await;
    let adjust = format!("{}/adjust", path_of(&product));
    for (quantity, words) in [
        (json!("a dozen"), "Enter a number, for example 12.5."),
        (json!(""), "Enter a number, for example 12.5."),
        (json!(null), "Enter a number, for example 12.5."),
        (json!(true), "Enter a number, for example 12.5."),
        (json!([1]), "Enter a number, for example 12.5."),
        (json!("NaN"), "Enter a number, for example 12.5."),
        (json!(-1), "Enter zero or more."),
        (json!("0.0000001"), "Use at most 6 decimal places."),
        (json!("9007199255"), "This number is too large."),
        (json!("99999999999999999999"), "This number is too large."),
    ] {
        let refusal = admin.post(&adjust, &json!({ "quantity": quantity })).await.expect(422);
        assert_eq!(refusal["fields"], json!([{ "field": "quantity", "message": words }]), "{quantity}");
    }
    let reason = "x".repeat(501);
    let refusal = admin.post(&adjust, &json!({ "quantity": 1, "reason": reason })).await.expect(422);
    assert_eq!(fields(&refusal), ["reason"]);
    let refusal = admin.post(&adjust, &json!({ "quantity": 1, "revision": 7 })).await.expect(409);
    assert_eq!((&refusal["code"], &refusal["current"]["name"]), (&json!("stale"), &json!("Flour")));
    assert_eq!(refusal["detail"], "This record was changed by Ana Cruz. Reload to continue.");
    let service = make(&admin, PATH, json!({ "name": "Baking", "type": "Service" })).await;
    let refusal =
        admin.post(&format!("{}/adjust", path_of(&service)), &json!({ "quantity": 1 })).await.expect(409);
    assert_eq!(refusal["code"], "service");
    for what in ["stock", "movements"] {
        admin.get(&format!("{PATH}/none/{what}")).await.expect(404);
    }
    admin.post(&format!("{PATH}/none/adjust"), &json!({ "quantity": 1 })).await.expect(404);
    assert_eq!(admin.get(&path_of(&product)).await.expect(200)["quantity"], 0);
}

#[rstest]
#[tokio::test]
async fn adjusting_needs_permission(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    make_commissary(&admin, "Main").await;
    let product = make_product(&admin, "Flour").await;
    let path = path_of(&product);
    let viewer = app.user(&[(PRODUCTS, &[Action::View])], None).await;
    viewer.get(&format!("{path}/stock")).await.expect(200);
    viewer.post(&format!("{path}/adjust"), &json!({ "quantity": 1 })).await.expect(403);
    let elsewhere = app.user(&[("lists/allLists", Action::ALL)], None).await;
    for what in ["stock", "movements"] {
        elsewhere.get(&format!("{path}/{what}")).await.expect(403);
        app.nobody().get(&format!("{path}/{what}")).await.expect(401);
    }
    let editor = app.user(&[(PRODUCTS, &[Action::View, Action::Edit])], None).await;
    editor.post(&format!("{path}/adjust"), &json!({ "quantity": 1 })).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn movements_are_read_page_by_page(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let main = make_commissary(&admin, "Main").await;
    let product = make_product(&admin, "Flour").await;
    let mine = make(&admin, "/api/stores/locations", json!({ "name": "Mine" })).await;
    let other = make(&admin, "/api/stores/locations", json!({ "name": "Elsewhere" })).await;
    admin.post(&format!("{}/adjust", path_of(&product)), &json!({ "quantity": 100 })).await.expect(200);
    let day = |text: &str| text.parse::<BusinessDay>().expect("a day");
    let send = |store: &Value, line: i64, qty: i64| {
        let side = |kind, place: &Value, leg, qty| Movement {
            item: stock::product(&id(&product)),
            place: Place { kind, id: id(place) },
            qty: Qty(qty * 1_000_000),
            unit_cost: None,
            line,
            leg,
            lot: None,
        };
        [side(PlaceKind::Commissary, &main, Leg::From, -qty), side(PlaceKind::Store, store, Leg::To, qty)]
    };
    let movements: Vec<Movement> = [send(&mine, 1, 10), send(&other, 2, 20), send(&mine, 3, 5)].concat();
    let posting = |id| Posting {
        document: Document::first(DocumentType::Transfer, id),
        business_date: day("2026-03-02"),
        happened_at: None,
        reason: None,
        movements: &movements,
    };
    let (first, second) = (&posting("t1"), &posting("t2"));
    let by = actor(app.state.now());
    let seqs = app.db.write(&by, async |tx| stock::post(tx, first).await).await.expect("posted");
    assert_eq!(seqs.len(), 6);
    // The same document is not posted twice; the second attempt leaves nothing.
    let twice = app.db.write(&by, async |tx| stock::post(tx, first).await).await.expect_err("posted already");
    assert_eq!(twice.code, "posted");
    let document = |id: &'static str| Document::first(DocumentType::Transfer, id);
    app.db.write(&by, async |tx| stock::post(tx, second).await).await.expect("posted");
    let back = async |by_id: &'static str| {
        app.db
            .write(&by, async |tx| {
                stock::reverse(tx, document("t2"), document(by_id), day("2026-03-03"), Some("Wrong truck"))
                    .await
            })
            .await
    };
    back("t2r").await.expect("reversed");
    assert_eq!(back("t2rr").await.expect_err("once only").code, "reversed");
    let again = app
        .db
        .write(&by, async |tx| {
            stock::reverse(tx, document("t2r"), document("t3"), day("2026-03-03"), None).await
        })
        .await;
    assert_eq!(again.expect_err("a reversal stays").code, "reversal");
    assert_eq!(stock::verify(&app.db).await.expect("counted"), []);

    let stock_of = async |client: &crate::support::Client| {
        let stock = client.get(&format!("{}/stock", path_of(&product))).await.expect(200);
        let places = stock["places"].as_array().expect("places").clone();
        let named =
            places.iter().map(|p| format!("{} {}", p["placeName"].as_str().expect("a name"), p["qty"]));
        let stores = stock["stores"].as_array().expect("stores").iter();
        // Never counted: what came is not what is there.
        let stores = stores.map(|s| format!("{} {}", s["storeName"].as_str().expect("a name"), s["qty"]));
        (stock["quantity"].clone(), named.chain(stores).collect::<Vec<_>>())
    };
    let names = ["Main 65", "Elsewhere null", "Mine null"].map(str::to_owned);
    assert_eq!(stock_of(&admin).await, (json!(65), names.to_vec()));
    let scoped = app.user(&[(PRODUCTS, &[Action::View])], Some(&[id(&mine)])).await;
    assert_eq!(stock_of(&scoped).await, (json!(65), vec!["Main 65".to_owned(), "Mine null".to_owned()]));

    let page = async |client: &crate::support::Client, query: &str| {
        client.get(&format!("{}/movements?{query}", path_of(&product))).await.expect(200)
    };
    let all = page(&admin, "").await;
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(19), Some(19)));
    let seqs: Vec<i64> =
        all["items"].as_array().expect("items").iter().filter_map(|m| m["seq"].as_i64()).collect();
    assert_eq!(seqs.len(), 19, "each has a place: {seqs:?}");
    assert!(seqs.windows(2).all(|pair| pair[0] > pair[1]), "the latest first: {seqs:?}");
    let latest = &all["items"][0];
    assert_eq!((&latest["reason"], latest["reverses"].is_i64()), (&json!("Wrong truck"), true));
    let third = page(&admin, "pageSize=6&page=4").await;
    assert_eq!((&third["total"], third["items"].as_array().map(Vec::len)), (&json!(19), Some(1)));
    assert_eq!(third["items"][0]["documentType"], "adjustment");
    // Running balances of one place, oldest first; a store has none.
    let balances = async |query: String| {
        let page = page(&admin, &query).await;
        let items = page["items"].as_array().expect("items").iter().rev();
        items.map(|movement| movement["balanceAfter"].as_i64()).collect::<Vec<_>>()
    };
    let at_main = balances(format!("placeKind=commissary&placeId={}", id(&main))).await;
    assert_eq!(at_main, [100, 90, 70, 65, 55, 35, 30, 40, 60, 65].map(Some));
    let at_mine = balances(format!("placeKind=store&placeId={}", id(&mine))).await;
    assert_eq!(at_mine, [None; 6]);
    assert_eq!(page(&admin, "from=2026-03-03&to=2026-03-03").await["total"], 6);
    assert_eq!(page(&admin, "from=2026-03-02&to=2026-03-02&placeKind=store").await["total"], 6);
    assert_eq!(page(&scoped, "").await["total"], 16, "inaccessible stores are left out");
    assert_eq!(page(&scoped, &format!("placeId={}", id(&other))).await["total"], 0);
    for (query, field) in [("page=0", "page"), ("pageSize=1001", "pageSize")] {
        let refusal = admin.get(&format!("{}/movements?{query}", path_of(&product))).await.expect(422);
        assert_eq!(fields(&refusal), [field]);
    }

    let refusal = admin.delete(&path_of(&product)).await.expect(409);
    assert_eq!(refusal["code"], "inUse");
    assert_eq!(refusal["detail"], "This product is used by 19 stock movements; change those first.");
}

#[rstest]
#[tokio::test]
async fn unknown_records_are_not_posted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let main = make_commissary(&admin, "Main").await;
    let product = make_product(&admin, "Flour").await;
    let good = Movement {
        item: stock::product(&id(&product)),
        place: Place { kind: PlaceKind::Commissary, id: id(&main) },
        qty: Qty(1),
        unit_cost: None,
        line: 1,
        leg: Leg::Only,
        lot: None,
    };
    let elsewhere = Place { kind: PlaceKind::ColdStorage, id: id(&main) };
    for (wrong, status) in [
        (Movement { item: stock::product("none"), ..good.clone() }, 404),
        (Movement { place: elsewhere, ..good.clone() }, 404),
        (Movement { qty: Qty::ZERO, ..good.clone() }, 422),
        (Movement { qty: Qty(1 << 53), ..good.clone() }, 422),
    ] {
        let movements = [Movement { line: 2, ..good.clone() }, wrong];
        let posting = &Posting {
            document: Document::first(DocumentType::Receipt, "r"),
            business_date: BusinessDay(20_000),
            happened_at: None,
            reason: None,
            movements: &movements,
        };
        let by = actor(app.state.now());
        let refusal =
            app.db.write(&by, async |tx| stock::post(tx, posting).await).await.expect_err("refused");
        assert_eq!(refusal.status.as_u16(), status, "{refusal}");
    }
    // Twice almost the maximum is too much.
    for (line, fits) in [(1, true), (2, false)] {
        let movements = [Movement { qty: Qty((1 << 53) - 1), line, ..good.clone() }];
        let posting = &Posting {
            document: Document::first(DocumentType::Receipt, "r"),
            business_date: BusinessDay(20_000),
            happened_at: None,
            reason: None,
            movements: &movements,
        };
        let by = actor(app.state.now());
        let posted = app.db.write(&by, async |tx| stock::post(tx, posting).await).await;
        assert_eq!(posted.is_ok(), fits);
    }
    assert_eq!(stock::verify(&app.db).await.expect("counted"), []);
    let temper = async |text: &'static str| {
        let by = actor(app.state.now());
        app.db.write(&by, async |tx| tx.sql(text).execute().await).await
    };
    assert!(temper("update stock_movements set qty = 1").await.is_err(), "past movements remain");
    assert!(temper("delete from stock_movements").await.is_err(), "past movements remain");
}

#[rstest]
#[tokio::test]
async fn a_new_product_starts_with_its_opening_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let kg = super::make_uom(&admin, "kg").await;
    let body = |name: &str, quantity: Value| json!({ "name": name, "baseUom": kg, "quantity": quantity });
    let refusal = admin.post(PATH, &body("Flour", json!(5))).await.expect(422);
    assert_eq!(refusal["detail"], "Add a commissary first: stock needs a place.");
    let kitchen = make_commissary(&admin, "Kitchen").await;
    let made = admin.post(PATH, &body("Flour", json!("12.5"))).await.expect(201);
    assert_eq!(made["quantity"], 12.5);
    let movements = admin.get(&format!("{}/movements", path_of(&made))).await.expect(200);
    let [movement] = movements["items"].as_array().expect("movements").as_slice() else {
        panic!("{movements}")
    };
    assert_eq!((&movement["qty"], &movement["placeId"]), (&json!(12.5), &kitchen["id"]));
    assert_eq!(movement["reason"], "Opening quantity");
    for wrong in [json!(-1), json!("much"), json!(1e300)] {
        assert_eq!(fields(&admin.post(PATH, &body("Salt", wrong)).await.expect(422)), ["quantity"]);
    }
    assert_eq!(admin.get(&format!("{PATH}?q=salt")).await.expect(200)["total"], 0);
    let maker = app.user(&[(PRODUCTS, &[Action::View, Action::Create])], None).await;
    assert_eq!(fields(&maker.post(PATH, &body("Salt", json!(1))).await.expect(403)), ["quantity"]);
    maker.post(PATH, &body("Salt", json!(0))).await.expect(201);
}
