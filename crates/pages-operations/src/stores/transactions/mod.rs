//! `/stores/transactions`: the one book of a store, and what stores send each other and throw away. The documents
//! themselves are [`larder_documents::shipments`] and [`larder_documents::waste`]; here are the book, the rules of waste
//! and the pictures.
//!
//! | file | what it does |
//! |---|---|
//! | `book` | every document that touched a store, the newest first, in pages and as a file |
//! | `kind` | the kinds of entries: whose right shows them, what is still to be done |
//! | `queries` | a bounded read for each kind |
//! | `model` | wire shapes |

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
use larder_platform::http::erased::routes;
use larder_platform::http::guard::Routes;
use larder_platform::http::{ApiResult, Json, Who};

/// The page whose rights running stock asks for.
const STOCK_PAGE: &str = "stores/storeInventory";
/// Entries whose own pages have no file.
const COUNTS_AND_SALES: &[(&str, Action)] =
    &[("stores/storeCount", Export), ("tools/importSalesProduct", Export)];
const IN_FILE: &str = "the file has the entries whose page's files may be taken out";
const PHOTOS: &str = "whoever writes receipts, transfers or waste; the handler asks for one of these rights";

/// The routes of this feature.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<shipments::Transfer>(state).merge(documents::routes::<waste::Waste>(state)).merge(
        Routes::new(state)
            .can(shipments::TRANSACTIONS_PAGE, View, routes!(book::list_store_transactions))
            .can(
                shipments::TRANSACTIONS_PAGE,
                Export,
                routes!(book::export_store_transactions).also(IN_FILE, COUNTS_AND_SALES),
            )
            .can(STOCK_PAGE, View, routes!(book::list_root_items_of_product))
            .can(shipments::TRANSACTIONS_PAGE, View, routes!(get_waste_settings))
            .can(shipments::TRANSACTIONS_PAGE, Approve, routes!(put_waste_settings))
            .any_role(PHOTOS, routes!(photos::upload_document_photo))
            .any_role(PHOTOS, routes!(photos::get_document_photo)),
    )
}

/// Above what it is worth waste waits for approval.
#[utoipa::path(get, path = "/api/stores/waste/settings", tag = "stores waste",
    responses((status = 200, body = WasteSettings)))]
pub(crate) async fn get_waste_settings(State(state): State<AppState>) -> ApiResult<Json<WasteSettings>> {
    Ok(Json(rules::get(&state.db).await?))
}

/// Say above what it is worth waste waits for approval. It holds for all stores, so only who reaches all may say it.
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
