//! Recording that a till has no reading of a day.

use axum::extract::State;
use larder_domain::{BusinessDay, Span};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::completeness::absences::{self, At};
use larder_ledgers::completeness::{Completeness, DayTills};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Query parameters: the till.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct AbsenceQuery {
    /// Empty or omitted if a reading is due and no till of the store is known.
    pub terminal_id: Option<String>,
}

/// The reason why a till has no reading.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ZAbsenceDraft)]
pub struct AbsenceDraft {
    /// Required, at most 200 characters. It is printed on the monthly report and in the NetSuite export.
    #[serde(default)]
    pub reason: String,
}

/// Record that a till that must have a reading of a day has none and never will.
#[utoipa::path(put, path = "/api/sales/z-reading/absences/{storeId}/{date}", tag = "z-readings",
    params(("storeId" = String, Path), ("date" = BusinessDay, Path), AbsenceQuery), request_body = AbsenceDraft,
    responses((status = 200, body = DayTills)))]
pub(crate) async fn set_z_absence(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, day)): Path<(String, String)>,
    Query(query): Query<AbsenceQuery>,
    Json(draft): Json<AbsenceDraft>,
) -> ApiResult<Json<DayTills>> {
    let day = past(&who, &store_id, &day)?;
    let terminal_id = query.terminal_id.unwrap_or_default();
    let at = At { store_id: &store_id, day, terminal_id: &terminal_id };
    let (actor, reason) = (who.actor(), draft.reason.as_str());
    let written = state.db.write(&actor, async |tx| absences::record(tx, at, Some(reason)).await);
    written.await?;
    shown(&state, &who, (&store_id, day)).await
}

/// Remove the record that a till has no reading of a day.
#[utoipa::path(delete, path = "/api/sales/z-reading/absences/{storeId}/{date}", tag = "z-readings",
    params(("storeId" = String, Path), ("date" = BusinessDay, Path), AbsenceQuery),
    responses((status = 200, body = DayTills)))]
pub(crate) async fn delete_z_absence(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, day)): Path<(String, String)>,
    Query(query): Query<AbsenceQuery>,
) -> ApiResult<Json<DayTills>> {
    let day = past(&who, &store_id, &day)?;
    let terminal_id = query.terminal_id.unwrap_or_default();
    let at = At { store_id: &store_id, day, terminal_id: &terminal_id };
    let actor = who.actor();
    let written = state.db.write(&actor, async |tx| absences::remove(tx, at).await);
    written.await?;
    shown(&state, &who, (&store_id, day)).await
}

/// A day that is over, of a store the caller may access.
fn past(who: &Who, store_id: &str, day: &str) -> ApiResult<BusinessDay> {
    who.check_store(store_id)?;
    match date("date", Some(day)) {
        Ok(Some(day)) if day < BusinessDay::of(who.at) => Ok(day),
        Ok(_) => Err(ApiError::field("date", "Choose a day before today.")),
        Err(error) => Err(ApiError::invalid(vec![error])),
    }
}

async fn shown(state: &AppState, who: &Who, (store, day): (&str, BusinessDay)) -> ApiResult<Json<DayTills>> {
    let span = Span { from: day, to: day };
    let known = Completeness::read(&state.db, &[store.to_owned()], span, BusinessDay::of(who.at)).await?;
    Ok(Json(known.day(store, day).wire(day)))
}
