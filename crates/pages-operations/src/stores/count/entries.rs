//! Current counts, totals, and their history.

use axum::extract::State;
use larder_domain::BusinessDay;
use larder_domain::count::{Counted, Key, Session, summarise};

use super::model::{
    ChooseCount, ChosenCount, CountDay, CountEntries, CountEntry, CountEvent, CountHistory, CountQuery,
    CountRange, CountSummaries, CurrentCount, DayQuery, RangeQuery,
};
use super::{day, place, store};
use larder_ledgers::{counts as book, store_items};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, is_id};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of days: one quarter.
const MAX_DAYS: i32 = 93;

/// The counts of a day, with concurrent counts by others.
#[utoipa::path(get, path = "/api/stores/count/entries", tag = "counts", params(DayQuery),
    responses((status = 200, body = CountEntries)))]
pub(crate) async fn list_count_entries(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<DayQuery>,
) -> ApiResult<Json<CountEntries>> {
    let store_id = store(&who, query.store_id.as_deref())?;
    let date = day("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    let (entries, revision_of_day) = of_day(&state, store_id, date).await?;
    Ok(Json(CountEntries { entries, revision_of_day }))
}

/// The counts of a day as a response.
pub async fn of_day(
    state: &AppState,
    store_id: &str,
    date: BusinessDay,
) -> ApiResult<(Vec<CountEntry>, i64)> {
    let (values, mut others, revision) = book::day(&state.db, store_id, date).await?;
    let entry = |value: book::Value| {
        let others = others.remove(&value.key()).unwrap_or_default();
        CountEntry::of(value, others)
    };
    Ok((values.into_iter().map(entry).collect(), revision))
}

/// Choose another count as the current one. The previous one stays in the history.
#[utoipa::path(post, path = "/api/stores/count/entries/choose", tag = "counts", request_body = ChooseCount,
    responses((status = 200, body = ChosenCount)))]
pub(crate) async fn choose_count(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<ChooseCount>,
) -> ApiResult<Json<ChosenCount>> {
    let (op, revision, new_id) = (body.op.as_str(), body.revision, &state.new_id());
    let (key, current) = state
        .db
        .write(&who.actor(), async |tx| book::choose(tx, &who.scope, op, revision, new_id).await)
        .await?;
    Ok(Json(ChosenCount { id: key.id(), current: current.map(CurrentCount::from) }))
}

/// The counts of a date range, by day. Empty without a store and both dates, or if the first day is after the
/// last.
#[utoipa::path(get, path = "/api/stores/count/range", tag = "counts", params(RangeQuery),
    responses((status = 200, body = CountRange)))]
pub(crate) async fn list_count_range(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<CountRange>> {
    let none = || Ok(Json(CountRange { entries: Vec::new() }));
    let (Some(_), Some((start, end))) =
        (query.store_id.as_deref().filter(|id| !id.is_empty()), days(&query)?)
    else {
        return none();
    };
    let store_id = store(&who, query.store_id.as_deref())?;
    let values = book::range(&state.db, store_id, start, end).await?;
    let entries = values.into_iter().map(|value| CountEntry::of(value, Vec::new()));
    Ok(Json(CountRange { entries: entries.collect() }))
}

/// Totals of the counts of a day or date range.
#[utoipa::path(get, path = "/api/stores/count/summary", tag = "counts", params(RangeQuery),
    responses((status = 200, body = CountSummaries)))]
pub(crate) async fn summarise_counts(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<CountSummaries>> {
    let store_id = store(&who, query.store_id.as_deref())?;
    let Some((start, end)) = days(&query)? else { return Ok(Json(CountSummaries { days: Vec::new() })) };
    let rows = book::days_of(&state.db, store_id, start, end).await?;
    let of = store_items::how_many(&state.db, &[store_id.to_owned()]).await?;
    let of = of.get(store_id).copied().unwrap_or_default();
    let counted: Vec<Counted<'_>> = rows
        .iter()
        .map(|(date, session, item_id, at, by, late)| Counted {
            date: *date,
            session: Session::parse(session).unwrap_or_default(),
            item_id,
            at: *at,
            by,
            late: *late,
        })
        .collect();
    let mut found = summarise(&counted).into_iter().peekable();
    let days = (start.0..=end.0).map(|date| {
        let date = BusinessDay(date);
        match found.next_if(|day| day.date == date) {
            Some(day) => CountDay {
                date,
                opening: day.opening,
                closing: day.closing,
                counted: day.counted as i64,
                opening_counted: day.opening_counted as i64,
                closing_counted: day.closing_counted as i64,
                of,
                first_at: day.first_at,
                last_at: day.last_at,
                by: day.by,
                late: day.late as i64,
            },
            None => CountDay {
                date,
                opening: false,
                closing: false,
                counted: 0,
                opening_counted: 0,
                closing_counted: 0,
                of,
                first_at: None,
                last_at: None,
                by: Vec::new(),
                late: 0,
            },
        }
    });
    Ok(Json(CountSummaries { days: days.collect() }))
}

/// The requested days, if they are valid dates.
fn days(query: &RangeQuery) -> ApiResult<Option<(BusinessDay, BusinessDay)>> {
    let read = |field: &str, text: &Option<String>| date(field, text.as_deref());
    let (start, end) = match (read("date", &query.date), read("start", &query.start), read("end", &query.end))
    {
        (Ok(Some(day)), Ok(None), Ok(None)) => (Some(day), Some(day)),
        (Ok(_), Ok(start), Ok(end)) => (start, end),
        (day, start, end) => {
            return Err(ApiError::invalid(
                [day.err(), start.err(), end.err()].into_iter().flatten().collect(),
            ));
        }
    };
    let Some((start, end)) = start.zip(end).filter(|(start, end)| start <= end) else { return Ok(None) };
    if end.0 - start.0 >= MAX_DAYS {
        return Err(ApiError::field("end", format!("Ask for at most {MAX_DAYS} days at once.")));
    }
    Ok(Some((start, end)))
}

/// The history of a count.
#[utoipa::path(get, path = "/api/stores/count/history", tag = "counts", params(CountQuery),
    responses((status = 200, body = CountHistory)))]
pub(crate) async fn list_count_history(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CountQuery>,
) -> ApiResult<Json<CountHistory>> {
    let (store_id, date, session) =
        place(&who, query.store_id.as_deref(), query.date.as_deref(), query.session.as_deref())?;
    let item_id = query.item_id.as_deref().filter(|id| !id.is_empty() && is_id(id));
    let item_id = item_id.ok_or_else(|| ApiError::field("itemId", "Choose an item."))?;
    let key = Key { store_id: store_id.to_owned(), date, session, item_id: item_id.to_owned() };
    let events = book::history(&state.db, &key).await?;
    let stands = book::standing(&state.db, &key).await?;
    let events = events.into_iter().map(|event| {
        let is_it = stands.as_deref() == Some(event.op.as_str());
        CountEvent::of(event, is_it)
    });
    Ok(Json(CountHistory { events: events.collect() }))
}
