//! Saved reports: list, create, change, share, delete, restore, run.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::Action;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::datasets;
use super::definition::CustomDefinition;
use super::kept_queries::{self as store, Kept, Looks, Written};
use super::model::{CustomReport, CustomReportDraft, CustomReportPatch, CustomReports, CustomRole};
use super::plan::{dataset_for, may};
use super::run::{CustomOutcome, at_once_or_later};
use super::{file, sends};
use larder_engines::reports::PAGE;
use larder_platform::AppState;
use larder_platform::http::export::Format;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::text::{fold, has_unseen, has_unseen_in_lines};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Name of the entity in «not found» errors.
pub(super) const ONE: &str = "report";
/// Maximum number of reports listed.
const MOST: i64 = 1_000;

/// The user for queries.
pub(super) fn looks(who: &Who) -> Looks<'_> {
    Looks { user_id: &who.user_id, role_id: who.role_id.as_deref().unwrap_or_default(), all: who.super_admin }
}

/// Whether the user may change a report.
fn owns(who: &Who, kept: &Kept) -> bool {
    kept.owner_id == who.user_id || who.super_admin
}

/// A report the caller sees.
pub(super) async fn seen(state: &AppState, who: &Who, id: &str) -> ApiResult<Kept> {
    let found = store::find(&state.db, looks(who), known_id(id, ONE)?).await?;
    found.filter(|kept| kept.deleted_at.is_none()).ok_or_else(|| ApiError::not_found(ONE))
}

/// A report the caller may change, inside the transaction; `gone` includes deleted ones.
pub(super) async fn own(tx: &mut Tx<'_>, who: &Who, id: &str, gone: bool) -> ApiResult<Kept> {
    let kept = store::find_in(tx, id).await?.filter(|kept| gone || kept.deleted_at.is_none());
    let kept = kept.ok_or_else(|| ApiError::not_found(ONE))?;
    if owns(who, &kept) {
        return Ok(kept);
    }
    let words = format!("This report belongs to {}. Save a copy of your own to change it.", kept.owner_name);
    Err(ApiError::new(StatusCode::FORBIDDEN, "notYours", words))
}

/// Reports as responses, in the given order.
pub(super) async fn shown(state: &AppState, who: &Who, kept: Vec<Kept>) -> ApiResult<Vec<CustomReport>> {
    let ids: Vec<String> = kept.iter().map(|kept| kept.id.clone()).collect();
    let mut roles: HashMap<String, Vec<CustomRole>> = HashMap::new();
    for (report, id, name) in store::roles_of(&state.db, &ids).await? {
        roles.entry(report).or_default().push(CustomRole { id, name });
    }
    let mut schedules = sends::shown(state, who, &ids).await?;
    let report = |kept: Kept| {
        let dataset = datasets::get(&kept.definition.0.dataset);
        CustomReport {
            mine: owns(who, &kept),
            dataset: dataset.map(|dataset| dataset.label.to_owned()),
            can_run: dataset.is_some_and(|dataset| may(who, dataset)),
            roles: roles.remove(&kept.id).unwrap_or_default(),
            schedule: schedules.remove(&kept.id),
            id: kept.id,
            name: kept.name,
            about: kept.about,
            definition: kept.definition.0,
            owner_id: kept.owner_id,
            owner_name: kept.owner_name,
            everybody: kept.everybody,
            revision: kept.revision,
            created_at: kept.created_at,
            updated_at: kept.updated_at,
            updated_by_name: kept.updated_by.0.name,
        }
    };
    Ok(kept.into_iter().map(report).collect())
}

pub(super) async fn one(state: &AppState, who: &Who, id: &str) -> ApiResult<CustomReport> {
    let kept = seen(state, who, id).await?;
    shown(state, who, vec![kept]).await?.pop().ok_or_else(|| ApiError::not_found(ONE))
}

/// Saved reports: the caller's own, shared ones, and those sent to the caller.
#[utoipa::path(get, path = "/api/reports/custom", tag = "custom reports", responses((status = 200, body = CustomReports)))]
pub(crate) async fn list_custom_reports(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<CustomReports>> {
    let kept = store::list(&state.db, looks(&who), MOST).await?;
    let can_create = who.can(PAGE, Action::Create);
    Ok(Json(CustomReports { items: shown(&state, &who, kept).await?, can_create }))
}

/// A saved report.
#[utoipa::path(get, path = "/api/reports/custom/{id}", tag = "custom reports", params(("id" = String, Path)),
    responses((status = 200, body = CustomReport)))]
pub(crate) async fn get_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<CustomReport>> {
    Ok(Json(one(&state, &who, &id).await?))
}

fn written(name: &str, about: &str, definition: &CustomDefinition, everybody: bool) -> ApiResult<Written> {
    let mut wrong = Vec::new();
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || has_unseen(name) {
        wrong.push(FieldError::new("name", "Enter a name of 1 to 100 visible characters."));
    }
    let about = about.trim();
    if about.chars().count() > 500 || has_unseen_in_lines(about) {
        wrong.push(FieldError::new("about", "Enter at most 500 visible characters."));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    Ok(Written {
        name: name.to_owned(),
        name_key: fold(name),
        about: about.to_owned(),
        definition: definition.clone(),
        everybody,
    })
}

async fn refuse_double(tx: &mut Tx<'_>, owner: &str, written: &Written, id: &str) -> ApiResult<()> {
    if store::named(tx, owner, &written.name_key, id).await? {
        return Err(ApiError::field("name", "There is a report of this name already. Choose another one."));
    }
    Ok(())
}

async fn share(tx: &mut Tx<'_>, id: &str, roles: &[String]) -> ApiResult<()> {
    let known = store::known_roles(tx, roles).await?;
    if roles.len() > 200 || roles.iter().any(|role| !known.contains(role)) {
        return Err(ApiError::field("roles", "Choose roles that exist."));
    }
    Ok(store::set_roles(tx, id, roles).await?)
}

/// A report in the change history.
fn audit_snapshot(kept: &Kept) -> Value {
    json!({
        "name": kept.name, "about": kept.about, "everybody": kept.everybody,
        "definition": kept.definition.0,
    })
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&Kept>,
    after: Option<&Kept>,
) -> ApiResult<()> {
    let id = before.or(after).map(|kept| kept.id.clone()).unwrap_or_default();
    let change = Change {
        kind: "customReport",
        id,
        store_id: None,
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    };
    Ok(tx.record(change).await?)
}

/// Save a report.
#[utoipa::path(post, path = "/api/reports/custom", tag = "custom reports", request_body = CustomReportDraft,
    responses((status = 201, body = CustomReport)))]
pub(crate) async fn create_custom_report(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<CustomReportDraft>,
) -> ApiResult<(StatusCode, Json<CustomReport>)> {
    dataset_for(&draft.definition, &who)?;
    draft.definition.check()?;
    let written = written(&draft.name, &draft.about, &draft.definition, draft.everybody)?;
    let (id, written, roles, owner) = (state.new_id(), &written, &draft.roles, &who.user_id);
    let id = &id;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            refuse_double(tx, owner, written, id).await?;
            store::insert(tx, id, owner, written).await?;
            share(tx, id, roles).await?;
            let kept = store::find_in(tx, id).await?;
            record(tx, ChangeAction::Created, None, kept.as_ref()).await
        })
        .await?;
    Ok((StatusCode::CREATED, Json(one(&state, &who, id).await?)))
}

/// Change, rename or share a report of your own.
#[utoipa::path(patch, path = "/api/reports/custom/{id}", tag = "custom reports", params(("id" = String, Path)),
    request_body = CustomReportPatch, responses((status = 200, body = CustomReport)))]
pub(crate) async fn update_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(patch): Json<CustomReportPatch>,
) -> ApiResult<Json<CustomReport>> {
    seen(&state, &who, &id).await?;
    if let Some(definition) = &patch.definition {
        dataset_for(definition, &who)?;
        definition.check()?;
    }
    let (id, patch, asker) = (&id, &patch, &who);
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let before = own(tx, asker, id, false).await?;
            let written = written(
                patch.name.as_ref().unwrap_or(&before.name),
                patch.about.as_ref().unwrap_or(&before.about),
                patch.definition.as_ref().unwrap_or(&before.definition.0),
                patch.everybody.unwrap_or(before.everybody),
            )?;
            refuse_double(tx, &before.owner_id, &written, id).await?;
            if !store::update(tx, id, patch.revision, &written).await? {
                return Err(stale(&before));
            }
            if let Some(roles) = &patch.roles {
                share(tx, id, roles).await?;
            }
            let after = store::find_in(tx, id).await?;
            record(tx, ChangeAction::Updated, Some(&before), after.as_ref()).await
        })
        .await?;
    Ok(Json(one(&state, &who, id).await?))
}

pub(super) fn stale(kept: &Kept) -> ApiError {
    let now = json!({ "name": kept.name, "revision": kept.revision, "definition": kept.definition.0 });
    ApiError::stale(&kept.updated_by.0.name, now)
}

/// Query parameters: the revision to delete or restore.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RevisionQuery {
    pub revision: i64,
}

async fn set_deleted(state: &AppState, who: &Who, id: &str, revision: i64, gone: bool) -> ApiResult<()> {
    known_id(id, ONE)?;
    store::find(&state.db, looks(who), id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let before = own(tx, who, id, !gone).await?;
            if before.deleted_at.is_some() == gone {
                return Ok(());
            }
            if !gone && store::named(tx, &before.owner_id, &fold(&before.name), id).await? {
                let words = "There is another report of this name by now. Rename that one first.";
                return Err(ApiError::conflict("name", words));
            }
            if !store::set_deleted(tx, id, revision, gone.then_some(who.at)).await? {
                return Err(stale(&before));
            }
            let after = store::find_in(tx, id).await?;
            match gone {
                true => record(tx, ChangeAction::Deleted, Some(&before), None).await,
                false => record(tx, ChangeAction::Created, None, after.as_ref()).await,
            }
        })
        .await
}

/// Delete a report of your own. It can be restored.
#[utoipa::path(delete, path = "/api/reports/custom/{id}", tag = "custom reports",
    params(("id" = String, Path), RevisionQuery), responses((status = 204)))]
pub(crate) async fn delete_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<RevisionQuery>,
) -> ApiResult<StatusCode> {
    set_deleted(&state, &who, &id, query.revision, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restore a deleted report.
#[utoipa::path(post, path = "/api/reports/custom/{id}/restore", tag = "custom reports",
    params(("id" = String, Path), RevisionQuery), responses((status = 200, body = CustomReport)))]
pub(crate) async fn restore_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<RevisionQuery>,
) -> ApiResult<Json<CustomReport>> {
    set_deleted(&state, &who, &id, query.revision, false).await?;
    Ok(Json(one(&state, &who, &id).await?))
}

/// Run a saved report with the caller's permissions.
#[utoipa::path(get, path = "/api/reports/custom/{id}/run", tag = "custom reports", params(("id" = String, Path)),
    responses((status = 200, body = CustomOutcome)))]
pub(crate) async fn run_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<CustomOutcome>> {
    let kept = seen(&state, &who, &id).await?;
    Ok(Json(at_once_or_later(&state, &who, &kept.definition.0).await?))
}

/// Query parameters: the format.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// Export a saved report's complete table as a file.
#[utoipa::path(get, path = "/api/reports/custom/{id}/export", tag = "custom reports",
    params(("id" = String, Path), FormatQuery), responses((status = 200, body = String, content_type = "text/csv")))]
pub(crate) async fn export_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<FormatQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let kept = seen(&state, &who, &id).await?;
    file::respond(&state, &who, &kept.definition.0, &kept.name, format).await
}
