//! A whole store takes no more queries than one item.

use larder_domain::{BusinessDay, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop, outcomes};
use crate::support::{Client, Engine};

const SIZES: [usize; 3] = [1, 50, 400];

/// A store of 400 items, each with its own root item.
struct Large {
    shop: Shop,
    ana: Client,
    manager: Client,
    sent: usize,
}

impl Large {
    async fn open(on: Engine) -> Large {
        let mut shop = Shop::open(on).await;
        shop.settle(json!({ "restrictDate": false })).await;
        shop.fill(400).await;
        let (ana, manager) = (shop.counter().await, shop.app.admin().await);
        Large { shop, ana, manager, sent: 0 }
    }

    /// Makes the store count the first n items.
    async fn show(&self, many: usize) {
        let path = format!("/api/lists/store-inventory-items/visibility/{}", self.shop.store);
        self.manager.put(&path, &json!({ "itemIds": self.shop.items[..many] })).await.expect(200);
    }

    /// Saves of the first n items on a day.
    fn saves(&mut self, many: usize, date: BusinessDay, at: Timestamp) -> Vec<Value> {
        let first = self.sent;
        self.sent += many;
        let save = |n: usize| {
            let seq = first + n + 1;
            json!({ "op": format!("tab:{seq}"), "seq": seq, "storeId": self.shop.store, "date": date,
                "session": "opening", "itemId": self.shop.items[n], "qty": seq, "at": at })
        };
        (0..many).map(save).collect()
    }

    /// Number of statements of a request: the minimum of three attempts, each right after another request, because
    /// sessions are looked up again after a second.
    async fn statements(&self, mut request: impl AsyncFnMut(usize)) -> u64 {
        let mut least = u64::MAX;
        for turn in 0..3 {
            for client in [&self.ana, &self.manager] {
                client.get("/api/me").await.expect(200);
            }
            let before = self.shop.app.db.statements();
            request(turn).await;
            least = least.min(self.shop.app.db.statements() - before);
        }
        assert!(least > 0, "statements are not counted");
        least
    }
}

/// Checks that it is the same for every size.
fn alike(what: &str, counts: &[u64]) {
    println!("{what}: {counts:?} statements for {SIZES:?} items");
    assert!(counts.iter().all(|count| count == &counts[0]), "{what}: {counts:?} for {SIZES:?}");
}

#[rstest]
#[tokio::test]
async fn a_batch_of_any_size_takes_the_same_statements(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut large = Large::open(on).await;
    let (today, now) = (large.shop.today(), large.shop.now());
    // New ones; existing ones; duplicates; held ones.
    let (mut new, mut over, mut again, mut held) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (n, many) in (0..).zip(SIZES) {
        // Three days of each size, and three that have not begun.
        let [first, second, far]: [Vec<Vec<Value>>; 3] = [-3 * n, -3 * n, 5]
            .map(|day| (0..3).map(|turn| large.saves(many, today.plus(day - turn), now)).collect());
        for (counts, parcels, outcome) in [
            (&mut new, &first, ["applied", "applied", "applied"]),
            (&mut again, &first, ["duplicate", "duplicate", "duplicate"]),
            (&mut over, &second, ["applied", "applied", "applied"]),
            (&mut held, &far, ["held", "held", "held"]),
        ] {
            let asked = large
                .statements(async |turn| {
                    let results = large.shop.send(&large.ana, &parcels[turn]).await;
                    assert!(outcomes(&results).iter().all(|one| *one == outcome[turn]), "{results:?}");
                })
                .await;
            counts.push(asked);
        }
    }
    alike("a new batch", &new);
    alike("over what stands", &over);
    alike("sent again", &again);
    alike("held", &held);
}

#[rstest]
#[tokio::test]
async fn the_pages_of_a_count_take_the_same_statements(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut large = Large::open(on).await;
    let (today, now, store) = (large.shop.today(), large.shop.now(), large.shop.store.clone());
    for days in [3, 1, 0] {
        let saves = large.saves(400, today.plus(-days), now);
        large.shop.send(&large.ana, &saves).await;
    }
    let inventory = "/api/stores/inventory";
    let (start, end) = (today.plus(-6), today);
    let pages = [
        ("warm-up", format!("{PATH}/warm-up?storeId={store}"), "items"),
        ("on hand", format!("{inventory}?storeId={store}&pageSize=1000"), "items"),
        ("on hand by root item", format!("{inventory}?storeId={store}&pageSize=1000&by=rootItems"), "items"),
        ("the grid", format!("{inventory}/grid?storeId={store}&start={start}&end={end}"), "items"),
        ("the sheet", format!("{inventory}/sheet?storeId={store}"), "items"),
    ];
    let mut counts = vec![Vec::new(); pages.len()];
    for many in SIZES {
        large.show(many).await;
        for ((_, path, list), counts) in pages.iter().zip(&mut counts) {
            let mut shown = 0;
            let asked = large
                .statements(async |_| {
                    let seen = large.manager.get(path).await.expect(200);
                    shown = seen[*list].as_array().map_or(0, Vec::len);
                })
                .await;
            assert!(shown >= many, "{path} shows {shown} of {many}");
            counts.push(asked);
        }
    }
    for ((name, ..), counts) in pages.iter().zip(&counts) {
        alike(name, counts);
    }
}

/// A day's and a week's entries: the number of counts grows, the number of statements does not.
#[rstest]
#[tokio::test]
async fn entries_are_read_with_the_same_statements(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut large = Large::open(on).await;
    let (today, now, store) = (large.shop.today(), large.shop.now(), large.shop.store.clone());
    let (mut day, mut range, mut days) = (Vec::new(), Vec::new(), Vec::new());
    for (n, many) in (0..).zip(SIZES) {
        let date = today.plus(-n);
        let saves = large.saves(many, date, now);
        large.shop.send(&large.ana, &saves).await;
        for (path, counts) in [
            (format!("{PATH}/entries?storeId={store}&date={date}"), &mut day),
            (format!("{PATH}/range?storeId={store}&start={date}&end={date}"), &mut range),
            (format!("{PATH}/summary?storeId={store}&start={date}&end={date}"), &mut days),
        ] {
            let asked = large.statements(async |_| drop(large.ana.get(&path).await.expect(200))).await;
            counts.push(asked);
        }
    }
    alike("a day", &day);
    alike("a range", &range);
    alike("a summary", &days);
}
