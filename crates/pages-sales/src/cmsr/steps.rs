//! Certify, submit, amend.

use std::collections::BTreeSet;

use axum::extract::State;
use larder_db::{Actor, Change, ChangeAction, Tx};
use larder_domain::BusinessDay;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::model::{AmendCmsr, CertifyCmsr, Cmsr, CmsrLacking, SubmitCmsr, month_text};
use super::month;
use super::month::Blocking;
use super::queries::{self, New, Store};
use larder_ledgers::completeness::Completeness;
use larder_platform::AppState;
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Days whose tills a refusal names.
const NAMED: usize = 3;
/// Maximum length of a name, position or reason, in characters.
const MOST_TEXT: usize = 200;

/// Certify a month: its figures are stored with the readings they come from, and no longer change.
#[utoipa::path(post, path = "/api/sales/cmsr/certify", tag = "cmsr", request_body = CertifyCmsr,
    responses((status = 200, body = Cmsr)))]
pub(crate) async fn certify_cmsr(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<CertifyCmsr>,
) -> ApiResult<Json<Cmsr>> {
    let (store, month) = month::asked(&state.db, &who, (&body.store_id, &body.month)).await?;
    certify_month(&state, &who.actor(), (&store, month), (&body.name, &body.position)).await?;
    Ok(Json(month::shown(&state.db, &store, month, BusinessDay::of(who.at)).await?))
}

/// Certifies a month in its current state.
///
/// # Errors
/// 422 while days are incomplete, naming their tills; 409 if already certified or a reading changes meanwhile.
pub(super) async fn certify_month(
    state: &AppState,
    actor: &Actor,
    (store, month): (&Store, BusinessDay),
    (name, position): (&str, &str),
) -> ApiResult<()> {
    let said = [text("name", name, "Say who certifies it."), text("position", position, "Say as what.")];
    let wrong: Vec<FieldError> = said.iter().filter_map(|one| one.as_ref().err().cloned()).collect();
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let [name, position] = said.map(Result::unwrap_or_default);
    let today = BusinessDay::of(actor.at);
    let live = month::live(&state.db, store, month, today).await?;
    refuse_incomplete((live.blocking, &live.lacking), &live.undecided)?;
    let versions = queries::versions(&state.db, &store.id, month).await?;
    let before = match versions.first() {
        Some(one) if one.state != "amended" => return Err(taken(month, "certified already")),
        Some(one) => queries::content(&state.db, &store.id, month, one.version).await?,
        None => None,
    };
    let version = versions.first().map_or(1, |one| one.version + 1);
    let changes = before.map(|before| month::changed(&before, &live.content)).unwrap_or_default();
    let text = serde_json::to_vec(&live.content).map_err(ApiError::internal)?;
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    let live = &live;
    let readings: BTreeSet<(String, i64)> =
        live.made_of.iter().map(|one| (one.id.clone(), one.revision)).collect();
    let readings = &readings;
    let (name, position, digest, changes) = (&name, &position, &digest, &changes);
    let written = state.db.write(actor, async |tx| {
        let new = New {
            store: &store.id,
            month,
            version,
            name,
            position,
            digest,
            made_of: &live.made_of,
            content: &live.content,
            changes,
        };
        // What changed since the figures were read.
        let now =
            Completeness::read_in(tx, std::slice::from_ref(&store.id), month::days_of(month), today).await?;
        let lacking = month::lacking(&now, &store.id);
        let blocking = month::blocking(&now, &store.id, live.undecided.len());
        refuse_incomplete((blocking, &lacking), &live.undecided)?;
        if month::made_of(now.days(&store.id)) != *readings {
            return Err(ApiError::conflict("state", "A Z-reading has changed meanwhile. Try again."));
        }
        let said = live.content.days.iter().filter_map(|day| Some((day.date, day.revision?)));
        if queries::revisions_in(tx, &store.id, month::days_of(month)).await? != said.collect::<Vec<_>>() {
            return Err(ApiError::conflict("state", "A day was corrected meanwhile. Try again."));
        }
        if !queries::certify(tx, new).await? {
            return Err(taken(month, "certified already"));
        }
        let snapshot = json!({
            "version": version, "state": "certified", "name": name, "position": position,
            "netSales": live.content.foot.net_sales, "rent": live.content.foot.rent,
        });
        record(tx, (store, month), ChangeAction::Created, None, snapshot).await
    });
    written.await
}

fn refuse_incomplete(
    (blocking, lacking): (Blocking, &[CmsrLacking]),
    undecided: &[BusinessDay],
) -> ApiResult<()> {
    let Some(words) = blocking.words() else { return Ok(()) };
    let days: Vec<BusinessDay> = lacking.iter().map(|one| one.date).collect();
    let named = lacking.iter().filter(|one| !one.reasons.is_empty()).take(NAMED);
    let named: Vec<String> =
        named.map(|one| format!("{}: {}", one.date.display(), one.reasons.join(" "))).collect();
    let words = std::iter::once(words).chain(named).collect::<Vec<String>>().join(" ");
    let error = ApiError::unprocessable("daysMissing", words).with("days", json!(days));
    Err(error.with("lacking", json!(lacking)).with("undecided", json!(undecided)))
}

/// Mark the month as submitted to the lessor.
#[utoipa::path(post, path = "/api/sales/cmsr/submit", tag = "cmsr", request_body = SubmitCmsr,
    responses((status = 200, body = Cmsr)))]
pub(crate) async fn submit_cmsr(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<SubmitCmsr>,
) -> ApiResult<Json<Cmsr>> {
    let (store, month) = month::asked(&state.db, &who, (&body.store_id, &body.month)).await?;
    submit_month(&state, &who.actor(), (&store, month)).await?;
    Ok(Json(month::shown(&state.db, &store, month, BusinessDay::of(who.at)).await?))
}

/// Marks a certified month as submitted to the lessor.
///
/// # Errors
/// 409 if it is not certified, or its figures differ from the certified ones.
pub(super) async fn submit_month(
    state: &AppState,
    actor: &Actor,
    (store, month): (&Store, BusinessDay),
) -> ApiResult<()> {
    let shown = month::shown(&state.db, store, month, BusinessDay::of(actor.at)).await?;
    if let Some(differs) = shown.differs {
        return Err(ApiError::conflict("differs", differs.says));
    }
    let written = state.db.write(actor, async |tx| {
        let latest = queries::latest_in(tx, &store.id, month).await?;
        let latest = latest.ok_or_else(|| not_yet(month))?;
        if !queries::submit(tx, &latest).await? {
            return Err(if latest.state == "submitted" {
                taken(month, "submitted already")
            } else {
                not_yet(month)
            });
        }
        let snapshot = json!({ "version": latest.version, "state": "submitted" });
        record(tx, (store, month), ChangeAction::Updated, Some(json!({ "state": latest.state })), snapshot)
            .await
    });
    written.await
}

/// Reopen a certified month. The certified version is kept unchanged.
#[utoipa::path(post, path = "/api/sales/cmsr/amend", tag = "cmsr", request_body = AmendCmsr,
    responses((status = 200, body = Cmsr)))]
pub(crate) async fn amend_cmsr(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<AmendCmsr>,
) -> ApiResult<Json<Cmsr>> {
    let (store, month) = month::asked(&state.db, &who, (&body.store_id, &body.month)).await?;
    amend_month(&state, &who.actor(), (&store, month), &body.reason).await?;
    Ok(Json(month::shown(&state.db, &store, month, BusinessDay::of(who.at)).await?))
}

/// Reopens a certified month.
///
/// # Errors
/// 422 without a reason, 409 while it is open.
pub(super) async fn amend_month(
    state: &AppState,
    actor: &Actor,
    (store, month): (&Store, BusinessDay),
    reason: &str,
) -> ApiResult<()> {
    let reason = text("reason", reason, "Say why.").map_err(|error| ApiError::invalid(vec![error]))?;
    let reason = &reason;
    let written = state.db.write(actor, async |tx| {
        let latest = queries::latest_in(tx, &store.id, month).await?;
        let latest = latest.ok_or_else(|| not_yet(month))?;
        if !queries::amend(tx, &latest, reason).await? {
            return Err(taken(month, "open already"));
        }
        let snapshot = json!({ "version": latest.version, "state": "amended", "reason": reason });
        record(tx, (store, month), ChangeAction::Updated, Some(json!({ "state": latest.state })), snapshot)
            .await
    });
    written.await
}

fn text(field: &str, text: &str, words: &str) -> Result<String, FieldError> {
    let plain = text.trim();
    if plain.is_empty() {
        return Err(FieldError::new(field, words));
    }
    if has_unseen(plain) || plain.chars().count() > MOST_TEXT {
        return Err(FieldError::new(field, format!("Enter at most {MOST_TEXT} visible characters.")));
    }
    Ok(plain.to_owned())
}

fn taken(month: BusinessDay, how: &str) -> ApiError {
    ApiError::conflict("state", format!("{} is {how}. Reload to continue.", month::title(month)))
}

fn not_yet(month: BusinessDay) -> ApiError {
    ApiError::conflict("state", format!("{} is not certified yet. Certify it first.", month::title(month)))
}

async fn record(
    tx: &mut Tx<'_>,
    (store, month): (&Store, BusinessDay),
    action: ChangeAction,
    before: Option<Value>,
    after: Value,
) -> ApiResult<()> {
    let change = Change {
        kind: "cmsr",
        id: format!("{}_{}", store.id, month_text(month)),
        store_id: Some(store.id.clone()),
        action,
        before,
        after: Some(after),
    };
    Ok(tx.record(change).await?)
}
