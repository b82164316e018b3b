//! The days of a range, and a preview of a record.

use std::collections::BTreeMap;

use axum::extract::State;
use larder_domain::{BusinessDay, Money, Span};

use super::model::{LayoutQuery, NetsuiteDays, NetsuitePreview, PreviewNetsuite};
use super::{days, mapping, rows};
use larder_engines::reports::ReportQuery;
use larder_platform::AppState;
use larder_platform::http::export::plain;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum number of days.
pub(super) const MOST_DAYS: i32 = 92;

/// Each store's day as a record: its export state and what blocks it.
#[utoipa::path(get, path = "/api/sales/netsuite", tag = "netsuite", params(ReportQuery, LayoutQuery),
    responses((status = 200, body = NetsuiteDays)))]
pub(crate) async fn list_netsuite_days(
    State(state): State<AppState>,
    who: Who,
    Query(range): Query<ReportQuery>,
    Query(query): Query<LayoutQuery>,
) -> ApiResult<Json<NetsuiteDays>> {
    let question = range.check(&state, &who).await?;
    question.at_most(MOST_DAYS)?;
    let layout = query.layout.unwrap_or_default();
    let today = BusinessDay::of(who.at);
    let found = days::of(&state.db, layout, question.stores.as_deref(), question.span, today).await?;
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for day in &found {
        *counts.entry(day.state().to_owned()).or_default() += 1;
    }
    let Span { from, to } = question.span;
    Ok(Json(NetsuiteDays { layout, from, to, items: found.iter().map(days::Day::wire).collect(), counts }))
}

/// Preview a store's day as in the file, with a mapping that need not be saved.
#[utoipa::path(post, path = "/api/sales/netsuite/preview", tag = "netsuite", request_body = PreviewNetsuite,
    responses((status = 200, body = NetsuitePreview)))]
pub(crate) async fn preview_netsuite_record(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<PreviewNetsuite>,
) -> ApiResult<Json<NetsuitePreview>> {
    who.check_store(known_id(&body.store_id, "store")?)?;
    let date = date("date", Some(&body.date)).map_err(|error| ApiError::invalid(vec![error]))?;
    let date = date.ok_or_else(|| ApiError::field("date", "Choose a day."))?;
    let written = match body.mapping {
        Some(mapping) => {
            mapping::check(&mapping)?;
            mapping
        }
        None => mapping::of(&state.db, body.layout).await?,
    };
    let (stores, span) = ([body.store_id], Span { from: date, to: date });
    let found = days::of(&state.db, body.layout, Some(&stores), span, BusinessDay::of(who.at)).await?;
    let day = found.into_iter().next().ok_or_else(|| ApiError::not_found("day"))?;
    let made = day.made.as_ref();
    let rows = made.map(|made| rows::of(&day, made, &written)).unwrap_or_default();
    Ok(Json(NetsuitePreview {
        external_id: day.external_id.clone(),
        columns: written.columns.iter().map(|column| column.title.clone()).collect(),
        rows: rows.iter().map(|row| row.iter().map(plain).collect()).collect(),
        total: made.map_or(Money(0), |made| made.record.total),
        net: made.map_or(Money(0), |made| made.net),
        rounding: made.map_or(Money(0), |made| made.record.rounding),
        reasons: day.reasons,
    }))
}
