//! What is posted: days per store, tills, names that are not mapped.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_db::{Db, DbError};
use larder_domain::sales::UNMAPPED;
use larder_domain::{BusinessDay, Money, Qty};

use super::directory::Directory;
use super::model::{
    Coverage, CoverageCell, CoverageState, RangeQuery, ResolveItem, StoreCoverage, TerminalRow,
    TerminalSummary, UnmappedItem, UnmappedItems,
};
use super::queries::NameRow;
use crate::AppState;
use crate::http::json::Query;
use crate::http::{ApiError, ApiResult, Json, Who};

/// The longest range of days answered at once.
const MOST_DAYS: i32 = 400;

impl RangeQuery {
    /// First and last day: the last four weeks if nothing is said.
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

    /// The stores asked for, all within reach; `None` is every store.
    fn stores(&self, who: &Who) -> ApiResult<Option<Vec<String>>> {
        let wished: Option<Vec<String>> = self.store_ids.as_ref().map(|ids| {
            ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect()
        });
        who.stores(wished.as_deref().filter(|ids| !ids.is_empty()))
    }
}

#[derive(sqlx::FromRow)]
struct StoreRow {
    id: String,
    name: String,
}

async fn stores(db: &Db, ids: Option<&[String]>) -> Result<Vec<StoreRow>, DbError> {
    match ids {
        None => {
            db.sql("select id, name from locations where not inactive or id in (select distinct store_id from sales_days) order by name_key")
                .all()
                .await
        }
        Some(ids) => {
            db.sql("select id, name from locations where id in ").push_ids(ids).push(" order by name_key").all().await
        }
    }
}

#[derive(sqlx::FromRow)]
struct DayRow {
    store_id: String,
    business_date: BusinessDay,
    batch_id: Option<String>,
    net: i64,
    lines: i64,
    unmapped: i64,
}

/// Which days have sales, store by store.
#[utoipa::path(get, path = "/api/tools/import-sales-product/coverage", tag = "import sales", params(RangeQuery),
    responses((status = 200, body = Coverage)))]
pub async fn get_sales_coverage(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<Coverage>> {
    let (from, to) = query.days(BusinessDay::of(state.now()))?;
    let stores = stores(&state.db, query.stores(&who)?.as_deref()).await?;
    let ids: Vec<&str> = stores.iter().map(|store| store.id.as_str()).collect();
    let rows: Vec<DayRow> = state
        .db
        .sql(
            "select d.store_id, d.business_date, d.batch_id, d.net, d.lines,
                    cast((select count(*) from sales_day_items i where i.store_id = d.store_id
                       and i.business_date = d.business_date and i.source = d.source
                       and i.pos_item_id >= 'unmapped:' and i.pos_item_id < 'unmapped;') as bigint) as unmapped
             from sales_days d
             where d.business_date between $1 and $2 and d.store_id in ",
        )
        .bind(from)
        .bind(to)
        .push_ids(&ids)
        .all()
        .await?;
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

#[derive(sqlx::FromRow)]
struct TillRow {
    store_id: String,
    terminal_id: String,
    days: i64,
    receipts: i64,
    lines: i64,
    qty: i64,
    net: i64,
    first_day: BusinessDay,
    last_day: BusinessDay,
}

/// What each till of each store sold.
#[utoipa::path(get, path = "/api/tools/import-sales-product/terminal-summary", tag = "import sales",
    params(RangeQuery), responses((status = 200, body = TerminalSummary)))]
pub async fn get_terminal_summary(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RangeQuery>,
) -> ApiResult<Json<TerminalSummary>> {
    let (from, to) = query.days(BusinessDay::of(state.now()))?;
    let stores = stores(&state.db, query.stores(&who)?.as_deref()).await?;
    let ids: Vec<&str> = stores.iter().map(|store| store.id.as_str()).collect();
    let rows: Vec<TillRow> = state
        .db
        .sql(
            "select store_id, terminal_id, cast(count(distinct business_date) as bigint) as days,
                    cast(count(*) as bigint) as receipts, cast(sum(lines) as bigint) as lines,
                    cast(sum(qty) as bigint) as qty, cast(sum(net) as bigint) as net,
                    cast(min(business_date) as bigint) as first_day, cast(max(business_date) as bigint) as last_day
             from sales_receipts where business_date between $1 and $2 and store_id in ",
        )
        .bind(from)
        .bind(to)
        .push_ids(&ids)
        .push(" group by store_id, terminal_id order by store_id, terminal_id")
        .all()
        .await?;
    let directory = Directory::load(&state.db).await?;
    let items = rows
        .into_iter()
        .map(|row| {
            let known = row.terminal_id.is_empty() || directory.knows_terminal(&row.terminal_id);
            TerminalRow {
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

#[derive(sqlx::FromRow)]
struct SoldRow {
    pos_item_id: String,
    lines: i64,
    qty: i64,
    net: i64,
}

/// Posted items that no POS item is known for.
#[utoipa::path(get, path = "/api/tools/import-sales-product/unmapped", tag = "import sales",
    responses((status = 200, body = UnmappedItems)))]
pub async fn list_unmapped_sales_items(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<UnmappedItems>> {
    // All stores together have sums of their own.
    let stores = who.stores(None)?.unwrap_or_else(|| vec![larder_domain::sales::ALL_STORES.to_owned()]);
    let rows: Vec<SoldRow> = state
        .db
        .sql(
            "select pos_item_id, cast(sum(lines) as bigint) as lines, cast(sum(qty) as bigint) as qty,
                    cast(sum(net) as bigint) as net
             from sales_rollup_pos
             where grain = 30 and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;' and store_id in ",
        )
        .push_ids(&stores)
        .push(" group by pos_item_id order by 4 desc, 1")
        .all()
        .await?;
    let names = written(&state.db, rows.iter().map(|row| key_of(&row.pos_item_id))).await?;
    let directory = Directory::load(&state.db).await?;
    let suggester = directory.suggester();
    let items: Vec<UnmappedItem> = rows
        .into_iter()
        .map(|row| {
            let key = key_of(&row.pos_item_id).to_owned();
            let name = names.get(&key).map_or_else(|| key.clone(), |row| row.name.clone());
            UnmappedItem {
                suggestion: suggester.item(&name),
                key,
                name,
                lines: row.lines,
                qty: Qty(row.qty),
                net: Money(row.net),
            }
        })
        .collect();
    let message = match items.len() {
        1 => "1 item is not mapped.".to_owned(),
        n => format!("{n} items are not mapped."),
    };
    Ok(Json(UnmappedItems { total: i64::try_from(items.len()).unwrap_or(i64::MAX), items, message }))
}

fn key_of(id: &str) -> &str {
    id.strip_prefix(UNMAPPED).unwrap_or(id)
}

/// How files wrote some item keys, the newest file last.
async fn written<'a>(
    db: &Db,
    keys: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, NameRow>, DbError> {
    let keys: Vec<&str> = keys.collect();
    let rows: Vec<NameRow> = db
        .sql(
            "select n.kind, n.name_key, n.name, n.code, n.category, n.price, n.store_id, n.lines, n.qty, n.net,
                    n.first_day, n.last_day, n.days
             from sales_batch_names n join sales_batches b on b.id = n.batch_id
             where n.kind = 'item' and n.name_key in ",
        )
        .push_ids(&keys)
        .push(" order by b.created_at")
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| (row.name_key.clone(), row)).collect())
}

/// How files wrote the items of a request that are posted and not mapped.
pub async fn posted_names(db: &Db, items: &[ResolveItem]) -> ApiResult<HashMap<String, NameRow>> {
    let ids: Vec<String> = items.iter().map(|item| format!("{UNMAPPED}{}", item.key)).collect();
    let posted: Vec<(String,)> = db
        .sql("select distinct pos_item_id from sales_rollup_pos where store_id = '*' and grain = 30 and pos_item_id in ")
        .push_ids(&ids)
        .all()
        .await?;
    let mut names = written(db, posted.iter().map(|row| key_of(&row.0))).await?;
    for (id,) in &posted {
        let key = key_of(id);
        names.entry(key.to_owned()).or_insert_with(|| NameRow {
            kind: "item".to_owned(),
            name_key: key.to_owned(),
            name: key.to_owned(),
            code: None,
            category: None,
            price: None,
            store_id: None,
            lines: 0,
            qty: 0,
            net: 0,
            first_day: BusinessDay(0),
            last_day: BusinessDay(0),
            days: None,
        });
    }
    Ok(names)
}
