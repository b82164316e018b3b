//! Cash declarations of stores.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::{Action, BusinessDay};
use serde_json::{Map, Value, json};

use super::model::{CashDeclarationDraft, VoidCash};
use super::queries;
use larder_documents::photos;
use larder_documents::photos::Photos;
use larder_ledgers::backdating;
use larder_ledgers::backdating::PostingDate;
use larder_ledgers::cash::declarations as book;
use larder_ledgers::cash::declarations::{Declaration, Draft};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::scope::{authorize_store, check};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

const ONE: &str = "cash declaration";

/// Declare the cash counted in a drawer. It replaces an earlier declaration of the same till and day, which
/// stays readable. A repeated `Idempotency-Key` returns the first response.
#[utoipa::path(post, path = "/api/sales/tender-report/declarations", tag = "tender report",
    request_body = CashDeclarationDraft, responses((status = 201, body = Declaration)))]
pub(crate) async fn create_cash_declaration(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(body): Json<CashDeclarationDraft>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let key = Key::of(&headers, "create_cash_declaration".to_owned(), &as_map(&body)?)?;
    let draft = body.read(who.at)?;
    check(Some(&draft.store_id), &who.scope)?;
    let (id, draft, actor, who, body) = (state.new_id(), &draft, who.actor(), &who, &body);
    let id = &id;
    let answer = once(&state.db, &actor, key.as_ref(), async |tx: &mut Tx<'_>| {
        queries::hold_store(tx, &draft.store_id).await?;
        let why = backdating::check(tx, who, body.dated(draft.business_date)).await?;
        photos::check(tx, Photos { store_id: &draft.store_id, ids: &draft.photos }).await?;
        replace(tx, draft).await?;
        book::insert(tx, id, draft).await?;
        let kept = authorize_store(book::find_in(tx, id).await?, ONE, &larder_domain::StoreScope::All)?;
        record(tx, ChangeAction::Created, None, &kept, why).await?;
        Ok(json!(kept))
    });
    Ok((StatusCode::CREATED, Json(answer.await?)))
}

/// A cash declaration.
#[utoipa::path(get, path = "/api/sales/tender-report/declarations/{id}", tag = "tender report",
    params(("id" = String, Path)), responses((status = 200, body = Declaration)))]
pub(crate) async fn get_cash_declaration(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Declaration>> {
    let found = book::find(&state.db, known_id(&id, ONE)?).await?;
    Ok(Json(authorize_store(found, ONE, &who.scope)?))
}

/// Correct a cash declaration.
#[utoipa::path(patch, path = "/api/sales/tender-report/declarations/{id}", tag = "tender report",
    params(("id" = String, Path)), request_body = CashDeclarationDraft,
    responses((status = 200, body = Declaration)))]
pub(crate) async fn update_cash_declaration(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<CashDeclarationDraft>,
) -> ApiResult<Json<Declaration>> {
    known_id(&id, ONE)?;
    let (actor, id, body, who) = (who.actor(), &id, &body, &who);
    let kept = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, &who.scope)?;
        queries::hold_store(tx, &before.store_id).await?;
        // A declaration cannot move to another store.
        let body = CashDeclarationDraft { store_id: before.store_id.clone(), ..body.clone() };
        let draft: Draft = body.read(tx.actor().at)?;
        let mut why = backdating::check(tx, who, body.dated(draft.business_date)).await?;
        if before.business_date != draft.business_date {
            why = backdating::check(tx, who, body.dated(before.business_date)).await?.or(why);
        }
        photos::check(tx, Photos { store_id: &draft.store_id, ids: &draft.photos }).await?;
        let moved = !book::same_drawer(&before, &draft);
        if moved {
            refuse_second(tx, id, &draft).await?;
        }
        let changed = book::update(tx, id, body.revision.unwrap_or_default(), &draft, moved).await?;
        settle(tx, before, changed, why).await
    });
    Ok(Json(kept.await?))
}

/// Void a cash declaration.
#[utoipa::path(post, path = "/api/sales/tender-report/declarations/{id}/void", tag = "tender report",
    params(("id" = String, Path)), request_body = VoidCash, responses((status = 200, body = Declaration)))]
pub(crate) async fn void_cash_declaration(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<VoidCash>,
) -> ApiResult<Json<Declaration>> {
    known_id(&id, ONE)?;
    let (actor, id, body, who) = (who.actor(), &id, &body, &who);
    let kept = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, &who.scope)?;
        let reason = body.read()?;
        may_be_voided(tx, who, "reason", before.business_date, &reason).await?;
        let changed = book::void(tx, id, body.revision, &reason).await?;
        settle(tx, before, changed, None).await
    });
    Ok(Json(kept.await?))
}

/// Voids the earlier declaration of the same till and day.
async fn replace(tx: &mut Tx<'_>, draft: &Draft) -> ApiResult<()> {
    for before in book::counting(tx, draft).await? {
        let words = "Replaced by a later declaration of the same till and day.";
        let changed = book::void(tx, &before.id, before.revision, words).await?;
        settle(tx, before, changed, None).await?;
    }
    Ok(())
}

/// Refuses to move a declaration to a till and day that already have one.
async fn refuse_second(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> ApiResult<()> {
    let others = book::counting(tx, draft).await?;
    let Some(other) = others.into_iter().find(|one| one.id != id) else { return Ok(()) };
    let words = format!(
        "{} has declared {} for this till and day already. Correct that one, or void it first.",
        other.created_by.name,
        other.cash.pesos()
    );
    Err(ApiError::conflict("declared", words).with("id", json!(other.id)))
}

/// Records the change in the audit trail and returns the result.
async fn settle(
    tx: &mut Tx<'_>,
    before: Declaration,
    changed: bool,
    why: Option<&str>,
) -> ApiResult<Declaration> {
    let now = book::find_in(tx, &before.id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
    if !changed {
        if now.void_reason.is_some() {
            return Err(ApiError::conflict("voided", "This declaration was voided. Make a new one."));
        }
        return Err(ApiError::stale(&now.updated_by.name.clone(), json!(now)));
    }
    record(tx, ChangeAction::Updated, Some(&before), &now, why).await?;
    Ok(now)
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&Declaration>,
    after: &Declaration,
    why: Option<&str>,
) -> ApiResult<()> {
    let mut now = audit_snapshot(after);
    if let Some(why) = why {
        now["backdatedReason"] = json!(why);
    }
    let change = Change {
        kind: "cashDeclaration",
        id: after.id.clone(),
        store_id: Some(after.store_id.clone()),
        action,
        before: before.map(audit_snapshot),
        after: Some(now),
    };
    Ok(tx.record(change).await?)
}

/// The audit trail's representation.
fn audit_snapshot(one: &Declaration) -> Value {
    json!({
        "businessDate": one.business_date, "terminalId": one.terminal_id, "cash": one.cash,
        "tenders": one.tenders.0.iter().map(|tender| format!("{} {}", tender.kind, tender.amount)).collect::<Vec<_>>().join(", "),
        "notes": one.notes, "voidReason": one.void_reason,
    })
}

/// Whether cash of a day may still be voided. A void always has a reason, so an override only needs the
/// permission.
pub(super) async fn may_be_voided(
    tx: &mut Tx<'_>,
    who: &Who,
    field: &str,
    day: BusinessDay,
    reason: &str,
) -> ApiResult<()> {
    let overridden = who.can(super::PAGE, Action::Override);
    let posting = PostingDate { day, field, page: super::PAGE, overridden, reason: Some(reason) };
    backdating::check(tx, who, posting).await.map(drop)
}

/// The request body, for comparing retries.
pub(super) fn as_map(body: &impl serde::Serialize) -> ApiResult<Map<String, Value>> {
    match serde_json::to_value(body).map_err(ApiError::internal)? {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}
