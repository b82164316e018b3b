//! All data needed to count offline, in one response.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use larder_domain::count::Session;
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::entries::of_day;
use super::model::{CountDelivery, CountEntry, CountSettings, DayQuery, StoreQuery, named};
use super::{day, queries, store};
use crate::stores::marks::{self, MarkedItem};
use larder_ledgers::{barcodes, counts as book, place_stock, store_items};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// All data needed to count offline.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountWarmUp {
    pub store: CountStore,
    /// Today's business day.
    pub today: BusinessDay,
    pub yesterday: BusinessDay,
    /// The business day of a count taken now: after midnight, still the day being closed.
    pub counting_date: BusinessDay,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counting_session: Option<Session>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_time: Option<Timestamp>,
    /// The store's count settings.
    pub settings: CountSettings,
    /// The items to count, in sheet order.
    pub items: Vec<CountItem>,
    /// Splits of counted items over recipes in this store.
    pub mixes: Vec<CountMix>,
    /// The last known count of each item before today; empty for blind counts.
    pub previous: Vec<PreviousCount>,
    /// Expected quantities of today's and yesterday's counts; empty for blind counts.
    pub expected_of: Vec<CountExpected>,
    /// Deliveries that a count of now may include: whether it does is asked line by line.
    pub deliveries: Vec<CountDelivery>,
    /// Today's and yesterday's counts; for blind counts, only those of the current session.
    pub entries: Vec<CountEntry>,
}

/// A store's id and name.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountStore {
    pub id: String,
    pub name: String,
}

/// An item to count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountItem {
    pub id: String,
    pub name: String,
    /// Short code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_id: Option<String>,
    /// Code of the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Whether the unit is indivisible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<bool>,
    /// Its packs.
    pub packs: Vec<CountPack>,
    /// Storage area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// Position on the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort_order: Option<i64>,
    /// Barcode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
    /// The codes on the packs of products that consist of its root item alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub product_barcodes: Vec<CountBarcode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// The root item it maps to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_item_id: Option<String>,
    /// Why it has to be counted: more was taken than expected, and it was not counted since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<MarkedItem>,
}

/// A code on a pack, with the unit that it is printed on.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountBarcode {
    pub code: String,
    pub uom_id: String,
}

impl From<&barcodes::Coded> for CountBarcode {
    fn from(coded: &barcodes::Coded) -> Self {
        Self { code: coded.code.clone(), uom_id: coded.uom_id.clone() }
    }
}

/// A pack that an item is counted in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountPack {
    pub uom_id: String,
    /// Code of the pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether it is indivisible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<bool>,
    /// Counted units per pack.
    pub factor: Factor,
}

impl From<store_items::CountedItem> for CountItem {
    fn from(item: store_items::CountedItem) -> Self {
        let packs = item.packs.0.into_iter();
        Self {
            packs: packs
                .map(|pack| CountPack {
                    uom_id: pack.uom_id,
                    code: pack.uom_code,
                    whole: pack.whole,
                    factor: pack.factor,
                })
                .collect(),
            id: item.id,
            name: item.name,
            code: item.code,
            uom_id: item.uom_id,
            uom_code: item.uom_code,
            whole: item.whole,
            storage_area: item.storage_area,
            sort_order: item.sort_order,
            barcode: item.barcode,
            product_barcodes: Vec::new(),
            image_url: item.image_url,
            root_item_id: item.root_item_id,
            marked: None,
        }
    }
}

/// An item's split over recipes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountMix {
    pub item_id: String,
    /// Shares.
    pub splits: Vec<CountSplit>,
}

/// A recipe's share of an item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSplit {
    pub recipe_id: String,
    /// In percent.
    pub percent: Qty,
}

impl From<store_items::Mix> for CountMix {
    fn from(mix: store_items::Mix) -> Self {
        let splits = mix.splits.into_iter();
        let splits =
            splits.map(|split| CountSplit { recipe_id: split.recipe_id, percent: split.percent }).collect();
        Self { item_id: mix.row.item_id, splits }
    }
}

/// Expected quantities of a count: of what it counted, as of then; of the rest, as of now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountExpected {
    pub date: BusinessDay,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// By item, in its units of that time.
    #[schema(value_type = HashMap<String, Qty>)]
    pub items: BTreeMap<String, Qty>,
}

/// Expected quantities of the counts of some days, from the store's stock.
async fn expected(
    state: &AppState,
    store_id: &str,
    items: &[store_items::CountedItem],
    days: &[BusinessDay],
) -> ApiResult<Vec<CountExpected>> {
    let of_day = |date: &BusinessDay| Session::ALL.map(|session| (*date, session));
    let sessions: Vec<(BusinessDay, Session)> = days.iter().flat_map(of_day).collect();
    let asked = (sessions.as_slice(), state.now());
    let found = place_stock::expected(&state.db, store_id, items, asked).await?;
    let of = |((date, session), items)| CountExpected { date, session: named(session), items };
    Ok(sessions.into_iter().zip(found).map(of).collect())
}

/// Expected quantities of the counts of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountExpectedOfDay {
    /// One for each session; empty for blind counts.
    pub expected_of: Vec<CountExpected>,
}

/// What the counts of any day are expected to come to: for days that the warm-up does not have.
#[utoipa::path(get, path = "/api/stores/count/expected", tag = "counts", params(DayQuery),
    responses((status = 200, body = CountExpectedOfDay)))]
pub(crate) async fn list_count_expected(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<DayQuery>,
) -> ApiResult<Json<CountExpectedOfDay>> {
    let store_id = store(&who, query.store_id.as_deref())?;
    let date = day("date", query.date.as_deref()).map_err(|wrong| ApiError::invalid(vec![wrong]))?;
    queries::store_name(&state.db, store_id).await?.ok_or_else(|| ApiError::not_found("store"))?;
    if book::settings_of(&state.db, store_id).await?.settings.blind {
        return Ok(Json(CountExpectedOfDay { expected_of: Vec::new() }));
    }
    let items = store_items::visible(&state.db, store_id).await?;
    let expected_of = expected(&state, store_id, &items, &[date]).await?;
    Ok(Json(CountExpectedOfDay { expected_of }))
}

/// A previous count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousCount {
    /// Its day.
    pub date: BusinessDay,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    pub item_id: String,
    /// Counted quantity.
    pub qty: Qty,
}

/// All data needed to count a store offline. With `If-None-Match`, 304 while it is unchanged.
#[utoipa::path(get, path = "/api/stores/count/warm-up", tag = "counts", params(StoreQuery),
    responses((status = 200, body = CountWarmUp), (status = 304)))]
pub(crate) async fn warm_up_counts(
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
    let items = store_items::visible(&state.db, store_id).await?;
    let mixes = store_items::mixes(&state.db, &[store_id], None).await?;
    let marks = marks::of(&state.db, store_id, today, stored.settings.blind).await?;
    let (mut entries, _) = of_day(&state, store_id, yesterday).await?;
    entries.extend(of_day(&state, store_id, today).await?.0);
    // For blind counts, previous counts must not be on the device either.
    let (expected_of, known) = if stored.settings.blind {
        entries.retain(|entry| entry.date == counting_date && entry.session == named(session));
        (Vec::new(), Vec::new())
    } else {
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let expected = expected(&state, store_id, &items, &[yesterday, today]).await?;
        (expected, book::last_known(&state.db, store_id, &ids, today).await?)
    };
    let previous = known.into_iter().map(|(item_id, date, session, qty)| PreviousCount {
        date,
        session: named(session),
        item_id,
        qty,
    });
    let arrivals = place_stock::arrivals(&state.db, store_id, (counting_date, session), now).await?;
    let blind = stored.settings.blind;
    let mut answer = CountWarmUp {
        store: CountStore { id: store_id.to_owned(), name },
        today,
        yesterday,
        counting_date,
        counting_session: named(session),
        server_time: None,
        settings: CountSettings::of(store_id, stored),
        previous: previous.collect(),
        expected_of,
        items: with_codes(with_marks(items, &marks), &barcodes::of_root_items(&state.db).await?),
        mixes: mixes.into_iter().map(CountMix::from).collect(),
        deliveries: CountDelivery::of(arrivals, blind),
        entries,
    };
    // The server time differs in every response and is left out of the tag.
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

fn with_marks(items: Vec<store_items::CountedItem>, marks: &BTreeMap<String, MarkedItem>) -> Vec<CountItem> {
    let shown = items.into_iter().map(CountItem::from).map(|mut item| {
        item.marked = item.root_item_id.as_ref().and_then(|root| marks.get(root)).cloned();
        item
    });
    shown.collect()
}

fn with_codes(mut items: Vec<CountItem>, codes: &HashMap<String, Vec<barcodes::Coded>>) -> Vec<CountItem> {
    for item in &mut items {
        let codes = item.root_item_id.as_ref().and_then(|root| codes.get(root));
        item.product_barcodes = codes.into_iter().flatten().map(CountBarcode::from).collect();
    }
    items
}

fn tag(answer: &CountWarmUp) -> ApiResult<String> {
    let text = serde_json::to_vec(answer).map_err(ApiError::internal)?;
    let hash: String = Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("\"{hash}\""))
}
