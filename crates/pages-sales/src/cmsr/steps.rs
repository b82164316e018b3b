//! Certify, submit, amend.

use axum::extract::State;
use larder_db::{Actor, Change, ChangeAction, Reader, Tx};
use larder_domain::BusinessDay;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::model::{AmendCmsr, CertifyCmsr, Cmsr, CmsrContent, CmsrLacking, SubmitCmsr, month_text};
use super::month;
use super::month::{Blocking, Live};
use super::queries::{self, New, Store};
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
/// 422 while days are incomplete, naming their tills; 409 if already certified or what it is made of changes
/// meanwhile.
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
    let live = month::live(&mut Reader::Db(&state.db), store, month, today).await?;
    refuse_incomplete((live.blocking, &live.lacking), &live.undecided)?;
    let versions = queries::versions(&state.db, &store.id, month).await?;
    let before = match versions.first() {
        Some(one) if one.state != "amended" => return Err(taken(month, "certified already")),
        Some(one) => queries::content(&mut Reader::Db(&state.db), &store.id, month, one.version).await?,
        None => None,
    };
    let version = versions.first().map_or(1, |one| one.version + 1);
    let changes = before.map(|before| month::changed(&before, &live.content)).unwrap_or_default();
    let digest = digest(&live.content)?;
    let live = &live;
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
        // What changed since the figures were read: readings, corrections, sources, absences, leases, the store.
        let now = current(tx, &store.id, month, today).await?;
        refuse_incomplete((now.blocking, &now.lacking), &now.undecided)?;
        if now.made_of != live.made_of || self::digest(&now.content)? != *digest {
            return Err(ApiError::conflict(
                "state",
                "The month has changed meanwhile. Check it and try again.",
            ));
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

/// The month as it is in a transaction.
async fn current(tx: &mut Tx<'_>, store: &str, month: BusinessDay, today: BusinessDay) -> ApiResult<Live> {
    let on = &mut Reader::Tx(tx);
    let store = queries::store(on, store).await?.ok_or_else(|| ApiError::not_found("store"))?;
    month::live(on, &store, month, today).await
}

/// Changes whenever a month's content does.
fn digest(content: &CmsrContent) -> ApiResult<String> {
    let text = serde_json::to_vec(content).map_err(ApiError::internal)?;
    Ok(Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect())
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
    let today = BusinessDay::of(actor.at);
    let written = state.db.write(actor, async |tx| {
        let latest = queries::latest_in(tx, &store.id, month).await?;
        let latest = latest.ok_or_else(|| not_yet(month))?;
        let kept = queries::content(&mut Reader::Tx(tx), &store.id, month, latest.version).await?;
        if let Some(kept) = kept.filter(|_| latest.state != "amended") {
            let now = current(tx, &store.id, month, today).await?;
            if let Some(differs) = month::differs(&latest, &kept, &now) {
                return Err(ApiError::conflict("differs", differs.says));
            }
        }
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
