//! Goods that come close to a count: their times decide, unless a person says if they were counted.

use larder_domain::{BusinessDay, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use super::backdating::freeze;
use super::{DELIVERIES, RECEIPTS, Site, made, said};
use crate::support::{Client, Engine, one_engine};

const WASTE: &str = "/api/stores/waste";
const TRANSFERS: &str = "/api/stores/transfers";
const COUNT: &str = "/api/stores/count";

/// A store that counts buns by the piece, and a supplier of them.
struct Shop {
    site: Site,
    item: String,
    supplier: String,
}

impl Shop {
    async fn open(on: Engine) -> Self {
        let site = Site::start(on).await;
        let bun = made(&site.admin, "/api/lists/root-items", json!({ "name": "Bun" })).await;
        let item = json!({ "name": "Buns", "rootItemId": bun, "uomId": site.piece });
        let item = made(&site.admin, "/api/lists/store-inventory-items", item).await;
        let at = format!("/api/products/{}", site.buns);
        let product = site.admin.get(&at).await.expect(200);
        let parts = json!([{ "rootItemId": bun, "factor": 1 }]);
        let patch = json!({ "revision": product["revision"], "rootItemConversions": parts });
        site.admin.patch(&at, &patch).await.expect(200);
        let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await;
        Self { site, item, supplier }
    }

    fn today(&self) -> BusinessDay {
        BusinessDay::of(self.site.app.state.now())
    }

    /// A time of today, in UTC+8.
    fn at(&self, hour: i64, minute: i64) -> Timestamp {
        let midnight = i64::from(self.today().0) * 24 - 8;
        Timestamp(((midnight + hour) * 60 + minute) * 60_000)
    }

    /// An opening count of today.
    async fn count(&self, op: &str, qty: f64, at: Timestamp) -> Value {
        let (device, number) = op.split_once(':').expect("device and number");
        let number: i64 = number.parse().expect("a number");
        let save = json!({
            "op": op, "seq": number, "storeId": self.site.store, "itemId": self.item, "date": self.today(),
            "session": "opening", "qty": qty, "at": at,
        });
        let batch = json!({ "deviceId": device, "sentAt": self.site.app.state.now(), "entries": [save] });
        let taken = self.site.admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
        taken["results"][0]["outcome"].clone()
    }

    /// A draft of a supplier's receipt.
    async fn brought(&self, pieces: i64, more: Value) -> Value {
        let site = &self.site;
        let line =
            json!({ "productId": site.buns, "uomId": site.piece, "expected": pieces, "received": pieces });
        let mut draft = json!({
            "storeId": site.store, "sourceType": "supplier", "sourceId": self.supplier, "lines": [line],
        });
        for (member, value) in more.as_object().expect("members") {
            draft[member] = value.clone();
        }
        site.admin.post(RECEIPTS, &draft).await.expect(201)
    }

    /// Business dates and times of a document's movements.
    async fn moved(&self, document: &Value) -> Vec<(BusinessDay, Option<Timestamp>)> {
        let moved =
            "select business_date, happened_at from stock_movements where document_id = $1 order by seq";
        let id = document["id"].as_str().expect("an id");
        self.site.app.db.sql(moved).bind(id).all().await.expect("movements")
    }

    async fn row(&self) -> Value {
        let path = format!("/api/stores/inventory?storeId={}&by=rootItems", self.site.store);
        self.site.admin.get(&path).await.expect(200)["items"][0].clone()
    }

    async fn on_hand(&self) -> Value {
        self.row().await["onHand"].clone()
    }

    async fn answer(&self, line: &Value, included: bool) {
        let answer = json!({ "lineId": line, "included": included });
        let body = json!({
            "storeId": self.site.store, "date": self.today(), "session": "opening", "answers": [answer],
        });
        self.site.admin.post(&format!("{COUNT}/close-goods"), &body).await.expect(200);
    }
}

#[rstest]
#[tokio::test]
async fn a_count_after_a_delivery_includes_it_whatever_is_chosen_later(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let receipt = shop.brought(200, json!({ "receivedAt": shop.at(2, 51) })).await;
    let posted = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    // 06:06 is more than three hours later: nobody is asked.
    assert_eq!(shop.count("phone:1", 397.5, shop.at(6, 6)).await, "applied");
    assert_eq!(posted.get("close"), None);
    let row = shop.row().await;
    assert_eq!((&row["onHand"], &row["close"]), (&json!(397.5), &json!(0)));
    // Another device counted earlier; choosing its count, or the first one again, keeps the time of each.
    assert_eq!(shop.count("tablet:1", 390.0, shop.at(6, 2)).await, "superseded");
    for (op, revision, qty) in [("tablet:1", 1, 390.0), ("phone:1", 2, 397.5)] {
        let chosen = json!({ "op": op, "revision": revision });
        shop.site.admin.post(&format!("{COUNT}/entries/choose"), &chosen).await.expect(200);
        assert_eq!(shop.on_hand().await, qty);
    }
    // It stood at the back door and was not counted.
    shop.answer(&posted["lines"][0]["id"], false).await;
    assert_eq!(shop.on_hand().await, 597.5);
}

#[rstest]
#[tokio::test]
async fn posting_close_to_a_count_asks_line_by_line(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    shop.count("phone:1", 397.5, shop.at(6, 6)).await;
    let receipt = shop.brought(200, json!({ "receivedAt": shop.at(5, 40) })).await;
    let posted = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let close = &posted["close"][0];
    assert_eq!((&close["lineId"], &close["qty"]), (&posted["lines"][0]["id"], &json!(200)));
    assert_eq!((&close["session"], &close["includedByTime"]), (&json!("opening"), &json!(true)));
    // Until then the times decide, and the figure is marked.
    let row = shop.row().await;
    assert_eq!((&row["onHand"], &row["close"]), (&json!(397.5), &json!(1)));
    let of_store = format!("storeId={}", shop.site.store);
    let of_item = format!("{of_store}&itemId={}", shop.item);
    // The files say so too.
    let marked = async |file: &str, asked: &str| {
        let file = format!("/api/stores/inventory/{file}?{asked}&format=csv");
        let file = shop.site.admin.get(&file).await.text();
        file.contains("Close goods") && file.contains("Not answered")
    };
    assert!(marked("export", &of_store).await);
    assert!(marked("ledger/export", &of_item).await);
    // A device that held the count or the receipt asks the same once they are sent.
    let open = async || {
        let path = format!("{COUNT}/close-goods/open?storeId={}", shop.site.store);
        shop.site.admin.get(&path).await.expect(200)["items"].clone()
    };
    let asked = open().await;
    assert_eq!(asked.as_array().map(Vec::len), Some(1), "{asked}");
    for member in ["lineId", "date", "session", "qty", "happenedAt", "countedAt"] {
        assert_eq!(asked[0][member], close[member], "{member}");
    }
    assert_eq!(
        (&asked[0]["documentNo"], &asked[0]["documentKind"]),
        (&posted["receiptNo"], &json!("receipt"))
    );
    let settings = format!("{COUNT}/settings/{}", shop.site.store);
    shop.site.admin.put(&settings, &json!({ "blind": true })).await.expect(200);
    assert_eq!(open().await[0].get("qty"), None, "counts are blind");
    shop.site.admin.put(&settings, &json!({ "blind": false })).await.expect(200);
    let ledger = shop.site.admin.get(&format!("/api/stores/inventory/ledger?{of_item}")).await.expect(200);
    let days = ledger["days"].as_array().expect("days");
    let counted = days.iter().find(|day| day["counts"] != json!([])).expect("a day with a count");
    assert_eq!(counted["counts"][0]["close"], 1);
    shop.answer(&close["lineId"], false).await;
    assert_eq!(open().await, json!([]));
    let row = shop.row().await;
    assert_eq!((&row["onHand"], &row["close"]), (&json!(597.5), &json!(0)));
    assert!(!marked("export", &of_store).await);
    let warm = shop.site.admin.get(&format!("{COUNT}/warm-up?storeId={}", shop.site.store)).await.expect(200);
    let delivery = &warm["deliveries"][0];
    assert_eq!((&delivery["received"], &delivery["lines"][0]["qty"]), (&json!(true), &json!(200)));
    assert_eq!(delivery["lines"][0]["itemIds"], json!([shop.item]));
}

#[rstest]
#[tokio::test]
async fn the_time_is_asked_for_where_a_count_was_made_since(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let receipt = shop.brought(24, json!({ "businessDate": shop.today().plus(-1) })).await;
    shop.count("phone:1", 100.0, shop.at(6, 6)).await;
    let refused = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(refused["code"], "whenNeeded");
    let counted: Timestamp = serde_json::from_value(refused["countedAt"].clone()).expect("a time");
    assert_eq!(counted.0 / 1_000, shop.at(6, 6).0 / 1_000);
    assert_eq!(said(&refused, "happenedAt"), "These items were counted at 06:06. Enter when this happened.");
    // A device whose clock is an hour fast: 03:00 was 02:00.
    let fast = shop.site.app.state.now().plus_ms(3_600_000);
    let ahead = json!({ "happenedAt": fast.plus_ms(1_000), "sentAt": fast });
    let refused = shop.site.step(RECEIPTS, &receipt, "post", ahead).await.expect(422);
    assert_eq!(said(&refused, "happenedAt"), "Choose a time that has passed.");
    let early = json!({ "happenedAt": shop.at(-25, 0) });
    let refused = shop.site.step(RECEIPTS, &receipt, "post", early).await.expect(422);
    let yesterday = shop.today().plus(-1).display();
    let before = shop.today().plus(-2).display();
    let words = format!(
        "Choose a time on {yesterday}, or until noon of the day after it, or change the date to {before}."
    );
    assert_eq!(said(&refused, "happenedAt"), words);
    let given = json!({ "happenedAt": shop.at(3, 0), "sentAt": fast });
    let posted = shop.site.step(RECEIPTS, &receipt, "post", given).await.expect(200);
    let received = Timestamp::parse(posted["receivedAt"].as_str().expect("a time")).expect("a time");
    assert!((received.0 - shop.at(2, 0).0).abs() < 60_000, "{posted}");
    assert_eq!(shop.on_hand().await, 100);
    // Nothing says when a supplier came today: it can have been before the count.
    let receipt = shop.brought(12, json!({})).await;
    let refused = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(refused["code"], "whenNeeded");
    let given = json!({ "happenedAt": shop.at(2, 30) });
    shop.site.step(RECEIPTS, &receipt, "post", given).await.expect(200);
    assert_eq!(shop.on_hand().await, 100);
    // Waste of today happens as it is entered, and is not asked about.
    let line =
        json!({ "productId": shop.site.buns, "uomId": shop.site.piece, "qty": 4, "reason": "expired" });
    let waste = json!({ "storeId": shop.site.store, "lines": [line] });
    let waste = shop.site.admin.post(WASTE, &waste).await.expect(201);
    let posted = shop.site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
    assert_eq!(shop.on_hand().await, 96);
    // It was thrown away before the count, which had not got it any more.
    shop.answer(&posted["lines"][0]["id"], true).await;
    assert_eq!(shop.on_hand().await, 100);
}

/// A phone's clock is an hour fast, so at 23:00 it shows the next day.
#[rstest]
#[tokio::test]
async fn a_phone_with_a_wrong_clock_says_when_goods_moved(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let site = &shop.site;
    let makati = json!({ "name": "Makati", "code": "MKT" });
    let makati = made(&site.admin, "/api/stores/locations", makati).await;
    let phone = |at: Timestamp| at.plus_ms(3_600_000);
    let (late, yesterday) = (shop.at(-1, 0), shop.today().plus(-1));
    let near = |at: Option<Timestamp>| at.is_some_and(|at| (at.0 - late.0).abs() < 60_000);
    let sent_at = phone(site.app.state.now());
    let receipt = shop.brought(24, json!({ "receivedAt": phone(late), "sentAt": sent_at })).await;
    assert_eq!(receipt["businessDate"], json!(yesterday));
    let receipt = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 4, "reason": "expired" });
    let waste = json!({
        "storeId": site.store, "happenedAt": phone(late), "sentAt": sent_at, "lines": [line],
    });
    let waste = site.admin.post(WASTE, &waste).await.expect(201);
    assert_eq!(waste["businessDate"], json!(yesterday));
    let waste = site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 2 });
    let transfer = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": [line] });
    let transfer = site.admin.post(TRANSFERS, &transfer).await.expect(201);
    let then = json!({ "happenedAt": phone(late), "sentAt": sent_at });
    let transfer = site.step(TRANSFERS, &transfer, "dispatch", then).await.expect(200);
    for document in [&receipt, &waste, &transfer] {
        let (day, at) = shop.moved(document).await[0];
        assert!(day == yesterday && near(at), "{day:?} {at:?} {document}");
    }
    // A day given with the time stays.
    let given = json!({ "receivedAt": phone(late), "sentAt": sent_at, "businessDate": shop.today() });
    assert_eq!(shop.brought(1, given).await["businessDate"], json!(shop.today()));
}

#[rstest]
#[tokio::test]
async fn a_time_that_has_not_come_is_refused_at_its_field(#[from(one_engine)] on: Engine) {
    const WORDS: &str = "Choose a time that has passed.";
    let shop = Shop::open(on).await;
    let site = &shop.site;
    let makati = json!({ "name": "Makati", "code": "MKT" });
    let makati = made(&site.admin, "/api/stores/locations", makati).await;
    let later = site.app.state.now().plus_ms(3_600_000);
    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 24, "reason": "expired" });
    let goods = json!({ "productId": site.buns, "uomId": site.piece, "expected": 24, "received": 24 });
    let receipt = json!({
        "storeId": site.store, "sourceType": "supplier", "sourceId": shop.supplier, "receivedAt": later,
        "lines": [goods],
    });
    let refused = site.admin.post(RECEIPTS, &receipt).await.expect(422);
    assert_eq!(said(&refused, "receivedAt"), WORDS);
    let waste = json!({ "storeId": site.store, "happenedAt": later, "lines": [line] });
    let refused = site.admin.post(WASTE, &waste).await.expect(422);
    assert_eq!(said(&refused, "happenedAt"), WORDS);
    // On a phone whose clock is an hour fast it is now.
    let receipt = shop.brought(24, json!({ "receivedAt": later, "sentAt": later })).await;
    let received = Timestamp::parse(receipt["receivedAt"].as_str().expect("a time")).expect("a time");
    assert!((later.0 - received.0 - 3_600_000).abs() < 60_000, "{receipt}");
    let change = json!({ "revision": receipt["revision"], "receivedAt": later });
    let at = format!("{RECEIPTS}/{}", receipt["id"].as_str().expect("an id"));
    let refused = site.admin.patch(&at, &change).await.expect(422);
    assert_eq!(said(&refused, "receivedAt"), WORDS);
    // So it is with every step of every document, also where goods leave a place that keeps a balance.
    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 2, "reason": "expired" });
    let waste = json!({ "storeId": site.store, "lines": [line] });
    let waste = site.admin.post(WASTE, &waste).await.expect(201);
    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 2 });
    let transfer = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": [line] });
    let transfer = site.admin.post(TRANSFERS, &transfer).await.expect(201);
    site.stock(&site.buns, 240).await;
    let delivery = site.packed(&site.approved(1).await).await;
    for (base, document, step) in [
        (RECEIPTS, &receipt, "post"),
        (WASTE, &waste, "submit"),
        (TRANSFERS, &transfer, "dispatch"),
        (DELIVERIES, &delivery, "dispatch"),
    ] {
        let refused = site.step(base, document, step, json!({ "happenedAt": later })).await.expect(422);
        assert_eq!(said(&refused, "happenedAt"), WORDS, "{base}");
    }
}

/// The first answer was lost, and the phone sends the receipt again when its clock shows another time.
#[rstest]
#[tokio::test]
async fn a_receipt_sent_again_later_is_the_same_one(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let site = &shop.site;
    let send = |pieces: i64, sent_at: Timestamp| {
        let line =
            json!({ "productId": site.buns, "uomId": site.piece, "expected": pieces, "received": pieces });
        let draft = json!({
            "storeId": site.store, "sourceType": "supplier", "sourceId": shop.supplier, "lines": [line],
            "receivedAt": shop.at(5, 40), "sentAt": sent_at,
        });
        let asked = site.admin.request(reqwest::Method::POST, RECEIPTS);
        site.admin.send(asked.header("idempotency-key", "phone").json(&draft))
    };
    let now = site.app.state.now();
    let first = send(24, now.plus_ms(-1_000)).await.expect(201);
    let again = send(24, now).await.expect(201);
    assert_eq!((&again["id"], &again["receivedAt"]), (&first["id"], &first["receivedAt"]));
    assert_eq!(send(23, now).await.expect(422)["code"], "keyReused");
}

#[rstest]
#[tokio::test]
async fn what_was_counted_before_it_was_received_is_not_in_transit(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let site = &shop.site;
    site.stock(&site.buns, 240).await;
    let packed = site.packed(&site.approved(4).await).await;
    let today = json!({ "revision": packed["revision"], "plannedDate": shop.today() });
    let packed = site.admin.patch(&super::path(DELIVERIES, &packed), &today).await.expect(200);
    let sent = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    site.app.clock.advance(3_600);
    shop.count("phone:1", 96.0, site.app.state.now()).await;
    let in_transit = async || shop.row().await["inTransit"].clone();
    assert_eq!(in_transit().await, 96);
    let warm = site.admin.get(&format!("{COUNT}/warm-up?storeId={}", site.store)).await.expect(200);
    let delivery = &warm["deliveries"][0];
    assert_eq!((&delivery["number"], &delivery["received"]), (&sent["deliveryNo"], &json!(false)));
    shop.answer(&delivery["lines"][0]["lineId"], true).await;
    let coming = larder_documents::orders::coming::coming(
        &site.app.db,
        std::slice::from_ref(&site.store),
        None,
        shop.today(),
    );
    assert_eq!(coming.await.expect("what is due").iter().filter(|one| one.on_the_way).count(), 0);
    assert_eq!((in_transit().await, shop.on_hand().await), (json!(0), json!(96)));
    // Received an hour later: the count had it.
    site.app.clock.advance(3_600);
    let receipt = site.receipt(&sent).await;
    let given = json!({ "happenedAt": site.app.state.now().plus_ms(-1_000) });
    let posted = site.step(RECEIPTS, &receipt, "post", given).await.expect(200);
    assert_eq!(posted.get("close"), None, "it was answered");
    assert_eq!((in_transit().await, shop.on_hand().await), (json!(0), json!(96)));
    // An answer about the receipt's line takes the place of the other one.
    shop.answer(&posted["lines"][0]["id"], true).await;
    assert_eq!(shop.on_hand().await, 96);
    shop.answer(&posted["lines"][0]["id"], false).await;
    assert_eq!(shop.on_hand().await, 192);
}

/// A truck that left after the shelf was counted cannot be part of that count.
#[rstest]
#[tokio::test]
async fn only_deliveries_due_at_the_count_are_asked_about(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut shop = Shop::open(on).await;
    shop.site.stock(&shop.site.buns, 480).await;
    let day = shop.today();
    let mut packed = Vec::new();
    for planned in [day, day.plus(1)] {
        let delivery = shop.site.packed(&shop.site.approved(4).await).await;
        let change = json!({ "revision": delivery["revision"], "plannedDate": planned });
        packed.push(shop.site.admin.patch(&super::path(DELIVERIES, &delivery), &change).await.expect(200));
    }
    shop.site.app.clock.advance_to_hour(21);
    shop.site.admin = shop.site.app.admin().await;
    let site = &shop.site;
    let due = async |client: &Client| {
        let path = format!("{COUNT}/warm-up?storeId={}", site.store);
        let warm = client.get(&path).await.expect(200);
        assert_eq!((&warm["countingDate"], &warm["countingSession"]), (&json!(day), &json!("closing")));
        let deliveries = warm["deliveries"].as_array().expect("deliveries");
        deliveries.iter().map(|one| one["number"].clone()).collect::<Vec<_>>()
    };
    let count = async |number: i64, qty: i64| {
        let now = site.app.state.now();
        let save = json!({
            "op": format!("phone:{number}"), "seq": number, "storeId": site.store, "itemId": shop.item,
            "date": day, "session": "closing", "qty": qty, "at": now, "recount": true,
            "prev": (number > 1).then(|| format!("phone:{}", number - 1)),
        });
        let batch = json!({ "deviceId": "phone", "sentAt": now, "entries": [save] });
        let taken = site.admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
        assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    };
    count(1, 10).await;
    site.app.clock.advance(600);
    let first = site.step(DELIVERIES, &packed[0], "dispatch", json!({})).await.expect(200);
    let first = [first["deliveryNo"].clone()];
    assert_eq!(due(&site.admin).await, Vec::<Value>::new(), "it left after the count");
    site.app.clock.advance(600);
    count(2, 106).await;
    assert_eq!(due(&site.admin).await, first, "counted again since");
    // One that is due the day after is not asked about, after midnight neither.
    site.step(DELIVERIES, &packed[1], "dispatch", json!({})).await.expect(200);
    site.app.clock.advance(600);
    count(3, 107).await;
    assert_eq!(due(&site.admin).await, first);
    site.app.clock.advance_to_hour(1);
    assert_eq!(due(&site.app.admin().await).await, first, "due tomorrow");
}

#[rstest]
#[tokio::test]
async fn a_duplicate_receipt_is_taken_back_on_its_own_day(#[from(one_engine)] on: Engine) {
    let mut shop = Shop::open(on).await;
    let came = shop.today();
    shop.count("phone:1", 10.0, shop.at(6, 6)).await;
    let mut twice = Vec::new();
    for _ in 0..2 {
        let receipt = shop.brought(200, json!({ "receivedAt": shop.at(8, 0) })).await;
        twice.push(shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200));
    }
    assert_eq!(shop.on_hand().await, 410);
    shop.site.app.clock.advance(2 * 86_400);
    // The session has ended meanwhile.
    shop.site.admin = shop.site.app.admin().await;
    let why = json!({ "reason": "Entered twice" });
    let back = shop.site.step(RECEIPTS, &twice[1], "reverse", why.clone()).await.expect(200);
    assert_eq!(back["reversed"], json!({ "businessDate": came }));
    let moved = shop.moved(&back).await;
    assert_eq!((moved[0].0, moved[1]), (came, moved[0]), "at the time of what it reverses");
    assert_eq!(shop.on_hand().await, 210);
    // In a frozen week the difference is posted today, and the week is named.
    freeze(&shop.site.app, came, true).await;
    let back = shop.site.step(RECEIPTS, &twice[0], "reverse", why).await.expect(200);
    let named = json!({ "businessDate": shop.today(), "frozenWeek": came.week() });
    assert_eq!(back["reversed"], named);
    let moved = shop.moved(&back).await;
    assert_eq!((moved[1].0, moved[1].1), (shop.today(), moved[0].1));
    assert_eq!(shop.on_hand().await, 10);
}

#[rstest]
#[tokio::test]
async fn an_answer_is_about_a_line_of_the_store_and_given_once(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let site = &shop.site;
    let makati = json!({ "name": "Makati", "code": "MKT" });
    let makati = made(&site.admin, "/api/stores/locations", makati).await;
    shop.count("phone:1", 397.5, shop.at(6, 6)).await;
    let receipt = shop.brought(200, json!({ "receivedAt": shop.at(5, 40) })).await;
    let posted = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let line = posted["lines"][0]["id"].clone();
    let answer = async |store: &str, lines: &[(&Value, bool)]| {
        let answers: Vec<Value> =
            lines.iter().map(|(line, included)| json!({ "lineId": line, "included": included })).collect();
        let body = json!({
            "storeId": store, "date": shop.today(), "session": "opening", "answers": answers,
        });
        site.admin.post(&format!("{COUNT}/close-goods"), &body).await
    };
    let twice = answer(&site.store, &[(&line, false), (&line, true)]).await.expect(422);
    assert_eq!(said(&twice, "answers.1.lineId"), "Answer each line once.");
    assert_eq!(twice["fields"].as_array().map(Vec::len), Some(1), "{twice}");
    for (store, other) in [(&site.store, json!("nothing")), (&makati, line.clone())] {
        let unknown = answer(store, &[(&other, true)]).await.expect(422);
        assert_eq!(said(&unknown, "answers.0.lineId"), "Choose a line of the goods.");
    }
    // None of that was taken: the times decide as before.
    assert_eq!(shop.on_hand().await, 397.5);
    answer(&site.store, &[(&line, false)]).await.expect(200);
    assert_eq!(shop.on_hand().await, 597.5);
}
#[rstest]
#[tokio::test]
async fn a_recount_asks_again(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    shop.count("phone:1", 397.5, shop.at(6, 6)).await;
    let receipt = shop.brought(200, json!({ "receivedAt": shop.at(5, 40) })).await;
    let posted = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    shop.answer(&posted["lines"][0]["id"], false).await;
    assert_eq!(shop.on_hand().await, 597.5);
    shop.site.app.clock.advance(1);
    // Counted anew, with the goods: what was said about the first number says nothing of this one.
    let save = json!({
        "op": "phone:2", "seq": 2, "storeId": shop.site.store, "itemId": shop.item, "date": shop.today(),
        "session": "opening", "qty": 600, "at": shop.at(6, 20), "recount": true, "prev": "phone:1",
    });
    let batch = json!({ "deviceId": "phone", "sentAt": shop.site.app.state.now(), "entries": [save] });
    let taken = shop.site.admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
    assert_eq!(taken["results"][0]["outcome"], "applied", "{taken}");
    let row = shop.row().await;
    assert_eq!((&row["onHand"], &row["close"]), (&json!(600), &json!(1)));
    let open = format!("{COUNT}/close-goods/open?storeId={}", shop.site.store);
    let open = shop.site.admin.get(&open).await.expect(200);
    assert_eq!(open["items"].as_array().map(Vec::len), Some(1), "{open}");
    shop.answer(&posted["lines"][0]["id"], false).await;
    assert_eq!(shop.on_hand().await, 800);
}

#[rstest]
#[tokio::test]
async fn the_number_of_another_device_asks_again(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let receipt = shop.brought(40, json!({ "receivedAt": shop.at(5, 30) })).await;
    let posted = shop.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(shop.count("tab:1", 140.0, shop.at(7, 0)).await, "applied");
    assert_eq!(shop.count("phone:1", 100.0, shop.at(7, 30)).await, "applied");
    shop.answer(&posted["lines"][0]["id"], false).await;
    assert_eq!(shop.on_hand().await, 140);
    shop.site.app.clock.advance(1);
    let choice = json!({ "op": "tab:1", "revision": 2 });
    shop.site.admin.post(&format!("{COUNT}/entries/choose"), &choice).await.expect(200);
    // That one was made with the goods, whatever was said about the other.
    let row = shop.row().await;
    assert_eq!((&row["onHand"], &row["close"]), (&json!(140), &json!(1)));
}

#[rstest]
#[tokio::test]
async fn a_correction_of_a_count_before_its_day_stands_at_its_own_time(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let all_day = json!({ "closingFrom": 0, "closingTo": 1440, "enforceTimeWindow": true });
    shop.site.admin.put(&format!("{COUNT}/settings/{}", shop.site.store), &all_day).await.expect(200);
    let save = |number: i64, qty: i64, at: Timestamp, prev: Value| {
        json!({
            "op": format!("phone:{number}"), "seq": number, "storeId": shop.site.store, "itemId": shop.item,
            "date": shop.today(), "session": "closing", "qty": qty, "at": at, "prev": prev,
        })
    };
    let entries = [save(1, 80, shop.at(0, -5), Value::Null), save(2, 90, shop.at(0, 3), json!("phone:1"))];
    let batch = json!({ "deviceId": "phone", "sentAt": shop.site.app.state.now(), "entries": entries });
    let taken = shop.site.admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
    let outcomes = [0, 1].map(|n| taken["results"][n]["outcome"].clone());
    assert_eq!(outcomes, [json!("held"), json!("applied")], "{taken}");
    // Not at 23:00, which is ahead: what comes until then would come before the count.
    let row = shop.row().await;
    let counted = row["lastCount"]["at"].as_str().and_then(Timestamp::parse).expect("a time");
    assert!(counted.0.abs_diff(shop.at(0, 3).0) < 1_000, "{row}");
}
