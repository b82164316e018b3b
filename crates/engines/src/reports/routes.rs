//! The two routes of a report.

use axum::extract::State;
use axum::response::Response;
use larder_domain::Action;
use serde::Deserialize;

use super::{Report, ReportQuery, contract};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::get;
use larder_platform::http::export::Format;
use larder_platform::http::json::{Json, Query};
use larder_platform::http::{ApiResult, Routes, Who};

/// JSON for users who may view its page, a file for those who may export it.
#[must_use]
pub fn routes<R: Report>(state: &AppState) -> Routes {
    Routes::new(state).can(R::PAGE, Action::View, contract::page::<R>(get(show::<R>))).can(
        R::PAGE,
        Action::Export,
        contract::file::<R>(get(export::<R>)),
    )
}

#[derive(Debug, Deserialize)]
struct FileFormat {
    format: Option<String>,
}

async fn show<R: Report>(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReportQuery>,
    Query(params): Query<R::Params>,
) -> ApiResult<Json<R::Answer>> {
    R::check_page(&params)?;
    let answer = answer::<R>(&state, &who, &query, &params).await?;
    Ok(Json(R::on_page(answer, &params)))
}

async fn export<R: Report>(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<ReportQuery>,
    Query(params): Query<R::Params>,
    Query(export_params): Query<R::ExportParams>,
    Query(FileFormat { format }): Query<FileFormat>,
) -> ApiResult<Response> {
    let format = Format::read(format.as_deref())?;
    let answer = answer::<R>(&state, &who, &query, &params).await?;
    R::sheet(&answer, &params, &export_params)?.respond(R::NAME, format).await
}

async fn answer<R: Report>(
    state: &AppState,
    who: &Who,
    query: &ReportQuery,
    params: &R::Params,
) -> ApiResult<R::Answer> {
    let question = query.check(state, who).await?;
    question.at_most(R::MOST_DAYS)?;
    R::answer(state, &question, params).await
}
