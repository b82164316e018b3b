//! Queries: bindable and readable types, and refusals.

use futures::TryStreamExt;
use larder_db::testing::{Temp, actor};
use larder_db::{DbError, Engine, FromRow, Json, Tx};
use larder_domain::{BusinessDay, Id, Money, Qty, Timestamp};
use rstest::rstest;
use serde::{Deserialize, Serialize};

use crate::{count, counting};
use Engine::{Postgres, Sqlite};

#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
enum Colour {
    Red,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Note {
    words: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, FromRow)]
struct Everything {
    id: Id,
    qty: Qty,
    price: Option<Money>,
    day: BusinessDay,
    at: Timestamp,
    active: bool,
    maybe: Option<bool>,
    weight: f64,
    note: Json<Note>,
    extra: Option<Json<serde_json::Value>>,
    colour: Colour,
    bytes: Vec<u8>,
}

const EVERYTHING: &str = "create table everything (
  id text primary key, qty integer not null, price integer, day integer not null, at integer not null,
  active boolean not null default true, maybe boolean, weight real not null, note json not null, extra json,
  colour text not null, bytes blob not null
) strict, without rowid;";

#[rstest]
#[tokio::test]
async fn every_type_round_trips(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.schema(EVERYTHING).await;
    let full = Everything {
        id: Id("01".into()),
        qty: Qty(i64::MAX),
        price: Some(Money(-5)),
        day: BusinessDay(-3),
        at: Timestamp(1_700_000_000_123),
        active: false,
        maybe: Some(true),
        weight: 2.0,
        note: Json(Note { words: vec!["añb\\u0000".into()] }),
        extra: Some(Json(serde_json::json!({"a": [1, null]}))),
        colour: Colour::Red,
        bytes: vec![0, 255],
    };
    let bare = Everything { id: Id("02".into()), price: None, maybe: None, extra: None, ..full.clone() };
    let insert = async |tx: &mut Tx<'_>| {
        for row in [&full, &bare] {
            tx.sql("insert into everything values (")
                .push_bind(&row.id)
                .push(", ")
                .push_bind(row.qty)
                .push(", ")
                .push_bind(row.price)
                .push(", $4, $5, $6, $7, $8, $9, $10, $11, $12)")
                .bind(row.day)
                .bind(row.at)
                .bind(row.active)
                .bind(row.maybe)
                .bind(row.weight)
                .bind(&row.note)
                .bind(&row.extra)
                .bind(row.colour)
                .bind(&row.bytes)
                .execute()
                .await?;
        }
        Ok::<_, DbError>(())
    };
    temp.db.write(&actor(), insert).await.unwrap();
    let text = "select id, qty, price, day, at, active, maybe, weight, note, extra, colour, bytes \
                from everything order by id";
    assert_eq!(temp.db.sql(text).all::<Everything>().await.unwrap(), [full.clone(), bare.clone()]);
    let streamed: Vec<Everything> = temp.db.sql(text).stream().try_collect().await.unwrap();
    assert_eq!(streamed, [full, bare.clone()]);
    let streaming = async |tx: &mut Tx<'_>| tx.sql(text).stream::<Everything>().try_collect::<Vec<_>>().await;
    assert_eq!(temp.db.write(&actor(), streaming).await.unwrap().len(), 2);
    let one: Everything = temp.db.sql(text).push(" limit 1 offset 1").one().await.unwrap();
    assert_eq!(one, bare);
    let sum: (i64, Option<i64>) = temp
        .db
        .sql("select cast(count(*) as bigint), cast(sum(price) as bigint) from everything where active = $1")
        .bind(false)
        .one()
        .await
        .unwrap();
    assert_eq!(sum, (2, Some(-5)));
}

#[rstest]
#[tokio::test]
async fn readers_cannot_write(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    for text in ["update counters set n = 9", "delete from counters", "create table mine (a bigint)"] {
        let answer = temp.db.sql(text).execute().await;
        assert!(matches!(answer, Err(DbError::Other(_))), "{text}: {answer:?}");
    }
    assert_eq!(count(&temp.db).await, 0);
}

#[rstest]
#[tokio::test]
async fn lists_of_any_length_can_be_asked_for(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let insert = async |tx: &mut Tx<'_>| {
        let rows = (0..5000).map(|n: i64| (format!("k{n}"), n));
        tx.insert_rows("counters", &["id", "n"], rows, "").await
    };
    temp.db.write(&actor(), insert).await.unwrap();
    let db = &temp.db;
    let total = || db.sql("select cast(count(*) as bigint) from counters where ");
    assert_eq!(total().push("n in ").push_in([3_i64, 4, 99_999]).scalar::<i64>().await.unwrap(), 2);
    assert_eq!(total().push("id in ").push_in(["k3", "k4"]).scalar::<i64>().await.unwrap(), 2);
    assert_eq!(total().push("n in ").push_in(Vec::<i64>::new()).scalar::<i64>().await.unwrap(), 0);
    assert_eq!(total().push("id not in ").push_in(Vec::<String>::new()).scalar::<i64>().await.unwrap(), 5001);
    let ids: Vec<String> = (0..4000).map(|n| format!("k{n}")).collect();
    let many = total().push("n >= ").push_bind(1000_i64).push(" and id in ").push_ids(&ids);
    assert_eq!(many.scalar::<i64>().await.unwrap(), 3000);
    let none: [&str; 0] = [];
    assert_eq!(total().push("id in ").push_ids(&none).scalar::<i64>().await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn nul_is_refused_before_it_reaches_the_database(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let db = &temp.db;
    let text = "select n from counters where id = $1";
    let refused = |answer: Result<Option<(i64,)>, DbError>| matches!(answer, Err(DbError::Invalid(_)));
    assert!(refused(db.sql(text).bind("a\0b").optional().await));
    assert!(refused(db.sql(text).bind(Some(String::from("\0"))).optional().await));
    assert!(refused(db.sql(text).bind(Id("\0".into())).optional().await));
    let json = "select cast(1 as bigint) where $1 is not null";
    assert!(refused(db.sql(json).bind(Json(serde_json::json!({"a": "\0"}))).optional().await));
    assert!(!refused(db.sql(json).bind(Json("\\u0000")).optional().await));
    let streamed: Result<Vec<(i64,)>, DbError> =
        db.sql(text).bind("\0").stream::<(i64,)>().try_collect().await;
    assert!(matches!(streamed, Err(DbError::Invalid(_))));
    let ignoring = async |tx: &mut Tx<'_>| {
        tx.sql("update counters set id = $1").bind("\0").execute().await.ok();
        Ok::<_, DbError>(())
    };
    assert!(matches!(db.write(&actor(), ignoring).await, Err(DbError::Swallowed(_))));
}

#[rstest]
#[tokio::test]
async fn a_missing_row_is_not_found(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let query = || temp.db.sql("select n from counters where id = 'z'");
    assert!(matches!(query().one::<(i64,)>().await, Err(DbError::NotFound)));
    assert!(matches!(query().scalar::<i64>().await, Err(DbError::NotFound)));
    assert_eq!(query().optional::<(i64,)>().await.unwrap(), None);
}

/// A page's query takes less time than PostgreSQL's JIT.
#[tokio::test]
async fn postgres_runs_without_jit() {
    let temp = Temp::new(Postgres).await;
    let asked = "select current_setting('jit')";
    let read: (String,) = temp.db.sql(asked).one().await.unwrap();
    let job = async |tx: &mut Tx<'_>| tx.sql(asked).one().await;
    let written: (String,) = temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap();
    assert_eq!((read.0.as_str(), written.0.as_str()), ("off", "off"));
}
