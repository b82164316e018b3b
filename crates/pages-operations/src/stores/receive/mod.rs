//! `/stores/receive`: receipts of stores. The document itself is [`larder_documents::receipts`]; this lists
//! expected deliveries.

mod expected;

use axum::extract::State;
use larder_domain::Action;

use larder_documents as documents;
use larder_documents::receipts::settings::ReceivingSettings;
use larder_documents::{receipts, rules};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::guard::Routes;
use larder_platform::http::{ApiResult, Json, Who};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    documents::routes::<receipts::Receipt>(state).merge(
        Routes::new(state)
            .can(receipts::PAGE, Action::View, routes!(expected::list_expected_deliveries))
            .can(receipts::PAGE, Action::View, routes!(get_receiving_settings))
            .can(receipts::PAGE, Action::Approve, routes!(put_receiving_settings)),
    )
}

/// The over-receipt limit.
#[utoipa::path(get, path = "/api/stores/receive/settings", tag = "stores receive",
    responses((status = 200, body = ReceivingSettings)))]
pub(crate) async fn get_receiving_settings(
    State(state): State<AppState>,
) -> ApiResult<Json<ReceivingSettings>> {
    Ok(Json(rules::get(&state.db).await?))
}

/// Set the over-receipt limit. It applies to all stores, so it needs access to all.
#[utoipa::path(put, path = "/api/stores/receive/settings", tag = "stores receive", request_body = ReceivingSettings,
    responses((status = 200, body = ReceivingSettings)))]
pub(crate) async fn put_receiving_settings(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<ReceivingSettings>,
) -> ApiResult<Json<ReceivingSettings>> {
    let actor = who.actor();
    Ok(Json(state.db.write(&actor, async |tx| rules::put(tx, &who, &body).await).await?))
}
