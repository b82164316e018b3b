//! Store × day: verified, pending, missing and disputed days.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::{BusinessDay, Money, Span};

use super::chain::span;
use super::model::{CalendarDay, CalendarQuery, CalendarStore, ZReadingCalendar};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::readings::list;
use larder_ledgers::readings::list::OfDay;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

const MOST_DAYS: i32 = 62;
/// A till with a reading within this many days is expected to have one.
const EXPECTED_FOR: i32 = 45;

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
    let within = stores.as_deref();
    let wide = Span { from: span.from.plus(-EXPECTED_FOR), to: today };
    let tills: HashMap<String, Tills> = list::tills(&state.db, within, wide)
        .await?
        .into_iter()
        .map(|(store, tills, first, last)| (store, Tills { tills, first, last }))
        .collect();
    let mut read: HashMap<(String, BusinessDay), Vec<OfDay>> = HashMap::new();
    for day in list::by_day(&state.db, within, span).await? {
        read.entry((day.store_id.clone(), day.business_date)).or_default().push(day);
    }
    let sold = sold_once(list::sold_days(&state.db, within, span).await?, &read);
    let mut counts: BTreeMap<&'static str, i64> = BTreeMap::new();
    let mut rows = Vec::new();
    let stores = list::stores(&state.db, within).await?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let open = OpenDays::read(&state.db, &ids, span).await?;
    for (store_id, store_name) in stores {
        let till = tills.get(&store_id);
        let days: Vec<CalendarDay> = (0..span.days())
            .map(|ahead| {
                let key = (store_id.clone(), span.from.plus(ahead));
                let is_due = key.1 < today && open.is_open(&store_id, key.1);
                of_day(
                    key.1,
                    is_due,
                    till,
                    read.get(&key).map_or(&[], Vec::as_slice),
                    sold.get(&key).copied(),
                )
            })
            .collect();
        for day in &days {
            *counts.entry(day.state).or_default() += 1;
        }
        rows.push(CalendarStore { store_id, store_name, tills: till.map_or(0, |till| till.tills), days });
    }
    Ok(Json(ZReadingCalendar { from: span.from, to: span.to, stores: rows, counts }))
}

type StoreDay = (String, BusinessDay);

/// Net sales of store-days, counting sales reported by several sources once.
fn sold_once(
    tills: Vec<(String, BusinessDay, String, String, Money)>,
    read: &HashMap<StoreDay, Vec<OfDay>>,
) -> HashMap<StoreDay, Money> {
    let mut by_day: HashMap<StoreDay, Vec<TillSales>> = HashMap::new();
    for (store, day, source, terminal, net) in tills {
        let row = TillSales { source, terminal, net, figures: Vec::new() };
        by_day.entry((store, day)).or_default().push(row);
    }
    let of_day = |(key, rows): (StoreDay, Vec<TillSales>)| {
        let net =
            read.get(&key).map_or(0, |days| days.iter().map(|day| day.net.0).fold(0, i64::saturating_add));
        let sources = Sources::of(&rows, &BTreeMap::from([(String::new(), Money(net))]), None);
        let counted = rows.iter().filter(|row| sources.counts(&row.source));
        (key, Money(counted.map(|row| row.net.0).fold(0, i64::saturating_add)))
    };
    by_day.into_iter().map(of_day).collect()
}

/// A store's tills with recent readings, and the days of their first and last one.
struct Tills {
    tills: i64,
    first: BusinessDay,
    last: BusinessDay,
}

/// A past open day without a reading is missing if the store had sales, or has readings before and after it.
fn of_day(
    date: BusinessDay,
    is_due: bool,
    till: Option<&Tills>,
    read: &[OfDay],
    sold: Option<Money>,
) -> CalendarDay {
    let sum = |states: &[&str]| {
        read.iter().filter(|day| states.contains(&day.state.as_str())).map(|day| day.readings).sum()
    };
    let (verified, waiting, disputed): (i64, i64, i64) =
        (sum(&["verified", "reconciled"]), sum(&["captured", "needsReview"]), sum(&["disputed"]));
    let there = verified + waiting + disputed;
    let between = till.is_some_and(|till| till.first <= date && date <= till.last);
    let expected = till.map_or(0, |till| till.tills);
    let missing = if is_due && (between || (sold.is_some() && till.is_some_and(|till| date >= till.first))) {
        (expected - there).max(0)
    } else {
        0
    };
    let state = match () {
        () if disputed > 0 => "disputed",
        () if missing > 0 => "missing",
        () if waiting > 0 => "waiting",
        () if verified > 0 => "verified",
        () => "none",
    };
    let net = read.iter().map(|day| day.net.0).fold(0, i64::saturating_add);
    let id = (there == 1).then(|| read.first().map(|day| day.id.clone())).flatten();
    CalendarDay { date, state, verified, waiting, disputed, missing, net: Money(net), sold, id }
}
