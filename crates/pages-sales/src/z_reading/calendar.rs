//! Store × day: the state of each day's readings.

use std::collections::BTreeMap;

use axum::extract::State;
use larder_domain::{BusinessDay, Money};

use super::chain::span;
use super::model::{CalendarDay, CalendarQuery, CalendarStore, ZReadingCalendar};
use larder_ledgers::completeness::{Completeness, Day, Held, TillState};
use larder_ledgers::readings::list;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

const MOST_DAYS: i32 = 62;

/// Store × day of readings.
#[utoipa::path(get, path = "/api/sales/z-reading/calendar", tag = "z-readings", params(CalendarQuery),
    responses((status = 200, body = ZReadingCalendar)))]
pub(crate) async fn get_z_reading_calendar(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CalendarQuery>,
) -> ApiResult<Json<ZReadingCalendar>> {
    let today = BusinessDay::of(who.at);
    let span = span(query.from.as_deref(), query.to.as_deref(), today.plus(-1), 14, MOST_DAYS)?;
    let wished: Vec<String> = query
        .store_ids
        .as_deref()
        .unwrap_or_default()
        .split(',')
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    let stores = who.stores((!wished.is_empty()).then_some(wished.as_slice()))?;
    let stores = list::stores(&state.db, stores.as_deref()).await?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let known = Completeness::read(&state.db, &ids, span, today).await?;
    let mut counts: BTreeMap<&'static str, i64> = BTreeMap::new();
    let mut missing_tills = 0;
    let mut rows = Vec::new();
    for (store_id, store_name) in stores {
        let days: Vec<CalendarDay> = known.days(&store_id).map(|(date, day)| of_day(date, day)).collect();
        for day in &days {
            *counts.entry(day.state).or_default() += 1;
            missing_tills += day.missing;
        }
        rows.push(CalendarStore { store_id, store_name, days });
    }
    Ok(Json(ZReadingCalendar { from: span.from, to: span.to, stores: rows, counts, missing_tills }))
}

fn of_day(date: BusinessDay, day: &Day) -> CalendarDay {
    let own: Vec<&Held> = day.held().filter(|one| one.on == date).collect();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let of = |state| number(own.iter().filter(|one| one.state == state).count());
    let net = own.iter().map(|one| one.net.unwrap_or_default().0).fold(0, i64::saturating_add);
    CalendarDay {
        date,
        state: day.state().as_str(),
        verified: of(TillState::Verified),
        waiting: of(TillState::Waiting),
        disputed: of(TillState::Disputed),
        missing: day.missing(),
        net: Money(net),
        sold: day.sold,
        id: (own.len() == 1).then(|| own[0].id.clone()),
        tills: day.wire(date),
    }
}
