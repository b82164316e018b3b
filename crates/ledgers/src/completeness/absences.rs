//! Records that a till has no reading of a day and never will. The only writer of `z_absences`.

use larder_db::{Change, ChangeAction, DbError, Json, Tx};
use larder_domain::{BusinessDay, Span, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{Completeness, TillState};
use crate::certified_months::refuse_locked;
use larder_platform::audit::Editor;
use larder_platform::http::text::{has_unseen, said};
use larder_platform::http::{ApiError, ApiResult};

/// Entity type in events and history.
pub const KIND: &str = "zAbsence";
/// The longest reason, in characters.
const MAX_REASON: usize = 200;

/// The record that a till has no reading of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ZAbsence)]
pub struct Absence {
    pub reason: String,
    pub by: Editor,
    pub at: Timestamp,
}

/// A till's day.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub store_id: &'a str,
    pub day: BusinessDay,
    /// Empty if no till of the store is known.
    pub terminal_id: &'a str,
}

const ONE: &str = " where store_id = $1 and business_date = $2 and terminal_id = $3";

/// Records that a till has no reading, or why, anew.
///
/// # Errors
/// 422 without a reason, and for a till that lacks no reading on the day; 409 in a certified month.
pub async fn record(tx: &mut Tx<'_>, at: At<'_>, reason: Option<&str>) -> ApiResult<()> {
    let reason = said(reason).ok_or_else(|| ApiError::field("reason", "Say why."))?;
    if reason.chars().count() > MAX_REASON || has_unseen(reason) {
        return Err(ApiError::field("reason", "Enter at most 200 visible characters."));
    }
    refuse_locked(tx, at.store_id, at.day).await?;
    let before = find(tx, at).await?;
    check_missing(tx, at).await?;
    let by = Json(Editor::from(tx.actor()));
    let now = tx.actor().at;
    tx.sql(
        "insert into z_absences (store_id, business_date, terminal_id, reason, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (store_id, business_date, terminal_id) do update set reason = excluded.reason,
           created_at = excluded.created_at, created_by = excluded.created_by",
    )
    .bind(at.store_id)
    .bind(at.day)
    .bind(at.terminal_id)
    .bind(reason)
    .bind(now)
    .bind(by)
    .execute()
    .await?;
    let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
    log(tx, at, action, (before.map(|reason| snapshot(at, &reason)), Some(snapshot(at, reason)))).await
}

/// Removes the record.
///
/// # Errors
/// 404 if there is none, 409 in a certified month.
pub async fn remove(tx: &mut Tx<'_>, at: At<'_>) -> ApiResult<()> {
    refuse_locked(tx, at.store_id, at.day).await?;
    let before = find(tx, at).await?.ok_or_else(|| ApiError::not_found("record"))?;
    let query = tx.sql("delete from z_absences").push(ONE);
    query.bind(at.store_id).bind(at.day).bind(at.terminal_id).execute().await?;
    log(tx, at, ChangeAction::Deleted, (Some(snapshot(at, &before)), None)).await
}

async fn find(tx: &mut Tx<'_>, at: At<'_>) -> Result<Option<String>, DbError> {
    let query = tx.sql("select reason from z_absences").push(ONE);
    let found: Option<(String,)> =
        query.bind(at.store_id).bind(at.day).bind(at.terminal_id).optional().await?;
    Ok(found.map(|(reason,)| reason))
}

async fn check_missing(tx: &mut Tx<'_>, at: At<'_>) -> ApiResult<()> {
    let today = BusinessDay::of(tx.actor().at);
    let span = Span { from: at.day, to: at.day };
    let known = Completeness::read_in(tx, &[at.store_id.to_owned()], span, today).await?;
    let till = known.day(at.store_id, at.day).tills.iter().find(|till| *till.terminal_id == *at.terminal_id);
    let words = match till {
        Some(till) if till.absence.is_some() || till.state == TillState::Missing => return Ok(()),
        Some(_) => "This till has a Z-reading on this day.",
        None => "This till needs no Z-reading on this day.",
    };
    Err(ApiError::field("terminalId", words))
}

fn snapshot(at: At<'_>, reason: &str) -> Value {
    json!({ "date": at.day, "terminalId": at.terminal_id, "reason": reason })
}

async fn log(
    tx: &mut Tx<'_>,
    at: At<'_>,
    action: ChangeAction,
    (before, after): (Option<Value>, Option<Value>),
) -> ApiResult<()> {
    let change = Change {
        kind: KIND,
        id: format!("{}_{}_{}", at.store_id, at.day, at.terminal_id),
        store_id: Some(at.store_id.to_owned()),
        action,
        before,
        after,
    };
    Ok(tx.record(change).await?)
}
