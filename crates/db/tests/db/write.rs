//! Jobs: all or nothing, isolated from each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use larder_db::testing::{Temp, actor};
use larder_db::{Actor, Db, DbError, Engine, Tx};
use rstest::rstest;
use tokio::sync::Barrier;

use crate::{add_one, count, counting};
use Engine::{Postgres, Sqlite};

/// A handler's future must be `Send`.
fn sendable<F: Future + Send>(future: F) -> F {
    future
}

#[rstest]
#[tokio::test]
async fn a_job_borrows_and_its_future_is_send(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let (id, mut seen) = (String::from("a"), None);
    async fn handler(db: Db, who: Actor, id: &str) -> Result<i64, DbError> {
        let step = String::from("not copied");
        let n = db.write(&who, async |tx| {
            assert_eq!(step, "not copied");
            add_one(tx).await?;
            let part = tx.savepoint(async |tx| tx.sql("select 1").execute().await);
            part.await?;
            tx.sql("select n from counters where id = $1").bind(id).scalar().await
        });
        sendable(n).await
    }
    let answer = sendable(handler(temp.db.clone(), actor(), &id)).await.unwrap();
    seen.replace(answer);
    assert_eq!(seen, Some(1));
    let spawned = tokio::spawn({
        let db = temp.db.clone();
        async move { handler(db, actor(), "a").await }
    });
    assert_eq!(spawned.await.unwrap().unwrap(), 2);
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn increments_add_up(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let tasks = (0..64).map(|_| {
        let db = temp.db.clone();
        tokio::spawn(async move {
            for _ in 0..5 {
                db.write(&actor(), add_one).await.unwrap();
            }
        })
    });
    for task in join_all(tasks).await {
        task.unwrap();
    }
    assert_eq!(count(&temp.db).await, 320);
}

#[derive(Debug, PartialEq)]
enum Refused {
    OnPurpose,
    Database(String),
}

impl From<DbError> for Refused {
    fn from(error: DbError) -> Refused {
        Refused::Database(error.to_string())
    }
}

#[rstest]
#[tokio::test]
async fn a_failing_job_takes_only_itself_back(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let jobs = (0..30).map(|number| {
        let db = temp.db.clone();
        async move {
            let job = async |tx: &mut Tx<'_>| {
                add_one(tx).await?;
                if number % 3 == 0 { Err(Refused::OnPurpose) } else { Ok(number) }
            };
            db.write(&actor(), job).await
        }
    });
    for (number, answer) in join_all(jobs).await.into_iter().enumerate() {
        assert_eq!(answer, if number % 3 == 0 { Err(Refused::OnPurpose) } else { Ok(number) });
    }
    assert_eq!(count(&temp.db).await, 20);
}

#[rstest]
#[tokio::test]
async fn a_panic_takes_only_itself_back(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let jobs = (0..9).map(|number| {
        let db = temp.db.clone();
        tokio::spawn(async move {
            let job = async |tx: &mut Tx<'_>| {
                add_one(tx).await?;
                assert_ne!(number, 4, "on purpose");
                Ok::<_, DbError>(())
            };
            db.write(&actor(), job).await
        })
    });
    let answers = join_all(jobs).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_err()).count(), 1);
    assert_eq!(count(&temp.db).await, 8);
    temp.db.write(&actor(), add_one).await.unwrap();
    assert_eq!(count(&temp.db).await, 9);
}

#[rstest]
#[tokio::test]
async fn a_job_that_is_dropped_is_undone(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let begun = Barrier::new(2);
    let who = actor();
    let job = temp.db.write(&who, async |tx| {
        add_one(tx).await?;
        begun.wait().await;
        std::future::pending::<Result<(), DbError>>().await
    });
    tokio::select! {
        _ = job => unreachable!("it waits forever"),
        () = async { begun.wait().await; } => {}
    }
    temp.db.write(&actor(), add_one).await.unwrap();
    assert_eq!(count(&temp.db).await, 1);
}

#[rstest]
#[tokio::test]
async fn a_job_that_is_dropped_in_the_queue_never_runs(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let go = Barrier::new(2);
    let who = actor();
    let first = temp.db.write(&who, async |tx| {
        add_one(tx).await?;
        go.wait().await;
        Ok::<_, DbError>(())
    });
    let rest = async {
        // Polled once, so it is queued; then it is dropped.
        let mut second = Box::pin(temp.db.write(&who, add_one));
        assert!((&mut second).now_or_never().is_none());
        drop(second);
        go.wait().await;
    };
    let (first, ()) = tokio::join!(first, rest);
    first.unwrap();
    temp.db.write(&actor(), add_one).await.unwrap();
    assert_eq!(count(&temp.db).await, 2);
}

#[rstest]
#[tokio::test]
#[should_panic(expected = "a write inside a write")]
async fn a_write_inside_a_write_is_a_mistake(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let (db, who) = (&temp.db, actor());
    db.write(&who, async |_| db.write(&who, add_one).await).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn an_ignored_error_spoils_the_job(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let ignoring = async |tx: &mut Tx<'_>| {
        add_one(tx).await?;
        let twice = tx.sql("insert into counters (id, n) values ('a', 1)").execute().await;
        assert!(matches!(twice, Err(DbError::Violation(_))));
        Ok(())
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), ignoring).await;
    assert!(matches!(answer, Err(DbError::Swallowed(_))), "{answer:?}");
    assert_eq!(count(&temp.db).await, 0);
}

#[rstest]
#[tokio::test]
async fn finding_nothing_spoils_nothing(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let looking = async |tx: &mut Tx<'_>| {
        let none = tx.sql("select n from counters where id = 'z'").scalar::<i64>().await;
        assert!(matches!(none, Err(DbError::NotFound)));
        add_one(tx).await
    };
    temp.db.write(&actor(), looking).await.unwrap();
    assert_eq!(count(&temp.db).await, 1);
}

/// It takes a while, so one poll cannot see it finish.
const SLOW: &str = "with recursive c (x) as (select 1 union all select x + 1 from c where x < 100000) \
                    update counters set n = (select max(x) from c)";

#[rstest]
#[tokio::test]
async fn a_statement_left_half_way_spoils_the_job(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let leaving = async |tx: &mut Tx<'_>| {
        assert!(tx.sql(SLOW).execute().now_or_never().is_none());
        Ok(())
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), leaving).await;
    assert!(matches!(answer, Err(DbError::Swallowed(_))), "{answer:?}");
    assert_eq!(count(&temp.db).await, 0);
}

#[rstest]
#[tokio::test]
async fn later_statements_do_not_hide_one_left_half_way(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let leaving = async |tx: &mut Tx<'_>| {
        assert!(tx.sql(SLOW).execute().now_or_never().is_none());
        tx.sql("select n from counters").scalar::<i64>().await.map(drop)
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), leaving).await;
    assert!(matches!(answer, Err(DbError::Swallowed(_))), "{answer:?}");
    assert_eq!(count(&temp.db).await, 0);
}

#[rstest]
#[tokio::test]
async fn a_part_left_half_way_spoils_the_job(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let leaving = async |tx: &mut Tx<'_>| {
        add_one(tx).await?;
        let part = tx.savepoint(async |tx| {
            add_one(tx).await?;
            std::future::pending::<Result<(), DbError>>().await
        });
        assert!(tokio::time::timeout(Duration::from_millis(100), part).await.is_err());
        add_one(tx).await
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), leaving).await;
    assert!(matches!(answer, Err(DbError::Swallowed(_))), "{answer:?}");
    // Inside another part, the failure is contained.
    let containing = async |tx: &mut Tx<'_>| {
        let tried: Result<(), DbError> = tx.savepoint(leaving).await;
        assert!(matches!(tried, Err(DbError::Swallowed(_))), "{tried:?}");
        add_one(tx).await
    };
    temp.db.write(&actor(), containing).await.unwrap();
    assert_eq!(count(&temp.db).await, 1);
}

#[rstest]
#[tokio::test]
async fn a_part_can_fail_and_the_rest_stays(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let trying = async |tx: &mut Tx<'_>| {
        add_one(tx).await?;
        let part: Result<(), DbError> = tx
            .savepoint(async |tx| {
                add_one(tx).await?;
                tx.savepoint(add_one).await?;
                tx.sql("insert into counters (id, n) values ('a', 1)").execute().await?;
                Ok(())
            })
            .await;
        assert!(matches!(part, Err(DbError::Violation(_))), "{part:?}");
        let ignoring: Result<(), DbError> = tx
            .savepoint(async |tx| {
                tx.sql("insert into counters (id, n) values ('a', 1)").execute().await.ok();
                Ok(())
            })
            .await;
        assert!(matches!(ignoring, Err(DbError::Swallowed(_))), "{ignoring:?}");
        tx.savepoint(add_one).await
    };
    temp.db.write(&actor(), trying).await.unwrap();
    assert_eq!(count(&temp.db).await, 2);
}

#[rstest]
#[tokio::test]
async fn a_job_has_thirty_seconds(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let sleeping = async |tx: &mut Tx<'_>| {
        add_one(tx).await?;
        tokio::time::pause();
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(())
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), sleeping).await;
    tokio::time::resume();
    assert!(matches!(answer, Err(DbError::TooLong)), "{answer:?}");
    assert_eq!(count(&temp.db).await, 0);
    temp.db.write(&actor(), add_one).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_failed_commit_reaches_every_job(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = counting(on).await;
    let schema = "create table parents (id text primary key) strict;
        create table children (parent_id text not null references parents (id)\n\
-- postgres: deferrable initially deferred
        ) strict;";
    temp.schema(schema).await;
    let who = actor();
    let orphan = async |tx: &mut Tx<'_>| {
        if tx.engine() == Sqlite {
            tx.sql("pragma defer_foreign_keys = on").execute().await?;
        }
        tx.sql("insert into children (parent_id) values ('nobody')").execute().await.map(drop)
    };
    let mut kept = 0;
    loop {
        let (first, second): (Result<(), DbError>, Result<(), DbError>) =
            tokio::join!(temp.db.write(&who, add_one), temp.db.write(&who, orphan));
        assert!(matches!(second, Err(DbError::NotCommitted(_))), "{second:?}");
        kept += i64::from(first.is_ok());
        assert_eq!(count(&temp.db).await, kept);
        match (on, first) {
            // They shared the commit.
            (Sqlite, Err(DbError::NotCommitted(_))) | (Postgres, Ok(())) => break,
            // A busy machine gave the first a commit of its own.
            (Sqlite, Ok(())) if kept < 50 => {}
            (_, other) => panic!("{other:?}"),
        }
    }
    temp.db.write(&who, add_one).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_saves_nothing_half() {
    let temp = counting(Sqlite).await;
    let filling = async |tx: &mut Tx<'_>| {
        add_one(tx).await?;
        tx.sql("pragma max_page_count = 1").scalar::<i64>().await?; // As many pages as there are.
        let rows = (0..10_000).map(|n: i64| (format!("row {n}"), n));
        let full = tx.insert_rows("counters", &["id", "n"], rows, "").await;
        assert!(matches!(full, Err(DbError::Other(_))), "{full:?}");
        // SQLite has ended the transaction; this must not be saved on its own.
        add_one(tx).await
    };
    let answer: Result<(), DbError> = temp.db.write(&actor(), filling).await;
    assert!(matches!(answer, Err(DbError::NotCommitted(_))), "{answer:?}");
    assert_eq!(count(&temp.db).await, 0);
    let room = async |tx: &mut Tx<'_>| tx.sql("pragma max_page_count = 1000000").scalar::<i64>().await;
    temp.db.write::<_, DbError, _>(&actor(), room).await.unwrap();
    temp.db.write(&actor(), add_one).await.unwrap();
    assert_eq!(count(&temp.db).await, 1);
}

#[tokio::test]
async fn a_job_that_lost_runs_again_on_postgres() {
    let temp = counting(Postgres).await;
    let (runs, both) = (AtomicU32::new(0), Arc::new(Barrier::new(2)));
    let who = actor();
    let job = async |tx: &mut Tx<'_>| {
        let run = runs.fetch_add(1, Ordering::Relaxed);
        let n: i64 = tx.sql("select n from counters where id = 'a'").scalar().await?;
        if run < 2 {
            both.wait().await; // Both have read before one of them writes.
        }
        let changed = tx.sql("update counters set n = $1 where id = 'a'").bind(n + 1).execute();
        changed.await.map(drop)
    };
    let answers: (Result<(), DbError>, Result<(), DbError>) =
        tokio::join!(temp.db.write(&who, job), temp.db.write(&who, job));
    answers.0.unwrap();
    answers.1.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 3);
    assert_eq!(count(&temp.db).await, 2);
}

#[rstest]
#[tokio::test]
async fn a_closed_database_says_so(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    temp.db.close().await;
    let answer: Result<u64, DbError> =
        temp.db.write(&actor(), async |tx| tx.sql("select 1").execute().await).await;
    assert!(matches!(answer, Err(DbError::Closed)), "{answer:?}");
    let answer = temp.db.sql("select 1").scalar::<i64>().await;
    assert!(matches!(answer, Err(DbError::Closed)), "{answer:?}");
}
