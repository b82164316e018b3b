//! Forecast runs.

use larder_db::{Db, DbError, Tx};
use larder_domain::BusinessDay;

use super::VERSION;

/// A run with stored series.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct ForecastRun {
    pub run_id: String,
    pub service: String,
    /// The requested method.
    pub method: String,
    /// Version of the methods, to tell results of different ones apart.
    pub version: String,
    /// The day it was started.
    pub made_on: BusinessDay,
    pub history_from: BusinessDay,
    /// The first forecast day.
    pub first_day: BusinessDay,
    /// Forecast horizon in days.
    pub horizon: i64,
    pub level: f64,
    /// Whether it covers all stores and items.
    pub whole: bool,
    pub finished: bool,
}

const RUN: &str = "select run_id, service, method, version, made_on, history_from, first_day, horizon, level, whole, \
     finished from forecast_runs";

/// Inserts a run unless it exists.
pub async fn begin(tx: &mut Tx<'_>, run: &ForecastRun) -> Result<(), DbError> {
    tx.sql(
        "insert into forecast_runs (run_id, service, method, version, made_on, history_from, first_day, horizon, level,
           whole, finished)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (run_id) do nothing",
    )
    .bind(&run.run_id)
    .bind(&run.service)
    .bind(&run.method)
    .bind(VERSION)
    .bind(run.made_on)
    .bind(run.history_from)
    .bind(run.first_day)
    .bind(run.horizon)
    .bind(run.level)
    .bind(run.whole)
    .bind(false)
    .execute()
    .await?;
    Ok(())
}

/// Marks a run as complete.
pub async fn finish(tx: &mut Tx<'_>, run_id: &str) -> Result<(), DbError> {
    tx.sql("update forecast_runs set finished = $1 where run_id = $2")
        .bind(true)
        .bind(run_id)
        .execute()
        .await?;
    Ok(())
}

/// A run by its id.
pub async fn find(db: &Db, run_id: &str) -> Result<Option<ForecastRun>, DbError> {
    db.sql(RUN).push(" where run_id = ").push_bind(run_id).optional().await
}

/// The newest complete run of a service over all stores and items, the input of plans.
///
/// # Errors
/// If the database fails.
pub async fn latest(db: &Db, service: &str) -> Result<Option<ForecastRun>, DbError> {
    db.sql(RUN)
        .push(" where service = $1 and finished = $2 and whole = $3 order by first_day desc, run_id desc limit 1")
        .bind(service)
        .bind(true)
        .bind(true)
        .optional()
        .await
}

/// Deletes runs older than 60 days except those of Mondays, and unfinished runs of that age. Returns their
/// number.
pub async fn prune(tx: &mut Tx<'_>, today: BusinessDay, at_once: i64) -> Result<usize, DbError> {
    // 1970-01-05 was a Monday: day 4.
    let old: Vec<(String,)> = tx
        .sql(
            "select run_id from forecast_runs where made_on < $1 and ((made_on - 4) % 7 <> 0 or finished = $2)
             order by made_on limit $3",
        )
        .bind(today.plus(-KEPT_DAYS))
        .bind(false)
        .bind(at_once)
        .all()
        .await?;
    let old: Vec<String> = old.into_iter().map(|row| row.0).collect();
    for text in ["delete from forecast_series where run_id in ", "delete from forecast_runs where run_id in "]
    {
        tx.sql(text).push_ids(&old).execute().await?;
    }
    Ok(old.len())
}

/// Days every run is kept.
pub const KEPT_DAYS: i32 = 60;
