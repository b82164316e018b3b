//! Rows of files: planned and written.

use larder_db::{Db, DbError, Json, Query, Tx};
use serde_json::Value;

use super::super::model::{ImportChange, ImportOutcome, ImportProblem, ImportRow};
use super::super::plan::{Plan, Planned};

/// Adds rows; `first` is the sequence number of the first.
pub async fn insert(tx: &mut Tx<'_>, batch: &str, first: i64, rows: &[Planned]) -> Result<(), DbError> {
    let outcome = |outcome: ImportOutcome| match outcome {
        ImportOutcome::Created => "created",
        ImportOutcome::Updated => "updated",
        ImportOutcome::Unchanged => "unchanged",
        ImportOutcome::Failed => "failed",
    };
    let rows = rows.iter().zip(first..).map(|(row, seq)| {
        (
            batch,
            seq,
            i64::from(row.row),
            row.def.kind,
            outcome(row.outcome),
            if row.plan.is_some() { "planned" } else { "none" },
            row.record_id.as_deref(),
            row.plan.as_ref().map(Plan::revision),
            row.name.as_str(),
            row.plan.as_ref().map(Json),
            Json(&row.changes),
            Json(&row.problems),
            row.cells.as_ref().map(Json),
        )
    });
    let rows: Vec<_> = rows.collect();
    const COLUMNS: &[&str] = &[
        "batch_id",
        "seq",
        "row_no",
        "list",
        "outcome",
        "state",
        "record_id",
        "record_revision",
        "name",
        "plan",
        "changes",
        "problems",
        "cells",
    ];
    tx.insert_rows("import_rows", COLUMNS, rows, "").await?;
    Ok(())
}

/// Deletes the rows of an import.
pub async fn clear(tx: &mut Tx<'_>, batch: &str) -> Result<(), DbError> {
    tx.sql("delete from import_rows where batch_id = $1").bind(batch).execute().await?;
    Ok(())
}

/// A page of rows in file order, and their total number.
pub async fn page(
    db: &Db,
    batch: &str,
    outcome: Option<ImportOutcome>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<ImportRow>, i64), DbError> {
    let total =
        of_file(db.sql("select cast(count(*) as bigint) from import_rows where batch_id = "), batch, outcome)
            .scalar()
            .await?;
    let query = db.sql(
        "select row_no, outcome, record_id, name, changes, problems, note from import_rows where batch_id = ",
    );
    let items = of_file(query, batch, outcome)
        .push(" order by row_no, seq limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

fn of_file<'q>(query: Query<'q>, batch: &str, outcome: Option<ImportOutcome>) -> Query<'q> {
    let query = query.push_bind(batch).push(" and row_no > 0");
    match outcome {
        Some(outcome) => query.push(" and outcome = ").push_bind(outcome),
        None => query,
    }
}

/// A failed row as uploaded.
#[derive(sqlx::FromRow)]
pub struct FailedRow {
    pub row_no: i64,
    pub cells: Option<Json<Vec<String>>>,
    pub problems: Json<Vec<ImportProblem>>,
}

/// Failed rows after a given row.
pub async fn failed(db: &Db, batch: &str, after: i64, limit: i64) -> Result<Vec<FailedRow>, DbError> {
    db.sql(
        "select row_no, cells, problems from import_rows
         where batch_id = $1 and outcome = 'failed' and row_no > $2 order by row_no limit $3",
    )
    .bind(batch)
    .bind(after)
    .bind(limit)
    .all()
    .await
}

/// Number of rows by effect.
pub async fn counts(tx: &mut Tx<'_>, batch: &str) -> Result<Vec<(ImportOutcome, i64)>, DbError> {
    tx.sql(
        "select outcome, cast(count(*) as bigint) from import_rows where batch_id = $1 and row_no > 0
         group by outcome",
    )
    .bind(batch)
    .all()
    .await
}

/// Number of rows, and records created for them, in a state.
pub(crate) async fn count_in(db: &Db, batch: &str, state: &str) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from import_rows where batch_id = $1 and state = $2")
        .bind(batch)
        .bind(state)
        .scalar()
        .await
}

/// Whether any row was written.
pub(crate) async fn any_done(tx: &mut Tx<'_>, batch: &str) -> Result<bool, DbError> {
    let row: Option<(i64,)> = tx
        .sql("select seq from import_rows where batch_id = $1 and state = 'done' limit 1")
        .bind(batch)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// A row and its planned write.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct PlannedRow {
    pub seq: i64,
    pub list: String,
    pub record_id: Option<String>,
    pub record_revision: Option<i64>,
    pub plan: Option<Json<Plan>>,
}

/// The next rows to write, in order.
pub async fn planned(db: &Db, batch: &str, limit: i64) -> Result<Vec<PlannedRow>, DbError> {
    db.sql(
        "select seq, list, record_id, record_revision, plan from import_rows
         where batch_id = $1 and state = 'planned' order by seq limit $2",
    )
    .bind(batch)
    .bind(limit)
    .all()
    .await
}

/// The next rows to undo, last written first.
pub async fn written(db: &Db, batch: &str, limit: i64) -> Result<Vec<PlannedRow>, DbError> {
    db.sql(
        "select seq, list, record_id, record_revision, plan from import_rows
         where batch_id = $1 and state = 'done' order by seq desc limit $2",
    )
    .bind(batch)
    .bind(limit)
    .all()
    .await
}

/// Marks planned rows as written.
pub(crate) async fn set_done(tx: &mut Tx<'_>, batch: &str, first: i64, last: i64) -> Result<(), DbError> {
    tx.sql(
        "update import_rows set state = 'done'
         where batch_id = $1 and seq between $2 and $3 and state = 'planned'",
    )
    .bind(batch)
    .bind(first)
    .bind(last)
    .execute()
    .await?;
    Ok(())
}

/// Records that a record's revision differs from the planned one.
pub(crate) async fn set_revision(
    tx: &mut Tx<'_>,
    batch: &str,
    seq: i64,
    revision: i64,
) -> Result<(), DbError> {
    tx.sql("update import_rows set record_revision = $1 where batch_id = $2 and seq = $3")
        .bind(revision)
        .bind(batch)
        .bind(seq)
        .execute()
        .await?;
    Ok(())
}

/// Marks a row as failed.
pub(crate) async fn set_failed(
    tx: &mut Tx<'_>,
    batch: &str,
    seq: i64,
    problems: &[ImportProblem],
) -> Result<(), DbError> {
    let nothing: &[ImportChange] = &[];
    tx.sql(
        "update import_rows set state = 'none', outcome = 'failed', problems = $1, changes = $2
         where batch_id = $3 and seq = $4",
    )
    .bind(Json(problems))
    .bind(Json(nothing))
    .bind(batch)
    .bind(seq)
    .execute()
    .await?;
    Ok(())
}

/// Marks a row as undone, or records why not.
pub(crate) async fn set_undone(
    tx: &mut Tx<'_>,
    batch: &str,
    seq: i64,
    kept: Option<&str>,
) -> Result<(), DbError> {
    tx.sql("update import_rows set state = $1, note = $2 where batch_id = $3 and seq = $4")
        .bind(if kept.is_some() { "kept" } else { "undone" })
        .bind(kept)
        .bind(batch)
        .bind(seq)
        .execute()
        .await?;
    Ok(())
}

/// The record's `revision` field.
#[must_use]
pub fn revision_of(record: &Value) -> i64 {
    record.get("revision").and_then(Value::as_i64).unwrap_or(0)
}
