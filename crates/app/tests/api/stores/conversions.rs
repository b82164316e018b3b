//! A change of a factor or a mix holds from its time on: the days before it stay as they were.

use larder_domain::ledger::{Item, ItemKind, Place, PlaceKind};
use larder_domain::{BusinessDay, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use super::inventory::{Counted, Stage, make};
use crate::support::{Engine, actor};

const ITEMS: &str = "/api/lists/store-inventory-items";

impl Stage {
    /// Bags of rice that came at noon, in thousandths.
    async fn bags(&self, id: &str, bag: &str, day: i32, qty: i64) {
        let bag = Item { kind: ItemKind::Product, id: bag.to_owned() };
        let here = Place { kind: PlaceKind::Store, id: self.store.clone() };
        self.post_of(id, day, (bag, here), qty).await;
    }

    /// Sacks and loose rice, counted at the close of a day.
    async fn both(&self, day: i32, sacks: i64, loose: i64) {
        self.count(&self.sack, Counted { day, closing: true, qty: sacks }).await;
        self.count(&self.loose, Counted { day, closing: true, qty: loose }).await;
    }

    async fn mix(&self, recipe: &str, percent: i64) {
        let mix = format!("{ITEMS}/mixes/{}_{}", self.store, self.loose);
        let splits = json!([{ "recipeId": recipe, "percent": percent }]);
        self.admin.put(&mix, &json!({ "splits": splits })).await.expect(200);
    }

    async fn change(&self, path: &str, mut change: Value) {
        change["revision"] = self.admin.get(path).await.expect(200)["revision"].clone();
        self.admin.patch(path, &change).await.expect(200);
    }

    /// All that is shown of the days up to one.
    async fn shown(&self, from: i32, to: i32) -> Vec<Value> {
        let (store, rice, sack) = (&self.store, &self.rice, &self.sack);
        let (from, to) = (BusinessDay(from), BusinessDay(to));
        let mut shown = Vec::new();
        for (path, member) in [
            (format!("stores/inventory?storeId={store}&by=items&date={to}"), "items"),
            (format!("stores/inventory?storeId={store}&by=rootItems&date={to}"), "items"),
            (
                format!("stores/inventory/ledger?storeId={store}&rootItemId={rice}&from={from}&date={to}"),
                "days",
            ),
            (format!("stores/inventory/ledger?storeId={store}&itemId={sack}&from={from}&date={to}"), "days"),
            (format!("reports/count-variance?from={from}&to={to}"), "items"),
            (format!("reports/count-variance?from={from}&to={to}&by=items"), "items"),
            (format!("reports/root-item-movement-by-store?from={from}&to={to}"), "items"),
        ] {
            let mut page = self.admin.get(&format!("/api/{path}")).await.expect(200);
            assert!(page[member].as_array().is_some_and(|found| !found.is_empty()), "{path}: {page}");
            shown.push(page[member].take());
        }
        shown
    }
}

#[rstest]
#[tokio::test]
async fn a_changed_factor_or_mix_leaves_the_days_before_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    let bag = json!({
        "name": "Rice, bag", "sku": "BAG", "type": "Non-inventory",
        "rootItemConversions": [{ "rootItemId": stage.rice, "factor": 2 }],
    });
    let bag = make(&stage.admin, "/api/products", bag).await;
    let lines = json!([{ "rootItemId": stage.rice, "qty": 6 }]);
    let bowl = json!({ "name": "Bowl", "yieldQty": 10, "rootItems": lines });
    let bowl = make(&stage.admin, "/api/lists/recipes", bowl).await;
    // Half a bowl per unit: 0.3 of rice. A sack has 5, a bag 2.
    stage.mix(&bowl, 50).await;
    stage.both(today - 8, 10_000, 100_000).await;
    stage.bags("before", &bag, today - 6, 3_000).await;
    stage.both(today - 5, 11_000, 100_000).await;
    let before = stage.shown(today - 7, today - 5).await;
    let variance = &before[4][0];
    assert_eq!(
        ["opening", "moved", "expected", "counted", "variance"].map(|figure| variance[figure].as_i64()),
        [80, 6, 86, 85, -1].map(Some),
        "{variance}"
    );

    // A whole bowl per unit, ten in a sack, three in a bag.
    stage.mix(&bowl, 100).await;
    stage.change(&format!("{ITEMS}/{}", stage.sack), json!({ "rootQtyPerUnit": 10 })).await;
    let parts = json!([{ "rootItemId": stage.rice, "factor": 3 }]);
    stage.change(&format!("/api/products/{bag}"), json!({ "rootItemConversions": parts })).await;
    assert_eq!(stage.shown(today - 7, today - 5).await, before);

    // As if it had been changed at noon some days ago.
    let noon = Timestamp(i64::from(today - 4) * 86_400_000 + 4 * 3_600_000);
    let by = actor(stage.app.state.now());
    let moved = stage
        .app
        .db
        .write(&by, async |tx| tx.sql("update former_parts set until = $1").bind(noon).execute().await);
    assert_eq!(moved.await.expect("what ended"), 3);
    stage.bags("after", &bag, today - 3, 1_000).await;
    // 85 and a bag of 3 are 88; there are 50 in sacks and 36 loose.
    stage.both(today - 2, 5_000, 60_000).await;
    assert_eq!(stage.shown(today - 7, today - 5).await, before);
    let after = stage.shown(today - 4, today - 2).await;
    let variance = &after[4][0];
    assert_eq!(
        ["opening", "moved", "expected", "counted", "variance"].map(|figure| variance[figure].as_i64()),
        [85, 3, 88, 86, -2].map(Some),
        "{variance}"
    );
    assert_eq!(after[1][0]["onHand"], 86);
    let movement = &after[6][0];
    assert_eq!(
        ["opening", "received", "closing", "variance"].map(|figure| movement[figure].as_i64()),
        [85, 3, 86, -2].map(Some),
        "{movement}"
    );
}
