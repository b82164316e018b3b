//! `/stores/transactions`: the store ledger, transfers and waste. The documents themselves are
//! [`larder_documents::shipments`] and [`larder_documents::waste`]; this is the ledger view, the waste
//! settings and the pictures.
//!
//! | file | what it does |
//! |---|---|
//! | `book` | every document of a store, newest first, in pages and as a file |
//! | `kind` | entry types: required permissions, final states |
//! | `queries` | a bounded query per type |
//! | `model` | requests and responses |

mod book;
mod kind;
mod model;
mod queries;

use axum::extract::State;
use larder_domain::Action::{self, Approve, Export, View};

use larder_documents as documents;
use larder_documents::waste::settings::WasteSettings;
use larder_documents::{photos, rules, shipments, waste};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;
use larder_platform::http::{ApiResult, Json, Who};

/// The page whose permission running stock needs.
const STOCK_PAGE: &str = "stores/storeInventory";
/// Permissions of entries whose own pages have no export.
const COUNTS_AND_SALES: &[(&str, Action)] =
    &[("stores/storeCount", Export), ("tools/importSalesProduct", Export)];
const IN_FILE: &str = "the file has the entries whose page's files may be taken out";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Transfer>(state)
        .merge(documents::routes::<waste::Waste>(state))
        .merge(
            Routes::new(state)
                .can(shipments::TRANSACTIONS_PAGE, View, routes!(book::list_store_transactions))
                .can(
                    shipments::TRANSACTIONS_PAGE,
                    Export,
                    routes!(book::export_store_transactions).also(IN_FILE, COUNTS_AND_SALES),
                )
                .can(STOCK_PAGE, View, routes!(book::list_root_items_of_product))
                .can(shipments::TRANSACTIONS_PAGE, View, routes!(get_waste_settings))
                .can(shipments::TRANSACTIONS_PAGE, Approve, routes!(put_waste_settings)),
        )
        .merge(photos::routes(state))
}

/// The value above which waste needs approval.
#[utoipa::path(get, path = "/api/stores/waste/settings", tag = "stores waste",
    responses((status = 200, body = WasteSettings)))]
pub(crate) async fn get_waste_settings(State(state): State<AppState>) -> ApiResult<Json<WasteSettings>> {
    Ok(Json(rules::get(&state.db).await?))
}

/// Set the value above which waste needs approval. It applies to all stores, so it needs access to all.
#[utoipa::path(put, path = "/api/stores/waste/settings", tag = "stores waste", request_body = WasteSettings,
    responses((status = 200, body = WasteSettings)))]
pub(crate) async fn put_waste_settings(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<WasteSettings>,
) -> ApiResult<Json<WasteSettings>> {
    let actor = who.actor();
    Ok(Json(state.db.write(&actor, async |tx| rules::put(tx, &who, &body).await).await?))
}
