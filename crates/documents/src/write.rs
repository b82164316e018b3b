//! Creating, changing and taking steps: one transaction each.

use larder_db::{Change, ChangeAction, Tx};
use larder_domain::document::{Refused, Step};
use larder_domain::{Action, BusinessDay, Money, Permission, Word};
use serde_json::{Map, Value};

use super::define::{Ctx, Doc, Document, Head, Reversed, Seen, TakeStep, Taken};
use super::{happened, store};
use larder_ledgers::{backdating, stock};
use larder_platform::audit::Editor;
use larder_platform::http::json::at_member;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::text::{has_unseen, has_unseen_in_lines, said};
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// The longest reason or note, in characters.
const MAX_TEXT: usize = 2_000;

/// The longest text of one line, such as a name, in characters.
pub const MAX_NAME: usize = 200;

/// The longest code of a lot or a supplier's paper, in characters.
pub const MAX_LOT: usize = 60;

/// Creates a document from a draft.
///
/// # Errors
/// Invalid fields; 403 for a store the user may not see.
pub async fn create<D: Document>(tx: &mut Tx<'_>, ctx: Ctx<'_>, draft: &D::Draft) -> ApiResult<Doc<D>> {
    let mut doc = Doc::<D>::new(ctx);
    D::write(tx, ctx, draft, &mut doc).await?;
    add(tx, ctx, doc).await
}

/// Inserts a document composed by another one.
///
/// # Errors
/// 403 for a store the user may not see, or if the statement fails.
pub async fn add<D: Document>(tx: &mut Tx<'_>, ctx: Ctx<'_>, mut doc: Doc<D>) -> ApiResult<Doc<D>> {
    reach::<D>(&doc.head, ctx, true)?;
    store::insert(tx, &mut doc).await?;
    D::written(tx, &doc).await?;
    record(tx, None, &doc).await?;
    Ok(doc)
}

/// Loads a document and checks existence and store access.
async fn load<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    id: &str,
) -> ApiResult<(Head<D::State>, D::Details)> {
    let id = known_id(id, D::FLOW.one)?;
    let found = store::head_in::<D>(tx, id).await?.ok_or_else(|| ApiError::not_found(D::FLOW.one))?;
    reach::<D>(&found.0, ctx, true)?;
    Ok(found)
}

/// Refuses a document of stores the user may not see.
fn reach<D: Document>(head: &Head<D::State>, ctx: Ctx<'_>, changes: bool) -> ApiResult<()> {
    if D::reaches(head, &ctx.who.scope, changes) { Ok(()) } else { Err(ApiError::out_of_scope()) }
}

/// Changes an editable document.
///
/// # Errors
/// 404, 403, 409 for an old revision or a document no longer editable, and invalid fields.
pub async fn update<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    id: &str,
    revision: i64,
    draft: &D::Draft,
) -> ApiResult<Doc<D>> {
    let (head, details) = load::<D>(tx, ctx, id).await?;
    if !D::OPEN.contains(&head.state) {
        return Err(not_open::<D>(&head));
    }
    let mut doc = claim::<D>(tx, ctx, head, details, revision, None).await?;
    let before = doc.told();
    D::write(tx, ctx, draft, &mut doc).await?;
    reach::<D>(&doc.head, ctx, true)?;
    store::save(tx, &mut doc).await?;
    record(tx, Some(before), &doc).await?;
    Ok(doc)
}

/// Checks, by the head alone, whether [`update`] would refuse a change: for drafts that are slow to prepare.
/// Returns the head.
///
/// # Errors
/// 404, 403, 409 for an old revision or a document no longer editable.
pub(super) async fn may_change<D: Document>(ctx: Ctx<'_>, seen: Seen<'_>) -> ApiResult<Head<D::State>> {
    let db = &ctx.state.db;
    let id = known_id(seen.id, D::FLOW.one)?;
    let (head, _) = store::head::<D>(db, id).await?.ok_or_else(|| ApiError::not_found(D::FLOW.one))?;
    reach::<D>(&head, ctx, true)?;
    if !D::OPEN.contains(&head.state) {
        return Err(not_open::<D>(&head));
    }
    if head.revision != seen.revision {
        let now = store::read::<D>(db, id).await?.ok_or_else(|| ApiError::not_found(D::FLOW.one))?;
        return Err(ApiError::stale(&now.head.updated_by.name, now.wire(ctx.who)));
    }
    Ok(head)
}

/// A step of a type by its name.
///
/// # Errors
/// 404 if the type has no such step.
pub fn step_named<D: Document>(name: &str) -> ApiResult<&'static Step<D::State, D::Step>> {
    D::FLOW.step(name).ok_or_else(|| ApiError::not_found("step"))
}

/// Takes a step of a document.
///
/// # Errors
/// 404 (also for an unknown step), 403, 409 for an old revision or an impossible step, 422 for a time that has not come
/// yet, and the step's own errors.
pub async fn take<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    id: &str,
    step: &str,
    body: &TakeStep,
) -> ApiResult<Doc<D>> {
    let step = step_named::<D>(step)?;
    let (head, details) = load::<D>(tx, ctx, id).await?;
    D::FLOW.check(head.state, step).map_err(|refused| wrong_step(&head, refused))?;
    let reason = said(body.reason.as_deref());
    if step.wants_reason && reason.is_none() {
        return Err(ApiError::field("reason", "Say why."));
    }
    if reason.is_some_and(|text| text.chars().count() > MAX_TEXT || has_unseen_in_lines(text)) {
        return Err(ApiError::invalid(vec![too_long("reason", MAX_TEXT)]));
    }
    // Also where the step does not need a time.
    happened::given(ctx, body)?;
    D::before_step(tx, &head, step.to).await?;
    let mut doc = claim::<D>(tx, ctx, head, details, body.revision, Some(step.to)).await?;
    let before = doc.told();
    let actor = ctx.who.actor();
    doc.head.state = step.to;
    doc.head.steps.push(Taken {
        step: step.step.as_str().to_owned(),
        at: actor.at,
        by: Editor::from(&actor),
        reason: reason.map(str::to_owned),
    });
    // A lot may have been registered since the line was written.
    store::respell(tx, &mut doc.lines).await?;
    D::step(tx, ctx, step.step, body, &mut doc).await?;
    store::save(tx, &mut doc).await?;
    record(tx, Some(before), &doc).await?;
    Ok(doc)
}

/// Claims a document at its revision, in state `to` if given. The result still has the previous state.
async fn claim<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    mut head: Head<D::State>,
    details: D::Details,
    revision: i64,
    to: Option<D::State>,
) -> ApiResult<Doc<D>> {
    let to = to.unwrap_or(head.state);
    if revision != head.revision || !store::claim(tx, &head, to).await? {
        return Err(stale::<D>(tx, ctx, &head.id).await?);
    }
    head.revision += 1;
    let lines = store::lines_in(tx, &head.id).await?;
    Ok(Doc::of(head, details, lines))
}

/// Records a change in the audit trail, and notifies open screens.
///
/// # Errors
/// If the statement fails.
pub async fn record<D: Document>(tx: &mut Tx<'_>, before: Option<Value>, doc: &Doc<D>) -> ApiResult<()> {
    let action = if before.is_none() { ChangeAction::Created } else { ChangeAction::Updated };
    tx.record(Change {
        kind: D::KIND.as_str(),
        id: doc.head.id.clone(),
        store_id: doc.head.store_id.clone(),
        action,
        before,
        after: Some(doc.told()),
    })
    .await?;
    if D::BOTH_ENDS {
        tx.announce(D::KIND.as_str(), &doc.head.id, doc.head.source_id.as_deref());
    }
    Ok(())
}

async fn stale<D: Document>(tx: &mut Tx<'_>, ctx: Ctx<'_>, id: &str) -> ApiResult<ApiError> {
    let found = store::head_in::<D>(tx, id).await?;
    let (head, details) = found.ok_or_else(|| ApiError::not_found(D::FLOW.one))?;
    let name = head.updated_by.name.clone();
    let lines = store::lines_in(tx, id).await?;
    Ok(ApiError::stale(&name, Doc::<D>::of(head, details, lines).wire(ctx.who)))
}

fn wrong_step<S: Word>(head: &Head<S>, refused: Refused) -> ApiError {
    ApiError::conflict("wrongStep", refused.message)
        .with("state", head.state.as_str().into())
        .with("can", refused.can.into())
}

fn not_open<D: Document>(head: &Head<D::State>) -> ApiError {
    let label = D::FLOW.label(head.state);
    let can: Vec<&str> = D::FLOW.steps_from(head.state).map(|step| step.step.as_str()).collect();
    let words = format!("This {} is {label} and can no longer be changed.", D::FLOW.one);
    ApiError::conflict("wrongStep", words).with("state", head.state.as_str().into()).with("can", can.into())
}

/// Whether the user overrides a check of a step, with the type's override permission.
///
/// # Errors
/// 403 without the permission.
pub(super) fn may_override<D: Document>(ctx: Ctx<'_>, body: &TakeStep) -> ApiResult<bool> {
    if body.overridden && !ctx.who.can(D::DECLARED.page, Action::Override) {
        return Err(ApiError::lacks(Permission { page: D::DECLARED.page, action: Action::Override }));
    }
    Ok(body.overridden)
}

/// As [`may_override`], with a reason.
///
/// # Errors
/// 403 without the permission; 422 with `words` at the reason without one.
pub(super) fn overridden<D: Document>(ctx: Ctx<'_>, body: &TakeStep, words: &str) -> ApiResult<bool> {
    if !may_override::<D>(ctx, body)? {
        return Ok(false);
    }
    if said(body.reason.as_deref()).is_none() {
        return Err(ApiError::field("reason", words));
    }
    Ok(true)
}

/// Refuses to post on a future date, in a frozen week, or beyond the limit without an override and a reason.
///
/// # Errors
/// As [`backdating::check`].
pub(super) async fn may_post<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    body: &TakeStep,
    day: BusinessDay,
) -> ApiResult<()> {
    let (overridden, reason) = (body.overridden, body.reason.as_deref());
    let asked =
        backdating::PostingDate { day, field: D::DECLARED.date, page: D::DECLARED.page, overridden, reason };
    backdating::check(tx, ctx.who, asked).await.map(drop)
}

/// Posts the opposite of `original` on its business date, or today if its week is frozen. The answer of the step says
/// which.
///
/// # Errors
/// As [`stock::reverse`].
pub(super) async fn take_back(
    tx: &mut Tx<'_>,
    (original, by): (stock::Document<'_>, stock::Document<'_>),
    body: &TakeStep,
) -> ApiResult<Reversed> {
    let posted = stock::posted_on(tx, original).await?;
    let day = posted.ok_or_else(|| ApiError::not_found("posted document"))?;
    let (business_date, frozen_week) = backdating::day_of_reversal(tx, day).await?;
    stock::reverse(tx, original, by, business_date, body.reason.as_deref()).await?;
    Ok(Reversed { business_date, frozen_week })
}

/// Quantities far beyond the requested ones. A user with the override permission can post them with a reason.
pub(super) fn much_more(fields: Vec<FieldError>) -> ApiError {
    let words = fields.first().map(|first| first.message.clone()).unwrap_or_default();
    ApiError::unprocessable("muchMore", words).at(fields)
}

/// Refuses a draft date this user could not post on.
///
/// # Errors
/// As [`backdating::check_draft`].
pub(super) async fn may_be_dated<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    day: BusinessDay,
) -> ApiResult<()> {
    let asked = backdating::PostingDate {
        day,
        field: D::DECLARED.date,
        page: D::DECLARED.page,
        overridden: false,
        reason: None,
    };
    backdating::check_draft(tx, ctx.who, asked).await
}

/// A draft's date and notes, as sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentHead<'a> {
    pub date: Option<&'a str>,
    pub notes: Option<&'a str>,
}

/// Writes a draft's date and notes, or their errors to `wrong`.
///
/// # Errors
/// As [`may_be_dated`], for another date.
pub(super) async fn date_and_notes<D: Document>(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    sent: SentHead<'_>,
    head: &mut Head<D::State>,
    wrong: &mut Vec<FieldError>,
) -> ApiResult<()> {
    match date(D::DECLARED.date, sent.date) {
        Ok(Some(day)) => {
            if day != head.on_date {
                may_be_dated::<D>(tx, ctx, day).await?;
            }
            head.on_date = day;
        }
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    note(wrong, "notes", sent.notes, &mut head.notes);
    Ok(())
}

/// Writes a sent text of several lines to `kept`, or its error to `wrong`. A text without visible characters clears.
pub fn note(wrong: &mut Vec<FieldError>, field: &str, sent: Option<&str>, kept: &mut Option<String>) {
    let Some(sent) = sent else { return };
    let text = said(Some(sent));
    if text.is_some_and(|text| text.chars().count() > MAX_TEXT || has_unseen_in_lines(text)) {
        wrong.push(too_long(field, MAX_TEXT));
    } else {
        *kept = text.map(str::to_owned);
    }
}

/// As [`note`], for a text of one line of at most `most` characters.
pub fn short(
    wrong: &mut Vec<FieldError>,
    field: impl Into<String>,
    sent: Option<&str>,
    most: usize,
    kept: &mut Option<String>,
) {
    if sent.is_some() {
        match short_text(field, sent, most) {
            Ok(text) => *kept = text.map(str::to_owned),
            Err(error) => wrong.push(error),
        }
    }
}

/// An amount as sent; `None` for an empty text.
///
/// # Errors
/// A message for what is no amount, or is negative.
pub fn amount(value: &Value) -> Result<Option<Money>, String> {
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(None);
    }
    match serde_json::from_value::<Money>(value.clone()) {
        Ok(amount) if amount.0 < 0 => Err("Enter zero or more.".to_owned()),
        Ok(amount) => Ok(Some(amount)),
        Err(error) => Err(error.to_string()),
    }
}

/// A text of one line, trimmed; `None` if nothing of it is visible.
///
/// # Errors
/// Longer than `most` characters, or with invisible ones.
pub fn short_text(
    field: impl Into<String>,
    sent: Option<&str>,
    most: usize,
) -> Result<Option<&str>, FieldError> {
    let text = said(sent);
    match text {
        Some(text) if text.chars().count() > most || has_unseen(text) => Err(too_long(field, most)),
        _ => Ok(text),
    }
}

fn too_long(field: impl Into<String>, most: usize) -> FieldError {
    FieldError::new(field, format!("Use at most {most} characters, all of them visible."))
}

/// Deserializes a body that was read as a map, so that a retried request can be recognised.
///
/// # Errors
/// 422 at the invalid or unknown member: a misspelt one would be lost unnoticed.
pub fn typed<T: serde::de::DeserializeOwned>(body: Map<String, Value>) -> ApiResult<T> {
    serde_path_to_error::deserialize(Value::Object(body)).map_err(|error| at_member(&error))
}
