//! The two routes of a report.

use axum::extract::State;
use axum::response::Response;
use larder_domain::Action;
use serde::Deserialize;

use super::{Asked, Report, contract};
use larder_platform::AppState;
use larder_platform::http::erased::get;
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
    Query(asked): Query<Asked>,
    Query(asks): Query<R::Asks>,
) -> ApiResult<Json<R::Answer>> {
    R::check_page(&asks)?;
    let answer = answer::<R>(&state, &who, &asked, &asks).await?;
    Ok(Json(R::on_page(answer, &asks)))
}

async fn export<R: Report>(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(asks): Query<R::Asks>,
    Query(in_file): Query<R::InFile>,
    Query(FileFormat { format }): Query<FileFormat>,
) -> ApiResult<Response> {
    let format = Format::read(format.as_deref())?;
    let answer = answer::<R>(&state, &who, &asked, &asks).await?;
    R::sheet(&answer, &asks, &in_file)?.respond(R::NAME, format).await
}

async fn answer<R: Report>(
    state: &AppState,
    who: &Who,
    asked: &Asked,
    asks: &R::Asks,
) -> ApiResult<R::Answer> {
    let question = asked.check(state, who).await?;
    question.at_most(R::MOST_DAYS)?;
    R::answer(state, &question, asks).await
}
