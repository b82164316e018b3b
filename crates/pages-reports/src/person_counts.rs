//! What a figure of «Who counted» is made of: a person's counts, or the store-days or stores they counted.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::count::Session;
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::count_queries::{self as queries, PersonEvent};
use larder_engines::reports::ReportQuery;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of days, as of the report.
const MOST_DAYS: i32 = 366;
const PAGE_SIZE: usize = 50;
const MAX_PAGE_SIZE: usize = 500;

/// A figure of a person in «Who counted».
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PersonFigure {
    /// First counts.
    #[default]
    Counts,
    /// Recounts.
    Corrections,
    /// Both, if taken after their window.
    Late,
    /// Store-days with either.
    Days,
    /// Stores with either.
    Stores,
}

/// Query parameters: the figure.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct PersonQuery {
    /// Account id of the person.
    #[param(value_type = String, required = true)]
    pub uid: Option<String>,
    /// The figure; default `counts`.
    #[param(inline)]
    pub figure: PersonFigure,
    /// Page number, from 1.
    pub page: Option<usize>,
    /// Page size, at most 500; default 50.
    pub page_size: Option<usize>,
}

/// A count, or what a person counted on a store-day or in a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonCount {
    pub store_id: String,
    pub store_name: String,
    /// Not for stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<BusinessDay>,
    /// Only for counts; empty where the day is not parted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// Only for counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    /// Only for counts of items that still exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_name: Option<String>,
    /// Quantity counted; none where a count was emptied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<Qty>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Number of first counts.
    pub counts: i64,
    /// Number of recounts.
    pub corrections: i64,
    /// Number of both taken after their window.
    pub late: i64,
    /// When it was taken, or the last of them.
    pub at: Timestamp,
}

/// What a figure of a person is made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonCounts {
    pub uid: String,
    pub name: String,
    /// The latest first.
    pub items: Vec<PersonCount>,
    /// Number of items on all pages: the figure.
    pub total: usize,
}

/// What a figure of a person in «Who counted» is made of.
#[utoipa::path(get, path = "/api/reports/count-people/counts", tag = "reports", params(ReportQuery, PersonQuery),
    responses((status = 200, body = PersonCounts)))]
pub(crate) async fn list_person_counts(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReportQuery>,
    Query(person): Query<PersonQuery>,
) -> ApiResult<Json<PersonCounts>> {
    let question = query.check(&state, &who).await?;
    question.at_most(MOST_DAYS)?;
    let uid = person.uid.filter(|uid| !uid.is_empty());
    let uid = uid.ok_or_else(|| ApiError::field("uid", "Choose a person."))?;
    let stores = queries::open_stores(&state.db, question.stores.as_deref()).await?;
    let ids: Vec<String> = stores.iter().map(|store| store.id.clone()).collect();
    let mut events = queries::counts_of_person(&state.db, &ids, question.span, &uid).await?;
    let name = events.iter().filter_map(|event| event.name.as_ref()).max().cloned();
    match person.figure {
        PersonFigure::Counts => events.retain(|event| event.nth == 1),
        PersonFigure::Corrections => events.retain(|event| event.nth > 1),
        PersonFigure::Late => events.retain(|event| event.late),
        PersonFigure::Days | PersonFigure::Stores => {}
    }
    let mut items: Vec<PersonCount> = match person.figure {
        PersonFigure::Days => grouped(events, |event| (event.store_id.clone(), Some(event.date))),
        PersonFigure::Stores => grouped(events, |event| (event.store_id.clone(), None)),
        _ => events.into_iter().map(single).collect(),
    };
    items.sort_by(|a, b| b.date.cmp(&a.date).then(b.at.cmp(&a.at)));
    let total = items.len();
    let size = person.page_size.unwrap_or(PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let skip = person.page.unwrap_or(1).saturating_sub(1).saturating_mul(size);
    let mut items: Vec<PersonCount> = items.into_iter().skip(skip).take(size).collect();
    let stores: HashMap<String, String> = stores.into_iter().map(|store| (store.id, store.name)).collect();
    let known = queries::items(&state.db).await?;
    let known: HashMap<&str, (&str, Option<&str>)> =
        known.iter().map(|(id, name, unit)| (id.as_str(), (name.as_str(), unit.as_deref()))).collect();
    for item in &mut items {
        item.store_name = stores.get(&item.store_id).cloned().unwrap_or_default();
        if let Some((name, unit)) = item.item_id.as_deref().and_then(|id| known.get(id)) {
            item.item_name = Some((*name).to_owned());
            item.uom_code = unit.map(str::to_owned);
        }
    }
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| uid.clone());
    Ok(Json(PersonCounts { uid, name, items, total }))
}

/// One count; the names follow.
fn single(event: PersonEvent) -> PersonCount {
    PersonCount {
        store_id: event.store_id,
        store_name: String::new(),
        date: Some(event.date),
        session: Session::parse(&event.session),
        item_id: Some(event.item_id),
        item_name: None,
        qty: event.qty,
        uom_code: None,
        counts: i64::from(event.nth == 1),
        corrections: i64::from(event.nth > 1),
        late: i64::from(event.late),
        at: event.stands_at,
    }
}

/// Counts by store and day, or by store.
fn grouped(
    events: Vec<PersonEvent>,
    by: impl Fn(&PersonEvent) -> (String, Option<BusinessDay>),
) -> Vec<PersonCount> {
    let mut groups: BTreeMap<(String, Option<BusinessDay>), PersonCount> = BTreeMap::new();
    for event in events {
        let key = by(&event);
        let date = key.1;
        let one = single(event);
        let group = groups.entry(key).or_insert_with(|| PersonCount {
            store_id: one.store_id.clone(),
            store_name: String::new(),
            date,
            session: None,
            item_id: None,
            item_name: None,
            qty: None,
            uom_code: None,
            counts: 0,
            corrections: 0,
            late: 0,
            at: one.at,
        });
        group.counts += one.counts;
        group.corrections += one.corrections;
        group.late += one.late;
        group.at = group.at.max(one.at);
    }
    groups.into_values().collect()
}
