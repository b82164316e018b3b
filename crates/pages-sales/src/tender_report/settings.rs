//! The tolerance of the report's comparisons.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::Money;
use serde::Deserialize;
use utoipa::ToSchema;

use larder_ledgers::sales_settings as book;
use larder_ledgers::sales_settings::Settings;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Settings to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenderSettingsDraft {
    /// The largest difference between two figures that still agree, in pesos: 0 to 10,000.
    tolerance: Money,
    /// The revision it changes.
    revision: i64,
}

/// The tolerance of comparisons.
#[utoipa::path(get, path = "/api/sales/tender-report/settings", tag = "tender report",
    responses((status = 200, body = Settings)))]
pub(crate) async fn get_tender_settings(State(state): State<AppState>, _: Who) -> ApiResult<Json<Settings>> {
    Ok(Json(book::read(&state.db).await?))
}

/// Change the tolerance of comparisons. It holds for all stores, so only users of all stores can change it.
#[utoipa::path(put, path = "/api/sales/tender-report/settings", tag = "tender report",
    request_body = TenderSettingsDraft, responses((status = 200, body = Settings)))]
pub(crate) async fn put_tender_settings(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<TenderSettingsDraft>,
) -> ApiResult<Json<Settings>> {
    if who.stores(None)?.is_some() {
        let words = "This holds for all stores, so only people of all stores can change it.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words));
    }
    let (actor, body) = (who.actor(), &body);
    let kept = state.db.write(&actor, async |tx| book::put(tx, body.tolerance, body.revision).await);
    Ok(Json(kept.await?))
}
