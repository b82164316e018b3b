//! Random orders to a kitchen. In its matrix, in the plan of its production and in the list of what is short, every
//! quantity asked for is somewhere: asked = cut + approved, approved = sent + to send + closed short, to send = covered +
//! short.

use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, Stage, number};
use crate::documents::kitchen::adds_up;
use crate::documents::{DELIVERIES, ORDERS, step_as};
use crate::support::{Engine, one_engine};

const FIGURES: [&str; 8] =
    ["ordered", "cut", "approved", "sent", "closedShort", "toSend", "covered", "short"];

/// A seeded random number sequence.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most.max(1)
    }

    fn sacks(&mut self) -> i64 {
        self.below(9) as i64 + 1
    }
}

/// What happens next; a refusal is an answer too.
async fn act(stage: &Stage, chance: &mut Chance) {
    let admin = &stage.admin;
    let what = chance.below(8);
    if what < 2 {
        let days = chance.below(3) as i32 + 1;
        stage.order(chance.sacks(), days).await;
        return;
    }
    if what == 2 {
        let stock =
            json!({ "quantity": chance.below(90), "placeKind": "commissary", "placeId": stage.kitchen });
        admin.post(&format!("/api/products/{}/adjust", stage.sacks), &stock).await.expect(200);
        return;
    }
    let list = admin.get(&format!("{ORDERS}?status=submitted,approved,inFulfilment")).await.expect(200);
    let orders = list["items"].as_array().expect("orders");
    let Some(order) = orders.get(chance.below(orders.len() as u64) as usize) else { return };
    let order = admin.get(&format!("{ORDERS}/{}", order["id"].as_str().expect("an id"))).await.expect(200);
    match what {
        3 | 4 => {
            let line =
                json!({ "id": order["lines"][0]["id"], "qtyApproved": chance.sacks(), "reason": "Room" });
            step_as(admin, ORDERS, &order, "approve", json!({ "lines": [line] })).await;
        }
        5 | 6 => {
            let made = admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await;
            if made.status != 201 {
                return;
            }
            let mut delivery = made.json();
            for step in ["pick", "pack", "dispatch"] {
                let taken = step_as(admin, DELIVERIES, &delivery, step, json!({})).await;
                if taken.status != 200 {
                    return;
                }
                delivery = taken.json();
            }
        }
        _ => {
            step_as(admin, ORDERS, &order, "close-short", json!({})).await;
        }
    }
}

fn of_rice<'a>(stage: &Stage, answer: &'a Value) -> Option<&'a Value> {
    answer["products"].as_array().expect("products").iter().find(|row| row["productId"] == stage.sacks)
}

async fn check(stage: &Stage) {
    let until = stage.today().plus(60);
    let matrix = format!("/api/commissary/orders?commissaryId={}&neededDate={until}", stage.kitchen);
    let matrix = stage.admin.get(&matrix).await.expect(200);
    adds_up(&matrix);
    let plan = format!("{PLAN}/kitchen?commissaryId={}", stage.kitchen);
    let plan = stage.admin.get(&plan).await.expect(200);
    for row in plan["products"].as_array().expect("products") {
        let is = |name: &str| number(&row[name]);
        assert_eq!(is("ordered"), is("cut") + is("approved"), "{row}");
        assert_eq!(is("approved"), is("sent") + is("toSend") + is("closedShort"), "{row}");
        assert_eq!(is("toSend"), is("covered") + is("short"), "{row}");
    }
    let Some(row) = of_rice(stage, &matrix) else { return };
    let planned = of_rice(stage, &plan).unwrap_or_else(|| panic!("no rice in {plan}"));
    for name in FIGURES {
        assert_eq!(planned[name], row[name], "{name} of {planned} and {row}");
    }
    // Lines that wait for an answer are not listed as short.
    let list = stage.admin.get("/api/commissary/orders/short").await.expect(200);
    let lines = list["items"].as_array().expect("items");
    for line in lines {
        let is = |name: &str| number(&line[name]);
        assert_eq!(is("toSend"), is("covered") + is("short"), "{line}");
    }
    let short: f64 = lines.iter().map(|line| number(&line["short"]) * 5.0).sum();
    let listed = number(&row["short"]) - number(&row["shortWaiting"]);
    assert!((short - listed).abs() < 1e-6, "{list} and {row}");
}

#[rstest]
#[tokio::test]
async fn every_quantity_asked_for_is_somewhere(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 10).await;
    stage.run(json!({})).await;
    for seed in [0x9e37_79b9, 0x51ed_270b, 0x0bad_cafe] {
        let mut chance = Chance(seed);
        for _ in 0..25 {
            act(&stage, &mut chance).await;
            check(&stage).await;
        }
    }
}
