//! Bulk rows.

use larder_db::testing::{Temp, actor};
use larder_db::{DbError, Engine, Json, Tx};
use larder_domain::{BusinessDay, Money, Qty};
use rstest::rstest;
use serde_json::json;

use Engine::{Postgres, Sqlite};

const LINES: &str = "create table lines (
  store_id text not null, day integer not null, line integer not null, qty integer not null, net integer,
  share real, done boolean not null default false, note json, primary key (store_id, day, line)
) strict, without rowid;";

const COLUMNS: [&str; 8] = ["store_id", "day", "line", "qty", "net", "share", "done", "note"];

type Line = (String, BusinessDay, i64, Qty, Option<Money>, f64, bool, Option<Json<serde_json::Value>>);

fn line(number: i64) -> Line {
    let note = (number % 2 == 0).then(|| Json(json!({"é\"": [number]})));
    let net = (number % 3 != 0).then_some(Money(number * 100));
    ("s1".into(), BusinessDay(20_000), number, Qty(number), net, 0.5, number % 2 == 1, note)
}

#[rstest]
#[tokio::test]
async fn rows_arrive_whole_and_once(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.schema(LINES).await;
    let lines: Vec<Line> = (0..45_000).map(line).collect();
    let job = async |tx: &mut Tx<'_>| tx.insert_rows("lines", &COLUMNS, &lines, "").await;
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 45_000);
    let text = "select store_id, day, line, qty, net, share, done, note from lines order by line";
    let back: Vec<Line> = temp.db.sql(text).all().await.unwrap();
    assert!(back == lines);
    let add = "on conflict (store_id, day, line) do update set qty = lines.qty + excluded.qty";
    let job = async |tx: &mut Tx<'_>| tx.insert_rows("lines", &COLUMNS, &lines[10..20], add).await;
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 10);
    let sum = "select cast(sum(qty) as bigint) from lines where line < 20";
    assert_eq!(temp.db.sql(sum).scalar::<i64>().await.unwrap(), 190 + 145);
    let job = async |tx: &mut Tx<'_>| tx.insert_rows("lines", &COLUMNS, &lines[..0], "").await;
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn rows_can_update_and_be_joined(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.schema(LINES).await;
    let job = async |tx: &mut Tx<'_>| {
        tx.insert_rows("lines", &COLUMNS, (0..10).map(line), "").await?;
        let new = [(3_i64, Qty(300)), (4, Qty(400)), (99, Qty(0))];
        tx.sql("update lines set qty = r.qty from ")
            .push_rows(&["line", "qty"], new)
            .push(" as r where lines.line = r.line and lines.store_id = ")
            .push_bind("s1")
            .execute()
            .await
    };
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 2);
    let wanted = [("s1", 4_i64), ("s1", 5), ("s2", 5)];
    let query = temp.db.sql("select l.qty from lines l join ").push_rows(&["store_id", "line"], wanted);
    let found: Vec<(Qty,)> = query
        .push(" as w on w.store_id = l.store_id and w.line = l.line order by l.line")
        .all()
        .await
        .unwrap();
    assert_eq!(found, [(Qty(400),), (Qty(5),)]);
}

#[rstest]
#[tokio::test]
async fn a_cell_that_no_column_holds_is_refused(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.schema(LINES).await;
    let good = line(1);
    let (mut nul, mut infinite, mut hidden) = (good.clone(), good.clone(), good.clone());
    nul.0 = "\0".into();
    infinite.5 = f64::INFINITY;
    hidden.7 = Some(Json(json!("\0")));
    for bad in [nul, infinite, hidden] {
        let job = async |tx: &mut Tx<'_>| tx.insert_rows("lines", &COLUMNS, [&good, &bad], "").await;
        let answer: Result<u64, DbError> = temp.db.write(&actor(), job).await;
        assert!(matches!(answer, Err(DbError::Invalid(_))), "{answer:?}");
    }
    let kept: i64 = temp.db.sql("select cast(count(*) as bigint) from lines").scalar().await.unwrap();
    assert_eq!(kept, 0);
}

#[rstest]
#[tokio::test]
async fn bytes_round_trip(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.schema("create table parts (id integer primary key, one blob not null, other blob) strict;").await;
    type Part = (i64, Vec<u8>, Option<Vec<u8>>);
    let part =
        |n: u8| -> Part { (n.into(), vec![n; n.into()], n.is_multiple_of(2).then(|| vec![0, 255, n])) };
    let parts: Vec<Part> = (0..200).map(part).collect();
    let job = async |tx: &mut Tx<'_>| tx.insert_rows("parts", &["id", "one", "other"], &parts, "").await;
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 200);
    let back: Vec<Part> = temp.db.sql("select id, one, other from parts order by id").all().await.unwrap();
    assert!(back == parts);
    // More than one statement's worth.
    let heavy: Vec<Part> = (0..12).map(|n| (1_000 + n, vec![7; 1 << 20], None)).collect();
    let job = async |tx: &mut Tx<'_>| tx.insert_rows("parts", &["id", "one", "other"], &heavy, "").await;
    assert_eq!(temp.db.write::<_, DbError, _>(&actor(), job).await.unwrap(), 12);
    let whole = "select cast(sum(length(one)) as bigint) from parts where id >= 1000";
    assert_eq!(temp.db.sql(whole).scalar::<i64>().await.unwrap(), 12 << 20);
}
