//! Actions on a reading.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::model::{ZReading, whole};
use super::one::read_job;
use larder_ledgers::readings::write::Said;
use larder_ledgers::readings::{waiting, write};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Parameters of an action.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = TakeReadingStep)]
pub struct TakeStep {
    /// The revision the caller saw; the current one if omitted.
    pub revision: Option<i64>,
    /// Reason for a dispute, or for verifying or reconciling despite a failed check.
    pub reason: Option<String>,
    /// On verifying: the user was told that the imported sales differ.
    pub sales_seen: bool,
}

async fn take(
    state: &AppState,
    who: &Who,
    id: &str,
    step: &str,
    body: &TakeStep,
) -> ApiResult<Json<ZReading>> {
    let (actor, scope) = (who.actor(), &who.scope);
    let said = Said { revision: body.revision, reason: body.reason.as_deref(), sales_seen: body.sales_seen };
    let taken = state.db.write(&actor, async |tx| write::take(tx, scope, id, step, said).await);
    let reading = taken.await?;
    // What waits is judged with what is known now. The step was taken whatever comes of it.
    if step != "reconcile" {
        let (store_id, terminal_id, of) = (&reading.store_id, &reading.terminal_id, reading.business_date);
        let again =
            state.db.write(&actor, async |tx| waiting::judge_again(tx, store_id, terminal_id, of).await);
        if let Err(refusal) = again.await {
            tracing::warn!(%refusal, id, "the pictures of this till that wait were not judged again");
        }
    }
    Ok(Json(whole(state, reading).await?))
}

macro_rules! steps {
    ($($(#[doc = $doc:literal])+ $name:ident $step:literal $path:literal)+) => {$(
        $(#[doc = $doc])+
        #[utoipa::path(post, path = $path, tag = "z-readings", params(("id" = String, Path)), request_body = TakeStep,
            responses((status = 200, body = ZReading)))]
        pub async fn $name(
            State(state): State<AppState>,
            who: Who,
            Path(id): Path<String>,
            Json(body): Json<TakeStep>,
        ) -> ApiResult<Json<ZReading>> {
            take(&state, &who, &id, $step, &body).await
        }
    )+};
}

steps! {
    /// Verify a reading. Refused with every failed check, naming both figures, unless a reason is given; and with 409
    /// `salesDiffer` if the imported sales differ, unless `salesSeen` is true or the same difference was seen before.
    verify_z_reading "verify" "/api/sales/z-reading/{id}/verify"
    /// Dispute a reading, with a reason.
    dispute_z_reading "dispute" "/api/sales/z-reading/{id}/dispute"
    /// Reconcile a verified reading with the day's imported sales; if they differ, with a reason.
    reconcile_z_reading "reconcile" "/api/sales/z-reading/{id}/reconcile"
    /// Return a reading to review.
    reopen_z_reading "reopen" "/api/sales/z-reading/{id}/reopen"
    /// Discard a picture that is not a reading, or a duplicate.
    discard_z_reading "discard" "/api/sales/z-reading/{id}/discard"
}

/// Read the picture of a reading again, after its till's layout was taught. Overwrites entered values.
#[utoipa::path(post, path = "/api/sales/z-reading/{id}/read", tag = "z-readings", params(("id" = String, Path)),
    request_body = TakeStep, responses((status = 200, body = ZReading)))]
pub(crate) async fn read_z_reading_again(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<TakeStep>,
) -> ApiResult<Json<ZReading>> {
    let (actor, scope, state_of) = (who.actor(), &who.scope, &state);
    let taken = state.db.write(&actor, async |tx| {
        let reading = write::read_again(tx, scope, &id, body.revision).await?;
        state_of.jobs.enqueue(tx, state_of.new_id(), read_job(&reading.id)).await?;
        Ok::<_, ApiError>(reading)
    });
    let reading = taken.await?;
    state.jobs.wake();
    Ok(Json(whole(&state, reading).await?))
}
