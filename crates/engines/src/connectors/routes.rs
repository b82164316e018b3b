//! The routes of a connector kind: the same handlers for each.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_domain::Action;
use utoipa::openapi::path::HttpMethod;

use super::contract::{NoBody, Said, handlers};
use super::model::{
    Connector, ConnectorDraft, ConnectorFound, ConnectorNames, ConnectorPage, ConnectorPause, ConnectorRetry,
    ConnectorRun, ConnectorRunDraft, ConnectorRunLog, ConnectorRuns, ConnectorTrial, Connectors, DeadLetters,
};
use super::{Family, runs, store, trial};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::{delete, get, patch, post};
use larder_platform::http::guard::Handlers;
use larder_platform::http::json::{Path, Query, is_declared, parse};
use larder_platform::http::{ApiResult, Json, Routes, Who};

const fn said(
    method: HttpMethod,
    path: &'static str,
    verb: &'static str,
    summary: &'static str,
    status: &'static str,
) -> Said {
    Said { method, path, verb, summary, status, paged: false }
}

trait Reads {
    /// Read access: for users who may view the page, or for every signed-in user.
    fn reads<F: Family>(self, handlers: Handlers) -> Self;
}

impl Reads for Routes {
    fn reads<F: Family>(self, handlers: Handlers) -> Self {
        match F::OPEN {
            Some(why) => self.signed_in(why, handlers),
            None => self.can(F::PAGE, Action::View, handlers),
        }
    }
}

/// List, create, change, preview, run, inspect, settle: each with its permission.
#[must_use]
pub fn routes<F: Family>(state: &AppState) -> Routes {
    use HttpMethod::{Delete, Get, Patch, Post};
    let (page, edit) = (F::PAGE, F::EDIT);
    let paged = |said: Said| Said { paged: true, ..said };
    Routes::new(state)
        .reads::<F>(handlers::<F, NoBody, Connectors>(
            said(Get, "", "list", "List {}s with their last runs.", "200"),
            get(list::<F>),
        ))
        .can(
            page,
            edit,
            handlers::<F, ConnectorDraft, Connector>(
                said(Post, "", "create", "Create a new {}.", "201"),
                post(create::<F>),
            ),
        )
        .can(
            page,
            edit,
            handlers::<F, ConnectorTrial, ConnectorFound>(
                said(Post, "/test", "test", "Preview a new or changed {} without posting.", "200"),
                post(test::<F>),
            ),
        )
        .reads::<F>(handlers::<F, NoBody, Connector>(
            said(Get, "/{id}", "get", "Get one {}.", "200"),
            get(read::<F>),
        ))
        .can(
            page,
            edit,
            handlers::<F, ConnectorDraft, Connector>(
                said(Patch, "/{id}", "update", "Change this {}. Omitted secrets stay.", "200"),
                patch(update::<F>),
            ),
        )
        .can(
            page,
            edit,
            handlers::<F, NoBody, NoBody>(
                said(Delete, "/{id}", "delete", "Delete this {}. Posted sales stay.", "204"),
                delete(remove::<F>),
            ),
        )
        .can(
            page,
            edit,
            handlers::<F, ConnectorPause, Connector>(
                said(Post, "/{id}/pause", "pause", "Pause or resume this {}.", "200"),
                post(pause::<F>),
            ),
        )
        .reads::<F>(handlers::<F, NoBody, ConnectorRuns>(
            paged(said(Get, "/{id}/runs", "list_runs_of", "List runs of this {}, newest first.", "200")),
            get(list_runs::<F>),
        ))
        .can(
            page,
            edit,
            handlers::<F, ConnectorRunDraft, ConnectorRun>(
                said(Post, "/{id}/runs", "run", "Run this {} now.", "202"),
                post(start::<F>),
            ),
        )
        .reads::<F>(handlers::<F, NoBody, ConnectorRunLog>(
            said(Get, "/{id}/runs/{run}", "get_run_of", "Get a run of this {} with its log.", "200"),
            get(run_log::<F>),
        ))
        .can(
            page,
            edit,
            handlers::<F, NoBody, ConnectorRun>(
                said(Post, "/{id}/runs/{run}/cancel", "cancel_run_of", "Cancel a run of this {}.", "200"),
                post(cancel::<F>),
            ),
        )
        .reads::<F>(handlers::<F, NoBody, DeadLetters>(
            paged(said(Get, "/{id}/aside", "list_aside_of", "List dead letters of this {}.", "200")),
            get(list_dead_letters::<F>),
        ))
        .can(
            page,
            edit,
            handlers::<F, ConnectorRetry, ConnectorRun>(
                said(
                    Post,
                    "/{id}/aside/{entry}/retry",
                    "retry_aside_of",
                    "Retry a dead letter of this {}, with the answer to its question.",
                    "202",
                ),
                post(retry::<F>),
            ),
        )
        .can(
            page,
            edit,
            handlers::<F, NoBody, DeadLetters>(
                said(
                    Post,
                    "/{id}/aside/{entry}/discard",
                    "discard_aside_of",
                    "Discard a dead letter of this {}.",
                    "200",
                ),
                post(discard::<F>),
            ),
        )
        .can(
            page,
            edit,
            handlers::<F, ConnectorNames, DeadLetters>(
                said(Post, "/{id}/stores", "name_stores_of", "Map unknown store names of this {}.", "200"),
                post(name_stores::<F>),
            ),
        )
}

async fn list<F: Family>(State(state): State<AppState>, who: Who) -> ApiResult<Json<Connectors>> {
    Ok(Json(store::list::<F>(&state, &who).await?))
}

async fn create<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<ConnectorDraft>,
) -> ApiResult<(StatusCode, Json<Connector>)> {
    Ok((StatusCode::CREATED, Json(store::save::<F>(&state, &who, None, &draft).await?)))
}

async fn test<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Json(trial): Json<ConnectorTrial>,
) -> ApiResult<Json<ConnectorFound>> {
    Ok(Json(trial::run::<F>(&state, &who, &trial).await?))
}

async fn read<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Connector>> {
    Ok(Json(store::get::<F>(&state, &who, &id).await?))
}

async fn update<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(draft): Json<ConnectorDraft>,
) -> ApiResult<Json<Connector>> {
    Ok(Json(store::save::<F>(&state, &who, Some(&id), &draft).await?))
}

async fn remove<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    store::delete::<F>(&state, &who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn pause<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(wish): Json<ConnectorPause>,
) -> ApiResult<Json<Connector>> {
    Ok(Json(store::pause::<F>(&state, &who, &id, wish.paused).await?))
}

fn of(page: &ConnectorPage) -> (i64, i64) {
    (page.limit.unwrap_or(50).clamp(1, 200), page.offset.unwrap_or(0).clamp(0, 1_000_000))
}

async fn list_runs<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(page): Query<ConnectorPage>,
) -> ApiResult<Json<ConnectorRuns>> {
    Ok(Json(runs::list::<F>(&state, &who, &id, of(&page)).await?))
}

async fn start<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(draft): Json<ConnectorRunDraft>,
) -> ApiResult<(StatusCode, Json<ConnectorRun>)> {
    Ok((StatusCode::ACCEPTED, Json(runs::start::<F>(&state, &who, &id, &draft).await?)))
}

async fn run_log<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path((id, run)): Path<(String, String)>,
) -> ApiResult<Json<ConnectorRunLog>> {
    Ok(Json(runs::get::<F>(&state, &who, &id, &run).await?))
}

async fn cancel<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path((id, run)): Path<(String, String)>,
) -> ApiResult<Json<ConnectorRun>> {
    Ok(Json(runs::cancel::<F>(&state, &who, &id, &run).await?))
}

async fn list_dead_letters<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(page): Query<ConnectorPage>,
) -> ApiResult<Json<DeadLetters>> {
    Ok(Json(runs::dead_letters::<F>(&state, &who, &id, page.all.unwrap_or(false), of(&page)).await?))
}

async fn retry<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path((id, entry)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<ConnectorRun>)> {
    // Without a question nothing has to be sent.
    let wish = if body.is_empty() {
        ConnectorRetry::default()
    } else {
        is_declared(&headers)?;
        parse(&body)?
    };
    let run = runs::retry::<F>(&state, &who, &id, &entry, wish.answer.as_deref()).await?;
    Ok((StatusCode::ACCEPTED, Json(run)))
}

async fn discard<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path((id, entry)): Path<(String, String)>,
) -> ApiResult<Json<DeadLetters>> {
    Ok(Json(runs::discard::<F>(&state, &who, &id, &entry).await?))
}

async fn name_stores<F: Family>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(names): Json<ConnectorNames>,
) -> ApiResult<Json<DeadLetters>> {
    Ok(Json(runs::name_stores::<F>(&state, &who, &id, &names).await?))
}
