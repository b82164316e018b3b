//! Creating, reading and changing a reading.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_domain::zreading::FLOW;
use serde_json::{Map, Value, json};

use super::model::{ZReading, whole};
use larder_ledgers::readings;
use larder_ledgers::readings::write;
use larder_ledgers::readings::write::Origin;
use larder_ledgers::readings::{Draft, READ_JOB, Reading, pictures};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::scope::authorize_store;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::jobs::NewJob;

/// Enter a reading, or create one from an uploaded picture (`picture` is its id): the picture is read at once
/// and the result is pending review.
#[utoipa::path(post, path = "/api/sales/z-reading", tag = "z-readings", request_body = Draft,
    responses((status = 201, body = ZReading)))]
pub(crate) async fn create_z_reading(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<ZReading>)> {
    let key = Key::of(&headers, "create_z_reading".to_owned(), &body)?;
    let picture = match body.remove("picture") {
        None | Some(Value::Null) => None,
        Some(Value::String(picture)) if pictures::is_picture(&picture) => Some(picture),
        Some(_) => return Err(ApiError::field("picture", "Send the picture first.")),
    };
    if let Some(picture) = &picture
        && state.files.open(&pictures::key(picture, Default::default())).await.is_err()
    {
        return Err(ApiError::field("picture", "The picture did not arrive. Send it again."));
    }
    body.remove("photos");
    let draft = Draft::of(body)?;
    let (state_of, who_of, draft, picture) = (&state, &who, &draft, picture.as_deref());
    let made = once(&state.db, &who.actor(), key.as_ref(), async |tx| {
        let id = state_of.new_id();
        let origin = picture.map_or(Origin::Typed, Origin::Picture);
        let made = write::create(tx, &who_of.scope, id.clone(), draft, origin).await?;
        if picture.is_some() && made.id == id {
            state_of.jobs.enqueue(tx, state_of.new_id(), read_job(&id)).await?;
        }
        Ok(json!({ "id": made.id }))
    })
    .await?;
    state.jobs.wake();
    let id = made["id"].as_str().unwrap_or_default();
    let reading = readings::find(&state.db, id).await?.ok_or_else(|| ApiError::not_found(FLOW.one))?;
    Ok((StatusCode::CREATED, Json(whole(&state, reading).await?)))
}

/// The job that reads a reading's picture.
pub(super) fn read_job(id: &str) -> NewJob {
    NewJob { kind: READ_JOB, unique_key: None, args: json!({ "readings": [id] }) }
}

async fn find(state: &AppState, who: &Who, id: &str) -> ApiResult<Reading> {
    let id = known_id(id, FLOW.one)?;
    authorize_store(readings::find(&state.db, id).await?, FLOW.one, &who.scope)
}

/// A reading with everything it is compared with.
#[utoipa::path(get, path = "/api/sales/z-reading/{id}", tag = "z-readings", params(("id" = String, Path)),
    responses((status = 200, body = ZReading)))]
pub(crate) async fn get_z_reading(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ZReading>> {
    let reading = find(&state, &who, &id).await?;
    Ok(Json(whole(&state, reading).await?))
}

/// Change fields of an unverified reading. The body has `revision` and the changed fields.
#[utoipa::path(patch, path = "/api/sales/z-reading/{id}", tag = "z-readings", params(("id" = String, Path)),
    request_body = Draft, responses((status = 200, body = ZReading)))]
pub(crate) async fn update_z_reading(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<Json<ZReading>> {
    // Access to the record is checked before the request is validated.
    find(&state, &who, &id).await?;
    let revision = body.remove("revision").and_then(|revision| revision.as_i64());
    let revision = revision.ok_or_else(|| ApiError::field("revision", "Send the revision you saw."))?;
    let (actor, id, body, scope) = (who.actor(), &id, &body, &who.scope);
    let changed =
        state.db.write(&actor, async |tx| write::update(tx, scope, id, revision, body.clone()).await);
    let reading = changed.await?;
    Ok(Json(whole(&state, reading).await?))
}
