//! Scheduled reports by email: timing, recipients and results. Each email is made for its recipient, with the
//! permissions and stores they have when it is sent.

use std::collections::HashMap;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use larder_db::{Actor, Change, ChangeAction, Json as Kept0, Tx};
use larder_domain::schedule::Schedule;
use larder_domain::{Action, BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use utoipa::IntoParams;

use super::answer::CustomAnswer;
use super::kept_queries::{self as store, Kept, KeptSchedule, Person};
use super::model::{
    CustomEvery, CustomPeople, CustomReport, CustomRole, CustomSchedule, CustomScheduleDraft, CustomSend,
    CustomSends,
};
use super::saved::{one, own, seen};
use super::{drawing, file};
use larder_engines::reports::PAGE;
use larder_engines::reports::picture::{self, Numbered};
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::session::system_actor;
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};
use larder_platform::jobs::{JobCtx, JobError, NewJob};
use larder_platform::mail;
use larder_platform::mail::{Email, Enclosed, PICTURE, Recipient};
use larder_platform::people::limits::Rate;
use larder_platform::people::visible_people::VisiblePeople;
use larder_platform::people::{USERS_PAGE, authentication};

/// Type of the job that makes one email.
pub const JOB: &str = "reports.customLetter";
/// Maximum number of recipients of a report.
const MOST_PEOPLE: usize = 200;
/// Sends missed while no server ran are made up for within this time.
const MISSED_MS: i64 = 12 * 3_600_000;
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Rate limit of test emails per user.
const TESTS: Rate = Rate { burst: 5, every_ms: 60_000 };
/// Rate limit of report emails overall: a burst of this many, then one every 500 ms. A mail server refuses
/// thousands at once, and sign-in emails would queue behind them.
const AT_ONCE: u32 = 20;
const EVERY: Duration = Duration::from_millis(500);
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// When a schedule is due.
#[derive(Debug, Clone, Copy)]
struct Due {
    every: CustomEvery,
    schedule: Schedule,
    month_day: i64,
}

impl Due {
    fn of(every: CustomEvery, minutes: i64, weekdays: i64, month_day: i64) -> Self {
        let weekdays = match every {
            CustomEvery::Week => u8::try_from(weekdays & 127).unwrap_or(0),
            CustomEvery::Month => larder_domain::schedule::EVERY_DAY,
        };
        Self { every, schedule: Schedule { minutes, weekdays }, month_day }
    }

    fn kept(kept: &KeptSchedule) -> Self {
        Self::of(every(&kept.every), kept.minutes, kept.weekdays, kept.month_day)
    }

    /// Whether a monthly report is due on this day.
    fn is_on(self, at: Timestamp) -> bool {
        if self.every == CustomEvery::Week {
            return true;
        }
        let day = BusinessDay::of(at);
        let last = i64::from(day.month().plus(31).month().plus(-1).date().day());
        i64::from(day.date().day()) == self.month_day.clamp(1, last)
    }

    /// The next due time after a point in time.
    fn next(self, now: Timestamp) -> Option<Timestamp> {
        let mut at = now;
        for _ in 0..=62 {
            at = self.schedule.next(at)?;
            if self.is_on(at) {
                return Some(at);
            }
        }
        None
    }

    /// The last due time at or before `now`; for a monthly report only within the last day.
    fn last(self, now: Timestamp) -> Option<Timestamp> {
        self.schedule.last(now).filter(|due| self.is_on(*due))
    }
}

fn every(text: &str) -> CustomEvery {
    if text == "month" { CustomEvery::Month } else { CustomEvery::Week }
}

fn schedule_on_wire(kept: KeptSchedule, recipients: Vec<Person>, now: Timestamp) -> CustomSchedule {
    let due = Due::kept(&kept);
    CustomSchedule {
        enabled: kept.enabled,
        every: every(&kept.every),
        minutes: kept.minutes,
        weekdays: kept.weekdays,
        month_day: kept.month_day,
        note: kept.note,
        recipients,
        next_at: if kept.enabled { due.next(now) } else { None },
        last_due: kept.last_due,
        revision: kept.revision,
    }
}

/// The schedules of the given reports, for display.
pub(super) async fn shown(
    state: &AppState,
    who: &Who,
    ids: &[String],
) -> ApiResult<HashMap<String, CustomSchedule>> {
    let mut all = HashMap::new();
    let mut people = store::recipients_of(&state.db, ids).await?;
    let visible = VisiblePeople::of(&state.db, who).await?;
    for kept in store::schedules_of(&state.db, ids).await? {
        let recipients = known_to(who, &visible, people.remove(&kept.report_id).unwrap_or_default());
        all.insert(kept.report_id.clone(), schedule_on_wire(kept, recipients, state.now()));
    }
    Ok(all)
}

/// Recipients as visible to the caller: email addresses only if they may see the accounts.
fn known_to(who: &Who, visible: &VisiblePeople, mut people: Vec<Person>) -> Vec<Person> {
    let sees_accounts = who.can(USERS_PAGE, Action::View);
    let hidden = people.iter_mut().filter(|person| !sees_accounts || !visible.has(&person.id));
    hidden.for_each(|person| person.email.clear());
    people
}

/// Users and roles a report can be shared with or sent to.
#[utoipa::path(get, path = "/api/reports/custom/people", tag = "custom reports",
    responses((status = 200, body = CustomPeople)))]
pub(crate) async fn list_custom_people(
    State(state): State<AppState>,
    who: Who,
) -> ApiResult<Json<CustomPeople>> {
    let roles = store::roles(&state.db).await?;
    Ok(Json(CustomPeople {
        roles: roles.into_iter().map(|(id, name)| CustomRole { id, name }).collect(),
        people: known_to(&who, &VisiblePeople::of(&state.db, &who).await?, store::people(&state.db).await?),
        outbox: mail::goes_to_outbox(&state.config),
    }))
}

/// Set when and to whom a report of your own is sent.
#[utoipa::path(put, path = "/api/reports/custom/{id}/schedule", tag = "custom reports", params(("id" = String, Path)),
    request_body = CustomScheduleDraft, responses((status = 200, body = CustomReport)))]
pub(crate) async fn put_custom_schedule(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(draft): Json<CustomScheduleDraft>,
) -> ApiResult<Json<CustomReport>> {
    seen(&state, &who, &id).await?;
    check(&draft)?;
    let wished = &KeptSchedule {
        report_id: id.clone(),
        enabled: draft.enabled,
        every: if draft.every == CustomEvery::Month { "month" } else { "week" }.to_owned(),
        minutes: draft.minutes,
        weekdays: draft.weekdays & 127,
        month_day: draft.month_day.clamp(1, 31),
        note: draft.note.trim().to_owned(),
        last_due: None,
        revision: draft.revision,
        updated_at: who.at,
        updated_by: Kept0(Editor::from(&who.actor())),
    };
    let (id, asker, people) = (&id, &who, &draft.recipients);
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let kept = own(tx, asker, id, false).await?;
            let known = store::known_people(tx, people).await?;
            if people.iter().any(|person| !known.contains(person)) {
                return Err(ApiError::field("recipients", "Choose people who still have an account."));
            }
            let before = store::schedule_in(tx, id).await?;
            if !store::put_schedule(tx, wished, people).await? {
                let name = before.as_ref().map(|before| before.updated_by.0.name.clone()).unwrap_or_default();
                return Err(ApiError::stale(
                    &name,
                    before.map_or(Value::Null, |before| audit_snapshot(&before, &kept)),
                ));
            }
            let after = store::schedule_in(tx, id).await?;
            let change = Change {
                kind: "customReport",
                id: id.clone(),
                store_id: None,
                action: ChangeAction::Updated,
                before: Some(json!({ "schedule": before.map(|before| audit_snapshot(&before, &kept)) })),
                after: Some(
                    json!({ "schedule": after.map(|after| audit_snapshot(&after, &kept)), "recipients": people.len() }),
                ),
            };
            Ok(tx.record(change).await?)
        })
        .await?;
    Ok(Json(one(&state, &who, id).await?))
}

fn audit_snapshot(kept: &KeptSchedule, report: &Kept) -> Value {
    json!({ "report": report.name, "on": kept.enabled, "every": kept.every, "minutes": kept.minutes,
            "weekdays": kept.weekdays, "monthDay": kept.month_day, "revision": kept.revision })
}

fn check(draft: &CustomScheduleDraft) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let due = Due::of(draft.every, draft.minutes, draft.weekdays, draft.month_day);
    if let Some((field, why)) = due.schedule.refusal() {
        wrong.push(FieldError::new(field, why));
    }
    if draft.every == CustomEvery::Month && !(1..=31).contains(&draft.month_day) {
        wrong.push(FieldError::new("monthDay", "Choose a day from 1 to 31."));
    }
    if draft.note.chars().count() > 500 || has_unseen_in_lines(&draft.note) {
        wrong.push(FieldError::new("note", "Enter at most 500 visible characters."));
    }
    if draft.recipients.len() > MOST_PEOPLE {
        wrong.push(FieldError::new("recipients", format!("Choose at most {MOST_PEOPLE} people.")));
    }
    if draft.enabled && draft.recipients.is_empty() {
        wrong.push(FieldError::new("recipients", "Choose at least one person."));
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Send yourself a report now, as it would arrive.
#[utoipa::path(post, path = "/api/reports/custom/{id}/test", tag = "custom reports", params(("id" = String, Path)),
    responses((status = 202, body = CustomSends)))]
pub(crate) async fn test_custom_report(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<(StatusCode, Json<CustomSends>)> {
    let kept = seen(&state, &who, &id).await?;
    if !state.limits.take(&format!("test letter {}", who.user_id), TESTS, who.at) {
        return Err(ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "tooMany",
            "You sent yourself several tests just now. Try again in a minute.",
        ));
    }
    let me = Person {
        id: who.user_id.clone(),
        name: who.name.clone(),
        email: who.email.clone(),
        role: String::new(),
    };
    let (kept, me) = (&kept, &me);
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> { Ok(queue(tx, &state, &kept.id, None, me).await?) })
        .await?;
    state.jobs.wake();
    Ok((StatusCode::ACCEPTED, Json(sends_of(&state, &who, &kept.id, (20, 0)).await?)))
}

/// Query parameters of sends.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SendsQuery {
    /// Page number, from 0.
    #[param(minimum = 0)]
    pub page: i64,
}

/// The sends of a report with recipients, results and errors.
#[utoipa::path(get, path = "/api/reports/custom/{id}/sends", tag = "custom reports",
    params(("id" = String, Path), SendsQuery), responses((status = 200, body = CustomSends)))]
pub(crate) async fn list_custom_sends(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<SendsQuery>,
) -> ApiResult<Json<CustomSends>> {
    let kept = seen(&state, &who, &id).await?;
    if kept.owner_id != who.user_id && !who.super_admin {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "notYours",
            "Only the owner of a report sees to whom it was sent.",
        ));
    }
    if query.page < 0 {
        return Err(ApiError::field("page", "Pages are counted from 0."));
    }
    let offset = query.page.min(100_000) * 50;
    Ok(Json(sends_of(&state, &who, &id, (50, offset)).await?))
}

async fn sends_of(state: &AppState, who: &Who, id: &str, page: (i64, i64)) -> ApiResult<CustomSends> {
    let (items, total) = store::sends(&state.db, id, page).await?;
    let send = |kept: store::KeptSend| CustomSend {
        id: kept.id,
        due_at: kept.due_at,
        name: kept.name,
        email: if who.can(USERS_PAGE, Action::View) { kept.email } else { String::new() },
        state: kept.state,
        words: kept.words,
        created_at: kept.created_at,
        settled_at: kept.settled_at,
    };
    Ok(CustomSends { items: items.into_iter().map(send).collect(), total })
}

/// Parameters of the job.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToMake {
    report_id: String,
    send_id: String,
}

async fn queue(
    tx: &mut Tx<'_>,
    state: &AppState,
    report: &str,
    due: Option<Timestamp>,
    to: &Person,
) -> Result<(), larder_db::DbError> {
    let send_id = state.new_id();
    store::insert_send(tx, (&send_id, report), due, to).await?;
    let args = json!(ToMake { report_id: report.to_owned(), send_id });
    state.jobs.enqueue(tx, state.new_id(), NewJob { kind: JOB, unique_key: None, args }).await?;
    Ok(())
}

/// Queues the emails due now. Returns how many.
///
/// # Errors
/// When the database does not answer.
pub async fn start_due(state: &AppState) -> ApiResult<usize> {
    let now = state.now();
    let mut started = 0;
    for kept in store::schedules_on(&state.db).await? {
        let Some(due) = Due::kept(&kept).last(now) else { continue };
        // A schedule saved after its time of day starts with the next occurrence.
        if kept.last_due.is_some_and(|last| last >= due)
            || kept.updated_at >= due
            || now.0 - due.0 > MISSED_MS
        {
            continue;
        }
        let people = store::recipients(&state.db, &kept.report_id).await?;
        let (id, people) = (&kept.report_id, &people);
        let taken = state
            .db
            .write(&system_actor("reports", now), async |tx| -> ApiResult<bool> {
                if !store::claim(tx, id, due).await? {
                    return Ok(false);
                }
                for person in people {
                    queue(tx, state, id, Some(due), person).await?;
                }
                Ok(true)
            })
            .await?;
        started += if taken { people.len() } else { 0 };
    }
    if started > 0 {
        state.jobs.wake();
    }
    Ok(started)
}

/// Checks every 30 seconds for due reports. Runs on every node; one of them starts each send.
pub async fn follow(state: AppState, stop: CancellationToken) {
    let mut turns = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = turns.tick() => {}
        }
        if let Err(error) = start_due(&state).await {
            tracing::warn!(%error, "could not queue the due reports");
        }
    }
}

/// Waits for the rate limit of emails.
async fn in_pace() {
    static FREE_AT: Mutex<Option<Instant>> = Mutex::const_new(None);
    let wait = {
        let mut free_at = FREE_AT.lock().await;
        let now = Instant::now();
        let next = free_at.map_or(now, |at| at.max(now)) + EVERY;
        *free_at = Some(next);
        (next - now).saturating_sub(EVERY * AT_ONCE)
    };
    tokio::time::sleep(wait).await;
}

/// Makes one email with its recipient's current permissions, or skips it. The file is attached only if the
/// recipient may export.
pub async fn make(ctx: JobCtx) -> Result<Value, JobError> {
    let ToMake { report_id, send_id } = ctx.args()?;
    let state = &ctx.state;
    let Some(send) = store::send(&state.db, &send_id).await? else { return Ok(json!({ "made": false })) };
    if send.state != "waiting" {
        return Ok(json!({ "made": false }));
    }
    let report = store::find_any(&state.db, &report_id).await?.filter(|report| report.deleted_at.is_none());
    let Some(report) = report else { return skip(&ctx, &send_id, "The report was removed.").await };
    let who = match reader(state, &send).await? {
        Ok(who) => who,
        Err(why) => return skip(&ctx, &send_id, why).await,
    };
    let exports = who.can(PAGE, Action::Export);
    let (answer, book) = match read(state, &who, &report, exports).await {
        Ok(read) => read,
        Err(error) if error.status == StatusCode::FORBIDDEN => {
            return skip(&ctx, &send_id, "They may no longer see what this report is about.").await;
        }
        Err(error) if error.status.is_client_error() => return fail(&ctx, &send_id, &error.detail).await,
        Err(error) => return Err(error.into()),
    };
    in_pace().await;
    let schedule = store::schedules_of(&state.db, std::slice::from_ref(&report_id)).await?.pop();
    let words = if exports { "" } else { "Sent without the sheet: they may not export reports." };
    let note = schedule.map(|schedule| schedule.note).unwrap_or_default();
    let drawing = drawing::of(&report.name, &answer);
    let email = email(&ctx, &report, (&answer, drawing.as_ref()), note, exports, send.due_at.is_none());
    let made = enclose(&ctx, &report, &answer, book, drawing).await?;
    let to = Recipient { name: send.name.clone(), email: who.email.clone() };
    let (send_id, email, made, to) = (&send_id, &email, &made, &to);
    state
        .db
        .write(&actor(&ctx), async |tx| -> ApiResult<()> {
            let job = mail::queue_with(tx, state, to, email, made).await?;
            store::settle(tx, send_id, "mailed", words, Some(&job)).await?;
            tx.announce("customReport", &report_id, None);
            Ok(())
        })
        .await?;
    state.jobs.wake();
    Ok(json!({ "made": true }))
}

/// The table, and its workbook if the recipient may export.
async fn read(
    state: &AppState,
    who: &Who,
    report: &Kept,
    exports: bool,
) -> ApiResult<(CustomAnswer, Option<Vec<u8>>)> {
    let definition = &report.definition.0;
    if !exports {
        return Ok((file::summary(state, who, definition).await?, None));
    }
    let (answer, book) = file::summary_and_workbook(state, who, definition, &report.name).await?;
    Ok((answer, Some(book)))
}

/// The recipient, if they may still see reports; else the reason they may not.
async fn reader(state: &AppState, send: &store::KeptSend) -> ApiResult<Result<Who, &'static str>> {
    let Some(who) = authentication::standing_of_user(state, &send.user_id).await? else {
        return Ok(Err("They can no longer sign in."));
    };
    Ok(if who.can(PAGE, Action::View) { Ok(who) } else { Err("They may no longer see reports.") })
}

fn actor(ctx: &JobCtx) -> Actor {
    system_actor("reports", ctx.state.now())
}

async fn settle(ctx: &JobCtx, id: &str, state: &str, words: &str) -> Result<Value, JobError> {
    ctx.state.db.write(&actor(ctx), async |tx| store::settle(tx, id, state, words, None).await).await?;
    Ok(json!({ "made": false }))
}

async fn skip(ctx: &JobCtx, id: &str, words: &str) -> Result<Value, JobError> {
    settle(ctx, id, "skipped", words).await
}

async fn fail(ctx: &JobCtx, id: &str, words: &str) -> Result<Value, JobError> {
    settle(ctx, id, "failed", words).await
}

/// Stores the attachments: the chart, and the workbook if the recipient may export.
async fn enclose(
    ctx: &JobCtx,
    report: &Kept,
    answer: &CustomAnswer,
    book: Option<Vec<u8>>,
    drawing: Option<Numbered>,
) -> Result<Vec<Enclosed>, JobError> {
    let folder = format!("letters/{}", ctx.id());
    let file_name: String = report
        .name
        .chars()
        .map(|c| if c.is_alphanumeric() || " -_().".contains(c) { c } else { '-' })
        .collect();
    let mut made = Vec::new();
    if let Some(book) = book {
        let key = format!("{folder}/sheet.xlsx");
        ctx.state.files.put(&key, Bytes::from(book)).await?;
        let name = format!("{file_name} {} to {}.xlsx", answer.from, answer.to);
        made.push(Enclosed { name, media: XLSX.to_owned(), key, shown: false });
    }
    if let Some(Numbered { drawing, .. }) = drawing {
        let png = tokio::task::spawn_blocking(move || picture::png(&drawing))
            .await
            .map_err(anyhow::Error::from)??;
        let key = format!("{folder}/{PICTURE}");
        ctx.state.files.put(&key, Bytes::from(png)).await?;
        made.push(Enclosed { name: PICTURE.to_owned(), media: "image/png".to_owned(), key, shown: true });
    }
    Ok(made)
}

fn email(
    ctx: &JobCtx,
    report: &Kept,
    (answer, drawing): (&CustomAnswer, Option<&Numbered>),
    note: String,
    sheet: bool,
    test: bool,
) -> Email {
    let config = &ctx.state.config;
    let base = config.public_url.clone().unwrap_or_else(|| format!("http://{}", config.listen));
    Email::Report {
        name: report.name.clone(),
        range: drawing::range(answer),
        by: report.owner_name.clone(),
        note,
        lines: drawing::lines(answer),
        link: format!("{}/reports/custom/{}", base.trim_end_matches('/'), report.id),
        picture: drawing.map(|drawing| drawing::words(&report.name, drawing)),
        names: drawing.map(|drawing| drawing.names.clone()).unwrap_or_default(),
        sheet,
        test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_months_use_their_last_day() {
        let due = Due::of(CustomEvery::Month, 7 * 60, 0, 31);
        let at = |text: &str| Timestamp::parse(text).expect("a moment");
        // 07:00 in UTC+8 is 23:00 in UTC the day before.
        assert_eq!(due.next(at("2026-02-10T00:00:00Z")), Some(at("2026-02-27T23:00:00Z")));
        assert_eq!(due.next(at("2026-02-27T23:00:00Z")), Some(at("2026-03-30T23:00:00Z")));
        assert_eq!(due.last(at("2026-02-28T05:00:00Z")), Some(at("2026-02-27T23:00:00Z")));
        assert_eq!(due.last(at("2026-03-15T05:00:00Z")), None);
    }
}
