//! The routes of a list.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::MethodRouter;
use larder_domain::{Action, BusinessDay, StoreScope};
use serde_json::{Map, Value};

use super::define::{List, ListDef, Reads};
use super::draft::wrong;
use super::export::export;
use super::filter::Filter;
use super::given;
use super::openapi::{self, Verb};
use super::record::{Record, append_all};
use super::retry::Key;
use super::{actions, authorize_store, queries, write};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::{delete, get, patch, post};
use larder_platform::http::error::{ApiError, ApiResult};
use larder_platform::http::export::Format;
use larder_platform::http::guard::{Handlers, Routes};
use larder_platform::http::json::{self, Json, Path, Query};
use larder_platform::http::session::Who;

/// Why two lists are readable without a permission.
const NO_GUARD: &str = "The page of this list has no guard; every signed-in user may read it.";

/// List, read, create, change, delete and export, each with its permission.
#[must_use]
pub fn routes<L: List>(state: &AppState) -> Routes {
    routes_of(L::def(), state)
}

/// As [`routes`] without delete, for records that are made inactive instead.
#[must_use]
pub fn lasting_routes<L: List>(state: &AppState) -> Routes {
    lasting_routes_of(L::def(), state)
}

fn routes_of(def: &'static ListDef, state: &AppState) -> Routes {
    let remove = delete(move |state, who, id| delete_record(def, state, who, id));
    lasting_routes_of(def, state).can(def.page, Action::Delete, parts(def, Verb::Delete, remove))
}

fn lasting_routes_of(def: &'static ListDef, state: &AppState) -> Routes {
    let page = def.page;
    let list = get(move |state, who, pairs| list_records(def, state, who, pairs));
    let list = parts(def, Verb::List, list);
    let one = parts(def, Verb::Get, get(move |state, who, id| get_record(def, state, who, id)));
    let create = post(move |state, who, headers, body| create_record(def, state, who, headers, body));
    let update = patch(move |state, who, id, body| update_record(def, state, who, id, body));
    let export = get(move |state, who, pairs| export_records(def, state, who, pairs));
    let routes = Routes::new(state);
    let routes = match def.reads {
        Reads::SignedIn => routes.signed_in(NO_GUARD, list).signed_in(NO_GUARD, one),
        Reads::Page => routes.can(page, Action::View, list).can(page, Action::View, one),
    };
    routes
        .can(page, Action::Create, parts(def, Verb::Create, create))
        .can(page, Action::Edit, parts(def, Verb::Update, update))
        .can(page, Action::Export, parts(def, Verb::Export, export))
        .merge(actions::routes(def, state))
}

/// A route of a list with its part of the contract.
pub fn parts(def: &'static ListDef, verb: Verb, router: MethodRouter<AppState>) -> Handlers {
    let describe = move || (openapi::schemas(def), openapi::paths(def, verb));
    let handlers = Handlers::new(openapi::place(def, verb).0, router, describe);
    if matches!(verb, Verb::List | Verb::Export) { handlers.reading_all() } else { handlers }
}

/// A response of one record.
pub fn respond(record: &dyn Record) -> Response {
    let mut text = Vec::with_capacity(1024);
    record.append(&mut text);
    json::written(text)
}

type Pairs = Vec<(String, String)>;

async fn list_records(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Query(pairs): Query<Pairs>,
) -> ApiResult<Response> {
    let filter = Filter::read(def, &pairs, &who.scope)?;
    let (mut items, mut total) = queries::page(&state.db, def, &filter).await?;
    if total == 0
        && let Some(meant) = queries::forgiving(&state.db, def, &filter).await?
    {
        (items, total) = queries::page(&state.db, def, &meant).await?;
    }
    let mut text = b"{\"items\":".to_vec();
    append_all(&items, &mut text);
    text.extend_from_slice(format!(",\"total\":{total}}}").as_bytes());
    Ok(json::written(text))
}

async fn get_record(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    let record = authorize_store::read(&state.db, def, &who.scope, &id).await?;
    Ok(respond(&*record))
}

async fn create_record(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    // Forms send an empty id for a new record.
    if body.get("id").and_then(Value::as_str).is_some_and(|id| id.trim().is_empty()) {
        body.remove("id");
    }
    if def.stores && who.scope != StoreScope::All {
        return Err(ApiError::out_of_scope());
    }
    authorize_store::refuse_body(def, &who.scope, &body)?;
    refuse_opening(def, &who, &body)?;
    let key = Key::of(&headers, format!("create {}", def.kind), &body)?;
    let record = write::create_once(&state.db, def, &who.actor(), key, &state.new_id(), body).await?;
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
    Err(ApiError::may_not(words.clone()).at(vec![wrong(field.name, words)]))
}

async fn update_record(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(patch): Json<Map<String, Value>>,
) -> ApiResult<Response> {
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let written = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        authorize_store::refuse_body(def, scope, &patch)?;
        write::update_given(tx, def, id, patch.clone()).await
    });
    Ok(respond(&*written.await?))
}

async fn delete_record(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let deleted = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        write::delete(tx, def, id).await
    });
    deleted.await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn export_records(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Query(pairs): Query<Pairs>,
) -> ApiResult<Response> {
    let format = pairs.iter().find(|(name, _)| name == "format").map(|(_, value)| value.as_str());
    let format = Format::read(format)?;
    let pairs: Pairs = pairs.iter().filter(|(name, _)| name != "format").cloned().collect();
    let filter = Filter::read(def, &pairs, &who.scope)?;
    let found = queries::count(&state.db, def, &filter).await?;
    let meant = if found == 0 { queries::forgiving(&state.db, def, &filter).await? } else { None };
    let filter = meant.unwrap_or(filter);
    export(&state.db, def, filter, format, BusinessDay::of(state.now())).await
}
