//! Prices that head office changed over the history: of root items, and on the last day those of some products.

use larder_db::{DbError, Tx};
use larder_domain::{BusinessDay, Money};
use larder_ledgers::prices;
use larder_ledgers::prices::{NewPrice, Source};
use larder_lists::catalog::{Product, RootItem};
use larder_lists::engine;
use larder_platform::http::ApiError;
use serde_json::{Map, Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};
use super::products::PLANNER;

/// Head office sets prices.
const BUYER: usize = 1;
/// When prices of root items changed, in hundredths of the history.
const WHEN: [i32; 4] = [18, 43, 68, 90];
/// By how much, in percent, each of another root item.
const PERCENT: [i64; 6] = [103, 106, 95, 108, 102, 111];
/// Products with new prices.
const PRODUCTS: usize = 4;
/// Their new prices, in percent.
const DEARER: i64 = 105;

/// Changes prices of root items that no receipt has a price of, then prices of products.
pub async fn load(demo: &DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    let roots: Vec<(String,)> = demo
        .state
        .db
        .sql(
            "select id from root_items where production and price is not null \
             and id not in (select root_item_id from price_proposals) order by id",
        )
        .all()
        .await?;
    let days = world.last.0 - world.first.0;
    for (nth, hundredths) in WHEN.iter().enumerate() {
        let from = world.first.plus(days * hundredths / 100);
        for (at, percent) in PERCENT.iter().enumerate() {
            let Some((root,)) = roots.get((nth * 3 + at * 13) % roots.len().max(1)) else { continue };
            set(demo, root, from, *percent).await?;
        }
    }
    products(demo, world.last).await
}

/// Sets the price of a root item from a day on, that morning.
async fn set(demo: &DemoActor<'_>, root: &str, from: BusinessDay, percent: i64) -> Result<(), ApiError> {
    let actor = demo.actor(BUYER, moment(from, 9, 20));
    demo.state
        .db
        .write(&actor, async |tx| {
            let Some(before) = prices::on(tx, root, from).await?.and_then(|kept| kept.price) else {
                return Ok(());
            };
            let price = of_percent(before, percent);
            let new = NewPrice {
                root_item_id: root,
                from,
                price: Some(price),
                source: Source::Set,
                receipt_id: None,
                reason: None,
            };
            prices::set(tx, &new, None).await?;
            change_record(tx, root, price).await
        })
        .await
}

/// Gives the record of a root item the price that is in force by then.
pub async fn change_record(tx: &mut Tx<'_>, root: &str, price: Money) -> Result<(), ApiError> {
    let patch = patch(revision(tx, "root_items", root).await?, "price", json!(price));
    engine::update::<RootItem>(tx, root, patch).await.map(drop)
}

/// The planner raises prices of products.
async fn products(demo: &DemoActor<'_>, last: BusinessDay) -> Result<(), ApiError> {
    let found: Vec<(String, larder_db::Json<Vec<Value>>)> = demo
        .state
        .db
        .sql(
            "select id, price_level_prices from products where not inactive and price_level_prices <> '[]' \
             order by name_key, id",
        )
        .all()
        .await?;
    let actor = demo.actor(PLANNER, moment(last, 22, 40));
    for (id, lines) in found.into_iter().step_by(5).take(PRODUCTS) {
        let mut lines = lines.0;
        for line in &mut lines {
            let before = Money::parse(&line["price"].to_string()).unwrap_or_default();
            line["price"] = json!(of_percent(before, DEARER));
        }
        let (id, lines) = (id.as_str(), &json!(lines));
        demo.state
            .db
            .write(&actor, async |tx| {
                let patch = patch(revision(tx, "products", id).await?, "priceLevelPrices", lines.clone());
                engine::update::<Product>(tx, id, patch).await.map(drop)
            })
            .await?;
    }
    Ok(())
}

fn of_percent(price: Money, percent: i64) -> Money {
    Money((price.0 * percent + 50) / 100)
}

fn patch(revision: i64, field: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(field.to_owned(), value), ("revision".to_owned(), json!(revision))])
}

async fn revision(tx: &mut Tx<'_>, table: &'static str, id: &str) -> Result<i64, DbError> {
    tx.sql("select revision from ").push(table).push(" where id = ").push_bind(id).scalar().await
}
