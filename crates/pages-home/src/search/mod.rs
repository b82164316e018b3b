//! The search of the top bar: records of all types the caller may open.

mod queries;
mod question;

use std::sync::Arc;

use axum::extract::State;
use larder_domain::document::DocumentKind;
use larder_domain::{Action, BusinessDay};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_platform::AppState;
use larder_platform::entity_types::{EntityType, EntityTypes};
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Routes, Who, routes};
use larder_platform::people::visible_people::VisiblePeople;
use larder_platform::search;
use larder_platform::search::Needle;

pub use question::{AskedDays, AskedQuestion, NamedItems, NamedRecord};

/// Maximum length of a query, in characters.
const MAX_Q: usize = 200;

/// Query parameters of a search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// A few words or the beginning of one; tolerates typing errors.
    pub q: String,
    /// Maximum number of results, 1 to 50; default 20.
    #[param(minimum = 1, maximum = 50)]
    pub limit: Option<usize>,
}

/// A search result.
#[derive(Debug, Serialize, ToSchema)]
pub struct Found {
    pub kind: &'static str,
    pub id: String,
    pub title: String,
    /// The entity type's label, and what else identifies it.
    pub subtitle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Match score; higher is better.
    pub score: u32,
}

/// Search results, best first.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct SearchAnswer {
    pub items: Vec<Found>,
    /// How the query was understood, if it is a question a report can answer: «sales makati last week».
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<AskedQuestion>,
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state).any_role("Only finds records the caller may open.", routes!(search_records))
}

/// Search records by part of their name, code, number or other search text.
#[utoipa::path(get, path = "/api/search", tag = "search", params(SearchQuery),
    responses((status = 200, body = SearchAnswer)))]
pub(crate) async fn search_records(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SearchQuery>,
) -> ApiResult<Json<SearchAnswer>> {
    if query.q.chars().count() > MAX_Q {
        return Err(ApiError::field("q", format!("Search for at most {MAX_Q} characters.")));
    }
    let limit = query.limit.unwrap_or(20);
    if !(1..=50).contains(&limit) {
        return Err(ApiError::field("limit", "Ask for 1 to 50 records."));
    }
    let Some(needle) = Needle::read(&query.q) else { return Ok(Json(SearchAnswer::default())) };
    let everything: Vec<_> = searched(state.entity_types).map(|kind| kind.name).collect();
    let kinds = searched(state.entity_types).filter(|kind| kind.open || who.can(kind.page, Action::View));
    let index = index(&state, &everything).await?;
    // Names of stores and items are visible to everyone with a role.
    let named: Vec<_> =
        question::NAMED.iter().filter_map(|kind| Some((*kind, Arc::clone(index.get(kind)?)))).collect();
    let index: Vec<_> =
        kinds.filter_map(|kind| Some((kind.name, Arc::clone(index.get(kind.name)?)))).collect();
    let scope = who.scope.clone();
    // Users are read only for callers who may find them: a search is sent every few keystrokes.
    let finds_users = index.iter().any(|(kind, _)| *kind == "user");
    let people =
        if finds_users { VisiblePeople::of(&state.db, &who).await? } else { VisiblePeople::Everybody };
    let today = BusinessDay::of(state.now());
    let found = tokio::task::spawn_blocking(move || {
        let question = question::read(&query.q, today, &named, &scope);
        let seen = |kind: &'static str, entry: &search::Entry| match DocumentKind::parse(kind) {
            Some(kind) => kind.declared().reaches(&scope, entry.store.as_deref()),
            None => scope.includes(entry.store.as_deref()) && (kind != "user" || people.has(&entry.id)),
        };
        (search::find(&index, &needle, limit, seen), question)
    });
    let (hits, question) = found.await.map_err(ApiError::internal)?;
    let items = hits.into_iter().map(|hit| answer(state.entity_types, hit)).collect();
    Ok(Json(SearchAnswer { items, question }))
}

fn answer(kinds: &EntityTypes, hit: search::Hit) -> Found {
    let kind = label(kinds.get(hit.kind).map_or(hit.kind, |kind| kind.one));
    let subtitle = match &hit.entry.subtitle {
        Some(more) => format!("{kind} · {more}"),
        None => kind,
    };
    Found {
        kind: hit.kind,
        id: hit.entry.id.clone(),
        title: hit.entry.title.clone(),
        subtitle,
        code: hit.entry.code.clone(),
        score: hit.score,
    }
}

/// An entity type's label, capitalized.
fn label(one: &str) -> String {
    let mut chars = one.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The searchable entity types.
fn searched(kinds: &'static EntityTypes) -> impl Iterator<Item = &'static EntityType> {
    kinds.iter().filter(|kind| kind.searched)
}

async fn index(state: &AppState, kinds: &[&'static str]) -> ApiResult<search::Records> {
    Ok(state
        .search
        .records(&state.db, kinds, |db, kind, ids| Box::pin(queries::entries(db, kind, ids)))
        .await?)
}
