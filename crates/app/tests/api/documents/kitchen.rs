//! Commissary orders: matrix, allocation, deliveries in one step, batches.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{DELIVERIES, ORDERS, Site, made, path, said, step_as};
use crate::support::{Engine, one_engine};

const PRODUCTION: &str = "/api/commissary/production";
const MATRIX: &str = "/api/commissary/orders";

/// Three more stores, all ordering buns from the commissary.
struct Stores {
    site: Site,
    stores: Vec<String>,
}

impl Stores {
    async fn start(on: Engine) -> Self {
        let site = Site::start(on).await;
        let mut stores = vec![site.store.clone()];
        for (name, code) in [("Makati", "MKT"), ("Pasay", "PSY"), ("Taguig", "TGG")] {
            stores.push(
                made(&site.admin, "/api/stores/locations", json!({ "name": name, "code": code })).await,
            );
        }
        Self { site, stores }
    }

    /// A submitted order of this many cases for a store.
    async fn submitted(&self, store: usize, cases: i64) -> Value {
        let site = &self.site;
        let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": cases }]));
        body["storeId"] = json!(self.stores[store]);
        let order = site.admin.post(ORDERS, &body).await.expect(201);
        site.step(ORDERS, &order, "submit", json!({})).await.expect(200)
    }

    fn asked(&self) -> String {
        format!("{MATRIX}?commissaryId={}&neededDate={}", self.site.kitchen, self.site.soon())
    }

    async fn matrix(&self) -> Value {
        self.site.admin.get(&self.asked()).await.expect(200)
    }

    /// An allocation request for the matrix as read.
    fn share(&self, matrix: &Value, more: Value) -> Value {
        let stores = matrix["stores"].as_array().expect("stores");
        let orders: Vec<Value> = stores
            .iter()
            .flat_map(|store| store["orders"].as_array().expect("orders"))
            .map(|order| json!({ "id": order["id"], "revision": order["revision"] }))
            .collect();
        let mut body = json!({
            "commissaryId": self.site.kitchen, "neededDate": self.site.soon(), "orders": orders,
        });
        for (name, value) in more.as_object().expect("an object") {
            body[name] = value.clone();
        }
        body
    }
}

fn shares(answer: &Value) -> Vec<(String, Value)> {
    let lines = answer["products"][0]["lines"].as_array().expect("lines");
    lines
        .iter()
        .map(|line| (line["storeId"].as_str().expect("id").to_owned(), line["share"].clone()))
        .collect()
}

#[rstest]
#[tokio::test]
async fn shortages_are_allocated_and_delivered(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let it = Stores::start(on).await;
    let site = &it.site;
    // 18 cases in stock, 35 ordered: proportionally 6.17, 6.69, 1.03, 4.11; the last case goes to the largest
    // remainder.
    site.stock(&site.buns, 18 * 24).await;
    let mut orders = Vec::new();
    for (store, cases) in [(0, 12), (1, 13), (2, 2), (3, 8)] {
        orders.push(it.submitted(store, cases).await);
    }
    let matrix = it.matrix().await;
    assert_eq!(matrix["stores"].as_array().map(Vec::len), Some(4));
    let product = &matrix["products"][0];
    for (figure, cases) in [("ordered", 35), ("toSend", 35), ("onHand", 18), ("short", 17)] {
        assert_eq!(product[figure], json!(cases * 24), "{figure}");
    }
    assert_eq!(
        (&product["uomCode"], &product["whole"], &product["factor"], &product["made"]),
        (&json!("case"), &json!(true), &json!(24), &json!(false))
    );
    // With a later day they are in the matrix too, but late only after their own day.
    let later = format!("{MATRIX}?commissaryId={}&neededDate={}", site.kitchen, site.soon().plus(3));
    assert_eq!(site.admin.get(&later).await.expect(200)["stores"][0]["orders"][0]["late"], false);
    let wrong =
        site.admin.get(&format!("{MATRIX}?commissaryId=none&neededDate=2026-01-01")).await.expect(422);
    assert_eq!(said(&wrong, "commissaryId"), "Choose a commissary.");

    let dry =
        site.admin.post(&format!("{MATRIX}/share"), &it.share(&matrix, json!({ "dryRun": true }))).await;
    let dry = dry.expect(200);
    let mut found = shares(&dry);
    let place = |id: &str| it.stores.iter().position(|store| store == id).expect("a store");
    found.sort_by_key(|(store, _)| place(store));
    let given: Vec<&Value> = found.iter().map(|(_, share)| share).collect();
    assert_eq!(given, [&json!(6), &json!(7), &json!(1), &json!(4)]);
    assert_eq!((&dry["written"], &dry["products"][0]["given"]), (&json!(false), &json!(18 * 24)));
    assert_eq!(site.fresh(ORDERS, &orders[0]).await["status"], "submitted");

    // Manually: never more than ordered, nor more than in stock.
    let cells = matrix["cells"].as_array().expect("cells");
    let line_of = |store: usize| {
        cells.iter().find(|cell| cell["storeId"] == json!(it.stores[store])).expect("a cell")["orderLineId"]
            .clone()
    };
    let hand = json!({ "lines": [{ "orderLineId": line_of(2), "qty": 3 }] });
    let refused = site.admin.post(&format!("{MATRIX}/share"), &it.share(&matrix, hand)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qty"), "At most 2 case were ordered.");
    let hand = json!({ "lines": [{ "orderLineId": line_of(2), "qty": 1.5 }] });
    let refused = site.admin.post(&format!("{MATRIX}/share"), &it.share(&matrix, hand)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a whole number: case is not split.");
    let hand = json!({ "lines": [
        { "orderLineId": line_of(0), "qty": 12 }, { "orderLineId": line_of(1), "qty": 7 },
    ] });
    let refused = site.admin.post(&format!("{MATRIX}/share"), &it.share(&matrix, hand)).await.expect(422);
    assert_eq!(said(&refused, "lines.1.qty"), "Only 6 case are left of Buns.");

    // Another order is submitted meanwhile: allocating from the outdated matrix is refused.
    let body = it.share(&matrix, json!({ "lines": [{ "orderLineId": line_of(2), "qty": 2 }] }));
    let reopened = site.step(ORDERS, &orders[3], "cancel", json!({})).await.expect(200);
    assert_eq!(reopened["status"], "cancelled");
    let refused = site.admin.post(&format!("{MATRIX}/share"), &body).await.expect(409);
    assert_eq!(refused["code"], "stale");
    orders[3] = it.submitted(3, 8).await;
    let matrix = it.matrix().await;

    let rights: &[(&str, &[Action])] = &[("commissary/orders", &[Action::View, Action::Edit])];
    let clerk = site.app.user(rights, None).await;
    let body = it.share(&matrix, json!({ "lines": [{ "orderLineId": line_of(2), "qty": 2 }] }));
    clerk.post(&format!("{MATRIX}/share"), &body).await.expect(403);
    let written = site.admin.post(&format!("{MATRIX}/share"), &body).await.expect(200);
    assert_eq!((&written["written"], written["orders"].as_array().map(Vec::len)), (&json!(true), Some(4)));
    // 16 are left for 33: 5.8, 6.3, 3.9 → 5 + 1, 6, 3 + 1.
    let (asked, expected) = ([12, 13, 2, 8], [6, 6, 2, 4]);
    for (at, order) in orders.iter().enumerate() {
        let order = site.fresh(ORDERS, order).await;
        // The rest is not cut: it stays to be sent.
        assert_eq!(
            (&order["status"], &order["lines"][0]["qtyApproved"]),
            (&json!("approved"), &json!(asked[at]))
        );
        let share = &order["lines"][0]["share"];
        if at == 2 {
            // It got its full order, though manually.
            assert_eq!(share, &Value::Null);
        } else {
            assert_eq!(
                (&share["method"], &share["available"], &share["wanted"], &share["upTo"]),
                (&json!("proportional"), &json!(18 * 24), &json!(35 * 24), &json!(expected[at]))
            );
            assert!(
                order["lines"][0]["reason"].as_str().expect("a reason").starts_with("There was too little")
            );
        }
    }
    // Repeating it with old revisions is refused.
    assert_eq!(site.admin.post(&format!("{MATRIX}/share"), &body).await.expect(409)["code"], "stale");
    // More stock arrives: earlier allocations are redone, up to the ordered quantity.
    site.stock(&site.buns, 40 * 24).await;
    let matrix = it.matrix().await;
    site.admin.post(&format!("{MATRIX}/share"), &it.share(&matrix, json!({}))).await.expect(200);
    for (order, cases) in orders.iter().zip([12, 13, 2, 8]) {
        let line = &site.fresh(ORDERS, order).await["lines"][0];
        assert_eq!(
            (&line["qtyApproved"], &line["share"], &line["reason"]),
            (&json!(cases), &Value::Null, &Value::Null)
        );
    }

    let ids: Vec<&Value> = orders.iter().map(|order| &order["id"]).collect();
    let made =
        site.admin.post(&format!("{MATRIX}/deliveries"), &json!({ "orderIds": ids })).await.expect(200);
    let items = made["items"].as_array().expect("items");
    assert_eq!(items.len(), 4);
    assert!(items.iter().all(|item| item["problem"].is_null() && item["deliveryNo"].is_string()), "{made}");
    // Nothing is left: each store gets a message, and no delivery is created.
    let again =
        site.admin.post(&format!("{MATRIX}/deliveries"), &json!({ "orderIds": ids })).await.expect(200);
    assert!(again["items"][0]["problem"].as_str().expect("words").starts_with("Nothing is left to send"));
    let deliveries = site.admin.get(DELIVERIES).await.expect(200);
    assert_eq!(deliveries["total"], 4);
}

/// The columns of the matrix add up, per product and per line, and the lines to the products.
pub fn adds_up(matrix: &Value) {
    let figure = |of: &Value, name: &str| of[name].as_f64().unwrap_or_else(|| panic!("{name} in {of}"));
    let all = |name: &str| matrix[name].as_array().expect("a list").clone();
    for row in all("products").iter().chain(&all("cells")) {
        let is = |name: &str| figure(row, name);
        assert_eq!(is("ordered"), is("cut") + is("approved"), "{row}");
        assert_eq!(is("approved"), is("sent") + is("toSend") + is("closedShort"), "{row}");
    }
    for row in all("products") {
        assert_eq!(figure(&row, "toSend"), figure(&row, "covered") + figure(&row, "short"), "{row}");
        for name in ["ordered", "cut", "approved", "sent", "toSend", "sendable", "closedShort"] {
            let cells = all("cells");
            let of_row = cells.iter().filter(|cell| cell["productId"] == row["productId"]);
            let sum: f64 = of_row.map(|cell| figure(cell, name) * figure(cell, "factor")).sum();
            assert_eq!(sum, figure(&row, name), "{name} of {row}");
        }
    }
}

/// The figures of buns in the matrix, in cases.
fn buns(matrix: &Value, names: [&str; 6]) -> [f64; 6] {
    names.map(|name| matrix["products"][0][name].as_f64().unwrap_or(f64::NAN) / 24.0)
}

#[rstest]
#[tokio::test]
async fn sharing_says_what_it_did_and_leaves_short_what_is_short(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let it = Stores::start(on).await;
    let site = &it.site;
    let names = ["approved", "sent", "toSend", "sendable", "short", "closedShort"];
    site.stock(&site.buns, 18 * 24).await;
    let mut orders = Vec::new();
    for (store, cases) in [(0, 12), (1, 13), (2, 2), (3, 8)] {
        orders.push(it.submitted(store, cases).await);
    }
    let matrix = it.matrix().await;
    adds_up(&matrix);
    assert_eq!(buns(&matrix, names), [35.0, 0.0, 35.0, 35.0, 17.0, 0.0]);
    let at = format!("{MATRIX}/share");
    let shared = site.admin.post(&at, &it.share(&matrix, json!({}))).await.expect(200);
    let product = &shared["products"][0];
    assert_eq!(
        product["words"],
        "Shared 18 case of Buns over 4 stores: Cubao 12 → 6, Makati 13 → 7, Pasay 2 → 1, Taguig 8 → 4. \
         17 case stay short: there were 18 case for 35."
    );
    assert_eq!((&product["short"], &product["uomCode"]), (&json!(17 * 24), &json!("case")));
    let cubao = product["lines"].as_array().expect("lines").iter().find(|line| line["storeId"] == site.store);
    let cubao = cubao.expect("a line");
    assert_eq!((&cubao["before"], &cubao["share"], &cubao["short"]), (&json!(12), &json!(6), &json!(6)));
    let matrix = it.matrix().await;
    adds_up(&matrix);
    assert_eq!(buns(&matrix, names), [35.0, 0.0, 35.0, 18.0, 17.0, 0.0]);
    // Nothing changed since: sharing again says only what is short.
    let again = site.admin.post(&at, &it.share(&matrix, json!({ "dryRun": true }))).await.expect(200);
    assert_eq!(
        again["products"][0]["words"],
        "Shared 18 case of Buns over 4 stores. 17 case stay short: there were 18 case for 35."
    );
    // What is to be bought is named, in the unit it is ordered in.
    let asked = format!("?commissaryId={}&neededDate={}", site.kitchen, site.soon());
    let list = site.admin.get(&format!("{MATRIX}/production{asked}")).await.expect(200);
    let bought = &list["withoutRecipe"][0];
    assert_eq!((&bought["name"], &bought["net"]), (&json!("Buns"), &json!(17 * 24)));
    assert_eq!(
        (&bought["toBuy"]["name"], &bought["toBuy"]["qty"], &bought["toBuy"]["uomCode"]),
        (&json!("Buns"), &json!(17), &json!("case"))
    );

    // A truck takes the share; the rest is on no truck and counts 0 on order.
    let on_order = async || {
        let day = larder_domain::BusinessDay::of(site.app.state.now());
        let stores = std::slice::from_ref(&site.store);
        let coming = larder_documents::orders::coming::coming(&site.app.db, stores, None, day);
        let coming = coming.await.expect("read");
        let by_truck =
            coming.iter().filter(|it| it.stage != larder_domain::delivery_calendar::Stage::LeftBehind);
        by_truck.map(|it| it.qty.0 / 24_000_000).sum::<i64>()
    };
    assert_eq!(on_order().await, 6);
    let order = site.fresh(ORDERS, &orders[0]).await;
    let delivery = site.packed(&order).await;
    assert_eq!(delivery["lines"][0]["ordered"], 6);
    assert_eq!(on_order().await, 6);
    let refused = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(409);
    assert_eq!(refused["code"], "nothingToSend");
    // Cancelled, it can be made again.
    site.step(DELIVERIES, &delivery, "cancel", json!({})).await.expect(200);
    let sent = site.dispatched(&order).await;
    let matrix = it.matrix().await;
    adds_up(&matrix);
    assert_eq!(buns(&matrix, names), [35.0, 6.0, 29.0, 12.0, 17.0, 0.0]);
    assert_eq!(on_order().await, 6);

    // Short until it is closed short.
    let order = site.fresh(ORDERS, &orders[0]).await;
    assert_eq!(order["status"], "inFulfilment");
    site.step(ORDERS, &order, "close-short", json!({})).await.expect(200);
    let matrix = it.matrix().await;
    adds_up(&matrix);
    assert_eq!(buns(&matrix, names), [35.0, 6.0, 23.0, 12.0, 11.0, 6.0]);
    // Or until there is more: what was undispatched and what came are shared to the rest.
    site.step(DELIVERIES, &sent, "undispatch", json!({ "reason": "Engine trouble" })).await.expect(200);
    let matrix = it.matrix().await;
    adds_up(&matrix);
    site.stock(&site.buns, 40 * 24).await;
    let matrix = it.matrix().await;
    let shared = site.admin.post(&at, &it.share(&matrix, json!({}))).await.expect(200);
    assert_eq!(shared["products"][0]["short"], 0);
    let matrix = it.matrix().await;
    adds_up(&matrix);
    let [_, _, to_send, sendable, short, _] = buns(&matrix, names);
    assert_eq!((to_send, short), (sendable, 0.0));
}

#[rstest]
#[tokio::test]
async fn of_two_concurrent_allocations_one_succeeds(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let it = Stores::start(on).await;
    let site = &it.site;
    site.stock(&site.buns, 5 * 24).await;
    for store in 0..4 {
        it.submitted(store, 3).await;
    }
    let matrix = it.matrix().await;
    let body = it.share(&matrix, json!({}));
    let at = format!("{MATRIX}/share");
    let tries = (0..8).map(|_| site.admin.post(&at, &body));
    let answers = futures::future::join_all(tries).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 409)), "{statuses:?}");
}

/// Flour in bags, dough by the kilo, rolls of dough: two levels of recipes.
pub async fn bakery(site: &Site) -> (String, String, String, String) {
    let lists = "/api/lists";
    let admin = &site.admin;
    let kilo = made(admin, &format!("{lists}/uoms"), json!({ "name": "Kilo", "code": "kg" })).await;
    let root = |name: &str| json!({ "name": name, "rootProductId": name, "production": true });
    let flour_root = made(admin, &format!("{lists}/root-items"), root("Flour")).await;
    let dough_root = made(admin, &format!("{lists}/root-items"), root("Dough")).await;
    let yeast_root = made(admin, &format!("{lists}/root-items"), root("Yeast")).await;
    let product = |name: &str, sku: &str, uom: &str, root: &str, per: f64, shelf: Option<i64>| {
        json!({
            "name": name, "sku": sku, "baseUom": uom, "shelfLife": shelf,
            "rootItemConversions": [{ "rootItemId": root, "factor": per }],
        })
    };
    let flour = made(admin, "/api/products", product("Flour", "FLO", &kilo, &flour_root, 1000.0, None)).await;
    let dough =
        made(admin, "/api/products", product("Dough", "DOU", &kilo, &dough_root, 1000.0, Some(3))).await;
    let rolls = made(
        admin,
        "/api/products",
        json!({ "name": "Rolls", "sku": "ROL", "baseUom": site.piece, "shelfLife": 2 }),
    )
    .await;
    let recipe = |name: &str, product: &str, yields: i64, uom: &str, items: Value| json!({ "name": name, "productId": product, "yieldQty": yields, "yieldUomId": uom, "rootItems": items });
    let dough_items =
        json!([{ "rootItemId": flour_root, "qty": 6000 }, { "rootItemId": yeast_root, "qty": 50 }]);
    made(admin, &format!("{lists}/recipes"), recipe("Dough", &dough, 10, &kilo, dough_items)).await;
    let rolls_items = json!([{ "rootItemId": dough_root, "qty": 2400 }]);
    let rolls_recipe =
        made(admin, &format!("{lists}/recipes"), recipe("Rolls", &rolls, 40, &site.piece, rolls_items)).await;
    (flour, dough, rolls, rolls_recipe)
}

#[rstest]
#[tokio::test]
async fn a_batch_uses_the_ingredients_of_its_recipe(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let (flour, dough, rolls, recipe) = bakery(&site).await;
    site.stock(&flour, 20).await;
    site.stock(&dough, 2).await;
    let mut body =
        site.order(json!([{ "productId": rolls, "qty": 200 }, { "productId": site.rice, "qty": 1 }]));
    body["neededDate"] = json!(site.soon());
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let asked = format!("?commissaryId={}&neededDate={}", site.kitchen, site.soon());
    let list = site.admin.get(&format!("{MATRIX}/production{asked}")).await.expect(200);
    // 200 rolls are 5 batches: 12 kg of dough, 2 in stock, 1 batch of 10.
    let items: Vec<(&Value, &Value, &Value, &Value)> = list["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| (&item["name"], &item["level"], &item["net"], &item["batches"]))
        .collect();
    assert_eq!(
        items,
        [
            (&json!("Rolls"), &json!(0), &json!(200), &json!(5)),
            (&json!("Dough"), &json!(1), &json!(10), &json!(1)),
        ]
    );
    let ingredients: Vec<(&Value, &Value, &Value)> = list["ingredients"]
        .as_array()
        .expect("ingredients")
        .iter()
        .map(|item| (&item["name"], &item["needed"], &item["missing"]))
        .collect();
    assert_eq!(
        ingredients,
        [(&json!("Flour"), &json!(6000), &json!(0)), (&json!("Yeast"), &json!(50), &json!(50))]
    );
    assert_eq!(list["withoutRecipe"][0]["name"], "Rice cakes");

    // The dough first; its yeast is not a product, so nothing is posted for it, and a note says so.
    let plan =
        json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "plannedDate": site.soon() });
    let batch = site.admin.post(PRODUCTION, &plan).await.expect(201);
    assert_eq!(
        (&batch["planned"], &batch["made"], &batch["unposted"]),
        (&json!(10), &Value::Null, &json!(["Yeast"]))
    );
    assert_eq!(batch["lines"][0]["planned"], 6);
    let matrix = site.admin.get(&format!("{MATRIX}{asked}")).await.expect(200);
    let of_rolls = matrix["products"]
        .as_array()
        .expect("products")
        .iter()
        .find(|p| p["name"] == "Rolls")
        .expect("rolls");
    assert_eq!(
        (&of_rolls["made"], &of_rolls["short"], &of_rolls["toProduce"]),
        (&json!(true), &json!(200), &json!(200))
    );
    let refused = site
        .admin
        .patch(&path(PRODUCTION, &batch), &json!({ "revision": 1, "batches": 0 }))
        .await
        .expect(422);
    assert_eq!(said(&refused, "batches"), "Enter a whole number of batches above zero.");
    let change = json!({
        "revision": batch["revision"], "made": 9.5,
        "lines": [{ "id": batch["lines"][0]["id"], "qty": 6.2 }],
    });
    let batch = site.admin.patch(&path(PRODUCTION, &batch), &change).await.expect(200);
    assert_eq!(batch["yieldPercent"], 95);
    // Ten times the planned quantity is treated as a typing error.
    let typed = json!({ "revision": batch["revision"], "made": 950_000 });
    let typed = site.admin.patch(&path(PRODUCTION, &batch), &typed).await.expect(200);
    let refused = site.step(PRODUCTION, &typed, "post", json!({})).await.expect(422);
    assert_eq!(refused["code"], "muchMore");
    let words = "This is more than 10 times the 10 kg that were planned. Check the quantity.";
    assert_eq!(said(&refused, "made"), words);
    let unseen = json!({ "override": true, "reason": "\u{200b}" });
    let refused = site.step(PRODUCTION, &typed, "post", unseen).await.expect(422);
    assert_eq!(said(&refused, "reason"), "Say why.");
    let again = json!({ "revision": typed["revision"], "made": 9.5 });
    let batch = site.admin.patch(&path(PRODUCTION, &batch), &again).await.expect(200);
    let posted = site.step(PRODUCTION, &batch, "post", json!({})).await.expect(200);
    assert_eq!((&posted["status"], &posted["lot"]), (&json!("posted"), &posted["productionNo"]));
    assert!(posted["expiry"].is_string());
    let there = async |product: &str| {
        let found = site.app.db.sql("select qty from stock_balances where item_id = $1").bind(product);
        found.scalar::<i64>().await.expect("a balance")
    };
    assert_eq!((there(&dough).await, there(&flour).await), (11_500_000, 13_800_000));

    // The rolls use the new lot as far as it goes, then stock without a lot.
    let plan = json!({ "commissaryId": site.kitchen, "recipeId": recipe, "batches": 5 });
    let batch = site.admin.post(PRODUCTION, &plan).await.expect(201);
    let refused = site.step(PRODUCTION, &batch, "post", json!({})).await.expect(409);
    assert_eq!(said(&refused, "lines.0.qty"), "Only 11.5 kg on hand.");
    let batch = site.fresh(PRODUCTION, &batch).await;
    let change = json!({ "revision": batch["revision"], "batches": 4 });
    let batch = site.admin.patch(&path(PRODUCTION, &batch), &change).await.expect(200);
    assert_eq!((&batch["planned"], &batch["lines"][0]["planned"]), (&json!(160), &json!(9.6)));
    let rolls_posted = site.step(PRODUCTION, &batch, "post", json!({})).await.expect(200);
    let lots: Vec<(Option<String>, i64)> = site
        .app
        .db
        .sql("select lot, qty from stock_movements where document_id = $1 and item_id = $2 order by seq")
        .bind(rolls_posted["id"].as_str().expect("id"))
        .bind(&dough)
        .all()
        .await
        .expect("movements");
    let lot = posted["lot"].as_str().map(str::to_owned);
    assert_eq!(lots, [(lot.clone(), -9_500_000), (None, -100_000)]);

    // Reversing the dough: part of it was used for rolls.
    let refused =
        site.step(PRODUCTION, &posted, "reverse", json!({ "reason": "Mistyped" })).await.expect(409);
    assert_eq!(refused["code"], "notEnough");
    // 1.9 kg are left without a lot, and nothing of the batch.
    let words = format!(
        "Part of this batch has left already: only 0 kg of lot {} on hand.",
        posted["lot"].as_str().expect("a lot")
    );
    assert_eq!(refused["detail"], words);
    site.step(PRODUCTION, &rolls_posted, "reverse", json!({})).await.expect(422);
    site.step(PRODUCTION, &rolls_posted, "reverse", json!({ "reason": "Mistyped" })).await.expect(200);
    site.step(PRODUCTION, &posted, "reverse", json!({ "reason": "Mistyped" })).await.expect(200);
    assert_eq!((there(&dough).await, there(&flour).await, there(&rolls).await), (2_000_000, 20_000_000, 0));
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn the_reason_of_an_override_stays_beside_the_ingredient(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let (_, dough, ..) = bakery(&site).await;
    let plan = json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1 });
    let batch = site.admin.post(PRODUCTION, &plan).await.expect(201);
    assert_eq!(site.step(PRODUCTION, &batch, "post", json!({})).await.expect(409)["code"], "notEnough");
    let force = json!({ "override": true, "reason": "The sacks are not booked yet" });
    let posted = site.step(PRODUCTION, &batch, "post", force).await.expect(200);
    let line = &posted["lines"][0]["id"];
    assert_eq!(
        posted["overrides"],
        json!([{ "lineId": line, "check": "notEnough", "reason": "The sacks are not booked yet" }])
    );
}

#[rstest]
#[tokio::test]
async fn a_recipe_without_a_yield_is_refused(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let recipe = made(&site.admin, "/api/lists/recipes", json!({ "name": "Sauce" })).await;
    let refused = site.admin.post(PRODUCTION, &json!({ "recipeId": recipe })).await.expect(422);
    assert!(said(&refused, "recipeId").starts_with("This recipe makes no product"));
    let refused = site.admin.post(PRODUCTION, &json!({})).await.expect(422);
    assert_eq!(said(&refused, "recipeId"), "Choose a recipe.");
    let clerk = site.app.user(&[("commissary/orders", &[Action::View])], None).await;
    clerk.post(PRODUCTION, &json!({ "recipeId": recipe })).await.expect(403);
    let nowhere = json!({ "id": "none", "revision": 1 });
    step_as(&site.admin, PRODUCTION, &nowhere, "post", json!({})).await.expect(404);
}

/// A divisible unit is allocated in whole units if whole units were ordered.
#[rstest]
#[tokio::test]
async fn whole_packs_are_allocated_if_ordered(#[from(one_engine)] on: Engine) {
    let it = Stores::start(on).await;
    let site = &it.site;
    site.stock(&site.rice, 5).await;
    for (store, pieces) in [(0, 3), (1, 4)] {
        let mut body = site.order(json!([{ "productId": site.rice, "uomId": site.piece, "qty": pieces }]));
        body["storeId"] = json!(it.stores[store]);
        let order = site.admin.post(ORDERS, &body).await.expect(201);
        site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    }
    let matrix = it.matrix().await;
    let dry = it.share(&matrix, json!({ "dryRun": true }));
    let dry = site.admin.post(&format!("{MATRIX}/share"), &dry).await.expect(200);
    let mut given: Vec<String> = shares(&dry).iter().map(|(_, share)| share.to_string()).collect();
    given.sort();
    assert_eq!(given, ["2", "3"]);
}

/// What the kitchen leaves short: cases by order, as listed; Home counts the same lines.
async fn left_short(site: &Site) -> Vec<(Value, f64, f64)> {
    let list = site.admin.get(&format!("{MATRIX}/short")).await.expect(200);
    let lines = list["items"].as_array().expect("items");
    let home = site.admin.get("/api/dashboard/main").await.expect(200);
    let tiles = home["tiles"].as_array().expect("tiles");
    let tile = tiles.iter().find(|tile| tile["name"] == "shortAtKitchen").expect("a tile");
    assert_eq!(tile["waiting"]["count"], json!(lines.len()), "{tile}");
    let figure = |line: &Value, name: &str| line[name].as_f64().expect("a figure");
    let of_line = |line: &Value| {
        let short = figure(line, "short");
        assert!((figure(line, "covered") + short - figure(line, "toSend")).abs() < 1e-9, "{line}");
        (line["orderId"].clone(), short, figure(line, "toSend"))
    };
    lines.iter().map(of_line).collect()
}

#[rstest]
#[tokio::test]
async fn approved_lines_without_stock_are_listed_and_counted_on_home(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 72).await;
    let first = site.approved_for(site.soon(), 2).await;
    assert!(left_short(&site).await.is_empty());
    let second = site.approved_for(site.soon().plus(1), 2).await;
    assert_eq!(left_short(&site).await, [(second["id"].clone(), 1.0, 2.0)], "the earlier day comes first");
    // What waits for an answer takes nothing from approved orders, and is not left short yet.
    let line = json!([{ "productId": site.buns, "uomId": site.case, "qty": 5 }]);
    let waiting = site.admin.post(ORDERS, &site.order(line)).await.expect(201);
    let waiting = site.step(ORDERS, &waiting, "submit", json!({})).await.expect(200);
    assert_eq!(left_short(&site).await, [(second["id"].clone(), 1.0, 2.0)]);
    // The matrix counts it, and says how much of its shortage is not listed.
    let of_buns = async || {
        let matrix = format!("{MATRIX}?commissaryId={}&neededDate={}", site.kitchen, site.soon().plus(1));
        let row = site.admin.get(&matrix).await.expect(200)["products"][0].clone();
        (row["short"].clone(), row["shortWaiting"].clone())
    };
    assert_eq!(of_buns().await, (json!(6 * 24), json!(5 * 24)));
    site.step(ORDERS, &waiting, "reject", json!({ "reason": "Closed that day" })).await.expect(200);

    assert_eq!(of_buns().await, (json!(24), json!(0)), "the matrix is short of the same case");

    // A delivery that is being made ready comes before the order that is needed earlier.
    let delivery = site.admin.post(DELIVERIES, &json!({ "orderIds": [second["id"]] })).await.expect(201);
    assert_eq!(left_short(&site).await, [(first["id"].clone(), 1.0, 2.0)]);
    site.step(DELIVERIES, &delivery, "cancel", json!({})).await.expect(200);
    site.stock(&site.buns, 96).await;
    assert!(left_short(&site).await.is_empty());
    site.stock(&site.buns, 0).await;
    assert_eq!(left_short(&site).await.len(), 2);
    let all = site.fresh(ORDERS, &first).await;
    site.step(ORDERS, &all, "close-short", json!({ "reason": "None left" })).await.expect(200);
    assert_eq!(
        left_short(&site).await,
        [(second["id"].clone(), 2.0, 2.0)],
        "what was closed is short no more"
    );
}

#[rstest]
#[tokio::test]
async fn lines_left_short_are_those_of_visible_stores(#[from(one_engine)] on: Engine) {
    let stores = Stores::start(on).await;
    let site = &stores.site;
    for store in 0..2 {
        let order = stores.submitted(store, 1).await;
        site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    }
    let kitchen = [("commissary/orders", &[Action::View][..])];
    let path = format!("{MATRIX}/short");
    let listed = async |store: usize| {
        let theirs = site.app.user(&kitchen, Some(std::slice::from_ref(&stores.stores[store]))).await;
        let list = theirs.get(&path).await.expect(200);
        list["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|line| line["storeId"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(1).await, [json!(stores.stores[1])]);
    assert!(listed(2).await.is_empty());
    let other = site.app.user(&[("commissary/deliveries", &[Action::View])], None).await;
    other.get(&path).await.expect(403);
}
