//! What a store still needs before it can order, count and sell.

mod queries;

use axum::extract::State;
use larder_domain::Action::View;
use serde::Serialize;
use utoipa::ToSchema;

use larder_ledgers::store_items;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json, Routes, Who, routes, scope};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).can("stores/storeList", View, routes!(get_store_setup))
}

/// What a store needs, in the order in which it is best set up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreSetup {
    pub store_id: String,
    /// Everything there is to set, done or not.
    pub items: Vec<SetupItem>,
}

/// Something to set for a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupItem {
    pub key: SetupKey,
    pub done: bool,
    /// What the store cannot do without it. Empty if it has a default that works.
    pub needed_for: Vec<StoreWork>,
}

/// What there is to set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SetupKey {
    /// The store's price level.
    PriceLevel,
    /// A kitchen, warehouse or supplier that stores can order from.
    Source,
    /// The days on which a source delivers to the store.
    DeliveryDays,
    /// Products that can be ordered.
    Products,
    /// Items that the store counts.
    Items,
    /// The weekdays on which the store opens; every day unless set.
    OpeningDays,
    /// The store's tills, by which imported sales find it.
    Tills,
    /// Active users with a role and this store among their stores.
    People,
}

/// What a store does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StoreWork {
    Order,
    Count,
    Sell,
}

/// What a store still needs before it can order, count and sell.
#[utoipa::path(get, path = "/api/stores/setup/{storeId}", tag = "stores",
    params(("storeId" = String, Path)), responses((status = 200, body = StoreSetup)))]
pub(crate) async fn get_store_setup(
    State(state): State<AppState>,
    who: Who,
    Path(store_id): Path<String>,
) -> ApiResult<Json<StoreSetup>> {
    use StoreWork::{Count, Order, Sell};
    scope::check(Some(&store_id), &who.scope)?;
    let found = queries::found(&state.db, &store_id).await?.ok_or_else(|| ApiError::not_found("store"))?;
    let counted = store_items::how_many(&state.db, std::slice::from_ref(&store_id)).await?;
    let items: [(SetupKey, i64, &[StoreWork]); 8] = [
        (SetupKey::PriceLevel, found.price_levels, &[Order]),
        (SetupKey::Source, found.sources, &[Order]),
        (SetupKey::DeliveryDays, found.delivery_days, &[Order]),
        (SetupKey::Products, found.products, &[Order]),
        (SetupKey::Items, counted.get(&store_id).copied().unwrap_or_default(), &[Count]),
        (SetupKey::OpeningDays, found.opening_days, &[]),
        (SetupKey::Tills, found.tills, &[Sell]),
        (SetupKey::People, found.people, &[Order, Count]),
    ];
    let item = |(key, count, needed_for): (SetupKey, i64, &[StoreWork])| SetupItem {
        key,
        done: count > 0,
        needed_for: needed_for.to_vec(),
    };
    Ok(Json(StoreSetup { items: items.into_iter().map(item).collect(), store_id }))
}
