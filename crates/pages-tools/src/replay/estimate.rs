//! Estimates the duration of a run by timing a few root items.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;

use super::calculation::{Replay, span, whole};
use super::items::Ground;
use super::model::ReplayEstimate;
use super::past::{HISTORY, StorePast, Wanted};
use super::{play, policies, queries};
use larder_domain::{BusinessDay, Span};
use larder_ledgers::demand::Demand;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Calculation as _};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Number of root items timed.
const TRIED: usize = 4;

/// Estimate the duration of a replay on this machine. Nothing is saved.
#[utoipa::path(post, path = "/api/tools/services/replay/estimate", tag = "services", request_body = Ask,
    responses((status = 200, body = ReplayEstimate)))]
pub(crate) async fn estimate_replay(
    State(state): State<AppState>,
    who: Who,
    Json(ask): Json<Ask>,
) -> ApiResult<Json<ReplayEstimate>> {
    Replay::check(&state, &ask).await?;
    let asked = policies::of(&ask).map_err(ApiError::invalid)?;
    let db = &state.db;
    let allowed = who.stores(ask.store_ids.as_deref())?;
    let demand = Demand::open(db, ask.item_ids.as_deref()).await?;
    let span = span(&demand, &ask, BusinessDay::of(who.at)).await?;
    let span = span.ok_or_else(|| ApiError::field("to", "There are no sales yet to be played again."))?;
    let stores = queries::stores(db, allowed.as_deref()).await?;
    let known: HashSet<&str> = stores.iter().map(|store| store.id.as_str()).collect();
    let known_days = Span { from: span.from.plus(-HISTORY), to: span.to };
    let sold = demand.totals(Span { from: span.from, ..known_days }).await?;
    let series = sold.iter().filter(|(store, _, qty)| *qty > 0 && known.contains(store.as_str())).count();
    let actual = asked.iter().any(|policy| policy.actual);
    let (mut seconds, mut playable, mut left_out) = (0.0, 0, 0);
    let busiest = |id: &str| sold.iter().filter(|(store, ..)| store == id).count();
    if let Some(store) = stores.iter().max_by_key(|store| busiest(&store.id)) {
        let ground = Ground::read(db).await?;
        let began = Instant::now();
        let wanted = Wanted { span, actual, only: None };
        let past = Arc::new(StorePast::read(db, (&demand, &ground), store, wanted).await?);
        let reading = began.elapsed().as_secs_f64();
        (playable, left_out) = (past.series.len(), past.left_out.len());
        let tried = playable.min(TRIED);
        let began = Instant::now();
        let of = past.clone();
        let played = tokio::task::spawn_blocking(move || play::play(&of, &asked, 0..tried));
        let played = played.await.map_err(ApiError::internal)?;
        played.map_err(|refused| ApiError::field(policies::FIELD, refused.to_string()))?;
        let each = if tried == 0 { 0.0 } else { began.elapsed().as_secs_f64() / tried as f64 };
        // Other stores are assumed to have the same playable share as the busiest one.
        let share = playable as f64 / (playable + left_out).max(1) as f64;
        seconds = reading * stores.len() as f64 + each * share * series as f64;
    }
    Ok(Json(ReplayEstimate {
        seconds: (seconds * 10.0).ceil() / 10.0,
        series: whole(series),
        playable: whole(playable),
        left_out: whole(left_out),
        days: span.days(),
        from: span.from,
        to: span.to,
    }))
}
