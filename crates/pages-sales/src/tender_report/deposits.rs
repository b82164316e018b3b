//! Bank deposits of stores.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_db::{Change, ChangeAction, Tx};
use serde_json::{Value, json};

use super::declarations::{as_map, may_be_voided};
use super::model::{CashDepositDraft, VoidCash};
use super::queries;
use larder_documents::photos;
use larder_documents::photos::Photos;
use larder_ledgers::backdating;
use larder_ledgers::cash::deposits as book;
use larder_ledgers::cash::deposits::{Deposit, Draft, Known};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::scope::{authorize_store, check};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

const ONE: &str = "deposit";

/// Record a bank deposit and the days its cash belongs to. A slip is accepted once per bank and day; without
/// a slip, 409 `duplicateDeposit` asks about one of the same amount, and `acceptDuplicate` confirms it. A
/// repeated `Idempotency-Key` returns the first response.
#[utoipa::path(post, path = "/api/sales/tender-report/deposits", tag = "tender report",
    request_body = CashDepositDraft, responses((status = 201, body = Deposit)))]
pub(crate) async fn create_cash_deposit(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(body): Json<CashDepositDraft>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let key = Key::of(&headers, "create_cash_deposit".to_owned(), &as_map(&body)?)?;
    let draft = body.read(who.at)?;
    check(Some(&draft.store_id), &who.scope)?;
    let (id, draft, actor, who, body) = (state.new_id(), &draft, who.actor(), &who, &body);
    let id = &id;
    let answer = once(&state.db, &actor, key.as_ref(), async |tx: &mut Tx<'_>| {
        queries::hold_store(tx, &draft.store_id).await?;
        let why = backdating::check(tx, who, body.dated(draft.deposited_on)).await?;
        refuse_known(tx, id, draft).await?;
        photos::check(tx, Photos { store_id: &draft.store_id, ids: &draft.photos }).await?;
        book::insert(tx, id, draft).await?;
        let kept = authorize_store(book::find_in(tx, id).await?, ONE, &larder_domain::StoreScope::All)?;
        record(tx, ChangeAction::Created, None, &kept, why).await?;
        Ok(json!(kept))
    });
    Ok((StatusCode::CREATED, Json(answer.await?)))
}

/// A bank deposit.
#[utoipa::path(get, path = "/api/sales/tender-report/deposits/{id}", tag = "tender report",
    params(("id" = String, Path)), responses((status = 200, body = Deposit)))]
pub(crate) async fn get_cash_deposit(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Deposit>> {
    let found = book::find(&state.db, known_id(&id, ONE)?).await?;
    Ok(Json(authorize_store(found, ONE, &who.scope)?))
}

/// Correct a bank deposit.
#[utoipa::path(patch, path = "/api/sales/tender-report/deposits/{id}", tag = "tender report",
    params(("id" = String, Path)), request_body = CashDepositDraft,
    responses((status = 200, body = Deposit)))]
pub(crate) async fn update_cash_deposit(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<CashDepositDraft>,
) -> ApiResult<Json<Deposit>> {
    known_id(&id, ONE)?;
    let (actor, id, body, who) = (who.actor(), &id, &body, &who);
    let kept = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, &who.scope)?;
        queries::hold_store(tx, &before.store_id).await?;
        // A deposit cannot move to another store.
        let body = CashDepositDraft { store_id: before.store_id.clone(), ..body.clone() };
        let draft: Draft = body.read(tx.actor().at)?;
        let mut why = backdating::check(tx, who, body.dated(draft.deposited_on)).await?;
        if before.deposited_on != draft.deposited_on {
            why = backdating::check(tx, who, body.dated(before.deposited_on)).await?.or(why);
        }
        // An unchanged payment is not checked again; old duplicates are corrected one by one.
        let other = !is_same_payment(&before, &draft);
        if other {
            refuse_known(tx, id, &draft).await?;
        }
        photos::check(tx, Photos { store_id: &draft.store_id, ids: &draft.photos }).await?;
        let changed = book::update(tx, id, body.revision.unwrap_or_default(), &draft, other).await?;
        settle(tx, before, changed, why).await
    });
    Ok(Json(kept.await?))
}

/// Void a bank deposit.
#[utoipa::path(post, path = "/api/sales/tender-report/deposits/{id}/void", tag = "tender report",
    params(("id" = String, Path)), request_body = VoidCash, responses((status = 200, body = Deposit)))]
pub(crate) async fn void_cash_deposit(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<VoidCash>,
) -> ApiResult<Json<Deposit>> {
    known_id(&id, ONE)?;
    let (actor, id, body, who) = (who.actor(), &id, &body, &who);
    let kept = state.db.write(&actor, async |tx| {
        let before = authorize_store(book::find_in(tx, id).await?, ONE, &who.scope)?;
        let reason = body.read()?;
        may_be_voided(tx, who, "reason", before.deposited_on, &reason).await?;
        let changed = book::void(tx, id, body.revision, &reason).await?;
        settle(tx, before, changed, None).await
    });
    Ok(Json(kept.await?))
}

/// Refuses a slip that was already recorded, and asks about a likely duplicate.
async fn refuse_known(tx: &mut Tx<'_>, id: &str, draft: &Draft) -> ApiResult<()> {
    let described = |one: &Deposit| {
        format!(
            "{} paid into {} on {} by {}",
            one.amount.pesos(),
            one.bank,
            one.deposited_on.display(),
            one.created_by.name
        )
    };
    match book::known(tx, id, draft).await? {
        None => Ok(()),
        Some(Known::Amount(_)) if draft.another => Ok(()),
        Some(Known::Amount(one)) => {
            let words = format!("There is a deposit of {} already. Is this another one?", described(&one));
            Err(ApiError::conflict("duplicateDeposit", words).with("id", json!(one.id)))
        }
        Some(Known::Slip(one)) => {
            let words =
                format!("Slip {} is there already: {}. Check the number.", one.reference, described(&one));
            let fields = vec![FieldError::new("reference", words.clone())];
            Err(ApiError::conflict("slipTaken", words).at(fields).with("id", json!(one.id)))
        }
    }
}

/// Whether the fields that identify a payment are unchanged.
fn is_same_payment(before: &Deposit, draft: &Draft) -> bool {
    before.deposited_on == draft.deposited_on
        && before.amount == draft.amount
        && before.bank == draft.bank
        && before.reference == draft.reference
}

/// Records the change in the audit trail and returns the result.
async fn settle(tx: &mut Tx<'_>, before: Deposit, changed: bool, why: Option<&str>) -> ApiResult<Deposit> {
    let now = book::find_in(tx, &before.id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
    if !changed {
        if now.void_reason.is_some() {
            return Err(ApiError::conflict("voided", "This deposit was voided. Make a new one."));
        }
        return Err(ApiError::stale(&now.updated_by.name.clone(), json!(now)));
    }
    record(tx, ChangeAction::Updated, Some(&before), &now, why).await?;
    Ok(now)
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&Deposit>,
    after: &Deposit,
    why: Option<&str>,
) -> ApiResult<()> {
    let mut now = audit_snapshot(after);
    if let Some(why) = why {
        now["backdatedReason"] = json!(why);
    }
    let change = Change {
        kind: "cashDeposit",
        id: after.id.clone(),
        store_id: Some(after.store_id.clone()),
        action,
        before: before.map(audit_snapshot),
        after: Some(now),
    };
    Ok(tx.record(change).await?)
}

/// The audit trail's representation.
fn audit_snapshot(one: &Deposit) -> Value {
    let days: Vec<String> =
        one.days.iter().map(|day| format!("{} {}", day.business_date, day.amount)).collect();
    json!({
        "depositedOn": one.deposited_on, "amount": one.amount, "bank": one.bank, "reference": one.reference,
        "days": days.join(", "), "notes": one.notes, "voidReason": one.void_reason,
    })
}
