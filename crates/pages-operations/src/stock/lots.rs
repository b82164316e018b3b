//! Stock by lot and place.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use larder_domain::{BusinessDay, Qty};

use super::model::{LotItem, LotPage, LotsQuery};
use super::queries::{self, Filter};
use larder_ledgers::place_stock::{self, LotPlace, Spot};
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
    let unanswered: BTreeSet<Spot> = place_stock::open_recalls(db, &who.scope).await?;
    // A lot that was used up stays in the ledger of a store, since sales do not say which lot they took.
    let in_stock: BTreeSet<Spot> = place_stock::lots_in_stock(db, &who.scope, today).await?;
    let is_asked = |spot: &&Spot| {
        let (_, place) = spot;
        query.place_kind.is_none_or(|kind| place.kind == kind)
            && place_id.as_ref().is_none_or(|id| place.id == *id)
            && (!query.recalled || unanswered.contains(*spot))
    };
    let shown: BTreeSet<&LotKey> = in_stock.union(&unanswered).filter(is_asked).map(|(lot, _)| lot).collect();
    let like = like(query.q.as_deref())?;
    let filter = Filter { product_id: product_id.as_deref(), expires_by, like };
    let (rows, total) = queries::lots(db, &shown, &filter, ((page - 1) * size, size)).await?;

    // How much is there is asked for the rows of this page.
    let keys: BTreeSet<LotKey> = rows.iter().map(|row| (row.product_id.clone(), row.lot.clone())).collect();
    let spots: BTreeSet<Spot> =
        in_stock.union(&unanswered).filter(|(lot, _)| keys.contains(lot)).cloned().collect();
    let mut places: BTreeMap<LotKey, Vec<LotPlace>> = BTreeMap::new();
    for place in place_stock::named(db, place_stock::lots_of_spots(db, &spots, today).await?).await? {
        places.entry((place.product_id.clone(), place.lot.clone())).or_default().push(place);
    }
    let item = |row: queries::LotRow| {
        let places = places.remove(&(row.product_id.clone(), row.lot.clone())).unwrap_or_default();
        item(row, places, today)
    };
    let in_stock: BTreeSet<&LotKey> = in_stock.iter().map(|(lot, _)| lot).collect();
    Ok(Json(LotPage {
        items: rows.into_iter().map(item).collect(),
        total,
        expires_soon: queries::expiring(db, &in_stock, today.plus(SOON)).await?,
        recalled: unanswered.iter().map(|(lot, _)| lot).collect::<BTreeSet<_>>().len() as i64,
    }))
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
