//! Everything that counting needs where there is no signal, in one answer.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_domain::count::Session;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::entries::of_day;
use super::model::{CountEntry, CountSettings, StoreQuery, named};
use super::{queries, store};
use crate::AppState;
use crate::books::counts as book;
use crate::http::json::Query;
use crate::http::{ApiError, ApiResult, Json, Who};

/// Everything a count needs offline.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountWarmUp {
    /// The store.
    pub store: CountStore,
    /// Today, in the house.
    pub today: BusinessDay,
    /// The day before.
    pub yesterday: BusinessDay,
    /// The day whose count would be taken now: after midnight still the one that is closing.
    pub counting_date: BusinessDay,
    /// And its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counting_session: Option<Session>,
    /// The server's time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_time: Option<Timestamp>,
    /// How the store counts.
    pub settings: CountSettings,
    /// What is counted, in the order of the sheet.
    pub items: Vec<book::Item>,
    /// The last known count of each item before today.
    pub previous: Vec<PreviousCount>,
    /// Today's and yesterday's counts.
    pub entries: Vec<CountEntry>,
}

/// A store, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountStore {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// What was counted before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousCount {
    /// On this day.
    pub date: BusinessDay,
    /// In this session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// Of this item.
    pub item_id: String,
    /// As many.
    pub qty: Qty,
}

/// Everything a count of a store needs offline. With `If-None-Match`, 304 while nothing of it has changed.
#[utoipa::path(get, path = "/api/stores/count/warm-up", tag = "counts", params(StoreQuery),
    responses((status = 200, body = CountWarmUp), (status = 304)))]
pub async fn warm_up_counts(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Query(query): Query<StoreQuery>,
) -> ApiResult<Response> {
    let store_id = store(&who, query.store_id.as_deref())?;
    let name = queries::store_name(&state.db, store_id).await?.ok_or_else(|| ApiError::not_found("store"))?;
    let now = state.now();
    let today = BusinessDay::of(now);
    let yesterday = today.plus(-1);
    let stored = book::settings_of(&state.db, store_id).await?;
    let (counting_date, session) = stored.settings.counting_at(now);
    let items = book::visible(&state.db, store_id).await?;
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let known = book::last_known(&state.db, store_id, &ids, today).await?;
    let (mut entries, _) = of_day(&state, store_id, yesterday).await?;
    entries.extend(of_day(&state, store_id, today).await?.0);
    let previous = known.into_iter().map(|(item_id, date, session, qty)| PreviousCount {
        date,
        session: named(session),
        item_id,
        qty,
    });
    let mut answer = CountWarmUp {
        store: CountStore { id: store_id.to_owned(), name },
        today,
        yesterday,
        counting_date,
        counting_session: named(session),
        server_time: None,
        settings: CountSettings::of(store_id, stored),
        previous: previous.collect(),
        items,
        entries,
    };
    // The time changes with every answer, and nothing else of it need have.
    let tag = tag(&answer)?;
    let unchanged = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|it| it.to_str().ok())
        .is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let etag = HeaderValue::from_str(&tag).map_err(ApiError::internal)?;
    let kept = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if unchanged {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag), kept]).into_response());
    }
    answer.server_time = Some(now);
    Ok(([(header::ETAG, etag), kept], Json(answer)).into_response())
}

fn tag(answer: &CountWarmUp) -> ApiResult<String> {
    let text = serde_json::to_vec(answer).map_err(ApiError::internal)?;
    let hash: String = Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("\"{hash}\""))
}
