//! Audit rows and live events.

use std::sync::Arc;
use std::time::Duration;

use larder_db::testing::{Temp, actor};
use larder_db::{Change, ChangeAction, DbError, Engine, FromRow, Json, LiveEvent, Tx};
use larder_domain::Timestamp;
use rstest::rstest;
use serde_json::json;
use tokio::sync::broadcast::Receiver;

use Engine::{Postgres, Sqlite};

fn renamed(id: &str) -> Change {
    Change {
        kind: "uom",
        id: id.into(),
        store_id: Some("s1".into()),
        action: ChangeAction::Updated,
        before: Some(json!({"name": "Box", "code": "B", "revision": 1, "updatedAt": "then"})),
        after: Some(json!({"name": "Crate", "code": "B", "revision": 2, "updatedAt": "now"})),
    }
}

async fn next(events: &mut Receiver<Arc<LiveEvent>>) -> Arc<LiveEvent> {
    let next = tokio::time::timeout(Duration::from_secs(30), events.recv());
    next.await.expect("an event").unwrap()
}

/// Checks that no event arrives; a marker proves that earlier ones would have.
async fn nothing_more(temp: &Temp, events: &mut Receiver<Arc<LiveEvent>>) {
    let mark = async |tx: &mut Tx<'_>| {
        tx.announce("marker", "m", None);
        Ok::<_, DbError>(())
    };
    temp.db.write(&actor(), mark).await.unwrap();
    assert_eq!(next(events).await.kind, "marker");
}

#[derive(Debug, FromRow)]
struct AuditRow {
    seq: i64,
    at: Timestamp,
    uid: String,
    name: String,
    email: String,
    origin: String,
    kind: String,
    record_id: String,
    store_id: Option<String>,
    action: String,
    changes: Json<serde_json::Value>,
}

#[rstest]
#[tokio::test]
async fn a_change_leaves_its_row_and_its_event(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    let mut events = temp.db.changes();
    temp.db.write(&actor(), async |tx| tx.record(renamed("u1")).await).await.unwrap();
    let text =
        "select seq, at, uid, name, email, origin, kind, record_id, store_id, action, changes from audit";
    let row: AuditRow = temp.db.sql(text).one().await.unwrap();
    let who = actor();
    assert_eq!((row.at, row.uid, row.name), (who.at, who.uid.clone(), who.name));
    assert_eq!((row.email, row.origin), (who.email, who.from));
    assert_eq!((row.kind.as_str(), row.record_id.as_str()), ("uom", "u1"));
    assert_eq!((row.store_id.as_deref(), row.action.as_str()), (Some("s1"), "updated"));
    assert_eq!(row.changes.0, json!({"name": ["Box", "Crate"]}));
    let expected = LiveEvent {
        kind: "uom".into(),
        id: "u1".into(),
        store_id: Some("s1".into()),
        action: ChangeAction::Updated,
        by: who.uid,
        seq: row.seq,
    };
    assert_eq!(*next(&mut events).await, expected);
    nothing_more(&temp, &mut events).await;
}

#[rstest]
#[tokio::test]
async fn events_wait_for_the_commit(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    let mut events = temp.db.changes();
    let db = &temp.db;
    let job = async |tx: &mut Tx<'_>| {
        tx.record(renamed("u1")).await?;
        let seen: i64 = db.sql("select cast(count(*) as bigint) from audit").scalar().await?;
        assert_eq!(seen, 0, "readers see only what is committed");
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(db.changes().is_empty());
        Ok::<_, DbError>(())
    };
    let early = events.resubscribe();
    db.write(&actor(), job).await.unwrap();
    drop(early);
    assert_eq!(next(&mut events).await.id, "u1");
    nothing_more(&temp, &mut events).await;
}

#[rstest]
#[tokio::test]
async fn undone_changes_send_no_events(#[values(Sqlite, Postgres)] on: Engine) {
    let temp = Temp::new(on).await;
    let mut events = temp.db.changes();
    let failing = async |tx: &mut Tx<'_>| {
        tx.record(renamed("u1")).await?;
        Err::<(), _>(DbError::Stale)
    };
    assert!(matches!(temp.db.write(&actor(), failing).await, Err(DbError::Stale)));
    let half = async |tx: &mut Tx<'_>| {
        tx.record(renamed("u2")).await?;
        let part = async |tx: &mut Tx<'_>| {
            tx.record(renamed("u3")).await?;
            Err::<(), _>(DbError::Stale)
        };
        assert!(matches!(tx.savepoint(part).await, Err(DbError::Stale)));
        tx.record(renamed("u4")).await
    };
    temp.db.write(&actor(), half).await.unwrap();
    assert_eq!(next(&mut events).await.id, "u2");
    assert_eq!(next(&mut events).await.id, "u4");
    nothing_more(&temp, &mut events).await;
    let kept: i64 = temp.db.sql("select cast(count(*) as bigint) from audit").scalar().await.unwrap();
    assert_eq!(kept, 2);
}

#[tokio::test]
async fn every_node_hears_every_event_once() {
    let temp = Temp::new(Postgres).await;
    let other = temp.another().await;
    let (mut here, mut there) = (temp.db.changes(), other.changes());
    for id in ["u1", "u2", "u3"] {
        temp.db.write(&actor(), async |tx| tx.record(renamed(id)).await).await.unwrap();
    }
    for id in ["u1", "u2", "u3"] {
        assert_eq!(next(&mut here).await.id, id);
        assert_eq!(next(&mut there).await.id, id);
    }
    nothing_more(&temp, &mut here).await;
    assert_eq!(next(&mut there).await.kind, "marker");
}

#[tokio::test]
async fn a_listener_that_was_cut_off_asks_to_fetch_everything() {
    let temp = Temp::new(Postgres).await;
    let mut events = temp.db.changes();
    let cut = "select cast(count(pg_terminate_backend(pid)) as bigint) from pg_stat_activity \
               where datname = current_database() and query like 'LISTEN%'";
    assert_eq!(temp.db.sql(cut).scalar::<i64>().await.unwrap(), 1);
    assert_eq!(next(&mut events).await.kind, "*");
    temp.db.write(&actor(), async |tx| tx.record(renamed("u1")).await).await.unwrap();
    assert_eq!(next(&mut events).await.id, "u1");
}
