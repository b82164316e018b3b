//! Background jobs: progress, completion, cancellation, restart, one worker at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use larder_app as app;
use larder_db::testing::{Temp, clock};
use larder_platform::jobs::{JobCtx, JobError, JobKinds, JobState, NewJob, queries};
use larder_platform::{AppState, Config};
use rstest::rstest;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{App, Engine, actor};

struct Stage {
    state: AppState,
    _temp: Temp,
    _folder: tempfile::TempDir,
}

async fn stage(on: Engine, kinds: JobKinds) -> Stage {
    let temp = Temp::new(on).await;
    let folder = tempfile::tempdir().expect("a folder");
    let config =
        Config { data_dir: folder.path().to_owned(), clock_shift_ms: clock::shift_ms(), ..Config::default() };
    let state = app::assemble_with(config, temp.db.clone(), kinds).expect("valid server");
    Stage { state, _temp: temp, _folder: folder }
}

async fn enqueue(
    state: &AppState,
    kind: &'static str,
    key: Option<&str>,
) -> Result<String, larder_db::DbError> {
    let (id, key) = (state.new_id(), key.map(str::to_owned));
    let (id, key) = (&id, &key);
    state
        .db
        .write(&actor(state.now()), async |tx| {
            state
                .jobs
                .enqueue(tx, id.clone(), NewJob { kind, unique_key: key.clone(), args: json!({ "to": 3 }) })
                .await
        })
        .await
}

async fn look(state: &AppState, id: &str) -> queries::Job {
    queries::find(&state.db, id).await.expect("readable").expect("it exists")
}

async fn until(state: &AppState, id: &str, wanted: JobState) -> queries::Job {
    for _ in 0..200 {
        let job = look(state, id).await;
        if job.state == wanted {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the job never became {wanted:?}: {:?}", look(state, id).await);
}

#[rstest]
#[tokio::test]
async fn a_job_runs_and_stores_its_result(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let kinds = JobKinds::default()
        .with("count", |ctx: JobCtx| async move {
            let args: Value = ctx.args()?;
            ctx.progress(1, 3, "Counting");
            Ok(json!({ "counted": args["to"] }))
        })
        .with("refuse", |_| async { Err(JobError::Failed("Nothing to count.".into())) })
        .with("panic", |_| async { panic!("boom") });
    let stage = stage(on, kinds).await;
    let state = &stage.state;
    let ids = [
        enqueue(state, "count", None).await.expect("queued"),
        enqueue(state, "refuse", None).await.expect("queued"),
        enqueue(state, "panic", None).await.expect("queued"),
        enqueue(state, "unheard-of", None).await.expect("queued"),
    ];
    state.jobs.drain(state).await.expect("jobs run");
    let [done, refused, panicked, unknown] = [
        look(state, &ids[0]).await,
        look(state, &ids[1]).await,
        look(state, &ids[2]).await,
        look(state, &ids[3]).await,
    ];
    assert_eq!((done.state, done.result.map(|r| r.0)), (JobState::Done, Some(json!({ "counted": 3 }))));
    assert_eq!((refused.state, refused.error.as_deref()), (JobState::Failed, Some("Nothing to count.")));
    assert_eq!(panicked.state, JobState::Failed);
    assert!(panicked.error.is_some_and(|e| !e.contains("boom")), "a panic message belongs in the log only");
    assert_eq!(unknown.state, JobState::Failed);
}

#[rstest]
#[tokio::test]
async fn a_key_allows_one_open_job(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on, JobKinds::default().with("count", |_| async { Ok(json!(null)) })).await;
    enqueue(&stage.state, "count", Some("a")).await.expect("queued");
    assert!(enqueue(&stage.state, "count", Some("a")).await.is_err(), "a second one");
    stage.state.jobs.drain(&stage.state).await.expect("jobs run");
    enqueue(&stage.state, "count", Some("a")).await.expect("free again");
}

#[rstest]
#[tokio::test]
async fn a_job_resumes_at_the_checkpoint_of_a_stopped_worker(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let steps = Arc::new(AtomicU32::new(0));
    let counted = steps.clone();
    let kinds = JobKinds::default().with("steps", move |ctx: JobCtx| {
        let counted = counted.clone();
        async move {
            let from: u32 = ctx.last_checkpoint().unwrap_or(0);
            for step in from..6 {
                ctx.go_on()?;
                let actor = ctx.actor();
                let ours =
                    ctx.state.db.write(&actor, async |tx| ctx.checkpoint(tx, &json!(step + 1)).await).await?;
                if !ours {
                    return Err(JobError::Interrupted);
                }
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
            Ok(json!("all"))
        }
    });
    let stage = stage(on, kinds).await;
    let id = enqueue(&stage.state, "steps", None).await.expect("queued");
    let stop = CancellationToken::new();
    let first = app::start_background(&stage.state, &stop);
    stage.state.jobs.wake();
    while steps.load(Ordering::SeqCst) < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    first.wait().await;
    assert_eq!(look(&stage.state, &id).await.state, JobState::Queued);
    let before = steps.load(Ordering::SeqCst);
    assert!(before < 6, "the worker stopped too late");
    stage.state.jobs.drain(&stage.state).await.expect("jobs run");
    assert_eq!(look(&stage.state, &id).await.state, JobState::Done);
    assert_eq!(steps.load(Ordering::SeqCst), 6, "every step exactly once");
}

#[rstest]
#[tokio::test]
async fn only_the_owner_can_cancel_a_job(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let kinds = JobKinds::default().with("endless", |ctx: JobCtx| async move {
        loop {
            ctx.go_on()?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let config = Config {
        data_dir: app.state.config.data_dir.clone(),
        clock_shift_ms: clock::shift_ms(),
        ..Config::default()
    };
    let worker = app::assemble_with(config, app.db.clone(), kinds).expect("valid server");
    let owner = app.user(&[("lists/allLists", &[])], None).await;
    let other = app.user(&[("lists/allLists", &[])], None).await;
    let mut by = actor(app.state.now());
    by.uid.clone_from(&owner.uid);
    let id = app.state.new_id();
    app.db
        .write(&by, async |tx| {
            worker
                .jobs
                .enqueue(tx, id.clone(), NewJob { kind: "endless", unique_key: None, args: json!({}) })
                .await
        })
        .await
        .expect("queued");
    let stop = CancellationToken::new();
    app::start_background(&worker, &stop);
    until(&worker, &id, JobState::Running).await;

    assert_eq!(other.get(&format!("/api/jobs/{id}")).await.status, 404);
    assert_eq!(other.post(&format!("/api/jobs/{id}/cancel"), &json!({})).await.status, 404);
    assert_eq!(owner.get(&format!("/api/jobs/{id}")).await.expect(200)["state"], "running");
    assert_eq!(owner.post(&format!("/api/jobs/{id}/cancel"), &json!({})).await.status, 204);
    until(&worker, &id, JobState::Cancelled).await;
    stop.cancel();
}
