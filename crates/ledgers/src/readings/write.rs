//! Creating, changing and taking steps: one transaction each.

use larder_db::{Change, ChangeAction, Json, Tx};
use larder_domain::document::Refused;
use larder_domain::zreading::flow::{self, ReadingState, ReadingStep};
use larder_domain::zreading::{FLOW, Terms};
use larder_domain::{BusinessDay, Span, StoreScope, Timestamp, Word};
use serde_json::{Map, Value};

use crate::day_starts;
use crate::sales::duplicates;

use super::{Draft, KIND, Reading, Taken, checked_steps, list, store, terminals};
use larder_platform::audit::Editor;
use larder_platform::http::scope;
use larder_platform::http::scope::authorize_store;
use larder_platform::http::text::{has_unseen_in_lines, said};
use larder_platform::http::{ApiError, ApiResult};

/// The longest reason, in characters.
const MAX_REASON: usize = 2_000;

/// Origin of a new reading.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    Typed,
    /// Sent by a connector.
    Api,
    /// A picture, by its id.
    Picture(&'a str),
}

/// A reading without figures.
fn empty(id: String, at: Timestamp, by: Editor) -> Reading {
    Reading {
        id,
        store_id: String::new(),
        terminal_id: String::new(),
        state: "needsReview".to_owned(),
        source: "typed".to_owned(),
        business_date: BusinessDay::of(at),
        covers_from: None,
        began_at: None,
        ended_at: None,
        min: None,
        serial: None,
        ptu: None,
        tin: None,
        first_si: None,
        last_si: None,
        first_void: None,
        last_void: None,
        first_return: None,
        last_return: None,
        transactions: None,
        z_counter: None,
        reset_counter: 0,
        previous_total: None,
        present_total: None,
        gross: None,
        net: None,
        vatable: None,
        vat: None,
        exempt: None,
        zero_rated: None,
        senior: None,
        pwd: None,
        naac: None,
        solo_parent: None,
        valor: None,
        other_discount: None,
        voids: None,
        returns: None,
        vat_adjustment: None,
        service_charge: None,
        opening_fund: None,
        withdrawals: None,
        payments_received: None,
        cash_in_drawer: None,
        short_over: None,
        tenders: Json(Vec::new()),
        picture: None,
        read: None,
        reason: None,
        notes: None,
        steps: Json(Vec::new()),
        search_key: String::new(),
        sums_failing: None,
        fields_doubtful: None,
        revision: 1,
        created_at: at,
        created_by: Json(by.clone()),
        updated_at: at,
        updated_by: Json(by),
    }
}

/// Creates a reading. Without a date it is of the business day at which it began, else of the present one. One from
/// a picture is `captured` until the picture was read; if the picture already has a reading in the store, that
/// one is returned.
///
/// # Errors
/// Invalid fields of the draft, a day that another reading of the till covers; 403 for a store the user may not see; 409 `counterTaken` if another reading
/// of the till has the counter.
pub async fn create(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: String,
    draft: &Draft,
    origin: Origin<'_>,
) -> ApiResult<Reading> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    let starts = day_starts::of_store_in(tx, draft.store_id.trim()).await?;
    let mut draft = draft.clone();
    draft.business_date = draft.business_date.or_else(|| Some(starts.day_at(draft.began_at?)));
    draft.check(BusinessDay::of(at), !matches!(origin, Origin::Picture(_)))?;
    scope::check(Some(draft.store_id.trim()), scope)?;
    check_store(tx, draft.store_id.trim()).await?;
    let mut reading = empty(id, at, by);
    reading.business_date = starts.day_at(at);
    draft.put(&mut reading);
    match origin {
        Origin::Typed => {}
        Origin::Api => "api".clone_into(&mut reading.source),
        Origin::Picture(picture) => {
            if let Some(known) = store::of_picture(tx, &reading.store_id, picture).await? {
                return Ok(known);
            }
            "picture".clone_into(&mut reading.source);
            "captured".clone_into(&mut reading.state);
            reading.picture = Some(picture.to_owned());
        }
    }
    checked_steps::check_counter(tx, &reading).await?;
    check_covered(tx, &reading).await?;
    store::save(tx, &mut reading).await?;
    record(tx, None, &reading).await?;
    Ok(reading)
}

async fn check_store(tx: &mut Tx<'_>, id: &str) -> ApiResult<()> {
    if list::store_exists(tx, id).await? {
        Ok(())
    } else {
        Err(ApiError::field("storeId", "Choose a store that exists."))
    }
}

/// Refuses a reading that covers a day of another one, or whose day another one covers.
async fn check_covered(tx: &mut Tx<'_>, reading: &Reading) -> ApiResult<()> {
    let Some((from, to)) = store::overlapping(tx, reading).await? else { return Ok(()) };
    let days = if from == to {
        format!("of {}", to.display())
    } else {
        format!("that covers {} to {}", from.display(), to.display())
    };
    let words = format!("Till {} has a reading {days}, which is one of these days.", reading.terminal_id);
    Err(ApiError::field("coversFrom", words))
}

/// Changes an open reading. `by` holds the changed fields.
///
/// # Errors
/// 404, 403, 409 for an old revision, a closed reading or a taken counter, and invalid fields.
pub async fn update(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    revision: i64,
    by: Map<String, Value>,
) -> ApiResult<Reading> {
    let mut reading = load(tx, scope, id, Some(revision)).await?;
    let state = state_of(&reading)?;
    if !flow::OPEN.contains(&state) {
        let label = FLOW.label(state);
        let words = format!("This Z-reading is {label}; reopen it before it is changed.");
        return Err(ApiError::conflict("wrongStep", words).with("state", reading.state.clone().into()));
    }
    let before = reading.audit_snapshot();
    let draft = Draft::from_reading(&reading).changed(by)?;
    draft.check(BusinessDay::of(tx.actor().at), reading.picture.is_none())?;
    scope::check(Some(draft.store_id.trim()), scope)?;
    if draft.store_id.trim() != reading.store_id {
        check_store(tx, draft.store_id.trim()).await?;
    }
    draft.put(&mut reading);
    if state == ReadingState::Captured {
        ReadingState::NeedsReview.as_str().clone_into(&mut reading.state);
    }
    checked_steps::check_counter(tx, &reading).await?;
    check_covered(tx, &reading).await?;
    write(tx, before, &mut reading).await?;
    Ok(reading)
}

/// Locks a reading and checks existence, store access and revision.
async fn load(tx: &mut Tx<'_>, scope: &StoreScope, id: &str, revision: Option<i64>) -> ApiResult<Reading> {
    let id = larder_platform::http::question::known_id(id, FLOW.one)?;
    let reading = authorize_store(store::hold(tx, id).await?, FLOW.one, scope)?;
    match revision {
        Some(revision) if revision != reading.revision => {
            let name = reading.updated_by.name.clone();
            Err(ApiError::stale(&name, serde_json::to_value(&reading).map_err(ApiError::internal)?))
        }
        _ => Ok(reading),
    }
}

/// Saves a changed reading with its next revision, and records the change.
pub(super) async fn write(tx: &mut Tx<'_>, before: Value, reading: &mut Reading) -> ApiResult<()> {
    reading.revision += 1;
    reading.updated_at = tx.actor().at;
    reading.updated_by = Json(Editor::from(tx.actor()));
    store::save(tx, reading).await?;
    record(tx, Some(before), reading).await?;
    // Of sources that report the same sales, the one that a verified reading matches counts.
    let covers =
        Span { from: reading.covers_from.unwrap_or(reading.business_date), to: reading.business_date };
    duplicates::settle_days(tx, &reading.store_id, covers).await
}

async fn record(tx: &mut Tx<'_>, before: Option<Value>, reading: &Reading) -> ApiResult<()> {
    let action = if before.is_none() { ChangeAction::Created } else { ChangeAction::Updated };
    let change = Change {
        kind: KIND,
        id: reading.id.clone(),
        store_id: Some(reading.store_id.clone()),
        action,
        before,
        after: Some(reading.audit_snapshot()),
    };
    Ok(tx.record(change).await?)
}

/// What a user says on taking a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// The revision that the user saw; the current one if omitted.
    pub revision: Option<i64>,
    pub reason: Option<&'a str>,
    /// On verifying: the user was told that the imported sales differ.
    pub sales_seen: bool,
}

/// Takes a step of a reading.
///
/// # Errors
/// 404, 403, 409 for an old revision or an impossible step, 422 for a missing reason, and on verification: missing
/// figures, `checksFail` with every failed check and both its values, or 409 `salesDiffer` if the imported sales
/// differ and the user was not told.
pub async fn take(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    step: &str,
    by_user: Said<'_>,
) -> ApiResult<Reading> {
    let mut reading = load(tx, scope, id, by_user.revision).await?;
    let step = FLOW.step(step).ok_or_else(|| ApiError::not_found("step"))?;
    FLOW.check(state_of(&reading)?, step).map_err(|refused| wrong_step(&reading, refused))?;
    let reason = said(by_user.reason);
    if step.wants_reason && reason.is_none() {
        return Err(ApiError::field("reason", "Say why."));
    }
    if reason.is_some_and(|text| text.chars().count() > MAX_REASON || has_unseen_in_lines(text)) {
        return Err(ApiError::field("reason", "Use at most 2,000 characters, all of them visible."));
    }
    let sales = match step.step {
        ReadingStep::Verify => {
            checked_steps::may_be_verified(tx, &reading, reason, by_user.sales_seen).await?
        }
        ReadingStep::Reconcile => {
            checked_steps::may_be_reconciled(tx, &reading, reason).await?;
            None
        }
        ReadingStep::Dispute | ReadingStep::Reopen | ReadingStep::Discard => None,
    };
    let before = reading.audit_snapshot();
    step.to.as_str().clone_into(&mut reading.state);
    match step.step {
        ReadingStep::Verify | ReadingStep::Dispute | ReadingStep::Reconcile => {
            reading.reason = reason.map(str::to_owned);
        }
        ReadingStep::Reopen => {
            reading.reason = None;
            checked_steps::check_counter(tx, &reading).await?;
            check_covered(tx, &reading).await?;
        }
        ReadingStep::Discard => {}
    }
    let taken = Taken {
        step: step.step.as_str().to_owned(),
        at: tx.actor().at,
        by: Editor::from(tx.actor()),
        reason: reason.map(str::to_owned),
        sales,
    };
    reading.steps.0.push(taken);
    write(tx, before, &mut reading).await?;
    if step.step == ReadingStep::Verify {
        learn(tx, &reading).await?;
    }
    Ok(reading)
}

/// The parsed state of a reading.
fn state_of(reading: &Reading) -> ApiResult<ReadingState> {
    ReadingState::read(&reading.state).map_err(ApiError::internal)
}

fn wrong_step(reading: &Reading, refused: Refused) -> ApiError {
    ApiError::conflict("wrongStep", refused.message)
        .with("state", reading.state.clone().into())
        .with("can", refused.can.into())
}

/// Stores a verified reading's machine number with its till, so that the next picture of that machine is
/// assigned automatically.
async fn learn(tx: &mut Tx<'_>, reading: &Reading) -> ApiResult<()> {
    let kept = terminals::find_in(tx, &reading.store_id, &reading.terminal_id).await?;
    let by = Editor::from(tx.actor());
    let is_new = kept.is_none();
    let mut till =
        kept.unwrap_or_else(|| terminals::Kept::unset(&reading.store_id, &reading.terminal_id, by.clone()));
    let before = till.audit_snapshot();
    let mut learned = false;
    for (known, printed) in [
        (&mut till.min, &reading.min),
        (&mut till.serial, &reading.serial),
        (&mut till.ptu, &reading.ptu),
        (&mut till.tin, &reading.tin),
    ] {
        if known.is_none() && printed.is_some() {
            known.clone_from(printed);
            learned = true;
        }
    }
    if learned {
        set_terminal(tx, till, (!is_new).then_some(before)).await?;
    }
    Ok(())
}

/// Writes a till's settings at their revision.
///
/// # Errors
/// 409 if they were changed meanwhile.
pub async fn set_terminal(
    tx: &mut Tx<'_>,
    mut till: terminals::Kept,
    before: Option<Value>,
) -> ApiResult<terminals::Kept> {
    let seen = till.revision;
    let known = terminals::find_in(tx, &till.store_id, &till.terminal_id).await?;
    till.revision += 1;
    till.updated_at = tx.actor().at;
    till.updated_by = Json(Editor::from(tx.actor()));
    if !terminals::save(tx, &till, seen).await? {
        let now = terminals::find_in(tx, &till.store_id, &till.terminal_id).await?;
        let now = now.ok_or_else(|| ApiError::not_found("till"))?;
        return Err(ApiError::stale(
            &now.updated_by.name,
            serde_json::to_value(&now).map_err(ApiError::internal)?,
        ));
    }
    if known.map_or_else(Terms::default, |known| known.terms()) != till.terms() {
        store::count_failing(tx, &till).await?;
    }
    let action = if before.is_none() { ChangeAction::Created } else { ChangeAction::Updated };
    tx.record(Change {
        kind: "zTerminal",
        id: format!("{}_{}", till.store_id, till.terminal_id),
        store_id: Some(till.store_id.clone()),
        action,
        before,
        after: Some(till.audit_snapshot()),
    })
    .await?;
    Ok(till)
}

/// Reads the picture of a reading again with the till's new layout; replaces entered values.
///
/// # Errors
/// 404, 403, 409 for an old revision or a reading not in review, 422 without a picture.
pub async fn read_again(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    revision: Option<i64>,
) -> ApiResult<Reading> {
    let mut reading = load(tx, scope, id, revision).await?;
    if reading.picture.is_none() {
        return Err(ApiError::unprocessable("noPicture", "This Z-reading has no picture."));
    }
    if reading.state != "needsReview" {
        let words = "Only a picture that waits for review is read again.";
        return Err(ApiError::conflict("wrongStep", words).with("state", reading.state.clone().into()));
    }
    let before = reading.audit_snapshot();
    "captured".clone_into(&mut reading.state);
    write(tx, before, &mut reading).await?;
    Ok(reading)
}
