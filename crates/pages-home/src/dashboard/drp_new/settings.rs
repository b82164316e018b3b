//! Planning rules for stores, categories and products, and the settings in effect.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::replenishment::{At, Effective, Place, Said, Says};
use larder_planning::method::Method;
use serde_json::{Value, json};

use super::model::{EffectiveSetting, PlanRule, PlanRuleDraft, PlanSettings, SettingsQuery};
use super::queries;
use larder_documents::products;
use larder_ledgers::plans::rules;
use larder_ledgers::plans::rules::Kept;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::{is_id, known_id};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who, scope};

/// The accessible rules, and the settings in effect for a store and product.
#[utoipa::path(get, path = "/api/dashboard/drp-new/settings", tag = "replenishment plan", params(SettingsQuery),
    responses((status = 200, body = PlanSettings)))]
pub(crate) async fn list_plan_settings(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<SettingsQuery>,
) -> ApiResult<Json<PlanSettings>> {
    let db = &state.db;
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (store_id, product_id) = (text(&query.store_id), text(&query.product_id));
    if let Some(store) = &store_id {
        who.check_store(store)?;
    }
    let kept = rules::all(db).await?;
    let store = match &store_id {
        Some(id) => Some(
            queries::store(db, known_id(id, "store")?).await?.ok_or_else(|| ApiError::not_found("store"))?,
        ),
        None => None,
    };
    let product = match &product_id {
        Some(id) => {
            let mut found = products::by_id_now(db, &[known_id(id, "product")?]).await?;
            Some(found.remove(id).ok_or_else(|| ApiError::not_found("product"))?)
        }
        None => None,
    };
    let within = |rule: &&Kept| scope::check(rule.store_id.as_deref(), &who.scope).is_ok();
    if store.is_none() && product.is_none() {
        let rules = kept.iter().filter(within).map(wire).collect();
        return Ok(Json(PlanSettings { rules, effective: Vec::new() }));
    }
    let parents = queries::categories(db).await?.into_iter().collect();
    let category = product.as_ref().and_then(|product| product.category_id.clone());
    let categories = category.map(|id| super::plan::upwards(&parents, &id)).unwrap_or_default();
    let at = At {
        store_id: store.as_ref().map(|store| store.id.as_str()),
        location: store.as_ref().map_or((0, 0), |store| (store.lead_time_days, store.review_time_days)),
        product_id: product.as_ref().map(|product| product.id.as_str()),
        categories: &categories,
        shelf_life_days: product.as_ref().and_then(|product| product.shelf_life),
    };
    let all: larder_domain::replenishment::Rules = kept.iter().map(Kept::rule).collect();
    let bearing: Vec<&str> = all.bearing(at).into_iter().map(|(_, rule)| rule.id.as_str()).collect();
    let rules = bearing.iter().filter_map(|id| kept.iter().find(|rule| rule.id == *id)).map(wire).collect();
    Ok(Json(PlanSettings { rules, effective: settings(all.effective(at)) }))
}

/// Save a planning rule for a store, a category, a product, a product in a store, or for everything. Replaces
/// the whole rule; fields left out fall back to more general rules.
#[utoipa::path(put, path = "/api/dashboard/drp-new/settings", tag = "replenishment plan", request_body = PlanRuleDraft,
    responses((status = 200, body = PlanRule)))]
pub(crate) async fn set_plan_rule(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<PlanRuleDraft>,
) -> ApiResult<Json<PlanRule>> {
    let (place, says) = read(&draft)?;
    may_write(&who, place.store_id.as_deref())?;
    let (id, actor) = (state.new_id(), who.actor());
    let (id, place, says) = (&id, &place, &says);
    let written = state.db.write(&actor, async |tx| {
        let missing = queries::missing(tx, place).await?;
        if !missing.is_empty() {
            let one = |field: &&str| FieldError::new(*field, "This does not exist any more; choose another.");
            return Err(ApiError::invalid(missing.iter().map(one).collect()));
        }
        let before = rules::at(tx, place).await?;
        if !rules::set(tx, id, place, says, draft.revision).await? {
            return Err(match before {
                Some(kept) => ApiError::stale(&kept.updated_by.name, json!(wire(&kept))),
                None => ApiError::not_found("setting"),
            });
        }
        let after = rules::at(tx, place).await?.ok_or_else(|| ApiError::not_found("setting"))?;
        record(tx, before.as_ref(), Some(&after)).await?;
        Ok::<_, ApiError>(after)
    });
    Ok(Json(wire(&written.await?)))
}

/// Delete a planning rule.
#[utoipa::path(delete, path = "/api/dashboard/drp-new/settings/{id}", tag = "replenishment plan",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn remove_plan_rule(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let (id, actor) = (known_id(&id, "setting")?, who.actor());
    let removed = state.db.write(&actor, async |tx| {
        let kept = rules::find(tx, id).await?.ok_or_else(|| ApiError::not_found("setting"))?;
        scope::check(kept.store_id.as_deref(), &who.scope)?;
        may_write(&who, kept.store_id.as_deref())?;
        rules::remove(tx, id).await?;
        record(tx, Some(&kept), None).await
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A rule for one store needs access to that store; one for several stores needs access to all.
fn may_write(who: &Who, store_id: Option<&str>) -> ApiResult<()> {
    match store_id {
        Some(store) => who.check_store(store),
        None if who.stores(None)?.is_some() => {
            let words = "This holds for all stores, so only people of all stores can change it.";
            Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words))
        }
        None => Ok(()),
    }
}

fn read(draft: &PlanRuleDraft) -> ApiResult<(Place, Says)> {
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let place = Place {
        store_id: text(&draft.store_id),
        category_id: text(&draft.category_id),
        product_id: text(&draft.product_id),
    };
    let says = Says {
        service_level: draft.service_level,
        min: draft.min,
        max: draft.max,
        review_days: draft.review_days,
        lead_days: draft.lead_days,
        shelf_life_days: draft.shelf_life_days,
        method: text(&draft.method),
        priority: draft.priority,
        percent: draft.percent,
    };
    let mut wrong: Vec<FieldError> =
        says.faults().into_iter().map(|(field, words)| FieldError::new(field, words)).collect();
    for (field, id) in
        [("storeId", &place.store_id), ("categoryId", &place.category_id), ("productId", &place.product_id)]
    {
        if id.as_deref().is_some_and(|id| !is_id(id)) {
            wrong.push(FieldError::new(field, "Choose one from the list."));
        }
    }
    if place.origin().is_none() {
        let words = "Choose a store, a category, a product, or a store and a product.";
        wrong.push(FieldError::new("categoryId", words));
    }
    if says.method.as_deref().is_some_and(|name| Method::parse(name).is_none()) {
        wrong.push(FieldError::new("method", "There is no method of this name."));
    }
    if place.product_id.is_none() {
        for (field, said) in [("priority", says.priority.is_some()), ("percent", says.percent.is_some())] {
            if said {
                wrong.push(FieldError::new(field, "Say this for a product."));
            }
        }
    }
    if says.is_empty() && wrong.is_empty() {
        wrong.push(FieldError::new("serviceLevel", "Say at least one value."));
    }
    if wrong.is_empty() { Ok((place, says)) } else { Err(ApiError::invalid(wrong)) }
}

fn wire(kept: &Kept) -> PlanRule {
    PlanRule {
        id: kept.id.clone(),
        store_id: kept.store_id.clone(),
        category_id: kept.category_id.clone(),
        product_id: kept.product_id.clone(),
        service_level: kept.service_level,
        min: kept.min_qty,
        max: kept.max_qty,
        review_days: kept.review_days,
        lead_days: kept.lead_days,
        shelf_life_days: kept.shelf_life_days,
        method: kept.method.clone(),
        priority: kept.priority,
        percent: kept.percent,
        revision: kept.revision,
        updated_at: kept.updated_at,
        updated_by: kept.updated_by.0.clone(),
    }
}

fn settings(effective: Effective) -> Vec<EffectiveSetting> {
    fn one<T: serde::Serialize>(field: &str, said: Said<T>) -> EffectiveSetting {
        EffectiveSetting {
            field: field.to_owned(),
            value: json!(said.value),
            from: said.origin.as_str().to_owned(),
            rule_id: said.rule_id,
        }
    }
    vec![
        one("serviceLevel", effective.service_level),
        one("min", effective.min),
        one("max", effective.max),
        one("reviewDays", effective.review_days),
        one("leadDays", effective.lead_days),
        one("shelfLifeDays", effective.shelf_life_days),
        one("method", effective.method),
        one("priority", effective.priority),
        one("percent", effective.percent),
    ]
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

async fn record(tx: &mut Tx<'_>, before: Option<&Kept>, after: Option<&Kept>) -> ApiResult<()> {
    let Some(one) = after.or(before) else { return Ok(()) };
    let action = match (before, after) {
        (None, _) => ChangeAction::Created,
        (_, None) => ChangeAction::Deleted,
        _ => ChangeAction::Updated,
    };
    tx.record(Change {
        kind: "planRule",
        id: one.id.clone(),
        store_id: one.store_id.clone(),
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    })
    .await?;
    Ok(())
}
