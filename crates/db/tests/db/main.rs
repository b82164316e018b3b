//! Tests of the data layer's public interface, on both engines.

#![allow(clippy::unwrap_used, reason = "what helps a test is a test")]

mod bulk;
mod engines;
mod live;
mod migrate;
mod query;
mod statements;
mod violation;
mod write;

use larder_db::testing::Temp;
use larder_db::{Db, DbError, Engine};

/// A database with one counter at 0.
async fn counting(on: Engine) -> Temp {
    let temp = Temp::new(on).await;
    temp.schema("create table counters (id text primary key, n integer not null) strict;").await;
    let first = async |tx: &mut larder_db::Tx<'_>| {
        tx.sql("insert into counters (id, n) values ($1, $2)").bind("a").bind(0).execute().await
    };
    temp.db.write(&larder_db::testing::actor(), first).await.unwrap();
    temp
}

async fn count(db: &Db) -> i64 {
    db.sql("select n from counters where id = $1").bind("a").scalar().await.unwrap()
}

/// A read-modify-write increment, correct only under isolation.
async fn add_one(tx: &mut larder_db::Tx<'_>) -> Result<(), DbError> {
    let n: i64 = tx.sql("select n from counters where id = $1").bind("a").scalar().await?;
    tx.sql("update counters set n = $2 where id = $1").bind("a").bind(n + 1).execute().await?;
    Ok(())
}
