//! Readings as pages and as a file.

use axum::extract::State;
use axum::response::Response;
use larder_domain::zreading::FLOW;
use larder_domain::{BusinessDay, Money};

use super::model::{ReadingsQuery, ZReadingPage, ZReadingRow, rows};
use larder_ledgers::readings::list;
use larder_ledgers::readings::list::{Filter, Order};
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, like};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

const PAGE_SIZE: i64 = 50;
const MAX_PAGE_SIZE: i64 = 200;

fn filter(query: &ReadingsQuery, who: &Who) -> ApiResult<Filter> {
    let mut wrong = Vec::new();
    let mut day = |field, text: &Option<String>| {
        date(field, text.as_deref()).unwrap_or_else(|error| {
            wrong.push(error);
            None
        })
    };
    let (from, to) = (day("from", &query.from), day("to", &query.to));
    let states: Vec<String> = query
        .state
        .as_deref()
        .unwrap_or_default()
        .split(',')
        .filter(|state| !state.is_empty())
        .map(str::to_owned)
        .collect();
    if let Some(unknown) = states.iter().find(|state| FLOW.state(state).is_none()) {
        let known: Vec<&str> = FLOW.states.iter().map(|said| said.state.as_str()).collect();
        wrong.push(FieldError::new(
            "state",
            format!("There is no state «{unknown}»; there are {}.", known.join(", ")),
        ));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let wished = query.store_id.as_ref().filter(|id| !id.is_empty()).map(|id| vec![id.clone()]);
    Ok(Filter {
        stores: who.stores(wished.as_deref())?,
        terminal_id: query.terminal_id.clone().filter(|till| !till.is_empty()),
        states,
        from,
        to,
        like: like(query.q.as_deref())?,
    })
}

fn order(query: &ReadingsQuery) -> ApiResult<Order> {
    Ok(match query.sort.as_deref().unwrap_or_default() {
        "" | "-date" => Order::Newest,
        "date" => Order::Oldest,
        "store" => Order::Store,
        "-updatedAt" => Order::Changed,
        "-net" => Order::Net,
        "review" => Order::Review,
        _ => return Err(ApiError::field("sort", "Sort by -date, date, store, -updatedAt, -net or review.")),
    })
}

/// Z-readings, newest first.
#[utoipa::path(get, path = "/api/sales/z-reading", tag = "z-readings", params(ReadingsQuery),
    responses((status = 200, body = ZReadingPage)))]
pub(crate) async fn list_z_readings(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReadingsQuery>,
) -> ApiResult<Json<ZReadingPage>> {
    let filter = filter(&query, &who)?;
    let (number, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(PAGE_SIZE));
    if !(1..=1_000_000).contains(&number) {
        return Err(ApiError::field("page", "Pages are counted from 1."));
    }
    if !(1..=MAX_PAGE_SIZE).contains(&size) {
        return Err(ApiError::field("pageSize", format!("Ask for 1 to {MAX_PAGE_SIZE} a page.")));
    }
    let counts = list::counts(&state.db, &filter).await?;
    let total = total(&filter, &counts);
    let found = list::page(&state.db, &filter, order(&query)?, (size, (number - 1) * size), true).await?;
    Ok(Json(ZReadingPage { items: rows(&state, &who, found).await?, total, counts }))
}

fn total(filter: &Filter, counts: &std::collections::BTreeMap<String, i64>) -> i64 {
    let asked = |state: &str| {
        if filter.states.is_empty() {
            state != "discarded"
        } else {
            filter.states.iter().any(|it| it == state)
        }
    };
    counts.iter().filter(|(state, _)| asked(state)).map(|(_, count)| count).sum()
}

/// The filtered readings as a file, one row each.
#[utoipa::path(get, path = "/api/sales/z-reading/export", tag = "z-readings", params(ReadingsQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_z_readings(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReadingsQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let filter = filter(&query, &who)?;
    let count = total(&filter, &list::counts(&state.db, &filter).await?);
    export::check_rows(count)?;
    let mut cells = Vec::new();
    let order = order(&query)?;
    let mut offset = 0;
    while offset < count {
        let found = list::page(&state.db, &filter, order, (1_000, offset), false).await?;
        offset += 1_000;
        cells.extend(rows(&state, &who, found).await?.iter().map(line));
    }
    let name = format!("z-readings-{}", BusinessDay::of(who.at));
    export::respond(format, &name, columns(), futures::stream::iter(cells.into_iter().map(Ok))).await
}

fn columns() -> Vec<Column> {
    let titles = [
        "Date",
        "Store",
        "Till",
        "State",
        "Z counter",
        "Reset counter",
        "First invoice",
        "Last invoice",
        "Transactions",
        "Old grand total",
        "New grand total",
        "Gross",
        "Net",
        "VATable",
        "VAT",
        "VAT exempt",
        "Zero-rated",
        "Senior",
        "PWD",
        "NAAC",
        "Solo parent",
        "Medal of Valor",
        "Other discount",
        "Voids",
        "Returns",
        "VAT adjustment",
        "Service charge",
        "Cash",
        "Card",
        "E-wallet",
        "Other tenders",
        "MIN",
        "TIN",
        "Source",
        "Reason",
        "Notes",
        "Does not agree",
    ];
    titles.into_iter().map(|title| Column::new(title, 12)).collect()
}

fn line(row: &ZReadingRow) -> Vec<Cell> {
    let it = &row.reading;
    let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
    let some = |words: &Option<String>| words.as_deref().map_or(Cell::Empty, text);
    let count = |count: Option<i64>| count.map_or(Cell::Empty, Cell::Int);
    let money = |amount: Option<Money>| amount.map_or(Cell::Empty, Cell::Money);
    let paid = |kinds: &[&str]| {
        let found: Vec<i64> = it
            .tenders
            .iter()
            .filter(|tender| kinds.contains(&tender.kind.as_str()))
            .map(|tender| tender.amount.0)
            .collect();
        if found.is_empty() {
            Cell::Empty
        } else {
            Cell::Money(Money(found.into_iter().fold(0, i64::saturating_add)))
        }
    };
    let label = FLOW.state(&it.state).map_or(it.state.as_str(), |state| FLOW.label(state));
    let mut cells = vec![
        Cell::Day(it.business_date),
        text(&row.store_name),
        text(&it.terminal_id),
        text(label),
        count(it.z_counter),
        Cell::Int(it.reset_counter),
        some(&it.first_si),
        some(&it.last_si),
        count(it.transactions),
    ];
    cells.extend(
        [
            it.previous_total,
            it.present_total,
            it.gross,
            it.net,
            it.vatable,
            it.vat,
            it.exempt,
            it.zero_rated,
            it.senior,
            it.pwd,
            it.naac,
            it.solo_parent,
            it.valor,
            it.other_discount,
            it.voids,
            it.returns,
            it.vat_adjustment,
            it.service_charge,
        ]
        .map(money),
    );
    cells.extend([&["cash"][..], &["card"], &["eWallet"], &["voucher", "onAccount"]].map(paid));
    cells.extend([some(&it.min), some(&it.tin), text(&it.source), some(&it.reason), some(&it.notes)]);
    cells.push(text(&row.failing.join(" ")));
    cells
}
