//! Pictures attached to store documents. They are uploaded before their document: a device takes them offline
//! and sends both later, each possibly several times.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use larder_db::{Db, Json as Kept, Tx};
use larder_domain::Action;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{receipts, shipments};
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::files::pictures;
use larder_platform::files::pictures::PictureSize;
use larder_platform::http::guard::Routes;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::is_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who, routes, scope};

const WRITERS: &str =
    "writers of receipts, transfers or waste; the handler requires one of these permissions";

/// Uploading and reading pictures.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role(WRITERS, routes!(upload_document_photo))
        .any_role(WRITERS, routes!(get_document_photo))
}

/// Most pictures of a document.
const MOST: usize = 20;

/// Pictures a document refers to.
pub struct Photos<'a> {
    pub store_id: &'a str,
    pub ids: &'a [String],
}

/// The ids, if all of them are pictures of the store.
///
/// # Errors
/// 422 at `photos` otherwise.
pub async fn check(tx: &mut Tx<'_>, photos: Photos<'_>) -> ApiResult<Vec<String>> {
    let mut ids: Vec<String> = Vec::with_capacity(photos.ids.len());
    for id in photos.ids {
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    if ids.len() > MOST {
        return Err(ApiError::field("photos", format!("Send at most {MOST} pictures.")));
    }
    if ids.is_empty() {
        return Ok(ids);
    }
    let known: i64 = tx
        .sql("select cast(count(*) as bigint) from document_photos where store_id = ")
        .push_bind(photos.store_id)
        .push(" and id in ")
        .push_ids(&ids)
        .scalar()
        .await?;
    if known < ids.len() as i64 {
        return Err(ApiError::field("photos", "A picture did not arrive. Send it again."));
    }
    Ok(ids)
}

/// Store and client-side id.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PhotoQuery {
    store_id: String,
    /// A client-side id, so that a retried upload is stored once.
    id: Option<String>,
}

/// An uploaded picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentPhoto {
    pub id: String,
}

/// Which size.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PhotoSize {
    #[param(inline)]
    size: Option<PictureSize>,
}

/// The page of cash declarations and deposit slips.
const CASH_PAGE: &str = "sales/tenderReport";

/// Whether a user may write documents with pictures.
fn may(who: &Who, action: Action) -> bool {
    [receipts::PAGE, shipments::TRANSACTIONS_PAGE, CASH_PAGE].into_iter().any(|page| who.can(page, action))
}

/// Upload a picture for a receipt, a waste report, a cash declaration or a deposit: JPEG, PNG, WebP or GIF.
/// Repeating an id changes nothing.
#[utoipa::path(post, path = "/api/stores/photos", tag = "stores photos", params(PhotoQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = DocumentPhoto), (status = 200, body = DocumentPhoto)))]
pub(crate) async fn upload_document_photo(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PhotoQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<DocumentPhoto>)> {
    if !may(&who, Action::Edit) {
        return Err(ApiError::may_not("You may not add photos."));
    }
    scope::check(Some(&query.store_id), &who.scope)?;
    let id = query.id.filter(|id| !id.is_empty()).unwrap_or_else(|| state.new_id());
    if !is_id(&id) {
        return Err(ApiError::field("id", "Use up to 100 letters, digits, - and _."));
    }
    if let Some((store, _)) = find(&state.db, &id).await? {
        scope::check(Some(&store), &who.scope)?;
        return Ok((StatusCode::OK, Json(DocumentPhoto { id })));
    }
    let upload = pictures::receive(&who, body).await?;
    let hash = upload.fingerprint(8);
    let picture = pictures::make_small(upload).await?;
    state.files.put(&key(&id, &hash, PictureSize::Full), picture.full.into()).await?;
    state.files.put(&key(&id, &hash, PictureSize::Thumb), picture.thumb.into()).await?;
    let (store_id, by) = (&query.store_id, Editor::from(&who.actor()));
    let (id, hash) = (&id, &hash);
    state
        .db
        .write(&who.actor(), async |tx| {
            super::orders::find_store(tx, store_id).await?;
            tx.sql(
                "insert into document_photos (id, store_id, fingerprint, created_at, created_by)
                 values ($1, $2, $3, $4, $5) on conflict (id) do nothing",
            )
            .bind(id)
            .bind(store_id)
            .bind(hash)
            .bind(who.at)
            .bind(Kept(&by))
            .execute()
            .await?;
            Ok::<_, ApiError>(())
        })
        .await?;
    Ok((StatusCode::CREATED, Json(DocumentPhoto { id: id.clone() })))
}

/// Get a picture of a document. Browsers may cache it but must revalidate.
#[utoipa::path(get, path = "/api/stores/photos/{id}", tag = "stores photos",
    params(("id" = String, Path), PhotoSize),
    responses((status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
pub(crate) async fn get_document_photo(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<PhotoSize>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if !may(&who, Action::View) {
        return Err(ApiError::may_not("You may not see this photo."));
    }
    let found = if is_id(&id) { find(&state.db, &id).await? } else { None };
    let (store, hash) = found.ok_or_else(|| ApiError::not_found("picture"))?;
    scope::check(Some(&store), &who.scope)?;
    pictures::answer(&state.files, &key(&id, &hash, query.size.unwrap_or_default()), &headers).await
}

/// A picture's store and fingerprint.
async fn find(db: &Db, id: &str) -> ApiResult<Option<(String, String)>> {
    Ok(db.sql("select store_id, fingerprint from document_photos where id = $1").bind(id).optional().await?)
}

fn key(id: &str, hash: &str, size: PictureSize) -> String {
    format!("documents/{id}/{hash}-{}", size.as_str())
}
