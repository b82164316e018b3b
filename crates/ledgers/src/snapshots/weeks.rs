//! Snapshot weeks: when they were made, and who froze them.

use std::collections::HashMap;

use larder_db::{Change, ChangeAction, Db, DbError, Json, Reader, Tx};
use larder_domain::{BusinessDay, Span, StoreScope, Timestamp, Worth};
use serde_json::{Value, json};

use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// Entity type of a week.
pub const KIND: &str = "snapshotWeek";

/// A week that was made.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Week {
    pub week: BusinessDay,
    /// When its figures were last computed.
    pub made_at: Timestamp,
    pub made_by: Json<Editor>,
    /// When they were last compared with current figures.
    pub compared_at: Option<Timestamp>,
    pub frozen_at: Option<Timestamp>,
    pub frozen_by: Option<Json<Editor>>,
    /// Number of changes.
    pub revision: i64,
}

const SELECT: &str = "select week, made_at, made_by, compared_at, frozen_at, frozen_by, revision from snapshot_weeks where week";

/// The weeks that were made, with Mondays in a range, by Monday.
///
/// # Errors
/// If the database fails.
pub async fn weeks(
    db: &Db,
    (first, last): (BusinessDay, BusinessDay),
) -> Result<HashMap<BusinessDay, Week>, DbError> {
    let query = db.sql(SELECT).push(" between ").push_bind(first).push(" and ").push_bind(last);
    let weeks: Vec<Week> = query.all().await?;
    Ok(weeks.into_iter().map(|week| (week.week, week)).collect())
}

/// A week, if a snapshot was made.
///
/// # Errors
/// If the database fails.
pub async fn week(db: &Db, week: BusinessDay) -> Result<Option<Week>, DbError> {
    db.sql(SELECT).push(" = ").push_bind(week).optional().await
}

async fn week_in(tx: &mut Tx<'_>, week: BusinessDay) -> Result<Option<Week>, DbError> {
    tx.sql(SELECT).push(" = ").push_bind(week).optional().await
}

/// The newest frozen week, and whether this one is frozen.
///
/// # Errors
/// If the database fails.
pub(crate) async fn frozen(
    tx: &mut Tx<'_>,
    week: BusinessDay,
) -> Result<(Option<BusinessDay>, bool), DbError> {
    let (newest, this): (Option<BusinessDay>, i64) = tx
        .sql(
            "select max(week) as newest, cast(coalesce(max(case when week = $1 then 1 else 0 end), 0) as bigint) as this \
             from snapshot_weeks where frozen_at is not null",
        )
        .bind(week)
        .one()
        .await?;
    Ok((newest, this == 1))
}

/// The frozen weeks, newest first.
///
/// # Errors
/// If the database fails.
pub(crate) async fn all_frozen(tx: &mut Tx<'_>) -> Result<Vec<BusinessDay>, DbError> {
    let query = "select week from snapshot_weeks where frozen_at is not null order by week desc limit 20000";
    let weeks: Vec<(BusinessDay,)> = tx.sql(query).all().await?;
    Ok(weeks.into_iter().map(|(week,)| week).collect())
}

/// The last day of the newest frozen week.
///
/// # Errors
/// If the database fails.
pub async fn frozen_until(on: &mut Reader<'_, '_>) -> Result<Option<BusinessDay>, DbError> {
    let query = "select max(week) from snapshot_weeks where frozen_at is not null";
    let newest: (Option<BusinessDay>,) = on.sql(query).one().await?;
    Ok(newest.0.map(|week| week.plus(6)))
}

/// The weeks that were made and overlap these days: their Mondays, oldest first, and whether each is frozen.
///
/// # Errors
/// If the database fails.
pub async fn made_in(tx: &mut Tx<'_>, days: Span) -> Result<Vec<(BusinessDay, bool)>, DbError> {
    let weeks: Vec<(BusinessDay, Option<Timestamp>)> = tx
        .sql("select week, frozen_at from snapshot_weeks where week between $1 and $2 order by week")
        .bind(days.from.plus(-6))
        .bind(days.to)
        .all()
        .await?;
    Ok(weeks.into_iter().map(|(week, frozen_at)| (week, frozen_at.is_some())).collect())
}

/// Totals of a week over the stores a user may see.
#[derive(Debug, Clone, Copy, Default)]
pub struct WeekSum {
    pub rows: i64,
    pub stores: i64,
    /// What the variances are worth; `None` if no root item with a price was counted.
    pub variance: Option<Worth>,
    /// Number of figures that differ from the previous or frozen ones.
    pub differences: i64,
}

/// Sums of a week; worths in two parts, as the sum of wholes may not fit.
#[derive(larder_db::FromRow)]
struct SumRow {
    week: BusinessDay,
    rows: i64,
    stores: i64,
    centavos: Option<i64>,
    millionths: Option<i64>,
}

/// Totals of weeks, by Monday, over the stores a user may see.
///
/// # Errors
/// If the database fails.
pub async fn sums(
    db: &Db,
    (first, last): (BusinessDay, BusinessDay),
    scope: &StoreScope,
) -> Result<HashMap<BusinessDay, WeekSum>, DbError> {
    let query = db.sql(
        "select week, cast(count(*) as bigint) as rows, cast(count(distinct store_id) as bigint) as stores, \
         cast(sum(variance_worth / 1000000) as bigint) as centavos, \
         cast(sum(variance_worth % 1000000) as bigint) as millionths from root_item_snapshots where week between ",
    );
    let query = within(query.push_bind(first).push(" and ").push_bind(last), scope);
    let rows: Vec<SumRow> = query.push(" group by week").all().await?;
    let mut sums: HashMap<BusinessDay, WeekSum> = rows
        .into_iter()
        .map(|SumRow { week, rows, stores, centavos, millionths }| {
            let variance = centavos.zip(millionths).map(|(whole, rest)| Worth::from_parts(whole, rest));
            (week, WeekSum { rows, stores, variance, differences: 0 })
        })
        .collect();
    let query = db.sql("select week, cast(count(*) as bigint) from snapshot_differences where week between ");
    let query = within(query.push_bind(first).push(" and ").push_bind(last), scope);
    let differences: Vec<(BusinessDay, i64)> = query.push(" group by week").all().await?;
    for (week, differences) in differences {
        sums.entry(week).or_default().differences = differences;
    }
    Ok(sums)
}

/// Limits to the stores a user may see.
pub(super) fn within<'a>(query: larder_db::Query<'a>, scope: &StoreScope) -> larder_db::Query<'a> {
    match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => query.push(" and store_id in ").push_ids(&ids.iter().collect::<Vec<_>>()),
    }
}

/// Marks a week as made now and locks it until the transaction ends; returns whether it is frozen.
pub(super) async fn begin(tx: &mut Tx<'_>, week: BusinessDay) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    let frozen: (Option<Timestamp>,) = tx
        .sql(
            "insert into snapshot_weeks (week, made_at, made_by, revision) values ($1, $2, $3, 1) \
             on conflict (week) do update set \
             made_at = case when snapshot_weeks.frozen_at is null then excluded.made_at else snapshot_weeks.made_at end, \
             made_by = case when snapshot_weeks.frozen_at is null then excluded.made_by else snapshot_weeks.made_by end, \
             compared_at = excluded.made_at returning frozen_at",
        )
        .bind(week)
        .bind(at)
        .bind(Json(by))
        .one()
        .await?;
    tx.announce(KIND, &week.to_string(), None);
    Ok(frozen.0.is_some())
}

/// Freezes a week: its rows no longer change.
///
/// # Errors
/// 404 if it was never made, 409 if it is frozen.
pub async fn freeze(tx: &mut Tx<'_>, week: BusinessDay) -> ApiResult<Week> {
    let before = found(tx, week).await?;
    if let Some(Json(by)) = &before.frozen_by {
        let words = format!("{} has frozen this week already.", by.name);
        return Err(ApiError::conflict("frozen", words));
    }
    let by = Editor::from(tx.actor());
    let at = tx.actor().at;
    tx.sql(
        "update snapshot_weeks set frozen_at = $1, frozen_by = $2, revision = revision + 1 \
         where week = $3 and frozen_at is null",
    )
    .bind(at)
    .bind(Json(by))
    .bind(week)
    .execute()
    .await?;
    // Freezing settles the differences found while it was open.
    tx.sql("delete from snapshot_differences where week = $1").bind(week).execute().await?;
    record(tx, week, json!({ "state": "open" }), json!({ "state": "frozen" })).await
}

/// Reopens a frozen week, so that it can be made again.
///
/// # Errors
/// 404 if it was never made, 409 if it is open.
pub async fn reopen(tx: &mut Tx<'_>, week: BusinessDay, reason: &str) -> ApiResult<Week> {
    let before = found(tx, week).await?;
    if before.frozen_at.is_none() {
        return Err(ApiError::conflict("open", "This week is open already."));
    }
    tx.sql(
        "update snapshot_weeks set frozen_at = null, frozen_by = null, revision = revision + 1 \
         where week = $1",
    )
    .bind(week)
    .execute()
    .await?;
    let after = json!({ "state": "open", "reason": reason });
    record(tx, week, json!({ "state": "frozen" }), after).await
}

async fn found(tx: &mut Tx<'_>, week: BusinessDay) -> ApiResult<Week> {
    week_in(tx, week).await?.ok_or_else(|| ApiError::not_found("snapshot of this week"))
}

async fn record(tx: &mut Tx<'_>, week: BusinessDay, before: Value, after: Value) -> ApiResult<Week> {
    tx.record(Change {
        kind: KIND,
        id: week.to_string(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(before),
        after: Some(after),
    })
    .await?;
    found(tx, week).await
}
