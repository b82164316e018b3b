//! Stock by lot and place.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use larder_domain::ledger::Place;
use larder_domain::{BusinessDay, Qty};

use super::model::{LotItem, LotPage, LotsQuery};
use super::queries::{self, Filter};
use larder_ledgers::place_stock::{self, LotAt, LotPlace};
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
    let (db, today) = (&state.db, BusinessDay::of(who.at));
    let unanswered: BTreeSet<Spot> = place_stock::recalls(db, &who.scope, today)
        .await?
        .into_iter()
        .flat_map(|(_, places)| places)
        .map(|place| ((place.product_id, place.lot), Place { kind: place.place_kind, id: place.place_id }))
        .collect();
    // A lot that was used up stays in the ledger of a store, since sales do not say which lot they took.
    let mut there = place_stock::lots_at(db, None, today).await?;
    there.retain(|lot| lot.is_within(&who.scope));
    there.retain(|lot| lot.is_there() || unanswered.contains(&(key(lot), lot.place.clone())));
    let is_asked = |lot: &&LotAt| {
        query.place_kind.is_none_or(|kind| lot.place.kind == kind)
            && place_id.as_ref().is_none_or(|id| lot.place.id == *id)
            && (!query.recalled || unanswered.contains(&(key(lot), lot.place.clone())))
    };
    let shown: BTreeSet<LotKey> = there.iter().filter(is_asked).map(key).collect();
    let like = like(query.q.as_deref())?;
    let filter = Filter { product_id: product_id.as_deref(), expires_by, like };
    let mut rows = queries::lots(db, &filter).await?;
    rows.retain(|row| shown.contains(&(row.product_id.clone(), row.lot.clone())));
    let total = rows.len() as i64;
    let (skipped, size) = (usize::try_from((page - 1) * size), usize::try_from(size));
    let rows: Vec<queries::LotRow> =
        rows.into_iter().skip(skipped.unwrap_or(usize::MAX)).take(size.unwrap_or(0)).collect();

    let in_stock: BTreeSet<LotKey> = there.iter().filter(|lot| lot.is_there()).map(key).collect();
    let soon = queries::expiring(db, today.plus(SOON)).await?;
    let keys: BTreeSet<LotKey> = rows.iter().map(|row| (row.product_id.clone(), row.lot.clone())).collect();
    there.retain(|lot| keys.contains(&key(lot)));
    let mut places: BTreeMap<LotKey, Vec<LotPlace>> = BTreeMap::new();
    for place in place_stock::named(db, there).await? {
        places.entry((place.product_id.clone(), place.lot.clone())).or_default().push(place);
    }
    let item = |row: queries::LotRow| {
        let places = places.remove(&(row.product_id.clone(), row.lot.clone())).unwrap_or_default();
        item(row, places, today)
    };
    Ok(Json(LotPage {
        items: rows.into_iter().map(item).collect(),
        total,
        expires_soon: soon.iter().filter(|lot| in_stock.contains(*lot)).count() as i64,
        recalled: unanswered.iter().map(|(lot, _)| lot).collect::<BTreeSet<_>>().len() as i64,
    }))
}

/// A lot at a place.
type Spot = (LotKey, Place);

fn key(lot: &LotAt) -> LotKey {
    (lot.product_id.clone(), lot.lot.clone())
}

fn item(row: queries::LotRow, places: Vec<LotPlace>, today: BusinessDay) -> LotItem {
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
}
