//! Count settings of stores.

use axum::extract::State;
use larder_domain::count::Settings;

use super::model::{BulkCountSettings, ChangedStores, CountSettings, CountSettingsChange};
use super::queries;
use larder_ledgers::counts as book;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of stores changed at once.
const MAX_STORES: usize = 1_000;

/// Count settings of a store.
#[utoipa::path(get, path = "/api/stores/count/settings/{storeId}", tag = "counts",
    params(("storeId" = String, Path)), responses((status = 200, body = CountSettings)))]
pub(crate) async fn get_count_settings(
    State(state): State<AppState>,
    _who: Who,
    Path(store_id): Path<String>,
) -> ApiResult<Json<CountSettings>> {
    known(&state, &[known_id(&store_id, "store")?]).await?;
    let stored = book::settings_of(&state.db, &store_id).await?;
    Ok(Json(CountSettings::of(&store_id, stored)))
}

/// Change a store's count settings. Omitted fields stay unchanged.
#[utoipa::path(put, path = "/api/stores/count/settings/{storeId}", tag = "counts",
    params(("storeId" = String, Path)), request_body = CountSettingsChange,
    responses((status = 200, body = CountSettings)))]
pub(crate) async fn put_count_settings(
    State(state): State<AppState>,
    who: Who,
    Path(store_id): Path<String>,
    Json(change): Json<CountSettingsChange>,
) -> ApiResult<Json<CountSettings>> {
    known(&state, &[known_id(&store_id, "store")?]).await?;
    let (ids, merged) = (&[store_id.as_str()], &change);
    state
        .db
        .write(&who.actor(), async |tx| {
            book::change_settings(tx, ids, merged.revision, |settings| merge(settings, merged)).await
        })
        .await?;
    let stored = book::settings_of(&state.db, &store_id).await?;
    Ok(Json(CountSettings::of(&store_id, stored)))
}

/// Make the same change for several stores: for all, or for none if one fails.
#[utoipa::path(post, path = "/api/stores/count/settings/bulk", tag = "counts", request_body = BulkCountSettings,
    responses((status = 200, body = ChangedStores)))]
pub(crate) async fn change_count_settings(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<BulkCountSettings>,
) -> ApiResult<Json<ChangedStores>> {
    let mut ids: Vec<&str> = body.store_ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    ids.dedup();
    if !(1..=MAX_STORES).contains(&ids.len()) {
        return Err(ApiError::field("storeIds", "Choose 1 to 1,000 stores."));
    }
    for id in &ids {
        who.check_store(id)?;
        known_id(id, "store")?;
    }
    known(&state, &ids).await?;
    let (stores, change) = (&ids, &body.change);
    state
        .db
        .write(&who.actor(), async |tx| {
            book::change_settings(tx, stores, None, |settings| merge(settings, change)).await
        })
        .await?;
    Ok(Json(ChangedStores { stores: ids.len() }))
}

async fn known(state: &AppState, ids: &[&str]) -> ApiResult<()> {
    if queries::stores(&state.db, ids).await? < ids.len() as i64 {
        return Err(ApiError::not_found("store"));
    }
    Ok(())
}

fn merge(settings: &mut Settings, change: &CountSettingsChange) {
    fn set<T: Copy>(field: &mut T, to: Option<T>) {
        *field = to.unwrap_or(*field);
    }
    set(&mut settings.restrict_date, change.restrict_date);
    set(&mut settings.time_lock_enabled, change.time_lock_enabled);
    set(&mut settings.enforce_time_window, change.enforce_time_window);
    set(&mut settings.auto_session_by_time, change.auto_session_by_time);
    set(&mut settings.user_lock_enabled, change.user_lock_enabled);
    set(&mut settings.blind, change.blind);
    set(&mut settings.opening.from, change.opening_from);
    set(&mut settings.opening.to, change.opening_to);
    set(&mut settings.closing.from, change.closing_from);
    set(&mut settings.closing.to, change.closing_to);
    set(&mut settings.outlier_factor, change.outlier_factor);
}
