//! The tables of runs and schedules.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::{StoreScope, Timestamp};

use super::model::{Kept, ScheduleDraft};
use super::{Ask, JOB, Outcome};
use crate::audit::Editor;

/// A run with its job's progress. If the job ended before the run was updated, the job's state wins.
const RUN: &str = "select r.id, r.service, r.job_id, r.due_at, r.asked, r.outcome,
       coalesce(r.error, j.error) as error, r.created_at, r.created_by, j.started_at,
       coalesce(r.finished_at, j.finished_at) as finished_at,
       case when r.state <> 'open' then r.state when j.state in ('queued', 'running', 'cancelled') then j.state
         else 'failed' end as state,
       case when r.state = 'done' and coalesce(j.total, 0) > 0 then j.total else coalesce(j.done, 0) end as done,
       coalesce(j.total, 0) as total, coalesce(j.message, '') as message
     from service_runs r left join jobs j on j.id = r.job_id";

/// Limits a query to runs a user may see: those over all stores, or over at least one of theirs.
fn within<'q>(query: Query<'q>, scope: &StoreScope) -> Query<'q> {
    match scope {
        StoreScope::All => query,
        StoreScope::Only(stores) => {
            let stores: Vec<&str> = stores.iter().map(String::as_str).collect();
            query
                .push(" and (r.all_stores = ")
                .push_bind(true)
                .push(
                    " or exists (select 1 from service_run_stores s where s.run_id = r.id and s.store_id in ",
                )
                .push_ids(&stores)
                .push("))")
        }
    }
}

/// A run, if the user may see it.
pub(super) async fn find(
    db: &Db,
    scope: &StoreScope,
    service: &str,
    id: &str,
) -> Result<Option<Kept>, DbError> {
    let query = db.sql(RUN).push(" where r.service = ").push_bind(service).push(" and r.id = ").push_bind(id);
    within(query, scope).optional().await
}

/// As [`find`], inside a transaction.
pub(super) async fn find_in(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    service: &str,
    id: &str,
) -> Result<Option<Kept>, DbError> {
    let query = tx.sql(RUN).push(" where r.service = ").push_bind(service).push(" and r.id = ").push_bind(id);
    within(query, scope).optional().await
}

/// The run a job executes.
pub(super) async fn of_job(db: &Db, job_id: &str, id: &str) -> Result<Option<Kept>, DbError> {
    db.sql(RUN)
        .push(" where r.id = ")
        .push_bind(id)
        .push(" and r.job_id = ")
        .push_bind(job_id)
        .optional()
        .await
}

pub(super) async fn of_id(db: &Db, id: &str) -> Result<Option<Kept>, DbError> {
    db.sql(RUN).push(" where r.id = ").push_bind(id).optional().await
}

/// A page of the runs a user may see, of one service or all, and their total.
pub(super) async fn list(
    db: &Db,
    scope: &StoreScope,
    service: Option<&str>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Kept>, i64), DbError> {
    let rows = within(of_service(db.sql(RUN), service), scope)
        .push(" order by r.id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    let total =
        within(of_service(db.sql("select count(*) from service_runs r"), service), scope).scalar().await?;
    Ok((rows, total))
}

fn of_service<'q>(query: Query<'q>, service: Option<&str>) -> Query<'q> {
    match service {
        Some(service) => query.push(" where r.service = ").push_bind(service),
        None => query.push(" where 1 = 1"),
    }
}

/// The newest run of each service that a user may see. Ids are ordered by time.
pub(super) async fn newest(db: &Db, scope: &StoreScope) -> Result<Vec<Kept>, DbError> {
    let query = db.sql(RUN).push(" where r.id in (select max(r.id) from service_runs r where 1 = 1");
    within(query, scope).push(" group by r.service)").all().await
}

/// The newest completed run of a service over all stores.
pub(super) async fn latest_done(db: &Db, service: &str) -> Result<Option<(String, Timestamp)>, DbError> {
    db.sql(
        "select id, created_at from service_runs where service = $1 and state = 'done' and all_stores = $2",
    )
    .bind(service)
    .bind(true)
    .push(" order by id desc limit 1")
    .optional()
    .await
}

/// The newest completed runs before one: their parameters and results.
pub(super) async fn done_before(
    tx: &mut Tx<'_>,
    service: &str,
    id: &str,
) -> Result<Vec<(Json<Ask>, Json<Outcome>)>, DbError> {
    tx.sql(
        "select asked, outcome from service_runs
         where service = $1 and id < $2 and state = 'done' and outcome is not null
         order by id desc limit 30",
    )
    .bind(service)
    .bind(id)
    .all()
    .await
}

const OPEN: &str = "select cast(1 as bigint) from service_runs r join jobs j on j.id = r.job_id
     where r.service = $1 and r.state = 'open' and j.state in ('queued', 'running') limit 1";

/// Whether a run of a service is queued or running.
pub(super) async fn is_open(tx: &mut Tx<'_>, service: &str) -> Result<bool, DbError> {
    let open: Option<(i64,)> = tx.sql(OPEN).bind(service).optional().await?;
    Ok(open.is_some())
}

/// As [`is_open`], outside a transaction.
pub(super) async fn open_now(db: &Db, service: &str) -> Result<bool, DbError> {
    let open: Option<(i64,)> = db.sql(OPEN).bind(service).optional().await?;
    Ok(open.is_some())
}

/// Whether all of these stores exist.
pub(super) async fn all_stores_exist(db: &Db, ids: &[String]) -> Result<bool, DbError> {
    let query = db.sql("select count(*) from locations where id in ").push_ids(ids);
    Ok(query.scalar::<i64>().await? == distinct(ids))
}

/// Whether all of these root items exist.
pub(super) async fn all_items_exist(db: &Db, ids: &[String]) -> Result<bool, DbError> {
    let query = db.sql("select count(*) from root_items where id in ").push_ids(ids);
    Ok(query.scalar::<i64>().await? == distinct(ids))
}

fn distinct(ids: &[String]) -> i64 {
    let ids: std::collections::BTreeSet<&String> = ids.iter().collect();
    i64::try_from(ids.len()).unwrap_or(i64::MAX)
}

/// A run to insert.
pub(super) struct New<'a> {
    pub id: &'a str,
    pub service: &'a str,
    pub job_id: &'a str,
    pub due_at: Option<Timestamp>,
    pub asked: &'a Ask,
}

/// Inserts a run; `false` if another node inserted the one for this scheduled time.
pub(super) async fn insert(tx: &mut Tx<'_>, new: &New<'_>) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let rows = tx
        .sql(
            "insert into service_runs (id, service, job_id, state, due_at, all_stores, asked, created_at, created_by)
             values ($1, $2, $3, 'open', $4, $5, $6, $7, $8) on conflict (service, due_at) do nothing",
        )
        .bind(new.id)
        .bind(new.service)
        .bind(new.job_id)
        .bind(new.due_at)
        .bind(new.asked.store_ids.is_none())
        .bind(Json(new.asked.clone()))
        .bind(at)
        .bind(by)
        .execute()
        .await?;
    if rows == 0 {
        return Ok(false);
    }
    let stores: Vec<(String, String)> =
        new.asked.store_ids.iter().flatten().map(|store| (new.id.to_owned(), store.clone())).collect();
    let then = "on conflict (run_id, store_id) do nothing";
    tx.insert_rows("service_run_stores", &["run_id", "store_id"], stores, then).await?;
    Ok(true)
}

/// Stores how a run ended; `false` if it had ended before.
pub(super) async fn end(
    tx: &mut Tx<'_>,
    id: &str,
    state: &'static str,
    outcome: Option<&Outcome>,
    error: Option<&str>,
) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let rows = tx
        .sql(
            "update service_runs set state = $1, outcome = $2, error = $3, finished_at = $4
             where id = $5 and state = 'open'",
        )
        .bind(state)
        .bind(outcome.cloned().map(Json))
        .bind(error)
        .bind(at)
        .bind(id)
        .execute()
        .await?;
    Ok(rows == 1)
}

#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct KeptSchedule {
    pub service: String,
    pub enabled: bool,
    pub minutes: i64,
    pub weekdays: i64,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

const SCHEDULE: &str =
    "select service, enabled, minutes, weekdays, revision, updated_at, updated_by from service_schedules";

/// Every schedule that was set.
pub(super) async fn schedules(db: &Db) -> Result<Vec<KeptSchedule>, DbError> {
    db.sql(SCHEDULE).all().await
}

/// The schedule of a service, if one was set.
pub(super) async fn schedule(tx: &mut Tx<'_>, service: &str) -> Result<Option<KeptSchedule>, DbError> {
    tx.sql(SCHEDULE).push(" where service = ").push_bind(service).optional().await
}

/// Writes a schedule if its revision is still current.
pub(super) async fn set_schedule(
    tx: &mut Tx<'_>,
    service: &str,
    draft: &ScheduleDraft,
) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let rows = tx
        .sql(
            "insert into service_schedules (service, enabled, minutes, weekdays, revision, updated_at, updated_by)
             values ($1, $2, $3, $4, 1, $5, $6)
             on conflict (service) do update set enabled = excluded.enabled, minutes = excluded.minutes,
               weekdays = excluded.weekdays, revision = service_schedules.revision + 1,
               updated_at = excluded.updated_at, updated_by = excluded.updated_by
             where service_schedules.revision = $7",
        )
        .bind(service)
        .bind(draft.enabled)
        .bind(draft.minutes)
        .bind(draft.weekdays)
        .bind(at)
        .bind(by)
        .bind(draft.revision)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Per service, the last scheduled time that started a run.
pub(super) async fn last_due(db: &Db) -> Result<Vec<(String, Timestamp)>, DbError> {
    db.sql("select service, max(due_at) from service_runs where due_at is not null group by service")
        .all()
        .await
}

/// The job that executes a run.
pub(super) fn job(args: serde_json::Value) -> crate::jobs::NewJob {
    crate::jobs::NewJob { kind: JOB, unique_key: None, args }
}
