//! Migrations of databases of all ages.

use larder_db::testing::{Temp, actor};
use larder_db::{DbError, Engine, Tx};
use rstest::rstest;

use Engine::{Postgres, Sqlite};

async fn change(temp: &Temp, text: &'static str) {
    let job = async |tx: &mut Tx<'_>| tx.sql(text).execute().await;
    let changed: Result<u64, DbError> = temp.db.write(&actor(), job).await;
    assert_eq!(changed.unwrap(), 1);
}

#[rstest]
#[tokio::test]
async fn each_migration_is_applied_once(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::empty(on).await;
    let first = temp.db.migrate().await.unwrap();
    assert_eq!(first.first(), Some(&"0000_audit"));
    assert!(first.is_sorted());
    assert!(temp.db.migrate().await.unwrap().is_empty());
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_may_migrate_at_once(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::empty(on).await;
    let (one, two, three) = (temp.another().await, temp.another().await, temp.another().await);
    let (one, two, three) = tokio::join!(one.migrate(), two.migrate(), three.migrate());
    let mut applied = [one.unwrap().len(), two.unwrap().len(), three.unwrap().len()];
    applied.sort();
    assert_eq!(applied[..2], [0, 0]);
    assert!(applied[2] > 0);
}

#[rstest]
#[tokio::test]
async fn an_edited_migration_is_an_error(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    change(&temp, "update schema_migrations set sha256 = 'other' where name = '0000_audit'").await;
    let error = temp.db.migrate().await.unwrap_err();
    assert!(
        matches!(&error, DbError::Migration(words) if words.contains("0000_audit was edited")),
        "{error}"
    );
}

#[rstest]
#[tokio::test]
async fn a_newer_database_is_an_error(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    change(&temp, "insert into schema_migrations (name, sha256, applied_at) values ('9999_later', '', 0)")
        .await;
    let error = temp.db.migrate().await.unwrap_err();
    assert!(
        matches!(&error, DbError::Migration(words) if words.contains("newer than this program")),
        "{error}"
    );
}
