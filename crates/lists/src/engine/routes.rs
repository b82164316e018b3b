//! The routes of a list.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::MethodRouter;
use larder_domain::{Action, BusinessDay, StoreScope};
use serde::Serialize;
use serde_json::{Map, Value};

use super::define::{List, ListDef, Reads};
use super::draft::wrong;
use super::export::export;
use super::filter::Filter;
use super::given;
use super::openapi::{self, Verb};
use super::retry::Key;
use super::{acts, queries, reach, write};
use larder_platform::AppState;
use larder_platform::http::erased::{delete, get, patch, post};
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::export::Format;
use larder_platform::http::guard::{Handlers, Routes};
use larder_platform::http::json::{Json, Path, Query};
use larder_platform::http::session::Who;

/// Why two lists are readable without a permission.
const NO_GUARD: &str = "The page of this list has no guard; every signed-in user may read it.";

/// List, read, create, change, delete and export, each with its permission.
#[must_use]
pub fn routes<L: List>(state: &AppState) -> Routes {
    let page = L::def().page;
    lasting_routes::<L>(state).can(page, Action::Delete, parts::<L>(Verb::Delete, delete(delete_record::<L>)))
}

/// As [`routes`] without delete, for records that are made inactive instead.
#[must_use]
pub fn lasting_routes<L: List>(state: &AppState) -> Routes {
    let def = L::def();
    let page = def.page;
    let list = parts::<L>(Verb::List, get(list_records::<L>));
    let one = parts::<L>(Verb::Get, get(get_record::<L>));
    let routes = Routes::new(state);
    let routes = match def.reads {
        Reads::SignedIn => routes.signed_in(NO_GUARD, list).signed_in(NO_GUARD, one),
        Reads::Page => routes.can(page, Action::View, list).can(page, Action::View, one),
    };
    routes
        .can(page, Action::Create, parts::<L>(Verb::Create, post(create_record::<L>)))
        .can(page, Action::Edit, parts::<L>(Verb::Update, patch(update_record::<L>)))
        .can(page, Action::Export, parts::<L>(Verb::Export, get(export_records::<L>)))
        .merge(acts::routes::<L>(state))
}

/// A route of a list with its part of the contract.
pub fn parts<L: List>(verb: Verb, router: MethodRouter<AppState>) -> Handlers {
    let describe = move || (openapi::schemas(L::def()), openapi::paths(L::def(), verb));
    let handlers = Handlers::new(openapi::place(L::def(), verb).0, router, describe);
    if matches!(verb, Verb::List | Verb::Export) { handlers.reading_all() } else { handlers }
}

#[derive(Debug, Serialize)]
struct Page<L> {
    items: Vec<L>,
    total: i64,
}

type Pairs = Vec<(String, String)>;

async fn list_records<L: List>(
    State(state): State<AppState>,
    who: Who,
    Query(pairs): Query<Pairs>,
) -> ApiResult<Json<Page<L>>> {
    let filter = Filter::read(L::def(), &pairs, &who.scope)?;
    let (mut items, mut total) = queries::page(&state.db, &filter).await?;
    if total == 0
        && let Some(meant) = queries::forgiving(&state.db, L::def(), &filter).await?
    {
        (items, total) = queries::page(&state.db, &meant).await?;
    }
    Ok(Json(Page { items, total }))
}

async fn get_record<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<L>> {
    reach::read(&state.db, &who.scope, &id).await.map(Json)
}

async fn create_record<L: List>(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let def = L::def();
    // Forms send an empty id for a new record.
    if body.get("id").and_then(Value::as_str).is_some_and(|id| id.trim().is_empty()) {
        body.remove("id");
    }
    if def.stores && who.scope != StoreScope::All {
        return Err(ApiError::out_of_scope());
    }
    reach::refuse_body(def, &who.scope, &body)?;
    refuse_opening(def, &who, &body)?;
    let key = Key::of(&headers, format!("create {}", def.kind), &body)?;
    let record = write::create_once::<L>(&state.db, &who.actor(), key, &state.new_id(), body).await?;
    Ok((StatusCode::CREATED, Json(record)))
}

/// Booking an initial value requires the edit permission.
fn refuse_opening(def: &ListDef, who: &Who, body: &Map<String, Value>) -> ApiResult<()> {
    let Some(field) = def.opening.and_then(|name| def.field(name)) else { return Ok(()) };
    if given::opening(def, body) == Ok(None) || who.can(def.page, Action::Edit) {
        return Ok(());
    }
    let words = format!(
        "Leave {} out: only those who may edit {} say how much there is at the start.",
        field.in_sentence(),
        def.many.to_lowercase()
    );
    Err(ApiError::forbidden().at(vec![wrong(field.name, words)]))
}

async fn update_record<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(patch): Json<Map<String, Value>>,
) -> ApiResult<Json<L>> {
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let written = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, L::def(), scope, id).await?;
        reach::refuse_body(L::def(), scope, &patch)?;
        write::update_given::<L>(tx, id, patch.clone()).await
    });
    Ok(Json(written.await?))
}

async fn delete_record<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let deleted = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, L::def(), scope, id).await?;
        write::delete::<L>(tx, id).await
    });
    deleted.await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn export_records<L: List>(
    State(state): State<AppState>,
    who: Who,
    Query(pairs): Query<Pairs>,
) -> ApiResult<Response> {
    let format = pairs.iter().find(|(name, _)| name == "format").map(|(_, value)| value.as_str());
    let format = Format::read(format)?;
    let pairs: Pairs = pairs.iter().filter(|(name, _)| name != "format").cloned().collect();
    let filter = Filter::read(L::def(), &pairs, &who.scope)?;
    let found = queries::count(&state.db, L::def(), &filter).await?;
    let meant = if found == 0 { queries::forgiving(&state.db, L::def(), &filter).await? } else { None };
    let filter = meant.unwrap_or(filter);
    export::<L>(&state.db, filter, format, BusinessDay::of(state.now())).await
}
