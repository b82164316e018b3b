//! Weeks and actions on them.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::{BusinessDay, StoreScope};

use super::calculation::WeeklySnapshot;
use super::model::{
    DifferencesQuery, ReopenWeek, SnapshotDifference, SnapshotDifferences, SnapshotWeek, SnapshotWeeks,
    WeeksQuery,
};
use larder_ledgers::{snapshots, store_items};
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::calculations::{Ask, Calculation as _, Run, RunState};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 500;

/// The weeks of a year: which have a snapshot, are frozen, or differ from their frozen figures.
#[utoipa::path(get, path = "/api/tools/root-item-weekly-snapshot/weeks", tag = "weekly snapshots", params(WeeksQuery),
    responses((status = 200, body = SnapshotWeeks)))]
pub(crate) async fn list_snapshot_weeks(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<WeeksQuery>,
) -> ApiResult<Json<SnapshotWeeks>> {
    let today = BusinessDay::of(who.at);
    let year = query.year.unwrap_or_else(|| i32::from(today.week().iso_week().0));
    let first =
        first_week(year).ok_or_else(|| ApiError::field("year", "Choose a year between 1900 and 2200."))?;
    let last = first_week(year + 1).map_or(first, |next| next.plus(-7)).min(today.week());
    let mut weeks = snapshots::weeks(&state.db, (first, last)).await?;
    let mut sums = snapshots::sums(&state.db, (first, last), &who.scope).await?;
    let mut items = Vec::new();
    let mut monday = last;
    while monday >= first {
        items.push(SnapshotWeek::of(monday, today, weeks.remove(&monday), sums.remove(&monday)));
        monday = monday.plus(-7);
    }
    Ok(Json(SnapshotWeeks { year, items }))
}

/// The Monday of a year's first week, the one containing January 4.
fn first_week(year: i32) -> Option<BusinessDay> {
    if !(1900..=2201).contains(&year) {
        return None;
    }
    Some(BusinessDay::from_ymd(i16::try_from(year).ok()?, 1, 4)?.week())
}

/// Create or recalculate a week. A frozen week keeps its figures; changes are returned as differences.
#[utoipa::path(post, path = "/api/tools/root-item-weekly-snapshot/weeks/{week}/make", tag = "weekly snapshots",
    params(("week" = String, Path)), responses((status = 202, body = Run)))]
pub(crate) async fn make_snapshot_week(
    State(state): State<AppState>,
    who: Who,
    Path(week): Path<String>,
) -> ApiResult<(StatusCode, Json<Run>)> {
    let monday = monday(&week)?;
    let day = |day: BusinessDay| Some(day.to_string());
    let ask = Ask { from: day(monday), to: day(monday.plus(6)), ..Ask::default() };
    let run = calculations::start(&state, &who, WeeklySnapshot::NAME, ask).await?;
    Ok((StatusCode::ACCEPTED, Json(run)))
}

/// Freeze a week: its figures become final.
#[utoipa::path(post, path = "/api/tools/root-item-weekly-snapshot/weeks/{week}/freeze", tag = "weekly snapshots",
    params(("week" = String, Path)), responses((status = 200, body = SnapshotWeek)))]
pub(crate) async fn freeze_snapshot_week(
    State(state): State<AppState>,
    who: Who,
    Path(week): Path<String>,
) -> ApiResult<Json<SnapshotWeek>> {
    let monday = monday(&week)?;
    of_all_stores(&who)?;
    refuse_while_made(&state, &who).await?;
    state.db.write(&who.actor(), async |tx| snapshots::freeze(tx, monday).await).await?;
    shown(&state, &who, monday).await
}

/// Reopen a frozen week for recalculation. The reason is kept in its history.
#[utoipa::path(post, path = "/api/tools/root-item-weekly-snapshot/weeks/{week}/reopen", tag = "weekly snapshots",
    params(("week" = String, Path)), request_body = ReopenWeek, responses((status = 200, body = SnapshotWeek)))]
pub(crate) async fn reopen_snapshot_week(
    State(state): State<AppState>,
    who: Who,
    Path(week): Path<String>,
    Json(body): Json<ReopenWeek>,
) -> ApiResult<Json<SnapshotWeek>> {
    let monday = monday(&week)?;
    of_all_stores(&who)?;
    let reason = body.reason.trim();
    if reason.is_empty() {
        return Err(ApiError::field("reason", "Say why the week is opened again."));
    }
    if reason.chars().count() > MAX_REASON {
        return Err(ApiError::field("reason", format!("Use at most {MAX_REASON} characters.")));
    }
    refuse_while_made(&state, &who).await?;
    state.db.write(&who.actor(), async |tx| snapshots::reopen(tx, monday, reason).await).await?;
    shown(&state, &who, monday).await
}

/// Figures that changed since the previous calculation or, for a frozen week, since freezing.
#[utoipa::path(get, path = "/api/tools/root-item-weekly-snapshot/weeks/{week}/differences", tag = "weekly snapshots",
    params(("week" = String, Path), DifferencesQuery), responses((status = 200, body = SnapshotDifferences)))]
pub(crate) async fn list_snapshot_differences(
    State(state): State<AppState>,
    who: Who,
    Path(week): Path<String>,
    Query(query): Query<DifferencesQuery>,
) -> ApiResult<Json<SnapshotDifferences>> {
    let monday = monday(&week)?;
    let page = (query.limit.unwrap_or(200).clamp(1, 1_000), query.offset.unwrap_or(0).clamp(0, 10_000_000));
    let (items, total) = snapshots::differences(&state.db, monday, &who.scope, page).await?;
    let units =
        if items.is_empty() { Default::default() } else { store_items::root_units(&state.db).await? };
    let with_unit = |it: snapshots::Difference| {
        let unit = units.get(&it.root_item_id).cloned();
        SnapshotDifference::of(it, unit)
    };
    Ok(Json(SnapshotDifferences { items: items.into_iter().map(with_unit).collect(), total }))
}

fn monday(text: &str) -> ApiResult<BusinessDay> {
    let day: BusinessDay = text.parse().map_err(|_| ApiError::not_found("week"))?;
    if day.is_monday() && (1900..=2200).contains(&day.date().year()) {
        return Ok(day);
    }
    Err(ApiError::not_found("week"))
}

/// A week is frozen for all stores at once, so it needs access to all.
fn of_all_stores(who: &Who) -> ApiResult<()> {
    if who.scope == StoreScope::All {
        return Ok(());
    }
    let words = "A week is frozen for all stores, so only people of all stores can do this.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words))
}

/// A week being calculated cannot be frozen.
async fn refuse_while_made(state: &AppState, who: &Who) -> ApiResult<()> {
    let runs = calculations::list(state, who, WeeklySnapshot::NAME, (1, 0)).await?;
    let open = |run: &Run| matches!(run.state, RunState::Queued | RunState::Running);
    if runs.items.first().is_some_and(open) {
        let words = "Snapshots are being made at this moment. Wait until that is done, or stop it.";
        return Err(ApiError::conflict("running", words));
    }
    Ok(())
}

async fn shown(state: &AppState, who: &Who, monday: BusinessDay) -> ApiResult<Json<SnapshotWeek>> {
    let week = snapshots::week(&state.db, monday).await?;
    let mut sums = snapshots::sums(&state.db, (monday, monday), &who.scope).await?;
    Ok(Json(SnapshotWeek::of(monday, BusinessDay::of(who.at), week, sums.remove(&monday))))
}
