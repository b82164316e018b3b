//! Stock by lot and place.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use larder_domain::{BusinessDay, Qty};

use super::model::{LotItem, LotPage, LotsQuery};
use super::queries::{self, Filter};
use larder_ledgers::place_stock::{LotPlace, lot_places};
use larder_ledgers::stock::trace::LotKey;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, like};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Days before expiry in which a lot «expires soon».
const SOON: i32 = 7;

/// Lots in stock at accessible places, earliest expiry first.
#[utoipa::path(get, path = "/api/stock/lots", tag = "stock", params(LotsQuery),
    responses((status = 200, body = LotPage)))]
pub(crate) async fn list_lots(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<LotsQuery>,
) -> ApiResult<Json<LotPage>> {
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(50));
    if !(1..=1_000_000).contains(&page) {
        return Err(ApiError::field("page", "Pages are counted from 1."));
    }
    if !(1..=200).contains(&size) {
        return Err(ApiError::field("pageSize", "Ask for 1 to 200 a page."));
    }
    let expires_by =
        date("expiresBy", query.expires_by.as_deref()).map_err(|error| ApiError::invalid(vec![error]))?;
    let some = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (product_id, place_id) = (some(&query.product_id), some(&query.place_id));
    let filter = Filter {
        product_id: product_id.as_deref(),
        place_kind: query.place_kind.map(|kind| kind.as_str()),
        place_id: place_id.as_deref(),
        expires_by,
        recalled: query.recalled,
        like: like(query.q.as_deref())?,
        scope: &who.scope,
    };
    let (db, today) = (&state.db, BusinessDay::of(who.at));
    let everywhere = |expires_by, recalled| Filter {
        product_id: None,
        place_kind: None,
        place_id: None,
        expires_by,
        recalled,
        like: None,
        scope: &who.scope,
    };
    let rows = queries::lots(db, &filter, size, (page - 1) * size).await?;
    let keys: BTreeSet<LotKey> = rows.iter().map(|row| (row.product_id.clone(), row.lot.clone())).collect();
    let mut places: BTreeMap<LotKey, Vec<LotPlace>> = BTreeMap::new();
    for place in lot_places(db, &keys, &who.scope, today).await? {
        places.entry((place.product_id.clone(), place.lot.clone())).or_default().push(place);
    }
    let item = |row: queries::LotRow| {
        let places = places.remove(&(row.product_id.clone(), row.lot.clone())).unwrap_or_default();
        LotItem {
            qty: Qty(places.iter().fold(0, |sum, place| sum.saturating_add(place.qty.0))),
            days_left: row.expiry.map(|expiry| i64::from(expiry.0) - i64::from(today.0)),
            places,
            product_id: row.product_id,
            sku: row.sku,
            name: row.name,
            lot: row.lot,
            uom_code: row.uom_code,
            expiry: row.expiry,
            first_seen: row.first_seen,
            recalled_at: row.recalled_at,
            recall_reason: row.recall_reason,
        }
    };
    Ok(Json(LotPage {
        items: rows.into_iter().map(item).collect(),
        total: queries::count(db, &filter).await?,
        expires_soon: queries::count(db, &everywhere(Some(today.plus(SOON)), false)).await?,
        recalled: queries::count(db, &everywhere(None, true)).await?,
    }))
}
