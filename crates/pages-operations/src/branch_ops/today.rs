//! A store's open tasks.

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::delivery_calendar::check;
use larder_domain::{BusinessDay, Span};

use super::model::{
    BranchToday, CountDue, ExpectedItem, OrderDue, PlacedDelivery, PlacedOrder, TodayQuery, WasteOpen,
};
use super::{queries, sales};
use larder_documents::shipments;
use larder_ledgers::delivery_calendar::{self, Kept};
use larder_ledgers::open_days::OpenDays;
use larder_ledgers::{counts, store_items};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// How many days ahead to look for the next delivery.
const AHEAD: i32 = 28;

/// For how many days settled orders stay in the list.
const SETTLED_DAYS: i32 = 7;

/// A store's open tasks: the count due, orders before their cut-off, expected deliveries, unposted waste, and
/// sales so far.
#[utoipa::path(get, path = "/api/branch-ops/today", tag = "branch operations", params(TodayQuery),
    responses((status = 200, body = BranchToday)))]
pub(crate) async fn get_branch_today(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<TodayQuery>,
) -> ApiResult<Json<BranchToday>> {
    who.check_store(&query.store_id)?;
    let (db, store_id) = (&state.db, query.store_id.as_str());
    let name = queries::store_name(db, store_id).await?;
    let (store_name,) = name.ok_or_else(|| ApiError::not_found("store"))?;
    let today = BusinessDay::of(who.at);
    let expected = shipments::expected(db, Some(std::slice::from_ref(&query.store_id))).await?;
    let expected = expected.into_iter().map(|shipment| ExpectedItem {
        number: shipment.delivery_no.clone(),
        late: shipment.planned_date < today,
        shipment,
    });
    let mut waste = WasteOpen::default();
    for (waits, count) in queries::open_waste(db, store_id).await? {
        *(if waits == "submitted" { &mut waste.waiting } else { &mut waste.drafts }) += count;
    }
    let rules = delivery_calendar::all(db, Some(std::slice::from_ref(&query.store_id))).await?;
    Ok(Json(BranchToday {
        count: count(&state, &who, store_id).await?,
        orders: orders(&state, &who, store_id, &rules).await?,
        placed: placed(&state, &who, store_id, &rules).await?,
        expected: expected.collect(),
        waste,
        sales: sales::so_far(&state, store_id, today).await?,
        date: today,
        store_name,
        store_id: query.store_id,
    }))
}

/// The current count.
async fn count(state: &AppState, who: &Who, store_id: &str) -> ApiResult<CountDue> {
    let settings = counts::settings_of(&state.db, store_id).await?.settings;
    let (date, session) = settings.counting_at(who.at);
    let window = settings.window(date, session);
    let finished = counts::session(&state.db, store_id, date, session).await?.finished_at.is_some();
    let stands = match () {
        () if who.at < window.from => "before",
        () if window.contains(who.at) => "open",
        () => "after",
    };
    let to_count = store_items::visible(&state.db, store_id).await?.len();
    let counted = queries::counted(&state.db, store_id, date, session.as_str()).await?;
    let open = OpenDays::read(&state.db, &[store_id.to_owned()], Span { from: date, to: date }).await?;
    let expected = counted > 0 || open.is_open(store_id, date);
    let due = (expected && !finished && stands != "after").then(|| {
        let name = session.as_str();
        if name.is_empty() { "whole" } else { name }.to_owned()
    });
    Ok(CountDue { date, due, window: stands, from: window.from, to: window.to, counted, to_count, finished })
}

/// The next order still before its cut-off for each source with delivery days, with the existing order if
/// any.
async fn orders(state: &AppState, who: &Who, store_id: &str, rules: &[Kept]) -> ApiResult<Vec<OrderDue>> {
    let ids: Vec<&str> = rules.iter().map(|rule| rule.source_id.as_str()).collect();
    let names: HashMap<String, String> = queries::sources(&state.db, &ids).await?.into_iter().collect();
    let today = BusinessDay::of(who.at);
    let known = queries::orders(&state.db, store_id, Span { from: today, to: today.plus(AHEAD) }).await?;
    let mut due: Vec<OrderDue> = rules
        .iter()
        .filter_map(|kept| {
            let choice = kept.rule().choices(who.at, 1, AHEAD).into_iter().next()?;
            let order = known.iter().find(|order| {
                order.on_date == choice.date
                    && order.source_type.as_ref() == Some(&kept.source_type)
                    && order.source_id.as_ref() == Some(&kept.source_id)
            });
            Some(OrderDue {
                source_type: kept.source_type.clone(),
                source_id: kept.source_id.clone(),
                source_name: names.get(&kept.source_id).cloned(),
                needed_date: choice.date,
                cutoff_at: Some(choice.cutoff),
                order_id: order.map(|order| order.id.clone()),
                order_no: order.map(|order| order.number.clone()),
                status: order.map(|order| order.state.clone()),
            })
        })
        .collect();
    due.sort_by_key(|order| order.cutoff_at);
    Ok(due)
}

/// The store's orders with their deliveries.
async fn placed(state: &AppState, who: &Who, store_id: &str, rules: &[Kept]) -> ApiResult<Vec<PlacedOrder>> {
    let db = &state.db;
    let today = BusinessDay::of(who.at);
    let orders = queries::placed(db, store_id, today.plus(-SETTLED_DAYS)).await?;
    let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
    let mut deliveries: HashMap<String, Vec<PlacedDelivery>> = HashMap::new();
    for (order, delivery_no, status) in queries::deliveries(db, &ids).await? {
        deliveries.entry(order).or_default().push(PlacedDelivery { delivery_no, status });
    }
    let sources: Vec<&str> = orders.iter().filter_map(|order| order.source_id.as_deref()).collect();
    let names: HashMap<String, String> = queries::sources(db, &sources).await?.into_iter().collect();
    let placed = orders.into_iter().map(|order| {
        let rule = rules.iter().find(|kept| {
            Some(&kept.source_type) == order.source_type.as_ref()
                && Some(&kept.source_id) == order.source_id.as_ref()
        });
        let refused = rule.is_some_and(|kept| check(kept.rule(), order.on_date, who.at).is_err());
        // The calendar may have changed since a draft was written.
        let cutoff = rule.filter(|_| order.state == "draft").map(|kept| kept.rule().cutoff(order.on_date));
        PlacedOrder {
            past: order.on_date < today || refused,
            deliveries: deliveries.remove(&order.id).unwrap_or_default(),
            source_name: order.source_id.as_ref().and_then(|id| names.get(id)).cloned(),
            id: order.id,
            order_no: order.number,
            status: order.state,
            source_type: order.source_type,
            source_id: order.source_id,
            needed_date: order.on_date,
            cutoff_at: cutoff.or(order.details.0.cutoff_at),
            line_count: order.line_count,
            cut: order.cut,
            urgent_reason: order.details.0.urgent_reason,
        }
    });
    Ok(placed.collect())
}
