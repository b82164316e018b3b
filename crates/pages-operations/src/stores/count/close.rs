//! Goods that came close to a count, and what people answer about them.

use std::collections::HashSet;

use axum::extract::State;

use larder_domain::{BusinessDay, Span};

use super::model::{CloseGoods, CloseGoodsAnswers, CloseGoodsLine, CountQuery, SessionOfDay, StoreQuery};
use super::sessions::known;
use super::{queries, store};
use larder_ledgers::{counts, place_stock};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::is_id;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Most answers at once.
const MOST: usize = 500;

/// Goods that came or left so close to a count that only a person can say if they were counted. Without quantities where
/// counts are blind.
#[utoipa::path(get, path = "/api/stores/count/close-goods", tag = "counts", params(CountQuery),
    responses((status = 200, body = CloseGoods)))]
pub(crate) async fn list_close_goods(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<CountQuery>,
) -> ApiResult<Json<CloseGoods>> {
    let asked = SessionOfDay { store_id: query.store_id, date: query.date, session: query.session };
    of(&state, &who, &asked).await.map(Json)
}

/// Goods close to counts of today and yesterday that nobody answered about: what a device asks once counts and receipts
/// that it held are sent.
#[utoipa::path(get, path = "/api/stores/count/close-goods/open", tag = "counts", params(StoreQuery),
    responses((status = 200, body = CloseGoods)))]
pub(crate) async fn list_open_close_goods(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<StoreQuery>,
) -> ApiResult<Json<CloseGoods>> {
    let store_id = store(&who, query.store_id.as_deref())?;
    queries::store_name(&state.db, store_id).await?.ok_or_else(|| ApiError::not_found("store"))?;
    let today = BusinessDay::of(state.now());
    let mut found =
        place_stock::close_in(&state.db, store_id, Span { from: today.plus(-1), to: today }).await?;
    found.retain(|line| line.included.is_none());
    shown(&state, store_id, found).await.map(Json)
}

async fn of(state: &AppState, who: &Who, asked: &SessionOfDay) -> ApiResult<CloseGoods> {
    let place = known(state, who, asked).await?;
    let found = place_stock::close_to(&state.db, place).await?;
    shown(state, place.0, found).await
}

async fn shown(
    state: &AppState,
    store_id: &str,
    found: Vec<place_stock::CloseLine>,
) -> ApiResult<CloseGoods> {
    let blind = counts::settings_of(&state.db, store_id).await?.settings.blind;
    let line = |line: place_stock::CloseLine| CloseGoodsLine {
        line_id: line.line_id,
        date: line.date,
        session: line.session,
        document_id: line.document_id,
        document_kind: line.document_kind,
        document_no: line.document_no,
        product_id: line.product_id,
        name: line.name,
        qty: (!blind).then_some(line.qty),
        uom_code: line.uom_code,
        happened_at: line.happened_at,
        counted_at: line.counted_at,
        included_by_time: line.before,
        included: line.included,
    };
    Ok(CloseGoods { items: found.into_iter().map(line).collect() })
}

/// Answer whether a count included goods that came or left close to it. The answer takes precedence over the times, for that count alone.
#[utoipa::path(post, path = "/api/stores/count/close-goods", tag = "counts", request_body = CloseGoodsAnswers,
    responses((status = 200, body = CloseGoods)))]
pub(crate) async fn answer_close_goods(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<CloseGoodsAnswers>,
) -> ApiResult<Json<CloseGoods>> {
    let place = known(&state, &who, &body.place).await?;
    if body.answers.is_empty() || body.answers.len() > MOST {
        return Err(ApiError::field("answers", format!("Send 1 to {MOST} answers.")));
    }
    let ids: Vec<&str> = body.answers.iter().map(|one| one.line_id.as_str()).filter(|id| is_id(id)).collect();
    let known = counts::lines_of(&state.db, place.0, &ids).await?;
    let mut seen = HashSet::with_capacity(body.answers.len());
    let wrong = body.answers.iter().enumerate().filter_map(|(at, one)| {
        let words = if !known.contains(&one.line_id) {
            "Choose a line of the goods."
        } else if !seen.insert(&one.line_id) {
            "Answer each line once."
        } else {
            return None;
        };
        Some(FieldError::new(format!("answers.{at}.lineId"), words))
    });
    let wrong: Vec<FieldError> = wrong.collect();
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let answers: Vec<counts::Answered> = body
        .answers
        .iter()
        .map(|one| counts::Answered { line_id: one.line_id.clone(), included: one.included })
        .collect();
    let answers = &answers;
    state.db.write(&who.actor(), async |tx| counts::answer(tx, place, answers).await).await?;
    of(&state, &who, &body.place).await.map(Json)
}
