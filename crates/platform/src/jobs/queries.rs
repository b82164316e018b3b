//! The job table.

use larder_db::Json;
use larder_db::{Actor, Db, DbError, Tx};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Lane, NewJob};
use crate::audit::Editor;

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum JobState {
    /// Waiting for a worker.
    Queued,
    Running,
    Done,
    /// Ended with an error.
    Failed,
    /// Cancelled on request.
    Cancelled,
}

/// A job as its owner sees it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    pub id: String,
    pub kind: String,
    pub state: JobState,
    /// Units of work done.
    pub done: i64,
    /// Units of work in total; 0 while unknown.
    pub total: i64,
    /// What it is doing.
    pub message: String,
    #[schema(value_type = Option<Object>)]
    pub result: Option<Json<Value>>,
    pub error: Option<String>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// The user who started it.
    #[serde(skip)]
    pub owner: Json<Owner>,
}

/// The user who started a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Owner {
    /// The account id.
    pub uid: String,
    pub name: String,
    pub email: String,
}

/// A job claimed by a worker.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Claimed {
    pub id: String,
    pub kind: String,
    pub args: Json<Value>,
    /// The last checkpoint of an earlier attempt.
    pub checkpoint: Option<Json<Value>>,
    /// Number of attempts since it was queued or put back by [`put_back_whole`].
    pub attempts: i64,
    pub created_at: Timestamp,
    /// The user who started it.
    pub actor: Json<Owner>,
}

/// Queues a job; `work` groups jobs that retry each other.
pub async fn insert(tx: &mut Tx<'_>, id: &str, new: &NewJob, work: &str) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into jobs (id, kind, unique_key, state, args, done, total, message, cancel_requested, attempts,
                           lease_until, created_at, actor, work)
         values ($1, $2, $3, 'queued', $4, 0, 0, '', $5, 0, 0, $6, $7, $8)",
    )
    .bind(id)
    .bind(new.kind)
    .bind(&new.unique_key)
    .bind(Json(new.args.clone()))
    .bind(false)
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .bind(work)
    .execute()
    .await?;
    Ok(())
}

/// Removes failed jobs of some work from the inbox, because it was retried or dropped.
pub async fn put_away(tx: &mut Tx<'_>, work: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    let failed = tx
        .sql(
            "update jobs set put_away_at = $1 where work = $2 and state = 'failed' and put_away_at is null
             returning id, actor",
        )
        .bind(at)
        .bind(work)
        .all::<(String, Json<Owner>)>()
        .await?;
    for (id, owner) in failed {
        tx.announce_for("jobFailed", &id, &owner.0.uid);
    }
    Ok(())
}

const FAILED: &str = " from jobs where state = 'failed' and put_away_at is null and created_at >= $1
     and kind not like 'services.%' and kind not like 'connector%' and (actor->>'uid' = $2 or $3)";

/// Jobs that failed since a time and are still in the inbox: the user's own, or with `all` everyone's.
/// Services and connectors are left out, because they report their own failures. Returns the newest, at most
/// `most`, and the total.
pub async fn failed_since(
    db: &Db,
    since: Timestamp,
    uid: &str,
    all: bool,
    most: i64,
) -> Result<(Vec<Job>, i64), DbError> {
    let count = db.sql("select cast(count(*) as bigint)").push(FAILED);
    let total = count.bind(since).bind(uid).bind(all).scalar().await?;
    let newest = db
        .sql("select id, kind, state, done, total, message, result, error, created_at, finished_at, actor as owner")
        .push(FAILED)
        .push(" order by created_at desc limit $4");
    Ok((newest.bind(since).bind(uid).bind(all).bind(most).all().await?, total))
}

/// A job by id.
pub async fn find(db: &Db, id: &str) -> Result<Option<Job>, DbError> {
    db.sql(
        "select id, kind, state, done, total, message, result, error, created_at, finished_at, actor as owner
         from jobs where id = $1",
    )
    .bind(id)
    .optional()
    .await
}

/// Claims the oldest due job that is queued or whose lease ran out. The update decides between workers. `apart`
/// are the kinds of the lane, for [`Lane::Short`] those it leaves to other lanes.
pub async fn claim(
    db: &Db,
    actor: &Actor,
    (lane, apart): (Lane, Vec<&'static str>),
    owner: &str,
    lease_ms: i64,
) -> Result<Option<Claimed>, DbError> {
    let now = actor.at;
    let due =
        db.sql("select id from jobs where state in ('queued', 'running') and lease_until < $1").bind(now);
    let due = match lane {
        Lane::All => due,
        Lane::Short => due.push(" and not (kind in ").push_in(apart).push(")"),
        Lane::Long | Lane::Mail => due.push(" and kind in ").push_in(apart),
    };
    let due = match lane {
        Lane::Mail => due.push(" order by lease_until, created_at, id limit 1"),
        Lane::All | Lane::Short | Lane::Long => due.push(" order by created_at, id limit 1"),
    };
    let Some((id,)) = due.optional::<(String,)>().await? else { return Ok(None) };
    db.write(actor, async |tx| {
        tx.sql(
            "update jobs
             set state = 'running', lease_owner = $1, lease_until = $2, attempts = attempts + 1,
                 started_at = coalesce(started_at, $3)
             where id = $4 and state in ('queued', 'running') and lease_until < $3
             returning id, kind, args, checkpoint, attempts, created_at, actor",
        )
        .bind(owner)
        .bind(now.plus_ms(lease_ms))
        .bind(now)
        .bind(&id)
        .optional()
        .await
    })
    .await
}

/// Renews the lease; returns whether the job was cancelled, `None` if another worker has it.
pub async fn renew(
    db: &Db,
    actor: &Actor,
    id: &str,
    owner: &str,
    lease_ms: i64,
    shown: &Progress,
) -> Result<Option<bool>, DbError> {
    db.write(actor, async |tx| {
        let asked = tx
            .sql(
                "update jobs set lease_until = $1, done = $2, total = $3, message = $4
                 where id = $5 and lease_owner = $6 and state = 'running'
                 returning cancel_requested",
            )
            .bind(actor.at.plus_ms(lease_ms))
            .bind(shown.done)
            .bind(shown.total)
            .bind(&shown.message)
            .bind(id)
            .bind(owner)
            .optional::<(bool,)>()
            .await?;
        tx.announce("job", id, None);
        Ok(asked.map(|(asked,)| asked))
    })
    .await
}

/// Progress of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units of work done.
    pub done: i64,
    /// Units of work in total.
    pub total: i64,
    /// What it is doing.
    pub message: String,
}

/// Saves a checkpoint inside the transaction that did the work.
pub(crate) async fn save_checkpoint(
    tx: &mut Tx<'_>,
    id: &str,
    owner: &str,
    checkpoint: &Value,
    shown: &Progress,
) -> Result<bool, DbError> {
    let rows = tx
        .sql(
            "update jobs set checkpoint = $1, done = $2, total = $3, message = $4
             where id = $5 and lease_owner = $6 and state = 'running'",
        )
        .bind(Json(checkpoint.clone()))
        .bind(shown.done)
        .bind(shown.total)
        .bind(&shown.message)
        .bind(id)
        .bind(owner)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Ends a job, frees its unique key and drops its arguments, which may hold secrets. Its owner is notified of
/// a failure.
pub async fn finish(
    db: &Db,
    actor: &Actor,
    id: &str,
    owner: &str,
    state: JobState,
    result: Option<Value>,
    error: Option<String>,
) -> Result<(), DbError> {
    let (result, error) = (&result, &error);
    db.write(actor, async |tx| {
        let ended = tx
            .sql(
                "update jobs
             set state = $1, result = $2, error = $3, finished_at = $4, unique_key = null, lease_owner = null,
                 args = '{}',
                 done = case when $1 = 'done' and total > 0 then total else done end
             where id = $5 and lease_owner = $6
             returning actor",
            )
            .bind(state)
            .bind(result.clone().map(Json))
            .bind(error)
            .bind(actor.at)
            .bind(id)
            .bind(owner)
            .optional::<(Json<Owner>,)>()
            .await?;
        let Some((began,)) = ended else { return Ok(()) };
        tx.announce_for("job", id, &began.0.uid);
        if state == JobState::Failed {
            tx.announce_for("jobFailed", id, &began.0.uid);
        }
        Ok(())
    })
    .await
}

/// Puts a job back to be resumed from its checkpoint, not before `due`.
pub async fn put_back(
    db: &Db,
    actor: &Actor,
    id: &str,
    owner: &str,
    due: Timestamp,
    message: &str,
) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql(
            "update jobs set state = 'queued', lease_owner = null, lease_until = $1, message = $2
             where id = $3 and lease_owner = $4",
        )
        .bind(due)
        .bind(message)
        .bind(id)
        .bind(owner)
        .execute()
        .await?;
        Ok(())
    })
    .await
}

/// As [`put_back`], for a job that stopped in good order and is not nearer to being given up: its attempts are
/// counted from 0 again.
pub async fn put_back_whole(
    db: &Db,
    actor: &Actor,
    id: &str,
    owner: &str,
    due: Timestamp,
    message: &str,
) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql(
            "update jobs set state = 'queued', lease_owner = null, lease_until = $1, message = $2, attempts = 0
             where id = $3 and lease_owner = $4",
        )
        .bind(due)
        .bind(message)
        .bind(id)
        .bind(owner)
        .execute()
        .await?;
        Ok(())
    })
    .await
}

/// Cancels a job; one that is queued is cancelled at once.
pub async fn request_cancel(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "update jobs
         set cancel_requested = $1,
             state = case when state = 'queued' then 'cancelled' else state end,
             unique_key = case when state = 'queued' then null else unique_key end,
             args = case when state = 'queued' then '{}' else args end,
             finished_at = case when state = 'queued' then $2 else finished_at end
         where id = $3 and state in ('queued', 'running')",
    )
    .bind(true)
    .bind(at)
    .bind(id)
    .execute()
    .await?;
    tx.announce("job", id, None);
    Ok(())
}
