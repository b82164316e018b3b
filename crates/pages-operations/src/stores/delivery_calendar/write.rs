//! Changing delivery rules.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::delivery_calendar::Rule;
use serde_json::{Value, json};

use super::model::{ApplyDeliveryRule, DeliveryCalendar, DeliveryRule, RuleDraft};
use super::queries;
use larder_ledgers::delivery_calendar as book;
use larder_ledgers::delivery_calendar::{Kept, Source};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// Maximum number of stores changed at once.
const MOST_STORES: usize = 1_000;

/// Set a source's delivery rule for a store.
#[utoipa::path(put, path = "/api/stores/delivery-calendar/{storeId}/{sourceType}/{sourceId}", tag = "delivery calendar",
    params(("storeId" = String, Path), ("sourceType" = String, Path), ("sourceId" = String, Path)),
    request_body = RuleDraft, responses((status = 200, body = DeliveryRule)))]
pub(crate) async fn set_delivery_rule(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, source_type, source_id)): Path<(String, String, String)>,
    Json(draft): Json<RuleDraft>,
) -> ApiResult<Json<DeliveryRule>> {
    let rule = draft.read()?;
    let source = Source { store_id: &store_id, source_type: &source_type, source_id: &source_id };
    let actor = who.actor();
    let kept = state.db.write(&actor, async |tx| {
        queries::check_source(tx, source).await?;
        set(tx, source, rule, Some(draft.revision)).await
    });
    Ok(Json(DeliveryRule::of(kept.await?, who.at)))
}

/// Remove a source's delivery rule for a store.
#[utoipa::path(delete, path = "/api/stores/delivery-calendar/{storeId}/{sourceType}/{sourceId}",
    tag = "delivery calendar",
    params(("storeId" = String, Path), ("sourceType" = String, Path), ("sourceId" = String, Path)),
    responses((status = 204)))]
pub(crate) async fn remove_delivery_rule(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, source_type, source_id)): Path<(String, String, String)>,
) -> ApiResult<StatusCode> {
    let source = Source { store_id: &store_id, source_type: &source_type, source_id: &source_id };
    let actor = who.actor();
    let removed = state.db.write(&actor, async |tx| {
        let before = book::of_in(tx, source).await?.ok_or_else(|| ApiError::not_found("delivery rule"))?;
        book::remove(tx, source).await?;
        record(tx, source, ChangeAction::Deleted, Some(audit_snapshot(&before)), None).await
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set the same rule for several stores: for all or none.
#[utoipa::path(post, path = "/api/stores/delivery-calendar/apply", tag = "delivery calendar",
    request_body = ApplyDeliveryRule, responses((status = 200, body = DeliveryCalendar)))]
pub(crate) async fn apply_delivery_rule(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<ApplyDeliveryRule>,
) -> ApiResult<Json<DeliveryCalendar>> {
    if body.store_ids.is_empty() || body.store_ids.len() > MOST_STORES {
        return Err(ApiError::field("storeIds", format!("Choose 1 to {MOST_STORES} stores.")));
    }
    for store in &body.store_ids {
        scope::check(Some(store), &who.scope)?;
    }
    let rule = body.rule.read()?;
    let (actor, body) = (who.actor(), &body);
    let written = state.db.write(&actor, async |tx| {
        let mut written = Vec::with_capacity(body.store_ids.len());
        for store_id in &body.store_ids {
            let source = Source { store_id, source_type: &body.source_type, source_id: &body.source_id };
            queries::check_source(tx, source).await?;
            written.push(set(tx, source, rule, None).await?);
        }
        Ok::<_, ApiError>(written)
    });
    let items = written.await?.into_iter().map(|kept| DeliveryRule::of(kept, who.at)).collect();
    Ok(Json(DeliveryCalendar { items }))
}

/// Saves a rule. `seen` is the revision the caller saw; without it, any existing rule is replaced.
async fn set(tx: &mut Tx<'_>, source: Source<'_>, rule: Rule, seen: Option<Option<i64>>) -> ApiResult<Kept> {
    let before = book::of_in(tx, source).await?;
    let expected = seen.unwrap_or_else(|| before.as_ref().map(|kept| kept.revision));
    if !book::set(tx, source, rule, expected).await? {
        let at = tx.actor().at;
        let now = book::of_in(tx, source).await?.ok_or_else(|| ApiError::not_found("delivery rule"))?;
        let name = now.updated_by.name.clone();
        return Err(ApiError::stale(&name, json!(DeliveryRule::of(now, at))));
    }
    let kept = book::of_in(tx, source).await?.ok_or_else(|| ApiError::not_found("delivery rule"))?;
    let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
    record(tx, source, action, before.as_ref().map(audit_snapshot), Some(audit_snapshot(&kept))).await?;
    Ok(kept)
}

fn audit_snapshot(kept: &Kept) -> Value {
    let rule = kept.rule();
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let days: Vec<&str> = names
        .iter()
        .enumerate()
        .filter(|(at, _)| rule.weekdays & (1 << at) != 0)
        .map(|(_, name)| *name)
        .collect();
    json!({
        "weekdays": days.join(", "),
        "cutoffTime": format!("{:02}:{:02}", rule.cutoff_minutes / 60, rule.cutoff_minutes % 60),
        "cutoffDays": rule.cutoff_days,
        "skipHolidays": rule.skip_holidays,
    })
}

async fn record(
    tx: &mut Tx<'_>,
    source: Source<'_>,
    action: ChangeAction,
    before: Option<Value>,
    after: Option<Value>,
) -> ApiResult<()> {
    tx.record(Change {
        kind: "deliveryCalendar",
        id: format!("{}_{}", source.store_id, source.source_id),
        store_id: Some(source.store_id.to_owned()),
        action,
        before,
        after,
    })
    .await?;
    Ok(())
}
