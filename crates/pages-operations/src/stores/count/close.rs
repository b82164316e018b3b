//! Goods that came close to a count, and what people answer about them.

use axum::extract::State;

use super::model::{CloseGoods, CloseGoodsAnswers, CloseGoodsLine, CountQuery, SessionOfDay};
use super::sessions::known;
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

async fn of(state: &AppState, who: &Who, asked: &SessionOfDay) -> ApiResult<CloseGoods> {
    let place = known(state, who, asked).await?;
    let blind = counts::settings_of(&state.db, place.0).await?.settings.blind;
    let found = place_stock::close_to(&state.db, place).await?;
    let line = |line: place_stock::CloseLine| CloseGoodsLine {
        line_id: line.line_id,
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
    let unknown = body.answers.iter().enumerate().filter(|(_, one)| !is_id(&one.line_id));
    let wrong: Vec<FieldError> = unknown
        .map(|(at, _)| FieldError::new(format!("answers.{at}.lineId"), "Choose a line of the goods."))
        .collect();
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
