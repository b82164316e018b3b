//! Results of a run, and the days of a root item.

use std::collections::BTreeSet;

use axum::extract::State;
use larder_domain::{Money, Span};

use super::calculation::{Replay, add_reasons, compared, conclusion, verdict};
use super::items::Ground;
use super::model::{
    PathQuery, ReplayPath, ReplayResult, ReplayedDays, ReplayedItems, ReplayedPolicy, ReplayedStore,
};
use super::past::{StorePast, Wanted};
use super::policies::ReplayPolicy;
use super::queries::{Played, Reasons};
use super::sums::Sums;
use super::{play, queries};
use larder_ledgers::demand::Demand;
use larder_ledgers::store_items;
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::calculations::Calculation as _;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Results of a replay for accessible stores; while it runs, for the stores completed.
#[utoipa::path(get, path = "/api/tools/services/replay/runs/{id}/result", tag = "services",
    params(("id" = String, Path)), responses((status = 200, body = ReplayResult)))]
pub(crate) async fn get_replay_result(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ReplayResult>> {
    let Played { first_day, last_day, policies } = played(&state, &who, &id).await?;
    let parts = queries::parts(&state.db, &id, &who.scope).await?;
    let mut sums = vec![Sums::default(); policies.0.len()];
    let (mut by_store, mut items, mut reasons) = (Vec::new(), BTreeSet::new(), Reasons::new());
    for part in &parts {
        items.extend(part.root_items.0.iter().map(String::as_str));
        if let Some(why) = &part.left_out_why {
            add_reasons(&mut reasons, why);
        }
        for (policy, (sum, of_store)) in sums.iter_mut().zip(&part.figures.0).enumerate() {
            sum.add(of_store);
            by_store.push(in_store(&part.store_id, policy, of_store));
        }
    }
    let first = sums.first().copied().unwrap_or_default();
    let span = Span { from: first_day, to: last_day };
    Ok(Json(ReplayResult {
        from: first_day,
        to: last_day,
        stores: parts.len(),
        items: items.len(),
        series: first.series,
        left_out: parts.iter().map(|part| part.left_out).sum(),
        estimated_openings: parts.iter().map(|part| part.estimated).sum(),
        unpriced: first.unpriced,
        item_days: first.days - first.unknown_days,
        verdict: verdict(&policies.0, &sums),
        conclusion: conclusion(&policies.0, &sums, span, &reasons),
        policies: policies
            .0
            .iter()
            .zip(&sums)
            .map(|(policy, sum)| {
                let compared = compared(policy, &policies.0, &sums, span).filter(|_| !policy.actual);
                replayed_policy(policy.clone(), sum, compared)
            })
            .collect(),
        by_store,
        root_items: parts
            .into_iter()
            .map(|part| ReplayedItems { store_id: part.store_id, root_item_ids: part.root_items.0 })
            .collect(),
    }))
}

/// The parameters of a run, if the caller may see it.
pub(super) async fn played(state: &AppState, who: &Who, id: &str) -> ApiResult<Played> {
    calculations::find(state, who, Replay::NAME, known_id(id, "run")?).await?;
    let words = "This run has not begun yet.";
    let played = queries::played(&state.db, id).await?;
    played.ok_or_else(|| ApiError::conflict("notBegun", words))
}

fn replayed_policy(policy: ReplayPolicy, sum: &Sums, compared: Option<String>) -> ReplayedPolicy {
    ReplayedPolicy {
        compared,
        order_days: sum.order_days,
        policy,
        fill_rate: sum.fill_rate(),
        out_days: sum.out_days,
        average_stock_amount: Money(sum.stock),
        waste_amount: Money(sum.waste),
        lost_amount: sum.lost(),
        estimated_amount: Money(sum.estimated),
        orders: sum.orders,
        days: sum.days,
    }
}

fn in_store(store_id: &str, policy: usize, sum: &Sums) -> ReplayedStore {
    ReplayedStore {
        store_id: store_id.to_owned(),
        policy,
        fill_rate: sum.fill_rate(),
        out_days: sum.out_days,
        average_stock_amount: Money(sum.stock),
        lost_amount: sum.lost(),
        orders: sum.orders,
    }
}

/// Replay the days of one root item in one store under every policy of a run.
#[utoipa::path(get, path = "/api/tools/services/replay/runs/{id}/path", tag = "services",
    params(("id" = String, Path), PathQuery), responses((status = 200, body = ReplayPath)))]
pub(crate) async fn get_replay_path(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<PathQuery>,
) -> ApiResult<Json<ReplayPath>> {
    let Played { first_day, last_day, policies } = played(&state, &who, &id).await?;
    let need = |id: &Option<String>, field: &str, words: &str| {
        id.clone().filter(|id| !id.is_empty()).ok_or_else(|| ApiError::field(field, words))
    };
    let store_id = need(&query.store_id, "storeId", "Choose a store.")?;
    let root_id = need(&query.root_item_id, "rootItemId", "Choose a root item.")?;
    who.check_store(&store_id)?;
    let db = &state.db;
    let stores = queries::stores(db, Some(&[known_id(&store_id, "store")?.to_owned()])).await?;
    let store = stores.first().ok_or_else(|| ApiError::not_found("store"))?;
    let only = known_id(&root_id, "root item")?;
    let demand = Demand::open(db, Some(&[only.to_owned()])).await?;
    let ground = Ground::read(db).await?;
    let span = Span { from: first_day, to: last_day };
    let wanted = Wanted { span, actual: policies.0.iter().any(|policy| policy.actual), only: Some(only) };
    let past = StorePast::read(db, (&demand, &ground), store, wanted).await?;
    if past.series.is_empty() {
        let why = past.left_out.into_iter().next().map(|(_, why)| why);
        return Err(why.map_or_else(
            || ApiError::not_found("root item"),
            |why| ApiError::field("rootItemId", why.sentence()),
        ));
    }
    let asked = policies.0.clone();
    let lost: Vec<f64> = past.lost_of(0).to_vec();
    let days = tokio::task::spawn_blocking(move || play::days(&past, &asked, 0)).await;
    let days = days.map_err(ApiError::internal)?;
    let days = days.map_err(|refused| ApiError::unprocessable("refused", refused.to_string()))?;
    let round = |value: f64| (value * 1e6).round() / 1e6;
    let first = days.first().map(Vec::as_slice).unwrap_or_default();
    Ok(Json(ReplayPath {
        dates: (0..span.days()).map(|n| first_day.plus(n)).collect(),
        demand: first.iter().map(|day| round(day.demand)).collect(),
        lost: lost.into_iter().map(round).collect(),
        policies: policies
            .0
            .into_iter()
            .zip(&days)
            .map(|(policy, days)| ReplayedDays {
                name: policy.name,
                stock: days.iter().map(|day| round(day.closing)).collect(),
                ordered: days.iter().map(|day| round(day.ordered)).collect(),
                lost: days.iter().map(|day| round(day.demand - day.served)).collect(),
            })
            .collect(),
        unit: store_items::root_units(db).await?.remove(&root_id),
    }))
}
