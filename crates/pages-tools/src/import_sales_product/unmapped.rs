//! Posted items without a POS item, and their names in files.

use std::collections::HashMap;

use axum::extract::State;
use larder_db::{Db, DbError};
use larder_domain::sales::UNMAPPED;
use larder_domain::{BusinessDay, Money, Qty, plural};
use serde::Deserialize;
use utoipa::IntoParams;

use super::model::{ResolveItem, UnmappedItem, UnmappedItems};
use super::queries::findings::NameRow;
use super::queries::unmapped as queries;
use larder_ledgers::sales::numbers;
use larder_ledgers::sales_names::Directory;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Query parameters of paging.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct UnmappedQuery {
    /// Page number, from 1.
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<i64>,
    /// Page size: 1 to 200; default 50.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    page_size: Option<i64>,
}

impl UnmappedQuery {
    /// (limit, offset)
    fn limits(&self) -> ApiResult<(i64, i64)> {
        let (page, size) = (self.page.unwrap_or(1), self.page_size.unwrap_or(50));
        if !(1..=1_000_000).contains(&page) {
            return Err(ApiError::field("page", "Enter a whole number from 1 to 1000000."));
        }
        if !(1..=200).contains(&size) {
            return Err(ApiError::field("pageSize", "Enter a whole number from 1 to 200."));
        }
        Ok((size, (page - 1) * size))
    }
}

/// Posted items without a POS item, by page, most sold first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/unmapped", tag = "import sales", params(UnmappedQuery),
    responses((status = 200, body = UnmappedItems)))]
pub(crate) async fn list_unmapped_sales_items(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UnmappedQuery>,
) -> ApiResult<Json<UnmappedItems>> {
    let page = query.limits()?;
    let (rows, total) = queries::sold(&state.db, who.stores(None)?.as_deref(), page).await?;
    let names = written(&state.db, rows.iter().map(|row| key_of(&row.pos_item_id))).await?;
    let by_tills = numbers::written(&state.db).await?;
    let directory = Directory::load(&state.db).await?;
    let suggester = directory.suggester();
    let items: Vec<UnmappedItem> = rows
        .into_iter()
        .map(|row| {
            let key = key_of(&row.pos_item_id).to_owned();
            let by_till = || by_tills.get(&row.pos_item_id).cloned().unwrap_or_else(|| key.clone());
            let name = names.get(&key).map_or_else(by_till, |row| row.name.clone());
            let code = names.get(&key).and_then(|row| row.code.clone());
            let parent = names.get(&key).and_then(|row| row.parent.as_deref());
            UnmappedItem {
                suggestion: suggester.item_or_parent(&name, parent),
                key,
                name,
                code,
                lines: row.lines,
                qty: Qty(row.qty),
                net: Money(row.net),
            }
        })
        .collect();
    let message = format!("{} not mapped.", plural(total, "item is", "items are"));
    Ok(Json(UnmappedItems { total, items, message }))
}

fn key_of(id: &str) -> &str {
    id.strip_prefix(UNMAPPED).unwrap_or(id)
}

/// The names of item keys in files, the latest file last.
async fn written<'a>(
    db: &Db,
    keys: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, NameRow>, DbError> {
    let keys: Vec<&str> = keys.collect();
    let rows = queries::written(db, &keys).await?;
    Ok(rows.into_iter().map(|row| (row.name_key.clone(), row)).collect())
}

/// The names in files of the request's items that are posted and unmapped.
pub(crate) async fn posted_names(db: &Db, items: &[ResolveItem]) -> ApiResult<HashMap<String, NameRow>> {
    let ids: Vec<String> = items.iter().map(|item| format!("{UNMAPPED}{}", item.key)).collect();
    let posted = queries::posted(db, &ids).await?;
    let mut names = written(db, posted.iter().map(|id| key_of(id))).await?;
    let by_tills = numbers::written(db).await?;
    for id in &posted {
        let key = key_of(id);
        names.entry(key.to_owned()).or_insert_with(|| NameRow {
            kind: "item".to_owned(),
            name_key: key.to_owned(),
            name: by_tills.get(id).map_or(key, String::as_str).to_owned(),
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
            parent: None,
        });
    }
    Ok(names)
}
