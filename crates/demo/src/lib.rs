//! `larder demo`: a realistic restaurant group, from its units of measure to yesterday's sales.
//!
//! | file | contents |
//! |---|---|
//! | `tables/*.csv` | the tables: stores, root items, the menu, products, suppliers, accounts … |
//! | `table`, `small_lists` | reading them, as typed rows or directly as list records |
//! | `stores`, `root_items`, `menu`, `product_rows` | tables with derived data |
//! | `accounts`, `suppliers`, `recipes`, `companies`, `stock_places` | tables, and creating their records |
//! | `masters`, `products`, `store_items` | the other lists: the menu, products with pictures, count sheets and levels |
//! | `demo_actor`, `queries` | backdated records; data without a list |
//! | `people`, `applicants` | sign-ins and roles; applications for access |
//! | `rng`, `calendar`, `demand`, `receipts` | reproducible randomness; variation between days; sales of every store, as totals or receipts |
//! | `till`, `sales`, `batches`, `file_summary` | till files, and importing them |
//! | `stock`, `counts` | the ledger's first weeks; store counts of the last two weeks |
//! | `forecasts` | forecasts of the last weeks, to be compared with actual sales |
//! | `supply` | store orders, deliveries and receipts; goods that stores buy, with their prices |
//! | `prices` | prices of root items and products that head office changed |
//! | `plans` | replenishment rules, and the plan of the first morning |
//! | `readings`, `canvas` | Z-readings, and pictures of them |
//! | `finance` | leases, cash and deposits, certified months, NetSuite |
//! | `snapshots` | the weekly snapshots of the last weeks |
//! | `connectors` | automatic sales imports, paused, with the results of their last runs |
//! | `reports` | custom reports, one of them with a schedule, paused |
//! | `pictures`, `pdf` | product pictures, files of companies' documents |
//!
//! All records go through the same interfaces as user input, so that all rules and sums hold.

mod accounts;
mod applicants;
mod batches;
mod calendar;
mod canvas;
mod companies;
mod connectors;
mod counts;
mod demand;
mod demo_actor;
mod file_summary;
mod finance;
mod forecasts;
#[cfg(test)]
mod links;
mod masters;
mod menu;
mod pdf;
mod people;
mod pictures;
mod plans;
mod prices;
mod product_rows;
mod products;
mod queries;
mod readings;
mod receipts;
mod recipes;
mod reports;
mod rng;
mod root_items;
mod sales;
#[cfg(test)]
mod scope_tests;
mod small_lists;
mod snapshots;
mod stock;
mod stock_places;
mod store_items;
mod stores;
mod suppliers;
mod supply;
mod table;
#[cfg(test)]
mod tests;
mod till;

use std::fmt::Write as _;
use std::time::Instant;

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_lists::catalog::{Location, PosItem, RootItem, Uom};
use larder_lists::engine::{Filter, List, count};
use larder_platform::AppState;
use larder_platform::http::ApiError;
use larder_platform::people::password;
use serde_json::{Value, json};

use demand::{Extent, World};
use demo_actor::{DemoActor, moment};
use people::PEOPLE;

/// Half a year of eight stores.
const SMALL: Extent = Extent { stores: 8, days: 182, receipt_days: 42, receipt_stores: 2, products: 80 };
/// A quarter of four, for users who only want a look.
const EXAMPLE: Extent = Extent { stores: 4, days: 98, receipt_days: 28, receipt_stores: 2, products: 80 };
/// Two years of forty.
const FULL: Extent = Extent { stores: 40, days: 730, receipt_days: 42, receipt_stores: 2, products: 250 };

/// Fills an empty database, with the small group or the whole one; the same seed makes the same data. Answers who can
/// sign in, as text for a terminal.
///
/// # Errors
/// When the database holds other data, or an earlier load did not end.
pub async fn fill(state: &AppState, small: bool, seed: u64) -> anyhow::Result<String> {
    if queries::loaded(&state.db).await?.is_none() {
        anyhow::ensure!(
            is_empty(state).await?,
            "this database holds data already; the demo goes into an empty one (--data-dir names another folder)"
        );
        load(state, if small { SMALL } else { FULL }, seed, yesterday(state), SignIn::All).await?;
    }
    welcome(state).await
}

/// Loads the small demo into a database without users. Returns the sign-ins if it is loaded.
///
/// # Errors
/// When a load did not end, now or earlier.
pub async fn load_if_empty(state: &AppState) -> anyhow::Result<Option<String>> {
    let loaded = queries::loaded(&state.db).await?.is_some();
    if !loaded {
        if !is_empty(state).await? {
            return Ok(None);
        }
        load(state, SMALL, 1, yesterday(state), SignIn::All).await?;
    }
    welcome(state).await.map(Some)
}

/// Loads a few stores into the group of a user who may throw them away again. Its people cannot sign in: their passwords
/// are known to everybody.
///
/// # Errors
/// When the group has stores, items or units already.
pub async fn load_as_example(state: &AppState) -> anyhow::Result<()> {
    anyhow::ensure!(lists_are_empty(&state.db).await?, "the group has stores, items or units already");
    load(state, EXAMPLE, 1, yesterday(state), SignIn::Nobody).await
}

/// Who of the demo's people can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignIn {
    /// Everybody, by the passwords that are printed.
    All,
    /// Nobody: their passwords are random.
    Nobody,
}

/// Whether there are no users and no list records.
async fn is_empty(state: &AppState) -> anyhow::Result<bool> {
    let accounts: i64 = state.db.sql("select cast(count(*) as bigint) from accounts").scalar().await?;
    Ok(accounts == 0 && lists_are_empty(&state.db).await?)
}

/// Whether the lists the demo fills first are empty.
async fn lists_are_empty(db: &Db) -> Result<bool, DbError> {
    for list in [Location::def(), RootItem::def(), PosItem::def(), Uom::def()] {
        let all = Filter { hidden_too: true, ..Filter::everything(list) };
        if count(db, list, &all).await? > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The last completed day.
fn yesterday(state: &AppState) -> BusinessDay {
    BusinessDay::of(state.now()).plus(-1)
}

/// Loads a demo of this extent.
async fn load(
    state: &AppState,
    extent: Extent,
    seed: u64,
    last: BusinessDay,
    sign_in: SignIn,
) -> anyhow::Result<()> {
    let started = Instant::now();
    println!("Loading the demo data …");
    let world = World::new(seed, extent, last);
    let mut demo = DemoActor::new(state, seed, moment(masters::set_up(&world), 8, 0));
    let facts = json!({ "seed": seed, "stores": extent.stores, "from": world.first, "to": last });
    note(&demo, &facts, "loading").await?;
    let ids = masters::load(&mut demo, &world, sign_in).await?;
    applicants::load(&mut demo, &world).await?;
    sales::post(&mut demo, &world, &ids, &|week, weeks| {
        if week > 0 && week % 26 == 0 && weeks > 52 {
            println!("  {week} of {weeks} weeks of sales");
        }
    })
    .await?;
    counts::load(&mut demo, &world, &ids).await?;
    prices::load(&demo, &world).await?;
    forecasts::load(&demo, &world).await?;
    readings::load(&mut demo, &world, &ids).await?;
    plans::load(&mut demo, &world, &ids).await?;
    snapshots::load(&demo, &world, &ids.stores).await?;
    connectors::load(&mut demo, &world).await?;
    finance::load(&mut demo, &world, &ids).await?;
    reports::load(&mut demo, &world).await?;
    note(&demo, &facts, "loaded").await?;
    println!(
        "Loaded {} stores from {} to {last} in {:.1} s.",
        extent.stores,
        world.first,
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

async fn note(demo: &DemoActor<'_>, facts: &Value, state: &str) -> Result<(), ApiError> {
    let mut value = facts.clone();
    value["state"] = json!(state);
    let (value, now) = (&value, demo.state.now());
    let actor = demo.actor(0, now);
    Ok(demo.state.db.write(&actor, async |tx| queries::note(tx, value, now).await).await?)
}

/// Sign-ins and passwords, unless they were changed.
async fn welcome(state: &AppState) -> anyhow::Result<String> {
    let demo = queries::loaded(&state.db).await?.unwrap_or_default();
    anyhow::ensure!(
        demo["state"] == "loaded",
        "the demo data was not loaded to its end; empty the data folder and start again"
    );
    let mut words = String::from("Sign in to the demo as");
    for person in PEOPLE {
        let hash = queries::password_hash(&state.db, person.email).await?;
        if !password::verify(person.password.to_owned(), hash).await? {
            continue;
        }
        let role = person.role.unwrap_or("Super admin");
        let within = person.stores.map_or(String::new(), |codes| format!(" of {}", codes.join(", ")));
        write!(words, "\n  {:<28} {:<22} {role}{within}", person.email, person.password)?;
    }
    Ok(words)
}
