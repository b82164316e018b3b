//! Violated constraints name their table and fields, the same on both engines.

use ViolationKind::{Check, ForeignKey, InUse, NotNull, Unique};
use larder_db::testing::{Temp, actor};
use larder_db::{Db, DbError, Engine, Tx, Violation, ViolationKind};
use rstest::rstest;

use Engine::{Postgres, Sqlite};

const SCHEMA: &str = "
create table areas (id text primary key, name text not null) strict;
create unique index areas_name on areas (lower(name));
create table stores (
  id text primary key,
  code text not null unique,
  area_id text references areas (id),
  parent_id text references stores (id),
  low integer not null default 0,
  high integer not null default 9,
  size integer check (size > 0),
  constraint stores_range check (low <= high)
) strict;
create unique index stores_place on stores (area_id, low);
create table days (
  store_id text not null references stores (id) on delete restrict,
  day integer not null,
  primary key (store_id, day)
) strict, without rowid;
create table lines (
  store_id text not null,
  day integer not null,
  line integer not null,
  primary key (store_id, day, line),
  foreign key (store_id, day) references days (store_id, day) on delete cascade
) strict, without rowid;
";

async fn prepared(on: Engine) -> Temp {
    let temp = Temp::new(on).await;
    temp.schema(SCHEMA).await;
    for text in [
        "insert into areas (id, name) values ('north', 'North'), ('free', 'Free')",
        "insert into stores (id, code, area_id) values ('s1', 'S1', 'north')",
        "insert into days (store_id, day) values ('s1', 1)",
        "insert into lines (store_id, day, line) values ('s1', 1, 1)",
    ] {
        run(&temp.db, text).await.unwrap();
    }
    temp
}

async fn run(db: &Db, text: &'static str) -> Result<u64, DbError> {
    db.write(&actor(), async |tx| tx.sql(text).execute().await).await
}

async fn refused(db: &Db, text: &'static str) -> Violation {
    match run(db, text).await {
        Err(DbError::Violation(violation)) => violation,
        other => panic!("{text}: {other:?}"),
    }
}

#[rstest]
#[case(Unique, "stores", &["code"], "insert into stores (id, code) values ('s2', 'S1')")]
#[case(Unique, "stores", &["id"], "insert into stores (id, code) values ('s1', 'S2')")]
#[case(Unique, "stores", &["area_id", "low"],
    "insert into stores (id, code, area_id) values ('s2', 'S2', 'north')")]
#[case(Unique, "areas", &["name"], "insert into areas (id, name) values ('other', 'NORTH')")]
#[case(Unique, "days", &["store_id", "day"], "insert into days (store_id, day) values ('s1', 1)")]
#[case(NotNull, "stores", &["code"], "insert into stores (id) values ('s2')")]
#[case(NotNull, "stores", &["low"], "update stores set low = null")]
#[case(Check, "stores", &["low", "high"], "update stores set low = 10 where id = 's1'")]
#[case(Check, "stores", &["size"], "insert into stores (id, code, size) values ('s2', 'S2', 0)")]
#[case(ForeignKey, "stores", &["area_id"],
    "insert into stores (id, code, area_id) values ('s2', 'S2', 'nowhere')")]
#[case(ForeignKey, "stores", &["parent_id"],
    "insert into stores (id, code, area_id, parent_id) values ('s2', 'S2', 'free', 'none') returning id")]
#[case(ForeignKey, "stores", &["area_id"], "update stores set area_id = 'nowhere' where id = 's1'")]
#[case(ForeignKey, "lines", &["store_id", "day"], "insert into lines (store_id, day, line) values ('s1', 2, 1)")]
#[case(ForeignKey, "lines", &["store_id", "day"],
    "insert into lines (store_id, day, line) values ('s1', 1, 2), ('s1', 3, 1) on conflict do nothing")]
#[case(InUse, "stores", &["area_id"], "delete from areas where id = 'north'")]
#[case(InUse, "days", &["store_id"], "delete from stores where id = 's1' returning id")]
#[tokio::test]
async fn a_refusal_names_table_and_fields(
    #[values(Sqlite, Postgres)] on: Engine,
    #[case] kind: ViolationKind,
    #[case] table: &str,
    #[case] fields: &[&str],
    #[case] text: &'static str,
) {
    let temp = prepared(on).await;
    let violation = refused(&temp.db, text).await;
    assert_eq!((violation.kind, violation.table.as_deref()), (kind, Some(table)), "{violation:?}");
    assert_eq!(violation.fields, fields);
}

#[rstest]
#[tokio::test]
async fn parameters_are_checked_too(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = prepared(on).await;
    let job = async |tx: &mut Tx<'_>| {
        let rows = (2..50).map(|n: i64| (format!("s{n}"), format!("S{n}"), (n == 40).then_some("nowhere")));
        tx.insert_rows("stores", &["id", "code", "area_id"], rows, "").await
    };
    let answer: Result<u64, DbError> = temp.db.write(&actor(), job).await;
    let Err(DbError::Violation(violation)) = answer else { panic!("{answer:?}") };
    assert_eq!(
        (violation.kind, violation.fields.as_slice()),
        (ForeignKey, ["area_id".to_owned()].as_slice())
    );
    let job = async |tx: &mut Tx<'_>| tx.sql("delete from areas where id = $1").bind("north").execute().await;
    let answer: Result<u64, DbError> = temp.db.write(&actor(), job).await;
    let Err(DbError::Violation(violation)) = answer else { panic!("{answer:?}") };
    assert_eq!(violation.kind, InUse);
}

#[rstest]
#[tokio::test]
async fn looking_for_the_field_changes_nothing(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = prepared(on).await;
    let job = async |tx: &mut Tx<'_>| {
        let orphan = "insert into lines (store_id, day, line) values ('s1', 7, 1)";
        for _ in 0..2 {
            let tried = tx.savepoint(async |tx| tx.sql(orphan).execute().await);
            assert!(matches!(tried.await, Err(DbError::Violation(_))));
        }
        tx.sql("select cast(count(*) as bigint) from lines").scalar::<i64>().await
    };
    assert_eq!(temp.db.write(&actor(), job).await.unwrap(), 1);
}

#[tokio::test]
async fn a_value_of_the_wrong_type_names_its_column() {
    let temp = prepared(Sqlite).await;
    let violation = refused(&temp.db, "update stores set low = 'few'").await;
    assert_eq!((violation.kind, violation.table.as_deref()), (Check, Some("stores")));
    assert_eq!(violation.fields, ["low"]);
}
