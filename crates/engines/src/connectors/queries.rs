//! The tables of connectors.

use std::collections::HashSet;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Timestamp};

use super::fetch::Level;
use super::model::{ConnectorLogLine, ConnectorSchedule, Kept, KeptDeadLetter, KeptRun, RunParams};
use super::settings::{ConnectorSettings, Kind};
use larder_platform::audit::Editor;

const SELECT: &str =
    "select id, kind, name, settings, secrets, secrets_set, paused, scheduled, minutes, weekdays,
       cursor_day, last_due, revision, updated_at, updated_by from connectors";

/// The connectors of a kind, by name.
pub(super) async fn of_kind(db: &Db, kind: Kind) -> Result<Vec<Kept>, DbError> {
    db.sql(SELECT).push(" where kind = ").push_bind(kind.as_str()).push(" order by name_key, id").all().await
}

/// Connectors that may be due or watch a folder.
pub(super) async fn awake(db: &Db) -> Result<Vec<Kept>, DbError> {
    db.sql(SELECT).push(" where paused = ").push_bind(false).push(" order by id").all().await
}

pub(super) async fn find(db: &Db, kind: Kind, id: &str) -> Result<Option<Kept>, DbError> {
    db.sql(SELECT)
        .push(" where kind = ")
        .push_bind(kind.as_str())
        .push(" and id = ")
        .push_bind(id)
        .optional()
        .await
}

/// A connector of any kind.
pub(super) async fn any(db: &Db, id: &str) -> Result<Option<Kept>, DbError> {
    db.sql(SELECT).push(" where id = ").push_bind(id).optional().await
}

/// As [`find`], inside a transaction.
pub(super) async fn find_in(tx: &mut Tx<'_>, kind: Kind, id: &str) -> Result<Option<Kept>, DbError> {
    tx.sql(SELECT)
        .push(" where kind = ")
        .push_bind(kind.as_str())
        .push(" and id = ")
        .push_bind(id)
        .optional()
        .await
}

/// Stored fields of a connector.
pub(super) struct Written<'a> {
    pub name: &'a str,
    pub name_key: String,
    pub settings: &'a ConnectorSettings,
    pub secrets: Option<String>,
    pub secrets_set: &'a std::collections::BTreeMap<String, Timestamp>,
    pub schedule: ConnectorSchedule,
    pub paused: bool,
}

pub(super) async fn insert(tx: &mut Tx<'_>, id: &str, kind: Kind, new: &Written<'_>) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into connectors (id, kind, name, name_key, settings, secrets, secrets_set, paused, scheduled, minutes,
           weekdays, revision, created_at, created_by, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13, $12, $13)",
    )
    .bind(id)
    .bind(kind.as_str())
    .bind(new.name)
    .bind(&new.name_key)
    .bind(Json(new.settings))
    .bind(&new.secrets)
    .bind(Json(new.secrets_set))
    .bind(new.paused)
    .bind(new.schedule.enabled)
    .bind(new.schedule.minutes)
    .bind(new.schedule.weekdays)
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .execute()
    .await?;
    Ok(())
}

/// Updates a connector; `false` if its revision has changed.
pub(super) async fn update(
    tx: &mut Tx<'_>,
    id: &str,
    revision: i64,
    new: &Written<'_>,
) -> Result<bool, DbError> {
    let actor = tx.actor().clone();
    let rows = tx
        .sql(
            "update connectors set name = $1, name_key = $2, settings = $3, secrets = $4, secrets_set = $5, paused = $6,
               scheduled = $7, minutes = $8, weekdays = $9, revision = revision + 1, updated_at = $10, updated_by = $11
             where id = $12 and revision = $13",
        )
        .bind(new.name)
        .bind(&new.name_key)
        .bind(Json(new.settings))
        .bind(&new.secrets)
        .bind(Json(new.secrets_set))
        .bind(new.paused)
        .bind(new.schedule.enabled)
        .bind(new.schedule.minutes)
        .bind(new.schedule.weekdays)
        .bind(actor.at)
        .bind(Json(Editor::from(&actor)))
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Pauses or resumes a connector.
pub(super) async fn set_paused(tx: &mut Tx<'_>, id: &str, paused: bool) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "update connectors set paused = $1, revision = revision + 1, updated_at = $2, updated_by = $3 where id = $4",
    )
    .bind(paused)
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .bind(id)
    .execute()
    .await?;
    Ok(())
}

/// Deletes a connector with everything that belongs to it.
pub(super) async fn delete(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    for statement in [
        "delete from connector_letters where connector_id = $1",
        "delete from connector_deliveries where connector_id = $1",
        "delete from connector_files where connector_id = $1",
        "delete from connector_log where run_id in (select id from connector_runs where connector_id = $1)",
        "delete from connector_runs where connector_id = $1",
        "delete from connectors where id = $1",
    ] {
        tx.sql(statement).bind(id).execute().await?;
    }
    Ok(())
}

/// Everything up to this day was read.
pub(super) async fn set_cursor(tx: &mut Tx<'_>, id: &str, day: BusinessDay) -> Result<(), DbError> {
    tx.sql("update connectors set cursor_day = $1 where id = $2 and (cursor_day is null or cursor_day < $1)")
        .bind(day)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Claims a scheduled time; only one node succeeds.
pub(super) async fn claim_due(tx: &mut Tx<'_>, id: &str, due: Timestamp) -> Result<bool, DbError> {
    let rows = tx
        .sql("update connectors set last_due = $1 where id = $2 and paused = $3 and (last_due is null or last_due < $1)")
        .bind(due)
        .bind(id)
        .bind(false)
        .execute()
        .await?;
    Ok(rows == 1)
}

const RUN: &str = "select r.id, r.connector_id, r.job_id, r.cause, r.asked, r.lines, r.repeated, r.pages, r.days_new,
       r.days_replaced, r.days_unchanged, r.put_aside, r.next_try_at, r.created_at, r.created_by,
       coalesce(r.finished_at, j.finished_at) as finished_at,
       case when r.words = '' then coalesce(j.error, '') else r.words end as words,
       case when r.state <> 'open' then r.state when j.state in ('queued', 'running', 'cancelled') then j.state
         else 'failed' end as state,
       coalesce(j.done, 0) as done, coalesce(j.total, 0) as total
     from connector_runs r left join jobs j on j.id = r.job_id";

pub(super) async fn insert_run(
    tx: &mut Tx<'_>,
    id: &str,
    connector: &str,
    job: &str,
    cause: &str,
    params: &RunParams,
) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into connector_runs (id, connector_id, job_id, state, cause, asked, lines, repeated, pages, days_new,
           days_replaced, days_unchanged, put_aside, words, created_at, created_by)
         values ($1, $2, $3, 'open', $4, $5, 0, 0, 0, 0, 0, 0, 0, '', $6, $7)",
    )
    .bind(id)
    .bind(connector)
    .bind(job)
    .bind(cause)
    .bind(Json(params))
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn run(db: &Db, connector: &str, id: &str) -> Result<Option<KeptRun>, DbError> {
    db.sql(RUN)
        .push(" where r.connector_id = ")
        .push_bind(connector)
        .push(" and r.id = ")
        .push_bind(id)
        .optional()
        .await
}

/// The runs of a connector, newest first, and their total.
pub(super) async fn runs(
    db: &Db,
    connector: &str,
    (limit, offset): (i64, i64),
) -> Result<(Vec<KeptRun>, i64), DbError> {
    let items = db
        .sql(RUN)
        .push(" where r.connector_id = ")
        .push_bind(connector)
        .push(" order by r.id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    let query = db.sql("select cast(count(*) as bigint) from connector_runs where connector_id = $1");
    Ok((items, query.bind(connector).scalar().await?))
}

/// The newest run of each connector.
pub(super) async fn newest(db: &Db, kind: Kind) -> Result<Vec<KeptRun>, DbError> {
    db.sql(RUN)
        .push(
            " where r.id in (select max(n.id) from connector_runs n join connectors c on c.id = n.connector_id
               where c.kind = ",
        )
        .push_bind(kind.as_str())
        .push(" group by n.connector_id)")
        .all()
        .await
}

/// A connector whose last finished run was incomplete.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Failing {
    pub id: String,
    pub connector_id: String,
    pub name: String,
    kind: String,
    /// The result of the run in words.
    pub words: String,
    pub at: Timestamp,
}

impl Failing {
    /// The console page of its kind, and the page of the permission to view it.
    #[must_use]
    pub fn page(&self) -> (&'static str, &'static str) {
        match Kind::of(&self.kind) {
            Some(Kind::W3p) => ("/tools/services/w3p-ingest", "tools/services"),
            Some(Kind::Bigquery) => ("/tools/import-sales-product-bq", "tools/importSalesProduct"),
            Some(Kind::Api) | None => ("/tools/services/get-sales-api", "tools/services"),
        }
    }
}

/// Active connectors whose last finished run failed or was incomplete.
///
/// # Errors
/// If the database fails.
pub async fn failing(db: &Db) -> Result<Vec<Failing>, DbError> {
    db.sql(
        "select r.id, r.connector_id, c.name, c.kind, r.words, coalesce(r.finished_at, r.created_at) as at
         from connector_runs r join connectors c on c.id = r.connector_id
         where r.state in ('failed', 'partly') and not c.paused and r.id in (
           select max(n.id) from connector_runs n where n.state <> 'open' group by n.connector_id)
         order by r.id desc",
    )
    .all()
    .await
}

/// Open dead letters per connector.
pub(super) async fn open_dead_letters(db: &Db) -> Result<Vec<(String, i64)>, DbError> {
    db.sql(
        "select connector_id, cast(count(*) as bigint) from connector_letters where state = 'open' group by connector_id",
    )
    .all()
    .await
}

/// Counters to add to a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Added {
    pub lines: i64,
    pub repeated: i64,
    pub pages: i64,
    pub days_new: i64,
    pub days_replaced: i64,
    pub days_unchanged: i64,
    pub put_aside: i64,
}

pub(super) async fn add(tx: &mut Tx<'_>, run: &str, more: Added) -> Result<(), DbError> {
    tx.sql(
        "update connector_runs set lines = lines + $1, repeated = repeated + $2, pages = pages + $3,
           days_new = days_new + $4, days_replaced = days_replaced + $5, days_unchanged = days_unchanged + $6,
           put_aside = put_aside + $7 where id = $8",
    )
    .bind(more.lines)
    .bind(more.repeated)
    .bind(more.pages)
    .bind(more.days_new)
    .bind(more.days_replaced)
    .bind(more.days_unchanged)
    .bind(more.put_aside)
    .bind(run)
    .execute()
    .await?;
    Ok(())
}

/// When a run retries.
pub(super) async fn set_next_try(tx: &mut Tx<'_>, run: &str, at: Option<Timestamp>) -> Result<(), DbError> {
    tx.sql("update connector_runs set next_try_at = $1 where id = $2").bind(at).bind(run).execute().await?;
    Ok(())
}

/// Stores how a run ended.
pub(super) async fn end_run(tx: &mut Tx<'_>, run: &str, state: &str, words: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "update connector_runs set state = $1, words = $2, finished_at = $3, next_try_at = null
         where id = $4 and state = 'open'",
    )
    .bind(state)
    .bind(words)
    .bind(at)
    .bind(run)
    .execute()
    .await?;
    Ok(())
}

/// Counters of a run so far.
pub(super) async fn counted(tx: &mut Tx<'_>, run: &str) -> Result<(i64, i64, i64, i64, i64), DbError> {
    tx.sql(
        "select lines, days_new, days_replaced, days_unchanged, put_aside from connector_runs where id = $1",
    )
    .bind(run)
    .one()
    .await
}

/// The most log lines of a run.
const MOST_LOG: i64 = 3_000;

pub(super) async fn log(tx: &mut Tx<'_>, run: &str, lines: &[(Level, String)]) -> Result<(), DbError> {
    if lines.is_empty() {
        return Ok(());
    }
    let at = tx.actor().at;
    let last: i64 = tx
        .sql("select coalesce(max(seq), 0) from connector_log where run_id = $1")
        .bind(run)
        .scalar()
        .await?;
    let rows: Vec<(&str, i64, Timestamp, &str, &str)> = lines
        .iter()
        .zip(last + 1..=MOST_LOG)
        .map(|((level, words), seq)| (run, seq, at, level.as_str(), words.as_str()))
        .collect();
    tx.insert_rows("connector_log", &["run_id", "seq", "at", "level", "words"], rows, "").await?;
    Ok(())
}

pub(super) async fn log_of(db: &Db, run: &str) -> Result<Vec<ConnectorLogLine>, DbError> {
    db.sql("select seq, at, level, words from connector_log where run_id = $1 order by seq limit 3000")
        .bind(run)
        .all()
        .await
}

/// Which of some batches another sender posted than `own`, the id of a connector or key. Its own are its runs, the key, and
/// the keys that were revoked before it was made.
///
/// # Errors
/// If the database fails.
pub async fn other_senders(
    tx: &mut Tx<'_>,
    batches: &HashSet<String>,
    own: &str,
) -> Result<HashSet<String>, DbError> {
    let ids: Vec<&str> = batches.iter().map(String::as_str).collect();
    let rows: Vec<(String,)> = tx
        .sql(
            "select id from push_keys where (id = $1
               or revoked_at <= (select made.created_at from push_keys made where made.id = $1)) and id in ",
        )
        .bind(own)
        .push_ids(&ids)
        .push(" union all select id from connector_runs where connector_id = $1 and id in ")
        .push_ids(&ids)
        .all()
        .await?;
    let own: HashSet<String> = rows.into_iter().map(|(id,)| id).collect();
    Ok(batches.difference(&own).cloned().collect())
}

/// The name of a store.
pub(super) async fn store_name(tx: &mut Tx<'_>, store: &str) -> Result<String, DbError> {
    tx.sql("select name from locations where id = $1").bind(store).scalar().await
}

/// Runs kept per connector.
const RUNS_KEPT: i64 = 300;

/// Deletes old runs, except those of which sales are there; dead letters stay.
pub(super) async fn prune(tx: &mut Tx<'_>, connector: &str) -> Result<(), DbError> {
    let oldest: Option<(String,)> = tx
        .sql("select id from connector_runs where connector_id = $1 order by id desc limit 1 offset $2")
        .bind(connector)
        .bind(RUNS_KEPT)
        .optional()
        .await?;
    let Some((oldest,)) = oldest else { return Ok(()) };
    for statement in [
        "delete from connector_log where run_id in
           (select id from connector_runs where connector_id = $1 and id <= $2 and state <> 'open')",
        "delete from connector_runs where connector_id = $1 and id <= $2 and state <> 'open'
           and not exists (select 1 from sales_days d where d.batch_id = connector_runs.id)
           and not exists (select 1 from sales_day_parts p where p.batch_id = connector_runs.id)",
    ] {
        tx.sql(statement).bind(connector).bind(&oldest).execute().await?;
    }
    Ok(())
}

const DEAD_LETTER: &str =
    "select id, run_id, unit, what, reason, raw, raw_cut, file_key, stores, question, answer, state,
       created_at,
       settled_at, settled_by from connector_letters";

/// A dead letter to insert.
pub(super) struct NewDeadLetter<'a> {
    pub connector: &'a str,
    pub run: &'a str,
    pub unit: &'a str,
    pub what: &'a str,
    pub reason: &'a str,
    pub raw: &'a str,
    pub raw_cut: bool,
    pub file_key: Option<&'a str>,
    pub stores: &'a [String],
    /// What is asked about it, where a user can decide.
    pub question: Option<&'static str>,
    /// What was answered before.
    pub answer: Option<&'a str>,
}

/// Adds a dead letter; of each unit only the newest is open.
pub(super) async fn add_dead_letter(
    tx: &mut Tx<'_>,
    id: &str,
    new: &NewDeadLetter<'_>,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("delete from connector_letters where connector_id = $1 and unit = $2 and what = $3 and state = 'open'")
        .bind(new.connector)
        .bind(new.unit)
        .bind(new.what)
        .execute()
        .await?;
    tx.sql(
        "insert into connector_letters (id, connector_id, run_id, unit, what, reason, raw, raw_cut, file_key, stores,
           question, answer, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open', $13)",
    )
    .bind(id)
    .bind(new.connector)
    .bind(new.run)
    .bind(new.unit)
    .bind(new.what)
    .bind(new.reason)
    .bind(new.raw)
    .bind(new.raw_cut)
    .bind(new.file_key)
    .bind(Json(new.stores))
    .bind(new.question)
    .bind(new.answer)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// Closes the dead letters of a unit that was taken; returns the files stored for them.
pub(super) async fn settle_unit(
    tx: &mut Tx<'_>,
    connector: &str,
    unit: &str,
    what: &str,
) -> Result<Vec<String>, DbError> {
    let at = tx.actor().at;
    let rows: Vec<(Option<String>,)> = tx
        .sql(
            "update connector_letters set state = 'taken', settled_at = $1
             where connector_id = $2 and unit = $3 and what = $4 and state = 'open' returning file_key",
        )
        .bind(at)
        .bind(connector)
        .bind(unit)
        .bind(what)
        .all()
        .await?;
    Ok(rows.into_iter().filter_map(|(key,)| key).collect())
}

/// Discards a dead letter; `false` if it was not open.
pub(super) async fn discard(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let actor = tx.actor().clone();
    let rows = tx
        .sql(
            "update connector_letters set state = 'discarded', settled_at = $1, settled_by = $2
             where id = $3 and state = 'open'",
        )
        .bind(actor.at)
        .bind(Json(Editor::from(&actor)))
        .bind(id)
        .execute()
        .await?;
    Ok(rows == 1)
}

fn of_connector<'q>(query: larder_db::Query<'q>, connector: &str, all: bool) -> larder_db::Query<'q> {
    let query = query.push(" where connector_id = ").push_bind(connector.to_owned());
    if all { query } else { query.push(" and state = 'open'") }
}

/// Dead letters, newest first, and their total.
pub(super) async fn dead_letters(
    db: &Db,
    connector: &str,
    all: bool,
    (limit, offset): (i64, i64),
) -> Result<(Vec<KeptDeadLetter>, i64), DbError> {
    let total =
        of_connector(db.sql("select cast(count(*) as bigint) from connector_letters"), connector, all);
    let total = total.scalar().await?;
    let items = of_connector(db.sql(DEAD_LETTER), connector, all)
        .push(" order by id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

pub(super) async fn dead_letter(
    db: &Db,
    connector: &str,
    id: &str,
) -> Result<Option<KeptDeadLetter>, DbError> {
    db.sql(DEAD_LETTER)
        .push(" where connector_id = ")
        .push_bind(connector)
        .push(" and id = ")
        .push_bind(id)
        .optional()
        .await
}

/// Claims a delivery id; `None` if it is new, else the run that took it and a hash of its content.
pub(super) async fn delivered(
    tx: &mut Tx<'_>,
    connector: &str,
    delivery: &str,
) -> Result<Option<(String, String)>, DbError> {
    tx.sql("select run_id, sha256 from connector_deliveries where connector_id = $1 and delivery_id = $2")
        .bind(connector)
        .bind(delivery)
        .optional()
        .await
}

pub(super) async fn insert_delivery(
    tx: &mut Tx<'_>,
    connector: &str,
    delivery: &str,
    sha256: &str,
    run: &str,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into connector_deliveries (connector_id, delivery_id, sha256, run_id, received_at)
         values ($1, $2, $3, $4, $5)",
    )
    .bind(connector)
    .bind(delivery)
    .bind(sha256)
    .bind(run)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

/// How a file was last seen: size, modification time, and since when it has been so.
pub(super) async fn file_seen(
    tx: &mut Tx<'_>,
    connector: &str,
    name: &str,
    size: i64,
    modified: i64,
) -> Result<Timestamp, DbError> {
    let at = tx.actor().at;
    let rows: Vec<(Timestamp,)> = tx
        .sql(
            "insert into connector_files (connector_id, name, size, modified_at, seen_at) values ($1, $2, $3, $4, $5)
             on conflict (connector_id, name) do update set
               seen_at = case when connector_files.size = excluded.size and connector_files.modified_at = excluded.modified_at
                 then connector_files.seen_at else excluded.seen_at end,
               size = excluded.size, modified_at = excluded.modified_at
             returning seen_at",
        )
        .bind(connector)
        .bind(name)
        .bind(size)
        .bind(modified)
        .bind(at)
        .all()
        .await?;
    Ok(rows.first().map_or(at, |row| row.0))
}

/// A file was removed from its folder.
pub(super) async fn file_taken(tx: &mut Tx<'_>, connector: &str, name: &str) -> Result<(), DbError> {
    tx.sql("delete from connector_files where connector_id = $1 and name = $2")
        .bind(connector)
        .bind(name)
        .execute()
        .await?;
    Ok(())
}
