//! Pictures that came without a store: what they show, and which store a user says it is.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_domain::{BusinessDay, Money, StoreScope, Timestamp};
use larder_ledgers::readings::unsorted::{Place, Unsorted, is_near};
use larder_ledgers::readings::{Verdict, list, pictures, terminals, unsorted};
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::files::pictures::{SizeQuery, answer};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

const ONE: &str = "picture";
/// The longest name of a till, in characters.
const MOST_OF_A_TILL: usize = 50;

/// Pictures without a store.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnsortedPictures {
    pub items: Vec<UnsortedPicture>,
}

/// A picture without a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsortedPicture {
    pub id: String,
    pub file_name: String,
    /// `reading` while it is being read, `asks` once it waits for its store.
    pub state: String,
    /// The machine number, as read.
    pub min: Option<String>,
    /// The business day, as read.
    pub business_date: Option<BusinessDay>,
    /// Net sales, as read.
    pub net: Option<Money>,
    pub verdict: Option<Verdict>,
    /// Advice for an unreadable picture.
    pub advice: Option<String>,
    /// Accessible tills with this machine number, or one that differs in a digit or two; the exact ones first.
    pub near: Vec<NearTill>,
    pub created_at: Timestamp,
    pub created_by: Editor,
    pub revision: i64,
}

/// A till whose machine number a picture shows, or nearly.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearTill {
    pub store_id: String,
    pub store_name: String,
    pub terminal_id: String,
    pub min: String,
}

/// Where a picture belongs.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacePicture {
    #[serde(default)]
    pub store_id: String,
    /// If omitted, the store's till with the machine number on it, if there is one.
    #[serde(default)]
    pub terminal_id: String,
    /// The revision the caller saw; the current one if omitted.
    pub revision: Option<i64>,
}

/// The reading that a picture became.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PicturePlaced {
    pub reading_id: String,
    pub store_id: String,
    /// Empty while the till is unknown.
    pub terminal_id: String,
}

/// Parameters of discarding.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct DiscardPicture {
    /// The revision the caller saw; the current one if omitted.
    pub revision: Option<i64>,
}

/// Pictures sent without a store that no machine number could sort, and those being read, the oldest first. Users of some
/// stores see their own, and only their own tills with it.
#[utoipa::path(get, path = "/api/tools/services/zreading-ocr/pictures", tag = "z-readings",
    responses((status = 200, body = UnsortedPictures)))]
pub(crate) async fn list_unsorted_pictures(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<UnsortedPictures>> {
    let own = (who.scope != StoreScope::All).then_some(who.uid.as_str());
    let open = unsorted::open(&state.db, own).await?;
    if open.is_empty() {
        return Ok(Json(UnsortedPictures { items: Vec::new() }));
    }
    let stores = who.stores(None)?;
    let names = list::stores(&state.db, stores.as_deref()).await?;
    let tills = terminals::all(&state.db, stores.as_deref()).await?;
    let name_of = |id: &str| names.iter().find(|it| it.0 == id).map(|it| it.1.clone()).unwrap_or_default();
    let near = |min: &str| {
        let mut near: Vec<NearTill> = tills
            .iter()
            .filter_map(|till| {
                let own = till.min.as_deref().filter(|own| is_near(own, min))?;
                Some(NearTill {
                    store_id: till.store_id.clone(),
                    store_name: name_of(&till.store_id),
                    terminal_id: till.terminal_id.clone(),
                    min: own.to_owned(),
                })
            })
            .collect();
        near.sort_by_key(|till| till.min != min);
        near
    };
    let items = open.into_iter().map(|picture| {
        let near = picture.min.as_deref().map(&near).unwrap_or_default();
        row(picture, near)
    });
    Ok(Json(UnsortedPictures { items: items.collect() }))
}

fn row(picture: Unsorted, near: Vec<NearTill>) -> UnsortedPicture {
    let value = |field: &str| picture.read.as_ref().and_then(|read| read.value(field));
    UnsortedPicture {
        business_date: value("date").and_then(|day| day.parse().ok()),
        net: value("net").and_then(|net| Money::parse(net).ok()),
        verdict: picture.read.as_ref().map(|read| read.verdict),
        advice: picture.read.as_ref().and_then(|read| read.advice.clone()),
        id: picture.id,
        file_name: picture.file_name,
        state: picture.state,
        min: picture.min,
        near,
        created_at: picture.created_at,
        created_by: picture.created_by.0,
        revision: picture.revision,
    }
}

/// A picture that the user sees.
async fn find(state: &AppState, who: &Who, id: &str) -> ApiResult<Unsorted> {
    let picture = unsorted::find(&state.db, known_id(id, ONE)?).await?;
    let picture = picture.filter(|picture| picture.is_seen_by(&who.uid, &who.scope));
    picture.ok_or_else(|| ApiError::not_found(ONE))
}

/// The file of a picture without a store. Browsers may cache it but must revalidate each time.
#[utoipa::path(get, path = "/api/tools/services/zreading-ocr/pictures/{id}/file", tag = "z-readings",
    params(("id" = String, Path), SizeQuery),
    responses((status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
pub(crate) async fn get_unsorted_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<SizeQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let picture = find(&state, &who, &id).await?;
    answer(&state.files, &pictures::key(&picture.picture, query.size.unwrap_or_default()), &headers).await
}

/// Say which store a picture is of: it becomes a reading pending review. A picture the store already has creates none.
#[utoipa::path(post, path = "/api/tools/services/zreading-ocr/pictures/{id}/place", tag = "z-readings",
    params(("id" = String, Path)), request_body = PlacePicture, responses((status = 200, body = PicturePlaced)))]
pub(crate) async fn place_unsorted_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<PlacePicture>,
) -> ApiResult<Json<PicturePlaced>> {
    let id = find(&state, &who, &id).await?.id;
    if body.store_id.is_empty() {
        return Err(ApiError::field("storeId", "Choose a store."));
    }
    if body.terminal_id.chars().count() > MOST_OF_A_TILL {
        return Err(ApiError::field("terminalId", "Use at most 50 visible characters."));
    }
    let (id, reading_id) = (&id, &state.new_id());
    let (actor, who_of, body) = (who.actor(), &who, &body);
    let placed = state.db.write(&actor, async |tx| {
        let at = Place { store_id: &body.store_id, terminal_id: &body.terminal_id, reading_id };
        unsorted::place(tx, &who_of.scope, id, body.revision, at).await
    });
    let reading = placed.await?;
    let (store_id, terminal_id) = (reading.store_id, reading.terminal_id);
    Ok(Json(PicturePlaced { reading_id: reading.id, store_id, terminal_id }))
}

/// Discard a picture without a store that is no reading.
#[utoipa::path(post, path = "/api/tools/services/zreading-ocr/pictures/{id}/discard", tag = "z-readings",
    params(("id" = String, Path)), request_body = DiscardPicture, responses((status = 204)))]
pub(crate) async fn discard_unsorted_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<DiscardPicture>,
) -> ApiResult<axum::http::StatusCode> {
    let id = known_id(&id, ONE)?;
    let (actor, who_of, revision) = (who.actor(), &who, body.revision);
    let discarded =
        state.db.write(&actor, async |tx| unsorted::discard(tx, &who_of.scope, id, revision).await);
    discarded.await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}
