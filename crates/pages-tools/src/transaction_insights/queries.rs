//! Cached results.

use std::collections::BTreeMap;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};

use super::model::Insights;
use larder_platform::jobs::JobState;
use larder_platform::jobs::queries::Owner;

/// A query's parameters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InsightsRequest {
    /// Query parameters by name.
    pub asked: BTreeMap<String, String>,
    pub from: BusinessDay,
    pub to: BusinessDay,
}

/// A cached result, or the progress of its job.
#[derive(Debug, larder_db::FromRow)]
pub struct Kept {
    pub answer: Option<Json<Insights>>,
    pub made_at: Option<Timestamp>,
    pub job_id: String,
    pub owner: Json<Owner>,
    pub state: JobState,
    pub done: i64,
    pub total: i64,
    pub message: String,
    pub error: Option<String>,
}

impl Kept {
    /// Whether a job is running.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.state, JobState::Queued | JobState::Running)
    }
}

const KEPT: &str =
    "select a.answer, a.made_at, a.job_id, j.actor as owner, j.state, j.done, j.total, j.message, j.error
     from insight_answers a join jobs j on j.id = a.job_id where a.answer_key = $1";

pub(crate) async fn kept(db: &Db, key: &str) -> Result<Option<Kept>, DbError> {
    db.sql(KEPT).bind(key).optional().await
}

pub(crate) async fn kept_in(tx: &mut Tx<'_>, key: &str) -> Result<Option<Kept>, DbError> {
    tx.sql(KEPT).bind(key).optional().await
}

/// A listed query.
#[derive(Debug, larder_db::FromRow)]
pub struct Listed {
    pub asked: Json<InsightsRequest>,
    pub asked_at: Timestamp,
    pub made_at: Option<Timestamp>,
    pub state: JobState,
}

/// A user's queries, newest first.
pub(crate) async fn of_person(db: &Db, uid: &str, since: Timestamp) -> Result<Vec<Listed>, DbError> {
    db.sql(
        "select a.asked, a.asked_at, a.made_at, j.state from insight_answers a join jobs j on j.id = a.job_id
         where a.asked_by = $1 and a.asked_at >= $2 order by a.asked_at desc limit 20",
    )
    .bind(uid)
    .bind(since)
    .all()
    .await
}

/// Records that a job started; an older result stays until the new one is available.
pub async fn begin(tx: &mut Tx<'_>, key: &str, job_id: &str, asked: InsightsRequest) -> Result<(), DbError> {
    let (at, by) = (tx.actor().at, tx.actor().uid.clone());
    tx.sql(
        "insert into insight_answers (answer_key, job_id, asked, asked_at, asked_by) values ($1, $2, $3, $4, $5)
         on conflict (answer_key) do update set job_id = excluded.job_id, asked = excluded.asked,
           asked_at = excluded.asked_at, asked_by = excluded.asked_by",
    )
    .bind(key)
    .bind(job_id)
    .bind(Json(asked))
    .bind(at)
    .bind(by)
    .execute()
    .await?;
    Ok(())
}

/// Saves the result, dated by when reading started.
pub async fn put(
    tx: &mut Tx<'_>,
    key: &str,
    answer: Json<Insights>,
    made_at: Timestamp,
) -> Result<(), DbError> {
    tx.sql("update insight_answers set answer = $1, made_at = $2 where answer_key = $3")
        .bind(answer)
        .bind(made_at)
        .bind(key)
        .execute()
        .await?;
    Ok(())
}

/// Deletes queries older than `before`.
pub(crate) async fn prune(tx: &mut Tx<'_>, before: Timestamp) -> Result<(), DbError> {
    tx.sql("delete from insight_answers where asked_at < $1").bind(before).execute().await?;
    Ok(())
}
