//! A store's sales on a day.

use std::collections::BTreeMap;

use axum::extract::State;
use larder_domain::{BusinessDay, Money, Qty, Span};

use super::model::{BranchSales, MoreSold, SalesQuery, SalesSoFar, SoldPart};
use super::queries;
use larder_engines::reports::queries::pos_names;
use larder_ledgers::sales::{numbers, sums};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of items listed.
const MOST: usize = 200;
/// Indexes of quantity and net sales among a POS item's measures.
const QTY_AND_NET: [usize; 2] = [0, 2];

/// A store's sales on a day: total, by category and by item.
#[utoipa::path(get, path = "/api/branch-ops/sales", tag = "branch operations", params(SalesQuery),
    responses((status = 200, body = BranchSales)))]
pub(crate) async fn get_branch_sales(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SalesQuery>,
) -> ApiResult<Json<BranchSales>> {
    who.check_store(&query.store_id)?;
    let day = date("date", query.date.as_deref()).map_err(|error| ApiError::invalid(vec![error]))?;
    let day = day.unwrap_or_else(|| BusinessDay::of(who.at));
    let so_far = so_far(&state, &query.store_id, day).await?;
    let (sold, names, ids) = (
        of_day(&state, &query.store_id, day).await?,
        pos_names(&state.db).await?,
        numbers::all(&state.db).await?,
    );
    let mut categories: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    let mut items = Vec::with_capacity(sold.len());
    for (number, [qty, net]) in sold {
        let Some(id) = ids.get(&number) else { continue };
        let sum = categories.entry(names.kind(id).unwrap_or_else(|| "No category".to_owned())).or_default();
        (sum.0, sum.1) = (sum.0.saturating_add(qty), sum.1.saturating_add(net));
        items.push(SoldPart { name: names.name(id), qty: Qty(qty), net: Money(net) });
    }
    let categories = categories.into_iter();
    let mut categories: Vec<SoldPart> =
        categories.map(|(name, (qty, net))| SoldPart { name, qty: Qty(qty), net: Money(net) }).collect();
    for parts in [&mut items, &mut categories] {
        parts.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.name.cmp(&b.name)));
    }
    let rest = items.split_off(items.len().min(MOST));
    let more = (!rest.is_empty()).then(|| MoreSold {
        count: rest.len(),
        qty: Qty(rest.iter().fold(0, |sum, part| sum.saturating_add(part.qty.0))),
        net: Money(rest.iter().fold(0, |sum, part| sum.saturating_add(part.net.0))),
    });
    Ok(Json(BranchSales { date: day, so_far, items, more, categories }))
}

/// A store's sales on a day, compared with the same weekday last week.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn so_far(state: &AppState, store_id: &str, day: BusinessDay) -> ApiResult<SalesSoFar> {
    let total = |sold: Vec<(u32, [i64; 2])>| {
        sold.into_iter().fold((0_i64, 0_i64), |(qty, net), (_, [more, for_how_much])| {
            (qty.saturating_add(more), net.saturating_add(for_how_much))
        })
    };
    let (sold, net) = total(of_day(state, store_id, day).await?);
    let before = day.plus(-7);
    let last_week = match queries::sales_known(&state.db, store_id, before).await? {
        Some(_) => Some(Money(total(of_day(state, store_id, before).await?).1)),
        None => None,
    };
    let up_to = queries::sales_known(&state.db, store_id, day).await?;
    Ok(SalesSoFar { net: Money(net), sold: Qty(sold), last_week, up_to })
}

/// Quantity and net sales of each POS item, by its index.
async fn of_day(state: &AppState, store_id: &str, day: BusinessDay) -> ApiResult<Vec<(u32, [i64; 2])>> {
    let runs = Span { from: day, to: day }.runs();
    let stores = [store_id.to_owned()];
    let sums = sums::together(&state.db, sums::POS, &runs, &stores, QTY_AND_NET).await?;
    Ok(sums.items().collect())
}
