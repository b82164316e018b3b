//! Applies a policy as planning rule.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction};
use larder_domain::replenishment::{Place, Says};
use larder_domain::{Action, Qty, StoreScope};
use serde_json::{Value, json};

use super::answers::played;
use super::model::{ChoosePolicy, ChosenRule};
use super::policies::ReplayPolicy;
use larder_ledgers::plans::rules;
use larder_ledgers::plans::rules::Kept;
use larder_platform::AppState;
use larder_platform::calculations::PAGE;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Apply a policy of a replay as planning rule for a store or for all. Only service level, method, lead time
/// and review period are changed.
#[utoipa::path(post, path = "/api/tools/services/replay/runs/{id}/choose", tag = "services",
    params(("id" = String, Path)), request_body = ChoosePolicy, responses((status = 200, body = ChosenRule)))]
pub(crate) async fn choose_replay_policy(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<ChoosePolicy>,
) -> ApiResult<Json<ChosenRule>> {
    if !who.can(PAGE, Action::View) {
        return Err(ApiError::forbidden());
    }
    let policies = played(&state, &who, &id).await?.policies.0;
    let Some(policy) = policies.get(body.policy) else {
        return Err(ApiError::field("policy", "Choose one of the policies of this run."));
    };
    if policy.actual {
        let words = "What was really ordered is no policy. Choose another.";
        return Err(ApiError::field("policy", words));
    }
    let store_id = body.store_id.filter(|id| !id.is_empty());
    match &store_id {
        Some(store) => who.check_store(known_id(store, "store")?)?,
        None if who.scope != StoreScope::All => {
            let words = "This holds for all stores, so only people of all stores can choose it.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words));
        }
        None => {}
    }
    let place = &Place { store_id, ..Place::default() };
    let new_id = &state.new_id();
    let actor = who.actor();
    let chosen = state.db.write(&actor, async |tx| {
        let before = rules::at(tx, place).await?;
        let says = said(policy, before.as_ref());
        let seen = before.as_ref().map(|kept| kept.revision);
        if !rules::set(tx, new_id, place, &says, seen).await? {
            let name = before.as_ref().map_or_else(String::new, |kept| kept.updated_by.0.name.clone());
            return Err(ApiError::stale(&name, Value::Null));
        }
        let after = rules::at(tx, place).await?.ok_or_else(|| ApiError::not_found("setting"))?;
        tx.record(Change {
            kind: "planRule",
            id: after.id.clone(),
            store_id: after.store_id.clone(),
            action: if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created },
            before: before.as_ref().map(audit_snapshot),
            after: Some(audit_snapshot(&after)),
        })
        .await?;
        Ok(after)
    });
    let kept = chosen.await?;
    Ok(Json(ChosenRule {
        id: kept.id,
        store_id: kept.store_id,
        service_level: kept.service_level,
        review_days: kept.review_days,
        lead_days: kept.lead_days,
        method: kept.method,
        revision: kept.revision,
    }))
}

/// The rule after the change: the policy's parameters over the previous ones.
fn said(policy: &ReplayPolicy, before: Option<&Kept>) -> Says {
    let before = before.map(|kept| kept.rule().says).unwrap_or_default();
    Says {
        service_level: Some(Qty((policy.level() * 1e6).round() as i64)),
        lead_days: policy.lead_days.map(i64::from).or(before.lead_days),
        review_days: policy.review_days.map(i64::from).or(before.review_days),
        method: policy.method.clone().or_else(|| Some(policy.method().to_string())),
        ..before
    }
}

fn audit_snapshot(kept: &Kept) -> Value {
    json!({
        "serviceLevel": kept.service_level,
        "min": kept.min_qty,
        "max": kept.max_qty,
        "reviewDays": kept.review_days,
        "leadDays": kept.lead_days,
        "shelfLifeDays": kept.shelf_life_days,
        "method": kept.method,
        "priority": kept.priority,
        "percent": kept.percent,
    })
}
