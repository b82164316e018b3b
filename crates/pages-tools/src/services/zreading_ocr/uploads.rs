//! Uploads many pictures as readings, and starts the job that reads them.

use axum::extract::State;
use axum::http::StatusCode;
use futures::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use larder_db::Tx;
use larder_domain::BusinessDay;
use larder_ledgers::readings::unsorted::New;
use larder_ledgers::readings::write::Origin;
use larder_ledgers::readings::{Draft, READ_JOB, SORT_JOB, pictures, unsorted, write};
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
    /// Store of all pictures. If omitted, each is sorted by the machine number it shows; one that no accessible till has
    /// waits for its store.
    pub store_id: Option<String>,
    /// Terminal for all images, with their store. If omitted, it is read from each.
    pub terminal_id: Option<String>,
    /// Business date if a picture has none; defaults to today.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// The result of an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct PicturesUploaded {
    /// The job that reads them (and sorts them, without a store); null if there is nothing to read.
    pub job: Option<String>,
    pub items: Vec<PictureUploaded>,
}

/// The result for a picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PictureUploaded {
    pub file_name: String,
    /// The reading created; null if refused, and without a store.
    pub id: Option<String>,
    /// Without a store: the picture, until it has one.
    pub picture_id: Option<String>,
    /// Whether it was already uploaded.
    pub known: bool,
    /// Why it was refused.
    pub problem: Option<String>,
}

/// Upload up to 50 pictures as `multipart/form-data`, 20 MiB each. Each creates a reading, pending review
/// once read; a picture the store already has creates none. Without a store they are sorted by machine number.
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
    let terminal_id = query.terminal_id.unwrap_or_default();
    if let Some(store) = &store {
        scope::check(Some(store), &who.scope)?;
    } else if !terminal_id.is_empty() {
        return Err(ApiError::field("storeId", "Choose the store of this till."));
    }
    let day = date("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    let place = place(&who).await?;
    let (mut items, kept) = receive_all(&state, body).await?;
    drop(place);
    if items.is_empty() {
        return Err(ApiError::field("pictures", "Choose at least one picture."));
    }
    let job = match store {
        Some(store_id) => {
            let draft = Draft { store_id, terminal_id, business_date: day, ..Draft::default() };
            make_readings(&state, &who, &draft, &kept, &mut items).await?
        }
        None => keep_unsorted(&state, &who, day, &kept, &mut items).await?,
    };
    state.jobs.wake();
    Ok((StatusCode::ACCEPTED, Json(PicturesUploaded { job, items })))
}

/// Creates a reading of each picture, and the job that reads them.
async fn make_readings(
    state: &AppState,
    who: &Who,
    draft: &Draft,
    kept: &[(usize, String)],
    items: &mut [PictureUploaded],
) -> ApiResult<Option<String>> {
    let actor = who.actor();
    let made = state.db.write(&actor, async |tx| {
        let (mut made, mut fresh) = (Vec::new(), Vec::new());
        for (_, picture) in kept {
            let id = state.new_id();
            let reading = write::create(tx, &who.scope, id.clone(), draft, Origin::Picture(picture)).await?;
            let known = reading.id != id;
            if !known {
                fresh.push(id);
            }
            made.push((reading.id, known));
        }
        Ok::<_, ApiError>((made, enqueue(state, tx, READ_JOB, "readings", fresh).await?))
    });
    let (made, job) = made.await?;
    for ((at, _), (id, known)) in kept.iter().zip(made) {
        (items[*at].id, items[*at].known) = (Some(id), known);
    }
    Ok(job)
}

/// Keeps each picture until its store is known, and creates the job that reads them.
async fn keep_unsorted(
    state: &AppState,
    who: &Who,
    day: Option<BusinessDay>,
    kept: &[(usize, String)],
    items: &mut [PictureUploaded],
) -> ApiResult<Option<String>> {
    let stores = &who.stores(None)?;
    let names: Vec<&str> = kept.iter().map(|(at, _)| items[*at].file_name.as_str()).collect();
    let names = &names;
    let actor = who.actor();
    let made = state.db.write(&actor, async |tx| {
        let (mut made, mut fresh) = (Vec::new(), Vec::new());
        for ((_, picture), file_name) in kept.iter().zip(names) {
            let id = state.new_id();
            let new = New { id: id.clone(), picture, file_name, day, stores: stores.clone() };
            let known = unsorted::keep(tx, new).await?.id;
            made.push((known.clone(), known != id));
            if known == id {
                fresh.push(id);
            }
        }
        Ok::<_, ApiError>((made, enqueue(state, tx, SORT_JOB, "pictures", fresh).await?))
    });
    let (made, job) = made.await?;
    for ((at, _), (id, known)) in kept.iter().zip(made) {
        (items[*at].picture_id, items[*at].known) = (Some(id), known);
    }
    Ok(job)
}

/// A job for these ids; none without any.
async fn enqueue(
    state: &AppState,
    tx: &mut Tx<'_>,
    kind: &'static str,
    argument: &str,
    ids: Vec<String>,
) -> ApiResult<Option<String>> {
    if ids.is_empty() {
        return Ok(None);
    }
    let new = NewJob { kind, unique_key: None, args: json!({ argument: ids }) };
    Ok(Some(state.jobs.enqueue(tx, state.new_id(), new).await?))
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
            picture_id: None,
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
