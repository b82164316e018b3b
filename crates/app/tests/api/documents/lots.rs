//! Lots: where they are, their origin, their recipients, and recalls.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::kitchen::bakery;
use super::transactions::counted;
use super::{DELIVERIES, ORDERS, RECEIPTS, Site, made, path, said, step_as};
use crate::support::{Client, Engine, actor, one_engine};

const PRODUCTION: &str = "/api/commissary/production";
const KITCHEN: &str = "/api/commissary/orders";

/// A lot of flour was made into dough, the dough into rolls, and rolls were sent to two stores.
struct Chain {
    site: Site,
    makati: String,
    rolls: String,
    dough_lot: String,
    rolls_lot: String,
}

impl Chain {
    async fn start(on: Engine) -> Self {
        let site = Site::start(on).await;
        let (flour, dough, rolls, recipe) = bakery(&site).await;
        site.stock(&flour, 50).await;
        let batch = async |body: Value| {
            let plan = site.admin.post(PRODUCTION, &body).await.expect(201);
            site.step(PRODUCTION, &plan, "post", json!({})).await.expect(200)
        };
        let dough =
            batch(json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "lot": "D-1" }))
                .await;
        let made_rolls =
            batch(json!({ "commissaryId": site.kitchen, "recipeId": recipe, "batches": 3 })).await;
        let makati =
            made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
        let chain = Self {
            rolls_lot: made_rolls["lot"].as_str().expect("a lot").to_owned(),
            dough_lot: dough["lot"].as_str().expect("a lot").to_owned(),
            site,
            makati,
            rolls,
        };
        for (store, pieces) in [(chain.site.store.clone(), 40), (chain.makati.clone(), 30)] {
            chain.sent(&store, pieces).await;
        }
        chain
    }

    /// Rolls ordered and received by a store.
    async fn sent(&self, store: &str, pieces: i64) {
        let delivery = self.on_its_way(store, pieces).await;
        self.received(store, &delivery).await;
    }

    async fn on_its_way(&self, store: &str, pieces: i64) -> Value {
        let site = &self.site;
        let mut body = site.order(json!([{ "productId": self.rolls, "qty": pieces }]));
        body["storeId"] = json!(store);
        let order = site.admin.post(ORDERS, &body).await.expect(201);
        let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
        let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
        let delivery = site.dispatched(&order).await;
        assert_eq!(delivery["lines"][0]["lot"], json!(self.rolls_lot));
        delivery
    }

    async fn received(&self, store: &str, delivery: &Value) {
        let site = &self.site;
        let body = json!({ "storeId": store, "sourceType": "delivery", "sourceId": delivery["id"] });
        let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
        let now = json!({ "happenedAt": site.app.state.now() });
        site.step(RECEIPTS, &receipt, "post", now).await.expect(200);
    }

    /// A recalled lot is received: that is asked about, and wants a reason.
    async fn received_recalled(&self, store: &str, delivery: &Value) {
        let site = &self.site;
        let body = json!({ "storeId": store, "sourceType": "delivery", "sourceId": delivery["id"] });
        let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
        let mut now = json!({ "happenedAt": site.app.state.now() });
        let asked = site.step(RECEIPTS, &receipt, "post", now.clone()).await.expect(409);
        assert_eq!(asked["code"], "recalledArrives");
        assert_eq!(
            said(&asked, "lines.0.received"),
            format!(
                "Lot {} of Rolls is recalled. Reject it, or take it in and put it aside?",
                self.rolls_lot
            )
        );
        now["anyway"] = json!(true);
        let silent = site.step(RECEIPTS, &receipt, "post", now.clone()).await.expect(422);
        assert_eq!(said(&silent, "reason"), "Say what becomes of the recalled lot.");
        now["reason"] = json!("In the quarantine cage");
        let posted = site.step(RECEIPTS, &receipt, "post", now).await.expect(200);
        let steps = posted["steps"].as_array().expect("steps");
        assert_eq!(steps.last().expect("a step")["reason"], "In the quarantine cage");
    }

    /// Has stores count rolls by the piece; the item they count.
    async fn countable(&self) -> String {
        let admin = &self.site.admin;
        let roll = made(admin, "/api/lists/root-items", json!({ "name": "Roll" })).await;
        let item = json!({ "name": "Rolls", "rootItemId": roll, "uomId": self.site.piece });
        let item = made(admin, "/api/lists/store-inventory-items", item).await;
        let at = format!("/api/products/{}", self.rolls);
        let product = admin.get(&at).await.expect(200);
        let parts = json!([{ "rootItemId": roll, "factor": 1 }]);
        let patch = json!({ "revision": product["revision"], "rootItemConversions": parts });
        admin.patch(&at, &patch).await.expect(200);
        item
    }

    /// A store's `seq`th count from its phone, made now.
    async fn counted(&self, store: &str, item: &str, (seq, session): (i64, &str), pieces: i64) {
        let now = self.site.app.state.now();
        let device = format!("phone-{store}");
        let save = json!({
            "op": format!("{device}:{seq}"), "seq": seq, "storeId": store, "itemId": item,
            "date": BusinessDay::of(now), "session": session, "qty": pieces, "at": now,
        });
        let batch = json!({ "deviceId": device, "sentAt": now, "entries": [save] });
        let taken = self.site.admin.post("/api/stores/count/batch", &batch).await.expect(200);
        assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    }

    /// The recalled lots by place: name, likely, at least, at most, came, left.
    async fn recalls(&self) -> Vec<Value> {
        let reply = self.site.admin.get("/api/stock/recalls").await.expect(200);
        let row = |it: &Value| {
            let figures = ["placeName", "likely", "atLeast", "atMost", "came", "left"];
            assert_eq!(it["qty"], it["likely"]);
            Value::from(figures.map(|name| it[name].clone()).to_vec())
        };
        let mut rows: Vec<Value> = reply["items"].as_array().expect("items").iter().map(row).collect();
        rows.sort_by_key(|row| row[0].to_string());
        rows
    }

    async fn verified(&self) {
        assert_eq!(larder_ledgers::stock::verify(&self.site.app.db).await.expect("verified"), []);
    }
}

fn described(trace: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    trace["events"]
        .as_array()
        .expect("events")
        .iter()
        .map(|event| {
            let (from, to) = (text(&event["from"]), text(&event["to"]));
            format!("{} {} {} {from} > {to}", text(&event["event"]), event["qty"], text(&event["name"]))
        })
        .collect()
}

#[rstest]
#[tokio::test]
async fn a_lot_is_traced_from_origin_to_recipients(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let chain = Chain::start(on).await;
    let admin = &chain.site.admin;
    // Where the dough went.
    let trace = admin.get(&format!("/api/stock/lots/{}/trace", chain.dough_lot)).await.expect(200);
    assert_eq!(
        described(&trace),
        [
            "made 10 Dough - > Pasig kitchen",
            "made 120 Rolls - > Pasig kitchen",
            "used 7.2 Dough Pasig kitchen > -",
            "sent 40 Rolls Pasig kitchen > Cubao",
            "received 40 Rolls Pasig kitchen > Cubao",
            "sent 30 Rolls Pasig kitchen > Makati",
            "received 30 Rolls Pasig kitchen > Makati",
        ]
    );
    let sides: Vec<&Value> = trace["lots"].as_array().expect("lots").iter().map(|lot| &lot["side"]).collect();
    assert_eq!(sides, [&json!("asked"), &json!("wentInto")]);
    let there: Vec<(&Value, &Value)> =
        trace["there"].as_array().expect("there").iter().map(|it| (&it["placeName"], &it["qty"])).collect();
    assert!(
        there.contains(&(&json!("Makati"), &json!(30)))
            && there.contains(&(&json!("Pasig kitchen"), &json!(50))),
        "{there:?}"
    );
    // Where the rolls came from.
    let back = admin.get(&format!("/api/stock/lots/{}/trace", chain.rolls_lot)).await.expect(200);
    let sides: Vec<&Value> = back["lots"].as_array().expect("lots").iter().map(|lot| &lot["side"]).collect();
    assert_eq!(sides, [&json!("asked"), &json!("madeOf")]);
    let file = format!("/api/stock/lots/{}/trace/export?format=csv", chain.dough_lot);
    let file = admin.get(&file).await.text();
    assert!(file.contains("Pasig kitchen") && file.lines().count() == 8, "{file}");
    admin.get("/api/stock/lots/none/trace").await.expect(404);

    // A user of one store only sees that store.
    let rights: &[(&str, &[Action])] =
        &[("products/products", &[Action::View]), ("stores/storeReceive", &[Action::View])];
    let theirs = chain.site.app.user(rights, Some(std::slice::from_ref(&chain.makati))).await;
    let trace = theirs.get(&format!("/api/stock/lots/{}/trace", chain.dough_lot)).await.expect(200);
    assert!(!trace.to_string().contains("Cubao"), "{trace}");
    let list = theirs.get("/api/stock/lots").await.expect(200);
    assert!(!list.to_string().contains("Cubao"), "{list}");
    let places = &list["items"]
        .as_array()
        .expect("items")
        .iter()
        .find(|it| it["name"] == "Rolls")
        .expect("rolls")["places"];
    assert_eq!(places.as_array().map(Vec::len), Some(2));
}

#[rstest]
#[tokio::test]
async fn a_recall_blocks_the_lot_and_notifies_every_store(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let list = site.admin.get("/api/stock/lots?expiresBy=2030-01-01&q=roll").await.expect(200);
    assert_eq!(
        (&list["total"], &list["items"][0]["lot"], &list["items"][0]["qty"]),
        (&json!(1), &json!(lot), &json!(120))
    );
    let at = format!("/api/stock/lots/{lot}/recall");
    let refused = site.admin.post(&at, &json!({ "productId": chain.rolls, "reason": " " })).await.expect(422);
    assert_eq!(said(&refused, "reason"), "Say why.");
    let clerk = site.app.user(&[("products/products", &[Action::View, Action::Edit])], None).await;
    let body = json!({ "productId": chain.rolls, "reason": "Metal found" });
    clerk.post(&at, &body).await.expect(403);
    let recalled = site.admin.post(&at, &body).await.expect(200);
    assert_eq!(recalled["storeIds"].as_array().map(Vec::len), Some(2));
    assert_eq!(site.admin.post(&at, &body).await.expect(409)["code"], "recalled");
    site.admin.post("/api/stock/lots/none/recall", &body).await.expect(404);
    let rights: &[(&str, &[Action])] = &[("stores/storeReceive", &[Action::View])];
    let theirs = site.app.user(rights, Some(std::slice::from_ref(&chain.makati))).await;
    let reply = theirs.get("/api/stock/recalls").await.expect(200);
    assert_eq!(reply["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&reply["items"][0]["qty"], &reply["items"][0]["reason"]),
        (&json!(30), &json!("Metal found"))
    );

    // Head office sees the commissary too.
    let everywhere = site.admin.get("/api/stock/recalls").await.expect(200);
    let mut places: Vec<&str> = everywhere["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["placeName"].as_str())
        .collect();
    places.sort_unstable();
    assert_eq!(places, ["Cubao", "Makati", "Pasig kitchen"]);
    let mut paged = Vec::new();
    for page in 1..=3 {
        let one = site.admin.get(&format!("/api/stock/recalls?page={page}&pageSize=1")).await.expect(200);
        assert_eq!((&one["total"], one["items"].as_array().map(Vec::len)), (&json!(3), Some(1)));
        paged.push(one["items"][0].clone());
    }
    assert_eq!(json!(paged), everywhere["items"]);
    site.admin.get("/api/stock/recalls?pageSize=501").await.expect(422);

    // It can no longer be sent, whatever the permissions.
    let body = json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": [{
        "productId": chain.rolls, "uomId": site.piece, "qty": 5, "lot": lot,
    }] });
    let delivery = site.admin.post(DELIVERIES, &body).await.expect(201);
    let force = json!({ "override": true, "reason": "Urgent" });
    let refused = site.step(DELIVERIES, &delivery, "pick", force).await.expect(409);
    assert_eq!(refused["code"], "recalled");

    // Makati writes it off and has no recall notice any more.
    let waste = json!({ "storeId": chain.makati, "lines": [{
        "productId": chain.rolls, "qty": 30, "reason": "recalled", "lot": lot,
    }] });
    let waste = site.admin.post("/api/stores/waste", &waste).await.expect(201);
    site.step("/api/stores/waste", &waste, "submit", json!({})).await.expect(200);
    assert_eq!(theirs.get("/api/stock/recalls").await.expect(200)["items"], json!([]));
    let release = format!("/api/stock/lots/{lot}/release");
    let unsaid =
        site.admin.post(&release, &json!({ "productId": chain.rolls, "reason": "" })).await.expect(422);
    assert_eq!(said(&unsaid, "reason"), "Say why.");
    let body = json!({ "productId": chain.rolls, "reason": "Another machine's lot" });
    site.admin.post(&release, &body).await.expect(200);
    assert_eq!(site.admin.post(&release, &body).await.expect(409)["code"], "notRecalled");
    let delivery = site.admin.get(&path(DELIVERIES, &delivery)).await.expect(200);
    let picked = site.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
    let packed = site.step(DELIVERIES, &picked, "pack", json!({})).await.expect(200);
    let sent = step_as(&site.admin, DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);

    let way = site.admin.get("/api/stock/in-transit").await.expect(200);
    assert_eq!((&way["late"], way["items"].as_array().map(Vec::len)), (&json!(0), Some(1)));
    let item = &way["items"][0];
    assert_eq!((&item["number"], &item["lines"][0]["qty"]), (&sent["deliveryNo"], &json!(5)));
    assert!(item["dispatchedAt"].is_string());
    site.app.clock.advance(4 * 24 * 3_600);
    let later = site.app.user(rights, None).await;
    let late = later.get("/api/stock/in-transit").await.expect(200);
    assert_eq!(late["late"], 1);
}

#[rstest]
#[tokio::test]
async fn a_recall_asks_every_place_until_it_answers(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let (cubao, makati) = (site.store.clone(), chain.makati.clone());
    let delivery = chain.on_its_way(&cubao, 10).await;
    let item = chain.countable().await;
    chain.counted(&makati, &item, (1, "opening"), 12).await;
    chain.counted(&cubao, &item, (1, "opening"), 0).await;
    let recall = async || {
        let body = json!({ "productId": chain.rolls, "reason": "Metal found" });
        site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &body).await.expect(200)
    };
    recall().await;
    // Cubao has probably none, and has to look all the same.
    let (kitchen, way) =
        (json!(["Pasig kitchen", 40, 40, 40, 120, 80]), json!(["On its way to Cubao", 10, 10, 10, 10, 0]));
    let in_makati = json!(["Makati", 12, 0, 12, 30, 0]);
    let in_cubao = json!(["Cubao", 0, 0, 0, 40, 0]);
    let all = [in_cubao.clone(), in_makati.clone(), way.clone(), kitchen.clone()];
    assert_eq!(chain.recalls().await, all);
    let list = site.admin.get("/api/stock/lots?recalled=true").await.expect(200);
    assert_eq!((&list["total"], &list["recalled"]), (&json!(1), &json!(1)));
    assert_eq!(list["items"][0]["places"].as_array().map(Vec::len), Some(4), "{list}");

    // Those who may only answer for kitchens see kitchens, with access to all stores.
    let cook: &[(&str, &[Action])] = &[("commissary/orders", &[Action::View, Action::Edit])];
    for (stores, names) in [(None, json!(["Pasig kitchen"])), (Some(std::slice::from_ref(&cubao)), json!([]))]
    {
        let reply = site.app.user(cook, stores).await.get("/api/stock/recalls").await.expect(200);
        let items = reply["items"].as_array().expect("items");
        assert_eq!(json!(items.iter().map(|it| &it["placeName"]).collect::<Vec<_>>()), names);
        assert_eq!(reply["total"], items.len());
    }
    let reader = site.app.user(&[("commissary/orders", &[Action::View])], None).await;
    assert_eq!(reader.get("/api/stock/recalls").await.expect(403)["code"], "forbidden");

    let answers = "/api/stock/recalls/answers";
    let answer = |store: &str, found: i64| {
        json!({
            "productId": chain.rolls, "lot": lot, "placeKind": "store", "placeId": store, "found": found,
            "note": "Looked in the freezer too",
        })
    };
    let rights: &[(&str, &[Action])] = &[("stores/storeReceive", &[Action::View, Action::Edit])];
    let theirs = site.app.user(rights, Some(std::slice::from_ref(&makati))).await;
    theirs.post(answers, &answer(&cubao, 0)).await.expect(403);
    let reader = site.app.user(&[("stores/storeReceive", &[Action::View])], None).await;
    reader.post(answers, &answer(&cubao, 0)).await.expect(403);
    let mut wrong = answer(&cubao, -1);
    assert_eq!(
        said(&site.admin.post(answers, &wrong).await.expect(422), "found"),
        "Say how much was found, or 0."
    );
    wrong = answer(&cubao, 0);
    wrong["lot"] = json!("none");
    site.admin.post(answers, &wrong).await.expect(404);
    let mut on_way = answer(&format!("{cubao}_{}", delivery["id"].as_str().expect("an id")), 10);
    on_way["placeKind"] = json!("inTransit");
    theirs.post(answers, &on_way).await.expect(403);
    assert_eq!(chain.recalls().await, all);
    for _ in 0..2 {
        site.admin.post(answers, &answer(&cubao, 0)).await.expect(200);
        assert_eq!(chain.recalls().await, [in_makati.clone(), way.clone(), kitchen.clone()]);
    }
    theirs.post(answers, &answer(&makati, 11)).await.expect(200);
    assert_eq!(chain.recalls().await, [way, kitchen.clone()]);
    // Cubao answers for what is on its way to it.
    let at_cubao = site.app.user(rights, Some(std::slice::from_ref(&cubao))).await;
    at_cubao.post(answers, &on_way).await.expect(200);
    assert_eq!(chain.recalls().await, std::slice::from_ref(&kitchen));

    // It has come: more of it than Cubao answered about, so Cubao is asked again.
    site.app.clock.advance(3_600);
    chain.received_recalled(&cubao, &delivery).await;
    site.admin.post(answers, &on_way).await.expect(404);
    let in_cubao = json!(["Cubao", 10, 10, 10, 50, 0]);
    assert_eq!(chain.recalls().await, [in_cubao.clone(), kitchen.clone()]);

    // Writing it off as recalled answers, and reversing that asks again.
    let waste = json!({ "storeId": cubao, "lines": [{
        "productId": chain.rolls, "qty": 4, "reason": "recalled", "lot": lot,
    }] });
    let waste = site.admin.post("/api/stores/waste", &waste).await.expect(201);
    let waste = site.step("/api/stores/waste", &waste, "submit", json!({})).await.expect(200);
    assert_eq!(chain.recalls().await, std::slice::from_ref(&kitchen));
    site.step("/api/stores/waste", &waste, "reverse", json!({ "reason": "Another lot" })).await.expect(200);
    assert_eq!(chain.recalls().await, [in_cubao, kitchen.clone()]);

    // A further recall asks every place.
    site.admin.post(answers, &answer(&cubao, 10)).await.expect(200);
    assert_eq!(chain.recalls().await, std::slice::from_ref(&kitchen));
    let release = json!({ "productId": chain.rolls, "reason": "Another machine's lot" });
    site.admin.post(&format!("/api/stock/lots/{lot}/release"), &release).await.expect(200);
    assert_eq!(chain.recalls().await, [] as [Value; 0]);
    recall().await;
    assert_eq!(chain.recalls().await.len(), 3);
    chain.verified().await;
}

#[rstest]
#[tokio::test]
async fn what_a_store_began_with_can_be_instead_of_a_lot(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let site = &chain.site;
    let item = chain.countable().await;
    let ayala = made(&site.admin, "/api/stores/locations", json!({ "name": "Ayala", "code": "AYA" })).await;
    // 20 without a document, then 40 of the lot, of which or of the 20 they used 30.
    chain.counted(&ayala, &item, (1, "opening"), 20).await;
    site.app.clock.advance(3_600);
    chain.sent(&ayala, 40).await;
    site.app.clock.advance(9 * 3_600);
    chain.counted(&ayala, &item, (2, "closing"), 30).await;
    let at = format!("/api/stock/lots/{}/trace", chain.rolls_lot);
    let trace = site.admin.get(&at).await.expect(200);
    let place = trace["there"].as_array().expect("there").iter().find(|it| it["placeId"] == json!(ayala));
    let place = place.expect("Ayala");
    let figures = ["qty", "atLeast", "atMost", "came", "left"].map(|name| place[name].clone());
    assert_eq!(figures, [30, 10, 30, 40, 0].map(|figure| json!(figure)));
}

#[rstest]
#[tokio::test]
async fn a_lot_that_stores_used_up_is_not_in_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let chain = Chain::start(on).await;
    let site = &chain.site;
    let item = chain.countable().await;
    // All that is left is 50 in the kitchen, which go to Makati.
    chain.sent(&chain.makati, 50).await;
    let listed = async || {
        let list = site.admin.get("/api/stock/lots?q=roll").await.expect(200);
        (list["total"].clone(), list["expiresSoon"].clone(), list["items"][0]["qty"].clone())
    };
    let (_, soon, qty) = listed().await;
    assert_eq!(qty, 120);
    for store in [&site.store, &chain.makati] {
        assert_eq!(listed().await.0, 1);
        chain.counted(store, &item, (1, "opening"), 0).await;
    }
    let (total, expires, _) = listed().await;
    assert_eq!((total, expires.as_i64()), (json!(0), soon.as_i64().map(|soon| soon - 1)));
    // Where it went can still be traced.
    let trace = site.admin.get(&format!("/api/stock/lots/{}/trace", chain.rolls_lot)).await.expect(200);
    let came: Vec<&Value> =
        trace["there"].as_array().expect("there").iter().map(|place| &place["came"]).collect();
    assert!(came.contains(&&json!(40)) && came.contains(&&json!(80)), "{trace}");
}

/// A case of 24 buns of a lot is delivered to the store.
async fn delivered_lot(site: &Site, lot: &str) {
    let delivery = lot_on_its_way(site, lot).await;
    let receipt = site.receipt(&delivery).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
}

/// A case of 24 buns of a lot leaves the kitchen for the store.
async fn lot_on_its_way(site: &Site, lot: &str) -> Value {
    site.stock(&site.buns, 24).await;
    let order = site.approved(1).await;
    let delivery = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
    let line = json!({
        "id": delivery["lines"][0]["id"], "picked": 1, "lot": lot, "expiry": site.soon().plus(5),
    });
    let change = json!({ "revision": delivery["revision"], "lines": [line] });
    let mut delivery = site.admin.patch(&path(DELIVERIES, &delivery), &change).await.expect(200);
    for step in ["pick", "pack", "dispatch"] {
        delivery = site.step(DELIVERIES, &delivery, step, json!({})).await.expect(200);
    }
    delivery
}

#[rstest]
#[tokio::test]
async fn a_lot_that_left_again_before_its_receipt_was_entered_is_not_there(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let delivery = lot_on_its_way(&site, "B-7").await;
    let draft = json!({
        "fromStoreId": site.store, "toStoreId": makati,
        "lines": [{ "productId": site.buns, "uomId": site.case, "qty": 1, "lot": "B-7" }],
    });
    let transfer = site.admin.post("/api/stores/transfers", &draft).await.expect(201);
    site.step("/api/stores/transfers", &transfer, "dispatch", json!({})).await.expect(200);
    let receipt = site.receipt(&delivery).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let trace = site.admin.get("/api/stock/lots/B-7/trace").await.expect(200);
    let there = trace["there"].as_array().expect("there");
    let at_store = there.iter().find(|place| place["placeId"] == json!(site.store));
    assert!(at_store.is_none(), "{trace}");
    let moving: Vec<&Value> = there.iter().map(|place| &place["qty"]).collect();
    assert_eq!(moving, [&json!(24)], "{trace}");
}

/// Lot B-7 expired yesterday.
async fn expired(site: &Site) {
    let now = site.app.state.now();
    let (by, yesterday) = (actor(now), BusinessDay::of(now).plus(-1));
    let expire = "update lots set expiry = $1 where lot = 'B-7'";
    let changed = site.app.db.write(&by, async |tx| tx.sql(expire).bind(yesterday).execute().await).await;
    assert_eq!(changed.expect("a lot"), 1);
}

#[rstest]
#[tokio::test]
async fn stock_that_no_document_brought_can_be_instead_of_a_lot(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    // 72 are there before the first delivery, which brings 24 of lot B-7.
    let item = counted(&site, 72).await;
    delivered_lot(&site, "B-7").await;
    // 20 of the 96 are left: all of the lot, or none of it.
    site.app.clock.advance(10 * 3_600);
    let now = site.app.state.now();
    let save = json!({
        "op": "phone:2", "seq": 2, "storeId": site.store, "itemId": item, "date": BusinessDay::of(now),
        "session": "closing", "qty": 20, "at": now,
    });
    let batch = json!({ "deviceId": "phone", "sentAt": now, "entries": [save] });
    let taken = site.admin.post("/api/stores/count/batch", &batch).await.expect(200);
    assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    let lots = format!("/api/stock/lots?placeKind=store&placeId={}", site.store);
    let lots = site.admin.get(&lots).await.expect(200);
    let places = lots["items"][0]["places"].as_array().expect("places");
    let place = places.iter().find(|place| place["placeId"] == json!(site.store)).expect("the store");
    assert_eq!(
        (&place["qty"], &place["atLeast"], &place["atMost"]),
        (&json!(20), &json!(0), &json!(20)),
        "{lots}"
    );
}

#[rstest]
#[tokio::test]
async fn an_expired_lot_is_sent_only_with_a_reason(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    delivered_lot(&site, "B-7").await;
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    site.app.clock.advance(10 * 24 * 3_600);
    let rights: &[(&str, &[Action])] = &[("stores/storeTransactions", Action::ALL)];
    let later = site.app.user(rights, None).await;
    let draft = json!({
        "fromStoreId": site.store, "toStoreId": makati,
        "lines": [{ "productId": site.buns, "uomId": site.case, "qty": 1, "lot": "B-7" }],
    });
    let transfer = later.post("/api/stores/transfers", &draft).await.expect(201);
    let send =
        async |body: Value| step_as(&later, "/api/stores/transfers", &transfer, "dispatch", body).await;
    let refused = send(json!({})).await.expect(409);
    assert_eq!(refused["code"], "expired");
    assert!(said(&refused, "lines.0.lot").starts_with("Lot B-7 of Buns expired on "), "{refused}");
    let mute = send(json!({ "override": true })).await.expect(422);
    assert_eq!(said(&mute, "reason"), "Say why an expired lot is sent.");
    let sent = send(json!({ "override": true, "reason": "It goes to the animals" })).await.expect(200);
    assert_eq!(sent["status"], "dispatched");
    let line = &sent["lines"][0]["id"];
    assert_eq!(
        sent["overrides"],
        json!([{ "lineId": line, "check": "expired", "reason": "It goes to the animals" }])
    );
}

#[rstest]
#[tokio::test]
async fn a_merge_keeps_the_recall_of_a_lot_that_both_products_have(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let twin = json!({ "name": "Buns, bag", "sku": "BAG", "baseUom": site.piece });
    let twin = made(&site.admin, "/api/products", twin).await;
    for product in [&site.buns, &twin] {
        site.stock(product, 24).await;
        let line = json!({
            "productId": product, "uomId": site.piece, "qty": 24, "lot": "B-7", "expiry": site.soon().plus(5),
        });
        let draft = json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": [line] });
        let mut delivery = site.admin.post(DELIVERIES, &draft).await.expect(201);
        for step in ["pick", "pack", "dispatch"] {
            delivery = site.step(DELIVERIES, &delivery, step, json!({})).await.expect(200);
        }
        let receipt = site.receipt(&delivery).await;
        site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    }
    let body = json!({ "productId": twin, "reason": "Metal found" });
    site.admin.post("/api/stock/lots/B-7/recall", &body).await.expect(200);
    let revision = async |product: &str| {
        site.admin.get(&format!("/api/products/{product}")).await.expect(200)["revision"].clone()
    };
    let body = json!({
        "into": site.buns, "revision": revision(&twin).await, "intoRevision": revision(&site.buns).await,
    });
    site.admin.post(&format!("/api/products/{twin}/merge"), &body).await.expect(200);
    let recalls = site.admin.get("/api/stock/recalls").await.expect(200);
    let found =
        recalls["items"].as_array().expect("items").iter().find(|it| it["productId"] == json!(site.buns));
    let found = found.unwrap_or_else(|| panic!("not recalled: {recalls}"));
    assert_eq!(
        (&found["lot"], &found["qty"], &found["reason"]),
        (&json!("B-7"), &json!(48), &json!("Metal found"))
    );
}

#[rstest]
#[tokio::test]
async fn a_named_lot_has_the_expiry_date_it_is_registered_with(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let expiry = BusinessDay::of(site.app.state.now()).plus(2);
    let draft = |lot: Option<&str>, expiry: Option<BusinessDay>| {
        let line = json!({
            "productId": chain.rolls, "uomId": site.piece, "qty": 5, "lot": lot, "expiry": expiry,
        });
        json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": [line] })
    };
    let packed = async |client: &Client, body: Value| {
        let delivery = client.post(DELIVERIES, &body).await.expect(201);
        let picked = step_as(client, DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
        step_as(client, DELIVERIES, &picked, "pack", json!({})).await.expect(200)
    };
    let other = packed(&site.admin, draft(Some(lot), Some(expiry.plus(30)))).await;
    let refused = site.step(DELIVERIES, &other, "dispatch", json!({})).await.expect(422);
    let words = format!("Lot {lot} is known to expire on {}. Check the lot and the date.", expiry.display());
    assert_eq!(said(&refused, "lines.0.expiry"), words);
    let unknown = packed(&site.admin, draft(Some("X-9"), None)).await;
    let refused = site.step(DELIVERIES, &unknown, "dispatch", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines.0.expiry"), "When does lot X-9 expire?");
    let named = packed(&site.admin, draft(Some(lot), None)).await;
    let sent = site.step(DELIVERIES, &named, "dispatch", json!({})).await.expect(200);
    assert_eq!(sent["lines"][0]["expiry"], json!(expiry));

    // Expired, it is not proposed, and is packed only with a reason, which stands when it leaves.
    site.app.clock.advance(3 * 24 * 3_600);
    let every = &[Action::View, Action::Create, Action::Edit, Action::Post, Action::Override];
    let driver = site.app.user(&[("commissary/deliveries", every)], None).await;
    let delivery = packed(&driver, draft(None, None)).await;
    assert_eq!(delivery["lines"][0]["lot"], Value::Null);
    let named = driver.post(DELIVERIES, &draft(Some(lot), None)).await.expect(201);
    let named = step_as(&driver, DELIVERIES, &named, "pick", json!({})).await.expect(200);
    let refused = step_as(&driver, DELIVERIES, &named, "pack", json!({})).await.expect(409);
    let words = format!("Lot {lot} of Rolls expired on {}. Pick another lot.", expiry.display());
    assert_eq!((&refused["code"], said(&refused, "lines.0.lot")), (&json!("expired"), words));
    let mute = json!({ "override": true });
    let refused = step_as(&driver, DELIVERIES, &named, "pack", mute).await.expect(422);
    assert_eq!(said(&refused, "reason"), "Say why an expired lot is sent.");
    let why = json!({ "override": true, "reason": "For the pig farm" });
    let picker = site.app.user(&[("commissary/deliveries", &every[..3])], None).await;
    step_as(&picker, DELIVERIES, &named, "pack", why.clone()).await.expect(403);
    let packed = step_as(&driver, DELIVERIES, &named, "pack", why).await.expect(200);
    let reasons =
        json!([{ "lineId": packed["lines"][0]["id"], "check": "expired", "reason": "For the pig farm" }]);
    assert_eq!(packed["overrides"], reasons);
    let sent = step_as(&driver, DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    assert_eq!(sent["overrides"], reasons);
    let back = json!({ "reason": "Wrong truck" });
    let back = step_as(&driver, DELIVERIES, &sent, "undispatch", back).await.expect(200);
    assert_eq!(back["overrides"], reasons);
    let picking = step_as(&driver, DELIVERIES, &back, "unpack", json!({})).await.expect(200);
    assert_eq!(picking["overrides"], json!([]));
}

#[rstest]
#[tokio::test]
async fn an_expired_lot_is_in_stock_where_the_others_do_not_explain_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let item = counted(&site, 72).await;
    for lot in ["B-7", "B-8"] {
        delivered_lot(&site, lot).await;
    }
    expired(&site).await;
    site.app.clock.advance(10 * 3_600);
    let count = async |seq: i64, pieces: i64| {
        let now = site.app.state.now();
        let save = json!({
            "op": format!("phone:{seq}"), "seq": seq, "storeId": site.store, "itemId": item,
            "date": BusinessDay::of(now), "session": "closing", "qty": pieces, "at": now,
        });
        let batch = json!({ "deviceId": "phone", "sentAt": now, "entries": [save] });
        let taken = site.admin.post("/api/stores/count/batch", &batch).await.expect(200);
        assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    };
    // Lot, likely quantity, number on all pages, those that expired or expire soon.
    let listed = async |page: i64| {
        let list = site.admin.get(&format!("/api/stock/lots?page={page}&pageSize=1")).await.expect(200);
        let lot = &list["items"][0];
        [lot["lot"].clone(), lot["qty"].clone(), list["total"].clone(), list["expiresSoon"].clone()]
    };
    // 24 are of the lot that has not expired.
    count(2, 30).await;
    assert_eq!(listed(1).await, [json!("B-7"), json!(6), json!(2), json!(2)]);
    assert_eq!(listed(2).await, [json!("B-8"), json!(24), json!(2), json!(2)]);
    site.app.clock.advance(3_600);
    count(3, 20).await;
    assert_eq!(listed(1).await, [json!("B-8"), json!(20), json!(1), json!(1)]);
    assert_eq!(listed(2).await, [Value::Null, Value::Null, json!(1), json!(1)]);
}

#[rstest]
#[tokio::test]
async fn a_base_unit_stays_while_a_store_may_have_lots(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let tray = made(&site.admin, "/api/lists/uoms", json!({ "name": "Tray", "code": "tray" })).await;
    let change = async |id: &str| {
        let at = format!("/api/products/{id}");
        let product = site.admin.get(&at).await.expect(200);
        let body = json!({
            "revision": product["revision"], "baseUom": tray, "defaultSellingUom": tray, "otherUoms": [],
            "conversions": [],
        });
        site.admin.patch(&at, &body).await
    };
    // Rice cakes came without a lot. What is left of them is what the store counts, whatever the unit.
    site.stock(&site.rice, 24).await;
    let kept = change(&site.rice).await.expect(422);
    assert!(said(&kept, "baseUom").contains("Adjust it to zero first"), "{kept}");
    let line = json!([{ "productId": site.rice, "uomId": site.case, "qty": 1 }]);
    let order = site.admin.post(ORDERS, &site.order(line)).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    let sent = site.dispatched(&order).await;
    change(&site.rice).await.expect(422);
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    change(&site.rice).await.expect(200);
    // A lot is counted in the unit until it has expired.
    delivered_lot(&site, "B-7").await;
    let kept = change(&site.buns).await.expect(422);
    assert!(said(&kept, "baseUom").starts_with("Cubao may have lots"), "{kept}");
    expired(&site).await;
    change(&site.buns).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_kitchen_answers_its_own_recall(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let body = json!({ "productId": chain.rolls, "reason": "Metal found" });
    site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &body).await.expect(200);
    let answers = "/api/stock/recalls/answers";
    let answer = |kind: &str, place: &str, found: i64| {
        json!({
            "productId": chain.rolls, "lot": lot, "placeKind": kind, "placeId": place, "found": found,
        })
    };
    let in_kitchen = answer("commissary", &site.kitchen, 50);
    let receives: &[(&str, &[Action])] = &[("stores/storeReceive", &[Action::View, Action::Edit])];
    let receiver = site.app.user(receives, None).await;
    let refused = receiver.post(answers, &in_kitchen).await.expect(403);
    assert_eq!(refused["detail"], "You may not change batches or commissary orders.");
    let kitchen: &[(&str, &[Action])] = &[("commissary/orders", &[Action::View, Action::Approve])];
    let of_one_store = site.app.user(kitchen, Some(std::slice::from_ref(&site.store))).await;
    assert_eq!(of_one_store.post(answers, &in_kitchen).await.expect(403)["code"], "outOfScope");
    let cook = site.app.user(kitchen, None).await;
    let refused = cook.post(answers, &answer("store", &site.store, 0)).await.expect(403);
    assert_eq!(refused["detail"], "You may not change receipts.");
    let names = async || {
        let rows = chain.recalls().await;
        rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["Cubao", "Makati", "Pasig kitchen"]);
    cook.post(answers, &in_kitchen).await.expect(200);
    assert_eq!(names().await, ["Cubao", "Makati"]);

    // 40 came: more than that wants a note.
    let mut much = answer("store", &site.store, 9_999);
    let asked = receiver.post(answers, &much).await.expect(422);
    assert_eq!(
        said(&asked, "found"),
        "Only 40 came here. Check the quantity, or say in the note why there is more."
    );
    assert_eq!(names().await, ["Cubao", "Makati"]);
    receiver.post(answers, &answer("store", &site.store, 40)).await.expect(200);
    much["found"] = json!(41);
    much["note"] = json!("One more came without papers");
    receiver.post(answers, &much).await.expect(200);
    assert_eq!(names().await, ["Makati"]);
}

#[rstest]
#[tokio::test]
async fn a_lot_is_known_however_it_is_typed(#[from(one_engine)] on: Engine) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let mut body = site.order(json!([{ "productId": chain.rolls, "qty": 5 }]));
    body["storeId"] = json!(site.store);
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    let recall = json!({ "productId": chain.rolls, "reason": "Metal found" });
    site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &recall).await.expect(200);
    let delivery = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
    let small = json!({ "id": delivery["lines"][0]["id"], "picked": 5, "lot": lot.to_lowercase() });
    assert_ne!(small["lot"], json!(lot));
    let change = json!({ "revision": delivery["revision"], "lines": [small] });
    let delivery = site.admin.patch(&path(DELIVERIES, &delivery), &change).await.expect(200);
    assert_eq!(delivery["lines"][0]["lot"], json!(lot));
    let refused = site.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(409);
    assert_eq!(refused["code"], "recalled");
}

#[rstest]
#[tokio::test]
async fn a_kitchen_sends_no_more_of_a_lot_than_it_has(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    // 50 of the lot are left, and 30 without a lot.
    site.stock(&chain.rolls, 80).await;
    let mut body = site.order(json!([{ "productId": chain.rolls, "qty": 60 }]));
    body["storeId"] = json!(site.store);
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    let delivery = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
    let line = json!({
        "id": delivery["lines"][0]["id"], "picked": 60, "lot": "NEW-1", "expiry": site.soon().plus(5),
    });
    let change = json!({ "revision": delivery["revision"], "lines": [line] });
    let picked = site.admin.patch(&path(DELIVERIES, &delivery), &change).await.expect(200);
    let picking = site.step(DELIVERIES, &picked, "pick", json!({})).await.expect(200);
    let packed = site.step(DELIVERIES, &picking, "pack", json!({})).await.expect(200);
    let refused = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(409);
    assert_eq!(refused["code"], "notEnough");
    assert_eq!(said(&refused, "lines.0.picked"), "Only 30 pc of lot NEW-1 on hand.");
    let sent = json!({ "override": true, "reason": "The labels are new" });
    site.step(DELIVERIES, &packed, "dispatch", sent).await.expect(200);
    let lots = site.admin.get(&format!("/api/stock/lots?q={lot}")).await.expect(200);
    assert_eq!(lots["items"][0]["lot"], json!(lot));
    // 20 are left in all: what else left under the new label was of the lot that is known.
    let places = lots["items"][0]["places"].as_array().expect("places");
    let kitchen = places.iter().find(|place| place["placeId"] == json!(site.kitchen)).expect("the kitchen");
    assert_eq!((&kitchen["qty"], &kitchen["atMost"]), (&json!(20), &json!(50)), "{lots}");
    let mut body = site.order(json!([{ "productId": chain.rolls, "qty": 30 }]));
    body["storeId"] = json!(site.store);
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    let next = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
    let next = site.step(DELIVERIES, &next, "pick", json!({})).await.expect(200);
    let lines = next["lines"].as_array().expect("lines");
    let of_lot = lines.iter().filter(|line| line["lot"] == json!(lot));
    let picked: f64 = of_lot.filter_map(|line| line["ordered"].as_f64()).sum();
    assert!((picked - 20.0).abs() < 1e-9, "{next}");
    // What the kitchen cannot use is what its lots say: 20 of the recalled one, beside 40 made since.
    let more = json!({
        "commissaryId": site.kitchen, "productId": chain.rolls, "batches": 1, "lot": "R-2",
        "expiry": site.soon().plus(5),
    });
    let more = site.admin.post(PRODUCTION, &more).await.expect(201);
    site.step(PRODUCTION, &more, "post", json!({})).await.expect(200);
    let recall = json!({ "productId": chain.rolls, "reason": "Metal found" });
    site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &recall).await.expect(200);
    let orders = format!("{KITCHEN}?commissaryId={}&neededDate={}", site.kitchen, site.soon());
    let matrix = site.admin.get(&orders).await.expect(200);
    let products = matrix["products"].as_array().expect("products");
    let row = products.iter().find(|row| row["productId"] == json!(chain.rolls)).expect("the rolls");
    assert_eq!((&row["onHand"], &row["unusable"]), (&json!(40), &json!(20)), "{row}");
    chain.verified().await;
}

#[rstest]
#[tokio::test]
async fn stock_that_is_adjusted_leaves_the_lots_that_expire_first(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    // 50 of the lot are left, and ten without a lot.
    site.stock(&chain.rolls, 60).await;
    let body = json!({ "quantity": 20, "placeKind": "commissary", "placeId": site.kitchen });
    let adjust = format!("/api/products/{}/adjust", chain.rolls);
    let adjusted = site.admin.post(&adjust, &body).await.expect(200);
    // It takes both, and answers with the last movement.
    assert_eq!(adjusted["movement"]["balanceAfter"], 20, "{adjusted}");
    let lots = site.admin.get(&format!("/api/stock/lots?q={lot}")).await.expect(200);
    let places = lots["items"][0]["places"].as_array().expect("places");
    let kitchen = places.iter().find(|place| place["placeId"] == json!(site.kitchen)).expect("the kitchen");
    assert_eq!(kitchen["qty"], 20, "{lots}");
    chain.verified().await;
}

#[rstest]
#[tokio::test]
async fn goods_that_come_after_a_reversed_receipt_ask_again(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let chain = Chain::start(on).await;
    let (site, lot) = (&chain.site, &chain.rolls_lot);
    let early = chain.on_its_way(&chain.makati, 10).await;
    let body = json!({ "storeId": chain.makati, "sourceType": "delivery", "sourceId": early["id"] });
    let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
    let now = json!({ "happenedAt": site.app.state.now() });
    let receipt = site.step(RECEIPTS, &receipt, "post", now).await.expect(200);
    let recall = json!({ "productId": chain.rolls, "reason": "Metal found" });
    site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &recall).await.expect(200);
    let answer = json!({
        "productId": chain.rolls, "lot": lot, "placeKind": "store", "placeId": chain.makati, "found": 0,
    });
    site.admin.post("/api/stock/recalls/answers", &answer).await.expect(200);
    let names = async || -> Vec<Value> {
        chain.recalls().await.into_iter().map(|row| row[0].clone()).filter(|name| name == "Makati").collect()
    };
    assert_eq!(names().await, [] as [Value; 0]);
    // It had not come yet; now it does.
    site.step(RECEIPTS, &receipt, "reverse", json!({ "reason": "Not here yet" })).await.expect(200);
    site.app.clock.advance(3_600);
    chain.received_recalled(&chain.makati, &early).await;
    assert_eq!(names().await, [json!("Makati")]);
    chain.verified().await;
}
