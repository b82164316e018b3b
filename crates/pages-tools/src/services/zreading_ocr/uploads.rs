//! Uploads many pictures as readings, and starts the job that reads them.

use axum::extract::State;
use axum::http::StatusCode;
use futures::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::readings::write;
use larder_ledgers::readings::write::Origin;
use larder_ledgers::readings::{Draft, READ_JOB, pictures};
use larder_platform::AppState;
use larder_platform::files::pictures::{place, spool};
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::upload::Multipart;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};
use larder_platform::jobs::NewJob;

/// Maximum number of pictures per upload, and maximum size of one.
const MOST: usize = 50;
const MOST_BYTES: usize = 20 << 20;

/// Query parameters: store and till.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UploadsQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// Terminal for all images. If omitted, it is read from each.
    pub terminal_id: Option<String>,
    /// Business date if a picture has none; defaults to today.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// The result of an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct PicturesUploaded {
    /// The job that reads them; null if there is nothing to read.
    pub job: Option<String>,
    pub items: Vec<PictureUploaded>,
}

/// The result for a picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PictureUploaded {
    pub file_name: String,
    /// The reading created; null if refused.
    pub id: Option<String>,
    /// Whether it was already uploaded.
    pub known: bool,
    /// Why it was refused.
    pub problem: Option<String>,
}

/// Upload up to 50 pictures as `multipart/form-data`, 20 MiB each. Each creates a reading, pending review
/// once read; a picture the store already has creates none.
#[utoipa::path(post, path = "/api/tools/services/zreading-ocr/uploads", tag = "z-readings", params(UploadsQuery),
    request_body(content = Vec<u8>, content_type = "multipart/form-data"),
    responses((status = 202, body = PicturesUploaded)))]
pub(crate) async fn upload_z_reading_pictures(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadsQuery>,
    Multipart(body): Multipart,
) -> ApiResult<(StatusCode, Json<PicturesUploaded>)> {
    let store = query.store_id.filter(|id| !id.is_empty());
    let store = store.ok_or_else(|| ApiError::field("storeId", "Choose a store."))?;
    scope::check(Some(&store), &who.scope)?;
    let day = date("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    let draft = Draft {
        store_id: store,
        terminal_id: query.terminal_id.unwrap_or_default(),
        business_date: day,
        ..Draft::default()
    };
    let place = place(&who).await?;
    let (mut items, kept) = receive_all(&state, body).await?;
    drop(place);
    if items.is_empty() {
        return Err(ApiError::field("pictures", "Choose at least one picture."));
    }
    let (actor, state_of, who_of, draft, kept) = (who.actor(), &state, &who, &draft, &kept);
    let made = state.db.write(&actor, async |tx| {
        let (mut made, mut fresh) = (Vec::new(), Vec::new());
        for (_, picture) in kept {
            let id = state_of.new_id();
            let reading =
                write::create(tx, &who_of.scope, id.clone(), draft, Origin::Picture(picture)).await?;
            let known = reading.id != id;
            if !known {
                fresh.push(id);
            }
            made.push((reading.id, known));
        }
        let mut job = None;
        if !fresh.is_empty() {
            let new = NewJob { kind: READ_JOB, unique_key: None, args: json!({ "readings": fresh }) };
            job = Some(state_of.jobs.enqueue(tx, state_of.new_id(), new).await?);
        }
        Ok::<_, ApiError>((made, job))
    });
    let (made, job) = made.await?;
    state.jobs.wake();
    for ((at, _), (id, known)) in kept.iter().zip(made) {
        (items[*at].id, items[*at].known) = (Some(id), known);
    }
    Ok((StatusCode::ACCEPTED, Json(PicturesUploaded { job, items })))
}

/// Receives the pictures one by one; an error is reported for its file and does not stop the others.
async fn receive_all(
    state: &AppState,
    mut body: axum::extract::Multipart,
) -> ApiResult<(Vec<PictureUploaded>, Vec<(usize, String)>)> {
    let broken = |error: axum::extract::multipart::MultipartError| {
        ApiError::bad_request(format!("The upload stopped: {error}. Upload the pictures again."))
    };
    let (mut items, mut kept) = (Vec::new(), Vec::new());
    while let Some(mut part) = body.next_field().await.map_err(broken)? {
        let Some(name) = part.file_name().map(str::to_owned) else { continue };
        if items.len() == MOST {
            return Err(ApiError::field("pictures", format!("Send at most {MOST} pictures at once.")));
        }
        let outcome = match spool(&mut part, MOST_BYTES).await {
            Ok(upload) => pictures::keep(&state.files, upload).await,
            // The rest of an oversized file is skipped to reach the next one.
            Err(refusal) if refusal.code == "tooLarge" => {
                while part.try_next().await.map_err(broken)?.is_some() {}
                Err(refusal)
            }
            Err(refusal) => return Err(refusal),
        };
        let mut item = PictureUploaded {
            file_name: name.chars().filter(|c| !c.is_control()).take(200).collect(),
            id: None,
            known: false,
            problem: None,
        };
        match outcome {
            Ok(picture) => kept.push((items.len(), picture)),
            Err(refusal) if refusal.status.is_server_error() => return Err(refusal),
            Err(refusal) => item.problem = Some(refusal.detail),
        }
        items.push(item);
    }
    Ok((items, kept))
}
