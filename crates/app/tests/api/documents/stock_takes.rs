//! Stock-takes of kitchens: the sheet, numbers from devices, differences by lot, posting.

use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{Action, BusinessDay, Qty};
use larder_ledgers::stock;
use larder_ledgers::stock::{Document, Posting};
use rstest::rstest;
use serde_json::{Value, json};

use super::kitchen::bakery;
use super::{Site, made, path, said, step_as};
use crate::support::{Client, Engine, actor, one_engine};

const TAKES: &str = "/api/commissary/stock-takes";
const BATCHES: &str = "/api/commissary/production";

/// A kitchen with 96 buns, and butter worth half a peso a gram.
struct Taken {
    site: Site,
    butter: String,
    chiller: String,
    seq: std::cell::Cell<i64>,
}

impl Taken {
    async fn start(on: Engine) -> Taken {
        let site = Site::start(on).await;
        let admin = &site.admin;
        let kilo = made(admin, "/api/lists/uoms", json!({ "name": "Kilo", "code": "kg" })).await;
        let chiller = made(admin, "/api/lists/storage-requirements", json!({ "name": "Chiller" })).await;
        let root = json!({ "name": "Butter", "rootProductId": "butter", "price": 0.5 });
        let root = made(admin, "/api/lists/root-items", root).await;
        let butter = json!({
            "name": "Butter", "sku": "BUT", "baseUom": kilo, "storageRequirement": chiller, "shelfLife": 90,
            "rootItemConversions": [{ "rootItemId": root, "factor": 1000 }],
        });
        let butter = made(admin, "/api/products", butter).await;
        site.stock(&site.buns, 96).await;
        site.stock(&butter, 10).await;
        Taken { site, butter, chiller, seq: std::cell::Cell::new(0) }
    }

    async fn draft(&self, more: Value) -> Value {
        let mut body = json!({ "placeKind": "commissary", "placeId": self.site.kitchen });
        for (name, value) in more.as_object().expect("members") {
            body[name] = value.clone();
        }
        self.site.admin.post(TAKES, &body).await.expect(201)
    }

    async fn counting(&self, more: Value) -> Value {
        let draft = self.draft(more).await;
        self.site.step(TAKES, &draft, "start", json!({})).await.expect(200)
    }

    /// Sends entries of one device; gives their outcomes.
    async fn send(&self, client: &Client, take: &Value, device: &str, entries: &[Value]) -> Vec<Value> {
        let now = json!(self.site.app.state.now());
        let entries = entries.iter().map(|entry| {
            let mut entry = entry.clone();
            if entry["op"].is_null() {
                self.seq.set(self.seq.get() + 1);
                entry["op"] = json!(format!("{device}:{}", self.seq.get()));
            }
            if entry["at"].is_null() {
                entry["at"] = now.clone();
            }
            entry
        });
        let body = json!({ "sentAt": now, "entries": entries.collect::<Vec<_>>() });
        let answer = client.post(&format!("{}/counts", path(TAKES, take)), &body).await.expect(200);
        answer["results"].as_array().expect("answers").clone()
    }

    /// Counts as the admin; gives the stock-take.
    async fn count(&self, take: &Value, entries: &[Value]) -> Value {
        for answer in self.send(&self.site.admin, take, "desk", entries).await {
            assert_eq!(answer["outcome"], "applied", "{answer}");
        }
        self.site.fresh(TAKES, take).await
    }

    async fn differences(&self, take: &Value) -> Value {
        self.site.admin.get(&format!("{}/differences", path(TAKES, take))).await.expect(200)
    }

    async fn post(&self, take: &Value) -> Value {
        self.site.step(TAKES, take, "post", json!({})).await.expect(200)
    }

    async fn there(&self, product: &str) -> i64 {
        self.site.places(product).await.0
    }

    async fn verified(&self) {
        assert!(larder_ledgers::stock::verify(&self.site.app.db).await.expect("verified").is_empty());
    }
}

/// Moves pieces without a lot at the kitchen, beside all checks.
async fn without_lot(site: &Site, product: &str, pieces: i64) {
    let app = &site.app;
    let now = app.state.now();
    let movement = Movement {
        item: stock::product(product),
        place: Place { kind: PlaceKind::Commissary, id: site.kitchen.clone() },
        qty: Qty(pieces * 1_000_000),
        unit_cost: None,
        line: 1,
        leg: Leg::Only,
        lot: None,
    };
    let posting = &Posting {
        document: Document::first(DocumentType::Adjustment, "moved"),
        business_date: BusinessDay::of(now),
        happened_at: None,
        reason: None,
        movements: std::slice::from_ref(&movement),
    };
    app.db.write(&actor(now), async |tx| stock::post(tx, posting).await).await.expect("posted");
}

/// A line of a product and a lot.
fn line<'a>(take: &'a Value, product: &str, lot: &Value) -> &'a Value {
    let lines = take["lines"].as_array().expect("lines");
    let found = lines.iter().find(|line| line["productId"] == product && line["lot"] == *lot);
    found.unwrap_or_else(|| panic!("no line of {product} {lot}"))
}

/// The products of the sheet, in its order.
fn names(take: &Value) -> Vec<&str> {
    let lines = take["lines"].as_array().expect("lines");
    lines.iter().map(|line| line["name"].as_str().expect("a name")).collect()
}

#[rstest]
#[tokio::test]
async fn posting_corrects_the_ledger_by_the_differences(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let draft = taken.draft(json!({})).await;
    assert_eq!(draft["takeNo"].as_str().map(|number| &number[..3]), Some("ST-"));
    // By area, what has none last. Four cases of buns without a rest; butter by the kilo.
    assert_eq!(names(&draft), ["Butter", "Buns"]);
    assert_eq!(line(&draft, &taken.butter, &Value::Null)["area"], "Chiller");
    assert_eq!(line(&draft, &site.buns, &Value::Null)["uomCode"], "case");

    let early = site.step(TAKES, &draft, "post", json!({})).await.expect(409);
    assert_eq!(early["detail"], "Start counting first.");
    let take = site.step(TAKES, &draft, "start", json!({})).await.expect(200);
    let empty = site.step(TAKES, &take, "post", json!({})).await.expect(422);
    assert_eq!(said(&empty, "lines"), "Count something first, or cancel the stock-take.");

    // Butter in kilos, buns in pieces although the sheet has cases; both kinds of figures before posting.
    let entries = [
        json!({ "productId": taken.butter, "counted": 8.5 }),
        json!({ "productId": site.buns, "counted": 100, "uomId": site.piece, "note": "One box open" }),
    ];
    let take = taken.count(&take, &entries).await;
    assert_eq!(line(&take, &site.buns, &Value::Null)["note"], "One box open");
    let told = taken.differences(&take).await;
    assert_eq!(told["worth"], json!(-750));
    let of = |product: &str| {
        let id = &line(&take, product, &Value::Null)["id"];
        told["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .find(|it| it["lineId"] == *id)
            .expect("a line")
            .clone()
    };
    assert_eq!((&of(&taken.butter)["book"], &of(&taken.butter)["difference"]), (&json!(10), &json!(-1.5)));
    assert_eq!((&of(&site.buns)["difference"], &of(&site.buns)["worth"]), (&json!(4), &Value::Null));

    let posted = taken.post(&take).await;
    assert_eq!((&posted["status"], &posted["amount"]), (&json!("posted"), &json!(-750)));
    assert_eq!(
        posted["reason"],
        json!(format!("Stock-take {}", posted["takeNo"].as_str().expect("a number")))
    );
    assert_eq!(line(&posted, &taken.butter, &Value::Null)["difference"], json!(-1.5));
    assert_eq!(taken.there(&site.buns).await, 100);
    taken.verified().await;

    // The product's ledger names it; a second take finds no difference; reversing brings the old figures back.
    let ledger = site.admin.get(&format!("/api/products/{}/movements", site.buns)).await.expect(200);
    let moved = &ledger["items"][0];
    assert_eq!((&moved["documentType"], &moved["qty"]), (&json!("stockTake"), &json!(4)));
    assert_eq!(moved["reason"], posted["reason"]);
    let again = taken.counting(json!({})).await;
    let again =
        taken.count(&again, &[json!({ "productId": site.buns, "counted": 100, "uomId": site.piece })]).await;
    let again = taken.post(&again).await;
    assert_eq!(again["postings"], 0);
    let reason = json!({ "reason": "Counted the wrong shelf" });
    let reversed = site.step(TAKES, &posted, "reverse", reason).await.expect(200);
    assert_eq!(reversed["status"], "reversed");
    assert_eq!((taken.there(&site.buns).await, taken.there(&taken.butter).await), (96, 10));
    taken.verified().await;
    let file = site.admin.get(&format!("{TAKES}/export?format=csv")).await.text();
    assert!(file.contains("Chiller") && file.contains("One box open"), "{file}");
}

#[rstest]
#[tokio::test]
async fn what_moves_between_count_and_posting_is_no_difference(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let order = site.approved(1).await;
    let packed = site.packed(&order).await;
    // Counted before the truck left: 90 of 96.
    let take = taken.counting(json!({})).await;
    let take =
        taken.count(&take, &[json!({ "productId": site.buns, "counted": 90, "uomId": site.piece })]).await;
    site.app.clock.advance(3_600);
    site.step("/api/commissary/deliveries", &packed, "dispatch", json!({})).await.expect(200);
    assert_eq!(taken.there(&site.buns).await, 72);
    let posted = taken.post(&take).await;
    let buns = line(&posted, &site.buns, &Value::Null);
    assert_eq!((&buns["book"], &buns["difference"]), (&json!(96), &json!(-6)));
    assert_eq!(taken.there(&site.buns).await, 66);

    // Counted after the next truck left: the truck is in the count.
    let order = site.approved_for(site.soon().plus(1), 1).await;
    let packed = site.packed(&order).await;
    let take = taken.counting(json!({})).await;
    site.step("/api/commissary/deliveries", &packed, "dispatch", json!({})).await.expect(200);
    site.app.clock.advance(3_600);
    let take =
        taken.count(&take, &[json!({ "productId": site.buns, "counted": 40, "uomId": site.piece })]).await;
    let posted = taken.post(&take).await;
    let buns = line(&posted, &site.buns, &Value::Null);
    assert_eq!((&buns["book"], &buns["difference"]), (&json!(42), &json!(-2)));
    assert_eq!(taken.there(&site.buns).await, 40);
    taken.verified().await;
}

#[rstest]
#[tokio::test]
async fn lots_are_counted_one_by_one(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let (flour, dough, _, _) = bakery(&site).await;
    site.stock(&flour, 50).await;
    for lot in ["D-1", "D-2"] {
        let plan = json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "lot": lot });
        let plan = site.admin.post(BATCHES, &plan).await.expect(201);
        site.step(BATCHES, &plan, "post", json!({})).await.expect(200);
    }
    site.stock(&dough, 23).await;
    let taken = Taken { site, butter: String::new(), chiller: String::new(), seq: std::cell::Cell::new(0) };
    let site = &taken.site;
    let take = taken.counting(json!({})).await;
    // Two lots of ten, and three without a lot.
    let lots: Vec<Value> = take["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .filter(|line| line["productId"] == dough)
        .map(|line| line["lot"].clone())
        .collect();
    assert_eq!(lots, [json!("D-1"), json!("D-2"), Value::Null]);
    // D-2 is not counted, and D-9 was never seen before.
    let entries = [
        json!({ "productId": dough, "lot": "D-1", "counted": 7 }),
        json!({ "productId": dough, "counted": 0 }),
        json!({ "productId": dough, "lot": "D-9", "counted": 2 }),
    ];
    let take = taken.count(&take, &entries).await;
    let refused = site.step(TAKES, &take, "post", json!({})).await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "When does lot D-9 of Dough expire?");
    let dated = json!({ "productId": dough, "lot": "D-9", "counted": 2, "expiry": "2026-11-30" });
    let take = taken.count(&take, &[dated]).await;
    let posted = taken.post(&take).await;
    let difference = |lot: Value| line(&posted, &dough, &lot)["difference"].clone();
    assert_eq!(
        [
            difference(json!("D-1")),
            difference(json!("D-2")),
            difference(Value::Null),
            difference(json!("D-9"))
        ],
        [json!(-3), Value::Null, json!(-3), json!(2)]
    );
    // 23 − 3 − 3 + 2, of which D-1 7, D-2 10, D-9 2.
    assert_eq!(taken.there(&dough).await, 19);
    let lots: Vec<(String, i64)> = site
        .app
        .db
        .sql("select lot, qty from lot_balances where product_id = $1 and place_kind = 'commissary' order by lot")
        .bind(&dough)
        .all()
        .await
        .expect("lots");
    let of = |lot: &str, kilos: i64| (lot.to_owned(), kilos * 1_000_000);
    assert_eq!(lots, [of("D-1", 7), of("D-2", 10), of("D-9", 2)]);
    let trace = site.admin.get("/api/stock/lots/D-9/trace").await.expect(200);
    let event = trace["events"].as_array().expect("events").last().expect("an event").clone();
    assert_eq!((&event["event"], &event["documentKind"]), (&json!("adjusted"), &json!("stockTake")));
    taken.verified().await;
}

#[rstest]
#[tokio::test]
async fn a_draft_changes_until_counting_starts(#[from(one_engine)] on: Engine) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let draft = taken.draft(json!({})).await;
    let at = path(TAKES, &draft);
    let yesterday = larder_domain::BusinessDay::of(site.app.state.now()).plus(-1);
    let changed = json!({
        "revision": draft["revision"], "areaId": taken.chiller, "blind": true, "businessDate": yesterday,
        "notes": "Before the audit",
    });
    let chilled = site.admin.patch(&at, &changed).await.expect(200);
    assert_eq!(
        (&chilled["area"], &chilled["blind"], &chilled["businessDate"], &chilled["notes"]),
        (&json!("Chiller"), &json!(true), &json!(yesterday), &json!("Before the audit"))
    );
    assert_eq!(names(&chilled), ["Butter"]);
    let every = json!({ "revision": chilled["revision"], "areaId": "" });
    let every = site.admin.patch(&at, &every).await.expect(200);
    assert_eq!((&every["area"], names(&every)), (&Value::Null, vec!["Butter", "Buns"]));

    // What was removed stays removed when something else changes.
    let butter = line(&every, &taken.butter, &Value::Null)["id"].clone();
    let less = json!({ "revision": every["revision"], "lines": [{ "id": butter }] });
    let less = site.admin.patch(&at, &less).await.expect(200);
    let noted = json!({ "revision": less["revision"], "notes": "" });
    let noted = site.admin.patch(&at, &noted).await.expect(200);
    assert_eq!((names(&noted), &noted["notes"]), (vec!["Butter"], &Value::Null));
    assert_eq!(line(&noted, &taken.butter, &Value::Null)["id"], butter);

    let lines = json!([
        { "productId": site.buns, "uomId": site.piece },
        { "id": butter },
        { "productId": taken.butter, "lot": "B-7", "expiry": "2026-12-24" },
    ]);
    let more = json!({ "revision": noted["revision"], "lines": lines });
    let more = site.admin.patch(&at, &more).await.expect(200);
    assert_eq!(names(&more), ["Butter", "Butter", "Buns"]);
    assert_eq!((&more["lines"][0]["lot"], &more["lines"][1]["id"]), (&json!("B-7"), &butter));
    assert_eq!(more["lines"][0]["expiry"], "2026-12-24");
    assert_eq!(line(&more, &site.buns, &Value::Null)["uomId"], json!(site.piece));

    for (field, words, wrong) in [
        ("lines.1.productId", "Butter is on the sheet already.", json!({ "productId": taken.butter })),
        ("lines.1.productId", "Choose a product.", json!({ "productId": "nothing" })),
        ("lines.1.id", "This line is not on the sheet. Reload to continue.", json!({ "id": butter })),
        (
            "lines.1.uomId",
            "Butter is not counted in this unit.",
            json!({ "productId": taken.butter, "lot": "B-8", "uomId": site.case }),
        ),
    ] {
        let lines = json!({ "revision": more["revision"], "lines": [{ "id": butter }, wrong] });
        assert_eq!(said(&site.admin.patch(&at, &lines).await.expect(422), field), words);
    }

    let take = site.step(TAKES, &more, "start", json!({})).await.expect(200);
    let lines = json!({ "revision": take["revision"], "lines": [{ "id": butter }] });
    assert_eq!(site.admin.patch(&at, &lines).await.expect(409)["code"], "wrongStep");
    let noted = json!({ "revision": take["revision"], "notes": "Door open" });
    assert_eq!(names(&site.admin.patch(&at, &noted).await.expect(200)), ["Butter", "Butter", "Buns"]);
}

#[rstest]
#[tokio::test]
async fn what_is_below_zero_and_not_counted_is_named_and_left(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let (flour, dough, _, _) = bakery(&site).await;
    site.stock(&flour, 50).await;
    let plan = json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "lot": "D-1" });
    let plan = site.admin.post(BATCHES, &plan).await.expect(201);
    site.step(BATCHES, &plan, "post", json!({})).await.expect(200);
    // Ten in the lot, and three less than nothing without one.
    without_lot(&site, &dough, -3).await;
    let taken = Taken { site, butter: String::new(), chiller: String::new(), seq: std::cell::Cell::new(0) };
    let site = &taken.site;
    let counted = json!({ "productId": dough, "lot": "D-1", "counted": 10 });

    let take = taken.counting(json!({})).await;
    let without = line(&take, &dough, &Value::Null)["id"].clone();
    let told = taken.differences(&take).await;
    let told = told["lines"].as_array().expect("lines").iter().find(|it| it["lineId"] == without);
    let told = told.expect("it is on the sheet");
    assert_eq!((&told["book"], &told["difference"]), (&json!(-3), &Value::Null));
    let take = taken.count(&take, std::slice::from_ref(&counted)).await;
    let posted = taken.post(&take).await;
    let of = |take: &Value, product: &str| {
        let line = line(take, product, &Value::Null);
        (line["counted"].clone(), line["book"].clone(), line["difference"].clone())
    };
    assert_eq!(of(&posted, &dough), (Value::Null, json!(-3), Value::Null));
    assert_eq!(line(&posted, &dough, &json!("D-1"))["difference"], 0);
    // What is not counted and above zero is as it was.
    assert_eq!(of(&posted, &flour), (Value::Null, Value::Null, Value::Null));
    assert_eq!((&posted["postings"], taken.there(&dough).await), (&json!(0), 7));
    let told = taken.differences(&posted).await;
    assert!(told["lines"].as_array().expect("lines").iter().any(|it| it["lineId"] == without), "{told}");
    let id = posted["id"].as_str().expect("an id");
    let history =
        site.admin.get(&format!("/api/history?kind=stockTake&id={id}")).await.expect(200).to_string();
    assert!(history.contains("not counted, -3 in the ledger"), "{history}");

    // It is named although it is not on the sheet: it was taken off, or came below zero later.
    let draft = taken.draft(json!({})).await;
    let lot = line(&draft, &dough, &json!("D-1"))["id"].clone();
    let only = json!({ "revision": draft["revision"], "lines": [{ "id": lot }] });
    let draft = site.admin.patch(&path(TAKES, &draft), &only).await.expect(200);
    let take = site.step(TAKES, &draft, "start", json!({})).await.expect(200);
    let take = taken.count(&take, std::slice::from_ref(&counted)).await;
    let posted = taken.post(&take).await;
    assert_eq!(posted["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(of(&posted, &dough), (Value::Null, json!(-3), Value::Null));

    // Counted as zero, it is zero.
    let take = taken.counting(json!({})).await;
    let take = taken.count(&take, &[counted, json!({ "productId": dough, "counted": 0 })]).await;
    let posted = taken.post(&take).await;
    assert_eq!(of(&posted, &dough), (json!(0), json!(-3), json!(3)));
    assert_eq!(taken.there(&dough).await, 10);
    taken.verified().await;
}

#[rstest]
#[tokio::test]
async fn a_number_is_applied_once_and_the_latest_stands(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let admin = &site.admin;
    let take = taken.counting(json!({})).await;
    // Numbers of before the start would be of now.
    site.app.clock.advance(7_200);
    let outcome = |answers: &[Value]| answers.iter().map(|it| it["outcome"].clone()).collect::<Vec<_>>();
    let first =
        json!({ "op": "phone:1", "at": site.app.state.now(), "productId": taken.butter, "counted": 9 });
    assert_eq!(outcome(&taken.send(admin, &take, "", std::slice::from_ref(&first)).await), ["applied"]);
    let after = site.fresh(TAKES, &take).await;
    assert_eq!(outcome(&taken.send(admin, &take, "", std::slice::from_ref(&first)).await), ["duplicate"]);
    assert_eq!(site.fresh(TAKES, &take).await["revision"], after["revision"]);
    // Another device was there earlier, and its number arrives later.
    site.app.clock.advance(60);
    let now = site.app.state.now();
    let earlier = larder_domain::Timestamp(now.0 - 3_600_000);
    let late = json!({ "op": "tablet:1", "at": earlier, "productId": taken.butter, "counted": 4 });
    assert_eq!(outcome(&taken.send(admin, &take, "", &[late]).await), ["superseded"]);
    // A correction within ten minutes keeps the time of the count.
    let fixed = json!({ "op": "phone:2", "at": now, "productId": taken.butter, "counted": 8 });
    let sent = [
        fixed,
        json!({ "op": "phone:3", "at": now, "productId": site.buns, "counted": 1.5, "uomId": site.case }),
        json!({ "op": "phone:4", "at": now, "productId": site.buns, "counted": -1 }),
        json!({ "op": "phone:5", "at": now, "productId": "nothing", "counted": 1 }),
    ];
    let answers = taken.send(admin, &take, "", &sent).await;
    assert_eq!(outcome(&answers), ["applied", "rejected", "rejected", "rejected"]);
    assert_eq!(answers[1]["reason"], "Enter a whole number: case is not split.");
    let now = site.fresh(TAKES, &take).await;
    let (old, new) = (line(&after, &taken.butter, &Value::Null), line(&now, &taken.butter, &Value::Null));
    assert_eq!((&new["counted"], &new["countedAt"]), (&json!(8), &old["countedAt"]));
    // A number that comes after posting is refused with a reason, not lost silently.
    taken.post(&now).await;
    let late = taken.send(admin, &take, "phone", &[json!({ "productId": taken.butter, "counted": 3 })]).await;
    assert_eq!(late[0]["outcome"], "rejected");
    assert!(late[0]["reason"].as_str().expect("a reason").ends_with("is posted: this number was not taken."));
    assert_eq!(taken.there(&taken.butter).await, 8);
}

#[rstest]
#[tokio::test]
async fn a_difference_is_not_posted_twice(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let taken = Taken::start(on).await;
    let buns =
        |pieces: i64| json!({ "productId": taken.site.buns, "counted": pieces, "uomId": taken.site.piece });
    let (one, two) = (taken.counting(json!({})).await, taken.counting(json!({})).await);
    let one = taken.count(&one, &[buns(90)]).await;
    taken.site.app.clock.advance(1_200);
    let two = taken.count(&two, &[buns(90)]).await;
    // The one counted first is posted last, or first: it is the same six pieces.
    let three = taken.counting(json!({})).await;
    taken.post(&one).await;
    let posted = taken.post(&two).await;
    assert_eq!(line(&posted, &taken.site.buns, &Value::Null)["difference"], 0);
    assert_eq!(taken.there(&taken.site.buns).await, 90);

    let three = taken.count(&three, &[buns(80)]).await;
    taken.site.app.clock.advance(1_200);
    let four = taken.counting(json!({})).await;
    let four = taken.count(&four, &[buns(70)]).await;
    taken.post(&four).await;
    let refused = taken.site.step(TAKES, &three, "post", json!({})).await.expect(409);
    assert_eq!(refused["code"], "countAgain");
    assert_eq!(taken.there(&taken.site.buns).await, 70);
    taken.verified().await;
}

#[rstest]
#[tokio::test]
async fn a_blind_take_hides_the_ledger_from_those_who_count(#[from(one_engine)] on: Engine) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let counts = [Action::View, Action::Create, Action::Edit];
    let cook = site.app.user(&[("commissary/orders", &counts)], None).await;
    let viewer = site.app.user(&[("commissary/orders", &[Action::View])], None).await;
    let take = taken.counting(json!({ "blind": true, "areaId": taken.chiller })).await;
    assert_eq!(take["lines"].as_array().map(Vec::len), Some(1));
    let at = format!("{}/differences", path(TAKES, &take));
    assert_eq!(cook.get(&at).await.status, 403);
    let butter = json!({ "productId": taken.butter, "counted": 9 });
    let answers = taken.send(&cook, &take, "cook", std::slice::from_ref(&butter)).await;
    assert_eq!(answers[0]["outcome"], "applied");
    let counts = format!("{}/counts", path(TAKES, &take));
    let none = json!({ "sentAt": site.app.state.now(), "entries": [] });
    assert_eq!(viewer.post(&counts, &none).await.status, 403);
    let take = cook.get(&path(TAKES, &take)).await.expect(200);
    assert_eq!(line(&take, &taken.butter, &Value::Null)["book"], Value::Null);
    assert_eq!(step_as(&cook, TAKES, &take, "post", json!({})).await.status, 403);
    // Once counting started, the sheet stays.
    let change = json!({ "revision": take["revision"], "blind": false });
    assert_eq!(cook.patch(&path(TAKES, &take), &change).await.expect(409)["code"], "wrongStep");
    taken.post(&take).await;
    assert_eq!(cook.get(&at).await.expect(200)["worth"], json!(-500));
}

#[rstest]
#[tokio::test]
async fn a_store_is_not_taken_here(#[from(one_engine)] on: Engine) {
    let taken = Taken::start(on).await;
    let body = json!({ "placeKind": "store", "placeId": taken.site.store });
    let refused = taken.site.admin.post(TAKES, &body).await.expect(422);
    assert_eq!(said(&refused, "placeKind"), "Choose a commissary, warehouse or cold storage.");
    let body = json!({ "placeKind": "coldStorage", "placeId": "nowhere" });
    let refused = taken.site.admin.post(TAKES, &body).await.expect(422);
    assert_eq!(said(&refused, "placeId"), "This place does not exist; choose one from the list.");
    let cold = made(&taken.site.admin, "/api/lists/cold-storages", json!({ "name": "Cold room" })).await;
    let body = json!({ "placeKind": "coldStorage", "placeId": cold });
    let take = taken.site.admin.post(TAKES, &body).await.expect(201);
    assert_eq!(take["lines"], json!([]));
    assert_eq!(taken.site.admin.delete(&format!("/api/lists/cold-storages/{cold}")).await.status, 409);
}

/// The tile of Home, and the list it links to.
async fn open_takes(client: &Client) -> (Value, Value) {
    let home = client.get("/api/dashboard/main").await.expect(200);
    let tiles = home["tiles"].as_array().expect("tiles");
    let waiting = tiles.iter().find(|tile| tile["name"] == "stockTakesOpen");
    let waiting = waiting.map_or(Value::Null, |tile| tile["waiting"].clone());
    let Some(href) = waiting["href"].as_str() else { return (Value::Null, Value::Null) };
    let list = client.get(&format!("/api{href}")).await.expect(200);
    (waiting, list)
}

#[rstest]
#[tokio::test]
async fn home_names_takes_that_are_not_finished(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    let planned = taken.draft(json!({})).await;
    let counting = taken.counting(json!({})).await;
    let butter = [json!({ "productId": taken.butter, "counted": 9 })];
    let posted = taken.counting(json!({})).await;
    taken.post(&taken.count(&posted, &butter).await).await;

    let home: (&str, &[Action]) = ("dashboard/home", &[Action::View]);
    let counts: [(&str, &[Action]); 2] = [home, ("commissary/orders", &[Action::View, Action::Edit])];
    let counter = site.app.user(&counts, Some(std::slice::from_ref(&site.store))).await;
    let viewer = site.app.user(&[home, ("commissary/orders", &[Action::View])], None).await;
    assert_eq!(open_takes(&viewer).await.0, Value::Null);
    let (waiting, list) = open_takes(&counter).await;
    assert_eq!((&waiting["count"], &waiting["late"]), (&json!(2), &json!(0)));
    assert_eq!(list["total"], waiting["count"]);
    let number = |take: &Value| format!("Finish stock-take {}", take["takeNo"].as_str().expect("a number"));
    let items = waiting["items"].as_array().expect("items");
    let texts = |take: &Value| {
        let item = items.iter().find(|item| item["title"] == number(take)).expect("it is named");
        (item["text"].as_str().expect("words").to_owned(), item["href"].as_str().expect("a page").to_owned())
    };
    let day = larder_domain::BusinessDay::of(site.app.state.now()).date().strftime("%-d %b %Y").to_string();
    let id = |take: &Value| format!("/commissary/stock-takes/{}", take["id"].as_str().expect("an id"));
    assert_eq!(texts(&counting), (format!("Pasig kitchen, counted on {day}"), id(&counting)));
    assert_eq!(texts(&planned), (format!("Pasig kitchen, planned for {day}"), id(&planned)));
    let bell = counter.get("/api/notifications").await.expect(200);
    assert!(!bell.to_string().contains("Finish stock-take"), "it rings when its day is over");

    // The next day both are late; what is cancelled or posted is not open.
    site.app.clock.advance(86_400);
    let admin = site.app.admin().await;
    step_as(&admin, TAKES, &planned, "cancel", json!({})).await.expect(200);
    let counter = site.app.user(&counts, None).await;
    let (waiting, list) = open_takes(&counter).await;
    assert_eq!((&waiting["count"], &waiting["late"], &list["total"]), (&json!(1), &json!(1), &json!(1)));
    let bell = counter.get("/api/notifications").await.expect(200);
    assert!(bell.to_string().contains(&number(&counting)), "{bell}");
}

/// A phone's clock was set while it was offline: some of its numbers are of before the stock-take.
#[rstest]
#[tokio::test]
async fn a_number_of_before_the_start_is_of_when_it_came(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let taken = Taken::start(on).await;
    let site = &taken.site;
    site.app.clock.advance(3_600);
    let take = taken.counting(json!({})).await;
    let day = 86_400_000;
    for (early, product) in [(-400 * day, &site.buns), (-1_800_000, &taken.butter), (day, &taken.butter)] {
        let now = site.app.state.now();
        let unit = if *product == site.buns { json!(site.piece) } else { Value::Null };
        let entry = json!({
            "productId": product, "counted": 5, "uomId": unit, "at": now.plus_ms(early),
        });
        let take = taken.count(&take, &[entry]).await;
        let counted = line(&take, product, &Value::Null)["countedAt"].as_str().expect("a time").to_owned();
        let counted = larder_domain::Timestamp::parse(&counted).expect("a time");
        assert!((counted.0 - now.0).abs() < 60_000, "{early}: {take}");
    }
    let take = site.fresh(TAKES, &take).await;
    let posted = taken.post(&take).await;
    let buns = line(&posted, &site.buns, &Value::Null);
    assert_eq!((&buns["book"], &buns["difference"]), (&json!(96), &json!(-91)));
    assert_eq!((taken.there(&site.buns).await, taken.there(&taken.butter).await), (5, 5));
    taken.verified().await;
}

#[rstest]
#[tokio::test]
async fn reversing_takes_no_stock_below_zero_unasked(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let (flour, dough, _, _) = bakery(&site).await;
    site.stock(&flour, 50).await;
    let plan = json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "lot": "D-1" });
    let plan = site.admin.post(BATCHES, &plan).await.expect(201);
    site.step(BATCHES, &plan, "post", json!({})).await.expect(200);
    let taken = Taken { site, butter: String::new(), chiller: String::new(), seq: std::cell::Cell::new(0) };
    let site = &taken.site;
    // Three kilos more were found, and the lot was used up but for one kilo since.
    let mut posted = Vec::new();
    for kilos in [13, 1] {
        site.app.clock.advance(1_200);
        let take = taken.counting(json!({})).await;
        let dough = json!({ "productId": dough, "lot": "D-1", "counted": kilos });
        let take = taken.count(&take, &[dough]).await;
        posted.push(taken.post(&take).await);
    }
    let why = json!({ "reason": "Counted the wrong shelf" });
    let refused = site.step(TAKES, &posted[0], "reverse", why.clone()).await.expect(409);
    assert_eq!(refused["code"], "notEnough");
    assert_eq!(refused["detail"], "This takes away 3 kg of Dough, lot D-1: only 1 kg on hand.");
    assert_eq!(taken.there(&dough).await, 1);
    let force = json!({ "override": true, "reason": "The later count was wrong too" });
    let head = [Action::View, Action::Edit, Action::Approve];
    let head = site.app.user(&[("commissary/orders", &head)], None).await;
    let refused = step_as(&head, TAKES, &posted[0], "reverse", force.clone()).await.expect(403);
    assert_eq!(refused["detail"], "You may not override this check.");
    // The later one gives stock back: nothing is asked.
    let back = site.step(TAKES, &posted[1], "reverse", why.clone()).await.expect(200);
    assert_eq!((&back["status"], taken.there(&dough).await), (&json!("reversed"), 13));
    let gone = taken.counting(json!({})).await;
    site.app.clock.advance(1_200);
    let none = json!({ "productId": dough, "lot": "D-1", "counted": 0 });
    let gone = taken.count(&gone, &[none]).await;
    taken.post(&gone).await;
    site.step(TAKES, &posted[0], "reverse", why).await.expect(409);
    site.step(TAKES, &posted[0], "reverse", force).await.expect(200);
    assert_eq!(taken.there(&dough).await, -3);
    taken.verified().await;
}
