//! The overview, and available delivery dates.

use axum::extract::State;
use larder_domain::{BusinessDay, holidays};

use super::model::{CalendarQuery, DatesQuery, DeliveryCalendar, DeliveryDate, DeliveryDates, DeliveryRule};
use larder_ledgers::delivery_calendar as book;
use larder_ledgers::delivery_calendar::Source;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who, scope};

/// Number of dates offered.
const DATES: usize = 14;

/// The delivery rules of every accessible store.
#[utoipa::path(get, path = "/api/stores/delivery-calendar", tag = "delivery calendar", params(CalendarQuery),
    responses((status = 200, body = DeliveryCalendar)))]
pub(crate) async fn list_delivery_calendar(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CalendarQuery>,
) -> ApiResult<Json<DeliveryCalendar>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let rules = book::all(&state.db, stores.as_deref()).await?;
    let items = rules.into_iter().map(|kept| DeliveryRule::of(kept, who.at)).collect();
    Ok(Json(DeliveryCalendar { items }))
}

/// The next fourteen delivery dates of a source for a store.
#[utoipa::path(get, path = "/api/stores/delivery-dates", tag = "delivery calendar", params(DatesQuery),
    responses((status = 200, body = DeliveryDates)))]
pub(crate) async fn list_delivery_dates(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<DatesQuery>,
) -> ApiResult<Json<DeliveryDates>> {
    scope::check(Some(&query.store_id), &who.scope)?;
    let source =
        Source { store_id: &query.store_id, source_type: &query.source_type, source_id: &query.source_id };
    let kept = book::of(&state.db, source).await?;
    let rule = kept.is_some();
    let holiday = |day| holidays::on(day).map(|holiday| holiday.name.to_owned());
    let dates = match kept {
        Some(kept) => {
            let choices = kept.rule().choices(who.at, DATES, 62);
            let date = |choice: larder_domain::delivery_calendar::Choice| DeliveryDate {
                date: choice.date,
                cutoff_at: Some(choice.cutoff),
                open: true,
                holiday: holiday(choice.date),
            };
            choices.into_iter().map(date).collect()
        }
        None => (1..=14)
            .map(|days| BusinessDay::of(who.at).plus(days))
            .map(|date| DeliveryDate { date, cutoff_at: None, open: true, holiday: holiday(date) })
            .collect(),
    };
    Ok(Json(DeliveryDates { rule, dates }))
}
