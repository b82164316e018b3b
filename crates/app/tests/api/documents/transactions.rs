//! Transfers between stores, and waste.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::{RECEIPTS, Site, made, path, said, step_as};
use crate::support::{Engine, one_engine};

const TRANSFERS: &str = "/api/stores/transfers";
const WASTE: &str = "/api/stores/waste";

async fn other(site: &Site) -> String {
    made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await
}

/// A store that received this many cases of buns.
async fn stocked(site: &Site, cases: i64) {
    site.stock(&site.buns, cases * 24).await;
    let sent = site.dispatched(&site.approved(cases).await).await;
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
}

/// Has the store count buns by the piece, and count this many now. Returns the counted item.
pub(super) async fn counted(site: &Site, pieces: i64) -> String {
    let bun = made(&site.admin, "/api/lists/root-items", json!({ "name": "Bun" })).await;
    let item = json!({ "name": "Buns", "rootItemId": bun, "uomId": site.piece });
    let item = made(&site.admin, "/api/lists/store-inventory-items", item).await;
    let at = format!("/api/products/{}", site.buns);
    let product = site.admin.get(&at).await.expect(200);
    let parts = json!([{ "rootItemId": bun, "factor": 1 }]);
    let patch = json!({ "revision": product["revision"], "rootItemConversions": parts });
    site.admin.patch(&at, &patch).await.expect(200);
    let now = site.app.state.now();
    let save = json!({
        "op": "phone:1", "seq": 1, "storeId": site.store, "itemId": item, "date": BusinessDay::of(now),
        "session": "opening", "qty": pieces, "at": now,
    });
    let batch = json!({ "deviceId": "phone", "sentAt": now, "entries": [save] });
    let taken = site.admin.post("/api/stores/count/batch", &batch).await.expect(200);
    assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    item
}

#[rstest]
#[tokio::test]
async fn a_store_transfers_its_stock_to_another(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let makati = other(&site).await;
    stocked(&site, 3).await;
    let draft = json!({
        "fromStoreId": site.store, "toStoreId": makati,
        "lines": [{ "productId": site.buns, "uomId": site.case, "qty": 4 }],
    });
    let transfer = site.admin.post(TRANSFERS, &draft).await.expect(201);
    assert_eq!((&transfer["fromStoreId"], &transfer["storeId"]), (&json!(site.store), &json!(makati)));
    // What the store counted is asked about, not refused.
    counted(&site, 72).await;
    let refused = site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(409);
    let words = "Larder expects 72 pc here. Send 4 case anyway?";
    assert_eq!(said(&refused, "lines.0.picked"), words);
    assert_eq!(
        (&refused["code"], &refused["detail"], &refused["expected"], &refused["unit"]),
        (&json!("moreThanExpected"), &json!(words), &json!(72), &json!("pc"))
    );
    let line = json!({
        "field": "lines.0.picked", "name": transfer["lines"][0]["name"], "asked": 4, "askedUnit": "case",
        "expected": 72, "unit": "pc",
    });
    assert_eq!(refused["lines"], json!([line]));
    let refused = site.step(TRANSFERS, &transfer, "dispatch", json!({ "anyway": true })).await.expect(422);
    assert_eq!(said(&refused, "reason"), "Say why there is more than expected.");
    let change = json!({ "revision": transfer["revision"], "lines": [{ "id": transfer["lines"][0]["id"], "qty": 2 }] });
    let transfer = site.admin.patch(&path(TRANSFERS, &transfer), &change).await.expect(200);
    // The count was made after the transfer was begun.
    let refused = site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(422);
    assert_eq!(refused["code"], "whenNeeded");
    let now = json!({ "happenedAt": site.app.state.now() });
    let sent = site.step(TRANSFERS, &transfer, "dispatch", now).await.expect(200);
    assert_eq!((&sent["status"], &sent["lines"][0]["inTransit"]), (&json!("dispatched"), &json!(2)));
    assert_eq!(site.places(&site.buns).await, (0, 24, 48));

    // Both stores see it; only the sender can cancel it, only the recipient can receive it.
    let rights: &[(&str, &[Action])] = &[
        ("stores/storeTransactions", &[Action::View, Action::Create, Action::Edit, Action::Post]),
        ("stores/storeReceive", &[Action::View, Action::Create, Action::Edit, Action::Post]),
    ];
    let from = site.app.user(rights, Some(std::slice::from_ref(&site.store))).await;
    let to = site.app.user(rights, Some(std::slice::from_ref(&makati))).await;
    let far = made(&site.admin, "/api/stores/locations", json!({ "name": "Pasay", "code": "PSY" })).await;
    let stranger = site.app.user(rights, Some(std::slice::from_ref(&far))).await;
    for (who, total) in [(&from, 1), (&to, 1), (&stranger, 0)] {
        assert_eq!(who.get(TRANSFERS).await.expect(200)["total"], total);
    }
    stranger.get(&path(TRANSFERS, &sent)).await.expect(403);
    assert_eq!(to.get(&path(TRANSFERS, &sent)).await.expect(200)["can"], json!([]));
    step_as(&to, TRANSFERS, &sent, "undispatch", json!({})).await.expect(403);
    let expected = to.get(&format!("{RECEIPTS}/expected")).await.expect(200);
    assert_eq!(
        (&expected["items"][0]["kind"], &expected["items"][0]["sourceName"]),
        (&json!("transfer"), &json!("Cubao"))
    );
    let body = json!({ "storeId": makati, "sourceType": "transfer", "sourceId": sent["id"] });
    from.post(RECEIPTS, &body).await.expect(403);
    let receipt = to.post(RECEIPTS, &body).await.expect(201);
    assert_eq!(receipt["lines"][0]["expected"], 2);
    // One is broken: it goes back to the sender.
    let change = json!({ "revision": receipt["revision"], "lines": [{
        "id": receipt["lines"][0]["id"], "received": 2, "rejected": 1, "reason": "damaged", "resolution": "return",
    }] });
    let receipt = to.patch(&path(RECEIPTS, &receipt), &change).await.expect(200);
    let posted = step_as(&to, RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(posted["status"], "posted");
    assert_eq!(site.places(&site.buns).await, (0, 72, 0));
    let done = site.fresh(TRANSFERS, &sent).await;
    assert_eq!((&done["status"], &done["lines"][0]["returned"]), (&json!("received"), &json!(1)));
    let refused = site.step(TRANSFERS, &done, "undispatch", json!({})).await.expect(409);
    assert_eq!(
        refused["detail"],
        "The store took in part of this transfer, so its dispatch can't be taken back."
    );
    site.step(TRANSFERS, &done, "reconcile", json!({})).await.expect(200);
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn an_answer_says_whether_a_count_included_goods(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    // 72 are counted; a case is received right after, which was on the shelf already.
    counted(&site, 72).await;
    stocked(&site, 1).await;
    let on_hand = async || {
        let path = format!("/api/stores/inventory?storeId={}&by=rootItems", site.store);
        site.admin.get(&path).await.expect(200)["items"][0]["onHand"].clone()
    };
    assert_eq!(on_hand().await, 96);
    let today = BusinessDay::of(site.app.state.now());
    let path = "/api/stores/count/close-goods";
    let asked = format!("{path}?storeId={}&date={today}&session=opening", site.store);
    let close = site.admin.get(&asked).await.expect(200);
    let line = &close["items"][0];
    assert_eq!((close["items"].as_array().map(Vec::len), &line["qty"]), (Some(1), &json!(1)));
    assert_eq!((&line["includedByTime"], line.get("included")), (&json!(false), None));
    let say = async |included: bool| {
        let answer = json!({ "lineId": line["lineId"], "included": included });
        let body = json!({
            "storeId": site.store, "date": today, "session": "opening", "answers": [answer],
        });
        site.admin.post(path, &body).await.expect(200)["items"][0]["included"].clone()
    };
    assert_eq!(say(true).await, true);
    assert_eq!(on_hand().await, 72);
    assert_eq!(say(false).await, false);
    assert_eq!(on_hand().await, 96);
}

#[rstest]
#[tokio::test]
async fn more_than_expected_takes_a_reason(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let makati = other(&site).await;
    stocked(&site, 3).await;
    // 72 came, 20 are left: the ledger's 72 decide nothing.
    counted(&site, 20).await;
    let marked = async || {
        let (store, today) = (&site.store, BusinessDay::of(site.app.state.now()));
        larder_ledgers::place_stock::marked(&site.app.db, store, today).await.expect("marks").len()
    };
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1 });
    let draft = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": [line] });
    let transfer = site.admin.post(TRANSFERS, &draft).await.expect(201);
    let refused = site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(409);
    assert_eq!(refused["detail"], "Larder expects 20 pc here. Send 1 case anyway?");
    assert_eq!(marked().await, 0);
    let why = json!({ "anyway": true, "reason": "A case was in the freezer" });
    site.step(TRANSFERS, &transfer, "dispatch", why).await.expect(200);
    assert_eq!(marked().await, 1);
    // The sheet says why, on screen and on paper, without the expected quantity where counts are blind.
    let mark = async || {
        let at = |page: &str| format!("/api/stores/{page}?storeId={}", site.store);
        let screen = site.admin.get(&at("count/warm-up")).await.expect(200)["items"][0]["marked"].clone();
        let paper = site.admin.get(&at("inventory/sheet")).await.expect(200)["items"][0]["marked"].clone();
        assert_eq!(screen, paper);
        screen
    };
    let seen = mark().await;
    assert_eq!(
        (&seen["documentNo"], &seen["documentKind"], &seen["expected"], &seen["unit"]),
        (&transfer["transferNo"], &json!("transfer"), &json!(20), &json!("pc"))
    );
    let asked = json!([{ "qty": 1, "unit": "case" }]);
    assert_eq!(seen["asked"], asked);
    let settings = format!("/api/stores/count/settings/{}", site.store);
    site.admin.put(&settings, &json!({ "blind": true })).await.expect(200);
    let seen = mark().await;
    assert_eq!((&seen["documentNo"], &seen["asked"]), (&transfer["transferNo"], &asked));
    assert_eq!((seen.get("expected"), seen.get("unit")), (None, None));
    // Now four less than nothing are expected.
    let waste = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "expired" });
    let waste = json!({ "storeId": site.store, "lines": [waste] });
    let waste = site.admin.post(WASTE, &waste).await.expect(201);
    let refused = site.step(WASTE, &waste, "submit", json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["expected"]), (&json!("moreThanExpected"), &json!(-4)));
    assert_eq!(said(&refused, "lines.0.qty"), "Larder expects -4 pc here. Throw away 1 case anyway?");
    let why = json!({ "anyway": true, "reason": "It lay on the floor" });
    assert_eq!(site.step(WASTE, &waste, "submit", why).await.expect(200)["status"], "posted");
    let seen = mark().await;
    assert_eq!((&seen["documentNo"], &seen["documentKind"]), (&waste["wasteNo"], &json!("waste")));
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn products_of_one_root_item_take_from_one_stock(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    stocked(&site, 3).await;
    counted(&site, 20).await;
    let bun =
        site.admin.get(&format!("/api/products/{}", site.buns)).await.expect(200)["rootItemConversions"]
            .clone();
    let at = format!("/api/products/{}", site.rice);
    let rice = site.admin.get(&at).await.expect(200);
    let parts = json!([{ "rootItemId": bun[0]["rootItemId"], "factor": 2 }]);
    let patch = json!({ "revision": rice["revision"], "rootItemConversions": parts });
    site.admin.patch(&at, &patch).await.expect(200);
    // Twelve buns and four double ones are there, five are not.
    let draft = |double: i64| {
        let line = |product: &str, qty: i64| json!({ "productId": product, "uomId": site.piece, "qty": qty, "reason": "spoiled" });
        json!({ "storeId": site.store, "lines": [line(&site.buns, 12), line(&site.rice, double)] })
    };
    let waste = site.admin.post(WASTE, &draft(5)).await.expect(201);
    let refused = site.step(WASTE, &waste, "submit", json!({})).await.expect(409);
    assert_eq!(refused["lines"].as_array().map(Vec::len), Some(1), "{refused}");
    assert_eq!(said(&refused, "lines.1.qty"), "Larder expects 20 pc here. Throw away 5 pc anyway?");
    let all = site.admin.post(WASTE, &draft(4)).await.expect(201);
    site.step(WASTE, &all, "submit", json!({})).await.expect(200);
    // The mark says what all lines of the root item took.
    let why = json!({ "anyway": true, "reason": "A tray was in the oven" });
    site.step(WASTE, &waste, "submit", why).await.expect(200);
    let today = BusinessDay::of(site.app.state.now());
    let marks = larder_ledgers::place_stock::marked(&site.app.db, &site.store, today).await.expect("marks");
    let asked = marks[0].asked.as_ref().map(|asked| json!(asked.0));
    assert_eq!((asked, json!(marks[0].expected)), (Some(json!([{ "qty": 17, "unit": "pc" }])), json!(0)));
}

#[rstest]
#[tokio::test]
async fn a_transfer_needs_two_different_stores(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let makati = other(&site).await;
    let lines = json!([{ "productId": site.buns, "qty": 1 }]);
    let refused = site.admin.post(TRANSFERS, &json!({ "lines": lines })).await.expect(422);
    assert_eq!(said(&refused, "fromStoreId"), "Choose the store that sends.");
    let same = json!({ "fromStoreId": makati, "toStoreId": makati, "lines": lines });
    let refused = site.admin.post(TRANSFERS, &same).await.expect(422);
    assert_eq!(said(&refused, "toStoreId"), "Choose another store than the one that sends.");
    let empty = json!({ "fromStoreId": site.store, "toStoreId": makati });
    assert_eq!(
        said(&site.admin.post(TRANSFERS, &empty).await.expect(422), "lines"),
        "Add at least one item."
    );
    let rights: &[(&str, &[Action])] = &[("stores/storeTransactions", &[Action::View, Action::Create])];
    let clerk = site.app.user(rights, Some(std::slice::from_ref(&makati))).await;
    let theirs = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": lines });
    clerk.post(TRANSFERS, &theirs).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn waste_reduces_stock_until_reversed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    stocked(&site, 3).await;
    let line = |qty: Value, reason: &str| json!({ "productId": site.buns, "uomId": site.case, "qty": qty, "reason": reason });
    let body = |lines: Value| json!({ "storeId": site.store, "lines": lines });
    let refused = site.admin.post(WASTE, &body(json!([line(json!(0), "none")]))).await.expect(422);
    assert_eq!(said(&refused, "lines.0.reason"), "Choose why it was thrown away.");
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a quantity above zero.");
    let refused = site.admin.post(WASTE, &body(json!([line(json!(1), "other")]))).await.expect(422);
    assert_eq!(said(&refused, "lines.0.note"), "Say what happened.");
    // The same product with two reasons stays two lines.
    let lines = json!([line(json!(1), "expired"), line(json!(1), "dropped")]);
    let waste = site.admin.post(WASTE, &body(lines)).await.expect(201);
    assert_eq!((&waste["amount"], waste["lines"].as_array().map(Vec::len)), (&json!(480), Some(2)));
    let posted = site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
    assert_eq!(posted["status"], "posted");
    assert_eq!(site.places(&site.buns).await, (0, 24, 0));
    site.step(WASTE, &posted, "reverse", json!({})).await.expect(422);
    site.step(WASTE, &posted, "reverse", json!({ "reason": "Wrong store" })).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 72, 0));

    // Above a value it needs approval by someone else.
    let settings = site.admin.get(&format!("{WASTE}/settings")).await.expect(200);
    assert_eq!(settings["approvalAbove"], Value::Null);
    let refused =
        site.admin.put(&format!("{WASTE}/settings"), &json!({ "approvalAbove": -1 })).await.expect(422);
    assert_eq!(said(&refused, "approvalAbove"), "Enter zero or more.");
    let rule = json!({ "approvalAbove": 240, "revision": 0 });
    site.admin.put(&format!("{WASTE}/settings"), &rule).await.expect(200);
    assert_eq!(site.admin.put(&format!("{WASTE}/settings"), &rule).await.expect(409)["code"], "stale");
    let rights: &[(&str, &[Action])] =
        &[("stores/storeTransactions", &[Action::View, Action::Create, Action::Edit, Action::Post])];
    let clerk = site.app.user(rights, Some(std::slice::from_ref(&site.store))).await;
    clerk.put(&format!("{WASTE}/settings"), &json!({ "revision": 1 })).await.expect(403);
    let small = clerk.post(WASTE, &body(json!([line(json!(1), "expired")]))).await.expect(201);
    assert_eq!(step_as(&clerk, WASTE, &small, "submit", json!({})).await.expect(200)["status"], "posted");
    let large = clerk.post(WASTE, &body(json!([line(json!(2), "expired")]))).await.expect(201);
    let waits = step_as(&clerk, WASTE, &large, "submit", json!({})).await.expect(200);
    assert_eq!(waits["status"], "submitted");
    assert_eq!(site.places(&site.buns).await, (0, 48, 0));
    step_as(&clerk, WASTE, &waits, "approve", json!({})).await.expect(403);
    let done = site.step(WASTE, &waits, "approve", json!({})).await.expect(200);
    assert_eq!(done["status"], "posted");
    assert_eq!(site.places(&site.buns).await, (0, 0, 0));
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn pictures_are_uploaded_first_and_belong_to_their_store(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let makati = other(&site).await;
    let picture = image_bytes();
    let at = |store: &str, id: &str| format!("/api/stores/photos?storeId={store}&id={id}");
    let sent = site.admin.upload(&at(&site.store, "photo-1"), picture.clone()).await;
    assert_eq!(sent.expect(201)["id"], "photo-1");
    assert_eq!(
        site.admin.upload(&at(&site.store, "photo-1"), picture.clone()).await.expect(200)["id"],
        "photo-1"
    );
    let line = json!({ "productId": site.buns, "qty": 1, "reason": "expired" });
    let body = json!({ "storeId": site.store, "photos": ["photo-1"], "lines": [line] });
    assert_eq!(site.admin.post(WASTE, &body).await.expect(201)["photos"], json!(["photo-1"]));
    let body = json!({ "storeId": makati, "photos": ["photo-1"], "lines": [line] });
    let refused = site.admin.post(WASTE, &body).await.expect(422);
    assert_eq!(said(&refused, "photos"), "A picture did not arrive. Send it again.");
    let rights: &[(&str, &[Action])] = &[("stores/storeReceive", &[Action::View, Action::Edit])];
    let theirs = site.app.user(rights, Some(std::slice::from_ref(&makati))).await;
    theirs.get("/api/stores/photos/photo-1").await.expect(403);
    theirs.upload(&at(&site.store, "photo-2"), picture.clone()).await.expect(403);
    let nobody = site.app.user(&[("stores/storeCount", &[Action::View])], None).await;
    nobody.get("/api/stores/photos/photo-1").await.expect(403);
}

/// A picture of two pixels.
pub(super) fn image_bytes() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(2, 1).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}
