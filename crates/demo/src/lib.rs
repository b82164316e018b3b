//! `larder demo`: a believable group of restaurants, from its units of measure to yesterday's sales.
//!
//! | file | what it has |
//! |---|---|
//! | `tables/*.csv` | the tables: stores, root items, the menu, products, suppliers, accounts … |
//! | `table`, `small_lists` | how they are read, as rows of ours or as records that a list takes as they are |
//! | `stores`, `root_items`, `menu`, `product_rows` | tables that more is made of |
//! | `accounts`, `suppliers`, `recipes`, `companies`, `stock_places` | tables, and how they are entered |
//! | `masters`, `products`, `store_items` | entering the other lists: the menu, products with pictures, count sheets and levels |
//! | `author`, `queries` | records dated when they would have been; what no list has |
//! | `people`, `applicants` | sign-ins and roles; people who ask for access |
//! | `chance`, `calendar`, `demand`, `receipts` | chance that repeats itself; what makes days differ; what every store sells, as totals or at the counter |
//! | `till`, `sales`, `batches`, `file_summary` | the files the tills write, and how they come into the book |
//! | `stock`, `counts` | the ledger's first weeks; what stores counted in the last two |
//! | `forecasts` | forecasts of the last weeks, so that they can be held against what was sold |
//! | `supply` | what stores ordered, what the kitchens sent, what came |
//! | `plans` | what replenishment goes by, and the plan of the first morning |
//! | `readings`, `paper` | what the tills said at their days' ends, and pictures of it |
//! | `finance` | leases, cash on its way to the bank, certified months, NetSuite |
//! | `snapshots` | the weekly snapshots of the last weeks |
//! | `connectors` | where sales come in by themselves, paused, with what their last runs did |
//! | `reports` | reports that people built, one of them with a schedule, paused |
//! | `pictures`, `pdf` | pictures of products, files of companies' documents |
//!
//! Everything goes through the same doors as what people enter, so that all rules and sums hold.

mod accounts;
mod applicants;
mod author;
mod batches;
mod calendar;
mod chance;
mod companies;
mod connectors;
mod counts;
mod demand;
mod file_summary;
mod finance;
mod forecasts;
mod masters;
mod menu;
mod paper;
mod pdf;
mod people;
mod pictures;
mod plans;
mod product_rows;
mod products;
mod queries;
mod readings;
mod receipts;
mod recipes;
mod reports;
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

use author::{Author, moment};
use demand::{Extent, World};
use people::PEOPLE;

/// Half a year of eight stores.
const SMALL: Extent = Extent { stores: 8, days: 182, receipt_days: 42, receipt_stores: 2, products: 80 };
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
        load(state, if small { SMALL } else { FULL }, seed, yesterday(state)).await?;
    }
    welcome(state).await
}

/// Loads the small demo into a database in which nobody can sign in yet. Answers who can, when the
/// demo is there.
///
/// # Errors
/// When a load did not end, now or earlier.
pub async fn load_if_empty(state: &AppState) -> anyhow::Result<Option<String>> {
    let loaded = queries::loaded(&state.db).await?.is_some();
    if !loaded {
        if !is_empty(state).await? {
            return Ok(None);
        }
        load(state, SMALL, 1, yesterday(state)).await?;
    }
    welcome(state).await.map(Some)
}

/// Whether nobody can sign in and nothing is listed.
async fn is_empty(state: &AppState) -> anyhow::Result<bool> {
    let accounts: i64 = state.db.sql("select cast(count(*) as bigint) from accounts").scalar().await?;
    Ok(accounts == 0 && lists_are_empty(&state.db).await?)
}

/// Whether the lists that the demo fills first are empty.
async fn lists_are_empty(db: &Db) -> Result<bool, DbError> {
    for list in [Location::def(), RootItem::def(), PosItem::def(), Uom::def()] {
        let all = Filter { hidden_too: true, ..Filter::everything(list) };
        if count(db, list, &all).await? > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The last day that is over.
fn yesterday(state: &AppState) -> BusinessDay {
    BusinessDay::of(state.now()).plus(-1)
}

/// Loads a demo of some extent.
async fn load(state: &AppState, extent: Extent, seed: u64, last: BusinessDay) -> anyhow::Result<()> {
    let started = Instant::now();
    println!("Loading the demo data …");
    let world = World::new(seed, extent, last);
    let mut author = Author::new(state, seed, moment(masters::set_up(&world), 8, 0));
    let facts = json!({ "seed": seed, "stores": extent.stores, "from": world.first, "to": last });
    note(&author, &facts, "loading").await?;
    let ids = masters::load(&mut author, &world).await?;
    applicants::load(&mut author, &world).await?;
    sales::post(&mut author, &world, &ids, &|week, weeks| {
        if week > 0 && week % 26 == 0 && weeks > 52 {
            println!("  {week} of {weeks} weeks of sales");
        }
    })
    .await?;
    counts::load(&mut author, &world, &ids).await?;
    forecasts::load(&author, &world).await?;
    readings::load(&mut author, &world, &ids).await?;
    plans::load(&mut author, &world, &ids).await?;
    snapshots::load(&author, &world, &ids.stores).await?;
    connectors::load(&mut author, &world).await?;
    finance::load(&mut author, &world, &ids).await?;
    reports::load(&mut author, &world).await?;
    note(&author, &facts, "loaded").await?;
    println!(
        "Loaded {} stores from {} to {last} in {:.1} s.",
        extent.stores,
        world.first,
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

async fn note(author: &Author<'_>, facts: &Value, state: &str) -> Result<(), ApiError> {
    let mut value = facts.clone();
    value["state"] = json!(state);
    let (value, now) = (&value, author.state.now());
    let actor = author.actor(0, now);
    Ok(author.state.db.write(&actor, async |tx| queries::note(tx, value, now).await).await?)
}

/// Who can sign in with which password, as long as they have not changed it.
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
