//! Expected stock of a store, by item or root item.

use std::cmp::Ordering;

use axum::extract::State;
use axum::response::Response;
use larder_domain::{BusinessDay, Worth};

use super::model::{By, Inventory, InventoryQuery, InventoryRow, Only};
use super::queries;
use super::rows::{self, too_large};
use super::store;
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::text::fold;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum length of a search text, in characters.
const MAX_Q: usize = 200;

/// A store's expected stock at the end of a day: the last count plus all movements and sales since.
#[utoipa::path(get, path = "/api/stores/inventory", tag = "store inventory", params(InventoryQuery),
    responses((status = 200, body = Inventory)))]
pub(crate) async fn list_store_inventory(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<InventoryQuery>,
) -> ApiResult<Json<Inventory>> {
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(1_000));
    let mut wrong = Vec::new();
    if !(1..=1_000_000).contains(&page) {
        wrong.push(FieldError::new("page", "Pages are counted from 1."));
    }
    if !(1..=5_000).contains(&size) {
        wrong.push(FieldError::new("pageSize", "Ask for 1 to 5,000 rows a page."));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let mut whole = answer(&state, &who, &query).await?;
    whole.items = whole.items.into_iter().skip((page - 1) * size).take(size).collect();
    Ok(Json(whole))
}

/// The inventory as a file.
#[utoipa::path(get, path = "/api/stores/inventory/export", tag = "store inventory", params(InventoryQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_store_inventory(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<InventoryQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let found = answer(&state, &who, &query).await?;
    let first = if query.by == Some(By::RootItems) { "Root item" } else { "Item" };
    let columns = [
        (first, 32),
        ("Code", 12),
        ("Unit", 8),
        ("Storage area", 16),
        ("On hand", 12),
        ("Last count", 12),
        ("Counted on", 12),
        ("Close goods", 14),
        ("Age (days)", 10),
        ("In transit", 12),
        ("Expected", 12),
        ("Variance", 12),
        ("Variance (PHP)", 14),
        ("Use a day", 12),
        ("Days of cover", 12),
    ];
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    let name = format!("store-inventory-{}-{}", found.store_name, found.as_of);
    let rows: Vec<Vec<Cell>> = found.items.into_iter().map(cells).collect();
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

/// Goods that came or left close to a count, if nobody said whether that included them.
pub(super) fn unanswered(close: usize) -> Cell {
    if close > 0 { Cell::Text("Not answered".to_owned()) } else { Cell::Empty }
}

fn cells(row: InventoryRow) -> Vec<Cell> {
    let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let qty = |qty: Option<_>| qty.map_or(Cell::Empty, Cell::Qty);
    vec![
        Cell::Text(row.name),
        text(row.code),
        text(row.uom_code),
        text(row.storage_area),
        qty(row.on_hand),
        qty(row.last_count.as_ref().map(|last| last.qty)),
        row.last_count.map_or(Cell::Empty, |last| Cell::Day(last.date)),
        unanswered(row.close),
        row.age_days.map_or(Cell::Empty, |days| Cell::Int(days.into())),
        Cell::Qty(row.in_transit),
        qty(row.expected),
        qty(row.variance),
        row.variance_value.map_or(Cell::Empty, Cell::Money),
        Cell::Qty(row.daily_use),
        qty(row.days_of_cover),
    ]
}

async fn answer(state: &AppState, who: &Who, query: &InventoryQuery) -> ApiResult<Inventory> {
    let store = store(state, who, query.store_id.as_deref()).await?;
    let today = BusinessDay::of(who.at);
    let day = date("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    let day = day.unwrap_or(today);
    if day > today {
        return Err(ApiError::field("date", "Choose today or a day before it."));
    }
    let order = query.sort.as_deref().filter(|sort| !sort.is_empty()).map(order).transpose()?;
    let q = query.q.as_deref().unwrap_or_default();
    if q.chars().count() > MAX_Q {
        return Err(ApiError::field("q", format!("Search for at most {MAX_Q} characters.")));
    }
    let q = fold(q);
    let mut items = rows::rows(state, &store.id, query.by.unwrap_or_default(), day).await?;
    items.retain(|row| matches(row, &q) && query.only.is_none_or(|only| is_one(row, only)));
    if let Some((compare, descending)) = order {
        items.sort_by(|a, b| compare(a, b, descending));
    }
    let variance = items.iter().filter_map(|row| row.worth).reduce(Worth::plus);
    let variance_value = variance.map(|worth| worth.money().ok_or_else(too_large)).transpose()?;
    let sold_until = queries::sold_until(&state.db, &store.id, day).await?;
    Ok(Inventory {
        sold_until,
        store_id: store.id,
        store_name: store.name,
        as_of: day,
        total: items.len(),
        negative: items.iter().filter(|row| row.negative).count(),
        never_counted: items.iter().filter(|row| row.last_count.is_none()).count(),
        variance_value,
        items,
    })
}

fn matches(row: &InventoryRow, q: &str) -> bool {
    let texts = [Some(&row.name), row.code.as_ref(), row.storage_area.as_ref()];
    q.is_empty() || texts.into_iter().flatten().any(|text| fold(text).contains(q))
}

fn is_one(row: &InventoryRow, only: Only) -> bool {
    match only {
        Only::Negative => row.negative,
        Only::NeverCounted => row.last_count.is_none(),
        Only::Different => row.variance.is_some_and(|variance| !variance.is_zero()),
    }
}

type Compare = fn(&InventoryRow, &InventoryRow, bool) -> Ordering;

/// Compares optional values; missing ones come last in both directions.
fn known<T: Ord>(a: Option<T>, b: Option<T>, descending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => b.cmp(&a),
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn order(sort: &str) -> ApiResult<(Compare, bool)> {
    let (field, descending) = sort.strip_prefix('-').map_or((sort, false), |field| (field, true));
    let compare: Compare = match field {
        "name" => |a, b, down| known(Some(fold(&a.name)), Some(fold(&b.name)), down),
        "onHand" => |a, b, down| known(a.on_hand, b.on_hand, down),
        "ageDays" => |a, b, down| known(a.age_days, b.age_days, down),
        "inTransit" => |a, b, down| known(Some(a.in_transit), Some(b.in_transit), down),
        "expected" => |a, b, down| known(a.expected, b.expected, down),
        "variance" => |a, b, down| known(a.variance, b.variance, down),
        "varianceValue" => |a, b, down| known(a.variance_value, b.variance_value, down),
        "daysOfCover" => |a, b, down| known(a.days_of_cover, b.days_of_cover, down),
        _ => return Err(ApiError::field("sort", "Choose another column to sort by.")),
    };
    Ok((compare, descending))
}
