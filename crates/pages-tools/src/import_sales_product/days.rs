//! A store-day: its lines and their corrections.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::sales::day::{LineChange, Unpacked};
use larder_domain::sales::facts::FIELDS;
use larder_domain::sales::{Field, UNMAPPED};
use larder_domain::{BusinessDay, Money, Qty, Span, Timestamp};

use super::model::{CorrectRequest, DayFacts, DayStore, DayTotals, Figure, SalesDay, SalesLine};
use super::queries;
use larder_ledgers::sales;
use larder_ledgers::sales::{DayKey, days};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The lines of a store on a business date.
#[utoipa::path(get, path = "/api/tools/import-sales-product/days/{storeId}/{date}", tag = "import sales",
    params(("storeId" = String, Path), ("date" = String, Path)), responses((status = 200, body = SalesDay)))]
pub(crate) async fn get_sales_day(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, date)): Path<(String, BusinessDay)>,
) -> ApiResult<Json<SalesDay>> {
    who.check_store(&store_id)?;
    Ok(Json(read(&state, &store_id, date).await?))
}

/// Correct lines of a posted store-day; all totals are updated.
#[utoipa::path(patch, path = "/api/tools/import-sales-product/days/{storeId}/{date}/lines", tag = "import sales",
    params(("storeId" = String, Path), ("date" = String, Path)), request_body = CorrectRequest,
    responses((status = 200, body = SalesDay)))]
pub(crate) async fn correct_sales_lines(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, date)): Path<(String, BusinessDay)>,
    Json(request): Json<CorrectRequest>,
) -> ApiResult<Json<SalesDay>> {
    who.check_store(&store_id)?;
    let changes: Vec<LineChange> = request
        .lines
        .iter()
        .map(|line| LineChange {
            line_no: line.line_no,
            place: line.place.and_then(|place| usize::try_from(place).ok()),
            qty: line.qty.map(|qty| qty.0),
            unit_price: line.unit_price.map(|price| price.0),
            discount: line.discount.map(|discount| discount.0),
            pos_item_id: line.pos_item_id.as_deref().map(Arc::from),
            remove: line.remove,
        })
        .collect();
    let key =
        DayKey { store_id: store_id.as_str().into(), day: date, source: request.source.as_str().into() };
    let (key, changes, lines, revision) = (&key, &changes, &request.lines, request.revision);
    state
        .db
        .write(&who.actor(), async |tx| {
            for (at, line) in lines.iter().enumerate() {
                if let Some(id) = &line.pos_item_id
                    && !queries::directory::item_exists(tx, id).await?
                {
                    return Err(ApiError::field(
                        format!("lines.{at}.posItemId"),
                        "Choose a POS item that exists.",
                    ));
                }
            }
            sales::correct_lines(tx, key, revision, changes).await
        })
        .await?;
    Ok(Json(read(&state, &store_id, date).await?))
}

async fn read(state: &AppState, store_id: &str, date: BusinessDay) -> ApiResult<SalesDay> {
    let db = &state.db;
    let Some(name) = queries::days::store_name(db, store_id).await? else {
        return Err(ApiError::not_found("store"));
    };
    let sources = queries::days::sources(db, store_id, date).await?;
    let packed = queries::days::lines(db, store_id, date).await?;
    let mut lines = Vec::new();
    let mut totals = DayTotals::default();
    for row in packed {
        let source = sources.iter().find(|s| s.source == row.source);
        let revision = source.map_or(0, |s| s.revision);
        let counts = source.is_none_or(|s| s.counted_source.is_none());
        let Unpacked { items, receipts, lines: sold, .. } = days::unpack(&row.packed)?;
        if counts {
            totals.receipts += i64::try_from(receipts.len()).unwrap_or(0);
        }
        let ids: Vec<&str> = items.iter().map(|item| item.pos_item_id.as_ref()).collect();
        let names: HashMap<String, String> = queries::days::item_names(db, &ids).await?.into_iter().collect();
        let receipt_of = |at: i32| usize::try_from(at).ok().and_then(|at| receipts.get(at));
        for (place, line) in (0u32..).zip(sold) {
            let item = &items[line.item as usize];
            let mapped = (!item.pos_item_id.starts_with(UNMAPPED)).then(|| item.pos_item_id.to_string());
            totals.lines += i64::from(counts);
            if counts && line.counts() {
                totals.qty = Qty(totals.qty.0.saturating_add(line.qty));
                totals.gross = Money(totals.gross.0.saturating_add(line.net + line.discount));
                totals.discount = Money(totals.discount.0.saturating_add(line.discount));
                totals.net = Money(totals.net.0.saturating_add(line.net));
            }
            lines.push(SalesLine {
                source: row.source.clone(),
                line_no: line.line_no,
                place,
                parent: u32::try_from(line.parent).ok(),
                receipt_no: receipt_of(line.receipt).map(|of| of.number.clone()),
                service_type: receipt_of(line.receipt)
                    .map(|of| of.service.clone())
                    .filter(|text| !text.is_empty()),
                channel: receipt_of(line.receipt)
                    .map(|of| of.channel.clone())
                    .filter(|text| !text.is_empty()),
                sold_at: moment(date, line.seconds),
                pos_item_name: mapped.as_ref().and_then(|id| names.get(id).cloned()),
                pos_item_id: mapped,
                source_item: item.source_item.to_string(),
                kind: line.kind,
                qty: Qty(line.qty),
                unit_price: Money(line.unit_price),
                discount: Money(line.discount),
                net: Money(line.net),
                revision,
            });
        }
    }
    let span = Span { from: date, to: date };
    let facts = sales::facts::of_days(db, &[store_id], span).await?.into_iter().map(day_facts).collect();
    let tenders = queries::days::tenders(db, store_id, date).await?;
    Ok(SalesDay {
        store: DayStore { id: store_id.to_owned(), name },
        date,
        sources,
        lines,
        totals,
        facts,
        tenders,
    })
}

fn day_facts(day: sales::facts::DayFacts) -> DayFacts {
    let till = day.till;
    let figures = FIELDS.iter().zip(till.facts.0).skip(1).filter(|(_, amount)| *amount != 0);
    DayFacts {
        source: day.source,
        terminal_id: till.terminal,
        receipts: till.receipts,
        pax: till.facts.get(Field::Pax),
        gross: Money(till.gross),
        discounts: Money(till.facts.discounts()),
        returns: Money(till.returns),
        voids: Money(till.voids),
        net: Money(till.net),
        figures: figures
            .map(|(field, amount)| Figure { name: field.label().to_owned(), amount: Money(amount) })
            .collect(),
    }
}

/// Timestamp of a time on a business date.
fn moment(day: BusinessDay, seconds: i32) -> Option<Timestamp> {
    let midnight = (i64::from(day.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * 3_600_000;
    (seconds >= 0).then(|| Timestamp(midnight + i64::from(seconds) * 1_000))
}
