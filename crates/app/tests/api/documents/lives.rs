//! Random histories of documents: concurrent users, retries, old revisions, invalid actions. Everything has
//! to add up after each round. `DOCUMENT_ROUNDS` makes the histories longer.

use rstest::rstest;
use serde_json::{Value, json};

use super::kitchen::bakery;
use super::{DELIVERIES, ORDERS, RECEIPTS, Site, made, path};
use crate::support::{Answer, Engine};

/// A seeded random number sequence.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[usize::try_from(self.below(of.len() as u64)).expect("small")]
    }
}

const ORDER_STEPS: &[&str] =
    &["submit", "submit", "approve", "approve", "approve", "reject", "reopen", "cancel", "close-short"];
const DELIVERY_STEPS: &[&str] = &[
    "pick",
    "pick",
    "pack",
    "pack",
    "dispatch",
    "dispatch",
    "dispatch",
    "undispatch",
    "cancel",
    "reconcile",
];
const RECEIPT_STEPS: &[&str] = &["post", "post", "post", "resolve", "reconcile", "reverse", "cancel"];
const TRANSFERS: &str = "/api/stores/transfers";
const TRANSFER_STEPS: &[&str] = &["dispatch", "dispatch", "undispatch", "cancel", "reconcile"];
const WASTE: &str = "/api/stores/waste";
const WASTE_STEPS: &[&str] = &["submit", "submit", "approve", "reject", "reopen", "reverse", "cancel"];
const BATCHES: &str = "/api/commissary/production";
const BATCH_STEPS: &[&str] = &["start", "post", "post", "reverse", "cancel"];
const REASONS: &[&str] = &["short", "damaged", "over", "expired"];
const RESOLUTIONS: &[&str] = &["", "pending", "backorder", "credit", "return", "writeOff", "acceptOver"];

struct Lives {
    site: Site,
    /// Products with one of their units.
    goods: Vec<(String, String)>,
    days: i32,
    /// A store that sends and receives transfers, besides the ordering one.
    other: String,
    /// The commissary's recipe for rolls.
    recipe: String,
}

impl Lives {
    async fn start(on: Engine) -> Self {
        let site = Site::start(on).await;
        let third = made(&site.admin, "/api/lists/uoms", json!({ "name": "Third", "code": "third" })).await;
        let odd = json!({
            "name": "Odd cake", "baseUom": site.piece,
            "conversions": [{ "fromUomId": third, "toUomId": site.piece, "factor": 0.333_333_333 }],
        });
        let odd = made(&site.admin, "/api/products", odd).await;
        let (flour, dough, rolls, recipe) = bakery(&site).await;
        for ingredient in [&flour, &dough] {
            site.stock(ingredient, 4_000).await;
        }
        let other =
            made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
        // Waste above this value needs approval.
        let settings = site.admin.get("/api/stores/waste/settings").await.expect(200);
        let rule = json!({ "revision": settings["revision"], "approvalAbove": 700 });
        site.admin.put("/api/stores/waste/settings", &rule).await.expect(200);
        let goods = vec![
            (rolls, site.piece.clone()),
            (site.buns.clone(), site.case.clone()),
            (site.rice.clone(), site.piece.clone()),
            (odd, third),
        ];
        for (product, _) in &goods {
            site.stock(product, 900).await;
        }
        // Stores start with a supplier's delivery.
        let supplier =
            made(&site.admin, "/api/lists/suppliers", json!({ "name": "Divisoria Dry Goods" })).await;
        let lines: Vec<Value> = goods
            .iter()
            .map(|(product, unit)| json!({ "productId": product, "uomId": unit, "received": 40 }))
            .collect();
        for store in [&site.store, &other] {
            let body = json!({
                "storeId": store, "sourceType": "supplier", "sourceId": supplier, "lines": lines,
            });
            let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
            site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
        }
        Self { site, goods, days: 0, other, recipe }
    }

    /// A random action.
    async fn act(&self, mut chance: Chance, day: i32) -> Answer {
        let admin = &self.site.admin;
        match chance.below(25) {
            0 | 1 => {
                let mut body = self.site.order(json!(self.lines(&mut chance, 7)));
                body["neededDate"] = json!(self.site.soon().plus(day));
                let request = || admin.request(reqwest::Method::POST, ORDERS).json(&body);
                let key = format!("k{}", chance.below(1 << 40));
                let first = admin.send(request().header("idempotency-key", &key)).await;
                let again = admin.send(request().header("idempotency-key", &key)).await;
                assert!(first.status != 201 || again.json()["id"] == first.json()["id"], "{}", again.text());
                first
            }
            2 => {
                let orders = self.some(ORDERS, "approved,inFulfilment,partiallyReceived").await;
                let Some(order) = orders.get(chance.below(orders.len().max(1) as u64) as usize) else {
                    return admin.get(ORDERS).await;
                };
                admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await
            }
            3 | 20 => {
                let (base, kind) = *chance.pick(&[(DELIVERIES, "delivery"), (TRANSFERS, "transfer")]);
                let sent = self.some(base, "dispatched,partiallyReceived").await;
                let Some(sent) = sent.get(chance.below(sent.len().max(1) as u64) as usize) else {
                    return admin.get(base).await;
                };
                let body = json!({ "storeId": sent["storeId"], "sourceType": kind, "sourceId": sent["id"] });
                admin.post(RECEIPTS, &body).await
            }
            4 => self.pick_lines(&mut chance).await,
            5 => self.count_lines(&mut chance).await,
            6..=8 => self.step(DELIVERIES, DELIVERY_STEPS, &mut chance).await,
            13 => {
                let batch = json!({
                    "commissaryId": self.site.kitchen, "recipeId": self.recipe, "batches": 1 + chance.below(3),
                });
                admin.post(BATCHES, &batch).await
            }
            14 | 21 => self.step(BATCHES, BATCH_STEPS, &mut chance).await,
            15 => {
                let ends = [&self.site.store, &self.other];
                let from = usize::try_from(chance.below(2)).expect("small");
                let body = json!({
                    "fromStoreId": ends[from], "toStoreId": ends[1 - from], "lines": self.lines(&mut chance, 3),
                });
                admin.post(TRANSFERS, &body).await
            }
            16 | 22 | 23 => self.step(TRANSFERS, TRANSFER_STEPS, &mut chance).await,
            17 => {
                let mut lines = self.lines(&mut chance, 4);
                for line in &mut lines {
                    line["reason"] = json!(*chance.pick(&["expired", "dropped", "spoiled"]));
                }
                let store = *chance.pick(&[&self.site.store, &self.other]);
                admin.post(WASTE, &json!({ "storeId": store, "lines": lines })).await
            }
            18 | 24 => self.step(WASTE, WASTE_STEPS, &mut chance).await,
            9 | 10 => self.step(RECEIPTS, RECEIPT_STEPS, &mut chance).await,
            _ => self.step(ORDERS, ORDER_STEPS, &mut chance).await,
        }
    }

    /// Lines of some of the products.
    fn lines(&self, chance: &mut Chance, most: u64) -> Vec<Value> {
        let mut lines = Vec::new();
        for (product, unit) in &self.goods {
            if chance.below(3) > 0 {
                lines.push(json!({ "productId": product, "uomId": unit, "qty": 1 + chance.below(most) }));
            }
        }
        lines
    }

    async fn some(&self, base: &str, status: &str) -> Vec<Value> {
        let page = self.site.admin.get(&format!("{base}?status={status}&pageSize=200")).await.expect(200);
        page["items"].as_array().cloned().unwrap_or_default()
    }

    async fn any(&self, base: &str, chance: &mut Chance) -> Option<Value> {
        let page = self.site.admin.get(&format!("{base}?pageSize=30&sort=-updatedAt")).await.expect(200);
        let items = page["items"].as_array().cloned().unwrap_or_default();
        (!items.is_empty()).then(|| chance.pick(&items).clone())
    }

    /// The picked quantities of a delivery, occasionally invalid.
    async fn pick_lines(&self, chance: &mut Chance) -> Answer {
        let open = self.some(DELIVERIES, "draft,picking").await;
        let Some(head) = open.first() else { return self.site.admin.get(DELIVERIES).await };
        let delivery = self.site.fresh(DELIVERIES, head).await;
        let lines: Vec<Value> = delivery["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .map(|line| {
                let most = line["ordered"].as_f64().unwrap_or(0.0) as u64;
                let lot = if chance.below(2) == 0 {
                    json!(format!("L{}", chance.below(3)))
                } else {
                    line["lot"].clone()
                };
                json!({ "id": line["id"], "picked": chance.below(most + 1), "lot": lot })
            })
            .collect();
        let body = json!({ "revision": delivery["revision"], "lines": lines });
        self.site.admin.patch(&path(DELIVERIES, &delivery), &body).await
    }

    /// The received quantities of a receipt, with differences.
    async fn count_lines(&self, chance: &mut Chance) -> Answer {
        let open = self.some(RECEIPTS, "draft").await;
        let Some(head) = open.first() else { return self.site.admin.get(RECEIPTS).await };
        let receipt = self.site.fresh(RECEIPTS, head).await;
        let lines: Vec<Value> = receipt["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .map(|line| {
                let expected = line["expected"].as_f64().unwrap_or(0.0) as u64;
                let beyond = u64::from(chance.below(9) == 0);
                let received = chance.below(expected + 1 + beyond);
                let rejected = if chance.below(3) == 0 { chance.below(received + 1) } else { 0 };
                json!({
                    "id": line["id"], "received": received, "rejected": rejected,
                    "reason": chance.pick(REASONS), "resolution": chance.pick(RESOLUTIONS),
                })
            })
            .collect();
        let body = json!({ "revision": receipt["revision"], "lines": lines });
        self.site.admin.patch(&path(RECEIPTS, &receipt), &body).await
    }

    /// An action, valid or not, occasionally on an old revision or sent twice with the same key.
    async fn step(&self, base: &str, steps: &[&str], chance: &mut Chance) -> Answer {
        let admin = &self.site.admin;
        let Some(document) = self.any(base, chance).await else { return admin.get(base).await };
        // Usually a valid one.
        let can: Vec<&str> =
            document["can"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let in_turn = !can.is_empty() && chance.below(10) < 7;
        let step = if in_turn {
            *chance.pick(&[vec![can[0]; 9], can.clone()].concat())
        } else {
            *chance.pick(steps)
        };
        let old = i64::from(chance.below(12) == 0);
        let mut body =
            json!({ "revision": document["revision"].as_i64().unwrap_or(0) - old, "reason": "by chance" });
        if step == "approve" || step == "resolve" {
            let whole = self.site.fresh(base, &document).await;
            let lines = whole["lines"].as_array().cloned().unwrap_or_default();
            let mut said = Vec::new();
            for line in &lines {
                if chance.below(2) == 0 {
                    said.push(json!({
                        "id": line["id"], "qtyApproved": chance.below(8), "reason": "by chance",
                        "resolution": RESOLUTIONS[2 + (chance.below(4) as usize)],
                    }));
                }
            }
            body["lines"] = said.into();
        }
        let at = format!("{}/{step}", path(base, &document));
        let key = format!("s{}", chance.below(1 << 40));
        let send = || admin.request(reqwest::Method::POST, &at).header("idempotency-key", &key).json(&body);
        let first = admin.send(send()).await;
        if first.status == 200 {
            let again = admin.send(send()).await;
            assert_eq!((again.status, &again.json()["revision"]), (200, &first.json()["revision"]), "{at}");
        }
        first
    }

    /// Invariants that always hold.
    async fn adds_up(&self, said: &str) {
        let db = &self.site.app.db;
        let wrong = larder_ledgers::stock::verify(db).await.expect("verified");
        assert!(wrong.is_empty(), "{said}: {wrong:?}");
        for (what, query) in CHECKS {
            let rows: Vec<(String,)> = db.sql(query).all().await.expect(what);
            assert!(rows.is_empty(), "{said}: {what}: {rows:?}");
        }
    }
}

/// Queries that must return nothing.
const CHECKS: &[(&str, &str)] = &[
    (
        "a delivery's line does not add up",
        "select id from shipment_lines where dispatched + overage - accepted - returned - written_off < 0
           or settled_base > dispatched_base or (dispatched + overage = accepted + returned + written_off
             and settled_base <> dispatched_base)",
    ),
    (
        "what is on its way is not what deliveries say",
        "select s.document_id || ' ' || s.product_id from (
           select l.document_id, l.product_id, d.store_id || '_' || d.id as place,
             cast(sum(l.dispatched_base - l.settled_base) as bigint) as qty
           from shipment_lines l join documents d on d.id = l.document_id
           group by l.document_id, l.product_id, d.store_id, d.id) s
         left join stock_balances b on b.place_kind = 'inTransit' and b.place_id = s.place and b.item_id = s.product_id
         where coalesce(b.qty, 0) <> s.qty",
    ),
    (
        "an order's line says something else than its deliveries",
        "select o.id from order_lines o where o.qty_dispatched <> coalesce((
           select sum(s.dispatched) from shipment_lines s where s.order_line_id = o.id), 0)",
    ),
    (
        "an order's line says something else than its receipts",
        "select o.id from order_lines o where o.qty_received <> coalesce((
           select sum(r.accepted) from receipt_lines r join documents d on d.id = r.document_id
           where r.order_line_id = o.id and d.state in ('posted', 'reconciled')), 0)",
    ),
    (
        "more is sent than was granted",
        "select id from order_lines where qty_dispatched + qty_short_closed > coalesce(qty_approved, 0)
           and qty_dispatched > 0",
    ),
    (
        "something is below zero in the kitchen",
        "select item_id from stock_balances where place_kind = 'commissary' and qty < 0",
    ),
    ("a lot is below zero", "select lot from lot_balances where qty < 0"),
    (
        "expensive waste was posted without approval",
        "select d.id from documents d where d.kind = 'waste' and d.state = 'posted' and cast(d.steps as text) not like '%approve%'
           and d.amount > 70000",
    ),
    (
        "what is thrown away or made moved something else",
        "select d.id from documents d where d.kind in ('waste', 'production') and (d.state = 'posted') <> (
           coalesce((select sum(abs(m.qty)) from stock_movements m where m.document_id = d.id), 0) > 0)
           and d.state <> 'reversed'",
    ),
    (
        "numbers have a gap or a double",
        "select n.kind from document_numbers n where n.last <> (
           select count(distinct d.number) from documents d where d.kind = n.kind)",
    ),
];

#[rstest]
#[tokio::test]
async fn random_actions_keep_all_invariants(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let rounds: u64 = std::env::var("DOCUMENT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut lives = Lives::start(on).await;
    let (mut done, mut steps) = (0, 0);
    for round in 0..rounds {
        let seed = |nth: u64| Chance((round * 31 + nth * 7 + 11).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        lives.days = i32::try_from(round % 40).expect("small");
        let acts = (0..3).map(|nth| lives.act(seed(nth), lives.days + i32::try_from(nth).expect("small")));
        for answer in futures::future::join_all(acts).await {
            assert!(answer.status < 500, "round {round}: {}", answer.text());
            done += u64::from(answer.status < 300);
            steps += 1;
        }
        lives.adds_up(&format!("round {round}")).await;
    }
    assert!(done * 3 > steps, "only {done} of {steps} actions succeeded");
    let counts: Vec<(String, i64)> = lives
        .site
        .app
        .db
        .sql("select kind || ' ' || state, cast(count(*) as bigint) from documents group by kind, state order by 1")
        .all()
        .await
        .expect("counts");
    let of = |names: &[&str]| -> i64 {
        counts.iter().filter(|(state, _)| names.contains(&state.as_str())).map(|(_, count)| count).sum()
    };
    let ends = [
        &["delivery received", "delivery reconciled"][..],
        &["receipt posted", "receipt reconciled", "receipt reversed"],
        &["storeOrder received", "storeOrder closed", "storeOrder partiallyReceived"],
        &["transfer received", "transfer reconciled", "transfer partiallyReceived"],
        &["waste posted", "waste reversed"],
        &["production posted", "production reversed"],
    ];
    for names in ends {
        assert!(of(names) > 0 || rounds < 400, "none of {names:?} in {counts:?}");
    }
    let dear = "select cast(count(*) as bigint) from documents where kind = 'waste' and amount > 70000 and state in ('posted', 'reversed')";
    let dear: i64 = lives.site.app.db.sql(dear).scalar().await.expect("a count");
    assert!(dear > 0 || rounds < 400, "no waste exceeded the approval limit");
}
