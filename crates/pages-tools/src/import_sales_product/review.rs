//! Posted data: days by store, and tills.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::sales::{Facts, Field};
use larder_domain::{BusinessDay, Money, Qty, Span};

use super::model::{
    Coverage, CoverageCell, CoverageState, RangeQuery, StoreCoverage, TerminalRow, TerminalSummary,
};
use super::queries::review as queries;
use larder_ledgers::sales::facts;
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of days per request.
const MOST_DAYS: i32 = 400;

impl RangeQuery {
    /// First and last day; defaults to the last four weeks.
    fn days(&self, today: BusinessDay) -> ApiResult<(BusinessDay, BusinessDay)> {
        let to = self.to.or(self.from.map(|from| from.plus(27))).unwrap_or(today);
        let from = self.from.unwrap_or(to.plus(-27));
        if from > to {
            return Err(ApiError::field("from", "The first day must not be after the last."));
        }
        if to.0 - from.0 >= MOST_DAYS {
            return Err(ApiError::field("from", format!("Choose at most {MOST_DAYS} days.")));
        }
        Ok((from, to))
    }

    /// The requested accessible stores; `None` for all.
    fn stores(&self, who: &Who) -> ApiResult<Option<Vec<String>>> {
        let wished: Option<Vec<String>> = self.store_ids.as_ref().map(|ids| {
            ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect()
        });
        who.stores(wished.as_deref().filter(|ids| !ids.is_empty()))
    }
}

/// Days with sales, by store.
#[utoipa::path(get, path = "/api/tools/import-sales-product/coverage", tag = "import sales", params(RangeQuery),
    responses((status = 200, body = Coverage)))]
pub(crate) async fn get_sales_coverage(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<Coverage>> {
    let (from, to) = query.days(BusinessDay::of(state.now()))?;
    let stores = queries::stores(&state.db, query.stores(&who)?.as_deref()).await?;
    let ids: Vec<&str> = stores.iter().map(|store| store.id.as_str()).collect();
    let rows = queries::store_days(&state.db, &ids, from, to).await?;
    let days: Vec<BusinessDay> = (from.0..=to.0).map(BusinessDay).collect();
    let empty = |day: BusinessDay| CoverageCell {
        day,
        state: CoverageState::None,
        net: Money::ZERO,
        lines: 0,
        batch_id: None,
    };
    let mut cells: BTreeMap<(String, BusinessDay), CoverageCell> = BTreeMap::new();
    for row in rows {
        let cell = cells.entry((row.store_id, row.business_date)).or_insert_with(|| empty(row.business_date));
        cell.net = Money(cell.net.0.saturating_add(row.net));
        cell.lines += row.lines;
        cell.batch_id = row.batch_id.or(cell.batch_id.take());
        cell.state = match cell.state {
            CoverageState::Partial => CoverageState::Partial,
            _ if row.unmapped > 0 => CoverageState::Partial,
            _ => CoverageState::Posted,
        };
    }
    let stores = stores
        .into_iter()
        .map(|store| StoreCoverage {
            cells: days
                .iter()
                .map(|day| cells.remove(&(store.id.clone(), *day)).unwrap_or_else(|| empty(*day)))
                .collect(),
            id: store.id,
            name: store.name,
        })
        .collect();
    Ok(Json(Coverage { days, stores }))
}

/// Sales by store and till.
#[utoipa::path(get, path = "/api/tools/import-sales-product/terminal-summary", tag = "import sales",
    params(RangeQuery), responses((status = 200, body = TerminalSummary)))]
pub(crate) async fn get_terminal_summary(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<TerminalSummary>> {
    let (from, to) = query.days(BusinessDay::of(state.now()))?;
    let stores = queries::stores(&state.db, query.stores(&who)?.as_deref()).await?;
    let ids: Vec<&str> = stores.iter().map(|store| store.id.as_str()).collect();
    let rows = queries::tills(&state.db, &ids, from, to).await?;
    let directory = Directory::load(&state.db).await?;
    let mut said: HashMap<(String, String), Facts> = HashMap::new();
    for day in facts::counted(&state.db, &ids, Span { from, to }).await? {
        said.entry((day.store_id, day.till.terminal)).or_default().add(&day.till.facts);
    }
    let items = rows
        .into_iter()
        .map(|row| {
            let known = row.terminal_id.is_empty() || directory.knows_terminal(&row.terminal_id);
            let facts = said.get(&(row.store_id.clone(), row.terminal_id.clone()));
            TerminalRow {
                discounts: facts.map(|facts| Money(facts.discounts())),
                vat: facts.map(|facts| Money(facts.get(Field::Vat))),
                service_charge: facts.map(|facts| Money(facts.get(Field::ServiceCharge))),
                pax: facts.map(|facts| facts.get(Field::Pax)),
                store_name: directory.store_name(&row.store_id).unwrap_or_default().to_owned(),
                store_id: row.store_id,
                message: (!known).then(|| format!("Unknown terminal {}.", row.terminal_id)),
                terminal_id: row.terminal_id,
                known,
                days: row.days,
                receipts: row.receipts,
                lines: row.lines,
                qty: Qty(row.qty),
                net: Money(row.net),
                first: row.first_day,
                last: row.last_day,
            }
        })
        .collect();
    Ok(Json(TerminalSummary { items }))
}
