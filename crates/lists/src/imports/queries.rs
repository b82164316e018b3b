//! Queries of the engine on the tables of an import.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Query, Tx};
use serde::Serialize;
use serde_json::{Value, json};

use super::files::NewFile;
use super::{Batch, Import, Remembers, State, Step};
use larder_platform::audit::Editor;
use larder_platform::http::Who;

/// A batch a user may see; any for a job.
pub(super) async fn find<I: Import>(
    db: &Db,
    who: Option<&Who>,
    id: &str,
) -> Result<Option<I::Batch>, DbError> {
    let query = with_id::<I>(db.sql("select "), id);
    match who {
        Some(who) => I::visible(query, who).optional().await,
        None => query.optional().await,
    }
}

/// A batch a user may see, read in the transaction.
pub(super) async fn find_in<I: Import>(
    tx: &mut Tx<'_>,
    who: &Who,
    id: &str,
) -> Result<Option<I::Batch>, DbError> {
    I::visible(with_id::<I>(tx.sql("select "), id), who).optional().await
}

fn with_id<'q, I: Import>(query: Query<'q>, id: &str) -> Query<'q> {
    batches::<I>(query).push(" where b.id = ").push_bind(id)
}

/// If a job failed or was cancelled before it started, its batch is still mid-step: the job's end decides the
/// state.
fn batches<I: Import>(query: Query<'_>) -> Query<'_> {
    query
        .push(
            "b.id, b.file_name, b.file_key, b.size, b.layout, b.mapping, b.summary, b.job_id, b.created_at,",
        )
        .push(" b.created_by, b.revision, coalesce(b.error, j.error) as error,")
        .push(" case when j.state in ('failed', 'cancelled') and b.state in ")
        .push_in(I::State::RUNNING.iter().copied())
        .push(" then 'failed' else b.state end as state")
        .push(I::COLUMNS)
        .push(" from ")
        .push(I::TABLE)
        .push(" b left join jobs j on j.id = b.job_id")
}

/// A page of the batches a user may see, newest first, and their total.
pub(super) async fn list<I: Import>(
    db: &Db,
    who: &Who,
    limit: i64,
    offset: i64,
) -> Result<(Vec<I::Batch>, i64), DbError> {
    let total = db.sql("select cast(count(*) as bigint) from ").push(I::TABLE).push(" b where 1 = 1");
    let total = I::visible(total, who).scalar().await?;
    let items = I::visible(batches::<I>(db.sql("select ")).push(" where 1 = 1"), who)
        .push(" order by b.created_at desc, b.id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

pub(super) async fn insert<I: Import>(
    tx: &mut Tx<'_>,
    file: &NewFile,
    layout: &(impl Serialize + Sync),
    mapping: Option<&I::Mapping>,
    new: &I::New,
) -> Result<(), DbError> {
    let (actor, by) = (tx.actor(), author(tx));
    let query = tx
        .sql("insert into ")
        .push(I::TABLE)
        .push(" (id, file_name, file_key, size, state, layout, mapping, revision, created_at, created_by,")
        .push(" created_by_uid")
        .push(I::NEW_COLUMNS)
        .push(") values ($1, $2, $3, $4, 'uploaded', $5, $6, 1, $7, $8, $9")
        .bind(&file.id)
        .bind(&file.name)
        .bind(&file.key)
        .bind(file.size)
        .bind(Json(layout))
        .bind(mapping.map(Json))
        .bind(actor.at)
        .bind(by)
        .bind(&actor.uid);
    I::bind_new(query, new).push(")").execute().await?;
    let mut after = I::new_in_trail(new);
    after.extend([
        ("fileName".to_owned(), json!(file.name)),
        ("size".to_owned(), json!(file.size)),
        ("state".to_owned(), json!("uploaded")),
    ]);
    record::<I>(tx, &file.id, ChangeAction::Created, None, Some(after.into())).await
}

/// Advances a batch if it is unchanged and in a state where the step begins.
pub(super) async fn take<I: Import>(
    tx: &mut Tx<'_>,
    seen: &I::Batch,
    step: &Step<I::State>,
    job_id: &str,
) -> Result<bool, DbError> {
    let query = tx
        .sql("update ")
        .push(I::TABLE)
        .push(" set state = $1, job_id = $2, error = null, revision = revision + 1")
        .push(" where id = $3 and revision = $4 and ")
        .bind(step.running)
        .bind(job_id)
        .bind(seen.id())
        .bind(seen.revision());
    if stands::<I>(query, step.from).execute().await? == 0 {
        return Ok(false);
    }
    let (before, after) = (json!({ "state": seen.state() }), json!({ "state": step.running }));
    record::<I>(tx, seen.id(), ChangeAction::Updated, Some(before), Some(after)).await?;
    Ok(true)
}

/// Appends the condition that a batch is in one of these states, as [`batches`] computes them.
fn stands<'q, I: Import>(query: Query<'q>, from: &[I::State]) -> Query<'q> {
    let query = query.push("(state in ").push_in(from.iter().copied());
    if !from.contains(&I::State::FAILED) {
        return query.push(")");
    }
    query
        .push(" or state in ")
        .push_in(I::State::RUNNING.iter().copied())
        .push(" and exists (select 1 from jobs j where j.state in ('failed', 'cancelled') and j.id = ")
        .push(I::TABLE)
        .push(".job_id))")
}

/// The result of a step.
pub(super) struct End<'a, I: Import> {
    pub to: I::State,
    pub error: Option<&'a str>,
    pub summary: Option<&'a I::Summary>,
    /// The column for the time.
    pub done_at: Option<&'static str>,
}

/// Stores the result of a job's step; `false` if the batch went on without that job.
///
/// A job restarted just after it stored its result stores it again.
pub(super) async fn end<I: Import>(
    tx: &mut Tx<'_>,
    id: &str,
    job_id: &str,
    running: I::State,
    end: &End<'_, I>,
) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let mut query = tx
        .sql("update ")
        .push(I::TABLE)
        .push(" set state = $1, error = $2, summary = coalesce($3, summary), revision = revision + 1")
        .bind(end.to)
        .bind(end.error)
        .bind(end.summary.map(Json));
    if let Some(column) = end.done_at {
        query = query.push(", ").push(column).push(" = ").push_bind(at);
    }
    let query = query.push(" where id = ").push_bind(id).push(" and job_id = ").push_bind(job_id);
    let ended = query.push(" and state in ").push_in([running, end.to, I::State::FAILED]).execute().await?;
    if ended == 0 {
        return Ok(false);
    }
    let after = json!({ "state": end.to, "error": end.error });
    record::<I>(tx, id, ChangeAction::Updated, None, Some(after)).await?;
    Ok(true)
}

/// Stores a file's mapping and clears the summary of the previous one.
pub async fn set_mapping<I: Import>(
    tx: &mut Tx<'_>,
    id: &str,
    layout: &(impl Serialize + Sync),
    mapping: &I::Mapping,
) -> Result<(), DbError> {
    tx.sql("update ")
        .push(I::TABLE)
        .push(" set layout = $1, mapping = $2, summary = null where id = $3")
        .bind(Json(layout))
        .bind(Json(mapping))
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Stores a file's current totals.
pub async fn set_summary<I: Import>(tx: &mut Tx<'_>, id: &str, summary: &I::Summary) -> Result<(), DbError> {
    let query = tx.sql("update ").push(I::TABLE).push(" set summary = ").push_bind(Json(summary));
    query.push(" where id = ").push_bind(id).execute().await?;
    Ok(())
}

/// Remembers the mapping of a file with these columns.
pub async fn remember<I: Remembers>(
    tx: &mut Tx<'_>,
    fingerprint: &str,
    batch: &I::Batch,
    mapping: &I::Mapping,
) -> Result<(), DbError> {
    let (at, by) = (tx.actor().at, author(tx));
    tx.sql("insert into ")
        .push(I::MEMORY)
        .push(" (fingerprint, mapping, batch_id, file_name, updated_at, updated_by)")
        .push(" values ($1, $2, $3, $4, $5, $6) on conflict (fingerprint) do update")
        .push(
            " set mapping = excluded.mapping, batch_id = excluded.batch_id, file_name = excluded.file_name,",
        )
        .push(" updated_at = excluded.updated_at, updated_by = excluded.updated_by")
        .bind(fingerprint)
        .bind(Json(mapping))
        .bind(batch.id())
        .bind(batch.file_name())
        .bind(at)
        .bind(by)
        .execute()
        .await?;
    Ok(())
}

/// Deletes a batch as it was seen, with its rows; `false` if it changed meanwhile.
pub(super) async fn delete<I: Import>(tx: &mut Tx<'_>, seen: &I::Batch) -> Result<bool, DbError> {
    for table in I::ROWS {
        tx.sql("delete from ").push(table).push(" where batch_id = ").push_bind(seen.id()).execute().await?;
    }
    let query = tx.sql("delete from ").push(I::TABLE).push(" where id = ").push_bind(seen.id());
    let query = query.push(" and revision = ").push_bind(seen.revision()).push(" and ");
    if stands::<I>(query, I::REMOVABLE).execute().await? == 0 {
        return Ok(false);
    }
    let before = json!({ "fileName": seen.file_name() });
    record::<I>(tx, seen.id(), ChangeAction::Deleted, Some(before), None).await?;
    Ok(true)
}

/// Accounts that products refer to.
pub(super) async fn used_accounts(db: &Db) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select inventory_asset_account_id from products where inventory_asset_account_id is not null
             union select expense_account_id from products where expense_account_id is not null",
        )
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The author, as stored in a JSON column.
pub(super) fn author(tx: &Tx<'_>) -> Json<Editor> {
    Json(Editor::from(tx.actor()))
}

/// Records a change of a batch in the audit trail.
pub async fn record<I: Import>(
    tx: &mut Tx<'_>,
    id: &str,
    action: ChangeAction,
    before: Option<Value>,
    after: Option<Value>,
) -> Result<(), DbError> {
    tx.record(Change { kind: I::KIND, id: id.to_owned(), store_id: None, action, before, after }).await
}
