//! `/stores/locations/{id}`, leases: a store's rent and its terms.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::Action::{Edit, View};
use larder_domain::cmsr::Terms;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::leases as book;
use larder_ledgers::leases::{Draft, Lease};
use larder_platform::AppState;
use larder_platform::http::boxed_handler::routes;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::{date, known_id};
use larder_platform::http::scope::{authorize_store, check};
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Routes, Who};

const PAGE: &str = "stores/storeList";
const ONE: &str = "lease";
/// Maximum number of add-backs or breakpoints in a lease.
const MOST_PARTS: usize = 20;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(list_leases))
        .can(PAGE, Edit, routes!(create_lease))
        .can(PAGE, Edit, routes!(update_lease))
        .can(PAGE, Edit, routes!(remove_lease))
}

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeasesQuery {
    pub store_id: String,
}

/// The leases of a store.
#[derive(Debug, Serialize, ToSchema)]
pub struct Leases {
    /// Newest first.
    pub items: Vec<Lease>,
}

/// A lease to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeaseDraft {
    pub store_id: String,
    /// First day, `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub valid_from: String,
    /// Last day; null for an open-ended lease.
    #[serde(default)]
    #[schema(format = Date)]
    pub valid_to: Option<String>,
    pub terms: Terms,
    #[serde(default)]
    pub notes: String,
    /// The revision it changes.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl LeaseDraft {
    /// Validates it for the ledger.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    fn read(&self) -> ApiResult<Draft> {
        let mut wrong: Vec<FieldError> = Vec::new();
        let mut day = |field: &str, text: Option<&str>| {
            date(field, text).unwrap_or_else(|error| {
                wrong.push(error);
                None
            })
        };
        let from = day("validFrom", Some(&self.valid_from));
        let to = day("validTo", self.valid_to.as_deref());
        if from.is_none() && !wrong.iter().any(|one| one.field == "validFrom") {
            wrong.push(FieldError::new("validFrom", "Enter the first day."));
        }
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            wrong.push(FieldError::new("validTo", "The last day is before the first."));
        }
        wrong.extend(
            self.terms
                .faults()
                .into_iter()
                .map(|(field, words)| FieldError::new(format!("terms.{field}"), words)),
        );
        if self.terms.add_backs.len() > MOST_PARTS || self.terms.breakpoints.len() > MOST_PARTS {
            wrong.push(FieldError::new("terms.addBacks", format!("Enter at most {MOST_PARTS}.")));
        }
        if has_unseen_in_lines(&self.notes) || self.notes.chars().count() > 500 {
            wrong.push(FieldError::new("notes", "Enter at most 500 visible characters."));
        }
        match (from, wrong.is_empty()) {
            (Some(valid_from), true) => Ok(Draft {
                store_id: self.store_id.clone(),
                valid_from,
                valid_to: to,
                terms: self.terms.clone(),
                notes: self.notes.trim().to_owned(),
            }),
            _ => Err(ApiError::invalid(wrong)),
        }
    }
}

/// A store's leases over time.
#[utoipa::path(get, path = "/api/stores/leases", tag = "leases", params(LeasesQuery),
    responses((status = 200, body = Leases)))]
pub(crate) async fn list_leases(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<LeasesQuery>,
) -> ApiResult<Json<Leases>> {
    who.check_store(&query.store_id)?;
    Ok(Json(Leases { items: book::of(&state.db, &[query.store_id]).await? }))
}

/// Create a lease that starts on a given day.
#[utoipa::path(post, path = "/api/stores/leases", tag = "leases", request_body = LeaseDraft,
    responses((status = 201, body = Lease)))]
pub(crate) async fn create_lease(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<LeaseDraft>,
) -> ApiResult<(StatusCode, Json<Lease>)> {
    check(Some(&body.store_id), &who.scope)?;
    let draft = body.read()?;
    let (id, actor, draft) = (state.new_id(), who.actor(), &draft);
    let id = &id;
    let kept = state.db.write(&actor, async |tx| {
        if !book::store_exists(tx, &draft.store_id).await? {
            return Err(ApiError::not_found("store"));
        }
        refuse_overlap(tx, id, draft).await?;
        book::insert(tx, id, draft).await?;
        let kept = book::find_in(tx, id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
        record(tx, ChangeAction::Created, None, Some(&kept)).await?;
        Ok(kept)
    });
    Ok((StatusCode::CREATED, Json(kept.await?)))
}

/// Change a lease. Certified months keep the terms they were certified with.
#[utoipa::path(patch, path = "/api/stores/leases/{id}", tag = "leases", params(("id" = String, Path)),
    request_body = LeaseDraft, responses((status = 200, body = Lease)))]
pub(crate) async fn update_lease(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<Value>,
) -> ApiResult<Json<Lease>> {
    known_id(&id, ONE)?;
    let (actor, id, body, scope) = (who.actor(), &id, &body, &who.scope);
    let kept = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, scope)?;
        let body: LeaseDraft = serde_json::from_value(body.clone())
            .map_err(|error| ApiError::unprocessable("invalid", error.to_string()))?;
        // A lease cannot move to another store.
        let draft = LeaseDraft { store_id: before.store_id.clone(), ..body.clone() }.read()?;
        refuse_overlap(tx, id, &draft).await?;
        let changed = book::update(tx, id, body.revision.unwrap_or_default(), &draft).await?;
        let now = book::find_in(tx, id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
        if !changed {
            return Err(ApiError::stale(&now.updated_by.name.clone(), json!(now)));
        }
        record(tx, ChangeAction::Updated, Some(&before), Some(&now)).await?;
        Ok(now)
    });
    Ok(Json(kept.await?))
}

/// Delete a lease.
#[utoipa::path(delete, path = "/api/stores/leases/{id}", tag = "leases", params(("id" = String, Path)),
    responses((status = 204)))]
pub(crate) async fn remove_lease(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    known_id(&id, ONE)?;
    let (actor, id, scope) = (who.actor(), &id, &who.scope);
    let removed = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, scope)?;
        book::remove(tx, id).await?;
        record(tx, ChangeAction::Deleted, Some(&before), None).await
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn refuse_overlap(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> ApiResult<()> {
    let Some(other) = book::overlapping(tx, id, draft).await? else { return Ok(()) };
    let until = other.valid_to.map_or_else(|| "on".to_owned(), |to| format!("to {}", to.display()));
    let words = format!(
        "The lease from {} {until} holds on these days too. End it before this one begins.",
        other.valid_from.display()
    );
    Err(ApiError::field("validFrom", words))
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&Lease>,
    after: Option<&Lease>,
) -> ApiResult<()> {
    let Some(one) = after.or(before) else { return Ok(()) };
    let change = Change {
        kind: "lease",
        id: one.id.clone(),
        store_id: Some(one.store_id.clone()),
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    };
    Ok(tx.record(change).await?)
}

/// The audit trail's representation.
fn audit_snapshot(one: &Lease) -> Value {
    let terms = &one.terms.0;
    let backs: Vec<String> = terms
        .add_backs
        .iter()
        .map(|one| match (one.amount, one.percent) {
            (Some(amount), _) => format!("{} {amount}", one.name),
            (_, percent) => format!("{} {}%", one.name, percent.unwrap_or_default()),
        })
        .collect();
    json!({
        "validFrom": one.valid_from, "validTo": one.valid_to, "fixed": terms.fixed, "percent": terms.percent,
        "mode": terms.mode, "addBacks": backs.join(", "), "notes": one.notes,
        "breakpoints": terms.breakpoints.iter().map(|one| format!("over {} {}%", one.over, one.percent)).collect::<Vec<_>>().join(", "),
    })
}
