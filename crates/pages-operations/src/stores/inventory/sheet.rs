//! The count sheet for printing.

use axum::extract::State;
use larder_domain::BusinessDay;

use super::model::{CountSheet, SheetItem, SheetPack, SheetQuery};
use super::store;
use crate::stores::marks;
use larder_ledgers::{counts, store_items};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};

/// The items a store counts, in sheet order.
#[utoipa::path(get, path = "/api/stores/inventory/sheet", tag = "store inventory", params(SheetQuery),
    responses((status = 200, body = CountSheet)))]
pub(crate) async fn get_count_sheet(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SheetQuery>,
) -> ApiResult<Json<CountSheet>> {
    let store = store(&state, &who, query.store_id.as_deref()).await?;
    let items = store_items::visible(&state.db, &store.id).await?;
    let (today, blind) =
        (BusinessDay::of(who.at), counts::settings_of(&state.db, &store.id).await?.settings.blind);
    let marks = marks::of(&state.db, &store.id, today, blind).await?;
    let line = |item: store_items::CountedItem| SheetItem {
        packs: item
            .packs
            .0
            .into_iter()
            .filter_map(|pack| Some(SheetPack { uom_code: pack.uom_code?, factor: pack.factor }))
            .collect(),
        marked: item.root_item_id.as_ref().and_then(|root| marks.get(root)).cloned(),
        id: item.id,
        name: item.name,
        code: item.code,
        uom_code: item.uom_code,
        storage_area: item.storage_area,
        barcode: item.barcode,
    };
    Ok(Json(CountSheet {
        store_id: store.id,
        store_name: store.name,
        store_code: store.code,
        date: today,
        items: items.into_iter().map(line).collect(),
    }))
}
