//! The routes of a document type.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use larder_domain::document::Step;
use larder_domain::{Action, Word};
use serde_json::{Map, Value, json};

use super::define::{Ctx, Document, Seen};
use super::list::{self, Asked, Page};
use super::write::{self, typed};
use super::{contract, happened, store};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::{get, patch, post};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::{ApiError, ApiResult, Json, Routes, Who};

/// List, export, create, read, change and every step, each with its permission.
#[must_use]
pub fn routes<D: Document>(state: &AppState) -> Routes {
    let page = D::DECLARED.page;
    let mut routes = Routes::new(state)
        .can(page, Action::View, contract::list::<D>(get(list_documents::<D>)))
        .can(page, Action::View, contract::read::<D>(get(get_document::<D>)))
        .can(page, Action::Export, contract::file::<D>(get(export_documents::<D>)))
        .can(page, Action::Create, contract::create::<D>(post(create_document::<D>)))
        .can(page, Action::Edit, contract::update::<D>(patch(update_document::<D>)));
    for step in D::FLOW.steps {
        let handler = async move |state: State<AppState>,
                                  who: Who,
                                  id: Path<String>,
                                  headers: HeaderMap,
                                  body: Json<Map<String, Value>>| {
            take_step::<D>(step, state, who, id, headers, body).await
        };
        let mut handlers = contract::step::<D>(step, post(handler));
        if step.overrides {
            handlers = handlers.also("`override`: skips a check, with a reason", &[(page, Action::Override)]);
        }
        routes = routes.can(page, step.right, handlers);
    }
    routes
}

async fn list_documents<D: Document>(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
) -> ApiResult<Json<Page>> {
    Ok(Json(list::page::<D>(&state.db, &who, &asked).await?))
}

async fn export_documents<D: Document>(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
) -> ApiResult<Response> {
    list::file::<D>(&state.db, &who, &asked).await
}

async fn get_document<D: Document>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Value>> {
    let found = store::read::<D>(&state.db, known_id(&id, D::FLOW.one)?).await?;
    let found = found.ok_or_else(|| ApiError::not_found(D::FLOW.one))?;
    if !D::reaches(&found.head, &who.scope, false) {
        return Err(ApiError::out_of_scope());
    }
    Ok(Json(found.wire(&who)))
}

async fn create_document<D: Document>(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let key = Key::of(&headers, format!("create {}", D::KIND.as_str()), &body)?;
    let ctx = Ctx::new(&state, &who);
    let draft = &D::prepare(ctx, None, typed(body)?).await?;
    let actor = who.actor();
    let made = once(&state.db, &actor, key.as_ref(), async |tx| {
        Ok(write::create::<D>(tx, ctx, draft).await?.wire(&who))
    });
    Ok((StatusCode::CREATED, Json(made.await?)))
}

async fn update_document<D: Document>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mut body): Json<Map<String, Value>>,
) -> ApiResult<Json<Value>> {
    let revision = body.shift_remove("revision").as_ref().and_then(Value::as_i64);
    let revision = revision.ok_or_else(|| ApiError::field("revision", "Say which revision you changed."))?;
    let (ctx, id) = (Ctx::new(&state, &who), known_id(&id, D::FLOW.one)?);
    let draft = &D::prepare(ctx, Some(Seen { id, revision }), typed(body)?).await?;
    let actor = who.actor();
    let changed = state.db.write(&actor, async |tx| write::update::<D>(tx, ctx, id, revision, draft).await);
    Ok(Json(changed.await?.wire(&who)))
}

async fn take_step<D: Document>(
    step: &'static Step<D::State, D::Step>,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<Json<Value>> {
    let key = Key::of(&headers, format!("{} {} {id}", step.step.as_str(), D::KIND.as_str()), &body)?;
    if body.get("revision").and_then(Value::as_i64).is_none() {
        return Err(ApiError::field("revision", "Say which revision you saw."));
    }
    let body = &typed(body)?;
    let (ctx, id) = (Ctx::new(&state, &who), id.as_str());
    let actor = who.actor();
    let taken = once(&state.db, &actor, key.as_ref(), async |tx| {
        Ok(write::take::<D>(tx, ctx, id, step.step.as_str(), body).await?.wire(&who))
    });
    let mut taken = taken.await?;
    if D::CLOSE.contains(&step.step) {
        let close = happened::close(ctx, id).await?;
        if !close.is_empty() {
            taken["close"] = json!(close);
        }
    }
    Ok(Json(taken))
}
