//! The items a store counts, and their recipe mixes.

use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop, id, outcomes};
use crate::support::{Client, Engine, one_engine};
use crate::users::store;

const ITEMS: &str = "/api/lists/store-inventory-items";

impl Shop {
    async fn warm_up(&self, client: &Client) -> Value {
        client.get(&format!("{PATH}/warm-up?storeId={}", self.store)).await.expect(200)
    }

    async fn names(&self, client: &Client) -> Vec<String> {
        let seen = self.warm_up(client).await;
        let items = seen["items"].as_array().expect("items");
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    }

    async fn show(&self, store: &str, choice: Value) {
        self.admin.put(&format!("{ITEMS}/visibility/{store}"), &choice).await.expect(200);
    }
}

#[rstest]
#[tokio::test]
async fn a_save_of_an_item_the_store_does_not_count_is_held(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let other = store(&shop.app, "PSG").await;
    let free = json!({ "enforceTimeWindow": false, "timeLockEnabled": false });
    shop.admin.put(&format!("{PATH}/settings/{other}"), &free).await.expect(200);
    let [rice, tea, bread] = [0, 1, 2].map(|n| shop.items[n].as_str());
    assert_eq!(shop.names(&ana).await, ["Rice", "Tea", "Bread"], "nothing was chosen");

    shop.show(&shop.store, json!({ "itemIds": [tea, bread, tea] })).await;
    assert_eq!(shop.names(&ana).await, ["Tea", "Bread"]);
    let results = shop
        .send(&ana, &[shop.save("tab:1", 0, 7), shop.save("tab:2", 1, 5), shop.save("tab:3", 0, "")])
        .await;
    assert_eq!(outcomes(&results), ["held", "applied", "held"], "a cleared count too");
    assert_eq!(
        (&results[0]["heldFor"], &results[0]["reason"]),
        (&json!("item"), &json!("This item is not counted here any more."))
    );
    let seen = shop.entries(&ana).await;
    assert_eq!(seen["entries"].as_array().map(Vec::len), Some(1), "a held save is not current");
    // Another store still counts it.
    let mut there = shop.save("adm:1", 0, 9);
    there["storeId"] = json!(other);
    assert_eq!(outcomes(&shop.send(&shop.admin, &[there]).await), ["applied"]);

    // Shown again, held saves stay held until decided; new ones are accepted.
    shop.show(&shop.store, json!({ "itemIds": [rice, tea, bread] })).await;
    let again = shop.send(&ana, &[shop.save("tab:4", 2, 1)]).await;
    assert_eq!(outcomes(&again), ["applied"]);
    let held = shop.admin.get(&format!("{PATH}/held?storeId={}", shop.store)).await.expect(200);
    assert_eq!(held["total"], 2);
    let done = shop.admin.post(&format!("{PATH}/held/apply"), &json!({ "ops": ["tab:1"] })).await.expect(200);
    assert_eq!(
        (&done["results"][0]["outcome"], &done["results"][0]["current"]["qty"]),
        (&json!("applied"), &json!(7))
    );
    let seen = shop.entries(&ana).await;
    assert!(seen["entries"].as_array().is_some_and(|all| all.iter().any(|one| one["itemId"] == rice)));
}

/// A manager may apply counts of an item the store does not show: it was really there.
#[rstest]
#[tokio::test]
async fn counts_of_a_hidden_item_remain(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    shop.send(&ana, &[shop.save("tab:1", 0, 7)]).await;
    shop.show(&shop.store, json!({ "itemIds": [] })).await;
    assert_eq!(shop.names(&ana).await, [""; 0], "an empty choice counts nothing");
    let seen = shop.entries(&ana).await;
    assert_eq!(seen["entries"][0]["qty"], 7, "existing counts remain");
    let results = shop.send(&ana, &[shop.save("tab:2", 0, 8)]).await;
    assert_eq!((&results[0]["outcome"], &results[0]["current"]["qty"]), (&json!("held"), &json!(7)));
    let done = shop.admin.post(&format!("{PATH}/held/apply"), &json!({ "ops": ["tab:2"] })).await.expect(200);
    assert_eq!(done["results"][0]["current"]["qty"], 8);
}

#[rstest]
#[tokio::test]
async fn a_group_shows_its_items_unless_the_store_has_its_own(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let group = json!({ "name": "Kiosks", "itemIds": [shop.items[0]], "storeIds": [shop.store] });
    let made = shop.admin.post(&format!("{ITEMS}/groups"), &group).await;
    let group = id(&made.expect(201));
    assert_eq!(shop.names(&ana).await, ["Rice"]);
    let results = shop.send(&ana, &[shop.save("tab:1", 1, 5), shop.save("tab:2", 0, 5)]).await;
    assert_eq!(outcomes(&results), ["held", "applied"]);
    shop.show(&shop.store, json!({ "itemIds": [shop.items[1]], "groupId": group })).await;
    assert_eq!(shop.names(&ana).await, ["Tea"], "its own choice wins");
    let results = shop.send(&ana, &[shop.save("tab:3", 1, 5), shop.save("tab:4", 0, 5)]).await;
    assert_eq!(outcomes(&results), ["applied", "held"]);
}

#[rstest]
#[tokio::test]
async fn the_warm_up_includes_mixes(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let other = store(&shop.app, "PSG").await;
    let recipe = async |name: &str| {
        id(&shop.admin.post("/api/lists/recipes", &json!({ "name": name })).await.expect(201))
    };
    let (red, green) = (recipe("Red").await, recipe("Green").await);
    assert_eq!(shop.warm_up(&ana).await["mixes"], json!([]));
    let mix = async |store: &str, splits: Value| {
        let path = format!("{ITEMS}/mixes/{store}_{}", shop.items[0]);
        shop.admin.put(&path, &json!({ "splits": splits })).await.expect(200);
    };
    let splits = json!([{ "recipeId": green, "percent": 62.5 }, { "recipeId": red, "percent": 0 }]);
    mix(&shop.store, splits.clone()).await;
    mix(&other, json!([{ "recipeId": red, "percent": 100 }])).await;
    let seen = shop.warm_up(&ana).await;
    assert_eq!(seen["mixes"], json!([{ "itemId": shop.items[0], "splits": splits }]), "in display order");
}
